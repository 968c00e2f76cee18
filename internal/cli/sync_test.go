package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// TestSyncOfSamples writes the servers of every client's sample for other clients, each in
// a directory of its own: nothing is found then that is not found where they are taken
// from, and the second run changes no byte.
func TestSyncOfSamples(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	settings := "in-step:\n"
	ix := format.Known()
	sources := map[string]string{} // by the directory
	for i, s := range leakSamples(t) {
		isClients := s.match.Format.Scope == mcp.ScopeProject && !s.match.Home && !s.match.Sample
		if _, ok := writing.OwnTarget(ix, s.path); !ok || !isClients || s.match.Dir != "" {
			continue
		}
		place := fmt.Sprintf("s%d/", i)
		write(t, dir, place+s.path, s.content)
		sources[place] = place + s.path
		files := []string{place + s.path}
		for _, name := range []string{".mcp.json", ".vscode/mcp.json", ".codex/config.toml", ".continue/mcpServers/mcp.yaml", "opencode.json"} {
			if name != s.path {
				files = append(files, place+name)
			}
		}
		settings += fmt.Sprintf("  - files: [%s]\n    source: %s\n", strings.Join(files, ", "), place+s.path)
	}
	require.Greater(t, len(sources), 30)
	write(t, dir, ".mcplumb.yaml", settings)

	before := findingsByFile(t, dir)
	code, stdout, stderr := run(t, dir, "sync")
	require.Less(t, code, 2, stderr)
	assert.Greater(t, strings.Count(stdout, "fixed: create "), 4*30, "few files are created")
	fixes, place := map[string]string{}, "" // the lines below the files, by their directory
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, " ") {
			place, _, _ = strings.Cut(line, "/")
		}
		fixes[place+"/"] += line
	}
	for at, rules := range findingsByFile(t, dir) {
		place := at[:strings.Index(at, "/")+1]
		for _, rule := range rules {
			isOld := slices.Contains(before[at], rule) || slices.Contains(before[sources[place]], rule)
			assert.True(t, isOld || rule == "out-of-step" || strings.Contains(fixes[place], "new warning: "+rule), "%s has come up in %s", rule, at)
		}
	}
	written := contentsOf(t, dir)
	run(t, dir, "sync")
	assert.Equal(t, written, contentsOf(t, dir))
}

