package writing

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// targets returns every file of a project directory that servers may be written
// into, for every client that reads it.
func targets(ix *format.Index, dir string) []Target {
	var all []Target
	for _, f := range format.All() {
		path := strings.ReplaceAll(f.Paths[0], "*", "x")
		if dir != "" {
			path = dir + "/" + path
		}
		for _, c := range mcp.Readers(f.Name) {
			if t, ok := TargetOf(ix, path, c); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// begun are files without servers, of formats whose files need more than those.
func begun(format string) string {
	switch format {
	case "goose-recipe":
		return "title: Review\ninstructions: Read the change.\n"
	}
	return ""
}

// written returns an entry read again from a file that holds no other.
func written(t *testing.T, target Target, e Entry) (*mcp.Document, string) {
	t.Helper()
	changes, file := []edit.Change{target.Create(e)}, syntax.NewFile(target.Path, []byte(begun(target.Match.Format.Name)))
	if len(file.Bytes) > 0 {
		tree, err := target.Match.Format.Parse(&syntax.Parser{}, file)
		require.NoError(t, err)
		changes = target.Within(file, tree).InsertAt(e, edit.Where{})
	}
	edits, err := edit.Lower(changes)
	require.NoError(t, err, "%s for %s", target.Path, target.Client.ID)
	text := string(edit.Apply(file.Bytes, edits))
	doc, err := format.Read(syntax.NewFile(target.Path, []byte(text)), target.Match)
	require.NoError(t, err, text)
	require.NotNil(t, doc, "%s is not read:\n%s", target.Path, text)
	return doc, text
}

// holdLaw checks the law of entries: an entry that is written for a client and read again is
// equal to the server, except for the reported losses. It returns the entry that was read if
// nothing is lost.
func holdLaw(t *testing.T, target Target, s *mcp.Server) *mcp.Server {
	t.Helper()
	e := target.Entry(s)
	if e.Value.Kind == syntax.Null {
		require.NotEmpty(t, e.Losses, "%s cannot be written for %s, without a reason", s.Name, target.Client.ID)
		return nil
	}
	doc, text := written(t, target, e)
	require.Len(t, doc.Servers, 1, "%s for %s:\n%s", target.Path, target.Client.ID, text)
	for _, r := range doc.Refusals {
		if r.Reason == mcp.OnlySSE {
			continue // the address is as doubtful in the server's own file
		}
		isOthers := len(r.Clients) > 0 && !slices.Contains(r.Clients, target.Client)
		assert.True(t, isOthers || len(e.Losses) > 0 && r.Tool != "", "%s refuses what is written for it:\n%s", target.Client.ID, text)
	}
	read := doc.Servers[0]
	level := sameness.Compare(s.Resolved(), read.Resolved())
	isEqual := level == sameness.Equal || s.Identity.Kind == identity.None && read.Identity.Kind == identity.None
	if len(e.Losses) > 0 {
		return nil
	}
	assert.True(t, isEqual, "level %d: %s of %s for %s\n%s\n%+v\n%+v", level, s.Name, s.Document.File.Path, target.Client.ID, text,
		s.Resolved().Config(), read.Resolved().Config())
	assert.Equal(t, s.Name, read.Name, "%s for %s", s.Document.File.Path, target.Client.ID)
	assert.Equal(t, s.IsOff(), read.IsOff(), "%s of %s for %s", s.Name, s.Document.File.Path, target.Client.ID)
	assert.Empty(t, unexpanded(s, read, target.Client), "%s for %s:\n%s", s.Document.File.Path, target.Client.ID, text)
	return read
}

// unexpanded returns the variables that a server's own client expands and the one
// it is written for does not.
func unexpanded(s, read *mcp.Server, c *mcp.Client) []string {
	from := writtenFor(s.Document)
	if from == nil || s.Identity.Bridge != nil || len(s.Resolved().Parts().Lines) > 0 {
		return nil // mcp-remote and shells expand by themselves
	}
	meant := map[string]bool{}
	for _, ref := range references(s) {
		meant[ref.Name] = from.In(s.Document.Format).Expands(ref.Syntax)
	}
	var left []string
	for _, ref := range references(read) {
		_, isPath := read.Document.Context.PathVariable(ref, "")
		if meant[ref.Name] && !isPath && !c.In(read.Document.Format).Expands(ref.Syntax) {
			left = append(left, ref.Name)
		}
	}
	return left
}

// references returns the references of a launch that are in its file as they are.
func references(s *mcp.Server) []secret.Ref {
	l := &s.Launch
	words := append([]identity.Word{l.Command, l.URL, l.Cwd}, l.Args...)
	for _, pair := range slices.Concat(l.Env, l.Headers) {
		words = append(words, pair.Value)
	}
	var refs []secret.Ref
	for _, w := range words {
		for ref, ok := secret.NextReference(w.Text, 0); ok; ref, ok = secret.NextReference(w.Text, ref.End) {
			if strings.Contains(string(s.Document.File.Bytes[w.Span.Start:w.Span.End]), w.Text[ref.Start:ref.End]) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// TestEntriesOfSamples checks the law of entries for every server of the samples, and every
// client.
func TestEntriesOfSamples(t *testing.T) {
	ix := format.Known()
	read := 0
	for _, f := range format.All() {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "formats", f.Name, "*"))
		require.NoError(t, err)
		for _, file := range files {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			path := "web/" + placeFor(f, filepath.Ext(file))
			m, _ := ix.Lookup(path)
			doc, err := format.Read(syntax.NewFile(path, content), m)
			require.NoError(t, err)
			if doc == nil {
				continue // a name of its own says what this sample is
			}
			read++
			for _, target := range targets(ix, m.Dir) {
				for _, s := range doc.Servers {
					holdLaw(t, target, s)
				}
			}
		}
	}
	require.Greater(t, read, 100)
}

// placeFor returns a path of a format, with an extension if one has it.
func placeFor(f *shape.Format, ext string) string {
	i := max(0, slices.IndexFunc(f.Paths, func(p string) bool { return filepath.Ext(p) == ext }))
	return strings.ReplaceAll(f.Paths[i], "*", "x")
}

// random returns a file of a client with servers of random launches, in syntax that its client
// has.
func random(r *rand.Rand, path string, servers int) string {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	variable, folder, root := "${%s}", "", "mcpServers"
	if path != ".mcp.json" {
		variable, folder, root = "${env:%s}", "${workspaceFolder}/", "servers"
	}
	ref := func(name string) string { return fmt.Sprintf(variable, name) }
	value := func() string {
		return pick("plain", "", "two words", ref("HOST"), "a-"+ref("NAME")+"-b", ref("HOME")+"/x", "./data", folder+"data", "ünï \"quoted\" \\ end", "$5", "100%", "#x")
	}
	pairs := func(names ...string) edit.Value {
		object := edit.Object()
		for _, name := range names[:r.IntN(len(names)+1)] {
			object.Members = append(object.Members, edit.Member{Name: name, Value: edit.String(pick(value(), ref(name)))})
		}
		return object
	}
	all := edit.Object()
	for i := range servers {
		entry := edit.Object()
		add := func(name string, v edit.Value) {
			entry.Members = append(entry.Members, edit.Member{Name: name, Value: v})
		}
		if r.IntN(3) == 0 {
			add("type", edit.String(pick("http", "sse")))
			add("url", edit.String("https://hub.corp.internal/"+pick("mcp", "sse", ref("TENANT")+"/mcp", "mcp?project="+ref("PROJECT"))))
			headers := pairs("X-Team", "X-Zone")
			headers.Members = append(headers.Members, edit.Member{Name: "Authorization", Value: edit.String("Bearer " + ref("TOKEN"))})
			add("headers", headers)
		} else {
			launch := strings.Fields(pick("npx -y docs-mcp@1.0.0", "uvx mcp-server-git", "node "+folder+"tools/s.js", "docker run -i --rm ghcr.io/acme/mcp", "./bin/serve", "deno run x.ts",
				"npx mcp-remote https://hub.corp.internal/sse"))
			add("command", edit.String(launch[0]))
			args := edit.Strings(launch[1:]...)
			for range r.IntN(3) {
				args.Elements = append(args.Elements, edit.String(pick("--flag", "--root="+folder+"docs", value())))
			}
			add("args", args)
			add("env", pairs("TOKEN", "MODE", "LEVEL"))
		}
		all.Members = append(all.Members, edit.Member{Name: fmt.Sprintf("%s-%d", pick("docs", "Team hub", "a.b/c", "日本"), i), Value: entry})
	}
	edits, err := edit.Lower([]edit.Change{edit.Create(path, edit.Object(edit.Member{Name: root, Value: all}))})
	if err != nil {
		panic(err)
	}
	return edits[0].New
}

// TestEntriesOfRandomLaunches checks the law for random launches, there and back again.
func TestEntriesOfRandomLaunches(t *testing.T) {
	const seed, servers = 7, 20
	ix := format.Known()
	for _, path := range []string{".mcp.json", ".vscode/mcp.json"} {
		m, _ := ix.Lookup(path)
		doc, err := format.Read(syntax.NewFile(path, []byte(random(rand.New(rand.NewPCG(seed, 0)), path, servers))), m)
		require.NoError(t, err)
		require.Len(t, doc.Servers, servers)
		home, ok := TargetOf(ix, path, doc.Clients[0])
		require.True(t, ok)
		for _, s := range doc.Servers {
			for _, target := range targets(ix, "") {
				there := holdLaw(t, target, s)
				if there == nil {
					continue
				}
				if back := holdLaw(t, home, there); back != nil {
					assert.Equal(t, sameness.Equal, sameness.Compare(s.Resolved(), back.Resolved()), "%s by %s", s.Name, target.Client.ID)
				}
			}
		}
	}
}

// entryOf returns the only server of a file as an entry of another file, which
// belongs to the client that it is made for.
func entryOf(t *testing.T, from, text, to string) (Target, Entry) {
	t.Helper()
	ix := format.Known()
	m, ok := ix.Lookup(from)
	require.True(t, ok, from)
	doc, err := format.Read(syntax.NewFile(from, []byte(text)), m)
	require.NoError(t, err)
	require.Len(t, doc.Servers, 1)
	m, ok = ix.Lookup(to)
	require.True(t, ok, to)
	target, ok := TargetOf(ix, to, m.Readers()[0])
	require.True(t, ok, to)
	return target, target.Entry(doc.Servers[0])
}

// plainly writes a value as JSON does, in one line.
func plainly(v edit.Value) string {
	switch v.Kind {
	case syntax.Object:
		parts := make([]string, len(v.Members))
		for i, m := range v.Members {
			parts[i] = strconv.Quote(m.Name) + ": " + plainly(m.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case syntax.Array:
		parts := make([]string, len(v.Elements))
		for i, e := range v.Elements {
			parts[i] = plainly(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case syntax.String:
		return strconv.Quote(v.Text)
	case syntax.Null:
		return "null"
	}
	return v.Text
}

const (
	claudeProgram = `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${LEVEL}"], "env": {"TOKEN": "${TOKEN}"}}}}`
	claudeAddress = `{"mcpServers": {"hub": {"type": "http", "url": "https://hub.corp.internal/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Team": "docs"}}}}`
	vscodeProgram = `{"servers": {"docs": {"command": "node", "args": ["${workspaceFolder}/tools/s.js"], "cwd": "${workspaceFolder}/tools", "env": {"TOKEN": "${input:token}"}}}}`
)

// TestEntriesInTheWordsOfClients shows one server in the syntax of many clients, and what each of
// them cannot express. The syntax is that of docs/clients.md.
func TestEntriesInTheWordsOfClients(t *testing.T) {
	type losses = []mcp.Loss
	for _, c := range []struct {
		from, text, to, want string
		losses               losses
	}{
		{".mcp.json", claudeProgram, ".vscode/mcp.json",
			`{"command": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${env:LEVEL}"], "env": {"TOKEN": "${env:TOKEN}"}}`, nil},
		{".mcp.json", claudeProgram, "opencode.json", // one list, and a type
			`{"type": "local", "command": ["npx", "-y", "docs-mcp@1.0.0", "--level={env:LEVEL}"], "environment": {"TOKEN": "{env:TOKEN}"}}`, nil},
		{".mcp.json", claudeProgram, ".continue/mcpServers/docs.yaml", // a list of entries with names
			`{"name": "docs", "command": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${{ secrets.LEVEL }}"], "env": {"TOKEN": "${{ secrets.TOKEN }}"}}`, nil},
		{".mcp.json", claudeProgram, ".codex/config.toml", // no variables among arguments; names of those that are handed on
			`{"command": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${LEVEL}"], "env_vars": ["TOKEN"]}`,
			losses{{Reason: mcp.NotExpanded, Name: "LEVEL"}}},
		{".mcp.json", claudeProgram, ".goose/config.yaml", // a name and a switch that serde requires
			`{"type": "stdio", "cmd": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${LEVEL}"], "name": "docs", "enabled": true}`,
			losses{{Reason: mcp.MayNotExpand, Name: "LEVEL"}, {Reason: mcp.MayNotExpand, Name: "TOKEN"}}},
		{".mcp.json", claudeProgram, "claude_desktop_config.json",
			`{"command": "npx", "args": ["-y", "docs-mcp@1.0.0", "--level=${LEVEL}"]}`,
			losses{{Reason: mcp.NotExpanded, Name: "LEVEL"}, {Reason: mcp.NotExpanded, Name: "TOKEN"}}},

		{".mcp.json", claudeAddress, ".gemini/settings.json", // the member's name says the transport
			`{"httpUrl": "https://hub.corp.internal/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Team": "docs"}}`, nil},
		{".mcp.json", claudeAddress, ".roo/mcp.json",
			`{"type": "streamable-http", "url": "https://hub.corp.internal/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}", "X-Team": "docs"}}`, nil},
		{".mcp.json", claudeAddress, ".continue/mcpServers/hub.yaml",
			`{"name": "hub", "type": "streamable-http", "url": "https://hub.corp.internal/mcp", "requestOptions": {"headers": {"Authorization": "Bearer ${{ secrets.TOKEN }}", "X-Team": "docs"}}}`, nil},
		{".mcp.json", claudeAddress, ".codex/config.toml",
			`{"url": "https://hub.corp.internal/mcp", "bearer_token_env_var": "TOKEN", "http_headers": {"X-Team": "docs"}}`,
			losses{{Reason: mcp.NotSaid, Name: "http"}}},
		{".mcp.json", claudeAddress, "opencode.json",
			`{"type": "remote", "url": "https://hub.corp.internal/mcp", "headers": {"Authorization": "Bearer {env:TOKEN}", "X-Team": "docs"}}`,
			losses{{Reason: mcp.NotSaid, Name: "http"}}},
		{".mcp.json", claudeAddress, "config.toml", // OpenHands: a token, no other header, no name
			`{"url": "https://hub.corp.internal/mcp", "api_key": "${TOKEN}"}`,
			losses{{Reason: mcp.MayNotExpand, Name: "TOKEN"}, {Reason: mcp.NoHeaders, Name: "X-Team"}, {Reason: mcp.NoName, Name: "hub"}}},
		{".mcp.json", claudeAddress, "claude_desktop_config.json", `null`, losses{{Reason: mcp.NoAddress}}},
		{"opencode.json", `{"mcp": {"hub": {"type": "remote", "url": "https://hub.corp.internal/mcp", "headers": {"X-Key": "{env:KEY}"}}}}`, ".warp/.mcp.json",
			`{"url": "https://hub.corp.internal/mcp", "headers": {"X-Key": "${KEY}"}}`, // only opencode expands {env:KEY}
			losses{{Reason: mcp.MayNotExpand, Name: "KEY"}}},

		// Paths and prompts of VS Code.
		{".vscode/mcp.json", vscodeProgram, ".mcp.json",
			`{"command": "node", "args": ["./tools/s.js"], "env": {"TOKEN": "${TOKEN}"}}`,
			losses{{Reason: mcp.NoDirectory}, {Reason: mcp.NotAsked, Name: "token"}}},
		{".vscode/mcp.json", vscodeProgram, ".roo/mcp.json",
			`{"command": "node", "args": ["${workspaceFolder}/tools/s.js"], "env": {"TOKEN": "${env:TOKEN}"}, "cwd": "${workspaceFolder}/tools"}`,
			losses{{Reason: mcp.NotAsked, Name: "token"}}},
		{".vscode/mcp.json", vscodeProgram, ".codex/config.toml",
			`{"command": "node", "args": ["../tools/s.js"], "env_vars": ["TOKEN"], "cwd": "./tools"}`,
			losses{{Reason: mcp.NotAsked, Name: "token"}}},

		{".vscode/mcp.json", `{"servers": {"docs": {"command": "docs", "envFile": "${workspaceFolder}/.env"}}}`, ".devcontainer/devcontainer.json",
			`{"command": "docs", "envFile": "${workspaceFolder}/.env"}`, nil},
		{".vscode/mcp.json", `{"servers": {"docs": {"command": "docs", "envFile": "${workspaceFolder}/.env"}}}`, ".mcp.json",
			`{"command": "docs"}`, losses{{Reason: mcp.NoMember, Name: "envFile"}}},
		{"web/.vscode/mcp.json", `{"servers": {"docs": {"command": "npx", "args": ["docs"], "envFile": "./.env"}}}`, ".devcontainer/devcontainer.json",
			`{"command": "npx", "args": ["docs"], "envFile": "./.env"}`, losses{{Reason: mcp.OtherStart}}},

		{"web/.roo/mcp.json", `{"mcpServers": {"docs": {"command": "node", "cwd": "tools"}}}`, ".vscode/mcp.json",
			`{"command": "node", "cwd": "web/tools"}`, nil},
		// MCPorter starts programs in the directory of its file: npm mcporter 0.12.3,
		// dist/config-normalize.js.
		{".mcp.json", `{"mcpServers": {"docs": {"command": "node", "args": ["tools/s.js", "--root=${PWD}/docs"]}}}`, "config/mcporter.json",
			`{"command": "node", "args": ["tools/s.js", "--root=./docs"], "cwd": ".."}`, nil},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp"]}}}`, "config/mcporter.json",
			`{"command": "npx", "args": ["-y", "docs-mcp"]}`, nil},
		{"config/mcporter.json", `{"mcpServers": {"docs": {"command": "node", "args": ["../tools/s.js"]}}}`, ".vscode/mcp.json",
			`{"command": "node", "args": ["../tools/s.js"], "cwd": "config"}`, nil},
		{"config/mcporter.json", `{"mcpServers": {"docs": {"command": "node", "args": ["../tools/s.js"]}}}`, ".mcp.json",
			`{"command": "node", "args": ["../tools/s.js"]}`, losses{{Reason: mcp.OtherStart}}},
		{"config/mcporter.json", `{"mcpServers": {"docs": {"command": "node", "args": ["tools/s.js"], "cwd": ".."}}}`, ".mcp.json",
			`{"command": "node", "args": ["tools/s.js"]}`, nil},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "docs", "env": {"CLAUDE_PROJECT_DIR": "${CLAUDE_PROJECT_DIR}"}}}}`, ".codex/config.toml",
			`{"command": "docs", "env": {"CLAUDE_PROJECT_DIR": "."}}`, nil},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "docs", "args": ["--authorization", "ghp_` + strings.Repeat("aB3", 12) + `"]}}}`, ".cursor/mcp.json",
			`{"command": "docs", "args": ["--authorization", "${env:AUTHORIZATION}"]}`, losses{{Reason: mcp.SecretLeftOut, Name: "AUTHORIZATION"}}},

		{".mcp.json", `{"mcpServers": {"docs": {"command": " ", "args": ["x"]}}}`, ".cursor/mcp.json", `null`, losses{{Reason: mcp.NoTarget}}},

		// Names, switches, transports, texts.
		{".mcp.json", `{"mcpServers": {"a b": {"command": "docs"}}}`, ".codex/config.toml",
			`{"command": "docs"}`, losses{{Reason: mcp.NoName, Name: "a b"}}},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs", "disabled": true}}}`, ".codex/config.toml",
			`{"command": "docs", "enabled": false}`, nil},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs", "disabled": true}}}`, ".mcp.json",
			`{"command": "docs"}`, losses{{Reason: mcp.NoSwitch}}},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs", "args": [], "disabled": true}}}`, "recipe.yaml",
			`{"name": "docs", "type": "stdio", "cmd": "docs", "args": []}`, losses{{Reason: mcp.NoSwitch}}},
		{".mcp.json", `{"mcpServers": {"live": {"type": "ws", "url": "wss://live.corp.internal/mcp"}}}`, "crush.json",
			`null`, losses{{Reason: mcp.NotSpoken, Name: "ws"}}},
		{".mcp.json", `{"mcpServers": {"old": {"type": "sse", "url": "https://old.corp.internal/sse"}}}`, ".goose/config.yaml",
			`{"type": "sse", "uri": "https://old.corp.internal/sse", "name": "old", "description": "", "enabled": true}`, losses{{Reason: mcp.NotSpoken, Name: "sse"}}},
		{".codex/config.toml", "[mcp_servers.hub]\nurl = \"https://hub.corp.internal/mcp\"\n", ".mcp.json",
			`{"type": "http", "url": "https://hub.corp.internal/mcp"}`, losses{{Reason: mcp.Chosen, Name: "http"}}},
		{".cursor/mcp.json", `{"mcpServers": {"old": {"url": "https://old.corp.internal/sse"}}}`, ".mcp.json", // as its address ends
			`{"type": "sse", "url": "https://old.corp.internal/sse"}`, losses{{Reason: mcp.Chosen, Name: "sse"}}},
		{".cursor/mcp.json", `{"mcpServers": {"old": {"url": "https://old.corp.internal/sse"}}}`, "recipe.yaml", // Goose does not speak SSE
			`{"name": "old", "type": "streamable_http", "uri": "https://old.corp.internal/sse", "description": ""}`, losses{{Reason: mcp.Chosen, Name: "streamable_http"}, {Reason: mcp.NotSpoken, Name: "sse"}}},
		{".cursor/mcp.json", `{"mcpServers": {"https://old.corp.internal/sse": {"url": "https://old.corp.internal/sse"}}}`, "config.toml", // the name that it has there
			`{"url": "https://old.corp.internal/sse"}`, losses{{Reason: mcp.Chosen, Name: "sse_servers"}}},
		{"crush.json", `{"mcp": {"docs": {"type": "stdio", "command": "docs"}}}`, ".mcp.json", // a type that Crush requires
			`{"command": "docs"}`, nil},
		{".vscode/mcp.json", `{"servers": {"docs": {"type": "stdio", "command": "docs"}}}`, ".mcp.json", // one that a person wanted
			`{"type": "stdio", "command": "docs"}`, nil},
		{".codex/config.toml", "[mcp_servers.docs]\ncommand = \"docs\"\nargs = [\"${NOT_EXPANDED}\"]\n", ".mcp.json",
			`{"command": "docs", "args": ["${NOT_EXPANDED}"]}`, losses{{Reason: mcp.WouldExpand, Name: "${NOT_EXPANDED}"}}},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "docs", "env": {"MODE": "${MODE:-fast}"}}}}`, ".cursor/mcp.json",
			`{"command": "docs", "env": {"MODE": "${env:MODE}"}}`, losses{{Reason: mcp.NoDefault, Name: "MODE"}}},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "bash", "args": ["-c", "X=1 exec docs ${X}"]}}}`, ".vscode/mcp.json", // the shell's own
			`{"command": "bash", "args": ["-c", "X=1 exec docs ${X}"]}`, nil},
		{".idx/mcp.json", `{"mcpServers": {"docs": {"command": "npx -y docs-mcp"}}}`, ".vscode/mcp.json", // no shell splits it there
			`{"command": "npx", "args": ["-y", "docs-mcp"]}`, nil},
		{".idx/mcp.json", `{"mcpServers": {"docs": {"command": "docker run -i --pull=always acme/docs"}}}`, ".mcp.json",
			`{"command": "docker", "args": ["run", "-i", "--pull=always", "acme/docs"]}`, nil},
		{".mcp.json", `{"mcpServers": {"pml": {"command": "pml", "args": ["stdio"]}}}`, ".pml.json", // which does not start itself
			`null`, losses{{Reason: mcp.NoName, Name: "pml"}}},
		{".mcp.json", `{"mcpServers": {"docs": {"command": "node", "args": ["./s.js"]}}}`, "claude_desktop_config.json",
			`{"command": "node", "args": ["./s.js"]}`, losses{{Reason: mcp.NoProject}}},
	} {
		_, e := entryOf(t, c.from, c.text, c.to)
		assert.Equal(t, c.want, plainly(e.Value), "%s for %s", c.from, c.to)
		for i := range e.Losses {
			e.Losses[i].Span = syntax.Span{}
		}
		assert.Equal(t, c.losses, e.Losses, "%s for %s", c.from, c.to)
	}
}

