package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// chezmoi are files of clients in a home directory, under the names that chezmoi
// gives dotfiles.
var chezmoi = &Format{
	Name: "chezmoi", Scope: mcp.ScopeUser,
	Paths: []string{
		"dot_cursor/private_mcp.json", "dot_cursor/mcp.json", "private_dot_cursor/private_mcp.json", "private_dot_cursor/mcp.json",
		"dot_claude/mcp.json", "dot_mcp.json", "private_dot_mcp.json", "private_mcp.json",
		"dot_claude.json", "private_dot_claude.json", "dot_gemini/settings.json", "dot_gemini/private_settings.json",
	},
	Keys: rootKeys(), Roots: []string{"mcpServers", "servers"},
	Parse: (*syntax.Parser).JSON, Read: readServers,
}
