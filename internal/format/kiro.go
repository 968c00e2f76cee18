package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// kiro is Kiro's file in a project.
var kiro = &Format{
	Name:      "kiro",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".kiro/settings/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
