package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// unpinned is a file with one finding: nothing says which version is started.
const unpinned = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes"]}}}`

// opened opens a directory with files as one without git, a terminal or a command line.
func opened(t *testing.T, r Request, files map[string]string) *Workspace {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	w, err := Open(t.Context(), &Env{
		Dir: dir, Now: func() time.Time { return time.Unix(0, 0) },
		Getenv:   func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", errors.New("there is none") },
	}, r)
	require.NoError(t, err)
	t.Cleanup(w.Close)
	return w
}

// found returns the rules whose findings a lint has.
func found(t *testing.T, w *Workspace) (ids []string) {
	t.Helper()
	result, err := w.Lint(t.Context())
	require.NoError(t, err)
	for _, f := range result.Findings {
		ids = append(ids, f.Rule.ID)
	}
	return ids
}

// TestOpen holds that a repository is opened with its settings, and linted by them.
func TestOpen(t *testing.T) {
	w := opened(t, Request{}, map[string]string{".mcp.json": unpinned})
	assert.Equal(t, []string{"unpinned-package"}, found(t, w))
	assert.Empty(t, w.SettingsFile)
	w = opened(t, Request{}, map[string]string{".mcp.json": unpinned, policy.SettingsName: "rules: {unpinned-package: off}\n"})
	assert.Empty(t, found(t, w))
	assert.Equal(t, policy.SettingsName, w.SettingsFile)
}

// TestUnsaved holds that what an editor has not saved replaces the file on disk, also if that
// does not exist yet.
func TestUnsaved(t *testing.T) {
	unsaved := &Unsaved{Path: ".mcp.json", Content: []byte(unpinned)}
	for _, files := range []map[string]string{nil, {".mcp.json": `{"mcpServers": {}}`}} {
		assert.Equal(t, []string{"unpinned-package"}, found(t, opened(t, Request{Unsaved: unsaved}, files)))
	}
}

// TestLintTree holds that a tree with edits is linted by the settings in it, that those which
// do not parse are an error of the result, and that what was adjusted stays so.
func TestLintTree(t *testing.T) {
	w := opened(t, Request{}, map[string]string{".mcp.json": unpinned})
	lint := func(settings string) (findings, failures int) {
		tree := source.Overlay(w.Options.Source, map[string][]byte{policy.SettingsName: []byte(settings)})
		result, err := w.LintTree(t.Context(), tree)
		require.NoError(t, err)
		return len(result.Findings), len(result.Errors)
	}
	for settings, want := range map[string][2]int{"rules: {}\n": {1, 0}, "exclude: [.mcp.json]\n": {0, 0}, "rules: [\n": {0, 1}} {
		findings, failures := lint(settings)
		assert.Equal(t, want, [2]int{findings, failures}, settings)
	}
	w.Adjust(func(s *policy.Settings) { s.Rules = map[string]rule.Severity{"unpinned-package": rule.Off} })
	findings, _ := lint("rules: {}\n")
	assert.Zero(t, findings)
}

// TestStopped holds that an interrupted run finds nothing out.
func TestStopped(t *testing.T) {
	w := opened(t, Request{}, map[string]string{".mcp.json": unpinned})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := w.Lint(ctx)
	require.ErrorIs(t, err, ErrStopped)
	require.ErrorIs(t, err, context.Canceled)
}

// TestRefuses holds that what the settings exclude is not to be changed.
func TestRefuses(t *testing.T) {
	w := opened(t, Request{}, map[string]string{policy.SettingsName: "exclude: [vendored.json]\n"})
	refuses := w.Refuses()
	assert.NotEmpty(t, refuses("vendored.json"))
	assert.Empty(t, refuses(".mcp.json"))
}

// TestContents checks how the lockfile and files next to it are read.
func TestContents(t *testing.T) {
	w := opened(t, Request{}, map[string]string{"a.txt": "a"})
	content, err := w.Contents(t.Context())("a.txt")
	require.NoError(t, err)
	assert.Equal(t, "a", string(content))
	known, content, err := w.ReadLock(t.Context())
	require.NoError(t, err)
	assert.Nil(t, known)
	assert.Nil(t, content)
}
