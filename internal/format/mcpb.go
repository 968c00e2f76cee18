package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpb is the manifest of an MCP bundle (MCPB, before that DXT).
var mcpb = &Format{
	Name: "mcpb", Scope: mcp.ScopeRegistry, Paths: []string{"manifest.json"},
	Keys: []string{"mcp_config"}, Roots: []string{},
	Parse: (*syntax.Parser).JSON, Read: readMCPB,
}

// readMCPB reads the one server that a bundle holds.
func readMCPB(in *Input) *mcp.Document {
	top := in.Tree.Root
	config, name := top.At("server", "mcp_config"), top.Get("name")
	if top.Get("manifest_version") == nil && top.Get("dxt_version") == nil || !name.IsString() || !isServer(config) {
		return nil
	}
	doc := in.document()
	doc.RootKey, doc.Root = "server.mcp_config", config.Key
	doc.Manifest = describe(top)
	doc.Servers = in.read([]named{{name.Text, name.Value, config}})
	doc.Duplicates = in.repeats(&root{key: doc.RootKey, nodes: []*syntax.Node{top, top.Get("server"), config}})
	return doc
}
