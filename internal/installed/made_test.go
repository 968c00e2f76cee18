package installed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// publishes is a server.json at a path that publishes packages: "npm a-mcp".
func publishes(path, subfolder string, packages ...string) string {
	var list []string
	for _, p := range packages {
		kind, name, _ := strings.Cut(p, " ")
		list = append(list, fmt.Sprintf(`{"registryType": %q, "identifier": %q, "version": "1.0.0", "transport": {"type": "stdio"}}`, kind, name))
	}
	repository := ""
	if subfolder != "" {
		repository = fmt.Sprintf(`"repository": {"url": "https://github.com/acme/all", "source": "github", "subfolder": %q}, `, subfolder)
	}
	return fmt.Sprintf("-- %s --\n{\"$schema\": \"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json\", \"name\": \"io.github.acme/a\", %s\"version\": \"1.0.0\", \"packages\": [%s]}\n",
		path, repository, strings.Join(list, ", "))
}

// TestPublishedPackages shows which packages of a repository a manifest of the MCP registry
// speaks of: those in its directory, in the one that it says the server is in, and those of
// a name that it publishes.
func TestPublishedPackages(t *testing.T) {
	for name, test := range map[string]struct {
		archive string
		want    []string
	}{
		"next to it, of every kind": {publishes("server.json", "", "npm a-mcp") + `
-- package.json --
{"name": "@acme/a", "version": "1.3.0", "mcpName": "io.github.acme/a"}
-- pyproject.toml --
[project]
name = "Acme_A"
version = "1.4.0"
-- Cargo.toml --
[package]
name = "acme-a"
version = "1.5.0"
`, []string{
			`/ makes npm:@acme/a at "1.3.0" in package.json, is io.github.acme/a by package.json`,
			`/ makes pypi:acme-a at "1.4.0" in pyproject.toml`, `/ makes cargo:acme-a at "1.5.0" in Cargo.toml`,
		}},
		"an example": {publishes("examples/server.json", "", "npm a-mcp") + "-- examples/package.json --\n{\"name\": \"a-mcp\", \"version\": \"1.0.0\"}\n", nil},
		"in the directory that it names": {publishes("registry/server.json", "js", "npm other") + `
-- js/package.json --
{"name": "a", "version": "1.0.0"}
-- registry/js/package.json --
{"name": "b", "version": "1.0.0"}
-- package.json --
{"name": "c", "version": "1.0.0"}
`, []string{`/registry makes npm:a at "1.0.0" in js/package.json`}},
		"in none, as it names one outside": {publishes("registry/server.json", "../js", "npm other") + "-- js/package.json --\n{\"name\": \"a\", \"version\": \"1.0.0\"}\n", nil},
		"in none, as it names no path":     {publishes("registry/server.json", "/js", "npm other") + "-- js/package.json --\n{\"name\": \"a\", \"version\": \"1.0.0\"}\n", nil},
		"above it": {publishes("app/registry/server.json", "", "npm a-mcp") + `
-- app/package.json --
{"name": "a-mcp", "version": "1.0.0"}
-- package.json --
{"name": "a-mcp", "version": "2.0.0"}
-- elsewhere/package.json --
{"name": "a-mcp", "version": "3.0.0"}
`, []string{`/app/registry makes npm:a-mcp at "1.0.0" in app/package.json`}},
		"above it, and those that a workspace holds": {publishes("app/registry/server.json", "", "npm a-mcp") + `
-- app/package.json --
{"name": "a-mcp", "version": "1.0.0", "workspaces": ["x"]}
-- package.json --
{"name": "other", "version": "2.0.0"}
-- elsewhere/package.json --
{"name": "a-mcp", "version": "3.0.0"}
`, []string{
			`/app/registry makes npm:a-mcp at "1.0.0" in app/package.json, with others`, `/app/registry makes npm:a-mcp at "3.0.0" in elsewhere/package.json`,
		}},
		"two workspaces of one name, one in the other": {publishes("app/registry/server.json", "", "npm a-mcp") + `
-- app/package.json --
{"name": "a-mcp", "version": "1.0.0", "workspaces": ["x"]}
-- package.json --
{"name": "a-mcp", "version": "2.0.0"}
-- elsewhere/package.json --
{"name": "a-mcp", "version": "3.0.0"}
`, []string{`/app/registry makes npm:a-mcp at "1.0.0" in app/package.json, with others`, `/app/registry makes npm:a-mcp at "2.0.0" in package.json`}},
		"anywhere, by the spelling of its kind": {publishes("registry/server.json", "", "pypi Acme.A") + `
-- py/pyproject.toml --
[project]
name = "acme_a"
version = "1.0.0"
-- npm/package.json --
{"name": "acme-a", "version": "1.0.0"}
`, []string{`/registry makes pypi:acme-a at "1.0.0" in py/pyproject.toml`}},
		"an image is not a package":            {publishes("registry/server.json", "", "oci docker.io/acme/a:1.0.0") + "-- js/package.json --\n{\"name\": \"docker.io/acme/a\", \"version\": \"1.0.0\"}\n", nil},
		"a package of a kind that is not read": {publishes("registry/server.json", "", "nuget a-mcp") + "-- js/package.json --\n{\"name\": \"a-mcp\", \"version\": \"1.0.0\"}\n", nil},
		"twenty of one name":                   {publishes("registry/server.json", "", "npm a-mcp") + copies(20), madeCopies(20)},
		"and more are not known":               {publishes("registry/server.json", "", "npm a-mcp") + copies(21), nil},
		"one that does not parse":              {publishes("registry/server.json", "", "npm a-mcp") + "-- js/package.json --\n{\"name\": \"a-mcp\",\n-- other/package.json --\n{\"version\": \"1.0.0\"}\n", nil},
	} {
		assert.Equal(t, lines(test.want...), facts(t, test.archive), name)
	}
}

