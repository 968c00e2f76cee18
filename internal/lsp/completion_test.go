package lsp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs is an entry in JSON.
const docs = `"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.2.3"]}`

// TestCompletion checks what is offered at the cursor |, mostly in texts that do not parse yet, and
// that the text parses after a choice.
func TestCompletion(t *testing.T) {
	complete(t, map[string]offered{
		"a member":                  {".vscode/mcp.json", `{"servers": {"x": {|}}}`, []string{"command", "url", "type"}, []string{"mcpServers", "docs"}, ""},
		"in quotes":                 {".vscode/mcp.json", `{"servers": {"x": {"comm|"}}}`, []string{"command"}, nil, `{"servers": {"x": {"command": "$1"}}}`},
		"not twice":                 {".vscode/mcp.json", `{"servers": {"x": {"command": "npx", |}}}`, []string{"args", "env"}, []string{"command", "url", "headers"}, ""},
		"nothing is closed":         {".mcp.json", `{"mcpServers": {"x": {"` + `|`, []string{"command", "env"}, nil, ""},
		"the key before a colon":    {".mcp.json", `{"mcpServers": {"x": {"com|": "npx"}}}`, []string{"command"}, nil, `{"mcpServers": {"x": {"command": "npx"}}}`},
		"words of a type":           {".vscode/mcp.json", `{"servers": {"x": {"type": "|"}}}`, []string{"stdio", "http", "sse"}, nil, `{"servers": {"x": {"type": "stdio"}}}`},
		"a switch":                  {".codeium/x.json", `{|}`, nil, nil, ""},
		"a variable":                {".vscode/mcp.json", `{"servers": {"x": {"command": "x", "env": {"API_KEY": "|"}}}}`, []string{"${env:API_KEY}"}, []string{"${API_KEY}"}, ""},
		"as another client":         {".mcp.json", `{"mcpServers": {"x": {"command": "x", "env": {"API_KEY": "|"}}}}`, []string{"${API_KEY}"}, []string{"${env:API_KEY}"}, ""},
		"a server of another file":  {".mcp.json", `{"mcpServers": {|}}`, []string{"docs"}, []string{"command"}, "{\"mcpServers\": {\"docs\": {\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"@acme/docs@1.2.3\"]\n}}}"},
		"but not one that is there": {".mcp.json", `{"mcpServers": {` + docs + `, |}}`, nil, []string{"docs"}, ""},
		"in a comment":              {".vscode/mcp.json", "{\"servers\": {\n// |\n}}", nil, []string{"docs"}, ""},
		"elsewhere":                 {".claude/settings.json", `{"permissions": {"|"}}`, nil, []string{"command", "docs"}, ""},
		"a setting":                 {".mcplumb.yaml", "rules:\n  unpinned-package: off\n|", []string{"ignore", "exclude"}, []string{"rules"}, ""},
		"a rule":                    {".mcplumb.yaml", "rules:\n  unpinned-package: off\n  ali|", []string{"alias-drift"}, []string{"unpinned-package"}, "rules:\n  unpinned-package: off\n  alias-drift: "},
		"its severity":              {".mcplumb.yaml", "rules:\n  alias-drift: |", []string{"off", "error"}, nil, "rules:\n  alias-drift: off"},
		"a rule to ignore":          {".mcplumb.yaml", "ignore:\n  - rule: |", []string{"alias-drift"}, nil, "ignore:\n  - rule: alias-drift"},
		"a server to ignore":        {".mcplumb.yaml", "ignore:\n  - rule: alias-drift\n    server: |", []string{"docs"}, nil, ""},
		"a path to ignore":          {".mcplumb.yaml", "ignore:\n- rule: alias-drift\n  path: |", []string{".cursor/mcp.json"}, nil, ""},
		"a key of an ignore":        {".mcplumb.yaml", "ignore:\n  - rule: alias-drift\n    |", []string{"path", "reason"}, []string{"rule", "exclude"}, ""},
	})
}

// offered is what is offered at the cursor | in a text, or § where that has a | of its own.
type offered struct {
	file, text string
	want       []string // labels that are among those that are offered
	not        []string
	choose     string // the text when the first of want is chosen, "" for no check
}

