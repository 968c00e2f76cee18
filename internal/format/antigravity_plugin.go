package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// antigravityPlugin are the servers that a plugin brings to Antigravity, beside
// its other parts (antigravity.google/docs/cli/plugins). Only the directory above
// tells that it is one.
var antigravityPlugin = &Format{
	Name: "antigravity-plugin", Scope: mcp.ScopePlugin, Paths: []string{"plugins/*/mcp_config.json", "external_plugins/*/mcp_config.json"},
	Keys: knownRoots(), Parse: (*syntax.Parser).JSON, Read: readServers,
}