// copies are n packages of one name in directories of their own.
func copies(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- p%02d/package.json --\n{\"name\": \"a-mcp\", \"version\": \"1.0.0\"}\n", i)
	}
	return b.String()
}

func madeCopies(n int) (made []string) {
	for i := range n {
		made = append(made, fmt.Sprintf(`/registry makes npm:a-mcp at "1.0.0" in p%02d/package.json`, i))
	}
	return made
}

// TestPinnedPackages: an entry in use that pins a package which the repository itself makes
// speaks of it.
func TestPinnedPackages(t *testing.T) {
	const packages = `
-- package.json --
{"name": "a-mcp", "version": "1.0.0"}
-- pyproject.toml --
[project]
name = "b-mcp"
version = "1.0.0"
-- app/package.json --
{"name": "c-mcp", "version": "1.0.0"}
`
	entry := func(launch string) string { return `{"mcpServers": {"s": {"command": ` + launch + `}}}` }
	for name, test := range map[string]struct {
		file, content string
		want          []string
	}{
		"of npm":                 {".mcp.json", entry(`"npx", "args": ["a-mcp@1.0.0"]`), []string{`/ makes npm:a-mcp at "1.0.0" in package.json`}},
		"of Python":              {".mcp.json", entry(`"uvx", "args": ["b-mcp==1.0.0"]`), []string{`/ makes pypi:b-mcp at "1.0.0" in pyproject.toml`}},
		"above":                  {"app/x/.mcp.json", entry(`"npx", "args": ["a-mcp@1.0.0"]`), []string{`/app/x makes npm:a-mcp at "1.0.0" in package.json`}},
		"not above":              {".mcp.json", entry(`"npx", "args": ["c-mcp@1.0.0"]`), nil},
		"a range":                {".mcp.json", entry(`"pnpm", "args": ["dlx", "a-mcp@^1.0.0"]`), nil},
		"another package":        {".mcp.json", entry(`"npx", "args": ["d-mcp@1.0.0"]`), nil},
		"an image":               {".mcp.json", entry(`"docker", "args": ["run", "a-mcp@sha256:` + strings.Repeat("0", 64) + `"]`), nil},
		"an example":             {"examples/.mcp.json", entry(`"npx", "args": ["a-mcp@1.0.0"]`), nil},
		"a bundle's own servers": {"x/manifest.json", `{"manifest_version": "0.3", "name": "x", "server": {"type": "node", "mcp_config": {"command": "npx", "args": ["a-mcp@1.0.0"]}}}`, nil},
		"two, and one of them twice": {".mcp.json", `{"mcpServers": {"s": {"command": "npx", "args": ["a-mcp@1.0.0"]}, "t": {"command": "npx", "args": ["a-mcp@1.0.0", "t"]}, "u": {"command": "uvx", "args": ["b-mcp==1.0.0"]}}}`,
			[]string{`/ makes npm:a-mcp at "1.0.0" in package.json`, `/ makes pypi:b-mcp at "1.0.0" in pyproject.toml`}},
	} {
		assert.Equal(t, lines(test.want...), facts(t, packages+"-- "+test.file+" --\n"+test.content+"\n"), name)
	}
}

