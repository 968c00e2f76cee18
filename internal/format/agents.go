package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// agents is the cross-tool file that several clients began to share.
var agents = &Format{
	Name:      "agents",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".agents/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
