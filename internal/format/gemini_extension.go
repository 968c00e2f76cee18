package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// geminiExtension is the manifest of a Gemini CLI extension: of the repository
// itself, or of one that a project keeps.
var geminiExtension = &Format{
	Name:  "gemini-extension",
	Scope: mcp.ScopePlugin,
	Paths: []string{".gemini/extensions/*/gemini-extension.json", "gemini-extension.json"},
	Keys:  knownRoots(),
	Roots: append(geminiRoots(), "config.mcpServers"), // beside what its other settings are
	Parse: (*syntax.Parser).JSON,
	Read:  readGeminiExtension,
}

func readGeminiExtension(in *Input) *mcp.Document {
	if in.Match.Dir == mcp.Parent(in.File.Path) {
		// The workspace is whichever one the extension is used in.
		delete(in.context.Vars, "workspacePath")
	}
	doc := readServers(in)
	if doc != nil {
		doc.Manifest = describe(in.Tree.Root)
	}
	return doc
}