// TestVersionsOfPackages shows what a manifest says about the released version, and when it says
// nothing about it.
func TestVersionsOfPackages(t *testing.T) {
	long := strings.Repeat("1", 253)
	for _, test := range []struct{ file, content, want string }{
		{"package.json", `{"name": "a", "version": "1.2.3"}`, `npm:a at "1.2.3"`},
		{"package.json", `{"name": "a", "version": "0.0.0"}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "0.0.0-development"}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "0.0.1"}`, `npm:a at "0.0.1"`},
		{"package.json", `{"name": "a", "version": "development"}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": 1}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "1.0` + long + `"}`, `npm:a at "1.0` + long + `"`}, // 256 characters
		{"package.json", `{"name": "a", "version": "1.00` + long + `"}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "1.2.3", "private": true}`, `npm:a at "1.2.3", private`},
		{"package.json", `{"name": "a", "version": "1.2.3", "private": "true"}`, `npm:a at "1.2.3"`},
		{"package.json", `{"name": "a", "version": "1.2.3", "private": false}`, `npm:a at "1.2.3"`},
		{"package.json", `{"name": "a", "version": "1.2.3", "devDependencies": {"semantic-release": "1"}}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "1.2.3", "dependencies": {"semantic-release": "1"}}`, `npm:a at ""`},
		{"package.json", `{"name": "a", "version": "1.2.3", "devDependencies": {"semantic-release": "1", "@semantic-release/git": "1"}}`, `npm:a at "1.2.3"`},
		{"package.json", `{"name": "a", "version": "1.2.3", "devDependencies": {"@semantic-release/git": "1"}}`, `npm:a at "1.2.3"`},
		{"package.json", `{"name": 5, "version": "1.2.3"}`, ""},
		{"Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.2.3\"\n", `cargo:a at "1.2.3"`},
		{"Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.2.3\"\npublish = false\n", `cargo:a at "1.2.3", private`},
		{"Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.2.3\"\npublish = true\n", `cargo:a at "1.2.3"`},
		{"Cargo.toml", "[package]\nname = \"a\"\nversion.workspace = true\n", `cargo:a at ""`},
		{"Cargo.toml", "[workspace]\nmembers = [\"a\"]\n", ""},
		{"pyproject.toml", "[project]\nname = \"a\"\nversion = \"1.2.3\"\n", `pypi:a at "1.2.3"`},
		{"pyproject.toml", "[tool.poetry]\nname = \"a\"\nversion = \"1.2.3\"\n", `pypi:a at "1.2.3"`},
		{"pyproject.toml", "[project]\nversion = \"2.0.0\"\n[tool.poetry]\nname = \"a\"\nversion = \"1.2.3\"\n", `pypi:a at "2.0.0"`},
		{"pyproject.toml", "[project]\nname = \"a\"\ndynamic = [\"version\"]\n", `pypi:a at ""`},
		{"pyproject.toml", "[project]\nname = \"a\"\ndynamic = [\"version\"]\n[tool.poetry]\nversion = \"1.2.3\"\n", `pypi:a at "1.2.3"`},
		{"pyproject.toml", "[project]\nname = \"a\"\ndynamic = [\"readme\"]\n[tool.poetry]\nversion = \"1.2.3\"\n", `pypi:a at "1.2.3"`},
		{"pyproject.toml", "[project]\nname = \"a\"\ndynamic = \"version\"\n", `pypi:a at ""`},
		{"pyproject.toml", "[project]\nname = \"a\"\nversion = \"1.2.3\"\n[tool.poetry-dynamic-versioning]\nenable = true\n", `pypi:a at ""`},
	} {
		want := ""
		if test.want != "" {
			said, rest, _ := strings.Cut(test.want, ",")
			want = lines(strings.TrimSuffix("/ makes "+said+" in "+test.file+","+rest, ","))
		}
		assert.Equal(t, want, facts(t, publishes("server.json", "", "npm other")+"-- "+test.file+" --\n"+test.content+"\n"), test.content)
	}
}

