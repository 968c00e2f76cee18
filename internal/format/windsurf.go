package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// windsurf are the places where repositories keep Windsurf's servers.
var windsurf = &Format{
	Name:      "windsurf",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".windsurf/mcp_config.json", ".windsurf/mcp.json", ".codeium/windsurf/mcp_config.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
