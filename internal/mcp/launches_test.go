package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestLaunches lists what an entry makes run: the line of a shell, the client's own command,
// and what decides which code runs, with paths from the project's directory.
func TestLaunches(t *testing.T) {
	words := func(texts ...string) (all []identity.Word) {
		for _, text := range texts {
			all = append(all, identity.Word{Text: text})
		}
		return all
	}
	type launch struct {
		kind        mcp.LaunchKind
		name, value string
	}
	launches := func(s *mcp.Server) (all []launch) {
		for _, l := range s.Launches() {
			all = append(all, launch{l.Kind, l.Name, l.Value})
		}
		return all
	}

	shell := entryIn("claude-code", "mcpServers", "claude-code")
	shell.Document.Project = &mcp.Project{Dir: "app"}
	shell.Document.Context.Dir = "app"
	shell.Launch = identity.Launch{
		Command: identity.Word{Text: "sh"}, Args: words("-c", "npm ci && node server.js"),
		Env: []identity.Pair{{Name: identity.Word{Text: "NODE_OPTIONS"}, Value: identity.Word{Text: "--require ./hook.js"}}},
	}
	assert.Equal(t, []launch{{mcp.LaunchLine, "", ""}, {mcp.LaunchSetting, "NODE_OPTIONS", "--require ./hook.js"}}, launches(shell))
	tokens := shell.Launches()[0].Line.Tokens()
	assert.Equal(t, "server.js", tokens[len(tokens)-1].Text)

	for client, want := range map[string][]launch{
		"claude-code": {{mcp.LaunchHelper, "headersHelper", "./headers.sh"}},
		"cursor":      nil, // which does not read the member
	} {
		remote := entryIn(client, "mcpServers", client)
		remote.Document.Project = &mcp.Project{}
		remote.Launch.URL.Text = "https://a.acme.dev/mcp"
		remote.EnsureExtra().HeadersHelper.Text = "./headers.sh"
		assert.Equal(t, want, launches(remote), client)
	}
}
