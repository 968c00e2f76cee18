package format

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

const testdata = "../../testdata/formats"

// sample is a file of testdata under the path it has in a repository, and what
// has to come of it. The first line is format, scope, project directory, root
// key with the place of the key, and clients; then a line for each server: place
// of the name, name, identity, "off" if it is disabled.
type sample struct{ file, path, want string }

func samples() []sample {
	return []sample{
		{"agents/mcp.json", "app/.agents/mcp.json", `
agents project "app" mcpServers@2:3 agents
3:5 board url:https://board.corp.internal/mcp
4:5 browser npm:@playwright/mcp`},
		{"claude-code/mcp.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
3:5 context7 npm:@upstash/context7-mcp
8:5 linear url:https://mcp.linear.app/mcp
13:5 orders file:tools/orders.js
18:5 calendar -
19:5 old url:https://old.corp.internal/sse off`},
		{"claude-code/servers.json", "a/b/.mcp.json", `
claude-code project "a/b" servers@2:3 claude-code,copilot-cli,visual-studio
3:5 github url:https://api.githubcopilot.com/mcp`},
		{"claude-code/repeated.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
4:5 docs npm:docs-mcp
5:5 db pypi:second`},
		{"claude-code/windows.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
3:5 häuser npm:house-mcp
5:8 next url:wss://live.corp.internal/mcp`},
		{"claude-desktop/claude_desktop_config.json", "home/claude_desktop_config.json", `
claude-desktop user "home" mcpServers@2:3 claude-desktop
3:5 filesystem npm:@modelcontextprotocol/server-filesystem
7:5 linear url:https://mcp.linear.app/sse
11:5 time oci:docker.io/mcp/time`},
		{"claude-legacy/mcp.json", ".claude/mcp.json", `
claude-legacy project "" servers@2:3 -
3:5 fetch pypi:mcp-server-fetch`},
		{"claude-plugin/bare.json", "market/notes/.mcp.json", `
claude-plugin plugin "market/notes" bare claude-code,copilot-cli
3:3 notes file:market/notes/server.js
8:3 tracker url:https://tracker.corp.internal/mcp`},
		{"claude-plugin/servers.json", "plugins/search/.mcp.json", `
claude-plugin plugin "plugins/search" mcpServers@2:3 claude-code,copilot-cli
3:5 search file:plugins/search/server/search.py`},
		{"claude-plugin/inline.json", "notes/.claude-plugin/plugin.json", `
claude-plugin plugin "notes" mcpServers@4:3 claude-code,copilot-cli
5:5 notes file:notes/bin/notes`},
		{"claude-plugin/linked.json", "notes/.claude-plugin/plugin.json", `
claude-plugin plugin "notes" mcpServers@3:3 claude-code,copilot-cli`},
		{"claude-plugin/without.json", ".claude-plugin/plugin.json", `
claude-plugin plugin "" bare claude-code,copilot-cli`},
		{"claude-settings/settings.json", ".claude/settings.json", `
claude-settings settings "" bare claude-code`},
		{"claude-settings/servers.json", ".claude/settings.local.json", `
claude-settings settings "" mcpServers@3:3 -
4:5 memory npm:@modelcontextprotocol/server-memory`},
		{"copilot-cli/mcp.json", ".github/mcp.json", `
copilot-cli project "" mcpServers@2:3 copilot-cli
3:5 playwright npm:@playwright/mcp
9:5 sentry url:https://mcp.sentry.dev/sse`},
		{"copilot-cli/bare.json", ".github/mcp.json", `
copilot-cli project "" bare copilot-cli
2:3 playwright npm:@playwright/mcp`},
		{"copilot-plugin/plugin.json", ".plugin/plugin.json", `
copilot-plugin plugin "" components.mcpServers@3:19 copilot-cli`},
		{"cursor/mcp.json", "web/.cursor/mcp.json", `
cursor project "web" mcpServers@2:3 cursor
3:5 shop file:web/packages/shop/dist/index.js
8:5 notion url:https://mcp.notion.com/mcp
9:5 php file:web/artisan`},
		{"gemini/settings.json", ".gemini/settings.json", `
gemini project "" mcpServers@9:3 gemini-cli
10:5 search url:https://search.corp.internal/mcp
11:5 docs url:https://docs.corp.internal/sse
12:5 scratch file:tools/scratch.py`},
		{"gemini/rules.json", ".gemini/settings.json", `
gemini settings "" bare gemini-cli`},
		{"gemini-extension/gemini-extension.json", "ext/gemini-extension.json", `
gemini-extension plugin "ext" mcpServers@4:3 gemini-cli
5:5 maps file:ext/dist/maps.js
6:5 files opaque:node ${workspacePath}/tools/files.js`},
		{"gemini-extension/gemini-extension.json", ".gemini/extensions/maps/gemini-extension.json", `
gemini-extension plugin "" mcpServers@4:3 gemini-cli
5:5 maps file:.gemini/extensions/maps/dist/maps.js
6:5 files file:tools/files.js`},
		{"gemini-extension/list.json", ".gemini/extensions/maps/gemini-extension.json", `
gemini-extension plugin "" mcpServers@3:3 gemini-cli
4:13 maps file:mcp/maps.js
5:15 geo pypi:geo-mcp`},
		{"generic/mcp.json", "tools/mcp.json", `
generic generic "tools" context_servers@2:3 -
3:5 local file:tools/server.mjs
4:5 array npm:array-mcp
5:5 remote url:https://remote.corp.internal/mcp off`},
		{"kiro/mcp.json", ".kiro/settings/mcp.json", `
kiro project "" mcpServers@2:3 kiro
3:5 aws-docs pypi:awslabs-aws-documentation-mcp-server
11:5 weather url:https://weather.corp.internal/mcp off`},
		{"roo/mcp.json", "e/.roo/mcp.json", `
roo project "e" mcpServers@2:3 roo
3:5 tests file:e/e2e/tools/tests.ts
9:5 wiki url:https://wiki.corp.internal/mcp off`},
		{"visual-studio/mcp.json", ".vs/mcp.json", `
visual-studio project "" servers@3:3 visual-studio
4:5 github url:https://api.githubcopilot.com/mcp
5:5 nuget nuget:nuget.mcp.server`},
		{"vscode/mcp.json", "svc/.vscode/mcp.json", `
vscode project "svc" servers@7:3 vscode
8:5 api file:svc/api/mcp.js
15:18 github url:https://api.githubcopilot.com/mcp`},
		{"vscode/nested.json", ".vscode/mcp.json", `
vscode project "" mcp.servers@4:5 vscode
4:18 ocean npm:@digitalocean/mcp`},
		{"vscode-settings/settings.json", ".vscode/settings.json", `
vscode-settings project "" mcp.servers@6:5 vscode
7:7 db pypi:mcp-server-sqlite`},
		{"vscode-settings/dotted.json", ".vscode/settings.json", `
vscode-settings project "" mcp.servers@4:3 vscode
4:20 db pypi:mcp-server-sqlite`},
		{"vscode-workspace/app.code-workspace", "team/app.code-workspace", `
vscode-workspace project "team" settings.mcp.servers@4:5 vscode
5:7 web opaque:node ${workspaceFolder}/mcp.js
6:7 db pypi:mcp-server-sqlite`},
		{"vscode-workspace/single.code-workspace", "single.code-workspace", `
vscode-workspace project "" settings.mcp.servers@4:14 vscode
4:27 web file:apps/web/mcp.js`},
		{"windsurf/mcp_config.json", ".windsurf/mcp_config.json", `
windsurf project "" mcpServers@2:3 windsurf
3:5 figma url:https://mcp.figma.com/mcp
4:5 git pypi:mcp-server-git off`},
	}
}

func TestSamples(t *testing.T) {
	ix := NewIndex(All())
	read := map[string]bool{}
	for _, s := range samples() {
		t.Run(s.file+" as "+s.path, func(t *testing.T) {
			doc, m := readSample(t, ix, s.file, s.path)
			require.NotNil(t, doc)
			assert.Equal(t, strings.TrimSpace(s.want), show(doc, m))
			for _, server := range doc.Servers {
				assert.Same(t, doc, server.Document)
			}
			read[doc.Format] = true
		})
	}
	for _, f := range All() {
		if f.Scope != mcp.ScopeLock {
			assert.True(t, read[f.Name], "%s has no sample", f.Name)
		}
	}
}

func readSample(t *testing.T, ix *Index, file, path string) (*mcp.Document, Match) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(file)))
	require.NoError(t, err)
	m, ok := ix.Lookup(path)
	require.True(t, ok, path)
	doc, err := Read(syntax.NewFile(path, content), m)
	require.NoError(t, err)
	return doc, m
}

