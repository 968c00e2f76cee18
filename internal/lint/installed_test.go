package lint

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// counted counts how often each file is asked for.
type counted struct {
	Source
	mutex sync.Mutex
	reads map[string]int
}

func (c *counted) Read(path string) ([]byte, string, error) {
	c.mutex.Lock()
	c.reads[path]++
	c.mutex.Unlock()
	return c.Source.Read(path)
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
	source := &counted{Source: NewTree(tree(t, files), false, Git{}), reads: map[string]int{}}
	installedIn(t, source)
	for path, count := range source.reads {
		assert.Equal(t, 1, count, path)
	}
	assert.Contains(t, source.reads, "package-lock.json")

	pinned := map[string]string{
		"package.json": files["package.json"], "package-lock.json": files["package-lock.json"],
		".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp@1.0.0"]}, "b": {"command": "uvx", "args": ["b-mcp"]}}}`,
	}
	source = &counted{Source: NewTree(tree(t, pinned), false, Git{}), reads: map[string]int{}}
	installedIn(t, source)
	assert.Equal(t, map[string]int{".mcp.json": 1}, source.reads)
}

// TestLockfilesOutOfReach holds that a lockfile that lies outside of the
// repository, or is too big, is as good as none.
func TestLockfilesOutOfReach(t *testing.T) {
	lock := `{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}`
	files := map[string]string{"package.json": `{}`, ".mcp.json": `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}}}`}
	outside := tree(t, map[string]string{"package-lock.json": lock})

	linked := tree(t, files)
	if err := os.Symlink(filepath.Join(outside, "package-lock.json"), filepath.Join(linked, "package-lock.json")); err != nil {
		t.Skip("no links here: ", err)
	}
	assert.Empty(t, installedIn(t, NewTree(linked, false, Git{})))

	files["package-lock.json"] = lock + strings.Repeat(" ", syntax.MaxBytes)
	assert.Empty(t, installedIn(t, NewTree(tree(t, files), false, Git{})))

	files["package-lock.json"] = lock
	assert.Equal(t, []string{"a-mcp 1.0.0 package-lock.json"}, installedIn(t, NewTree(tree(t, files), false, Git{})))
}

// installedIn reads a source and returns what is installed of its servers.
func installedIn(t *testing.T, source Source) []string {
	t.Helper()
	targets := []target{{isDir: true}}
	r := newReader(source, newFilter(&Settings{}, targets), targets)
	entries, err := r.discover(context.Background())
	require.NoError(t, err)
	require.NoError(t, r.readAll(t.Context(), entries))
	repo := r.repo()
	r.locate(t.Context(), repo)
	var found []string
	for _, p := range repo.Projects {
		for _, all := range p.Installed {
			for _, in := range all {
				found = append(found, in.Name+" "+in.Version+" "+in.File)
			}
		}
	}
	return found
}

// TestLockfiles reads what stands in lockfiles that no package manager wrote.
func TestLockfiles(t *testing.T) {
	tests := []struct{ name, file, content, want string }{
		{"nothing", "package-lock.json", ``, "none"},
		{"a list", "package-lock.json", `[]`, "none"},
		{"packages of another kind", "package-lock.json", `{"packages": [], "dependencies": "x"}`, "none"},
		{"a version of another kind", "package-lock.json", `{"packages": {"node_modules/a": {"version": 1}}}`, ""},
		{"an alias", "package-lock.json", `{"packages": {"node_modules/b": {"name": "a", "version": "1.0.0"}}}`, "1.0.0"},
		{"the top before the nested", "package-lock.json",
			`{"packages": {"node_modules/b/node_modules/a": {"version": "2.0.0"}, "node_modules/a": {"version": "1.0.0"}}}`, "1.0.0"},
		{"text for an importer", "pnpm-lock.yaml", "importers:\n  .: x\ndependencies: [a]\n", "none"},
		{"a tarball", "pnpm-lock.yaml", "dependencies:\n  a:\n    version: https://example.com/a.tgz\n", ""},
		{"a package without a name", "bun.lock", `{"packages": {"a": [], "b": ["@"], "c": {}}}`, "none"},
		{"an alias of bun", "bun.lock", `{"packages": {"a": ["b@1.0.0"]}}`, "none"},
		{"bare lines", "yarn.lock", "a\n  version\n:\n  version \"1\"\n\"\"\n", "none"},
		{"several versions", "yarn.lock", "a@^1:\n  version \"1.0.0\"\n\na@^2:\n  version \"2.0.0\"\n", ""},
		{"the version that is wanted", "yarn.lock", "a@^1:\n  version \"1.0.0\"\n\na@^3:\n  version \"3.0.0\"\n\na@^2:\n  version \"2.0.0\"\n", "3.0.0"},
		{"Windows lines", "yarn.lock", "a@^1:\r\n  version \"1.0.0\"\r\n", "1.0.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			manifest := `{}`
			if strings.Contains(tt.name, "wanted") {
				manifest = `{"dependencies": {"a": "^3"}}`
			}
			dir := tree(t, map[string]string{"package.json": manifest, tt.file: tt.content})
			l := &locator{source: NewTree(dir, false, Git{}), npm: map[string]*packageDir{}, lockfile: map[string]*lockfile{}}
			found := l.find(t.Context(), "", identity.Fetched{Kind: identity.NPM, Name: "a", Launcher: "npx"}, true)
			if tt.want == "none" {
				assert.Nil(t, found)
				return
			}
			require.NotNil(t, found)
			assert.Equal(t, tt.want, found.Version)
		})
	}
}

// files is a source of files in memory.
type files map[string]string

func (f files) List(_ context.Context, _ []string, keep func(string) bool) (paths []string, _ []FileError, _ error) {
	for path := range f {
		if keep(path) {
			paths = append(paths, path)
		}
	}
	return paths, nil, nil
}

func (f files) Read(path string) ([]byte, string, error) {
	content, ok := f[path]
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return []byte(content), path, nil
}

func (f files) LeftOut() bool { return false }

func (f files) Has(path string) bool { _, ok := f[path]; return ok }

// FuzzLockfiles holds that no lockfile stops the reader, and that what it finds
// is the package that was asked for or the owner of the program.
func FuzzLockfiles(f *testing.F) {
	f.Add(`{"name": "a", "bin": {"a": "x"}, "workspaces": ["p/{a,b}"]}`, `{"packages": {"node_modules/a": {"version": "1.0.0", "bin": {"a": "x"}}}}`)
	f.Add(`{"workspaces": {"packages": ["**"]}}`, "importers:\n  .:\n    dependencies:\n      a:\n        version: 1.0.0(b@2)\npackages:\n")
	f.Add(`{"dependencies": {"a": "^1"}}`, "__metadata:\n\n\"a@npm:^1, a@workspace:x\":\n  version: 1.0.0\n  bin:\n    a: x\n")
	f.Add(`{}`, "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = {registry = \"x\"}\n")
	f.Add(`{}`, `{"specifiers": {"npm:a@*": "1.0.0_b@2"}, "packages": {"specifiers": {"npm:a": "npm:a@1"}, "a": ["a@1", "", {"bin": "x"}]}}`)
	launchers := []identity.Fetched{
		{Kind: identity.NPM, Name: "a", Launcher: "npx"}, {Kind: identity.NPM, Name: "a", Launcher: "bunx"},
		{Kind: identity.PyPI, Name: "a", Launcher: "uv"}, {Kind: identity.NuGet, Name: "a", Launcher: "dnx"},
		{Kind: identity.NPM, Name: "a", Launcher: "deno"},
	}
	f.Fuzz(func(t *testing.T, manifest, lock string) {
		for _, name := range []string{"package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "uv.lock", "deno.lock", "dotnet-tools.json"} {
			source := files{"package.json": manifest, "p/a/package.json": manifest, name: lock, ".yarnrc.yml": "nodeLinker: node-modules\n"}
			l := &locator{source: source, npm: map[string]*packageDir{}, lockfile: map[string]*lockfile{}}
			for _, pkg := range launchers {
				if found := l.find(t.Context(), "p/a", pkg, true); found != nil {
					assert.True(t, source.Has(found.File), found.File)
				}
			}
		}
	})
}
