package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// trustedEntries returns the entries that let all tools of their servers run in
// a client that loads them.
func trustedEntries(servers *syntax.Node, loaders []*mcp.Client) []mcp.Approval {
	var approvals []mcp.Approval
	for _, client := range loaders {
		if client.AllTools == (mcp.Trust{}) || servers.Kind != syntax.Object {
			continue
		}
		for _, entry := range servers.Nodes {
			if granted := trusts(entry.Get(client.AllTools.Key), client.AllTools.Value); granted != nil {
				approvals = append(approvals, mcp.Approval{
					Client: client, Grant: mcp.RunTools, Server: entry.Name, Span: granted.Value,
				})
			}
		}
	}
	return approvals
}

// trusts returns the value, or the element of a list, that is the one wanted.
func trusts(n *syntax.Node, value string) *syntax.Node {
	switch {
	case n == nil:
		return nil
	case isScalar(n) && n.Text == value:
		return n
	}
	for _, element := range n.Nodes {
		if n.Kind == syntax.Array && element.IsString() && element.Text == value {
			return element
		}
	}
	return nil
}
