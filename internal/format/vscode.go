package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscode is VS Code's file in a project.
var vscode = &Format{
	Name:      "vscode",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".vscode/mcp.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readVSCode,
}
