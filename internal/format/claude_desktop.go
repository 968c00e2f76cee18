package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeDesktop is Claude Desktop's settings file, committed as a sample or in
// dotfiles; chezmoi's prefix keeps it private.
var claudeDesktop = &Format{
	Name:      "claude-desktop",
	Scope:     mcp.ScopeUser,
	Paths:     []string{"claude_desktop_config.json", "private_claude_desktop_config.json"},
	Dedicated: true,
	Parse:     syntax.ParseJSON,
	Read:      readServers,
}