// TestEntriesHoldNoCredential plants tokens in every part of an entry.
func TestEntriesHoldNoCredential(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE6", 6)
	for _, text := range []string{
		`{"mcpServers": {"gh": {"command": "gh-mcp", "args": ["--token", "` + token + `"]}}}`,
		`{"mcpServers": {"gh": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": "` + token + `"}}}}`,
		`{"mcpServers": {"gh": {"type": "http", "url": "https://hub.corp.internal/mcp?key=` + token + `"}}}`,
		`{"mcpServers": {"gh": {"type": "http", "url": "https://hub.corp.internal/mcp", "headers": {"Authorization": "Bearer ` + token + `"}}}}`,
	} {
		for _, to := range []string{".vscode/mcp.json", ".codex/config.toml", "librechat.yaml"} {
			_, e := entryOf(t, ".mcp.json", text, to)
			written := plainly(e.Value)
			assert.False(t, strings.Contains(written, token), "%s has the credential", to)
			lost := slices.ContainsFunc(e.Losses, func(l mcp.Loss) bool { return l.Reason == mcp.SecretLeftOut })
			assert.True(t, lost, "no loss reports that a credential is missing in %s", to)
		}
	}
	_, e := entryOf(t, ".mcp.json", `{"mcpServers": {"gh": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": "`+token+`"}}}}`, ".vscode/mcp.json")
	assert.Equal(t, `{"command": "gh-mcp", "env": {"GITHUB_TOKEN": "${env:GITHUB_TOKEN}"}}`, plainly(e.Value))
}

