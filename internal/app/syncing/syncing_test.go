package syncing

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/workspace"
)

// synced runs with the files of a directory, and returns what one of them holds then.
func synced(t *testing.T, files map[string]string, path string, o *Options) (r *Result, content string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	env := &workspace.Env{
		Dir: dir, Now: func() time.Time { return time.Unix(0, 0) },
		LookPath: func(string) (string, error) { return "", errors.New("there is none") },
	}
	w, err := workspace.Open(t.Context(), env, o.Request())
	require.NoError(t, err)
	t.Cleanup(w.Close)
	r, err = Run(t.Context(), w, o)
	text, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	return r, string(text), err
}

const (
	source   = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.2.3"]}}}`
	behind   = `{"servers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.2.2"], "dev": {"watch": "src"}}}}`
	inStep   = `{"servers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.2.3"], "dev": {"watch": "src"}}}}`
	settings = "in-step: [{files: [.mcp.json, .vscode/mcp.json], source: .mcp.json}]\nrules: {out-of-step: off}\n"
)

// TestRun checks that files are compared, planned or written as requested, by the groups of
// the settings and by the name of a client, regardless of the settings of the rule.
func TestRun(t *testing.T) {
	for name, o := range map[string]Options{"by the settings": {}, "by a client": {From: ".mcp.json", To: []string{"vscode"}}, "by all": {From: ".mcp.json", To: []string{All}}} {
		files := map[string]string{".mcp.json": source, ".vscode/mcp.json": behind, ".mcplumb.yaml": settings}
		for does, want := range map[Extent]string{Compare: behind, Plan: behind, Write: inStep} {
			o.Does = does
			r, content, err := synced(t, files, ".vscode/mcp.json", &o)
			require.NoError(t, err, name)
			assert.True(t, r.IsCompared, name)
			assert.Equal(t, want, content, name)
			assert.Equal(t, does != Write, len(r.Found.Findings) == 1, name)
			assert.Equal(t, does != Compare, r.Fixed != nil, name)
			ignored, err := r.Ignored(t.Context())
			require.NoError(t, err)
			assert.Empty(t, ignored, "there is no git")
		}
	}
}

// TestManyClients writes servers for so many clients that more are missing than one pass
// compares: those that appear after others are written are also written.
func TestManyClients(t *testing.T) {
	var servers strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&servers, `,"s%d": {"command": "npx", "args": ["-y", "p%d@1.0.0"]}`, i, i)
	}
	files := map[string]string{".mcp.json": `{"mcpServers": {` + servers.String()[1:] + `}}`}
	to := []string{"codex", "cursor", "gemini-cli", "kiro", "roo", "vscode"}
	r, _, err := synced(t, files, ".mcp.json", &Options{From: ".mcp.json", To: to, Does: Plan})
	require.NoError(t, err)
	var written []string
	for _, f := range r.Fixed.Files {
		written = append(written, f.Path)
		for i := range 1001 {
			assert.Equal(t, 1, strings.Count(string(f.New), fmt.Sprintf(`"p%d@`, i)), f.Path)
		}
	}
	assert.Equal(t, []string{
		".codex/config.toml", ".cursor/mcp.json", ".gemini/settings.json", ".kiro/settings/mcp.json", ".roo/mcp.json", ".vscode/mcp.json",
	}, written)
	assert.Zero(t, len(r.Fixed.Left)) // which would be long to show
	assert.Less(t, r.Fixed.Rounds, 5)
}

// TestNothingToCompare checks the message if there are no files to sync.
func TestNothingToCompare(t *testing.T) {
	files := map[string]string{".mcp.json": source}
	r, _, err := synced(t, files, ".mcp.json", &Options{From: ".mcp.json", To: []string{All}})
	require.NoError(t, err)
	assert.Equal(t, ".mcp.json", r.Alone)
	assert.False(t, r.IsCompared)

	r, _, err = synced(t, map[string]string{".mcp.json": `{"mcpServers": {`}, ".mcp.json", &Options{From: ".mcp.json", To: []string{"vscode"}})
	require.NoError(t, err)
	assert.False(t, r.IsCompared)
	require.Len(t, r.Found.Errors, 1)
	assert.Contains(t, r.Found.Errors[0].Message, "does not parse")

	for want, o := range map[string]*Options{
		"no in-step files in the settings: add in-step: [{files: [.mcp.json, .vscode/mcp.json], source: .mcp.json}]": {},
		"unknown client: did you mean \"vscode\"?":             {From: ".mcp.json", To: []string{"vscod"}},
		"--to all cannot be combined with another client":      {From: ".mcp.json", To: []string{All, "vscode"}},
		"--server note: .mcp.json has no such server":          {From: ".mcp.json", To: []string{"vscode"}, Servers: []string{"note"}},
		"--from .cursor/mcp.json: the file has no servers":     {From: ".cursor/mcp.json", To: []string{"vscode"}},
		"--to claude-code: Claude Code reads .mcp.json itself": {From: ".mcp.json", To: []string{"claude-code"}},
	} {
		_, _, err := synced(t, map[string]string{".mcp.json": source, ".cursor/mcp.json": `{"mcpServers": {}}`}, ".mcp.json", o)
		assert.ErrorContains(t, err, want)
	}
}
