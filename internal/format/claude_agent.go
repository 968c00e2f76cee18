package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeAgent are subagents of Claude Code, which looks for them in directories of any depth
// (code.claude.com/docs/en/sub-agents, 2026-09: "scans .claude/agents/ … recursively").
var claudeAgent = &shape.Format{
	Name: "claude-agent", Scope: mcp.ScopeAgent,
	Paths: []string{".claude/agents/**/*.md"},
	Keys:  []string{"mcpServers", shape.ToolPrefix}, Marks: []string{"mcpServers:"}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readClaudeAgent,
}

// readClaudeAgent reads an agent's servers, and the tools that it may use and
// those that it may not.
func readClaudeAgent(in *shape.Input) *mcp.Document {
	doc := readAgentServers(in)
	top := in.Tree.Root
	tools := append(in.ToolNames(top.Get("tools")), in.ToolNames(top.Get("disallowedTools"))...)
	if doc == nil && len(tools) > 0 {
		doc = in.Document()
	}
	if doc == nil {
		return nil
	}
	doc.References = append(doc.References, tools...)
	if mode := top.Get("permissionMode"); mode.IsString() && mode.Text == "bypassPermissions" {
		doc.Approvals = append(doc.Approvals, mcp.Approval{Client: mcp.ClientByID("claude-code"), Grant: mcp.RunTools, Span: mode.Value})
	}
	return doc
}

// readAgentServers reads a list of names of servers that are configured
// elsewhere, and of maps with servers of the agent's own.
func readAgentServers(in *shape.Input) *mcp.Document {
	list := in.Tree.Root.Get("mcpServers")
	if list == nil || list.Kind != syntax.Array {
		return shape.ReadServers(in)
	}
	doc := in.Document()
	doc.RootKey, doc.Root = "mcpServers", list.Key
	loaders := doc.Loaders()
	for _, n := range list.Nodes {
		switch n.Kind {
		case syntax.String:
			doc.References = append(doc.References, mcp.Reference{Name: n.Text, Span: in.Unquoted(n.Value)})
		case syntax.Object:
			doc.Servers = append(doc.Servers, in.Servers(n)...)
			doc.Refusals = append(doc.Refusals, in.Refusals(n, loaders)...)
		}
	}
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Refusals) == 0 {
		return nil
	}
	doc.Duplicates = in.Repeats(&shape.Root{Key: "mcpServers", Nodes: []*syntax.Node{in.Tree.Root, list}})
	return doc
}
