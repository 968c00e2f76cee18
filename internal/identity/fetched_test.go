package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPackages lists what a launch fetches, each with how firmly it is pinned.
func TestPackages(t *testing.T) {
	sha := strings.Repeat("0123abcd", 5)
	digest := "sha256:" + strings.Repeat("0123abcd", 8)
	tests := []struct{ name, entry, want string }{
		{"package", `npx -y pkg@1.2.3`, "npm:pkg exact=1.2.3"},
		{"bridge", `npx -y mcp-remote@0.1.15 https://h.test/mcp`, "npm:mcp-remote exact=0.1.15"},
		{"alias", `npx -y alias@npm:@scope/real@1.0.0`, "npm:@scope/real exact=1.0.0"},
		{"alias without a version", `npx -y alias@npm:real`, "npm:real"},
		{"bridge around a package", `npx -y supergateway@3.4.0 --stdio "npx -y pkg@latest"`, "npm:pkg tag=latest, npm:supergateway exact=3.4.0"},
		{"bridge with a file", `npx -y supergateway --stdio "node server.js"`, "npm:supergateway"},
		{"image of a bridge", `docker run -i --rm ghcr.io/sparfenyuk/mcp-proxy:v0.8 https://h.test/sse`, "oci:ghcr.io/sparfenyuk/mcp-proxy tag=v0.8"},
		{"runner", `npx -y tsx@4.0.0 server.ts`, "npm:tsx exact=4.0.0"},
		{"Smithery", `npx -y @smithery/cli@latest run @a/b`, "npm:@smithery/cli tag=latest"},
		{"package of another program", `uvx --from fastmcp==2.3.0 fastmcp run server.py`, "pypi:fastmcp exact=2.3.0"},
		{"from", `uvx --from Mcp_Server.Git==2025.9.25 mcp-server-git`, "pypi:mcp-server-git exact=2025.9.25"},
		{"along with a file", `uv run --with fastmcp --with boto3==1.40.1 server.py`, "pypi:fastmcp, pypi:boto3 exact=1.40.1"},
		{"along with the SDK's program", `uv run --with mcp[cli] mcp run server.py`, "pypi:mcp"},
		{"with itself", `uv run --with mcp-server-x --with pandas mcp-server-x`, "pypi:mcp-server-x, pypi:pandas"},
		{"along with a script", `npx -y -p pkg@1.0.0 ./script.sh`, "npm:pkg exact=1.0.0"},
		{"along with a tool", `uvx --with pandas mcp-server-x@1.0.0`, "pypi:mcp-server-x exact=1.0.0, pypi:pandas"},
		{"with a directory", `uv run --with ./lib server.py`, ""},
		{"an installed bridge", `mcp-remote https://h.test/mcp`, ""},
		{"remote", `{"type":"http","url":"https://h.test/mcp"}`, ""},
		{"not fetched at all", `node server.js`, ""},
		// Versions that only look exact.
		{"prerelease or another", `npx -y "pkg@1.0.0-beta || 2.0.0"`, "npm:pkg range=1.0.0-beta || 2.0.0"},
		{"hyphen range", `npx -y "pkg@1.0.0 - 2.0.0"`, "npm:pkg range=1.0.0 - 2.0.0"},
		{"number of a version in a variable", `npx -y pkg@1.0.0-${BUILD}`, "npm:pkg tag=1.0.0-${BUILD}"},
		{"version in a variable", `uvx pkg==${VERSION}`, "pypi:pkg range===${VERSION}"},
		{"after @ in a variable", `uvx pkg@1.${MINOR}`, ""},
		{"two releases", `uvx pkg==1.0,!=1.0.post1`, "pypi:pkg range===1.0,!=1.0.post1"},
		{"epoch", `uvx pkg==1!2.0rc1`, "pypi:pkg exact=1!2.0rc1"},
		{"local version", `uvx pkg==1.0+local.1`, "pypi:pkg exact=1.0+local.1"},
		{"short commit", `npx -y github:o/r#0123abc`, "git:https://github.com/o/r tag=0123abc"},
		{"full commit", `npx -y github:o/r#` + sha, "git:https://github.com/o/r exact=" + sha},
		{"commit of a Go package", `go run example.org/m@` + sha, "go:example.org/m exact=" + sha},
		{"image tag", `docker run -i ghcr.io/o/i:1.2.3`, "oci:ghcr.io/o/i tag=1.2.3"},
		{"image digest", `docker run -i ghcr.io/o/i:1.2.3@` + digest, "oci:ghcr.io/o/i exact=" + digest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := resolve(t, tt.entry)
			var got []string
			for f := range id.Packages() {
				text := f.String()
				if f.Version.Kind != NoVersion {
					text += " " + [...]string{"", "tag", "range", "exact"}[f.Version.Kind] + "=" + f.Version.Text
				}
				got = append(got, text)
			}
			assert.Equal(t, tt.want, strings.Join(got, ", "))
		})
	}
}