// TestPackagesThatLag: a version that a workflow or Changesets raises is older here than the latest
// release.
func TestPackagesThatLag(t *testing.T) {
	packages := publishes("server.json", "", "npm a", "pypi b") + `
-- package.json --
{"name": "a", "version": "1.0.0"}
-- pyproject.toml --
[project]
name = "b"
version = "1.0.0"
-- Cargo.toml --
[package]
name = "c"
version = "1.0.0"
`
	for _, test := range []struct{ file, content, lagging, stamped string }{
		{"README.md", "npm version patch\n", "", ""},
		{"x/.github/workflows/release.yml", "run: npm version patch\n", "", ""},
		{".github/workflows/release.txt", "run: npm version patch\n", "", ""},
		{".github/workflows/release.yml", "run: npm version patch\n", "npm", ""},
		{".github/workflows/release.yaml", "run: uv version \"$TAG\"\n", "pypi", ""},
		{".github/actions/release/action.yml", "run: cargo set-version \"$TAG\"\n", "cargo", ""},
		{".github/workflows/release.yml", "run: |\n  jq . server.json > x && mv x server.json\n  mv x manifest.json\n", "", "manifest.json server.json"},
		{".github/workflows/release.yml", "  mv x package.json\n", "npm", "package.json"},
		{".changeset/config.json", "{}\n", "npm", ""},
		{".changeset/config.json/readme.md", "{}\n", "", ""},
	} {
		var want []string
		for _, made := range []string{`npm:a at "1.0.0" in package.json`, `pypi:b at "1.0.0" in pyproject.toml`, `cargo:c at "1.0.0" in Cargo.toml`} {
			if test.lagging != "" && strings.HasPrefix(made, test.lagging) {
				made += ", lags"
			}
			want = append(want, "/ makes "+made)
		}
		if test.stamped != "" {
			want = append(want, "/ stamps "+test.stamped)
		}
		assert.Equal(t, lines(want...), facts(t, packages+"-- "+test.file+" --\n"+test.content), test.file)
	}

	// If nothing is published, there are no facts about it.
	assert.Empty(t, facts(t, "-- .mcp.json --\n{\"mcpServers\": {\"s\": {\"command\": \"x\"}}}\n-- .github/workflows/release.yml --\nmv x server.json\n"))
}

