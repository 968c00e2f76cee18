package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// copilotCLI is GitHub Copilot CLI's own file in a project, read where there is
// no .mcp.json.
var copilotCLI = &Format{
	Name:      "copilot-cli",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".github/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
