package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// amazonQAgent are agents of Amazon Q Developer (amazon-q-developer-cli
// docs/agent-format.md).
func amazonQAgent() *Format {
	return agentFile("amazon-q-agent", ".amazonq/agents/*.json", ".amazonq/cli-agents/*.json")
}

// kiroAgent are agents of Kiro, which took over the shape.
func kiroAgent() *Format { return agentFile("kiro-agent", ".kiro/agents/*.json") }

func agentFile(name string, paths ...string) *Format {
	return &Format{
		Name: name, Scope: mcp.ScopeAgent, Paths: paths,
		Keys:  []string{`"mcpServers"`, `"tools"`, `"allowedTools"`},
		Marks: []string{`"mcpServers"`},
		Roots: []string{"mcpServers"},
		Parse: syntax.ParseJSON, Read: readAgentFile,
	}
}

// readAgentFile reads an agent's servers and the names of servers in its lists
// of tools: "@server" and "@server/tool".
func readAgentFile(in *Input) *mcp.Document {
	doc := readServers(in)
	if doc == nil {
		doc = in.document()
	}
	for _, key := range []string{"tools", "allowedTools"} {
		list := in.Tree.Root.Get(key)
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			if ref, ok := in.atReference(n); ok {
				doc.References = append(doc.References, ref)
			}
		}
	}
	doc.Approvals = append(doc.Approvals, in.allowedServers()...)
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Approvals) == 0 {
		return nil
	}
	return doc
}

// allowedServers returns the servers all of whose tools an agent may run without
// asking: "@server" and "@server/*", with patterns in place of the name. "*" by
// itself allows nothing there (docs/agent-format.md).
func (in *Input) allowedServers() []mcp.Approval {
	var approvals []mcp.Approval
	for _, rule := range names(in.Tree.Root.Get("allowedTools")) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(rule.Name, "/*"), "@")
		if !ok || name == "" || name == "builtin" || strings.Contains(name, "/") {
			continue
		}
		approval := mcp.Approval{Client: in.plan.clients[0], Grant: mcp.RunTools, Server: name, ByName: true, Span: rule.Span}
		if name == "*" {
			approval.Server, approval.ByName = "", false
		}
		approvals = append(approvals, approval)
	}
	return approvals
}

// atReference returns the server that "@server/tool" names. One that is written
// with escapes has no span of its own and is left out.
func (in *Input) atReference(n *syntax.Node) (mcp.Reference, bool) {
	if n.Kind != syntax.String || !strings.HasPrefix(n.Text, "@") || strings.ContainsAny(n.Text, "*?") {
		return mcp.Reference{}, false
	}
	span := in.unquoted(n.Value)
	name, _, _ := strings.Cut(n.Text[1:], "/")
	if name == "" || name == "builtin" || string(in.bytes(span)) != n.Text {
		return mcp.Reference{}, false
	}
	return mcp.Reference{Name: name, Span: syntax.Span{Start: span.Start + 1, End: span.Start + 1 + len(name)}}, true
}