// TestAddresses lists what launchers fetch from an address, each with the launcher.
func TestAddresses(t *testing.T) {
	for entry, want := range map[string]string{
		`npx -y https://h.test/pkg.tgz`:                         "npx https://h.test/pkg.tgz",
		`npx --package=https://h.test/pkg.tgz pkg --verbose`:    "npx https://h.test/pkg.tgz",
		`npx -y pkg@https://h.test/pkg.tgz`:                     "npx https://h.test/pkg.tgz",
		`npx -y @scope/pkg@https://h.test/pkg.tgz`:              "npx https://h.test/pkg.tgz",
		`sh -c "exec npx -y https://h.test/pkg.tgz"`:            "npx https://h.test/pkg.tgz",
		`cmd /c "npx -y https://h.test/pkg.tgz"`:                "npx https://h.test/pkg.tgz",
		`uvx --from "pkg @ https://u@h.test/pkg.whl" pkg`:       "uvx https://u@h.test/pkg.whl",
		`uvx --with https://h.test/pkg.whl mcp-server-x==1.0.0`: "uvx https://h.test/pkg.whl",
		`uv run --with https://h.test/pkg.whl server.py`:        "uv https://h.test/pkg.whl",
		`uv run https://h.test/server.py`:                       "uv https://h.test/server.py",
		`npx -y mcp-remote https://h.test/mcp`:                  "",
		`uvx mcp-proxy https://h.test/sse`:                      "",
		`npx -y https://github.com/o/r`:                         "",
		`npx -y user@example.com`:                               "",
		`{"type":"http","url":"https://h.test/mcp"}`:            "",
	} {
		var got []string
		for _, from := range resolve(t, entry).Addresses {
			got = append(got, from.Launcher+" "+from.Text)
		}
		assert.Equal(t, want, strings.Join(got, ", "), entry)
	}
}

// TestVersionOf classifies versions on their own, as in lockfiles.
func TestVersionOf(t *testing.T) {
	sha := strings.Repeat("0123abcd", 5)
	digest := "sha256:" + strings.Repeat("0123abcd", 8)
	tests := []struct {
		kind       Kind
		text, want string
	}{
		{NPM, "1.2.3-beta.1", "exact 1.2.3-beta.1"},
		{NPM, "1.2", "range 1.2"},
		{NPM, "^1.2.3", "range ^1.2.3"},
		{NPM, "1.2.3 && x", "range 1.2.3 && x"},
		{NPM, "latest", "tag latest"},
		{NPM, "https://h.test/x.tgz", "tag https://h.test/x.tgz"},
		{JSR, "1.2.3", "exact 1.2.3"},
		{PyPI, "1.2", "exact 1.2"},
		{PyPI, "1!2.0.post1", "exact 1!2.0.post1"},
		{PyPI, "==1.2", "exact 1.2"},
		{PyPI, ">=1.2", "range >=1.2"},
		{PyPI, "1.2.*", "range 1.2.*"},
		{PyPI, "4f3a2b1c", "tag 4f3a2b1c"},
		{PyPI, "latest", "tag latest"},
		{NuGet, "1.2", "exact 1.2"},
		{NuGet, "1.*", "range 1.*"},
		{Go, "v1.2.3", "exact v1.2.3"},
		{Go, "1.2.3", "tag 1.2.3"},
		{Git, sha, "exact " + sha},
		{Git, "v1.2.3", "tag v1.2.3"},
		{OCI, digest, "exact " + digest},
		{OCI, "1.2.3", "tag 1.2.3"},
		{Exec, "1.2.3", "exact 1.2.3"},
		{Exec, "stable", "tag stable"},
		{NPM, "", " "},
		{OCI, "", " "},
	}
	for _, tt := range tests {
		v := VersionOf(tt.kind, Word{Text: tt.text})
		assert.Equal(t, tt.want, [...]string{"", "tag", "range", "exact"}[v.Kind]+" "+v.Text, "%s %q", tt.kind, tt.text)
	}
}

