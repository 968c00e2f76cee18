package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// generic are files whose name only says MCP: samples, copies, files of clients that mcplumb does
// not know yet. They are read by their content alone.
var generic = &shape.Format{
	Name:  "generic",
	Scope: mcp.ScopeGeneric,
	Paths: []string{
		"mcp.json", "mcp.jsonc", "*.mcp.json", ".mcp.*.json", "mcp.*.json", ".mcp.jsonc",
		"mcp_config.json", "mcp-config.json", "*mcp-config.json", "*mcp_config.json",
		"mcp-servers.json", "mcp_servers.json", "mcpServers.json", ".mcp-servers.json", "*mcp-servers.*.json",
		"mcp-settings.json", "*mcp_settings.json",
		"*-mcp.json", "*_mcp.json", "mcp-*.json", "mcp_*.json",
		"*mcp_config_*.json", "*mcp-config-*.json", "mcp-configs/*.json", ".mcp/config.json", ".mcprc", ".mcprc.json",
		// Of the simple chatbot among the examples of the Python SDK, and of its copies.
		"servers_config.json", "servers_config.*.json",
		"claude_config.json", "claude_config_*.json",
		"claude_desktop_config.*.json",
		"mcp.json.*", ".mcp.json.*", "mcp_config.json.*", "claude_desktop_config.json.*",
	},
	// MCPProxy's settings are only in a home directory (its README).
	Home:  []string{".mcpproxy/mcp_config.json"},
	Keys:  shape.KnownRoots(),
	Parse: (*syntax.Parser).JSON,
	Read:  shape.ReadServers,
}

// bySchema returns the format that a generic file names in its schema, as a sample of it; nil if
// the file names none that is known.
func bySchema(top *syntax.Node) *shape.Format {
	if schema := top.Get("$schema"); schema.IsString() && schema.Text == "https://opencode.ai/config.json" {
		return opencode
	}
	return nil
}

// projectDir returns the project directory of a match whose pattern begins in dir. A generic file
// in a tool's own directory (.idx/mcp.json, .junie/mcp/mcp.json) belongs to the project that
// contains the directory. A file that a plugin contains belongs to the plugin.
func projectDir(f *shape.Format, file, dir string) string {
	switch f {
	case generic:
		return aboveTool(dir)
	case antigravityPlugin:
		return mcp.Parent(file)
	}
	return dir
}

// aboveTool returns the directory above a tool's own.
func aboveTool(dir string) string {
	tool := dir
	switch strings.ToLower(path.Base(tool)) {
	case "mcp", "settings", "config":
		tool = mcp.Parent(tool)
	}
	if base := path.Base(tool); strings.HasPrefix(base, ".") && base != "." {
		return mcp.Parent(tool)
	}
	return dir
}
