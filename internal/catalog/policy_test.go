package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestPolicy admits every server of the catalog as it is, however it is called, and none
// that differs in one word.
func TestPolicy(t *testing.T) {
	serena, tavily, files, hub := serena(), tavily(), serena(), tavily()
	serena.Written = []catalog.Way{{Server: &allow.Server{Name: "other", Command: []string{"cmd", "/c", "uvx", "serena==1.2.0"}}}}
	tavily.Address = "https://mcp.tavily.com"
	files.Name, files.Args, files.Written = "files", []string{"${HOME}/x", "a&b"}, []catalog.Way{{Server: &allow.Server{Name: "papers", Command: []string{"uvx", "${HOME}/x", "a&b"}}}}
	hub.Name, hub.Address = "hub", "https://*.acme.dev/mcp"
	c, _ := catalog.New("acme", at, []*catalog.Server{serena, tavily, files, hub, {Name: "a.b.c.d", Type: catalog.Deno}}, catalog.Naming{Namespace: "io.github.acme"})

	settings, left := c.Policy(allow.ClaudeCode, catalog.Admit{})
	require.Equal(t, `{
  "allowManagedMcpServersOnly": true,
  "allowedMcpServers": [
    {"serverCommand":["uvx","serena==1.2.0","--quiet"]},
    {"serverCommand":["cmd","/c","uvx","serena==1.2.0"]},
    {"serverUrl":"https://mcp.tavily.com/"}
  ]
}
`, string(settings))
	require.Equal(t, []catalog.LeftOut{
		{Server: "files", Path: ".mcp.json", From: "the list", Why: "its command has ${HOME} in it, whose value would decide"},
		{Server: "papers", Path: ".mcp.json", From: "the list", Why: "its command has ${HOME} in it, whose value would decide"},
		{Server: "hub", Path: ".mcp.json", From: "the list", Why: "its address has a * in it, which matches anything in a list"},
	}, left)
	for _, client := range allow.Clients() {
		settings, left := c.Policy(client, catalog.Admit{})
		require.Len(t, left, 3)
		file := syntax.NewFile("managed-settings.json", settings)
		tree, err := new(syntax.Parser).JSON(file)
		require.NoError(t, err)
		p, mistakes := allow.Read(tree.Root, client)
		require.Empty(t, mistakes)
		p.Name, p.File, p.IsManaged = file.Path, file, true
		for _, test := range []struct {
			server allow.Server
			want   allow.Verdict
		}{
			{allow.Server{Name: "x", Command: []string{"uvx", "serena==1.2.0", "--quiet"}}, allow.Allowed},
			{allow.Server{Name: "serena", Command: []string{"cmd", "/c", "uvx", "serena==1.2.0"}}, allow.Allowed},
			{allow.Server{Name: "serena", Command: []string{"uvx", "serena==1.2.0"}}, allow.Blocked},
			{allow.Server{Name: "serena", Command: []string{"uvx", "serena==1.2.1", "--quiet"}}, allow.Blocked},
			{allow.Server{Name: "serena", Command: []string{"uvx", "serenа==1.2.0", "--quiet"}}, allow.Blocked}, // a Cyrillic а
			{allow.Server{Name: "tavily", IsRemote: true, URL: "https://mcp.tavily.com"}, allow.Allowed},
			{allow.Server{Name: "tavily", IsRemote: true, URL: "https://mcp.tavily.com/other"}, allow.Blocked},
			{allow.Server{Name: "tavily", IsRemote: true, URL: "http://mcp.tavily.com"}, allow.Blocked},
			{allow.Server{Name: "tavily", IsRemote: true, URL: "https://mcp.tavily.co"}, allow.Blocked},
		} {
			require.Equal(t, test.want, allow.Judge(client, []*allow.Policy{p}, &test.server).Verdict, "%s: %s", client, &test.server)
		}
	}
}

// TestPolicyOfNothing admits nothing.
func TestPolicyOfNothing(t *testing.T) {
	c, _ := catalog.New("acme", at, nil, catalog.Naming{})
	settings, _ := c.Policy(allow.Copilot, catalog.Admit{})
	require.Equal(t, "{\n  \"allowedMcpServers\": []\n}\n", string(settings))
}
