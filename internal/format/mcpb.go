package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpb is the manifest of an MCP bundle (MCPB, before that DXT).
var mcpb = &shape.Format{
	Name: "mcpb", Scope: mcp.ScopeRegistry, Paths: []string{"manifest.json"},
	Keys: []string{"mcp_config"}, Roots: []string{},
	Parse: (*syntax.Parser).JSON, Read: readMCPB,
}

// readMCPB reads the one server that a bundle holds.
func readMCPB(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	config, name := top.At("server", "mcp_config"), top.Get("name")
	if top.Get("manifest_version") == nil && top.Get("dxt_version") == nil || !name.IsString() || !shape.IsServer(config) {
		return nil
	}
	doc := in.Document()
	doc.RootKey, doc.Root = "server.mcp_config", config.Key
	doc.Manifest = describe(top)
	doc.Servers = []*mcp.Server{in.Entry(name.Text, name.Value, config)}
	doc.Duplicates = in.Repeats(&shape.Root{Key: doc.RootKey, Nodes: []*syntax.Node{top, top.Get("server"), config}})
	return doc
}
