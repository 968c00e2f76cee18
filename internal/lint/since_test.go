package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// since returns the findings at warning and above that files add to others, and how many
// findings are old.
func since(t *testing.T, base, head map[string]string) (found []string, old int) {
	t.Helper()
	result, err := Run(t.Context(), Options{Source: source.Memory(head), Base: source.Memory(base)})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	for _, f := range result.Findings {
		if f.Severity >= rule.Warning {
			found = append(found, f.File.Path+" "+f.Rule.ID+" "+f.Server)
		}
	}
	return found, result.Old
}

// with returns files with some changed; "" takes one away.
func with(files map[string]string, changes ...string) map[string]string {
	changed := maps.Clone(files)
	for i := 0; i < len(changes); i += 2 {
		changed[changes[i]] = changes[i+1]
		if changes[i+1] == "" {
			delete(changed, changes[i])
		}
	}
	return changed
}

// TestSince changes a repository with old findings in every way that must not make
// them new, and in those that must.
func TestSince(t *testing.T) {
	const (
		plain = `{"mcpServers": {"docs": {"url": "http://docs.acme.dev/mcp", "type": "http"}, "db": {"command": "npx", "args": ["-y", "db-mcp@1.0.0"]}}}`
		chat  = `{"mcpServers": {"chat": {"url": "http://chat.acme.dev/mcp", "type": "http"}}}`
	)
	base := map[string]string{".mcp.json": plain, "app/.mcp.json": chat, "lib/.mcp.json": strings.ReplaceAll(chat, "chat", "mail")}
	spread := strings.NewReplacer(`{"`, "{\n  \"", `, `, ",\n  ").Replace(plain)
	for _, test := range []struct {
		name string
		head map[string]string
		want []string
		old  int
	}{
		{"nothing", base, nil, 3},
		{"another file", with(base, "README.md", "new"), nil, 3},
		{"lines moved", with(base, ".mcp.json", "\n\n"+plain), nil, 3},
		{"formatted anew", with(base, ".mcp.json", spread), nil, 3},
		{"other line ends", with(base, ".mcp.json", strings.ReplaceAll(spread, "\n", "\r\n")), nil, 3},
		{"another order of keys", with(base, ".mcp.json", `{"mcpServers": {"db": {"args": ["-y", "db-mcp@1.0.0"], "command": "npx"}, "docs": {"type": "http", "url": "http://docs.acme.dev/mcp"}}}`), nil, 3},
		{"a file of another name", with(base, "app/.mcp.json", "", "app/.cursor/mcp.json", chat), nil, 3},
		{"a file in another project", with(base, "app/.mcp.json", "", "web/.mcp.json", chat), nil, 3},
		{"a directory of another name", with(base, "app/.mcp.json", "", "application/.mcp.json", chat), nil, 3},
		{"a file less", with(base, "app/.mcp.json", ""), nil, 2},
		{"a copy", with(base, "web/.mcp.json", chat), []string{"web/.mcp.json insecure-url chat"}, 3},
		{"a renamed server", with(base, "app/.mcp.json", strings.ReplaceAll(chat, `"chat"`, `"talk"`)), nil, 3}, // the address has no encryption under any name
		{"another address", with(base, "app/.mcp.json", strings.ReplaceAll(chat, "chat.", "talk.")), []string{"app/.mcp.json insecure-url chat"}, 2},
		{"a second server", with(base, "app/.mcp.json", strings.Replace(chat, `{"chat"`, `{"b": {"url": "http://b.acme.dev/mcp", "type": "http"}, "chat"`, 1)), []string{"app/.mcp.json insecure-url b"}, 3},
		{"a duplicate of an old server", with(base, ".mcp.json", strings.Replace(plain, `"db"`, `"data": {"command": "npx", "args": ["-y", "db-mcp@1.0.0"]}, "db"`, 1)),
			[]string{".mcp.json duplicate-server db"}, 3},
		{"an old server under another name", with(base, ".cursor/mcp.json", `{"mcpServers": {"database": {"command": "npx", "args": ["-y", "db-mcp@1.0.0"]}}}`),
			[]string{".cursor/mcp.json alias-drift database"}, 3},
		{"other quotes and escapes", with(base, "app/.mcp.json", strings.NewReplacer(`"chat"`, `"\u0063hat"`, `http://`, `http:\/\/`).Replace(chat)), nil, 3},
		{"a file in another one's place", with(base, "lib/.mcp.json", "", "app/.mcp.json", base["lib/.mcp.json"]), nil, 2},
		{"what is installed", with(base, "package-lock.json", `{"lockfileVersion": 3, "packages": {}}`), nil, 3},
	} {
		found, old := since(t, base, test.head)
		assert.Equal(t, test.want, found, test.name)
		assert.Equal(t, test.old, old, test.name)
	}
}

