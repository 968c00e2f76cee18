package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// crush are Crush's settings of a project. Many a crush.json is about something
// else; crushrc is a shell script and not read.
var crush = &Format{
	Name: "crush", Scope: mcp.ScopeProject, Paths: []string{"crush.json", ".crush.json"}, Home: []string{".config/crush/crush.json"},
	Keys: []string{"mcp"}, Roots: []string{"mcp"},
	Parse: (*syntax.Parser).JSON, Read: readCrush,
}

// readCrush reads the servers, and the tools that may run or are switched off:
// mcp_SERVER_TOOL.
func readCrush(in *Input) *mcp.Document {
	doc := readServers(in)
	if doc == nil {
		return nil
	}
	servers := serverNames(doc)
	for _, list := range []*syntax.Node{in.Tree.Root.At("permissions", "allowed_tools"), in.Tree.Root.At("options", "disabled_tools")} {
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			doc.References = append(doc.References, in.toolNamedAfter(servers, n.Value, n.Text, "mcp_")...)
		}
	}
	return doc
}
