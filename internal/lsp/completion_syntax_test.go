package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// TestCompletionInEveryFormat checks for every file that entries are written into that a whole
// server is offered where its servers are, and that a client reads it from there.
func TestCompletionInEveryFormat(t *testing.T) {
	const other = ".other/mcp.json"
	index := format.Known()
	document, err := format.Read(syntax.NewFile(other, []byte(`{"mcpServers": {`+docs+`}}`)), index.Named(other))
	require.NoError(t, err)
	tested := map[notation]int{}
	for _, f := range format.All() {
		for _, file := range f.Paths {
			file = strings.ReplaceAll(strings.ReplaceAll(file, "**", "x"), "*", "x")
			target, ok := writing.OwnTarget(index, file)
			if !ok || target.Match.Format != f {
				continue
			}
			server, entry := target.Alone(target.Entry(document.Servers[0]))
			if server == nil {
				continue // not as a file that holds no other
			}
			text := server.Document.File.Text()
			n, _, _ := notationOf(server.Document.File, f)
			start, end := entry.Key.Start, entry.Value.End
			switch {
			case n == inTOML:
				start, end = 0, len(text)
			case entry.Key.IsZero():
				start = entry.Value.Start
			}
			t.Run(f.Name+" "+file, func(t *testing.T) {
				c := connect(t, all, map[string]string{"mcp-config.json": `{"mcpServers": {` + docs + `}}`})
				c.edit(file, text[:start]+text[end:])
				answer := call[*completionList](c, "textDocument/completion", map[string]any{
					"textDocument": map[string]any{"uri": c.uri(file)}, "position": c.position(c.open[c.uri(file)].file, start),
				})
				require.NotNil(t, answer)
				i := slices.IndexFunc(answer.Items, func(i completionItem) bool { return i.Label == "docs" })
				require.GreaterOrEqual(t, i, 0, "%s: %+v", text[:start]+"|"+text[end:], answer.Items)
				now := c.apply(&workspaceEdit{Changes: map[string][]textEdit{c.uri(file): {*answer.Items[i].TextEdit}}})[file]
				read, err := format.Read(syntax.NewFile(file, []byte(now)), target.Match)
				require.NoError(t, err, now)
				require.NotNil(t, read, now)
				require.Len(t, read.Servers, 1, now)
				assert.Equal(t, server.Identity.String(), read.Servers[0].Identity.String())
				assert.Equal(t, server.Name, read.Servers[0].Name)
			})
			tested[n]++
		}
	}
	assert.Greater(t, min(tested[inTOML], tested[inYAML], tested[inJSON]), 4)
}