// TestSyncOfCredentials holds that the variables of credentials have the same names whether
// they are removed from the source before or after its servers are written for other clients,
// and that all files are in sync at the end.
func TestSyncOfCredentials(t *testing.T) {
	// What has no form is a credential by its name.
	values := []string{"k7Jd02mQx9Lp4Vn8", "Zt5wRb1uYc6eHs3g", "q2Wm8nXv4Kc0Lz7J", "u9Yh3bTg5Rf1De6s", "P4oi7Uy2Tr8Ew3Qa", "m5Nb9Vc1Xz6Lk3Jh"}
	sources := map[string]string{
		".mcp.json": `{"mcpServers": {
  "arg": {"command": "npx", "args": ["-y", "arg-mcp@1.0.0", "--token", "V0", "--token", "V1"]},
  "env": {"command": "npx", "args": ["-y", "env-mcp@1.0.0"], "env": {"ARG_TOKEN": "V2", "API_TOKEN": "V3"}},
  "too": {"command": "npx", "args": ["-y", "too-mcp@1.0.0"], "env": {"API_TOKEN": "V4"}},
  "hub": {"type": "http", "url": "https://hub.acme.dev/mcp", "headers": {"Authorization": "Bearer V5"}}
}}`,
		".vscode/mcp.json": `{"servers": {
  "arg": {"command": "npx", "args": ["-y", "arg-mcp@1.0.0", "--token", "V0", "--token", "V1"]},
  "env": {"command": "npx", "args": ["-y", "env-mcp@1.0.0"], "env": {"ARG_TOKEN": "V2", "API_TOKEN": "V3"}},
  "too": {"command": "npx", "args": ["-y", "too-mcp@1.0.0"], "env": {"API_TOKEN": "V4"}},
  "hub": {"type": "http", "url": "https://hub.acme.dev/mcp", "headers": {"Authorization": "Bearer V5"}}
}}`,
		".gemini/settings.json": `{"mcpServers": {
  "arg": {"command": "npx", "args": ["-y", "arg-mcp@1.0.0", "--token", "V0", "--token", "V1"]},
  "env": {"command": "npx", "args": ["-y", "env-mcp@1.0.0"], "env": {"ARG_TOKEN": "V2", "API_TOKEN": "V3"}},
  "hub": {"httpUrl": "https://hub.acme.dev/mcp", "headers": {"Authorization": "Bearer V5"}}
}}`,
		"opencode.json": `{"mcp": {
  "arg": {"type": "local", "command": ["npx", "-y", "arg-mcp@1.0.0", "--token", "V0", "--token", "V1"]},
  "env": {"type": "local", "command": ["npx", "-y", "env-mcp@1.0.0"], "environment": {"ARG_TOKEN": "V2", "API_TOKEN": "V3"}},
  "hub": {"type": "remote", "url": "https://hub.acme.dev/mcp", "headers": {"Authorization": "Bearer V5"}}
}}`,
		".codex/config.toml": `[mcp_servers.env]
command = "npx"
args = ["-y", "env-mcp@1.0.0"]
env = { ARG_TOKEN = "V2", API_TOKEN = "V3" }

[mcp_servers.hub]
url = "https://hub.acme.dev/mcp"
http_headers = { Authorization = "Bearer V5" }
`,
	}
	for source, content := range sources {
		t.Run(source, func(t *testing.T) {
			for i, v := range values {
				content = strings.ReplaceAll(content, fmt.Sprintf("V%d", i), v)
			}
			ends := map[string]map[string]string{}
			for _, first := range []string{"sync", "check --fix=unsafe"} {
				dir := t.TempDir()
				git(t, dir, "init", "-q")
				write(t, dir, source, content)
				write(t, dir, ".mcplumb.yaml", "in-step:\n  - files: ["+strings.Join(slices.Sorted(maps.Keys(sources)), ", ")+", .continue/mcpServers/mcp.yaml]\n    source: "+source+"\n")
				for _, command := range []string{first, "sync --check", "check --fix=unsafe", "sync --check"} {
					_, stdout, stderr := run(t, dir, strings.Fields(command)...)
					if command == "sync --check" {
						assert.Contains(t, stdout, "in sync: ", "after %s: %s", first, stderr)
						assert.NotContains(t, stdout, "out of sync", "after %s", first)
					}
				}
				ends[first] = map[string]string{}
				for path, text := range contentsOf(t, dir) {
					name, err := filepath.Rel(dir, path)
					require.NoError(t, err)
					ends[first][name] = text
					for _, v := range values {
						assert.NotContains(t, text, v, name)
					}
				}
			}
			assert.Equal(t, ends["check --fix=unsafe"], ends["sync"])
		})
	}
}

// findingsByFile returns the rules that warn of each file.
func findingsByFile(t *testing.T, dir string) map[string][]string {
	t.Helper()
	_, stdout, _ := run(t, dir, "check", "--format", "json")
	var report struct {
		Findings []struct{ Rule, Path, Severity string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	found := map[string][]string{}
	for _, f := range report.Findings {
		if f.Severity != "note" {
			found[f.Path] = append(found[f.Path], f.Rule)
		}
	}
	return found
}

// contentsOf returns the files of a directory, except those of git.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	contents := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		content, err := os.ReadFile(path)
		contents[path] = string(content)
		return err
	}))
	return contents
}

// TestSyncOfMoreThanThereIsRoomFor fixes files that are out of sync in parts, if there are
// more differences than one run compares.
func TestSyncOfMoreThanThereIsRoomFor(t *testing.T) {
	const files, servers = 60, 90
	dir := t.TempDir()
	var entries []string
	for i := range servers {
		entries = append(entries, fmt.Sprintf(`"s%d": {"type": "http", "url": "https://s%d.acme.dev/mcp"}`, i, i))
	}
	write(t, dir, ".mcp.json", `{"mcpServers": {`+strings.Join(entries, ", ")+`}}`)
	for i := range files {
		write(t, dir, fmt.Sprintf("a%d/.mcp.json", i), `{"mcpServers": {}}`)
	}
	write(t, dir, ".mcplumb.yaml", "in-step: [{files: ['**/.mcp.json'], source: .mcp.json}]\n")
	code, _, stderr := run(t, dir, "sync", "--check")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "than mcplumb reports: 400 are omitted")
	code, stdout, stderr := run(t, dir, "sync")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, fmt.Sprintf("in sync: %d servers in %d files", servers, files+1))
}
