package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpSettings is the file of servers of mcphub, and a copy of the one that Roo
// Code and its relatives keep in a home directory under the same name.
var mcpSettings = &shape.Format{
	Name: "mcp-settings", Scope: mcp.ScopeUser, Paths: []string{"mcp_settings.json"},
	Keys: shape.KnownRoots(), Parse: (*syntax.Parser).JSON, Read: readMCPSettings,
}

// readMCPSettings recognizes mcphub's file by the members that only mcphub has next to the
// servers; otherwise the client is unknown.
func readMCPSettings(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		return nil
	}
	for _, key := range []string{"users", "groups", "systemConfig"} {
		if n := in.Tree.Root.Get(key); n != nil && n.Kind != syntax.Null {
			doc.References = groupMembers(in, in.Tree.Root.Get("groups"))
			return doc
		}
	}
	doc.Clients, doc.Refusals = nil, nil
	return doc
}

// groupMembers returns the servers in mcphub's groups, written as a name or as an
// object with one.
func groupMembers(in *shape.Input, groups *syntax.Node) []mcp.Reference {
	if groups == nil || groups.Kind != syntax.Array {
		return nil
	}
	var refs []mcp.Reference
	for _, group := range groups.Nodes {
		members := group.Get("servers")
		if members == nil || members.Kind != syntax.Array {
			continue
		}
		for _, n := range members.Nodes {
			if n.Kind == syntax.Object {
				n = n.Get("name")
			}
			if n.IsString() {
				refs = append(refs, in.NameIn(n.Value, n.Text, 0, len(n.Text))...)
			}
		}
	}
	return refs
}
