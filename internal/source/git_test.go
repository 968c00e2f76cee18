package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestMissing names what is tracked and not on disk: left out by a sparse checkout,
// or removed. What is not asked for is not named, and neither is what is there.
func TestMissing(t *testing.T) {
	root := onDisk(t, map[string]string{
		"here/mcp.json": "{}", "sparse/mcp.json": "{}", "sparse/other.txt": "x", "removed/mcp.json": "{}", "moved é/mcp.json": "{}",
	})
	commit(t, root)
	missing := func() []string {
		paths, err := systemGit(t).Missing(t.Context(), root, isMCP)
		require.NoError(t, err)
		return paths
	}
	assert.Empty(t, missing())

	git(t, root, "sparse-checkout", "set", "--no-cone", "here", "removed", "moved*")
	require.NoError(t, os.Remove(filepath.Join(root, "removed", "mcp.json")))
	require.NoError(t, os.Rename(filepath.Join(root, "moved é"), filepath.Join(root, "elsewhere")))
	put(t, root, "new/mcp.json", "not tracked")
	assert.ElementsMatch(t, []string{"sparse/mcp.json", "removed/mcp.json", "moved é/mcp.json"}, missing())

	_, err := source.Git{}.Missing(t.Context(), root, isMCP)
	assert.Error(t, err, "there is no git to ask")
	_, err = systemGit(t).Missing(t.Context(), t.TempDir(), isMCP)
	assert.Error(t, err, "there is no repository")
}

// TestLeftOut names what git keeps from being listed: ignored files that a client would read,
// ignored directories, and repositories within this one.
func TestLeftOut(t *testing.T) {
	root := onDisk(t, map[string]string{
		".gitignore": "build/\nlocal/mcp.json\n*.log\n",
		"a/mcp.json": "{}", "local/mcp.json": "{}", "local/kept.txt": "", "x.log": "", "build/deep/mcp.json": "{}", "untracked/mcp.json": "{}",
		"vendored/mcp.json": "{}", "module/mcp.json": "{}",
	})
	commit(t, filepath.Join(root, "vendored"))
	commit(t, filepath.Join(root, "module"))
	git(t, root, "init", "-q")
	git(t, root, "add", "a", ".gitignore", "local/kept.txt", "module")

	left, err := systemGit(t).LeftOut(t.Context(), root, []string{""}, isMCP)
	require.NoError(t, err)
	assert.Equal(t, source.LeftOut{
		Ignored: []string{"local/mcp.json"}, Directories: []string{"build/"}, Repositories: []string{"module", "vendored"},
	}, left)
	left, err = systemGit(t).LeftOut(t.Context(), root, []string{"a"}, isMCP)
	require.NoError(t, err)
	assert.Zero(t, left)
}
