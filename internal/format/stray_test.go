package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a format knows by its path, a client reads there.
func TestNoPathOfAFormatIsStray(t *testing.T) {
	ix := NewIndex(All())
	for _, f := range All() {
		for _, p := range slices.Concat(f.Paths, f.Home) {
			path := "a/" + strings.ReplaceAll(p, "*", "x")
			m, ok := ix.Lookup(path)
			require.True(t, ok, path)
			if f != generic {
				assert.Nil(t, m.Stray, path)
			}
		}
	}
}

func TestStray(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct{ path, client, instead string }{
		{".claude/mcp_config.json", "claude-code", ".mcp.json"},
		{"a/.Zed/mcp.json", "zed", ".zed/settings.json"},
		{".vscode/mcp-servers.json", "vscode", ".vscode/mcp.json"},
		{".kiro/mcp.json", "kiro", ".kiro/settings/mcp.json"},
		{".kiro/settings/mcp-old.json", "kiro", ".kiro/settings/mcp.json"},
		{".gemini/mcp_config.json", "", ""}, // Antigravity's, as dotfiles hold it
		{".github/mcp-config.json", "", ""}, // of several clients
		{".agents/mcp-config.json", "", ""},
		{".ai/mcp.json", "", ""},
		{".copilot/mcp.json", "", ""},       // of a home directory
		{".devin/mcp-servers.json", "", ""}, // what is loaded together is not known
		{".config/mcp.json", "", ""},
		{".cursor/mcp.example.json", "", ""},
		{"dot_cursor/mcp-x.json", "", ""},
		{"mcp-x.json", "", ""},
		{".ȺȺȺȺȺȺȺ/x.json", "", ""}, // each Ⱥ is a byte longer in lower case
	} {
		m := ix.Named(test.path)
		if test.client == "" {
			assert.Nil(t, m.Stray, test.path)
			continue
		}
		require.NotNil(t, m.Stray, test.path)
		assert.Equal(t, test.client, m.Stray.Client.ID, test.path)
		assert.Equal(t, test.instead, m.Stray.Instead, test.path)
	}
}
