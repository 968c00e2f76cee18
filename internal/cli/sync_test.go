package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestSyncOfSamples writes the servers of every client's sample for other clients, each in
// a directory of its own: nothing is found then that is not found where they are taken
// from, and the second run changes no byte.
func TestSyncOfSamples(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	settings := "in-step:\n"
	ix := format.NewIndex(format.All())
	sources := map[string]string{} // by the directory
	for i, s := range leakSamples(t) {
		isClients := s.match.Format.Scope == mcp.ScopeProject && !s.match.Home && !s.match.Sample
		if _, ok := ix.OwnTarget(s.path); !ok || !isClients || s.match.Dir != "" {
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
	for at, rules := range findingsByFile(t, dir) {
		place := at[:strings.Index(at, "/")+1]
		for _, rule := range rules {
			isOld := slices.Contains(before[at], rule) || slices.Contains(before[sources[place]], rule)
			assert.True(t, isOld || rule == "out-of-step", "%s has come up in %s", rule, at)
		}
	}
	written := contentsOf(t, dir)
	run(t, dir, "sync")
	assert.Equal(t, written, contentsOf(t, dir))
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

// contentsOf returns the files of a directory, but for those of git.
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