// show writes a document as samples are written.
func show(doc *mcp.Document, m Match) string {
	var b strings.Builder
	var clients []string
	for _, c := range doc.Clients {
		clients = append(clients, c.ID)
	}
	root := "bare"
	if doc.RootKey != "" {
		root = doc.RootKey + "@" + place(doc, doc.Root)
	}
	fmt.Fprintf(&b, "%s %s %q %s %s", doc.Format, doc.Scope, m.Dir, root, orDash(strings.Join(clients, ",")))
	for _, s := range doc.Servers {
		fmt.Fprintf(&b, "\n%s %s %s", place(doc, s.NameSpan), s.Name, orDash(s.Identity.String()))
		if s.Disabled {
			b.WriteString(" off")
		}
	}
	return b.String()
}

func place(doc *mcp.Document, s syntax.Span) string {
	p := doc.File.Position(s.Start)
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// TestLaunch looks at everything an entry says, with its spans.
func TestLaunch(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "claude-code/mcp.json", ".mcp.json")
	text := func(s syntax.Span) string { return string(doc.File.Bytes[s.Start:s.End]) }

	context7 := doc.Servers[0]
	l := context7.Launch
	assert.Equal(t, "npx", l.Command.Text)
	assert.Equal(t, `"npx"`, text(l.Command.Span))
	require.Len(t, l.Args, 2)
	assert.Equal(t, `"@upstash/context7-mcp@1.0.14"`, text(l.Args[1].Span))
	require.Len(t, l.Env, 3)
	assert.Equal(t, "10000", l.Env[0].Value.Text)
	assert.Equal(t, "10000", text(l.Env[0].Value.Span))
	assert.Equal(t, `"CONTEXT7_API_KEY"`, text(l.Env[1].Name.Span))
	assert.Equal(t, "true", l.Env[2].Value.Text)
	assert.Empty(t, l.Transport)
	assert.Equal(t, "context7", strings.Trim(text(context7.NameSpan), `"`))
	assert.True(t, strings.HasPrefix(text(context7.Span), "{") && strings.HasSuffix(text(context7.Span), "}"))

	linear := doc.Servers[1]
	assert.Equal(t, "http", linear.Launch.Transport)
	assert.Equal(t, `"http"`, text(linear.Type.Span))
	assert.Equal(t, `"https://mcp.linear.app/mcp"`, text(linear.Launch.URL.Span))
	require.Len(t, linear.Launch.Headers, 1)
	assert.Equal(t, "Authorization", linear.Launch.Headers[0].Name.Text)

	orders := doc.Servers[2]
	assert.Equal(t, "stdio", orders.Launch.Transport)
	assert.Equal(t, "8080", orders.Launch.Args[2].Text)

	calendar := doc.Servers[3]
	assert.Empty(t, calendar.Launch.URL.Text)
	assert.Equal(t, `""`, text(calendar.Launch.URL.Span))

	assert.Equal(t, "sse", doc.Servers[4].Launch.Transport)
	assert.Equal(t, "SSE", doc.Servers[4].Type.Text)
}

