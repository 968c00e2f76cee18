package shape

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// trustedEntries returns the tools that entries allow to run without asking, for servers in a
// client that loads them.
func trustedEntries(servers *syntax.Node, loaders []*mcp.Client) []mcp.Approval {
	var approvals []mcp.Approval
	for _, client := range loaders {
		if servers.Kind != syntax.Object {
			continue
		}
		for _, entry := range servers.Nodes {
			all := mcp.Approval{Client: client, Grant: mcp.RunTools, Server: entry.Name}
			if client.AllTools != (mcp.Trust{}) {
				if granted := Trusts(entry.Get(client.AllTools.Key), client.AllTools.Value); granted != nil {
					all.Span = granted.Value
					approvals = append(approvals, all)
				}
			}
			for _, tool := range trustedTools(entry, client) {
				one := all
				one.Tool, one.Span = tool.Text, tool.Span
				approvals = append(approvals, one)
			}
		}
	}
	return approvals
}

// trustedTools returns the single tools that an entry lets a client run without asking.
func trustedTools(entry *syntax.Node, client *mcp.Client) []identity.Word {
	var tools []identity.Word
	if client.SomeTools != "" {
		for _, tool := range Words(entry.Get(client.SomeTools)) {
			if tool.Text != client.AllTools.Value {
				tools = append(tools, tool)
			}
		}
	}
	if each := entry.Get("tools"); client.EachTool != (mcp.Trust{}) && each != nil && each.Kind == syntax.Object {
		for _, tool := range each.Nodes {
			if granted := Trusts(tool.Get(client.EachTool.Key), client.EachTool.Value); granted != nil {
				tools = append(tools, identity.Word{Text: tool.Name, Span: granted.Value})
			}
		}
	}
	return tools
}

// Trusts returns the value, or the element of a list, that is the one wanted.
func Trusts(n *syntax.Node, value string) *syntax.Node {
	switch {
	case n == nil:
		return nil
	case IsScalar(n) && n.Text == value:
		return n
	}
	for _, element := range n.Nodes {
		if n.Kind == syntax.Array && element.IsString() && element.Text == value {
			return element
		}
	}
	return nil
}
