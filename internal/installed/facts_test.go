package installed_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// repository reads the files of an archive: their tree, and what is configured in it.
func repository(t *testing.T, archive string) (source.Tree, *mcp.Repo) {
	t.Helper()
	index := format.Known()
	files := map[string]string{}
	var parts []link.Part
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
		match, known := index.Lookup(f.Name)
		if !known {
			continue
		}
		if doc, err := format.Read(syntax.NewFile(f.Name, f.Data), match); err == nil && doc != nil {
			doc.Role = format.RoleOf(f.Name)
			parts = append(parts, link.Part{Dir: match.Dir, Document: doc})
		}
	}
	return source.Memory(files), link.Repo(parts)
}

// facts fills in what is known of the servers of an archive, and writes it line by line.
func facts(t *testing.T, archive string) string {
	t.Helper()
	tree, repo := repository(t, archive)
	_, err := installed.Fill(t.Context(), tree, repo)
	require.NoError(t, err)
	return written(repo)
}

// written writes the facts of all projects: what is installed of each server, which packages
// the repository makes, the plugins, and what workflows write into.
func written(repo *mcp.Repo) string {
	var b strings.Builder
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				for _, in := range p.Facts.Installed[s] {
					fmt.Fprintf(&b, "%s %s: %s\n", d.File.Path, s.Name, packageText(in))
				}
				for _, in := range p.Facts.Beside[s] {
					fmt.Fprintf(&b, "%s %s: fetched beside %s\n", d.File.Path, s.Name, packageText(in))
				}
			}
		}
		at := "/" + p.Dir
		for _, made := range p.Facts.Packages {
			fmt.Fprintf(&b, "%s makes %s\n", at, sourceText(made))
		}
		for _, dir := range slices.Sorted(maps.Keys(p.Facts.Plugins)) {
			plugin := p.Facts.Plugins[dir]
			fmt.Fprintf(&b, "%s lists %s", at, dir)
			if plugin.File != nil {
				fmt.Fprintf(&b, " of %s at %q", plugin.File.Path, plugin.Version.Text)
			}
			b.WriteString("\n")
		}
		if len(p.Facts.Stamped) > 0 {
			fmt.Fprintf(&b, "%s stamps %s\n", at, strings.Join(slices.Sorted(maps.Keys(p.Facts.Stamped)), " "))
		}
	}
	return b.String()
}

// packageText writes an installed package, as it was requested and as it is.
func packageText(in mcp.InstalledPackage) string {
	version := in.Version
	if in.IsUnknown {
		version = "of unknown version"
	}
	return strings.Join(strings.Fields(in.Asked+" is "+in.Name+" "+version+" of "+in.File), " ")
}

// sourceText writes a package that is made in the repository.
func sourceText(p *mcp.SourcePackage) string {
	text := fmt.Sprintf("%s at %q in %s", p.Key(), p.Version.Text, p.File.Path)
	if p.Private {
		text += ", private"
	}
	if p.Workspace {
		text += ", with others"
	}
	if p.Lags {
		text += ", lags"
	}
	for _, name := range p.MCPNames {
		text += fmt.Sprintf(", is %s by %s", name.Text, p.NamesFile.Path)
		if got := string(p.NamesFile.Bytes[name.Span.Start:name.Span.End]); strings.Trim(got, `"`) != name.Text {
			text += ", which is not where it says"
		}
	}
	return text
}

// lines joins lines as facts writes them.
func lines(all ...string) string {
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "\n") + "\n"
}

// own is a package with one that is installed, for files of every sort next to it.
const own = `
-- package.json --
{"name": "own", "version": "1.0.0"}
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "1.2.3", "bin": {"a": "cli.js"}}}}
`

// twoServers are the one that the package is and the one that is installed.
const twoServers = `{"mcpServers": {"own": {"command": "npx", "args": ["own"]}, "a": {"command": "npx", "args": ["-y", "a-mcp"]}}}`

