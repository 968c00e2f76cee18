package installed_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// counted counts how often each file is read, and all calls to a tree.
type counted struct {
	source.Tree
	mutex         sync.Mutex
	reads         map[string]int
	listed, stats int
}

func (c *counted) List(ctx context.Context, dirs []string, want source.Want) (source.Listing, error) {
	c.listed++
	return c.Tree.List(ctx, dirs, want)
}

func (c *counted) Stat(ctx context.Context, path string) (source.Kind, error) {
	c.mutex.Lock()
	c.stats++
	c.mutex.Unlock()
	return c.Tree.Stat(ctx, path)
}

func (c *counted) Read(ctx context.Context, path string) (source.File, error) {
	c.mutex.Lock()
	c.reads[path]++
	c.mutex.Unlock()
	return c.Tree.Read(ctx, path)
}

// TestLockfilesAreReadOnce checks that many projects read what they share once. If every version is
// written out, nothing is read, except whether the repository itself is a pinned package of npm or
// Python.
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
		if path == "package.json" {
			count-- // for what is installed, and for what the repository makes
		}
		assert.Equal(t, 1, count, path)
	}
	assert.Contains(t, tree.reads, "package-lock.json")

	pinned := map[string]string{
		"package.json": files["package.json"], "package-lock.json": files["package-lock.json"],
		".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp@1.0.0"]}, "b": {"command": "uvx", "args": ["b-mcp==1.0.0"]}}}`,
	}
	tree = &counted{Tree: source.Memory(pinned), reads: map[string]int{}}
	installedIn(t, tree)
	assert.Equal(t, map[string]int{".mcp.json": 1, "package.json": 1, "pyproject.toml": 1}, tree.reads)
}

// TestLockfilesOutOfReach checks that the content of a lockfile outside of the repository, or of
// one that is too big, is unknown, and that this is reported.
func TestLockfilesOutOfReach(t *testing.T) {
	lock := `{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}`
	files := map[string]string{"package.json": `{}`, ".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}}}`}
	files["package-lock.json"] = lock + strings.Repeat(" ", syntax.MaxBytes)
	assert.Equal(t, []string{"a-mcp unknown package-lock.json"}, installedIn(t, source.Memory(files)))
	assert.Equal(t, []string{"package-lock.json: is bigger than 10 MB and was not read, so mcplumb cannot tell which packages are installed"}, problemsOf(t, files))

	// Another lockfile that can be read and has the package says which it is.
	files["yarn.lock"] = "a-mcp@*:\n  version \"2.0.0\"\n"
	assert.Equal(t, []string{"a-mcp 2.0.0 yarn.lock"}, installedIn(t, source.Memory(files)))
	delete(files, "yarn.lock")

	files["package-lock.json"] = lock
	assert.Equal(t, []string{"a-mcp 1.0.0 package-lock.json"}, installedIn(t, source.Memory(files)))

	outside, root := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "package-lock.json"), []byte(lock), 0o644))
	for _, name := range []string{"package.json", ".mcp.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(files[name]), 0o644))
	}
	require.NoError(t, os.Symlink(filepath.Join(outside, "package-lock.json"), filepath.Join(root, "package-lock.json")))
	assert.Equal(t, []string{"a-mcp unknown package-lock.json"}, installedIn(t, source.Disk(root, source.Git{})))
}

// problemsOf returns what a run over the files says that it could not check.
func problemsOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files)})
	require.NoError(t, err)
	var problems []string
	for _, e := range result.Errors {
		problems = append(problems, e.Error())
	}
	return problems
}

// TestTooManyValues checks that a lockfile with more values than are read is reported, and that
// what it may have installed counts as neither vulnerable nor unpinned.
func TestTooManyValues(t *testing.T) {
	var members strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&members, "  d%d:\n    dependencies:\n      p: {specifier: x, version: 1.0.0}\n", i)
	}
	files := map[string]string{
		"package.json":   `{"dependencies": {"mcp-remote": "0.1.10"}}`,
		"pnpm-lock.yaml": "importers:\n  .:\n    dependencies:\n      mcp-remote: {specifier: x, version: 0.1.10}\n" + members.String(),
		".mcp.json":      `{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://example.com/mcp"]}}}`,
	}
	assert.Equal(t, []string{"mcp-remote unknown pnpm-lock.yaml"}, installedIn(t, source.Memory(files)))
	problems := problemsOf(t, files)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "pnpm-lock.yaml: more than 200")
}

// TestDeepDirectories checks that a working directory of many names costs one read of each that
// exists, and of one that does not.
func TestDeepDirectories(t *testing.T) {
	stats := func(there, named int) int {
		server := fmt.Sprintf(`{"command": "npx", "args": ["a-mcp"], "cwd": "%s"}`, strings.Repeat("a/", named))
		tree := &counted{reads: map[string]int{}, Tree: source.Memory(map[string]string{
			".mcp.json": `{"mcpServers": {"a": ` + server + `, "b": ` + server + `}}`,
			strings.Repeat("a/", there) + "readme.md": "",
		})}
		installedIn(t, tree)
		return tree.stats + len(tree.reads)
	}
	assert.Equal(t, stats(1, 400), stats(1, 800), "those that are not there cost nothing")
	assert.LessOrEqual(t, stats(800, 800), 2*stats(400, 400))
}

// TestNestedWorkspaces checks that workspaces within each other list the repository
// once.
func TestNestedWorkspaces(t *testing.T) {
	lists := func(depth int) int {
		files := map[string]string{strings.Repeat("a/", depth) + ".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}}}`}
		for i := range depth {
			files[strings.Repeat("a/", i)+"package.json"] = `{"workspaces": ["z/*"]}`
		}
		tree := &counted{Tree: source.Memory(files), reads: map[string]int{}}
		installedIn(t, tree)
		return tree.listed
	}
	assert.Equal(t, lists(5), lists(10))
}

// installedIn reads a tree and returns what is installed of its servers.
func installedIn(t *testing.T, tree source.Tree) []string {
	t.Helper()
	result, err := lint.Run(t.Context(), lint.Options{Source: tree, Checks: []*rule.Rule{}})
	require.NoError(t, err)
	var found []string
	for _, p := range result.Repo.Projects {
		for _, all := range p.Facts.Installed {
			for _, in := range all {
				version := in.Version
				if in.IsUnknown {
					version = "unknown"
				}
				found = append(found, in.Name+" "+version+" "+in.File)
			}
		}
	}
	return found
}
