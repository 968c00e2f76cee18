package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// copilotAgent are custom agents of GitHub Copilot, with the tools that they may
// use: "server/tool" and "server/*".
var copilotAgent = &shape.Format{
	Name: "copilot-agent", Scope: mcp.ScopeAgent,
	Paths: []string{"*.agent.md", ".github/agents/*.md"},
	Keys:  []string{"mcp-servers", "tools"}, Marks: []string{"mcp-servers:"}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readCopilotAgent,
}

// readCopilotAgent reads an agent's servers, and those that its tools name.
func readCopilotAgent(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	refs := in.NamesBefore(in.Tree.Root.Get("tools"), behindServer)
	if doc == nil && len(refs) > 0 {
		doc = in.Document()
	}
	if doc != nil {
		doc.References = append(doc.References, refs...)
	}
	return doc
}

// behindServer returns where the tool's name begins in "server/tool", -1 if there is no tool. The
// names of servers from VS Code's gallery have a slash of their own:
// "io.github.upstash/context7/*".
func behindServer(tool string) int { return strings.LastIndexByte(tool, '/') }
