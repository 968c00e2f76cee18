package ccpkg_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// versionForms are the ways in which a template of ccpkg may name a version: the server without
// one, and with two that differ in nothing else. Known reports that the two versions show which one
// is higher.
var versionForms = []struct {
	id                    string
	without, lower, upper any
	known                 bool
}{
	{"npm, exact", linttest.NPXOf("s-mcp"), linttest.NPXOf("s-mcp@1.9.0"), linttest.NPXOf("s-mcp@1.10.0"), true},
	{"npm, with a v", linttest.NPXOf("s-mcp"), linttest.NPXOf("s-mcp@v1.9.0"), linttest.NPXOf("s-mcp@v1.10.0"), true},
	{"npm, scoped", linttest.NPXOf("@acme/s-mcp"), linttest.NPXOf("@acme/s-mcp@1.9.0"), linttest.NPXOf("@acme/s-mcp@1.10.0"), true},
	{"npm, ranges", linttest.NPXOf("s-mcp"), linttest.NPXOf("s-mcp@^1.9.0"), linttest.NPXOf("s-mcp@^1.10.0"), false},
	{"npm, tags", linttest.NPXOf("s-mcp"), linttest.NPXOf("s-mcp@latest"), linttest.NPXOf("s-mcp@next"), false},
	{"npm, arguments behind it", linttest.NPXOf("s-mcp", "--root", "a b"), linttest.NPXOf("s-mcp@1.9.0", "--root", "a b"), linttest.NPXOf("s-mcp@1.10.0", "--root", "a b"), true},
	{"npm, --package", linttest.NPXOf("--package=s-mcp", "serve"), linttest.NPXOf("--package=s-mcp@1.9.0", "serve"), linttest.NPXOf("--package=s-mcp@1.10.0", "serve"), true},
	{"a bridge", linttest.NPXOf("mcp-remote", "https://mcp.acme.dev"), linttest.NPXOf("mcp-remote@0.1.30", "https://mcp.acme.dev"), linttest.NPXOf("mcp-remote@0.1.31", "https://mcp.acme.dev"), true},
	{"PyPI, ==", linttest.CommandOf("uvx", "s-mcp"), linttest.CommandOf("uvx", "s-mcp==1.9.0"), linttest.CommandOf("uvx", "s-mcp==1.10.0"), true},
	{"PyPI, @", linttest.CommandOf("uvx", "s-mcp"), linttest.CommandOf("uvx", "s-mcp@1.9.0"), linttest.CommandOf("uvx", "s-mcp@1.10.0"), true},
	{"PyPI, a tag and a version", linttest.CommandOf("uvx", "s-mcp"), linttest.CommandOf("uvx", "s-mcp@latest"), linttest.CommandOf("uvx", "s-mcp@1.9.0"), false},
	{"PyPI, ranges", linttest.CommandOf("uvx", "--from", "s-mcp", "serve"), linttest.CommandOf("uvx", "--from", "s-mcp>=1.9,<2", "serve"), linttest.CommandOf("uvx", "--from", "s-mcp>=1.10,<2", "serve"), false},
	{"image, tags", dockerOf("ghcr.io/acme/s"), dockerOf("ghcr.io/acme/s:1.9.0"), dockerOf("ghcr.io/acme/s:1.10.0"), true},
	{"image, words", dockerOf("ghcr.io/acme/s"), dockerOf("ghcr.io/acme/s:stable"), dockerOf("ghcr.io/acme/s:edge"), false},
	{"image, digests", dockerOf("ghcr.io/acme/s"), dockerOf("ghcr.io/acme/s@sha256:" + strings.Repeat("a", 64)), dockerOf("ghcr.io/acme/s@sha256:" + strings.Repeat("b", 64)), false},
	{"image, tags and digests", dockerOf("ghcr.io/acme/s"), dockerOf("ghcr.io/acme/s:1.9.0@sha256:" + strings.Repeat("a", 64)), dockerOf("ghcr.io/acme/s:1.10.0@sha256:" + strings.Repeat("b", 64)), true},
	{"git, tags", linttest.NPXOf("github:acme/s"), linttest.NPXOf("github:acme/s#v1.9.0"), linttest.NPXOf("github:acme/s#v1.10.0"), true},
	{"git, branches", linttest.NPXOf("github:acme/s"), linttest.NPXOf("github:acme/s#main"), linttest.NPXOf("github:acme/s#next"), false},
	{"git, commits", linttest.NPXOf("github:acme/s"), linttest.NPXOf("github:acme/s#" + strings.Repeat("a", 40)), linttest.NPXOf("github:acme/s#" + strings.Repeat("b", 40)), false},
	{"git for uvx", linttest.CommandOf("uvx", "--from", "git+https://github.com/acme/s", "s"), linttest.CommandOf("uvx", "--from", "git+https://github.com/acme/s@v1.9.0", "s"), linttest.CommandOf("uvx", "--from", "git+https://github.com/acme/s@v1.10.0", "s"), true},
	{"go", linttest.CommandOf("go", "run", "github.com/acme/s"), linttest.CommandOf("go", "run", "github.com/acme/s@v1.9.0"), linttest.CommandOf("go", "run", "github.com/acme/s@v1.10.0"), true},
	{"an address, a segment", sourceOf("https://dl.acme.dev/s//s.mcpb"), sourceOf("https://dl.acme.dev/s/1.9.0/s.mcpb"), sourceOf("https://dl.acme.dev/s/1.10.0/s.mcpb"), true},
	{"an address, the file", sourceOf("https://dl.acme.dev/s/s.mcpb"), sourceOf("https://dl.acme.dev/s/s-1.9.0.mcpb"), sourceOf("https://dl.acme.dev/s/s-1.10.0.mcpb"), true},
	{"an address, both", sourceOf("https://dl.acme.dev/s//s.mcpb"), sourceOf("https://dl.acme.dev/s/v1.9.0/s-1.9.0.mcpb"), sourceOf("https://dl.acme.dev/s/v1.10.0/s-1.10.0.mcpb"), true},
	{"a bundle's file", bundleOf("mcp/s.mcpb"), bundleOf("mcp/s-1.9.0.mcpb"), bundleOf("mcp/s-1.10.0.mcpb"), true},
}

