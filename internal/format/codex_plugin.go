package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// codexPlugin is the manifest of a Codex plugin, and the file of servers that it names or
// contains.
var codexPlugin = &shape.Format{
	Name: "codex-plugin", Scope: mcp.ScopePlugin, Paths: []string{".codex-plugin/plugin.json"}, Dedicated: true,
	Parse: (*syntax.Parser).JSON, Read: readCodexPlugin,
}

// readCodexPlugin reads a manifest. If it does not name the place of its servers, they are in
// .mcp.json next to its directory (plugin_mcp_config_paths).
func readCodexPlugin(in *shape.Input) *mcp.Document { return pluginWith(in, ".mcp.json") }
