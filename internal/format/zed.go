package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// zed are Zed's settings of a project. The context_servers of a profile of its
// agent are switches for tools that name servers, and an entry with settings and
// no command is an extension's.
var zed = &shape.Format{
	Name: "zed", Scope: mcp.ScopeProject, Paths: []string{".zed/settings.json"}, Home: []string{".config/zed/settings.json"},
	Keys: []string{"context_servers", "mcpServers"}, Roots: []string{"context_servers", "mcpServers"},
	Skip:  isZedExtension,
	Parse: (*syntax.Parser).JSON, Read: readZed,
}

// isZedExtension reports whether an entry is the settings of a server that an extension adds
// (ContextServerSettingsContent::Extension).
func isZedExtension(entry *syntax.Node) bool {
	return !shape.IsServer(entry) && entry.Get("settings") != nil
}

// readZed reads the servers, and their names in the profiles of the agent and in the
// permissions of its tools.
func readZed(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		return nil
	}
	if profiles := in.Tree.Root.At("agent", "profiles"); profiles != nil {
		for _, profile := range profiles.Nodes {
			if servers := profile.Get("context_servers"); servers != nil && servers.Kind == syntax.Object {
				for _, n := range servers.Nodes {
					doc.References = append(doc.References, in.NameIn(n.Key, n.Name, 0, len(n.Name))...)
				}
			}
		}
	}
	if tools := in.Tree.Root.At("agent", "tool_permissions", "tools"); tools != nil && tools.Kind == syntax.Object {
		for _, n := range tools.Nodes {
			doc.References = append(doc.References, zedTool(in, n)...)
		}
	}
	return doc
}

// zedToolPrefix begins the key of a tool of an MCP server in Zed: mcp:SERVER:TOOL.
const zedToolPrefix = "mcp:"

// zedTool returns the server in the key of a tool. The name of a tool has no colon, that
// of a server may.
func zedTool(in *shape.Input, n *syntax.Node) []mcp.Reference {
	if !strings.HasPrefix(n.Name, zedToolPrefix) {
		return nil
	}
	return in.NameIn(n.Key, n.Name, len(zedToolPrefix), strings.LastIndexByte(n.Name, ':'))
}
