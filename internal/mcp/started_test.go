package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// entryIn returns an entry of a file in a format, which clients load under a root key.
func entryIn(format, root string, clients ...string) *mcp.Server {
	doc := &mcp.Document{Format: format, RootKey: root}
	for _, id := range clients {
		doc.Clients = append(doc.Clients, mcp.ClientByID(id))
	}
	return &mcp.Server{Document: doc}
}

func titles(clients []*mcp.Client) []string {
	var titles []string
	for _, c := range clients {
		titles = append(titles, c.Title)
	}
	return titles
}

var (
	disabled   = mcp.OffMember{Off: mcp.Off{Key: "disabled", Value: true}}
	notEnabled = mcp.OffMember{Off: mcp.Off{Key: "enabled", Value: false}}
)

// TestStartedBy: each client has its own member that disables an entry, and a client that is known
// to have none starts it.
func TestStartedBy(t *testing.T) {
	for _, test := range []struct {
		name  string
		entry *mcp.Server
		off   []mcp.OffMember
		by    []string // that start it for sure
		maybe bool
	}{
		{name: "nothing switches it off", entry: entryIn("roo", "mcpServers", "roo"), by: []string{"Roo Code"}, maybe: true},
		{name: "its client's switch", entry: entryIn("roo", "mcpServers", "roo"), off: []mcp.OffMember{disabled}},
		{name: "another client's switch", entry: entryIn("roo", "mcpServers", "roo"), off: []mcp.OffMember{notEnabled}, by: []string{"Roo Code"}, maybe: true},
		{name: "both", entry: entryIn("roo", "mcpServers", "roo"), off: []mcp.OffMember{notEnabled, disabled}},
		{name: "clients without a switch", entry: entryIn("claude-code", "mcpServers", "claude-code", "copilot-cli"), off: []mcp.OffMember{disabled}, by: []string{"Claude Code", "GitHub Copilot CLI"}, maybe: true},
		{name: "a client of which it is not known", entry: entryIn("junie", "mcpServers", "junie"), off: []mcp.OffMember{disabled}, maybe: true},
		{name: "the switch of the root key", entry: entryIn("opencode", "mcp.servers", "opencode"), off: []mcp.OffMember{disabled}},
		{name: "another that it takes for the same", entry: entryIn("opencode", "mcp", "opencode"), off: []mcp.OffMember{disabled}},
		{name: "that of another root key", entry: entryIn("opencode", "mcp.servers", "opencode"), off: []mcp.OffMember{notEnabled}, by: []string{"opencode"}, maybe: true},
		{name: "a file without any switch", entry: entryIn("goose-recipe", "extensions", "goose"), off: []mcp.OffMember{notEnabled}, by: []string{"Goose"}, maybe: true},
		{name: "a file of no known client", entry: entryIn("other", "mcpServers"), off: []mcp.OffMember{disabled}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, m := range test.off {
				test.entry.SwitchOff(m)
			}
			assert.Equal(t, test.by, titles(test.entry.StartedBy()))
			assert.Equal(t, len(test.by) > 0, test.entry.IsStarted())
			assert.Equal(t, test.maybe, test.entry.MayBeStarted())
			assert.Equal(t, len(test.off) > 0, test.entry.IsOff())
			assert.Equal(t, len(test.off) > 0, test.entry.IsOffByItself())
		})
	}
}

// TestSwitchedOffElsewhere: a list overrides the entry, and what a tool has disabled does not count
// as started.
func TestSwitchedOffElsewhere(t *testing.T) {
	listed := entryIn("claude-code", "mcpServers", "claude-code")
	listed.SwitchOff(disabled)
	listed.SwitchOffElsewhere()
	assert.False(t, listed.IsStarted())
	assert.False(t, listed.MayBeStarted())
	assert.True(t, listed.IsOff())
	assert.False(t, listed.IsOffByItself())

	listed.ForgetSwitch()
	assert.True(t, listed.IsStarted())

	copied := entryIn("vscode", "servers", "vscode")
	copied.SwitchOff(disabled)
	assert.True(t, copied.IsStarted())
	copied.EnsureExtra().DuplicateOf = identity.Word{Text: "a"}
	assert.False(t, copied.IsStarted())
	assert.True(t, copied.MayBeStarted())
}

// TestNoClient: in a file that no known client loads, an entry that is not disabled is started.
func TestNoClient(t *testing.T) {
	assert.True(t, entryIn("other", "mcpServers").IsStarted())
	assert.Empty(t, entryIn("other", "mcpServers").StartedBy())
}
