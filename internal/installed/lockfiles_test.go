package installed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

// filesOf returns the files of an archive by path.
func filesOf(archive string) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// asked is the package in a launch: "npx a-mcp@^1.0.0".
func asked(line string) identity.Fetched {
	launcher, spec, _ := strings.Cut(line, " ")
	kind := identity.NPM
	switch launcher {
	case "uv":
		kind = identity.PyPI
	case "dnx":
		kind = identity.NuGet
	}
	name, version := spec, ""
	if at := strings.LastIndexByte(spec, '@'); at > 0 {
		name, version = spec[:at], spec[at+1:]
	}
	return identity.Fetched{Kind: kind, Name: name, Launcher: launcher, Version: identity.VersionOf(kind, identity.Word{Text: version})}
}

// show writes what was found: the package, its version and the file that says so.
func show(found *mcp.InstalledPackage) string {
	switch {
	case found == nil:
		return "none"
	case found.IsUnknown:
		return found.Name + " unknown " + found.File
	}
	return strings.Join(strings.Fields(found.Name+" "+found.Version+" "+found.File), " ")
}

// TestWhatIsInstalled shows for each package manager where a launcher finds the requested package,
// and in which version: each line has the directory and the request, and what is found.
func TestWhatIsInstalled(t *testing.T) {
	for name, test := range map[string]struct {
		archive string
		want    map[string]string
	}{
		"npm": {`
-- package.json --
{"name": "root"}
-- package-lock.json --
{"packages": {
  "": {"name": "root"},
  "node_modules/a-mcp": {"version": "1.2.3", "bin": {"a": "cli.js", "a-tool": "tool.js"}},
  "node_modules/@acme/b-mcp": {"version": "2.0.0", "bin": "cli.js"},
  "node_modules/alias": {"name": "c-mcp", "version": "3.0.0"},
  "node_modules/x/node_modules/d-mcp": {"version": "4.0.0"},
  "node_modules/late": {"version": "1.0.0", "bin": {"a": "other.js"}},
  "packages/web": {"name": "@acme/web", "version": "0.1.0", "bin": {"web": "cli.js"}},
  "packages/plain": {"version": "0.1.0", "bin": "cli.js"},
  "packages/web/node_modules/a-mcp": {"version": "5.0.0"},
  "packages/web/node_modules/x/node_modules/e-mcp": {"version": "6.0.0"}
}, "dependencies": {"a-mcp": {"version": "9.9.9"}, "f-mcp": {"version": "7.0.0"}}}
-- packages/web/README.md --
-- packages/plain/README.md --
`, map[string]string{
			"npx a-mcp":                     "a-mcp 1.2.3 package-lock.json",
			"npx a":                         "a-mcp 1.2.3 package-lock.json", // the first that brings it
			"npx a-tool":                    "a-mcp 1.2.3 package-lock.json",
			"npx b-mcp":                     "@acme/b-mcp 2.0.0 package-lock.json",
			"npx alias":                     "none",
			"npx c-mcp":                     "c-mcp 3.0.0 package-lock.json",
			"npx d-mcp":                     "d-mcp 4.0.0 package-lock.json",
			"npx e-mcp":                     "e-mcp 6.0.0 package-lock.json",
			"npx f-mcp":                     "f-mcp 7.0.0 package-lock.json", // as npm 6 wrote it
			"npx web":                       "none",                          // it is linked, and has no version there
			"npx other":                     "none",
			"npx a-mcp@^1.0.0":              "a-mcp 1.2.3 package-lock.json",
			"npx a-mcp@^2.0.0":              "none",
			"bunx a-mcp":                    "a-mcp 1.2.3 package-lock.json",
			"packages/web npx a-mcp":        "a-mcp 5.0.0 package-lock.json",
			"packages/web npx a-mcp@^1.0.0": "none",
			"packages/web npx e-mcp":        "e-mcp 6.0.0 package-lock.json",
			"packages/plain npx a-mcp":      "a-mcp 1.2.3 package-lock.json",
			"packages/gone/away npx a-mcp":  "a-mcp 1.2.3 package-lock.json",
			"npx root":                      "root package.json",
			"bunx root":                     "none",
		}},
		"a program of the package of the directory": {`
-- package.json --
{"name": "@acme/root", "bin": {"serve": "cli.js"}, "dependencies": {"serve": "^1.0.0"}}
-- package-lock.json --
{"packages": {"node_modules/serve": {"version": "1.0.0"}, "node_modules/@acme/kit": {"version": "1.0.0"}}}
-- below/readme.md --
`, map[string]string{
			"npx serve": "@acme/root package.json", "below npx serve": "@acme/root package.json", "bunx serve": "serve 1.0.0 package-lock.json", "npm serve": "@acme/root package.json",
			"npx @acme/root": "@acme/root package.json", "npx root": "none",
		}},
		"a program of the package's own name": {`
-- package.json --
{"name": "@acme/root", "bin": "cli.js"}
`, map[string]string{"npx root": "@acme/root package.json", "npx cli.js": "none"}},
		// Programs are found further up than packages are, and no project of another lockfile
		// owns anything here.
		"a project within another": {`
-- package.json --
{"name": "outer", "workspaces": ["member"]}
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}, "node_modules/@acme/b": {"version": "1.0.0", "bin": {"b": "x"}}}}
-- member/package.json --
{"name": "member"}
-- inner/package.json --
{"name": "inner"}
-- inner/package-lock.json --
{"packages": {}}
-- inner/deep/README.md --
`, map[string]string{
			"inner npx a-mcp": "a-mcp 1.0.0 package-lock.json", "inner/deep npx b": "@acme/b 1.0.0 package-lock.json", "inner npx @acme/b": "none",
			"inner npx outer": "none", "inner/deep npx inner": "inner inner/package.json", "inner npx member": "none", "npx member": "member package.json",
			"npx @acme/b": "@acme/b 1.0.0 package-lock.json", "member npx outer": "outer package.json", "bunx member": "none",
		}},
		"the first lockfile that has it": {`
-- package.json --
{}
-- npm-shrinkwrap.json --
{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "2.0.0"}, "node_modules/b-mcp": {"version": "2.0.0"}}}
-- bun.lockb --
binary
`, map[string]string{"npx a-mcp": "a-mcp 1.0.0 npm-shrinkwrap.json", "npx b-mcp": "b-mcp 2.0.0 package-lock.json"}},
		"no package.json": {`
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}
`, map[string]string{"npx a-mcp": "none"}},
		"two that cannot be read": {`
-- package.json --
{}
-- package-lock.json --
{"packages":
-- bun.lock --
{"packages":
`, map[string]string{"npx a-mcp": "a-mcp unknown package-lock.json"}},
		"pnpm": {`
-- package.json --
{}
-- pnpm-lock.yaml --
lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a-mcp:
        specifier: ^1.0.0
        version: 1.2.3(zod@3.25.0)
      '@acme/tool-mcp':
        specifier: ^1.0.0
        version: 1.0.0
      linked:
        specifier: workspace:*
        version: link:../linked
      tarball:
        specifier: https://example.com/a.tgz
        version: a/b.tgz
      alias:
        specifier: npm:other@1.0.0
        version: other@1.0.0
    devDependencies:
      '@playwright/test':
        specifier: ^1.0.0
        version: 1.56.1
    optionalDependencies:
      o-mcp:
        specifier: ^1.0.0
        version: 3.0.0_zod@3.25.0
  packages/web:
    dependencies:
      w-mcp:
        specifier: ^1.0.0
        version: 4.0.0
packages:
  hidden@1.0.0:
    resolution: {}
-- packages/web/package.json --
{}
-- packages/other/package.json --
{}
`, map[string]string{
			"npx a-mcp": "a-mcp 1.2.3 pnpm-lock.yaml", "npx o-mcp": "o-mcp 3.0.0 pnpm-lock.yaml", "npx linked": "linked pnpm-lock.yaml",
			"npx tarball": "tarball pnpm-lock.yaml", "npx alias": "alias pnpm-lock.yaml", "npx hidden": "none",
			"npx playwright": "@playwright/test 1.56.1 pnpm-lock.yaml", "npx tool-mcp": "tool-mcp unknown pnpm-lock.yaml",
			"packages/web npx w-mcp": "w-mcp 4.0.0 pnpm-lock.yaml", "packages/web npx a-mcp": "a-mcp 1.2.3 pnpm-lock.yaml",
			"packages/other npx w-mcp": "none", "npx w-mcp": "none",
		}},
		// Since pnpm 11, a document of pnpm itself may precede that of the project.
		"pnpm, with a document before": {`
-- package.json --
{}
-- pnpm-lock.yaml --
---
importers:
  .:
    dependencies:
      a-mcp: {specifier: x, version: 9.0.0}
packages:
  a-mcp@9.0.0: {}
---
importers:
  .:
    dependencies:
      a-mcp: {specifier: x, version: 1.0.0}
packages:
  a-mcp@1.0.0: {}
`, map[string]string{"npx a-mcp": "a-mcp 1.0.0 pnpm-lock.yaml"}},
		"pnpm 5": {`
-- package.json --
{}
-- pnpm-lock.yaml --
dependencies:
  a-mcp: 1.2.3_zod@3.25.0
`, map[string]string{"npx a-mcp": "a-mcp 1.2.3 pnpm-lock.yaml"}},
		"bun": {`
-- package.json --
{}
-- bun.lock --
{"workspaces": {"": {"name": "root", "bin": {"root-program": "x"}}, "packages/web": {"name": "web", "bin": {"web-program": "x"}}},
"packages": {
  "a-mcp": ["a-mcp@1.2.3", "", {"bin": {"a": "cli.js"}}, "sha512-x"],
  "@acme/b": ["@acme/b@2.0.0", "", {}],
  "x/a-mcp": ["a-mcp@9.0.0", "", {}],
  "web": ["web@workspace:packages/web"],
  "odd": "text"
}}
`, map[string]string{
			"bunx a-mcp": "a-mcp 1.2.3 bun.lock", "bunx a": "a-mcp 1.2.3 bun.lock", "npx @acme/b": "@acme/b 2.0.0 bun.lock", "npx web": "web bun.lock",
			"npx web-program": "web bun.lock", "npx root-program": "none", "npx x/a-mcp": "none", "npx odd": "none",
		}},
		"bun, not as text": {`
-- package.json --
{"dependencies": {"a-mcp": "^1.0.0"}, "devDependencies": {"@playwright/test": "1"}, "optionalDependencies": {"@acme/kit-mcp": "1"}, "peerDependencies": {"p-mcp": "1"}}
-- bun.lockb --
binary
`, map[string]string{
			"npx a-mcp": "a-mcp bun.lockb", "npx playwright": "@playwright/test bun.lockb", "npx kit-mcp": "kit-mcp unknown bun.lockb", "npx p-mcp": "none",
			"npx a-mcp@^7.0.0": "a-mcp bun.lockb", // nothing says that it is not
		}},
		// Of these it is known which programs they bring.
		"packages whose programs have other names": {`
-- package.json --
{"dependencies": {"@modelcontextprotocol/inspector": "1", "@modelcontextprotocol/server-memory": "1", "@acme/mcp-inspector": "1", "/odd": "1", "acme/kit": "1"}}
-- bun.lockb --
binary
`, map[string]string{
			"npx mcp-inspector": "@modelcontextprotocol/inspector bun.lockb", "npx mcp-server-memory": "@modelcontextprotocol/server-memory bun.lockb",
			"npx server-memory": "server-memory unknown bun.lockb", "npx odd": "none", "npx kit": "none",
		}},
		"a directory that is called as a lockfile": {`
-- package.json --
{"dependencies": {"a-mcp": "^1.0.0"}}
-- bun.lockb/readme.md --
`, map[string]string{"npx a-mcp": "none"}},
		"uv": {`
-- uv.lock --
[[package]]
name = "a-mcp"
version = "1.2.3"
source = { registry = "https://pypi.example.com/simple" }

[[package]]
name = "own"
version = "0.1.0"
source = { editable = "." }
-- web/app/readme.md --
-- inner/uv.lock --
package = "none"
`, map[string]string{
			"uv a-mcp": "a-mcp 1.2.3 uv.lock", "uv own": "own uv.lock", "uv b-mcp": "none", "web/app uv a-mcp": "a-mcp 1.2.3 uv.lock",
			"inner uv a-mcp": "none", // the nearest lockfile counts
		}},
		"dotnet": {`
-- .config/dotnet-tools.json --
{"tools": {"Acme.Mcp": {"version": "1.2.3"}}}
-- dotnet-tools.json --
{"tools": {"Acme.Mcp": {"version": "9.0.0"}, "Other.Mcp": {"version": "1.0.0"}}}
-- app/dotnet-tools.json --
{"tools": {"b.mcp": {"version": "2.0.0"}}}
`, map[string]string{
			"dnx acme.mcp": "acme.mcp 1.2.3 .config/dotnet-tools.json", "dnx other.mcp": "none", "app dnx b.mcp": "b.mcp 2.0.0 app/dotnet-tools.json", "app dnx acme.mcp": "none",
		}},
		"deno": {`
-- deno.lock --
{"version": "5", "specifiers": {"npm:a-mcp@*": "1.2.3_zod@3.25.0", "npm:@acme/b@^2.0.0": "2.1.0"}}
-- old/deno.lock --
{"packages": {"specifiers": {"npm:a-mcp": "npm:a-mcp@1.0.0", "npm:c-mcp@^1.0.0": "npm:c-mcp@1.5.0"}}}
`, map[string]string{
			"deno a-mcp": "a-mcp 1.2.3 deno.lock", "deno @acme/b@^2.0.0": "@acme/b 2.1.0 deno.lock", "deno @acme/b": "none", "deno @acme/b@^3.0.0": "none",
			"dx a-mcp": "a-mcp 1.2.3 deno.lock", "old deno a-mcp": "a-mcp 1.0.0 old/deno.lock", "old deno c-mcp@^1.0.0": "c-mcp 1.5.0 old/deno.lock",
		}},
		"yarn": {`
-- package.json --
{"dependencies": {"a-mcp": "^1.0.0", "@acme/kit": "1.0.0", "@playwright/test": "^1.0.0"}}
-- yarn.lock --
# yarn lockfile v1

"@acme/b-mcp@^2.0.0", "@acme/b-mcp@^2.1.0":
  version "2.1.0"

a-mcp@^2.0.0:
  version "2.0.0"

a-mcp@^1.0.0:
  version "1.5.0"
  dependencies:
    version "7.0.0"

c-mcp@^1.0.0:
  version "1.0.0"

c-mcp@^2.0.0:
  version "1.0.0"

d-mcp@^1.0.0:
  version "1.0.0"

d-mcp@^2.0.0:
  version "2.0.0"

"@playwright/test@^1.0.0":
  version "1.56.1"
`, map[string]string{
			"npx a-mcp": "a-mcp 1.5.0 yarn.lock", "npx @acme/b-mcp": "@acme/b-mcp 2.1.0 yarn.lock", "npx c-mcp": "c-mcp 1.0.0 yarn.lock", "npx d-mcp": "d-mcp yarn.lock",
			"npx kit": "kit unknown yarn.lock", "npx playwright": "@playwright/test 1.56.1 yarn.lock",
		}},
		"yarn 2 with node_modules": {berry("nodeLinker: node-modules\n"), map[string]string{
			"npx a-mcp": "a-mcp 1.2.3 yarn.lock", "npx web": "web yarn.lock", "npx web-program": "web yarn.lock", "npx other": "web yarn.lock", "npx late": "none",
		}},
		"yarn 2 with links":               {berry("nodeLinker: pnpm\n"), map[string]string{"npx a-mcp": "a-mcp 1.2.3 yarn.lock"}},
		"yarn 2 that installs no files":   {berry("nodeLinker: pnp\n"), map[string]string{"npx a-mcp": "none"}},
		"yarn 2 without a word of it":     {berry("x: y\n"), map[string]string{"npx a-mcp": "none"}},
		"a lockfile with nothing in it":   {"-- package.json --\n{}\n-- package-lock.json --\n", map[string]string{"npx a-mcp": "none"}},
		"a lockfile of yarn with nothing": {"-- package.json --\n{}\n-- yarn.lock --\n", map[string]string{"npx a-mcp": "none"}},
	} {
		for line, want := range test.want {
			dir, what := "", line
			if first, rest, _ := strings.Cut(line, " "); strings.Count(line, " ") > 1 {
				dir, what = first, rest
			}
			l := &locator{tree: source.Memory(filesOf(test.archive))}
			assert.Equal(t, want, show(l.find(t.Context(), dir, asked(what), true)), "%s: %s", name, line)
		}
	}
}