// TestInstalled distinguishes packages that run from where they are installed from fetched ones.
func TestInstalled(t *testing.T) {
	for entry, want := range map[string]bool{
		`npx --no-install pkg`:                    true,
		`npx --no pkg`:                            true,
		`bunx --no-install pkg`:                   true,
		`node node_modules/@scope/pkg/dist/x.js`:  true,
		`npx pkg`:                                 false,
		`npx -y pkg --no-install`:                 false,
		`npx --yes pkg --no`:                      false,
		`docker run -i ghcr.io/o/i --no-install`:  false,
		`uvx pkg`:                                 false,
		`npx mcp-remote@0.1.30 https://h.test/x`:  false,
		`npx --no-install mcp-remote https://h.t`: true,
	} {
		id := resolve(t, entry)
		assert.Equal(t, want, id.Installed, entry)
	}
}

// TestBase checks where launchers look for the project they are started in.
func TestBase(t *testing.T) {
	for entry, want := range map[string]string{
		`npx pkg`: "app",
		`{"command":"npx","args":["pkg"],"cwd":"tools/x"}`: "app/tools/x",
		`{"command":"npx","args":["pkg"],"cwd":"./"}`:      "app",
		`npx --prefix tools pkg`:                           "app/tools",
		`npx -y pkg start`:                                 "app",
		`sh -c "cd tools && npx pkg"`:                      "app/tools",
		`npx -C tools pkg`:                                 "app/tools",
		`npm --prefix tools exec pkg`:                      "app/tools",
		`bunx --cwd tools pkg`:                             "app/tools",
		`uv run --project tools --with pkg pkg`:            "app/tools",
		`uv --directory tools run --with pkg pkg`:          "app/tools",
		`uv run --no-project --with pkg pkg`:               "none",
		`{"command":"npx","args":["pkg"],"cwd":"/opt/x"}`:  "none",
		`{"command":"npx","args":["pkg"],"cwd":"~/x"}`:     "none",
		`{"command":"npx","args":["pkg"],"cwd":"../x"}`:    "x",
		`{"command":"npx","args":["pkg"],"cwd":".."}`:      "",
		`{"command":"npx","args":["pkg"],"cwd":"../../x"}`: "none",
		`{"command":"npx","args":["pkg"],"cwd":"${X}/y"}`:  "none",
	} {
		id := resolve(t, entry)
		dir, ok := id.Project()
		if !ok {
			dir = "none"
		}
		assert.Equal(t, want, dir, entry)
	}
}

// TestFetchedBy names the program that fetches each package.
func TestFetchedBy(t *testing.T) {
	for entry, want := range map[string]string{
		`npx -y pkg`:                            "npx",
		`npm exec pkg`:                          "npm",
		`bun x pkg`:                             "bun",
		`pnpm dlx pkg`:                          "pnpm",
		`uvx pkg`:                               "uvx",
		`uv tool run p`:                         "uvx",
		`npx -y supergateway --stdio "uvx pkg"`: "uvx npx",
	} {
		id := resolve(t, entry)
		var got []string
		for f := range id.Packages() {
			got = append(got, f.Launcher)
		}
		assert.Equal(t, want, strings.Join(got, " "), entry)
	}
}
