package installed_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// counted counts how often each file is asked for.
type counted struct {
	source.Tree
	mutex sync.Mutex
	reads map[string]int
}

func (c *counted) Read(ctx context.Context, path string) (source.File, error) {
	c.mutex.Lock()
	c.reads[path]++
	c.mutex.Unlock()
	return c.Tree.Read(ctx, path)
}

// TestLockfilesAreReadOnce holds that many projects cost one look at what they
// share, and that nothing is looked at where every version is written.
func TestLockfilesAreReadOnce(t *testing.T) {
	files := map[string]string{
		"package.json":      `{"devDependencies": {"a-mcp": "1.0.0"}}`,
		"package-lock.json": `{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}`,
	}
	for _, dir := range []string{"x/a", "x/b", "x/c"} {
		files[dir+"/.mcp.json"] = `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}, "b": {"command": "npx", "args": ["a-mcp", "b"]}}}`
		files[dir+"/.cursor/mcp.json"] = files[dir+"/.mcp.json"]
	}
	tree := &counted{Tree: source.Memory(files), reads: map[string]int{}}
	installedIn(t, tree)
	for path, count := range tree.reads {
		assert.Equal(t, 1, count, path)
	}
	assert.Contains(t, tree.reads, "package-lock.json")

	pinned := map[string]string{
		"package.json": files["package.json"], "package-lock.json": files["package-lock.json"],
		".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp@1.0.0"]}, "b": {"command": "uvx", "args": ["b-mcp"]}}}`,
	}
	tree = &counted{Tree: source.Memory(pinned), reads: map[string]int{}}
	installedIn(t, tree)
	assert.Equal(t, map[string]int{".mcp.json": 1}, tree.reads)
}

// TestLockfilesOutOfReach holds that a lockfile that lies outside of the
// repository, or is too big, is as good as none.
func TestLockfilesOutOfReach(t *testing.T) {
	lock := `{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}`
	files := map[string]string{"package.json": `{}`, ".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}}}`}
	files["package-lock.json"] = lock + strings.Repeat(" ", syntax.MaxBytes)
	assert.Empty(t, installedIn(t, source.Memory(files)))

	files["package-lock.json"] = lock
	assert.Equal(t, []string{"a-mcp 1.0.0 package-lock.json"}, installedIn(t, source.Memory(files)))

	outside, root := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "package-lock.json"), []byte(lock), 0o644))
	for _, name := range []string{"package.json", ".mcp.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(files[name]), 0o644))
	}
	if err := os.Symlink(filepath.Join(outside, "package-lock.json"), filepath.Join(root, "package-lock.json")); err != nil {
		t.Skip("no links here: ", err)
	}
	assert.Empty(t, installedIn(t, source.Disk(root, source.Git{})))
}

// installedIn reads a tree and returns what is installed of its servers.
func installedIn(t *testing.T, tree source.Tree) []string {
	t.Helper()
	result, err := lint.Run(t.Context(), lint.Options{Source: tree, Checks: []*checks.Check{}})
	require.NoError(t, err)
	var found []string
	for _, p := range result.Repo.Projects {
		for _, all := range p.Facts.Installed {
			for _, in := range all {
				found = append(found, in.Name+" "+in.Version+" "+in.File)
			}
		}
	}
	return found
}
