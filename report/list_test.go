package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

func server(name string) *mcp.Server {
	return &mcp.Server{Name: name, NameSpan: syntax.Span{Start: 1, End: 2}, Identity: identity.Identity{Kind: identity.NPM, Name: name}}
}

// repoOf returns a repository of one file with the servers.
func repoOf(servers ...*mcp.Server) *mcp.Repo {
	d := &mcp.Document{
		File: syntax.NewFile("a/.mcp.json", []byte("{\n}")), Format: "claude-code", Scope: mcp.ScopeProject,
		RootKey: "mcpServers",
		Clients: []*mcp.Client{reader("claude-code", "mcpServers"), reader("copilot-cli", "mcpServers"), reader("visual-studio", "servers")},
		Servers: servers,
	}
	p := &mcp.Project{Dir: "a", Documents: []*mcp.Document{d}}
	d.Project = p
	for _, s := range servers {
		s.Document = d
	}
	return &mcp.Repo{Projects: []*mcp.Project{p}}
}

// reader is a client that loads the servers under a root key of .mcp.json.
func reader(id, root string) *mcp.Client {
	return &mcp.Client{ID: id, FileFacts: mcp.FileFacts{Files: []mcp.Reading{{Format: "claude-code", Roots: []string{root}}}}}
}

// listed is a repository as the formats of list see it, for those that compare, with every
// file next to an empty one.
func listed(repo *mcp.Repo) *view.View {
	run := view.Run{Repo: repo}
	for _, p := range repo.Projects {
		run.Groups = append(run.Groups, nextToNothing(p.Documents[0]))
	}
	return view.New(run)
}