// TestWhereServersAreStarted: the servers of a project's files are started in it, those of
// examples, plugins and of people's own settings anywhere, and there are no facts for test data.
func TestWhereServersAreStarted(t *testing.T) {
	const isOwn, isA = "%s own: npm:own is own of package.json", "%s a: npm:a-mcp is a-mcp 1.2.3 of package-lock.json"
	for file, want := range map[string]string{
		".mcp.json":                  isOwn + "\n" + isA + "\n",
		".mcp/config.json":           isOwn + "\n" + isA + "\n", // of no known client
		".ruler/mcp.json":            isOwn + "\n" + isA + "\n", // the source of a generator
		"mcp_agent.config.yaml":      isOwn + "\n" + isA + "\n", // an agent's own
		"examples/.mcp.json":         isOwn + "\n",
		"examples/mcp.json":          isOwn + "\n",
		"claude_desktop_config.json": isOwn + "\n",
		".mcp.json.example":          isOwn + "\n",
		"testdata/.mcp.json":         "",
	} {
		servers := twoServers
		if strings.HasSuffix(file, ".yaml") {
			servers = "mcp:\n  servers:\n    own: {command: npx, args: [own]}\n    a: {command: npx, args: [-y, a-mcp]}\n"
		}
		assert.Equal(t, strings.ReplaceAll(want, "%s", file), facts(t, own+"-- "+file+" --\n"+servers+"\n"), file)
	}
}

// TestPluginFile: the .mcp.json of a directory that is a plugin is brought by it, and
// another file there is the project's.
func TestPluginFile(t *testing.T) {
	plugin := own + "-- .claude-plugin/plugin.json --\n{\"name\": \"kit\", \"mcpServers\": {\"b\": {\"command\": \"b\"}}}\n"
	const made = `/ makes npm:own at "1.0.0" in package.json` // the manifest of the plugin speaks of it
	assert.Equal(t, lines(".mcp.json own: npm:own is own of package.json", made), facts(t, plugin+"-- .mcp.json --\n"+twoServers+"\n"))
	assert.Equal(t, lines(".cursor/mcp.json own: npm:own is own of package.json", ".cursor/mcp.json a: npm:a-mcp is a-mcp 1.2.3 of package-lock.json", made),
		facts(t, plugin+"-- .cursor/mcp.json --\n"+twoServers+"\n"))
}

