package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// cursor is Cursor's file in a project.
var cursor = &Format{
	Name:      "cursor",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".cursor/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
