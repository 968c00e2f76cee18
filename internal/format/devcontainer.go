package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// devcontainer are the servers that a development container brings to VS Code.
var devcontainer = &Format{
	Name: "devcontainer", Scope: mcp.ScopeProject,
	Paths: []string{".devcontainer/devcontainer.json", ".devcontainer.json", ".devcontainer/*/devcontainer.json"},
	Keys:  []string{"mcp", "mcp.servers"}, Roots: []string{"customizations.vscode.mcp.servers"},
	Parse: (*syntax.Parser).JSON, Read: readWithInputs,
}