// TestInsertIntoFiles shows where an entry goes in existing files.
func TestInsertIntoFiles(t *testing.T) {
	const asked = `{"servers": {"docs": {"command": "docs", "env": {"A": "${input:a}"}}}}`
	const off = `{"mcpServers": {"docs": {"command": "docs", "disabled": true}}}`
	for _, c := range []struct{ from, text, to, file, want string }{
		{".vscode/mcp.json", asked, ".vscode/mcp.json", "{\n  // ours\n  \"inputs\": [],\n  \"servers\": {}\n}\n", "{\n  // ours\n  \"inputs\": [\n    {\n      \"type\": \"promptString\",\n      \"id\": \"a\",\n      \"description\": \"A\",\n      \"password\": true\n    }\n  ],\n  \"servers\": {\n    \"docs\": {\n      \"command\": \"docs\",\n      \"env\": {\n        \"A\": \"${input:a}\"\n      }\n    }\n  }\n}\n"},
		{".roo/mcp.json", off, "opencode.json", `{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}}}}`,
			`{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}, "docs": {"type": "local", "command": ["docs"], "disabled": true}}}}`},
		{".roo/mcp.json", off, ".codex/config.toml", "model = \"x\"\n\n[mcp_servers.a]\ncommand = \"a\"\n",
			"model = \"x\"\n\n[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\nenabled = false\n"},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, ".vibe/config.toml", "[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"a\"\n",
			"[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"a\"\n\n[[mcp_servers]]\nname = \"docs\"\ntransport = \"stdio\"\ncommand = \"docs\"\n"},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, ".continue/mcpServers/a.yaml", "name: a\nmcpServers:\n  - name: a\n    command: a # ours\n",
			"name: a\nmcpServers:\n  - name: a\n    command: a # ours\n  - name: docs\n    command: docs\n"},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, ".amp/settings.json", `{"amp.theme": "dark"}`,
			`{"amp.theme": "dark", "amp.mcpServers": {"docs": {"command": "docs"}}}`},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, ".vscode/settings.json", `{"mcp.servers": {"a": {"command": "a"}}}`,
			`{"mcp.servers": {"a": {"command": "a"}, "docs": {"command": "docs"}}}`},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, ".github/mcp.json", `{"a": {"command": "a"}}`,
			`{"a": {"command": "a"}, "docs": {"command": "docs"}}`},
		{".roo/mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`, "librechat.yaml", "version: 1\nmcpServers:\n",
			"version: 1\nmcpServers:\n  docs:\n    type: stdio\n    command: docs\n    args: []\n"},
	} {
		target, _ := entryOf(t, c.from, c.text, c.to)
		file := syntax.NewFile(c.to, []byte(c.file))
		tree, err := target.Match.Format.Parse(&syntax.Parser{}, file)
		require.NoError(t, err)
		target = target.Within(file, tree)
		m, _ := format.Known().Lookup(c.from)
		doc, err := format.Read(syntax.NewFile(c.from, []byte(c.text)), m)
		require.NoError(t, err)
		edits, err := edit.Lower(target.InsertAt(target.Entry(doc.Servers[0]), edit.Where{}))
		require.NoError(t, err, c.to)
		assert.Equal(t, c.want, string(edit.Apply(file.Bytes, edits)), c.to)
	}
}