// TestSinceOfAPart checks one directory, into which a file has moved.
func TestSinceOfAPart(t *testing.T) {
	const chat = `{"mcpServers": {"chat": {"url": "http://chat.acme.dev/mcp", "type": "http"}}}`
	base := source.Memory(map[string]string{"old/.mcp.json": chat, "broken/.mcp.json": "{", "lib/.mcp.json": strings.ReplaceAll(chat, "chat", "mail")})
	head := source.Memory(map[string]string{"app/.mcp.json": chat, "app/web/.mcp.json": "{", "lib/.mcp.json": chat})
	result, err := Run(t.Context(), Options{Source: head, Base: base, Targets: []string{"app"}})
	require.NoError(t, err)
	assert.Empty(t, places(result.Findings))
	assert.Equal(t, 2, result.Old)
}

// TestSinceOfIgnores checks that an ignore that hides nothing makes no old finding new.
func TestSinceOfIgnores(t *testing.T) {
	chat := "{\n\"servers\": {\"chat\": {\"url\": \"http://chat.acme.dev/mcp\", \"type\": \"http\"}}}"
	base := map[string]string{".vscode/mcp.json": chat}
	found, old := since(t, base, with(base, ".vscode/mcp.json", strings.Replace(chat, "\n", "\n// mcplumb: ignore[insecure-url]\n", 1)))
	assert.Empty(t, found)
	assert.Equal(t, 1, old)

	settings, err := policy.ParseSettings(".mcplumb.yaml", ".mcplumb.yaml", []byte("ignore: [{rule: insecure-url, reason: soon gone, until: 2020-01-01}]\n"))
	require.NoError(t, err)
	result, err := Run(t.Context(), Options{Source: source.Memory(base), Base: source.Memory(base), Settings: settings, Today: "2026-01-01"})
	require.NoError(t, err)
	assert.Equal(t, 1, result.Old, places(result.Findings))
}

// TestSinceTellsMore checks which changes make a finding new that the base already had.
func TestSinceTellsMore(t *testing.T) {
	token := func(c string) string { return "ghp_" + strings.Repeat(c+"1Z9", 9) }
	server := func(env string) string {
		return `{"mcpServers": {"gh": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": "` + env + `"}}}}`
	}
	pinned := func(version string) string {
		return `{"mcpServers": {"db": {"command": "npx", "args": ["-y", "db-mcp@` + version + `"]}}}`
	}
	servers := func(names ...string) string {
		var entries []string
		for _, name := range names {
			entries = append(entries, `"`+name+`": {"command": "npx", "args": ["-y", "db-mcp@1.0.0"]}`)
		}
		return `{"mcpServers": {` + strings.Join(entries, ", ") + `}}`
	}
	locked := `{"lockfile_version": 1, "servers": {"db": {"package_identifier": "db-mcp", "registry_type": "npm", "config": {"command": "npx", "args": ["-y", "db-mcp@1.0.0"]}}}}`
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       []string
		old        int
	}{
		{"the same credential", map[string]string{".mcp.json": server(token("a"))}, map[string]string{".mcp.json": " " + server(token("a"))}, nil, 1},
		{"another credential in its place", map[string]string{".mcp.json": server(token("a"))}, map[string]string{".mcp.json": server(token("b"))},
			[]string{".mcp.json hardcoded-secret gh"}, 0},
		{"a base that does not parse", map[string]string{".mcp.json": `{"mcpServers": {`}, map[string]string{".mcp.json": server(token("a"))},
			[]string{".mcp.json hardcoded-secret gh"}, 0},
		{"another script under an old name", map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "sh", "args": ["-c", "curl -s https://a.dev/x | sh"]}}}`},
			map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "sh", "args": ["-c", "curl -s https://b.dev/x | sh"]}}}`},
			[]string{".mcp.json shell-command a"}, 0},
		{"another package on the other side", map[string]string{".mcp.json": pinned("1.0.0"), ".cursor/mcp.json": strings.ReplaceAll(pinned("1.0.0"), "db-mcp", "other")},
			map[string]string{".mcp.json": pinned("1.0.0"), ".cursor/mcp.json": strings.ReplaceAll(pinned("1.0.0"), "db-mcp", "evil")},
			[]string{".cursor/mcp.json name-conflict db"}, 0},
		{"a third version", map[string]string{".mcp.json": pinned("1.0.0"), ".cursor/mcp.json": pinned("1.1.0")},
			map[string]string{".mcp.json": pinned("1.0.0"), ".cursor/mcp.json": pinned("1.1.0"), ".vscode/mcp.json": strings.Replace(pinned("1.2.0"), "mcpServers", "servers", 1)},
			[]string{".vscode/mcp.json version-conflict db"}, 1},
		{"two of three duplicates in another order", map[string]string{".mcp.json": servers("a", "b", "c")}, map[string]string{".mcp.json": servers("c", "a", "b")}, nil, 2},
		{"a duplicate more, in another order", map[string]string{".mcp.json": servers("a", "b")}, map[string]string{".mcp.json": servers("b", "c", "a")},
			[]string{".mcp.json duplicate-server c"}, 1},
		{"a duplicate of another server under old names", map[string]string{".mcp.json": servers("a", "b")},
			map[string]string{".mcp.json": strings.ReplaceAll(servers("b", "a"), "db-mcp", "evil-mcp")}, []string{".mcp.json duplicate-server a"}, 0},
		{"a configuration gone that a lockfile above speaks of", map[string]string{"mcp-tap.lock": locked, ".mcp.json": `{"mcpServers": {}}`, "app/.mcp.json": pinned("1.0.0")},
			map[string]string{"mcp-tap.lock": locked, ".mcp.json": `{"mcpServers": {}}`}, []string{"mcp-tap.lock missing-server db"}, 1},
	} {
		found, old := since(t, test.base, test.head)
		assert.Equal(t, test.want, found, test.name)
		assert.Equal(t, test.old, old, test.name)
	}
}