// nextToNothing is a file that another one must match, which does not exist.
func nextToNothing(d *mcp.Document) *mcp.Group {
	file, other := &mcp.GroupFile{Path: d.File.Path, Document: d}, &mcp.GroupFile{Path: d.File.Path + ".other"}
	g := &mcp.Group{Dir: d.Project.Dir, Source: file, Files: []*mcp.GroupFile{file, other}}
	for _, s := range d.Servers {
		row := &mcp.GroupRow{Name: s.Name, Server: s}
		row.Cells = []*mcp.Cell{
			{Row: row, File: file, Server: s, State: mcp.Differs, Differences: []mcp.Difference{
				{Field: mcp.FieldVariable, Name: s.Name, Span: s.NameSpan},
			}},
			{Row: row, File: other, State: mcp.Missing},
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func TestList(t *testing.T) {
	pinned := server("short")
	pinned.Identity = identity.Identity{
		Kind: identity.NPM, Name: "@scope/name", Selector: []string{"mcp"}, Launcher: "npx", Transport: "stdio",
		Version: identity.Version{Kind: identity.Exact, Text: "1.2.3"},
	}
	pinned.Launch.Env = []identity.Pair{{Name: identity.Word{Text: "API_KEY"}, Value: identity.Word{Text: "secret"}}}
	wide := server("日本語")
	wide.Identity = identity.Identity{}
	wide.SwitchOffElsewhere()
	repo := repoOf(pinned, wide)

	var text bytes.Buffer
	require.NoError(t, listText(&text, listed(repo), Options{}))
	assert.Equal(t, `NAME               IDENTITY             VERSION  CLIENTS                  PLACE
short              npm:@scope/name mcp  1.2.3    claude-code,copilot-cli  a/.mcp.json:1
日本語 (disabled)  -                    -        claude-code,copilot-cli  a/.mcp.json:1
`, text.String())

	text.Reset()
	require.NoError(t, ListJSON(&text, listed(repo)))
	assert.JSONEq(t, `{"version":1,"servers":[
{"name":"short","identity":"npm:@scope/name","kind":"npm","package":"@scope/name","selector":["mcp"],"version":"1.2.3",
 "purl":"`+identity.Purl(&pinned.Identity)+`",
 "clients":["claude-code","copilot-cli"],"format":"claude-code","scope":"project","project":"a",
 "path":"a/.mcp.json","line":1,"column":2,"transport":"stdio","launcher":"npx","disabled":false,"env":["API_KEY"]},
{"name":"日本語","clients":["claude-code","copilot-cli"],"format":"claude-code","scope":"project","project":"a",
 "path":"a/.mcp.json","line":1,"column":2,"disabled":true}]}`, text.String())

	text.Reset()
	require.NoError(t, listText(&text, listed(&mcp.Repo{}), Options{}))
	assert.Equal(t, "no MCP servers found\n", text.String())
}

// TestListNamesBridgesAndThisMachine shows what is between a client and a server, and this
// machine as the file names it: identities have one name for it.
func TestListNamesBridgesAndThisMachine(t *testing.T) {
	bridged, local := server("bridged"), server("local")
	bridged.Identity = identity.Identity{
		Kind: identity.URL, Name: "https://mcp.example.com/mcp", Bridge: &identity.Bridge{Source: identity.NPM, Name: "mcp-remote"}}
	hidden := server("hidden")
	hidden.Identity = identity.Identity{Bridge: &identity.Bridge{Source: identity.NPM, Name: "mcp-remote"}}
	local.Launch.URL = identity.Word{Text: "http://127.0.0.1:3845/mcp"}
	local.Identity = identity.Identity{Kind: identity.URL, Name: "http://localhost:3845/mcp"}
	var text bytes.Buffer
	require.NoError(t, listText(&text, listed(repoOf(bridged, local, hidden)), Options{}))
	assert.Regexp(t, "hidden   through mcp-remote +-  ", text.String())
	assert.Contains(t, text.String(), "bridged  url:https://mcp.example.com/mcp (through mcp-remote)  -")
	assert.Regexp(t, "local    url:http://127.0.0.1:3845/mcp +-  ", text.String())
	text.Reset()
	require.NoError(t, listMarkdown(&text, listed(repoOf(bridged, local, hidden))))
	assert.Contains(t, text.String(), "| `through mcp-remote` |")
	assert.Contains(t, text.String(), "| `url:https://mcp.example.com/mcp (through mcp-remote)` |")
	assert.Contains(t, text.String(), "| `url:http://127.0.0.1:3845/mcp` |")
	text.Reset()
	require.NoError(t, ListJSON(&text, listed(repoOf(local))))
	assert.Contains(t, text.String(), `"identity": "url:http://localhost:3845/mcp"`, "programs compare identities")
}

// lock adds a lockfile with one entry per server to a repository, each under
// its name with "locked-" before it.
func lock(repo *mcp.Repo, entries ...*mcp.LockEntry) {
	p := repo.Projects[0]
	doc := &mcp.Document{
		File: syntax.NewFile("a/mcp-tap.lock", []byte("{\n\n}")), Format: "mcp-tap", Tool: mcp.ToolOf("mcp-tap"), Scope: mcp.ScopeLock,
		Lock: &mcp.Lock{Entries: entries}, Project: p,
	}
	for _, e := range entries {
		e.Document, e.NameSpan = doc, syntax.Span{Start: 2, End: 3}
	}
	p.Documents = append(p.Documents, doc)
	link.Relate(repo)
}

func exact(version string) identity.Version {
	return identity.Version{Kind: identity.Exact, Text: version}
}

func TestMarkdownCells(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"vercel", "`vercel`"},
		{"a|b", "`a\\|b`"},
		{`a\|b`, "`a\\\\x7cb`"}, // \\| would be an escaped backslash and the end of the cell
		{"||", "`\\|\\|`"},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{"``` x", "```` ``` x ````"},
		{" x ", "`  x  `"},
		{"a\nb", "`a\\nb`"},
		{"<b>[x](y) @me #1 https://h.test", "`<b>[x](y) @me #1 https://h.test`"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, codeCell(terminal.Escape(tt.text)), "%q", tt.text)
	}
}

func TestListMarkdown(t *testing.T) {
	off := server("a|b")
	off.SwitchOffElsewhere()
	repo := repoOf(server("x"), off)
	for _, c := range repo.Projects[0].Documents[0].Clients {
		c.Title = strings.ToUpper(c.ID)
	}
	var out bytes.Buffer
	require.NoError(t, listMarkdown(&out, listed(repo)))
	assert.Equal(t, "| Name | Identity | Version | Clients | Place |\n"+
		"| --- | --- | --- | --- | --- |\n"+
		"| `x` | `npm:x` |  | CLAUDE-CODE, COPILOT-CLI | `a/.mcp.json:1` |\n"+
		"| `a\\|b` (disabled) | `npm:a\\|b` |  | CLAUDE-CODE, COPILOT-CLI | `a/.mcp.json:1` |\n", out.String())

	out.Reset()
	require.NoError(t, listMarkdown(&out, listed(&mcp.Repo{})))
	assert.Equal(t, "no MCP servers found\n", out.String())
}

// TestListShowsTheLock holds that what a server is locked as is in every format
// (R0.5).
func TestListShowsTheLock(t *testing.T) {
	repo := repoOf(server("pkg"), server("other"))
	lock(repo, &mcp.LockEntry{
		Name: "locked-pkg",
		Target: mcp.Target{
			Identity:   identity.Identity{Kind: identity.NPM, Name: "pkg", Version: exact("2.0.0")},
			Repository: "https://github.com/acme/pkg", RegistryType: "npm",
		},
		Pin: mcp.Pin{Version: identity.Word{Text: "2.0.0"}, Integrity: identity.Word{Text: "sha256-" + strings.Repeat("AB", 32)}},
	})
	for _, f := range ListFormats() {
		if f.Compares {
			continue // files of clients side by side, locked or not
		}
		var out bytes.Buffer
		require.NoError(t, f.Write(&out, listed(repo), Options{}))
		assert.Contains(t, out.String(), "a/mcp-tap.lock", f.Name)
	}

	var out bytes.Buffer
	require.NoError(t, listText(&out, listed(repo), Options{}))
	assert.Equal(t, `NAME   IDENTITY   VERSION  CLIENTS                  PLACE          LOCK                    INTEGRITY             SOURCE
pkg    npm:pkg    -        claude-code,copilot-cli  a/.mcp.json:1  a/mcp-tap.lock:2 (npm)  sha256-ABABABABABAB…  https://github.com/acme/pkg
other  npm:other  -        claude-code,copilot-cli  a/.mcp.json:1  -                       -                     -
`, out.String())

	c := bom(t, repo)["components"].([]any)[1].(map[string]any)
	assert.Equal(t, "npm:pkg@2.0.0", c["bom-ref"])
	assert.Equal(t, "pkg:npm/pkg@2.0.0", c["purl"], "what is locked is what runs")
	assert.Equal(t, []any{map[string]any{"alg": "SHA-256", "content": strings.Repeat("ab", 32)}}, c["hashes"])
	assert.Equal(t, []any{map[string]any{"type": "vcs", "url": "https://github.com/acme/pkg"}}, c["externalReferences"])
}

// bom writes a repository as CycloneDX and reads it back.
func bom(t *testing.T, repo *mcp.Repo) map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, listCycloneDX(&out, view.New(view.Run{Repo: repo, Tool: view.Tool{Name: "mcplumb", Version: "1.2.3"}})))
	var value map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &value))
	return value
}