func TestCommandSpellings(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "generic/mcp.json", "mcp.json")
	local, array, remote := doc.Servers[0].Launch, doc.Servers[1].Launch, doc.Servers[2]
	assert.Equal(t, "node", local.Command.Text)
	assert.Equal(t, "server.mjs", local.Args[0].Text)
	assert.Equal(t, "LEVEL", local.Env[0].Name.Text)

	assert.Equal(t, "npx", array.Command.Text)
	require.Len(t, array.Args, 2)
	assert.Equal(t, "array-mcp", array.Args[1].Text)
	assert.Equal(t, "2", array.Env[0].Value.Text)
	assert.Equal(t, "stdio", array.Transport)

	assert.Equal(t, "remote", remote.Type.Text)
	assert.Empty(t, remote.Launch.Transport, "remote does not say which transport")
}

// TestGeminiURLs checks that the winner and its transport are Gemini's.
func TestGeminiURLs(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "gemini/settings.json", ".gemini/settings.json")
	search, docs := doc.Servers[0].Launch, doc.Servers[1].Launch
	assert.Equal(t, "https://search.corp.internal/mcp", search.URL.Text)
	assert.Equal(t, "http", search.Transport)
	assert.Equal(t, "https://docs.corp.internal/sse", docs.URL.Text)
	assert.Empty(t, docs.Transport)
	assert.Equal(t, "./tools", doc.Servers[2].Launch.Cwd.Text)
}