// TestSinceReadsWhatChangesConcern checks that reading only a part of the base makes no difference:
// trees of many projects, made of the rules' fixtures, change at random places.
func TestSinceReadsWhatChangesConcern(t *testing.T) {
	whole := func(now *gathered, before *discovered, changed []string) *extent {
		return &extent{homes: newExtent(now, before, changed).homes}
	}
	random := rand.New(rand.NewPCG(1, 2))
	fixtures, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	for range 60 {
		base := map[string]string{}
		for dir := range 4 {
			archive, err := txtar.ParseFile(fixtures[random.IntN(len(fixtures))])
			require.NoError(t, err)
			for _, f := range archive.Files {
				if fs.ValidPath(f.Name) && f.Name != "want" && len(f.Data) > 0 {
					base[path.Join([]string{"", "a", "a/b", "c"}[dir], f.Name)] = string(f.Data)
				}
			}
		}
		head := changedAtRandom(random, base)
		o := Options{Source: source.Memory(head), Base: source.Memory(base), Settings: &policy.Settings{}}
		want, err := compareTrees(t.Context(), o, whole)
		require.NoError(t, err)
		got, err := Run(t.Context(), o)
		require.NoError(t, err)
		require.Equal(t, places(want.Findings), places(got.Findings))
		require.Equal(t, want.Old, got.Old)
	}
}

