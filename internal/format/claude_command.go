package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeCommand are commands and skills of Claude Code, which name the tools
// that they may use.
var claudeCommand = &Format{
	Name: "claude-command", Scope: mcp.ScopeSettings,
	Paths: []string{".claude/commands/*.md", ".claude/commands/*/*.md", ".claude/skills/*/SKILL.md"},
	Keys:  []string{toolPrefix}, Marks: []string{}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readClaudeCommand,
}

func readClaudeCommand(in *Input) *mcp.Document {
	doc := in.document()
	doc.References = in.toolNames(in.Tree.Root.Get("allowed-tools"))
	if len(doc.References) == 0 {
		return nil
	}
	return doc
}
