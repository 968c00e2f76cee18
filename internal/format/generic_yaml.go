package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// genericYAML are YAML files whose name says MCP, or that are known to have
// mcp_servers among other things. They are read by their content alone.
var genericYAML = &shape.Format{
	Name: "generic-yaml", Scope: mcp.ScopeGeneric,
	Paths: []string{
		"mcp.yaml", "mcp.yml", ".mcp.yaml", ".mcp.yml", "mcp_config.yaml", "mcp-config.yaml", "mcp_config.yml", "mcp-config.yml",
		"mcp_servers.yaml", "mcp-servers.yaml", "mcp_servers.yml", "mcp-servers.yml", "mcpServers.yaml",
		"crewbase.yaml", "crew.yaml",
	},
	Keys:  []string{"mcp", kindMCPServer},
	Marks: []string{"mcp_servers", "mcpServers", "mcp-servers", "mcp:"},
	Roots: []string{"mcpServers", "mcp_servers", "mcp-servers", "mcp.servers"},
	Parse: (*syntax.Parser).YAML, Read: readGenericYAML,
}

// readGenericYAML reads servers, or a manifest in a file of such a name.
func readGenericYAML(in *shape.Input) *mcp.Document {
	if doc := shape.ReadServers(in); doc != nil {
		return doc
	}
	in.Use(kubernetes)
	return readKubernetes(in)
}
