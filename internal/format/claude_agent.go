package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeAgent are subagents of Claude Code, which looks for them in directories of any depth
// (code.claude.com/docs/en/sub-agents, 2026-09: "scans .claude/agents/ … recursively").
var claudeAgent = &Format{
	Name: "claude-agent", Scope: mcp.ScopeAgent,
	Paths: []string{".claude/agents/**/*.md"},
	Keys:  []string{"mcpServers", toolPrefix}, Marks: []string{"mcpServers:"}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readClaudeAgent,
}

// readClaudeAgent reads an agent's servers, and the tools that it may use and
// those that it may not.
func readClaudeAgent(in *Input) *mcp.Document {
	doc := readAgentServers(in)
	top := in.Tree.Root
	tools := append(in.toolNames(top.Get("tools")), in.toolNames(top.Get("disallowedTools"))...)
	if doc == nil && len(tools) > 0 {
		doc = in.document()
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
func readAgentServers(in *Input) *mcp.Document {
	list := in.Tree.Root.Get("mcpServers")
	if list == nil || list.Kind != syntax.Array {
		return readServers(in)
	}
	doc := in.document()
	doc.RootKey, doc.Root = "mcpServers", list.Key
	loaders := doc.Loaders()
	for _, n := range list.Nodes {
		switch n.Kind {
		case syntax.String:
			doc.References = append(doc.References, mcp.Reference{Name: n.Text, Span: in.unquoted(n.Value)})
		case syntax.Object:
			doc.Servers = append(doc.Servers, in.servers(n)...)
			doc.Refusals = append(doc.Refusals, in.refusals(n, loaders)...)
		}
	}
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Refusals) == 0 {
		return nil
	}
	doc.Duplicates = in.repeats(&root{key: "mcpServers", nodes: []*syntax.Node{in.Tree.Root, list}})
	return doc
}