// complete checks what is offered in a repository with a file of Cursor that has a server docs.
func complete(t *testing.T, tests map[string]offered) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := connect(t, all, map[string]string{
				".cursor/mcp.json": `{"mcpServers": {` + docs + `}}`,
				".roo/mcp.json":    `{"mcpServers": {"level": {"command": "level", "env": {"LEVEL": "info"}}}}`,
			})
			mark := "|"
			if strings.Contains(test.text, "§") {
				mark = "§"
			}
			before, after, _ := strings.Cut(test.text, mark)
			c.edit(test.file, before+after)
			file := c.open[c.uri(test.file)].file
			answer := call[*completionList](c, "textDocument/completion", map[string]any{
				"textDocument": map[string]any{"uri": c.uri(test.file)}, "position": c.position(file, len(before)),
			})
			byLabel := map[string]completionItem{}
			if answer != nil {
				for _, item := range answer.Items {
					byLabel[item.Label] = item
				}
			}
			for _, want := range test.want {
				assert.Contains(t, byLabel, want)
			}
			for _, not := range test.not {
				assert.NotContains(t, byLabel, not)
			}
			if test.choose == "" {
				return
			}
			require.NotEmpty(t, byLabel)
			e := byLabel[test.want[0]].TextEdit
			// Lines are indented already: an editor that indented them once more would break YAML.
			assert.Equal(t, strings.Contains(e.NewText, "\n"), byLabel[test.want[0]].Mode == isAsIs)
			changed := c.apply(&workspaceEdit{Changes: map[string][]textEdit{c.uri(test.file): {*e}}})
			assert.Equal(t, test.choose, changed[test.file])
		})
	}
}

// TestCompletionFromCatalog checks that the servers of the catalog in the settings are offered with
// their whole entries, and that the catalog rule accepts those.
func TestCompletionFromCatalog(t *testing.T) {
	listing := func(name, of string) string {
		return `{"server": {"name": "dev.acme/` + name + `", ` + of + `}, "_meta": {"io.modelcontextprotocol.registry/official": {"status": "active", "isLatest": true}}}`
	}
	files := map[string]string{
		".mcplumb.yaml": "catalog:\n  approved: site\n",
		"site/v0.1/servers/index.html": `{"servers": [` + strings.Join([]string{
			listing("notes", `"packages": [{"registryType": "npm", "identifier": "@acme/notes", "version": "1.2.3", "environmentVariables": [{"name": "TOKEN"}]}]`),
			listing("wiki", `"remotes": [{"type": "streamable-http", "url": "https://wiki.acme.dev/mcp"}]`),
			listing("docs", `"packages": [{"registryType": "npm", "identifier": "@acme/other", "version": "1.2.3"}]`),
		}, ",") + `], "metadata": {}}`,
		".cursor/mcp.json": `{"mcpServers": {` + docs + `}}`,
	}
	for file, test := range map[string]struct{ text, want string }{
		".mcp.json":          {`{"mcpServers": {|}}`, "{\"mcpServers\": {\"notes\": {\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"@acme/notes@1.2.3\"],\n  \"env\": {\n    \"TOKEN\": \"${TOKEN}\"\n  }\n}}}"},
		".vscode/mcp.json":   {`{"servers": {|}}`, "{\"servers\": {\"notes\": {\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"@acme/notes@1.2.3\"],\n  \"env\": {\n    \"TOKEN\": \"${env:TOKEN}\"\n  }\n}}}"},
		".codex/config.toml": {"[|]\n", "[mcp_servers.notes]\ncommand = \"npx\"\nargs = [\"-y\", \"@acme/notes@1.2.3\"]\nenv_vars = [\"TOKEN\"]\n"},
	} {
		t.Run(file, func(t *testing.T) {
			c := connect(t, all, files)
			before, after, _ := strings.Cut(test.text, "|")
			c.edit(file, before+after)
			byLabel := map[string]completionItem{}
			for _, item := range call[*completionList](c, "textDocument/completion", map[string]any{
				"textDocument": map[string]any{"uri": c.uri(file)}, "position": c.position(c.open[c.uri(file)].file, len(before)),
			}).Items {
				byLabel[item.Label] = item
			}
			assert.Equal(t, "npm:@acme/notes, from the catalog site", byLabel["notes"].Detail)
			assert.Contains(t, byLabel, "wiki")
			assert.Contains(t, byLabel["docs"].Detail, "as in .cursor/mcp.json", "one of the repository comes first")
			now := c.apply(&workspaceEdit{Changes: map[string][]textEdit{c.uri(file): {*byLabel["notes"].TextEdit}}})[file]
			assert.Equal(t, test.want, now)
			for _, d := range c.edit(file, now) {
				assert.NotEqual(t, "unapproved-server", d.Code)
			}
		})
	}
}