// TestCompletionInTOML checks what is offered at the cursor | in files of clients that write TOML,
// most of them half-written.
func TestCompletionInTOML(t *testing.T) {
	const codex, vibe = ".codex/config.toml", ".vibe/config.toml"
	const docs = "[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"@acme/docs@1.2.3\"]"
	complete(t, map[string]offered{
		"a member":                          {codex, "[mcp_servers.x]\n|", []string{"command", "bearer_token_env_var"}, []string{"mcp_servers", "docs"}, "[mcp_servers.x]\ncommand = \"$1\""},
		"partly typed":                      {codex, "[mcp_servers.x]\nboo = 1\ncomm|\nargs = []\n", []string{"command"}, []string{"args"}, "[mcp_servers.x]\nboo = 1\ncommand = \"$1\"\nargs = []\n"},
		"a list and a table":                {codex, "[mcp_servers.x]\ncommand = \"npx\"\n|", []string{"args", "env"}, []string{"command", "url"}, "[mcp_servers.x]\ncommand = \"npx\"\nargs = [$1]"},
		"not a table that exists":           {codex, "[mcp_servers.x]\ncommand = \"npx\"\n|\n[mcp_servers.x.env]\nA = \"b\"\n", []string{"args"}, []string{"env"}, ""},
		"the key of a value":                {codex, "[mcp_servers.x]\ncom| = \"npx\"\n", []string{"command"}, nil, "[mcp_servers.x]\ncommand = \"npx\"\n"},
		"with dots":                         {codex, "mcp_servers.x.|", []string{"command"}, []string{"docs"}, "mcp_servers.x.command = \"$1\""},
		"in an inline table":                {codex, "mcp_servers.x = { command = \"npx\", | }", []string{"args"}, []string{"command", "docs"}, "mcp_servers.x = { command = \"npx\", args = [$1] }"},
		"after a list that is not closed":   {codex, "[mcp_servers.x]\nargs = [\"-y\", \n[mcp_servers.y]\n|", []string{"command", "args"}, nil, ""},
		"after a text of several lines":     {codex, "notes = \"\"\"\n[mcp_servers.z]\n\"\"\"\n[mcp_servers.x]\n|", []string{"command"}, nil, ""},
		"in a text of several lines":        {codex, "notes = \"\"\"\n[mcp_servers.x]\n|\n\"\"\"\n", nil, []string{"command"}, ""},
		"in a comment":                      {codex, "[mcp_servers.x]\n# |", nil, []string{"command"}, ""},
		"a boolean":                         {codex, "[mcp_servers.x]\nenabled = |", []string{"false", "true"}, []string{"command"}, "[mcp_servers.x]\nenabled = false"},
		"a word":                            {codex, "[mcp_servers.x]\ndefault_tools_approval_mode = |", []string{"prompt"}, nil, "[mcp_servers.x]\ndefault_tools_approval_mode = \"prompt\""},
		"a word in quotes":                  {codex, "[mcp_servers.x]\ndefault_tools_approval_mode = \"pr|\"", []string{"prompt"}, nil, "[mcp_servers.x]\ndefault_tools_approval_mode = \"prompt\""},
		"no variables, which Codex has not": {codex, "[mcp_servers.x]\ncommand = \"x\"\n[mcp_servers.x.env]\nAPI_KEY = |", nil, []string{"${API_KEY}", "${env:API_KEY}"}, ""},
		"the root key in a header":          {codex, "[|", []string{"mcp_servers"}, nil, "[mcp_servers"},
		"a table in a header":               {codex, "[mcp_servers.x.|]", []string{"env"}, []string{"command", "docs"}, "[mcp_servers.x.env]"},
		"a whole server":                    {codex, "model = \"o4\"\n|", []string{"docs"}, nil, "model = \"o4\"\n" + docs},
		"in a header":                       {codex, "[mcp_servers.do|]\n", []string{"docs"}, nil, docs + "\n"},
		"in a header that begins":           {codex, "[mcp|", []string{"docs"}, nil, docs},
		"but not one that exists":           {codex, docs + "\n\n[mcp_servers.|]", nil, []string{"docs"}, ""},
		"nor as a value":                    {codex, "model = |", nil, []string{"docs", "command"}, ""},
		"in a list of tables":               {vibe, "[[mcp_servers]]\nname = \"a\"\ncommand = \"b\"\n\n[[mcp_servers]]\n|", []string{"command"}, []string{"mcp_servers"}, ""},
		"a whole server of a list":          {vibe, "[[|", []string{"docs"}, nil, "[[mcp_servers]]\nname = \"docs\"\ntransport = \"stdio\"\ncommand = \"npx\"\nargs = [\"-y\", \"@acme/docs@1.2.3\"]"},
	})
}