// TestWhatLaunchersTake shows which launches take a package from the project, and which are noted
// as fetching what the project has.
func TestWhatLaunchersTake(t *testing.T) {
	const locks = `
-- package.json --
{"name": "own", "bin": {"mine": "cli.js"}}
-- package-lock.json --
{"packages": {"node_modules/a-mcp": {"version": "1.2.3", "bin": {"a": "cli.js"}}, "node_modules/git-mcp": {"version": "git+https://example.com/x"}}}
-- uv.lock --
[[package]]
name = "p-mcp"
version = "2.0.0"
source = { registry = "x" }
-- dotnet-tools.json --
{"tools": {"n.mcp": {"version": "3.0.0"}}}
-- deno.lock --
{"specifiers": {"npm:a-mcp@latest": "1.2.4", "npm:a-mcp@*": "1.2.4"}}
`
	const isA, isP = "npm:a-mcp is a-mcp 1.2.3 of package-lock.json", "pypi:p-mcp is p-mcp 2.0.0 of uv.lock"
	for launch, want := range map[string]string{
		`"npx", "args": ["-y", "a-mcp"]`:                        isA,
		`"npx", "args": ["a-mcp@^1.0.0"]`:                       isA,
		`"npx", "args": ["a-mcp@^2.0.0"]`:                       "",
		`"npx", "args": ["a-mcp@1.2.3"]`:                        "",
		`"npx", "args": ["a-mcp@latest"]`:                       "fetched beside " + isA,
		`"npx", "args": ["a@latest"]`:                           "", // fetched is a package of that name
		`"npx", "args": ["git-mcp@latest"]`:                     "", // the installed commit is not reported
		`"npx", "args": ["a"]`:                                  "npm:a is a-mcp 1.2.3 of package-lock.json",
		`"npx", "args": ["--no-install", "a-mcp"]`:              isA,
		`"npx", "args": ["--no-install", "a-mcp@latest"]`:       "",
		`"bunx", "args": ["a-mcp"]`:                             isA,
		`"bunx", "args": ["a-mcp@^1.0.0"]`:                      "fetched beside " + isA,
		`"pnpm", "args": ["dlx", "a-mcp"]`:                      "fetched beside " + isA,
		`"pnpm", "args": ["dlx", "a-mcp@1.2.3"]`:                "",
		`"uv", "args": ["run", "--with", "p-mcp", "p-mcp"]`:     isP,
		`"uvx", "args": ["p-mcp"]`:                              "fetched beside " + isP,
		`"uvx", "args": ["p-mcp==2.0.0"]`:                       "",
		`"uvx", "args": ["q-mcp"]`:                              "",
		`"dnx", "args": ["n.mcp"]`:                              "nuget:n.mcp is n.mcp 3.0.0 of dotnet-tools.json",
		`"dnx", "args": ["n.mcp@*"]`:                            "",
		`"deno", "args": ["run", "-A", "npm:a-mcp"]`:            "npm:a-mcp is a-mcp 1.2.4 of deno.lock",
		`"deno", "args": ["run", "-A", "npm:a-mcp@latest"]`:     "",
		`"npx", "args": ["--prefix", "/opt/tools", "a-mcp"]`:    "",  // elsewhere
		`"npx", "args": ["a-mcp"], "cwd": "/opt/tools"`:         isA, // which Claude Code does not read
		`"npx", "args": ["a-mcp@latest"], "cwd": "/opt/tools"`:  "fetched beside " + isA,
		`"npx", "args": ["mine"]`:                               "npm:mine is own of package.json",
		`"npx", "args": ["-p", "a-mcp", "-p", "mine", "start"]`: isA + "; npm:mine is own of package.json",
		`"a", "args": ["a-mcp"]`:                                "",
	} {
		got := facts(t, locks+"-- .mcp.json --\n{\"mcpServers\": {\"s\": {\"command\": "+launch+"}}}\n")
		got = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(got, ".mcp.json s: "), "\n"), "\n.mcp.json s: ", "; ")
		assert.Equal(t, want, got, launch)
	}

	// Only files in use in the project have facts about what is fetched although the project has it.
	assert.Empty(t, facts(t, locks+"-- examples/.mcp.json --\n{\"mcpServers\": {\"s\": {\"command\": \"npx\", \"args\": [\"a-mcp@latest\"]}}}\n"))
}

// TestUnread: a lockfile that a launcher would read and that does not parse is returned, once; one
// that the launcher does not read changes nothing.
func TestUnread(t *testing.T) {
	const broken = `
-- b/package.json --
{}
-- b/package-lock.json --
{"packages":
-- b/.mcp.json --
{"mcpServers": {"s": {"command": "npx", "args": ["%s"]}, "t": {"command": "npx", "args": ["%s", "t"]}}}
-- a/uv.lock --
[[package
-- a/.mcp.json --
{"mcpServers": {"s": {"command": "uv", "args": ["run", "--with", "p-mcp", "p-mcp"]}}}
`
	for what, want := range map[string][]string{"a-mcp": {"a/uv.lock", "b/package-lock.json"}, "a-mcp@latest": {"a/uv.lock"}} {
		tree, repo := repository(t, strings.ReplaceAll(broken, "%s", what))
		unread, err := installed.Fill(t.Context(), tree, repo)
		require.NoError(t, err)
		var files []string
		for _, u := range unread {
			var parsing *syntax.Error
			require.ErrorAs(t, u.Err, &parsing)
			files = append(files, u.File.Path)
		}
		assert.Equal(t, want, files, what)
	}
}

// TestStopped returns the error of the context.
func TestStopped(t *testing.T) {
	tree, repo := repository(t, own+"-- .mcp.json --\n"+twoServers)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := installed.Fill(ctx, tree, repo)
	assert.ErrorIs(t, err, context.Canceled)
}