func TestSwitchesAndReferences(t *testing.T) {
	ix := NewIndex(All())
	settings, _ := readSample(t, ix, "claude-settings/settings.json", ".claude/settings.json")
	assert.Equal(t, []string{"claude-code off legacy 9:31", "claude-code off old board 9:41"}, showSwitches(settings))
	assert.Equal(t, []string{
		"legacy 9:31", "old board 9:41", "memory 8:30", "memory 3:35", "my-board 3:62", "github 4:20",
		"memory 12:26", "github 12:42",
	}, showReferences(settings))
	assert.Equal(t, `"enableAllProjectMcpServers": true`, string(settings.File.Bytes[settings.ApproveAll.Start:settings.ApproveAll.End]))

	rules, _ := readSample(t, ix, "gemini/settings.json", ".gemini/settings.json")
	assert.Equal(t, []string{"gemini-cli only search 5:18", "gemini-cli only docs 5:28", "gemini-cli off scratch 6:19"}, showSwitches(rules))
	old, _ := readSample(t, ix, "gemini/rules.json", ".gemini/settings.json")
	assert.Equal(t, []string{"gemini-cli only docs 3:24", "gemini-cli off scratch 2:26"}, showSwitches(old))
	assert.Empty(t, old.Servers)
}

func showSwitches(doc *mcp.Document) []string {
	var list []string
	for _, s := range doc.Switches {
		what := "off"
		if s.Only {
			what = "only"
		}
		list = append(list, fmt.Sprintf("%s %s %s %s", s.Client.ID, what, s.Name, place(doc, s.Span)))
	}
	return list
}

func showReferences(doc *mcp.Document) []string {
	var list []string
	for _, r := range doc.References {
		list = append(list, r.Name+" "+place(doc, r.Span))
	}
	return list
}

func TestLinks(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		file, path string
		want       []string
	}{
		{"claude-plugin/linked.json", "p/notes/.claude-plugin/plugin.json", []string{"p/notes/config/servers.json"}},
		{"claude-plugin/list.json", ".claude-plugin/plugin.json", []string{".mcp.json", "more.json"}},
		{"copilot-plugin/plugin.json", "p/.plugin/plugin.json", []string{"p/.mcp.json"}},
	} {
		doc, _ := readSample(t, ix, test.file, test.path)
		var paths []string
		for _, l := range doc.Links {
			paths = append(paths, l.Path)
			assert.Equal(t, byte('"'), doc.File.Bytes[l.Span.Start])
		}
		assert.Equal(t, test.want, paths, test.file)
	}
}

// TestLinkedFile reads a file of servers that a manifest names.
func TestLinkedFile(t *testing.T) {
	ix := NewIndex(All())
	manifest, m := readSample(t, ix, "claude-plugin/linked.json", "p/notes/.claude-plugin/plugin.json")
	followed, ok := ix.Follow(m, manifest.Links[0])
	require.True(t, ok)
	content, err := os.ReadFile(filepath.Join(testdata, "claude-plugin", "bare.json"))
	require.NoError(t, err)
	doc, err := Read(syntax.NewFile(manifest.Links[0].Path, content), followed)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(`
claude-plugin plugin "p/notes" bare claude-code,copilot-cli
3:3 notes file:p/notes/server.js
8:3 tracker url:https://tracker.corp.internal/mcp`), show(doc, followed))
}

