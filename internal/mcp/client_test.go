package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// TestSources: every fact in the tables of clients is from somewhere, and of some day.
func TestSources(t *testing.T) {
	for _, c := range mcp.Clients() {
		of := map[string]mcp.Source{"": c.Source}
		for what, source := range map[string]mcp.Source{
			"files": c.FileFacts.Source, "entries": c.EntryFacts.Source, "switches": c.SwitchFacts.Source, "variables": c.VariableFacts.Source,
		} {
			if source != (mcp.Source{}) { // else the client's
				of[what] = source
			}
		}
		if c.Schema != nil {
			of["members"] = c.Schema.Source
		}
		for what, source := range of {
			assert.NotEmpty(t, source.From, "%s %s", c.ID, what)
			assert.Regexp(t, `^20\d\d-[01]\d(-[0-3]\d)?$`, source.Seen, "%s %s", c.ID, what)
		}
	}
}

// TestReads shows by which keys a client finds servers in a file; "" is a file with
// nothing but servers in it.
func TestReads(t *testing.T) {
	for _, test := range []struct {
		client, format, root string
		want                 bool
	}{
		{"vscode", "vscode", "servers", true},
		{"vscode", "vscode", "mcpServers", false},
		{"vscode", "vscode-settings", "mcp.servers", true},
		{"vscode", "cursor", "mcpServers", false},
		{"vscode", "cursor", "", false},
		{"vscode", "vscode", "", false},
		{"copilot-cli", "claude-code", "", true},
		{"copilot-cli", "claude-code", "mcpServers", true},
		{"codex", "codex-plugin", "mcp_servers", true},
	} {
		assert.Equal(t, test.want, mcp.ClientByID(test.client).Reads(test.format, test.root), test)
	}
}

// TestReadInstead: GitHub Copilot CLI does not read .github/mcp.json if there is an .mcp.json.
func TestReadInstead(t *testing.T) {
	copilot := mcp.ClientByID("copilot-cli")
	assert.Equal(t, ".mcp.json", copilot.Before("copilot-cli", ".github/mcp.json"))
	assert.Equal(t, "app/.mcp.json", copilot.Before("copilot-cli", "app/.github/mcp.json"))
	assert.Empty(t, copilot.Before("claude-code", ".mcp.json"), "nothing goes before that")
	assert.Empty(t, copilot.Before("cursor", ".cursor/mcp.json"), "it does not read that anyway")
}

// TestDialects shows which variables a client fills in, and for which mcplumb cannot tell.
func TestDialects(t *testing.T) {
	for _, test := range []struct {
		client, format string
		syntax         secret.Syntax
		expands, known bool
	}{
		{"vscode", "vscode", secret.EnvColon, true, true},
		{"vscode", "vscode", secret.EnvColonDefault, true, true}, // of one family
		{"vscode", "vscode", secret.Braced, false, true},
		{"vscode", "cursor", secret.Braced, false, false}, // no file of its own
		{"antigravity", "antigravity", secret.BracedDefault, false, true},
		{"antigravity", "antigravity", secret.Input, false, false},
		{"antigravity", "antigravity-plugin", secret.Braced, false, false}, // it may do more there
		{"copilot-cli", "copilot-cli", secret.Bare, true, false},
		{"continue", "continue", secret.Vars, true, true},
		{"continue", "continue-json", secret.Vars, false, true}, // a dialect of that file
	} {
		d := mcp.ClientByID(test.client).In(test.format)
		assert.Equal(t, test.expands, d.Expands(test.syntax), "%s in %s: %s", test.client, test.format, test.syntax)
		assert.Equal(t, test.known, d.Knows(test.syntax), "%s in %s: %s", test.client, test.format, test.syntax)
	}
	code := mcp.ClientByID("vscode")
	assert.Equal(t, code.Types, code.In("vscode").Types)
}

// TestVariablesOfClients: a directory or another name that a client fills in by itself. PWD
// is one that the environment has as well.
func TestVariablesOfClients(t *testing.T) {
	for name, want := range map[string]bool{"workspaceFolder": true, "userHome": true, "CLAUDE_PLUGIN_ROOT": true, "PWD": false, "HOME": false, "": false} {
		assert.Equal(t, want, mcp.IsClientVariable(name), name)
	}
	assert.Equal(t, "${CLAUDE_PROJECT_DIR:-.}", mcp.Dir{Name: "CLAUDE_PROJECT_DIR"}.Reference())
	assert.Equal(t, "${workspaceFolder}", mcp.Dir{Name: "workspaceFolder"}.Reference())
}

// TestClients: the list is a copy.
func TestClients(t *testing.T) {
	mcp.Clients()[0] = nil
	require.NotNil(t, mcp.Clients()[0])
	var readers []string
	for _, c := range mcp.Readers("claude-code") {
		readers = append(readers, c.ID)
	}
	assert.Subset(t, readers, []string{"claude-code", "copilot-cli", "visual-studio"})
	assert.IsIncreasing(t, readers)
	assert.NotContains(t, readers, "cursor")
}

// TestUnread: files that look like a client's own and from which it loads nothing, wherever
// they are. GitHub Copilot CLI does read its user's file, but not in a project.
func TestUnread(t *testing.T) {
	assert.True(t, mcp.IsNotLoaded("claude-settings"))
	assert.False(t, mcp.IsNotLoaded("copilot-cli-user"))
	assert.False(t, mcp.IsNotLoaded("claude-code"))
}

// TestOffUnder: a client's switch may be another one under a key or in a file, or none.
func TestOffUnder(t *testing.T) {
	for _, test := range []struct {
		client, format, key string
		off                 mcp.Off
		known               bool
	}{
		{"opencode", "opencode", "mcp", mcp.Off{Key: "enabled", Value: false}, true},
		{"opencode", "opencode", "servers", mcp.Off{Key: "disabled", Value: true}, true},
		{"goose", "goose", "extensions", mcp.Off{Key: "enabled", Value: false}, true},
		{"goose", "goose-recipe", "extensions", mcp.Off{}, true},
		{"vscode", "vscode", "servers", mcp.Off{}, true},
		{"agents", "agents", "mcpServers", mcp.Off{}, false},
	} {
		off, known := mcp.ClientByID(test.client).OffUnder(test.format, test.key)
		assert.Equal(t, test.off, off, test)
		assert.Equal(t, test.known, known, test)
	}
}

// TestSchemaAnswers shows what a schema answers: which members it knows, and which kinds they may
// have.
func TestSchemaAnswers(t *testing.T) {
	schema := mcp.ClientByID("codex").Schema
	assert.Equal(t, "bearer_token_env_var", schema.Member("bearer_token").Instead)
	assert.Equal(t, mcp.Addresses, schema.Member("url").For)
	assert.Nil(t, schema.Member("uri"))
}
