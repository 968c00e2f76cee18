package channels_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nixpkgs is the small part of nixpkgs that the flake uses: what fetchurl and runCommand do
// with these arguments (pkgs/build-support, 2026-11). RELEASES is replaced with the address
// of the releases.
const nixpkgs = `{
  outputs = { self }: {
    legacyPackages = builtins.mapAttrs (system: _: {
      fetchurl = { name, url, sha256, downloadToTemp, postFetch }: derivation {
        inherit name system;
        builder = "/bin/sh";
        outputHashMode = "flat";
        outputHashAlgo = "sha256";
        outputHash = sha256;
        args = [ "-euc" ''
          export PATH=/usr/bin:/bin downloadedFile=file
          curl -fsSo file ${builtins.replaceStrings [ "https://github.com/mcplumb/mcplumb/releases" ] [ "RELEASES" ] url}
          ${postFetch}
        '' ];
      };
      runCommand = name: attributes: script: derivation {
        inherit name system;
        builder = "/bin/sh";
        args = [ "-euc" "export PATH=/usr/bin:/bin; ${script}" ];
      };
    }) { x86_64-linux = 1; aarch64-linux = 1; };
  };
}
`

// TestNix builds the flake at a release, and as it is before the first one.
func TestNix(t *testing.T) {
	s := newScene(t, newDouble(t))
	program, err := os.ReadFile(s.program)
	require.NoError(t, err)
	archive := "mcplumb_" + s.version + "_linux_" + runtime.GOARCH + ".tar.gz"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/download/v"+s.version+"/"+archive {
			http.NotFound(w, r)
			return
		}
		write(w, gzipped(t, program))
	}))
	defer server.Close()
	s.write("nixpkgs/flake.nix", strings.Replace(nixpkgs, "RELEASES", server.URL, 1))
	flake, err := os.ReadFile(filepath.Join(s.root, "flake.nix"))
	require.NoError(t, err)
	s.write("flake/flake.nix", string(flake))
	// A store of the test's own, which needs no rights.
	nix := filepath.Join(s.home, "nix")
	s.env = append(s.env, "NIX_STORE_DIR="+nix+"/store", "NIX_STATE_DIR="+nix+"/var", "NIX_LOG_DIR="+nix+"/log", "NIX_CONF_DIR="+nix+"/etc", "NIX_REMOTE=")
	build := []string{"--extra-experimental-features", "nix-command flakes", "build", "path:" + s.home + "/flake", "--override-input", "nixpkgs", "path:" + s.home + "/nixpkgs",
		"--no-write-lock-file", "--option", "sandbox", "false", "--option", "build-users-group", "", "--option", "substitute", "false", "--out-link", "built"}

	s.write("flake/action/checksums.txt", "")
	got := s.run("nix", build...)
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "mcplumb has no release yet")

	table := func(sum string) string {
		return strings.Repeat("0", 64) + "  mcplumb_" + s.version + "_darwin_arm64.tar.gz\n" + sum + "  " + archive + "\n"
	}
	s.write("flake/action/checksums.txt", table(strings.Repeat("1", 64)))
	got = s.run("nix", build...)
	assert.NotZero(t, got.code)
	assert.Contains(t, got.stderr, "hash mismatch")

	sum := sha256.Sum256(program)
	s.write("flake/action/checksums.txt", table(hex.EncodeToString(sum[:])))
	s.succeeds("nix", build...)
	assert.Equal(t, s.direct("check"), s.run("built/bin/mcplumb", "check"))
}
