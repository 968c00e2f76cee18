package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/allow"
)

// TestLoosenedPolicies tells of policies that are left out.
func TestLoosenedPolicies(t *testing.T) {
	const was = "policy: [a.json, copilot=b.json]"
	assert.Empty(t, Loosened(settingsOf(t, was), settingsOf(t, "policy: [c.json, copilot=b.json, a.json]"), ""))
	assert.Equal(t, []string{"the settings hide more than at the base: the policy b.json is left out"},
		Loosened(settingsOf(t, was), settingsOf(t, "policy: [a.json, claude-code=b.json]"), ""))
}

// TestParseManaged reads for the client that is named, and says where mistakes are.
func TestParseManaged(t *testing.T) {
	p, err := ParseManaged("../m.json", "x/m.json", []byte(`{"allowedMcpServers": [{"serverName": "claude.ai Slack"}]}`), allow.Copilot)
	require.NoError(t, err)
	assert.Equal(t, "../m.json:1:24", p.Place(p.Allowed.Rules[0].Span))
	assert.Equal(t, "x/m.json", p.File.Path)
	assert.True(t, p.IsManaged)
	for text, want := range map[string]string{
		"":     "../m.json:1:1: not valid JSON: the file is empty",
		"[1":   `../m.json:1:1: not valid JSON: "[" is never closed`,
		"null": `../m.json:1:1: settings must be an object like {"allowedMcpServers": []}`,
		`{"deniedMcpServers": [` + strings.Repeat(`{"serverName": "a"}, `, 1000) + `{"serverName": "b"}]}`: "../m.json:1:21023: deniedMcpServers has more than 1000 entries",
		`{"deniedMcpServers": {}}`: `../m.json:1:22: deniedMcpServers must be a list like [{"serverUrl": "https://mcp.example.com/*"}], not object`,
	} {
		_, err := ParseManaged("../m.json", "x/m.json", []byte(text), "")
		assert.ErrorContains(t, err, want, text)
	}
}