// TestBillOfMaterials holds which entries become one component, and under which
// version.
func TestBillOfMaterials(t *testing.T) {
	with := func(name string, id identity.Identity) *mcp.Server {
		s := server(name)
		s.Identity = id
		return s
	}
	npm := func(version identity.Version) identity.Identity {
		return identity.Identity{Kind: identity.NPM, Name: "@s/n", Version: version}
	}
	tag := identity.Version{Kind: identity.Tag, Text: "latest"}
	bridged := identity.Identity{
		Kind: identity.URL, Name: "https://h.test/mcp",
		Bridge: &identity.Bridge{Name: "mcp-remote", Source: identity.NPM, Version: exact("0.1.15")},
	}
	repo := repoOf(
		with("pinned", npm(exact("1.0.0"))), with("again", npm(exact("1.0.0"))), with("newer", npm(exact("2.0.0"))),
		with("newest", npm(tag)), with("any", npm(identity.Version{})),
		with("image", identity.Identity{Kind: identity.OCI, Name: "ghcr.io/o/r", Version: identity.Version{Kind: identity.Tag, Text: "v1"}}),
		with("native", identity.Identity{Kind: identity.URL, Name: "https://h.test/mcp"}), with("bridged", bridged),
		with("variable", identity.Identity{Kind: identity.URL, Name: "https://${HOST}/mcp"}),
		with("placeholder", identity.Identity{}),
	)
	var refs, purls []string
	got := bom(t, repo)
	for _, part := range append(got["components"].([]any), got["services"].([]any)...) {
		p := part.(map[string]any)
		purl, _ := p["purl"].(string)
		refs, purls = append(refs, p["bom-ref"].(string)), append(purls, purl)
	}
	assert.Equal(t, []string{
		"npm:@s/n", "npm:@s/n@1.0.0", "npm:@s/n@2.0.0", "npm:mcp-remote@0.1.15", "oci:ghcr.io/o/r@v1",
		"url:https://${HOST}/mcp", "url:https://h.test/mcp",
	}, refs)
	assert.Equal(t, []string{
		"pkg:npm/%40s/n", "pkg:npm/%40s/n@1.0.0", "pkg:npm/%40s/n@2.0.0", "pkg:npm/mcp-remote@0.1.15",
		"pkg:oci/r?repository_url=ghcr.io%2Fo%2Fr&tag=v1", "", "",
	}, purls)

	unpinned := got["components"].([]any)[0].(map[string]any)
	assert.Equal(t, "@s", unpinned["group"])
	assert.Equal(t, "n", unpinned["name"])
	assert.Nil(t, unpinned["version"], "a tag is no version")
	assert.Contains(t, unpinned["properties"], map[string]any{"name": "mcplumb:requested", "value": "latest"})
	assert.Contains(t, unpinned["properties"], map[string]any{"name": "mcplumb:name", "value": "any"})
	assert.Contains(t, unpinned["properties"], map[string]any{"name": "mcplumb:path", "value": "a/.mcp.json:1"})
	bridge := got["components"].([]any)[3].(map[string]any)
	assert.Contains(t, bridge["properties"], map[string]any{"name": "mcplumb:role", "value": "bridge"})
	image := got["components"].([]any)[4].(map[string]any)
	assert.Equal(t, "container", image["type"])

	variable, service := got["services"].([]any)[0].(map[string]any), got["services"].([]any)[1].(map[string]any)
	assert.Nil(t, variable["endpoints"], "no URL")
	assert.Equal(t, []any{"https://h.test/mcp"}, service["endpoints"])
	assert.Contains(t, service["properties"], map[string]any{"name": "mcplumb:bridge", "value": "mcp-remote"})
	assert.Nil(t, got["serialNumber"])
	assert.NotContains(t, got["metadata"], "timestamp")
}

