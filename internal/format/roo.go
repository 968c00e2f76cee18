package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// roo is Roo Code's file in a project.
var roo = &Format{
	Name:      "roo",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".roo/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