// TestCompletionInYAML does so for clients that write YAML.
func TestCompletionInYAML(t *testing.T) {
	const goose, list, hermes = ".goose/config.yaml", ".continue/mcpServers/x.yaml", ".hermes/config.yaml"
	complete(t, map[string]offered{
		"a member":                     {goose, "extensions:\n  x:\n    |", []string{"cmd", "envs", "type"}, []string{"extensions", "docs"}, "extensions:\n  x:\n    cmd: $1"},
		"partly typed":                 {goose, "extensions:\n  x:\n    cm|\n    args: []\n  y:\n    uri: z\n", []string{"cmd"}, []string{"args"}, "extensions:\n  x:\n    cmd: $1\n    args: []\n  y:\n    uri: z\n"},
		"an object":                    {goose, "extensions:\n  x:\n    cmd: npx\n    |", []string{"envs"}, []string{"cmd", "uri"}, "extensions:\n  x:\n    cmd: npx\n    envs:\n      $1"},
		"in brackets":                  {goose, "extensions:\n  x: {cmd: npx, |}", []string{"envs"}, []string{"cmd", "docs"}, "extensions:\n  x: {cmd: npx, envs: {$1}}"},
		"in brackets never closed":     {goose, "extensions:\n  x: {cmd: npx, \n  y:\n    |", []string{"cmd"}, nil, ""},
		"after a text":                 {goose, "extensions:\n  x:\n    description: |-\n      cmd: no\n    §", []string{"cmd"}, []string{"description"}, ""},
		"in a text":                    {goose, "extensions:\n  x:\n    description: |-\n      a\n      §", nil, []string{"cmd"}, ""},
		"in a comment":                 {goose, "extensions:\n  x:\n    # |", nil, []string{"cmd"}, ""},
		"the key before a colon":       {goose, "extensions:\n  x:\n    cm|: npx\n", []string{"cmd"}, nil, "extensions:\n  x:\n    cmd: npx\n"},
		"words of a type":              {goose, "extensions:\n  x:\n    type: |\n", []string{"stdio", "streamable_http"}, []string{"cmd"}, "extensions:\n  x:\n    type: stdio\n"},
		"in quotes":                    {goose, "extensions:\n  x:\n    type: \"std|\"\n", []string{"stdio"}, nil, "extensions:\n  x:\n    type: stdio\n"},
		"a boolean":                    {goose, "extensions:\n  x:\n    enabled: t|", []string{"true", "false"}, nil, "extensions:\n  x:\n    enabled: true"},
		"a whole server":               {goose, "extensions:\n  |", []string{"docs"}, []string{"cmd"}, "extensions:\n  docs:\n    type: stdio\n    cmd: npx\n    args:\n      - \"-y\"\n      - \"@acme/docs@1.2.3\"\n    name: docs\n    enabled: true"},
		"but not one that exists":      {goose, "extensions:\n  docs:\n    cmd: npx\n  |", nil, []string{"docs"}, ""},
		"the root key":                 {goose, "ext|", []string{"extensions"}, nil, "extensions:\n  $1"},
		"a member of an element":       {list, "name: x\nmcpServers:\n  - name: y\n    |", []string{"command", "env"}, []string{"name"}, ""},
		"the first one":                {list, "name: x\nmcpServers:\n- |", []string{"command"}, nil, "name: x\nmcpServers:\n- command: $1"},
		"a whole element":              {list, "mcpServers:\n  - |", []string{"docs"}, nil, "mcpServers:\n  - name: docs\n    command: npx\n    args:\n      - \"-y\"\n      - \"@acme/docs@1.2.3\""},
		"a whole element and its dash": {list, "mcpServers:\n  |", []string{"docs"}, nil, "mcpServers:\n  - name: docs\n    command: npx\n    args:\n      - \"-y\"\n      - \"@acme/docs@1.2.3\""},
		"a variable":                   {hermes, "mcp_servers:\n  x:\n    command: x\n    env:\n      API_KEY: |", []string{"${API_KEY}"}, []string{"${env:API_KEY}"}, "mcp_servers:\n  x:\n    command: x\n    env:\n      API_KEY: \"${API_KEY}\""},
		"an element of a list":         {hermes, "mcp_servers:\n  x:\n    command: x\n    args:\n      - |\n    env:\n      API_KEY: x\n", []string{"${LEVEL}"}, []string{"args", "command"}, ""},
		"two keys deep":                {"fastagent.config.yaml", "mcp:\n  servers:\n    x:\n      transport: |", []string{"stdio", "http"}, nil, ""},
		"in front matter":              {".claude/agents/x.md", "---\nname: x\nmcpServers:\n  y:\n    |\n---\nText.\n", []string{"command"}, nil, ""},
		"after it":                     {".claude/agents/x.md", "---\nname: x\n---\n|\n", nil, []string{"command", "mcpServers"}, ""},
	})
}
