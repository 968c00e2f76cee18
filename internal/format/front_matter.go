package format

import (
	"bytes"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// frontMatter returns a format of Markdown files that name an agent's servers in
// their front matter.
func frontMatter(name, key string, paths ...string) *Format {
	return &Format{
		Name: name, Scope: mcp.ScopeAgent, Paths: paths, Keys: []string{key}, Marks: []string{key + ":"}, Roots: []string{},
		Markdown: true, Parse: syntax.ParseFrontMatter, Read: readServers,
	}
}

// copilotAgent are custom agents of GitHub Copilot, with the tools that they may
// use: "server/tool" and "server/*".
func copilotAgent() *Format {
	f := frontMatter("copilot-agent", "mcp-servers", "*.agent.md", ".github/agents/*.md")
	f.Keys = append(f.Keys, "tools:")
	f.Read = func(in *Input) *mcp.Document {
		doc := readServers(in)
		refs := in.namesBefore(in.Tree.Root.Get("tools"), "/")
		if doc == nil && len(refs) > 0 {
			doc = in.document()
		}
		if doc != nil {
			doc.References = append(doc.References, refs...)
		}
		return doc
	}
	return f
}

// agenticWorkflow are GitHub's agentic workflows, from which gh-aw generates
// those that run.
func agenticWorkflow() *Format {
	f := frontMatter("agentic-workflow", "mcp-servers", ".github/workflows/*.md", ".github/workflows/shared/*.md")
	f.Skip = runsInContainer
	f.Read = readWorkflow
	return f
}

// runsInContainer reports whether an entry is a server in a container, in gh-aw's
// own words.
func runsInContainer(entry *syntax.Node) bool {
	return entry.Get("container").IsString() && entry.Get("command") == nil
}

// readWorkflow reads servers in containers as what gh-aw makes of them: docker
// run, with args before the image and entrypointArgs behind it.
func readWorkflow(in *Input) *mcp.Document {
	servers := in.Tree.Root.Get("mcp-servers")
	if servers == nil || servers.Kind != syntax.Object {
		return nil
	}
	doc := in.rooted(&root{key: servers.Name, nodes: []*syntax.Node{in.Tree.Root, servers}})
	for _, entry := range servers.Nodes {
		if runsInContainer(entry) {
			doc.Servers = append(doc.Servers, containerServer(entry))
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	return doc
}

func containerServer(entry *syntax.Node) *mcp.Server {
	image := entry.Get("container")
	word := func(text string) identity.Word { return identity.Word{Text: text, Span: image.Value} }
	launch := identity.Launch{Command: word("docker"), Args: []identity.Word{word("run"), word("-i"), word("--rm")}, Transport: "stdio"}
	launch.Args = append(launch.Args, scalars(entry.Get("args"))...)
	launch.Args = append(launch.Args, literal(image))
	launch.Args = append(launch.Args, scalars(entry.Get("entrypointArgs"))...)
	return &mcp.Server{Name: entry.Name, NameSpan: entry.Key, Span: entry.Value, Launch: launch}
}

// scalars returns the elements of a list that are words.
func scalars(list *syntax.Node) []identity.Word {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var words []identity.Word
	for _, n := range list.Nodes {
		if isScalar(n) {
			words = append(words, literal(n))
		}
	}
	return words
}

// claudeAgent are subagents of Claude Code.
func claudeAgent() *Format {
	f := frontMatter("claude-agent", "mcpServers", ".claude/agents/*.md", ".claude/agents/*/*.md")
	f.Keys = append(f.Keys, toolPrefix)
	f.Read = readClaudeAgent
	return f
}

// claudeCommand are commands and skills of Claude Code, which name the tools
// that they may use.
func claudeCommand() *Format {
	f := frontMatter("claude-command", toolPrefix, ".claude/commands/*.md", ".claude/commands/*/*.md", ".claude/skills/*/SKILL.md")
	f.Scope, f.Marks = mcp.ScopeSettings, []string{}
	f.Read = func(in *Input) *mcp.Document {
		doc := in.document()
		doc.References = in.toolNames(in.Tree.Root.Get("allowed-tools"))
		if len(doc.References) == 0 {
			return nil
		}
		return doc
	}
	return f
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
	for _, n := range list.Nodes {
		switch n.Kind {
		case syntax.String:
			doc.References = append(doc.References, mcp.Reference{Name: n.Text, Span: in.unquoted(n.Value)})
		case syntax.Object:
			doc.Servers = append(doc.Servers, in.servers(n)...)
		}
	}
	if len(doc.Servers) == 0 && len(doc.References) == 0 {
		return nil
	}
	doc.Duplicates = in.repeats(&root{key: "mcpServers", nodes: []*syntax.Node{in.Tree.Root, list}})
	return doc
}

// unquoted is the span of a string without the quotes it may have.
func (in *Input) unquoted(s syntax.Span) syntax.Span {
	text := in.bytes(s)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return unquoted(s)
	}
	return s
}

// frontMatterOf returns the part of a Markdown file before its text, as far as
// it can be told in one that does not parse.
func frontMatterOf(content []byte) []byte {
	if end := bytes.Index(content, []byte("\n---")); end >= 0 {
		return content[:end]
	}
	return content
}
