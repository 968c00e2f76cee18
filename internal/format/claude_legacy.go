package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeLegacy are places that look like Claude Code's and that it does not
// read (claude-code issue 5037); MCPorter does.
var claudeLegacy = &Format{
	Name:      "claude-legacy",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".claude/mcp.json", ".claude/.mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
