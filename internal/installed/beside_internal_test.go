package installed

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestSidesOfOneFile checks that of one file a hundred deciding settings are kept.
func TestSidesOfOneFile(t *testing.T) {
	var text strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, "NPM_CONFIG_A%d=./e\n", i)
	}
	sides := variablesIn(syntax.NewFile(".env", []byte(text.String())))
	require.Len(t, sides, 100)
	require.Equal(t, "NPM_CONFIG_A99", sides[99].Name)
}

// FuzzBeside checks, for any file next to a configuration, that reading it ends, that what is
// reported is in the file, and that the same file has the same result.
func FuzzBeside(f *testing.F) {
	for _, seed := range []string{
		"registry = https://npm.evil.dev/ ; mine\n@acme:registry=\"x\"\nca[]=a\n[section]\ncache=./e\n",
		"export NODE_OPTIONS='--require ./e' # x\r\nPATH=`a\nUV_INDEX_URL=\"", "yarn-path \".yarn/x.js\"\n--registry https://x\n",
		"nodeLinker: pnp\nnpmScopes:\n  acme:\n    npmRegistryServer: https://x\n", "[install]\nregistry = {url = \"x\", token = \"y\"}\n",
		"importers:\n  .:\n    dependencies:\n      '@a/b':\n        specifier: 1\n        version: 1.0.0(c@2)\npackages:\n  '@a/b@1.0.0':\n    resolution: {integrity: sha512-x, tarball: y}\n",
		"\"@a/b@npm:^1\", @a/b@^2:\n  version: 1\n  resolution: \"@a/b@npm:1\"\n  checksum: 10c0/aa\n\"@a/b@npm:c@1\":\n  version \"1\"\n  resolved \"x#y\"\n",
		`{"packages": {"node_modules/@a/b": {"version": "1", "resolved": "https://x/@a%2fb/-/b.tgz", "integrity": "sha512-A", "link": true, "name": "c"}, "node_modules/d": {"bin": {"@a/b": "x"}}}}`,
		`{"packages": {"@a/b": ["c@1.0.0", "https://x", {}, "sha512-A"]}, "dependencies": {"@a/b": "file:x"}, "workspaces": ["p/*"], "overrides": {"@a/b": {".": "1"}}, "scripts": {"s": "npm run s", "pres": "run-s s"}}`,
		"[[package]]\nname = \"a.b\"\nversion = \"1\"\nsource = {git = \"x\"}\nwheels = [{url = \"u\", hash = \"sha256:a\"}]\n[tool.uv]\nindex = [{url = \"x\"}]\nsources.a-b = {path = \"y\"}\n",
		"t: x\n\tnode a\nt:\n", "\ufeff=\n=a\n[]=\n\"", "a@:\n @\n@:\n", ":\n:\n",
	} {
		f.Add(seed)
	}
	st := &started{npm: []string{"@a/b", "d", ""}, python: []string{"a-b"}, script: "s", target: "t", isNPM: true, isUV: true, programs: append([]string{"uv"}, npmFamily...)}
	f.Fuzz(func(t *testing.T, text string) {
		files := map[string]string{"p/package.json": text, "node_modules/@a/b/package.json": text, "node_modules/.bin/d": text, ".env": text}
		for name := range besideNames {
			files[name] = text
		}
		read := func() string {
			in := side{tree: source.Memory(files), beside: seen(files)}
			var said strings.Builder
			note := func(sides []mcp.Side) {
				for _, s := range sides {
					if s.File != nil {
						require.True(t, 0 <= s.Span.Start && s.Span.Start <= s.Span.End && s.Span.End <= len(s.File.Bytes), "%s in %s", s.Name, s.File.Path)
					}
					fmt.Fprintln(&said, s.Kind, s.Name, s.Value, s.Means, s.Of, s.Hosts, s.Span)
				}
			}
			for _, at := range append(append(st.settings(""), st.scripts()...), st.manifest(""), st.npmLock(""), st.committed(""), st.uvLock("")) {
				note(at.read(context.Background(), &in))
			}
			for _, name := range npmLocks { // each by itself, as the first that has the package counts
				if lock := in.index(context.Background(), name); lock != nil {
					for _, wanted := range []string{"@a/b", "d", "x"} {
						if found := lock.find("p", wanted); found != nil {
							note(found.sides(lock.file))
						}
					}
				}
			}
			note(variablesIn(in.file(context.Background(), ".env")))
			return said.String()
		}
		require.Equal(t, read(), read())
	})
}

func seen(files map[string]string) *Beside {
	var b Beside
	for name := range files {
		b.See(name)
	}
	return &b
}

// TestModules holds what is a committed package, by the paths of its files.
func TestModules(t *testing.T) {
	for file, want := range map[string]string{
		"node_modules/a/b/c.js": "node_modules/a", "x/node_modules/@s/a/c.js": "x/node_modules/@s/a", "node_modules/.bin/a": "node_modules/.bin/a",
		"node_modules/a": "node_modules/a", "node_modules": "node_modules", "x/node_modules": "x/node_modules", "node_modules/@s": "node_modules/@s",
		"node_modules/a/node_modules/b/c.js": "node_modules/a", "node_modules_x/a/b": "", "x/old_node_modules/a/b": "", "a/b": "",
	} {
		require.Equal(t, want, moduleOf(file), file)
	}
}

// TestSettingsOfNPM holds which settings decide what npm runs.
func TestSettingsOfNPM(t *testing.T) {
	for line, decides := range map[string]bool{
		"registry=https://npm.evil.dev/": true, "@acme:registry=https://npm.evil.dev/": true, "node-options=--require ./e": true, "script-shell=./e": true,
		"cache=./e": true, "prefix=./e": true, "https-proxy=http://e": true, "strict-ssl=false": true, "cafile=./e": true, "userconfig=./e": true,
		"ignore-scripts=false": true, "\"registry\"=x": true, "tag=next": true, "unknown-setting=1": true,
		"save-exact=true": false, "fund=false": false, "audit=false": false, "loglevel=silent": false, "engine-strict=true": false, "strict-ssl=true": false,
		"node-options=--max-old-space-size=4096": false, "//npm.acme.dev/:_authToken=${T}": false, "legacy-peer-deps": false, "; registry=x": false,
		"# registry=x": false, "shamefully-hoist=true": false, "registry=": false, "[x]\nregistry=y": false, "audit=false ; registry=x": false,
	} {
		require.Equal(t, decides, len(npmrc(parsed{file: syntax.NewFile(".npmrc", []byte(line))})) > 0, line)
	}
}

// TestOverrideKeys holds which package the key of an override is about.
func TestOverrideKeys(t *testing.T) {
	for key, want := range map[string]bool{
		"@a/b": true, "@a/b@^1": true, "**/@a/b": true, "x>@a/b": true, "x@1>@a/b@2": true, "x/@a/b": true, "@a/b>c": true,
		"b": false, "@a/bc": false, "a/b": false, "x": false, "@x/a": false, "": false,
	} {
		require.Equal(t, want, isKeyOf(key, "@a/b"), key)
	}
}