// berry are files of Yarn 2 with settings.
func berry(settings string) string {
	return fmt.Sprintf(`
-- package.json --
{"dependencies": {"a-mcp": "^1.0.0"}}
-- .yarnrc.yml --
%s-- yarn.lock --
# This file is generated.

__metadata:
  version: 8

"a-mcp@npm:^1.0.0, a-mcp@npm:^1.1.0":
  version: 1.2.3
  dependencies:
    late: ^1.0.0

"web@workspace:packages/web":
  version: 0.0.0-use.local
  bin:
    web-program: cli.js
    "other": other.js
  languageName: unknown
    late: x
`, settings)
}

// TestNotStartedHere: where it is not certain that a launcher is started in the project,
// only the project's own package is known.
func TestNotStartedHere(t *testing.T) {
	files := filesOf(`
-- package.json --
{"name": "own", "workspaces": ["member"], "dependencies": {"a-mcp": "1"}}
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "1.0.0"}}}
-- member/package.json --
{"name": "member"}
-- uv.lock --
[[package]]
name = "b-mcp"
version = "1.0.0"
source = { registry = "x" }
`)
	for line, want := range map[string]string{"npx own": "own package.json", "npx a-mcp": "none", "uv b-mcp": "none", "npx member": "member package.json"} {
		l := &locator{tree: source.Memory(files)}
		assert.Equal(t, want, show(l.find(t.Context(), "", asked(line), false)), line)
	}
}

