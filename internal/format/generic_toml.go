package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// genericTOML are the same in TOML.
var genericTOML = &shape.Format{
	Name: "generic-toml", Scope: mcp.ScopeGeneric,
	Paths: []string{"mcp.toml", ".mcp.toml", "mcp_config.toml", "mcp-config.toml", "mcp_servers.toml", "mcp-servers.toml"},
	Keys:  []string{"mcp_servers", "mcpServers", "mcp-servers"}, Marks: []string{"mcp_servers", "mcpServers", "mcp-servers"},
	Roots: []string{"mcpServers", "mcp_servers", "mcp-servers"},
	Parse: (*syntax.Parser).TOML, Read: shape.ReadServers,
}