// TestDistinct holds that a list without repeats keeps its order, however long it
// gets.
func TestDistinct(t *testing.T) {
	var d distinct[int]
	var want []int
	for i := range 3 * fewValues {
		want = append(want, i)
		for _, again := range []int{i, i, i / 2, 0} {
			d.add(again)
		}
		assert.Equal(t, want, d.list)
	}
}

func TestPlainURL(t *testing.T) {
	tests := []struct{ text, want string }{
		{"https://h.test/mcp", "https://h.test/mcp"},
		{"https://user:pass@h.test/a b?q=1#f", "https://h.test/a%20b"},
		{"https://h.test/${X}", "https://h.test/$%7BX%7D"},
		{"https://${HOST}/x", ""},
		{"https://h.test/[x]", ""},
		{"git@github.com:o/r.git", ""},
		{"../x", ""},
		{"", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, plainURL(tt.text), tt.text)
	}
}

// TestListHidesSecrets holds that no format of list shows a credential, wherever it is.
func TestListHidesSecrets(t *testing.T) {
	token := "ghp_" + "Zk3vQ8mX1nB5tR7wY2pL" + "6sD9fG4hJ0cV8uEa"
	s := server(token)
	s.Identity.Selector, s.Identity.Version = []string{token}, exact(token)
	repo := repoOf(s)
	lock(repo, &mcp.LockEntry{
		Name:   token,
		Target: mcp.Target{Identity: s.Identity, Repository: "https://h.test/" + token},
		Pin:    mcp.Pin{Version: identity.Word{Text: token}, Integrity: identity.Word{Text: token}},
	})
	for _, f := range ListFormats() {
		var out bytes.Buffer
		require.NoError(t, f.Write(&out, listed(repo), Options{}))
		assert.NotContains(t, out.String(), token, f.Name)
	}
}