// TestNamesInReadmes: a package of Python says in the README that PyPI shows to which server
// of the MCP registry it belongs.
func TestNamesInReadmes(t *testing.T) {
	many := strings.Repeat("mcp-name: a/b\n", 100)
	for name, test := range map[string]struct {
		readme, file, content string
		want                  string // what follows on the package
	}{
		"a path":                     {`"README.md"`, "p/README.md", "# A\n<!-- mcp-name: io.github.acme/a -->\n", ", is io.github.acme/a by p/README.md"},
		"a path in a table":          {`{file = "docs/pypi.md", content-type = "text/markdown"}`, "p/docs/pypi.md", "mcp-name: io.github.acme/a", ", is io.github.acme/a by p/docs/pypi.md"},
		"in another directory":       {`"../README.md"`, "README.md", "mcp-name: io.github.acme/a", ", is io.github.acme/a by README.md"},
		"outside of the repository":  {`"../../README.md"`, "README.md", "mcp-name: io.github.acme/a", ""},
		"no path of the repository":  {`"/README.md"`, "p/README.md", "mcp-name: io.github.acme/a", ""},
		"one that is not there":      {`"README.rst"`, "p/README.md", "mcp-name: io.github.acme/a", ""},
		"another than is named":      {`{text = "x"}`, "p/README.md", "mcp-name: io.github.acme/a", ""},
		"two names":                  {`"README.md"`, "p/README.md", "mcp-name: a/b mcp-name: c/d.", ", is a/b by p/README.md, is c/d. by p/README.md"},
		"every character of a name":  {`"README.md"`, "p/README.md", "mcp-name: azAZ09._-/x@y", ", is azAZ09._-/x by p/README.md"},
		"a name without a namespace": {`"README.md"`, "p/README.md", "mcp-name: acme\n", ""},
		"an empty one at the end":    {`"README.md"`, "p/README.md", "mcp-name: ", ""},
		"a hundred names":            {`"README.md"`, "p/README.md", many, strings.Repeat(", is a/b by p/README.md", 100)},
		"more than a hundred":        {`"README.md"`, "p/README.md", many + "mcp-name: a/b\n", ""},
	} {
		archive := publishes("p/server.json", "", "pypi a") + "-- p/pyproject.toml --\n[project]\nname = \"a\"\nversion = \"1.0.0\"\nreadme = " + test.readme + "\n-- " + test.file + " --\n" + test.content + "\n"
		assert.Equal(t, lines(`/p makes pypi:a at "1.0.0" in p/pyproject.toml`+test.want), facts(t, archive), name)
	}
}

// TestPlugins: the plugins that a marketplace lists with a version say their own.
func TestPlugins(t *testing.T) {
	archive := `
-- .claude-plugin/marketplace.json --
{"name": "acme", "owner": {"name": "Acme"}, "plugins": [
  {"name": "notes", "source": "./plugins/notes", "version": "1.2.0"},
  {"name": "gone", "source": "./plugins/gone", "version": "1.0.0"},
  {"name": "bare", "source": "./plugins/bare", "version": "1.0.0"},
  {"name": "long", "source": "./plugins/long", "version": "1.0.0"},
  {"name": "notes again", "source": "./plugins/notes", "version": "1.1.0"}
]}
-- plugins/notes/.claude-plugin/plugin.json --
{"name": "notes", "version": "1.3.0"}
-- plugins/bare/.claude-plugin/plugin.json --
{"name": "bare"}
-- plugins/long/.claude-plugin/plugin.json --
{"name": "long", "version": "` + strings.Repeat("1", 257) + `"}
`
	want := lines(
		`/ lists plugins/bare of plugins/bare/.claude-plugin/plugin.json at ""`,
		`/ lists plugins/gone`,
		`/ lists plugins/long of plugins/long/.claude-plugin/plugin.json at ""`,
		`/ lists plugins/notes of plugins/notes/.claude-plugin/plugin.json at "1.3.0"`,
	)
	assert.Equal(t, want, facts(t, archive))
	assert.Equal(t, strings.Replace(want, `"1.3.0"`+"\n", `"1.3.0"`+"\n/ stamps plugin.json\n", 1), facts(t, archive+"-- .github/workflows/release.yml --\nmv x plugin.json\n"))
	longest := strings.Replace(archive, strings.Repeat("1", 257), strings.Repeat("1", 256), 1)
	assert.Contains(t, facts(t, longest), strings.Repeat("1", 256))
}
