package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// copilotPlugin is the manifest of a plugin at the places where GitHub Copilot
// CLI looks first.
var copilotPlugin = &Format{
	Name:      "copilot-plugin",
	Scope:     mcp.ScopePlugin,
	Paths:     []string{".plugin/plugin.json", ".github/plugin/plugin.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readPlugin,
}