func TestMapText(t *testing.T) {
	tests := []struct{ text, want string }{
		{"vercel-mcp", "vercel-mcp"},
		{".cursor/mcp.json", "#46;cursor/mcp.json"},
		{"npm:@s/n_x", "npm#58;#64;s/n_x"},
		{`a"] --> b["`, "a#34;#93;#32;#45;#45;#62;#32;b#91;#34;"},
		{"`x`", "#96;x#96;"},
		{"<b>&#60;", "#60;b#62;#38;#35;60#59;"},
		{"%%{init: {}}%%", "#37;#37;#123;init#58;#32;#123;#125;#125;#37;#37;"},
		{"1. x", "1#46;#32;x"},
		{"www.h.test", "www#46;h.test"},
		{"ﬂ°°60¶ßx", "#92;ufb02#176;#176;60#92;u00b6ßx"}, // how Mermaid writes &#60; itself
		{"$$x$$", "#36;#92;x24x#36;#92;x24"},             // a formula, even from entities
		{"fa:fa-x", "fa#92;x3afa-x"},                     // an icon, even from entities
		{"日本 😀", "日本#32;#128512;"},
		{"a\nb\x1b", `a#92;nb#92;x1b`},
		{strings.Repeat("x", 100), strings.Repeat("x", 79) + "#8230;"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, mapText(view.NewText(tt.text)), "%q", tt.text)
	}
}

// identityMapOf draws the map of a repository.
func identityMapOf(t *testing.T, repo *mcp.Repo, limit int, findings ...rule.Finding) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, writeMap(&out, view.New(view.Run{Repo: repo, Findings: findings}), limit))
	require.LessOrEqual(t, out.Len(), limit)
	return out.String()
}

// found is a finding of a rule at a server's name.
func found(id string, s *mcp.Server) rule.Finding {
	return rule.Finding{Rule: &rule.Rule{ID: id}, File: s.Document.File, Span: s.NameSpan}
}

func TestMap(t *testing.T) {
	same, off, placeholder := server("two"), server("off"), server("later")
	same.Identity = identity.Identity{Kind: identity.NPM, Name: "one"}
	same.NameSpan = syntax.Span{Start: 2, End: 3}
	off.SwitchOffElsewhere()
	placeholder.Identity = identity.Identity{}
	repo := repoOf(server("one"), same, off, placeholder)
	lock(repo, &mcp.LockEntry{Name: "one", Target: mcp.Target{Identity: identity.Identity{Kind: identity.NPM, Name: "one"}}})

	assert.Equal(t, `flowchart LR
  n0["one<br>a/.mcp.json<br>a/mcp-tap.lock"]
  n1["two<br>a/.mcp.json"]:::drift
  n2["off<br>a/.mcp.json"]:::off
  n3["later<br>a/.mcp.json"]
  s0(["npm#58;one"])
  s1(["npm#58;off"])
  n0 --> s0
  n1 -- alias-drift --> s0
  n2 --> s1
`+mapStyles, identityMapOf(t, repo, mapLimit, found("name-conflict", same), found("alias-drift", same), found("unpinned-package", off)))

	assert.Equal(t, "flowchart LR\n  none[\"no MCP servers found\"]\n", identityMapOf(t, &mcp.Repo{}, mapLimit))
}

