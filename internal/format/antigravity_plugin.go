package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// antigravityPlugin are the servers that a plugin adds to Antigravity, next to its other parts
// (antigravity.google/docs/cli/plugins). Only the directory above shows that it is a plugin.
var antigravityPlugin = &shape.Format{
	Name: "antigravity-plugin", Scope: mcp.ScopePlugin, Paths: []string{"plugins/*/mcp_config.json", "external_plugins/*/mcp_config.json"},
	Keys: shape.KnownRoots(), Parse: (*syntax.Parser).JSON, Read: shape.ReadServers,
}
