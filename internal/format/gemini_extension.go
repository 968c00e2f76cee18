package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// geminiExtension is the manifest of a Gemini CLI extension: of the repository
// itself, or of one that a project keeps.
var geminiExtension = &shape.Format{
	Name:  "gemini-extension",
	Scope: mcp.ScopePlugin,
	Paths: []string{".gemini/extensions/*/gemini-extension.json", "gemini-extension.json"},
	Keys:  shape.KnownRoots(),
	Roots: append(geminiRoots(), "config.mcpServers"), // next to the extension's other settings
	Parse: (*syntax.Parser).JSON,
	Read:  readGeminiExtension,
}

func readGeminiExtension(in *shape.Input) *mcp.Document {
	if in.Match.Dir == mcp.Parent(in.File.Path) {
		// The workspace is any in which a person uses the extension.
		delete(in.Context.Vars, "workspacePath")
	}
	doc := shape.ReadServers(in)
	if doc != nil {
		doc.Manifest = describe(in.Tree.Root)
	}
	return doc
}