func dockerOf(image string) map[string]any {
	return linttest.CommandOf("docker", "run", "-i", "--rm", image)
}

func sourceOf(url string) map[string]any {
	return map[string]any{"source": url, "checksum": "sha256:" + strings.Repeat("c", 64)}
}

func bundleOf(path string) map[string]any { return map[string]any{"bundle": path} }

// originText writes an origin as the specification does: the command and its
// arguments, the path of the bundle, the address.
func originText(server map[string]any) string {
	if command, ok := server["command"]; ok {
		return "command::" + strings.Join(append([]string{command.(string)}, server["args"].([]string)...), " ")
	}
	if bundle, ok := server["bundle"]; ok {
		return "bundle::" + bundle.(string)
	}
	return server["source"].(string)
}

// ccpkgTree writes a project with two packages, a and b, that bring the server s,
// the lockfile if it shares the server, and .mcp.json if it starts one.
func ccpkgTree(t *testing.T, a, b any, locked string, host any) linttest.Files {
	t.Helper()
	text := func(value any) string {
		data, err := json.Marshal(value)
		require.NoError(t, err)
		return string(data)
	}
	pkg := `{"version": "1.0.0", "scope": "project", "source": "https://dl.acme.dev/p.ccpkg", "linked": false, "checksum": "sha256:` + strings.Repeat("a", 64) + `"}`
	files := linttest.Files{".ccpkg/ccpkg-lock.json": `{"lockfile_version": 1, "packages": {"a": ` + pkg + `, "b": ` + pkg + `}, "shared_mcp_servers": {` + locked + `}}`}
	for name, server := range map[string]any{"a": a, "b": b} {
		if server != nil {
			files[".ccpkg/plugins/"+name+"/mcp/.mcp.json"] = `{"mcpServers": {"s": ` + text(server) + `}}`
		}
	}
	if host != nil {
		files[".mcp.json"] = `{"mcpServers": {"s": ` + text(host) + `}}`
	}
	return files
}

// TestCCPkgConflictSaysWhatRuns checks that the identity which outputs for machines give
// of a conflict between packages is that of the entry it is reported at.
func TestCCPkgConflictSaysWhatRuns(t *testing.T) {
	findings := linttest.LintFiles(t, ccpkgTree(t, linttest.NPXOf("s-mcp@1.9.0"), linttest.NPXOf("other-mcp@1.9.0"), "", nil))
	require.Len(t, findings, 1)
	assert.Equal(t, "name-conflict", findings[0].Rule.ID)
	assert.Equal(t, ".ccpkg/plugins/b/mcp/.mcp.json", findings[0].File.Path)
	assert.Equal(t, "npm:other-mcp", findings[0].Identity)
}

// TestCCPkgVersionForms holds for every form of a version that a project whose
// lockfile, templates and client file agree word by word is silent, and that two
// versions of one server are never two servers.
func TestCCPkgVersionForms(t *testing.T) {
	for _, form := range versionForms {
		lower, upper := form.lower.(map[string]any), form.upper.(map[string]any)
		host := func(server map[string]any) any {
			if server["command"] == nil {
				return linttest.CommandOf("node", "out/server.js") // as a bundle is unpacked
			}
			return server
		}
		shared := func(server map[string]any, version, active string) string {
			return fmt.Sprintf(`"s": {"origin": %q, "version": %s, "declared_by": ["a", "b"], "active_source": %q, "dedup": true}`, originText(server), version, active)
		}
		t.Run(form.id, func(t *testing.T) {
			for _, version := range []string{"null", `"1.9.0"`} {
				if strings.Contains(form.id, "bridge") {
					version = strings.Replace(version, "1.9.0", "0.1.30", 1)
				}
				if form.known && version == "null" {
					continue // then the version is known
				}
				assert.Empty(t, linttest.Grave(linttest.LintFiles(t, ccpkgTree(t, lower, lower, shared(lower, version, "a"), host(lower)))), "agrees with %s", version)
			}
			assert.Equal(t, []string{"version-conflict warning s"}, linttest.Grave(linttest.LintFiles(t, ccpkgTree(t, lower, upper, "", nil))), "two versions")
			assert.Empty(t, linttest.Grave(linttest.LintFiles(t, ccpkgTree(t, lower, form.without, "", nil))), "one is not pinned")

			got := linttest.Grave(linttest.LintFiles(t, ccpkgTree(t, lower, upper, shared(lower, `"`+lowerVersion(form.id)+`"`, "a"), host(lower))))
			if form.known {
				assert.Equal(t, []string{"invalid-lockfile error s", "invalid-lockfile error s"}, got, "K13: neither version nor source is the highest")
			} else {
				assert.Empty(t, got, "it is not known which is higher")
			}
		})
	}
}

func lowerVersion(form string) string {
	if form == "a bridge" {
		return "0.1.30"
	}
	return "1.9.0"
}
