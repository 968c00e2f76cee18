package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// opencode are opencode's settings of a project.
var opencode = &shape.Format{
	Name: "opencode", Scope: mcp.ScopeProject,
	Paths: []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"},
	Home:  []string{".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"},
	Keys:  []string{"mcp", "MCP", "servers"}, Roots: []string{"mcpServers", "mcp_servers", "servers"},
	Parse: (*syntax.Parser).JSON, Read: readOpencodeTools,
}

// readOpencodeTools reads the servers, and the maps that switch their tools or
// say who may use them: "server_tool", "server_*" and "server*" in tools and
// permission, of the whole file and of each agent.
func readOpencodeTools(in *shape.Input) *mcp.Document {
	doc := readOpencode(in)
	if doc == nil {
		return nil
	}
	servers := shape.ServerNames(doc)
	holders := []*syntax.Node{in.Tree.Root}
	if agents := in.Tree.Root.Get("agent"); agents != nil && agents.Kind == syntax.Object {
		holders = append(holders, agents.Nodes...)
	}
	for _, holder := range holders {
		for _, n := range toolRules(holder) {
			name, isPattern := serverPattern(n.Name)
			if isPattern {
				doc.References = append(doc.References, in.NameIn(n.Key, n.Name, 0, len(name))...)
			}
			if !isPattern || !servers[name] {
				doc.References = append(doc.References, in.ToolNamedAfter(servers, n.Key, n.Name, "")...)
			}
		}
	}
	return doc
}

// toolRules returns the members of the maps that enable tools, or that list who may use them.
func toolRules(holder *syntax.Node) []*syntax.Node {
	var rules []*syntax.Node
	for _, key := range []string{"tools", "permission"} {
		if tools := holder.Get(key); tools != nil && tools.Kind == syntax.Object {
			rules = append(rules, tools.Nodes...)
		}
	}
	return rules
}

// serverPattern returns the part before the star of "server*", which in opencode's documentation
// means all tools of a server (opencode.ai/docs/mcp-servers).
func serverPattern(rule string) (name string, ok bool) {
	name, ok = strings.CutSuffix(rule, "*")
	return name, ok && name != "" && !strings.HasSuffix(name, "_") && !strings.ContainsAny(name, "*?")
}

// readOpencode reads servers right under mcp, as version 1 has them, and under
// mcp.servers, as version 2 does. A file may have both; the newer one wins
// (opencode.ai/v2/docs).
func readOpencode(in *shape.Input) *mcp.Document {
	r := in.FindRoot()
	if r == nil {
		return nil
	}
	doc := in.Rooted(r)
	if r.Key != "mcp" {
		return doc
	}
	newer := r.Value().Get("servers")
	if newer == nil || newer.Kind != syntax.Object || shape.IsServer(newer) || !shape.AnyEntry(newer, shape.IsServer) {
		return doc
	}
	servers := in.Servers(newer)
	names := make(map[string]bool, len(servers))
	for _, s := range servers {
		names[s.Name] = true
	}
	doc.Servers = append(slices.DeleteFunc(doc.Servers, func(old *mcp.Server) bool { return names[old.Name] }), servers...)
	doc.Refusals = append(doc.Refusals, in.Refusals(newer, doc.Loaders())...)
	return doc
}
