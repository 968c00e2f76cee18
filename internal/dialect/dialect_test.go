package dialect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

func dialectOf(id, format string) dialect.Dialect { return dialect.For(mcp.ClientByID(id), format) }

// TestVariable: each client writes a variable in its own words, and none writes what is no
// name of a variable, or a name that a client fills in.
func TestVariable(t *testing.T) {
	for _, test := range []struct{ client, format, name, variable, credential string }{
		{"claude-code", "claude-code", "TOKEN", "${TOKEN}", "${TOKEN}"},
		{"vscode", "vscode", "TOKEN", "${env:TOKEN}", "${env:TOKEN}"},
		{"opencode", "opencode", "TOKEN", "{env:TOKEN}", "{env:TOKEN}"},
		{"codex", "codex", "TOKEN", "", ""},
		{"copilot-agent", "copilot-agent", "COPILOT_MCP_TOKEN", "${COPILOT_MCP_TOKEN}", "${COPILOT_MCP_TOKEN}"},
		{"claude-code", "claude-code", "ProgramFiles(x86)", "", ""},
		{"claude-code", "claude-code", "1ST", "", ""},
		{"claude-code", "claude-code", "", "", ""},
		{"cursor", "cursor", "workspaceFolder", "", ""},
		{"claude-code", "claude-code", "PWD", "${PWD}", "${PWD}"},
	} {
		d := dialectOf(test.client, test.format)
		assert.Equal(t, test.variable, d.Variable(test.name), "%s: %s", test.client, test.name)
		assert.Equal(t, test.credential, d.Credential(test.name), "%s: %s", test.client, test.name)
	}
}

// TestWithDefault: Claude Code takes a default as a shell does, Cursor none at all.
func TestWithDefault(t *testing.T) {
	claude, cursor := dialectOf("claude-code", "claude-code"), dialectOf("cursor", "cursor")
	assert.Equal(t, "${PORT:-80}", claude.WithDefault("PORT", "80"))
	assert.True(t, claude.TakesDefaults())
	assert.Empty(t, cursor.WithDefault("PORT", "80"))
	assert.False(t, cursor.TakesDefaults())
}

// TestExpansion: the expansion of a reference depends on the client, and there is nothing to report
// for a client whose expansion is not known.
func TestExpansion(t *testing.T) {
	inputs := map[string]bool{"token": true}
	for _, test := range []struct {
		client, format, text string
		want                 dialect.Expansion
	}{
		{"claude-code", "claude-code", "${TOKEN}", dialect.Expands},
		{"claude-code", "claude-code", "${env:TOKEN}", dialect.LeavesAsIs},
		{"cursor", "cursor", "${TOKEN}", dialect.LeavesAsIs},
		{"cursor", "cursor", "${env:TOKEN}", dialect.Expands},
		{"cursor", "cursor", "${title}", dialect.MayExpand},         // a template of the server's own
		{"cursor", "cursor", "${workspaceFolder}", dialect.Expands}, // a directory that it fills in
		{"claude-code", "claude-code", "${workspaceFolder}", dialect.LeavesAsIs},
		{"vscode", "vscode", "${input:token}", dialect.Expands},
		{"vscode", "vscode", "${input:other}", dialect.LeavesAsIs}, // not declared: it is never asked for
		{"amazon-q", "amazon-q", "${TOKEN}", dialect.LeavesAsIs},   // client.rs, 2026-04-23
		{"amp", "amp", "${env:TOKEN}", dialect.MayExpand},          // that is not known
		{"claude-code", "claude-code", "${TOKEN-x}", dialect.LeavesAsIs},
		{"claude-code", "claude-code", "${TOKEN:-x}", dialect.Expands},
		{"claude-code", "claude-code", "${TOKEN:-${B}}", dialect.LeavesAsIs},
		{"claude-code", "claude-code", "${CLAUDE_PROJECT_DIR}", dialect.LeavesAsIs},
		{"claude-code", "claude-code", "${CLAUDE_PROJECT_DIR:-.}", dialect.Expands},
		{"gemini-cli", "gemini", "${CLAUDE_PROJECT_DIR:-.}", dialect.MayExpand}, // a variable that may be set
		{"codex", "codex", "${CLAUDE_PROJECT_DIR:-.}", dialect.LeavesAsIs},
		{"qwen", "qwen", "${CLAUDE_PROJECT_DIR:-.}", dialect.LeavesAsIs}, // takes no default
		{"claude-code", "claude-code", "${ TOKEN }", dialect.LeavesAsIs},
		{"claude-code", "claude-code", "${ title }", dialect.MayExpand},
	} {
		ref, ok := secret.WholeReference(test.text)
		require.True(t, ok, test.text)
		assert.Equal(t, test.want, dialectOf(test.client, test.format).Expansion(ref, inputs), "%s: %s", test.client, test.text)
	}
}

// TestDefaults: a default that a client does not take is lost, and one behind a colon alone
// is meant where the client takes one as a shell does.
func TestDefaults(t *testing.T) {
	ref := func(text string) secret.Ref {
		ref, ok := secret.WholeReference(text)
		require.True(t, ok, text)
		return ref
	}
	claude, cursor := dialectOf("claude-code", "claude-code"), dialectOf("cursor", "cursor")
	assert.False(t, claude.LacksDefault(ref("${PORT:-80}")))
	assert.True(t, cursor.LacksDefault(ref("${env:PORT:-80}")))
	assert.True(t, claude.LacksHyphen(ref("${PORT:80}")))
	assert.False(t, claude.LacksHyphen(ref("${PORT:-80}")))
	assert.False(t, cursor.LacksHyphen(ref("${PORT:80}")))
}

// TestProjectDir: the directory of the project is each client's own variable.
func TestProjectDir(t *testing.T) {
	assert.Equal(t, "${workspaceFolder}", dialectOf("vscode", "vscode").ProjectDir())
	assert.Equal(t, "${workspaceFolder}", dialectOf("cursor", "cursor").ProjectDir())
	assert.Empty(t, dialectOf("codex", "codex").ProjectDir())
	assert.Empty(t, dialectOf("vscode", "codex").ProjectDir(), "a format that the client does not read")
	assert.True(t, dialectOf("vscode", "vscode").Fills("userHome"))
	assert.False(t, dialectOf("codex", "codex").Fills("workspaceFolder"))
}

// TestNames: the coding agent passes on variables of a prefix alone, and Codex names them in
// members.
func TestNames(t *testing.T) {
	agent, codex, claude := mcp.ClientByID("copilot-agent"), mcp.ClientByID("codex"), mcp.ClientByID("claude-code")
	assert.Equal(t, "COPILOT_MCP_API_KEY", dialect.VariableName(agent, "api-key"))
	assert.Equal(t, "COPILOT_MCP_TOKEN", dialect.PassedName(agent, "COPILOT_MCP_TOKEN"))
	assert.Equal(t, "API_KEY", dialect.VariableName(claude, "api-key"))
	assert.Equal(t, "env_http_headers", dialect.HeaderVariables(codex))
	assert.Equal(t, "bearer_token_env_var", dialect.BearerVariable(codex))
	assert.Empty(t, dialect.HeaderVariables(claude))
}

// TestInput: an input has what VS Code needs of it, and is shown as dots where it is a
// credential.
func TestInput(t *testing.T) {
	var names []string
	for _, m := range dialect.Input("api-key", true).Members {
		names = append(names, m.Name)
	}
	assert.Equal(t, []string{"type", "id", "description", "password"}, names)
	assert.Len(t, dialect.Input("region", false).Members, 3)
}