func TestInputs(t *testing.T) {
	ix := NewIndex(All())
	for path, want := range map[string]string{
		"vscode/mcp.json":               "token region",
		"vscode/nested.json":            "key",
		"vscode-settings/settings.json": "key",
		"vscode-settings/dotted.json":   "key",
		"visual-studio/mcp.json":        "pat",
	} {
		at := ".vscode/mcp.json"
		if strings.HasPrefix(path, "vscode-settings") {
			at = ".vscode/settings.json"
		}
		doc, _ := readSample(t, ix, path, at)
		var ids []string
		for _, w := range doc.Inputs {
			ids = append(ids, w.Text)
		}
		assert.Equal(t, want, strings.Join(ids, " "), path)
	}
}

func TestRepeats(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		file, path string
		want       []string
	}{
		{"claude-code/repeated.json", ".mcp.json", []string{"A 4:64 4:74 equal", "db 3:5 5:5"}},
		// The editor's own repeated key is not ours.
		{"vscode-settings/settings.json", ".vscode/settings.json", nil},
		{"vscode-settings/dotted.json", ".vscode/settings.json", []string{"mcp.servers 3:3 4:3 equal"}},
	} {
		doc, _ := readSample(t, ix, test.file, test.path)
		var got []string
		for _, r := range doc.Duplicates {
			line := r.Name + " " + place(doc, r.First) + " " + place(doc, r.Again)
			if r.Equal {
				line += " equal"
			}
			got = append(got, line)
		}
		assert.Equal(t, test.want, got, test.file)
	}
}

func TestSurface(t *testing.T) {
	ix := NewIndex(All())
	doc, _ := readSample(t, ix, "vscode/mcp.json", ".vscode/mcp.json")
	assert.Len(t, doc.Surface.Comments, 2)
	assert.NotEmpty(t, doc.Surface.TrailingCommas)
	doc, _ = readSample(t, ix, "claude-code/windows.json", ".mcp.json")
	assert.True(t, doc.Surface.BOM)
}

// TestSilence reads what only looks like ours.
func TestSilence(t *testing.T) {
	ix := NewIndex(All())
	for file, paths := range map[string][]string{
		"silent/translations.json": {"locales/de/mcp.json", "i18n/mcp_config.json"},
		"silent/schema.json":       {"schemas/mcp.json", "schemas/mcp_config.json"},
		"silent/registry.json":     {"mcp-servers.json"},
		"silent/catalogue.json":    {"mcp-servers.json"},
		"silent/names.json":        {"mcp.json", ".vscode/settings.json", ".claude/settings.json"},
		"silent/settings.json":     {".vscode/settings.json", ".gemini/settings.json", ".claude/settings.json", "a.code-workspace"},
		"silent/broken.json":       {".vscode/settings.json", ".gemini/settings.json", "mcp.json", "a.code-workspace"},
	} {
		for _, path := range paths {
			doc, _ := readSample(t, ix, file, path)
			assert.Nil(t, doc, "%s as %s", file, path)
		}
	}
	for path, content := range map[string]string{
		".mcp.json":                    `{}`,
		".cursor/mcp.json":             `[]`,
		".vscode/mcp.json":             `"servers"`,
		".roo/mcp.json":                `{"servers": {}}`,
		".gemini/settings.json":        `{"mcpServers": {}}`,
		"mcp.json":                     `{"mcpServers": {"a": {"enabled": false}}}`,
		".windsurf/mcp.json":           `{"note": "moved to mcpServers"}`,
		".claude/settings.json":        `{"permissions": {"allow": ["mcp__*__*"]}, "enableAllProjectMcpServers": false}`,
		".claude-plugin/plugin.json":   `[]`,
		"mcp.json.example":             "mcpServers: {\"mcpServers\": not JSON",
		"x/.gemini/settings.json":      `{"mcp": {"context7": {"command": "npx"}}}`,
		"claude_desktop_config.x.json": `{"mcpServers": {}}`,
	} {
		doc, err := readText(ix, path, content)
		assert.NoError(t, err, path)
		assert.Nil(t, doc, "%s: %s", path, content)
	}
}