// TestWorkspaces shows which directories are members: those that a pattern matches and that
// have a package.json, below the one with the workspaces.
func TestWorkspaces(t *testing.T) {
	for workspaces, want := range map[string]string{
		`["packages/*"]`:                "a @acme/b b",
		`{"packages": ["packages/a"]}`:  "a",
		`["./packages/b/"]`:             "@acme/b b",
		`["packages/*", "other"]`:       "a @acme/b b",
		`["[", "packages/a"]`:           "a", // one that is malformed matches nothing
		`["", 5, "packages/a"]`:         "a",
		`"packages/*"`:                  "",
		`{"packages": {"packages": 1}}`: "",
		`[]`:                            "",
		`["**"]`:                        "a @acme/b b deep",
	} {
		files := map[string]string{
			"app/package.json": `{"workspaces": ` + workspaces + `}`, "app/packages/a/package.json": `{"name": "a"}`,
			"app/packages/b/package.json": `{"name": "@acme/b", "bin": "x"}`, "app/packages/b/deep/package.json": `{"name": "deep"}`,
			"app/other/readme.md": "", "packages/c/package.json": `{"name": "c"}`, "app0/packages/d/package.json": `{"name": "d"}`, "app-1/package.json": `{"name": "e"}`,
		}
		var members []string
		for _, name := range []string{"a", "@acme/b", "b", "deep", "c", "d", "e"} {
			l := &locator{tree: source.Memory(files)}
			if found := l.find(t.Context(), "app", asked("npx "+name), true); found != nil {
				assert.Equal(t, "app/package.json", found.File)
				members = append(members, name)
			}
		}
		assert.Equal(t, want, strings.Join(members, " "), workspaces)
	}
}

// TestSplitSpec: the first at sign may belong to the name.
func TestSplitSpec(t *testing.T) {
	for spec, want := range map[string][2]string{
		"a@^1.0.0": {"a", "^1.0.0"}, "@acme/a@npm:^1.0.0": {"@acme/a", "^1.0.0"}, "a@workspace:x": {"a", "workspace:x"}, "a": {"", ""}, "@acme/a": {"", ""}, "": {"", ""},
		"a@": {"a", ""},
	} {
		name, asked := splitSpec(spec)
		assert.Equal(t, want, [2]string{name, asked}, spec)
	}
}
