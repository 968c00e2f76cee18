package installed

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestLockfiles reads lockfiles that no package manager wrote.
func TestLockfiles(t *testing.T) {
	tests := []struct{ name, file, content, want, manifest string }{
		{"nothing", "package-lock.json", ``, "none", ""},
		{"a list", "package-lock.json", `[]`, "none", ""},
		{"packages of another kind", "package-lock.json", `{"packages": [], "dependencies": "x"}`, "none", ""},
		{"a version of another kind", "package-lock.json", `{"packages": {"node_modules/a": {"version": 1}}}`, "", ""},
		{"an alias", "package-lock.json", `{"packages": {"node_modules/b": {"name": "a", "version": "1.0.0"}}}`, "1.0.0", ""},
		{"the top before the nested", "package-lock.json",
			`{"packages": {"node_modules/b/node_modules/a": {"version": "2.0.0"}, "node_modules/a": {"version": "1.0.0"}}}`, "1.0.0", ""},
		{"text for an importer", "pnpm-lock.yaml", "importers:\n  .: x\ndependencies: [a]\n", "none", ""},
		{"a tarball", "pnpm-lock.yaml", "dependencies:\n  a:\n    version: https://example.com/a.tgz\n", "", ""},
		{"a package without a name", "bun.lock", `{"packages": {"a": [], "b": ["@"], "c": {}}}`, "none", ""},
		{"an alias of bun", "bun.lock", `{"packages": {"a": ["b@1.0.0"]}}`, "none", ""},
		{"bare lines", "yarn.lock", "a\n  version\n:\n  version \"1\"\n\"\"\n", "none", ""},
		{"several versions", "yarn.lock", "a@^1:\n  version \"1.0.0\"\n\na@^2:\n  version \"2.0.0\"\n", "", ""},
		{"the version that is wanted", "yarn.lock", "a@^1:\n  version \"1.0.0\"\n\na@^3:\n  version \"3.0.0\"\n\na@^2:\n  version \"2.0.0\"\n", "3.0.0", `{"dependencies": {"a": "^3"}}`},
		{"Windows lines", "yarn.lock", "a@^1:\r\n  version \"1.0.0\"\r\n", "1.0.0", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &locator{tree: source.Memory(map[string]string{"package.json": cmp.Or(tt.manifest, `{}`), tt.file: tt.content})}
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

// TestYarnEntryWithManyVersions checks that an entry of yarn.lock has one version,
// however many it says: each for every package would be quadratic.
func TestYarnEntryWithManyVersions(t *testing.T) {
	allocations := func(n int) float64 {
		var lock strings.Builder
		for i := range n {
			fmt.Fprintf(&lock, "p%d@1, ", i)
		}
		lock.WriteString("q@1:\n")
		for i := range n {
			fmt.Fprintf(&lock, "  version \"%d\"\n", i%2)
		}
		files := source.Memory(map[string]string{"yarn.lock": lock.String()})
		return testing.AllocsPerRun(3, func() {
			l := &locator{tree: files}
			read := l.readLock(t.Context(), "yarn.lock", &packageDir{})
			assert.Equal(t, "0", read.versions["q"])
		})
	}
	assert.Less(t, allocations(800), 3*allocations(400))
}

// TestManyWorkspaces checks that directories are not held against every pattern.
func TestManyWorkspaces(t *testing.T) {
	allocations := func(n int) float64 {
		files, patterns := map[string]string{}, []glob.Pattern(nil)
		for i := range n {
			files[fmt.Sprintf("d%d/x/package.json", i)] = fmt.Sprintf(`{"name": "p%d"}`, i)
			pattern, err := glob.Parse(fmt.Sprintf("d%d/*", i))
			require.NoError(t, err)
			patterns = append(patterns, pattern)
		}
		tree := source.Memory(files)
		return testing.AllocsPerRun(3, func() {
			l := &locator{tree: tree}
			assert.Len(t, l.membersOfWorkspace(t.Context(), "", patterns), n)
		})
	}
	assert.Less(t, allocations(200), 3*allocations(100))
}

// FuzzLockfiles checks that no lockfile stops the reader, and that it finds the requested package
// or the owner of the program.
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
			files := map[string]string{"package.json": manifest, "p/a/package.json": manifest, name: lock, ".yarnrc.yml": "nodeLinker: node-modules\n"}
			l := &locator{tree: source.Memory(files)}
			for _, pkg := range launchers {
				if found := l.find(t.Context(), "p/a", pkg, true); found != nil {
					assert.Contains(t, files, found.File)
				}
			}
		}
	})
}
