package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeCommand are commands and skills of Claude Code, which name the tools
// that they may use.
var claudeCommand = &shape.Format{
	Name: "claude-command", Scope: mcp.ScopeSettings,
	Paths: []string{".claude/commands/*.md", ".claude/commands/*/*.md", ".claude/skills/*/SKILL.md"},
	Keys:  []string{shape.ToolPrefix}, Marks: []string{}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readClaudeCommand,
}

func readClaudeCommand(in *shape.Input) *mcp.Document {
	doc := in.Document()
	doc.References = in.ToolNames(in.Tree.Root.Get("allowed-tools"))
	if len(doc.References) == 0 {
		return nil
	}
	return doc
}
