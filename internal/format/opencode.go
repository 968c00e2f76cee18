package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// opencode are opencode's settings of a project.
var opencode = &Format{
	Name: "opencode", Scope: mcp.ScopeProject,
	Paths: []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"},
	Home:  []string{".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"},
	Keys:  []string{"mcp", "mcpServers"}, Roots: []string{"mcpServers"},
	Parse: (*syntax.Parser).JSON, Read: readOpencodeTools,
}

// readOpencodeTools reads the servers, and the maps that switch their tools or
// say who may use them: "server_tool" and "server_*" in tools and permission, of
// the whole file and of each agent.
func readOpencodeTools(in *Input) *mcp.Document {
	doc := readOpencode(in)
	if doc == nil {
		return nil
	}
	servers := serverNames(doc)
	holders := []*syntax.Node{in.Tree.Root}
	if agents := in.Tree.Root.Get("agent"); agents != nil && agents.Kind == syntax.Object {
		holders = append(holders, agents.Nodes...)
	}
	for _, holder := range holders {
		for _, key := range []string{"tools", "permission"} {
			tools := holder.Get(key)
			if tools == nil || tools.Kind != syntax.Object {
				continue
			}
			for _, n := range tools.Nodes {
				doc.References = append(doc.References, in.toolNamedAfter(servers, n.Key, n.Name, "")...)
			}
		}
	}
	return doc
}

// readOpencode reads servers right under mcp, as version 1 has them, and under
// mcp.servers, as version 2 does. A file may have both; the newer one wins
// (opencode.ai/v2/docs).
func readOpencode(in *Input) *mcp.Document {
	r := in.findRoot()
	if r == nil {
		return nil
	}
	doc := in.rooted(r)
	if r.key != "mcp" {
		return doc
	}
	newer := r.value().Get("servers")
	if newer == nil || newer.Kind != syntax.Object || isServer(newer) || !anyEntry(newer, isServer) {
		return doc
	}
	servers := in.servers(newer)
	names := make(map[string]bool, len(servers))
	for _, s := range servers {
		names[s.Name] = true
	}
	doc.Servers = append(slices.DeleteFunc(doc.Servers, func(old *mcp.Server) bool { return names[old.Name] }), servers...)
	doc.Refusals = append(doc.Refusals, in.refusals(newer, doc.Loaders())...)
	return doc
}