// TestNewFiles shows what a new file must have next to its servers for its client to load them.
func TestNewFiles(t *testing.T) {
	const text = `{"mcpServers": {"docs": {"command": "docs"}}}`
	for to, want := range map[string]string{
		".continue/mcpServers/team.yaml": "name: team\nversion: \"0.0.1\"\nschema: v1\nmcpServers:\n  - name: docs\n    command: docs\n",
		"librechat.yaml":                 "version: \"1.3.17\"\nmcpServers:\n  docs:\n    type: stdio\n    command: docs\n    args: []\n",
		".cursor/mcp.json":               "{\n  \"mcpServers\": {\n    \"docs\": {\n      \"command\": \"docs\"\n    }\n  }\n}\n",
	} {
		target, e := entryOf(t, ".roo/mcp.json", text, to)
		assert.Equal(t, want, fileOf(t, target, []Entry{e}))
	}
}

// TestFilesThatAreNotWritten shows files into which no client's entry goes.
func TestFilesThatAreNotWritten(t *testing.T) {
	ix := format.Known()
	for path, client := range map[string]string{
		".claude-plugin/plugin.json":       "claude-code", // a manifest
		"plugins/notes/.mcp.json":          "claude-code", // a plugin's
		".mcp.json":                        "copilot-cli", // Claude Code's first
		".claude/agents/reviewer.md":       "claude-code", // a page with front matter
		".continue/mcpServers/copied.json": "continue",    // in the syntax of any client
		"agent.yaml":                       "holodeck",    // requires a description
		".cursor/mcp.json":                 "codex",       // not its file
		"mcp-tap.lock":                     "claude-code", // a lockfile
		"README.md":                        "claude-code", // of no client
		".claude/settings.json":            "claude-code", // switches
		"claude_desktop_config.json":       "claude-code", // another one's
		".ruler/mcp.json":                  "agents",      // a generator's
	} {
		_, ok := TargetOf(ix, path, mcp.ClientByID(client))
		assert.False(t, ok, "%s of %s", path, client)
	}
	for _, path := range []string{".mcp.json", ".vs/mcp.json", ".codex/config.toml", "crush.json"} {
		m, _ := ix.Lookup(path)
		_, ok := TargetOf(ix, path, m.Readers()[0])
		assert.True(t, ok, path)
	}
}
