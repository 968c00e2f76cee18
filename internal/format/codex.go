package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// tables returns a format of TOML files with servers under mcp_servers: a table
// of tables ([mcp_servers.NAME]), or an array of them ([[mcp_servers]]).
func tables(name string, scope mcp.Scope, paths ...string) *Format {
	keys := []string{"mcp_servers", "mcpServers"}
	return &Format{
		Name: name, Scope: scope, Paths: paths, Keys: keys, Marks: keys, Roots: keys,
		Parse: syntax.ParseTOML, Read: readServers,
	}
}

// codex are Codex's settings of a project.
func codex() *Format { return tables("codex", mcp.ScopeProject, ".codex/config.toml") }

// codexUser are Codex's settings of a home directory, under the names that
// chezmoi gives dotfiles.
func codexUser() *Format {
	return tables("codex-user", mcp.ScopeUser,
		"dot_codex/config.toml", "dot_codex/private_config.toml",
		"private_dot_codex/config.toml", "private_dot_codex/private_config.toml")
}

// grok are Grok Build's settings of a project.
func grok() *Format { return tables("grok", mcp.ScopeProject, ".grok/config.toml") }

// ruler is the settings file of ruler, from which it writes those of clients.
func ruler() *Format { return tables("ruler", mcp.ScopeGenerator, ".ruler/ruler.toml") }

// vibe are Mistral Vibe's settings of a project: [[mcp_servers]] with names.
func vibe() *Format { return tables("vibe", mcp.ScopeProject, ".vibe/config.toml") }