// TestMapOfSeveralDirectories holds that names are grouped where there is more
// than one directory.
func TestMapOfSeveralDirectories(t *testing.T) {
	repo, other := repoOf(server("x")), repoOf(server("x"))
	other.Projects[0].Dir = ""
	repo.Projects = append(other.Projects, repo.Projects...)
	assert.Equal(t, `flowchart LR
  subgraph p0["/"]
  n0["x<br>a/.mcp.json"]
  end
  subgraph p1["a/"]
  n1["x<br>#46;mcp.json"]
  end
  s0(["npm#58;x"])
  n0 --> s0
  n1 --> s0
`+mapStyles, identityMapOf(t, repo, mapLimit))
}

// TestMapIsBounded holds that a large map says what it leaves out, and leaves
// out what nothing was found about first.
func TestMapIsBounded(t *testing.T) {
	var servers []*mcp.Server
	for i := range 2000 {
		s := server(fmt.Sprintf("server-%d%s", i, strings.Repeat("|", 200)))
		s.NameSpan = syntax.Span{}
		servers = append(servers, s)
	}
	last := servers[len(servers)-1]
	last.NameSpan = syntax.Span{Start: 1, End: 2}
	for _, limit := range []int{2000, 5000, mapLimit, 1 << 20} {
		text := identityMapOf(t, repoOf(servers...), limit, found("alias-drift", last))
		names, edges := strings.Count(text, "[\"server"), strings.Count(text, " --> ")
		assert.Contains(t, text, fmt.Sprintf("%d more names not shown", len(servers)-edges))
		assert.Equal(t, 2*edges, names+strings.Count(text, "([\"npm#58;server"), "%d: every name has its server", limit)
		assert.LessOrEqual(t, edges, maxEdges)
		assert.Contains(t, text, ":::drift")
	}
}

// TestListFitsTheTerminal leaves out columns, those that say least first, and cuts the middle of long
// cells.
func TestListFitsTheTerminal(t *testing.T) {
	rows := [][]string{
		{"NAME", "IDENTITY", "VERSION", "CLIENTS", "PLACE", "LOCK", "SOURCE"},
		{"docs", "url:https://mcp.acme.dev/docs/v1/mcp (through mcp-remote)", "1.2.3", "claude-code,copilot-cli", "services/documentation/.mcp.json:3", "mcp-tap.lock", "https://github.com/acme/docs"},
	}
	for width, want := range map[int]struct {
		row     string
		dropped []string
	}{
		0:   {strings.Join(rows[1], "|"), nil},
		300: {strings.Join(rows[1], "|"), nil},
		150: {"docs|url:https://mcp.acme.dev/docs/v1/mcp (through mcp-remote)|1.2.3|claude-code,copilot-cli|services/documentation/.mcp.json:3|mcp-tap.lock", []string{"SOURCE"}},
		80:  {"docs|url:https://mcp.acme…p (through mcp-remote)|1.2.3|services/…mcp.json:3", []string{"SOURCE", "CLIENTS", "LOCK"}},
		60:  {"docs|url:https://mcp.a…through mcp-remote)|servic…p.json:3", []string{"SOURCE", "CLIENTS", "LOCK", "VERSION"}},
	} {
		fitted, dropped := fitColumns(rows, width)
		assert.Equal(t, want.row, strings.Join(fitted[1], "|"), width)
		assert.Equal(t, want.dropped, dropped, width)
		if width > 0 {
			assert.LessOrEqual(t, tableWidth(fitted), width)
		}
	}
}
