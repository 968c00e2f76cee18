package format

import (
	"bytes"
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeCode is the file that Claude Code, GitHub Copilot CLI and, with the
// root key servers, Visual Studio read in a project.
var claudeCode = &shape.Format{
	Name:      "claude-code",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".mcp.json"},
	Dedicated: true,
	Parse:     (*syntax.Parser).JSON,
	Read:      readClaudeCode,

	IsReadOnlyIn: isPluginDir,
}

// readClaudeCode reads a .mcp.json. A plugin's file has the same name. Its contents or its
// directory may tell the two apart; what holds for both is read in any case.
func readClaudeCode(in *shape.Input) *mcp.Document {
	r := in.FindRoot()
	if r == nil {
		return in.Rootless()
	}
	if r.Key == "" || isPluginText(in.File.Bytes) || isPluginDir(in.Match.Dir) {
		in.Use(claudePlugin)
	}
	return in.RootedWithInputs(r) // of Visual Studio
}

// isPluginText reports whether a file has a variable that only plugins have.
func isPluginText(content []byte) bool {
	return bytes.Contains(content, []byte("${CLAUDE_PLUGIN_ROOT}")) || bytes.Contains(content, []byte("${user_config."))
}

// isPluginDir reports whether a directory is one of a marketplace's plugins, by
// the name that marketplaces give to the directory above.
func isPluginDir(dir string) bool {
	above := path.Base(mcp.Parent(dir))
	return strings.EqualFold(above, "plugins") || strings.EqualFold(above, "external_plugins")
}
