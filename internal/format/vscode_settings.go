package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodeSettings are VS Code's settings of a project, where the servers lived
// before .vscode/mcp.json. Keys of other extensions are not VS Code's to judge.
var vscodeSettings = &Format{
	Name:  "vscode-settings",
	Scope: mcp.ScopeProject,
	Paths: []string{".vscode/settings.json"},
	Keys:  []string{`"mcp"`, `"mcp.servers"`, `"mcpServers"`},
	Roots: []string{"mcp.servers", "mcp", "mcpServers"},
	Parse: syntax.ParseJSON,
	Read:  readWithInputs,
}
