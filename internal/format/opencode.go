package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// opencode are opencode's settings of a project.
func opencode() *Format {
	f := settings("opencode", mcp.ScopeProject, []string{"mcp", "mcpServers"},
		"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
	f.Roots = []string{"mcpServers"}
	f.Read = readOpencode
	return f
}

// kilo are the settings of Kilo Code, which took over opencode's shape.
func kilo() *Format {
	f := settings("kilo", mcp.ScopeProject, []string{"mcp", "mcpServers"},
		"kilo.json", "kilo.jsonc", ".kilo/kilo.json", ".kilo/kilo.jsonc")
	f.Roots = []string{"mcpServers"}
	f.Read = readOpencode
	return f
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
	doc.Servers = append(slices.DeleteFunc(doc.Servers, func(old *mcp.Server) bool {
		return slices.ContainsFunc(servers, func(s *mcp.Server) bool { return s.Name == old.Name })
	}), servers...)
	doc.Problems = append(doc.Problems, in.problems(newer, doc.Loaders())...)
	return doc
}