func readText(ix *Index, path, content string) (*mcp.Document, error) {
	m, _ := ix.Lookup(path)
	return Read(syntax.NewFile(path, []byte(content)), m)
}

// TestOneLiners covers shapes that are too small for a file of their own.
func TestOneLiners(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct{ path, content, want string }{
		{".cursor/mcp.json", `{"mcpServers": {}}`, `cursor project "" mcpServers@1:2 cursor`},
		// The wrong key holds something, the right one nothing.
		{".mcp.json", `{"mcpServers": {}, "mcp": {"a": {"command": "uvx", "args": ["a"]}}}`, `claude-code project "" mcp@1:20 claude-code,copilot-cli,visual-studio` + "\n1:28 a pypi:a"},
		{".cursor/mcp.json", `{"mcp-servers": {"a": {"url": "https://a.corp.internal/mcp"}}}`, `cursor project "" mcp-servers@1:2 cursor` + "\n1:18 a url:https://a.corp.internal/mcp"},
		{".vscode/mcp.json", `{"a": {"command": "uvx", "args": ["a"]}}`, `vscode project "" bare vscode` + "\n1:2 a pypi:a"},
		{"mcp.json", `{"mcpServers": {"a": {"command": "sonar"}}}`, `generic generic "" mcpServers@1:2 -` + "\n1:17 a exec:sonar"},
		{"x/mcp.json", `{"amp.mcpServers": {"a": {"url": "https://a.corp.internal/mcp"}}}`, `generic generic "x" amp.mcpServers@1:2 -` + "\n1:21 a url:https://a.corp.internal/mcp"},
		{"mcp.json", `{"mcpServers": {"a": {"url": "$A_URL"}, "b": {"url": "", "type": "http"}}}`, `generic generic "" mcpServers@1:2 -` + "\n1:17 a opaque:${A_URL}\n1:41 b -"},
		// A server called as a root key is.
		{".mcp.json", `{"mcp": {"command": "uvx", "args": ["a"]}}`, `claude-plugin plugin "" bare claude-code,copilot-cli` + "\n1:2 mcp pypi:a"},
		{".cursor/mcp.json", `{"mcpServers": {"a": {"disabled": true}, "b": {"command": null}, "c": 1}}`, `cursor project "" mcpServers@1:2 cursor` + "\n1:42 b -"},
	} {
		m, _ := ix.Lookup(test.path)
		doc, err := readText(ix, test.path, test.content)
		require.NoError(t, err, test.content)
		require.NotNil(t, doc, test.content)
		assert.Equal(t, test.want, show(doc, m), test.content)
	}
}

func TestErrors(t *testing.T) {
	ix := NewIndex(All())
	var syntaxError *syntax.Error
	for _, path := range []string{".mcp.json", ".vscode/mcp.json", ".vscode/settings.json", "mcp.json"} {
		_, err := readText(ix, path, `{"mcpServers": {`)
		assert.ErrorAs(t, err, &syntaxError, path)
	}
	_, err := readText(ix, ".cursor/mcp.json", "")
	assert.ErrorAs(t, err, &syntaxError, "an empty file is not what its client reads")
	_, err = readText(ix, ".claude/settings.json", `{"permissions": ["mcp__a__b"`)
	assert.NoError(t, err, "settings without servers are not ours to judge")

	var limit *syntax.LimitError
	deep := `{"mcpServers":` + strings.Repeat("[", syntax.MaxDepth+1)
	_, err = readText(ix, "mcp.json", deep)
	assert.ErrorAs(t, err, &limit)
	_, err = readText(ix, ".vscode/settings.json", strings.Repeat("[", syntax.MaxDepth+1))
	assert.NoError(t, err)
}

