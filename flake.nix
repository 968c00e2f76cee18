# mcplumb for Nix: the program of the last release, by the hash in action/checksums.txt. Nothing is
# compiled, and nothing in this file changes with a release.
#   nix run github:mcplumb/mcplumb -- check
{
  description = "A linter for the MCP server configuration in a repository";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      releases = "https://github.com/mcplumb/mcplumb/releases/download";

      # Go's names of the systems.
      platforms = {
        aarch64-darwin = "darwin_arm64";
        aarch64-linux = "linux_arm64";
        x86_64-darwin = "darwin_amd64";
        x86_64-linux = "linux_amd64";
      };

      # The SHA-256 of each program, its version and its platform.
      lines = builtins.filter builtins.isString (builtins.split "\n" (builtins.readFile ./action/checksums.txt));
      programs = builtins.filter (found: found != null)
        (map (builtins.match "([0-9a-f]{64})  mcplumb_([0-9.]+)_([a-z0-9]+_[a-z0-9]+)\\.tar\\.gz") lines);

      package = system: platform:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          found = builtins.filter (program: builtins.elemAt program 2 == platform) programs;
          released = if found == [ ] then throw "mcplumb has no release yet" else builtins.head found;
          version = builtins.elemAt released 1;
          # The hash is that of the program, not of the archive that it comes in.
          program = pkgs.fetchurl {
            name = "mcplumb-program-${version}";
            url = "${releases}/v${version}/mcplumb_${version}_${platform}.tar.gz";
            sha256 = builtins.head released;
            downloadToTemp = true;
            postFetch = "tar -xzOf $downloadedFile mcplumb >$out";
          };
        in
        pkgs.runCommand "mcplumb-${version}"
          {
            meta = {
              description = "A linter for the MCP server configuration in a repository";
              homepage = "https://github.com/mcplumb/mcplumb";
              mainProgram = "mcplumb";
            };
          }
          "install -D -m 755 ${program} $out/bin/mcplumb";
    in
    {
      packages = builtins.mapAttrs (system: platform: { default = package system platform; }) platforms;
    };
}