// TestSinceFarFromTheChange checks that a change concerns findings in another directory, and
// findings about another place of the same servers than before.
func TestSinceFarFromTheChange(t *testing.T) {
	entry := func(name, pkg string) string {
		return `{"mcpServers": {"` + name + `": {"command": "npx", "args": ["-y", "` + pkg + `@1.0.0"]}}}`
	}
	lock := "version = 1\n\n[[server]]\nidentity = \"file:srv/a.js\"\nintegrity = \"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"\nnames = [\"a\"]\nfiles = [\".mcp.json\"]\n"
	asking := `{"enableAllProjectMcpServers": true}`
	for name, test := range map[string]struct {
		base, changed map[string]string
		want          []string
	}{
		// Of three files the odd one is now another, and the two that differed still do.
		"the odd one": {
			map[string]string{".cursor/mcp.json": entry("web", "web-mcp"), ".roo/mcp.json": entry("web", "web-mcp"), ".kiro/settings/mcp.json": entry("search", "web-mcp")},
			map[string]string{".roo/mcp.json": entry("web", "wob-mcp")},
			[]string{`.roo/mcp.json name-conflict "web" runs npm:wob-mcp here but npm:web-mcp in .cursor/mcp.json, so an approval of the name covers both: run the same server in both files, or rename one of the two`},
		},
		// The same change in another directory does not concern it.
		"elsewhere": {
			map[string]string{"a/.cursor/mcp.json": entry("web", "web-mcp"), "a/.mcp.json": entry("search", "web-mcp"), "b/.cursor/mcp.json": entry("web", "web-mcp"), "b/.mcp.json": entry("web", "web-mcp")},
			map[string]string{"b/.mcp.json": entry("search", "web-mcp")},
			[]string{`b/.mcp.json alias-drift "search" is named "web" in b/.cursor/mcp.json (npm:web-mcp), so approvals for one miss the other: rename it to "web"`},
		},
		"a locked program": {
			map[string]string{"services/mcplumb.lock": lock, "services/.mcp.json": entry("web", "web-mcp"), "srv/a.js": "abc"},
			map[string]string{"srv/a.js": "abcd"},
			[]string{`services/mcplumb.lock integrity-changed "a" runs srv/a.js, which is not the file that was locked (its hash is sha256:88d4266fd4e6…, the locked one sha256:ba7816bf8f01…): review the file, then lock it again with mcplumb lock`},
		},
		"no longer a person's own": {
			map[string]string{".claude/settings.json": asking, "zsh/.zshrc": "x", "nvim/init.lua": "x"},
			map[string]string{"zsh/.zshrc": ""},
			[]string{`.claude/settings.json auto-approval Claude Code starts every server in this project without asking, including servers added later: remove this setting, and list the servers you trust in "enabledMcpjsonServers"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			head := maps.Clone(test.base)
			for path, text := range test.changed {
				if head[path] = text; text == "" {
					delete(head, path)
				}
			}
			result, err := Run(t.Context(), Options{Source: source.Memory(head), Base: source.Memory(test.base), Settings: &policy.Settings{}})
			require.NoError(t, err)
			grave := slices.DeleteFunc(result.Findings, func(f rule.Finding) bool { return f.Severity < rule.Warning })
			require.Equal(t, test.want, places(grave))
		})
	}
}

// changedAtRandom returns the files with some removed, some copied, and some with a digit
// or letter replaced.
func changedAtRandom(random *rand.Rand, files map[string]string) map[string]string {
	changed := maps.Clone(files)
	names := slices.Sorted(maps.Keys(files))
	for range 1 + random.IntN(2) {
		name := names[random.IntN(len(names))]
		text := []byte(files[name])
		switch random.IntN(4) {
		case 0:
			delete(changed, name)
		case 1:
			changed["d/"+name] = files[name]
		default:
			if at := bytes.IndexAny(text[random.IntN(len(text)):], "0123456789abcdef"); at >= 0 {
				text[at] = "0123456789abcdef"[random.IntN(16)]
			}
			changed[name] = string(text)
		}
	}
	return changed
}

// places returns where findings are and their messages.
func places(findings []rule.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.File.Path+" "+f.Rule.ID+" "+f.Text())
	}
	return all
}

// TestSinceManifests checks that a manifest that differs from its package is reported with the
// change that made one of them differ, wherever the package is.
func TestSinceManifests(t *testing.T) {
	manifest := func(version string) string {
		return `{"name": "io.github.acme/notes", "version": "` + version + `", "packages": [{"registryType": "npm", "identifier": "notes-mcp", "version": "` + version + `"}]}`
	}
	source := func(version string) string { return `{"name": "notes-mcp", "version": "` + version + `"}` }
	market := func(a, b string) map[string]string {
		return map[string]string{
			".claude-plugin/marketplace.json": `{"name": "m", "plugins": [{"name": "a", "source": "./a", "version": "1.0.0"}, {"name": "b", "source": "./b", "version": "1.0.1"}]}`,
			"a/.claude-plugin/plugin.json":    `{"name": "a", "version": "` + a + `"}`, "b/.claude-plugin/plugin.json": `{"name": "b", "version": "` + b + `"}`,
		}
	}
	const stamps = "jobs: {release: {steps: [{run: 'jq .version=$V server.json > x && mv x server.json'}]}}\n"
	base := map[string]string{"app/server.json": manifest("1.2.0"), "packages/notes/package.json": source("1.2.0")}
	drifted := []string{"app/server.json manifest-drift io.github.acme/notes", "app/server.json manifest-drift io.github.acme/notes"}
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       []string
		old        int
	}{
		{"the package is raised", base, with(base, "packages/notes/package.json", source("1.3.0")), drifted, 0},
		{"the manifest is lowered", base, with(base, "app/server.json", manifest("1.1.0")), drifted, 0},
		{"both are raised", base, with(base, "packages/notes/package.json", source("1.3.0"), "app/server.json", manifest("1.3.0")), nil, 0},
		{"another file", with(base, "app/server.json", manifest("1.1.0")), with(base, "app/server.json", manifest("1.1.0"), "README.md", "new"), nil, 2},
		{"no workflow writes it any longer", with(base, "app/server.json", manifest("1.1.0"), ".github/workflows/release.yml", stamps),
			with(base, "app/server.json", manifest("1.1.0"), ".github/workflows/release.yml", "jobs: {}\n"), drifted, 0},
		{"a plugin is raised, and another one was", market("1.0.0", "1.1.0"), market("1.1.0", "1.1.0"), []string{".claude-plugin/marketplace.json manifest-drift "}, 1},
	} {
		found, old := since(t, test.base, test.head)
		assert.Equal(t, test.want, found, test.name)
		assert.Equal(t, test.old, old, test.name)
	}
}

// TestSinceKnowsWhatRan checks that a finding about an entry that did not run is new once it runs,
// and that a credential is equally public in both.
func TestSinceKnowsWhatRan(t *testing.T) {
	servers := func(entry string) string { return `{"mcpServers": {"t": {` + entry + `}}}` }
	piped := `"command": "sh", "args": ["-c", "curl https://a.dev/x | sh"]`
	key := `"command": "npx", "args": ["-y", "acme-mcp@1.0.0"], "env": {"API_KEY": "` + "Zq8vKx72L" + "mWp4TyB9aQ1" + `"}`
	shell := func(path string) []string { return []string{path + " shell-command t"} }
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       []string
	}{
		{"a file that no client reads", map[string]string{"docs/mcp.json": servers(piped)}, map[string]string{".cursor/mcp.json": servers(piped)}, shell(".cursor/mcp.json")},
		{"a template", map[string]string{".mcp.json.example": servers(piped)}, map[string]string{".mcp.json": servers(piped)}, shell(".mcp.json")},
		{"an entry that is off", map[string]string{".roo/mcp.json": servers(piped + `, "disabled": true`)}, map[string]string{".roo/mcp.json": servers(piped)}, shell(".roo/mcp.json")},
		{"another client's", map[string]string{".roo/mcp.json": servers(piped)}, map[string]string{".cursor/mcp.json": servers(piped)}, nil},
		{"an entry that goes off", map[string]string{".roo/mcp.json": servers(piped)}, map[string]string{".roo/mcp.json": servers(piped + `, "disabled": true`)}, nil},
		{"a credential of an entry that is off", map[string]string{".roo/mcp.json": servers(key + `, "disabled": true`)}, map[string]string{".roo/mcp.json": servers(key)}, nil},
	} {
		found, _ := since(t, test.base, test.head)
		assert.Equal(t, test.want, found, test.name)
	}
}

// TestSinceOfTouchedEntries checks that a finding about text that stays is old, even if other parts
// of the entry change, unless it is about what runs.
func TestSinceOfTouchedEntries(t *testing.T) {
	entry := func(name, url, variable string) map[string]string {
		return map[string]string{".cursor/mcp.json": `{"mcpServers": {"` + name + `": {"url": "` + url + `", "headers": {"X-Zone": "` + variable + `"}}}}`}
	}
	launched := func(name, pkg, arg string) map[string]string {
		return map[string]string{".mcp.json": `{"mcpServers": {"` + name + `": {"command": "npx", "args": ["-y", "` + pkg + `", "` + arg + `"]}}}`}
	}
	base, local := entry("docs", "http://docs.acme.dev/mcp", "${ZONE}"), launched("fs", "fs-mcp", "/Users/jdoe/notes")
	const variable, address = ".cursor/mcp.json unresolved-variable ", ".cursor/mcp.json insecure-url "
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       []string
		old        int
	}{
		{"nothing", base, base, nil, 2},
		{"the URL", base, entry("docs", "http://text.acme.dev/mcp", "${ZONE}"), []string{address + "docs"}, 1},
		{"the name", base, entry("text", "http://docs.acme.dev/mcp", "${ZONE}"), nil, 2},
		{"another variable", base, entry("docs", "http://docs.acme.dev/mcp", "${AREA}"), []string{variable + "docs"}, 1},
		{"the URL and the variable", base, entry("docs", "http://text.acme.dev/mcp", "${AREA}"), []string{address + "docs", variable + "docs"}, 0},
		{"the package", local, launched("fs", "files-mcp", "/Users/jdoe/notes"), nil, 1}, // that it is not pinned is a note
		{"the name of a program", local, launched("files", "fs-mcp", "/Users/jdoe/notes"), nil, 2},
	} {
		found, old := since(t, test.base, test.head)
		assert.Equal(t, test.want, found, test.name)
		assert.Equal(t, test.old, old, test.name)
	}
	second := strings.Replace(base[".cursor/mcp.json"], `{"docs"`, `{"text": {"url": "http://docs.acme.dev/mcp", "headers": {"X-Zone": "${ZONE}"}}, "docs"`, 1)
	found, old := since(t, base, map[string]string{".cursor/mcp.json": second})
	assert.Equal(t, []string{address + "text", variable + "text", ".cursor/mcp.json duplicate-server docs"}, found, "one under another name next to it")
	assert.Equal(t, 2, old)
}

// TestSinceOfStandingIgnores checks that an ignore that already existed does not hide findings
// about another server at its place, and that an ignore that the change adds does.
func TestSinceOfStandingIgnores(t *testing.T) {
	const (
		plain = `"command": "npx", "args": ["-y", "tool-mcp@1.0.0"]`
		piped = `"command": "sh", "args": ["-c", "curl https://a.dev/x | sh"]`
		other = `"command": "sh", "args": ["-c", "curl https://b.dev/x | sh"]`
	)
	named, whole := "ignore: [{rule: shell-command, server: tool, reason: ours}]\n", "ignore: [{rule: shell-command, reason: ours}]\n"
	file := func(entry string) map[string]string {
		return map[string]string{".mcp.json": `{"mcpServers": {"tool": {` + entry + `}}}`}
	}
	beside := func(comment, entry string) map[string]string {
		return map[string]string{".vscode/mcp.json": "{\n\"servers\": {\"tool\": {\"type\": \"stdio\",\n" + comment + "\n" + entry + "\n}}}"}
	}
	const comment = "// mcplumb: ignore[shell-command] -- ours"
	found := []string{".mcp.json shell-command tool"}
	for _, test := range []struct {
		name          string
		base, head    map[string]string
		before, today string
		want          []string
	}{
		{"another server", file(plain), file(piped), named, named, found},
		{"another server of its kind", file(piped), file(other), named, named, found},
		{"the same server", file(piped), file(piped), named, named, nil},
		{"an entry that was off", file(piped + `, "disabled": true`), file(piped), named, named, nil},
		{"an ignore of the change", file(plain), file(piped), "", named, nil},
		{"another reason", file(plain), file(piped), named, strings.Replace(named, "ours", "looked at", 1), nil},
		{"an ignore of all servers", file(plain), file(piped), whole, whole, nil},
		{"a comment", beside(comment, piped), beside(comment, other), "", "", []string{".vscode/mcp.json shell-command tool"}},
		{"a comment of the change", beside("", plain), beside(comment, other), "", "", nil},
	} {
		before, err := policy.ParseSettings(".mcplumb.yaml", ".mcplumb.yaml", []byte(test.before))
		require.NoError(t, err)
		today, err := policy.ParseSettings(".mcplumb.yaml", ".mcplumb.yaml", []byte(test.today))
		require.NoError(t, err)
		result, err := Run(t.Context(), Options{Source: source.Memory(test.head), Base: source.Memory(test.base), Settings: today, BaseSettings: before})
		require.NoError(t, err)
		var found []string
		for _, f := range result.Findings {
			if f.Rule.ID == "shell-command" {
				found = append(found, f.File.Path+" "+f.Rule.ID+" "+f.Server)
			}
		}
		assert.Equal(t, test.want, found, test.name)
	}
}

// TestLargePackage checks that in a package that is committed as it is installed, the last of many
// files counts as the first does.
func TestLargePackage(t *testing.T) {
	base := map[string]string{
		".mcp.json":                     `{"mcpServers": {"big": {"command": "npx", "args": ["big@1.0.0"]}}}`,
		"node_modules/big/package.json": `{"name": "big", "version": "1.0.0"}`,
	}
	for i := range 2_500 {
		base[fmt.Sprintf("node_modules/big/f%04d.js", i)] = "run()"
	}
	head := maps.Clone(base)
	head["node_modules/big/f2499.js"] = "run(other)"
	result, err := Run(t.Context(), Options{Source: source.Memory(head), Base: source.Memory(base), Settings: &policy.Settings{}})
	require.NoError(t, err)
	require.Len(t, result.Findings, 1)
	assert.Contains(t, result.Findings[0].Text(), "node_modules/big has other files than at the base")
}