// TestHostileValues puts every kind of value in the place of every value of
// every sample. Nothing may panic, and every span has to lie in the file.
func TestHostileValues(t *testing.T) {
	ix := NewIndex(All())
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(t, err)
		tree, err := syntax.ParseJSON(syntax.NewFile(s.path, content))
		require.NoError(t, err)
		m, _ := ix.Lookup(s.path)
		for _, span := range values(tree.Root, nil) {
			for _, value := range []string{"null", "true", "1", `"x"`, `""`, "[]", "{}", `[{"name":"x","command":[]}]`, `{"x":{"url":{}}}`} {
				changed := string(content[:span.Start]) + value + string(content[span.End:])
				doc, err := Read(syntax.NewFile(s.path, []byte(changed)), m)
				require.NoError(t, err, changed)
				checkSpans(t, doc, changed)
			}
		}
	}
}

// values returns the span of every value of a tree.
func values(n *syntax.Node, spans []syntax.Span) []syntax.Span {
	spans = append(spans, n.Value)
	for _, child := range n.Nodes {
		spans = values(child, spans)
	}
	return spans
}

func checkSpans(t *testing.T, doc *mcp.Document, content string) {
	t.Helper()
	if doc == nil {
		return
	}
	spans := []syntax.Span{doc.Root}
	for _, s := range doc.Servers {
		spans = append(spans, s.NameSpan, s.Span, s.Type.Span, s.Launch.Command.Span, s.Launch.URL.Span)
		for _, w := range s.Launch.Args {
			spans = append(spans, w.Span)
		}
		for _, p := range append(s.Launch.Env, s.Launch.Headers...) {
			spans = append(spans, p.Name.Span, p.Value.Span)
		}
	}
	for _, r := range doc.References {
		spans = append(spans, r.Span)
	}
	for _, l := range doc.Links {
		spans = append(spans, l.Span)
	}
	for _, span := range spans {
		if span.Start < 0 || span.Start > span.End || span.End > len(content) {
			t.Fatalf("span %v is outside of %s", span, content)
		}
	}
}

func FuzzRead(f *testing.F) {
	ix := NewIndex(All())
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(f, err)
		f.Add(s.path, content)
	}
	f.Fuzz(func(t *testing.T, path string, content []byte) {
		doc, err := Read(syntax.NewFile(path, content), ix.Named(path))
		var syntaxError *syntax.Error
		var limit *syntax.LimitError
		if err != nil && !errors.As(err, &syntaxError) && !errors.As(err, &limit) {
			t.Fatal(err)
		}
		checkSpans(t, doc, string(content))
	})
}

func BenchmarkRead(b *testing.B) {
	content := []byte(manyServers(20))
	m, _ := NewIndex(All()).Lookup("app/.cursor/mcp.json")
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(syntax.NewFile("app/.cursor/mcp.json", content), m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse is the part of BenchmarkRead that is not this package's.
func BenchmarkParse(b *testing.B) {
	content := []byte(manyServers(20))
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.ParseJSON(syntax.NewFile("app/.cursor/mcp.json", content)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLookup looks up the paths of a large repository, few of them ours.
func BenchmarkLookup(b *testing.B) {
	ix := NewIndex(All())
	var paths []string
	for i := range 30_000 {
		paths = append(paths, fmt.Sprintf("packages/pkg%d/src/components/File%d.test.ts", i%300, i))
		if i%100 == 0 {
			paths[i] = fmt.Sprintf("packages/pkg%d/package.json", i)
		}
		if i%1000 == 0 {
			paths[i] = fmt.Sprintf("packages/pkg%d/.cursor/mcp.json", i)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range paths {
			ix.Lookup(path)
		}
	}
}

func manyServers(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"mcpServers\": {\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `    "server-%d": {
      "command": "npx",
      "args": ["-y", "@example/mcp-server-%d@1.2.%d", "--root", "${workspaceFolder}/data"],
      "env": { "API_KEY": "${env:API_KEY_%d}", "LOG_LEVEL": "info" }
    }`, i, i, i, i)
	}
	b.WriteString("\n  }\n}\n")
	return b.String()
}
