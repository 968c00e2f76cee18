package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodePrompt are prompts and chat modes of VS Code, with the tools that they may
// use, as an agent has them (code.visualstudio.com/docs/copilot/customization).
var vscodePrompt = &shape.Format{
	Name: "vscode-prompt", Scope: mcp.ScopeSettings,
	// The places of a repository come first: they say what project a file belongs to.
	Paths: []string{".github/prompts/*.prompt.md", ".github/chatmodes/*.chatmode.md", "*.prompt.md", "*.chatmode.md"},
	Keys:  []string{"tools"}, Marks: []string{}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readVSCodePrompt,
}

func readVSCodePrompt(in *shape.Input) *mcp.Document {
	doc := in.Document()
	doc.References = in.NamesBefore(in.Tree.Root.Get("tools"), behindServer)
	if len(doc.References) == 0 {
		return nil
	}
	return doc
}
