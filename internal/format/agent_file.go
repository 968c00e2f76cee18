package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

func agentFile(name string, paths ...string) *shape.Format {
	return &shape.Format{
		Name: name, Scope: mcp.ScopeAgent, Paths: paths,
		Keys:  []string{"mcpServers", "tools", "allowedTools"},
		Marks: []string{`"mcpServers"`, "mcpServers:"},
		Roots: []string{"mcpServers"},
		Parse: (*syntax.Parser).JSON, Read: readAgentFile,
	}
}

// readAgentFile reads an agent's servers and the names of servers in its lists
// of tools: "@server" and "@server/tool".
func readAgentFile(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		doc = in.Document()
	}
	for _, key := range []string{"tools", "allowedTools"} {
		list := in.Tree.Root.Get(key)
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			if ref, ok := atReference(in, n); ok {
				doc.References = append(doc.References, ref)
			}
		}
	}
	if r := unusedServers(in, doc); r != nil {
		doc.Refusals = append(doc.Refusals, *r)
	}
	doc.References = append(doc.References, otherToolNames(in)...)
	doc.Approvals = append(doc.Approvals, allowedServers(in)...)
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Approvals) == 0 {
		return nil
	}
	return doc
}

// unusedServers reports a list of the tools that an agent may use without any of its own servers'
// among them: "@server", "@server/tool", patterns of those, or "*".
func unusedServers(in *shape.Input, doc *mcp.Document) *mcp.Refusal {
	list := in.Tree.Root.Get("tools")
	i := slices.IndexFunc(doc.Servers, func(s *mcp.Server) bool { return !s.IsOff() })
	if list == nil || list.Kind != syntax.Array || i < 0 {
		return nil
	}
	for _, tool := range list.Nodes {
		isOther := strings.HasPrefix(tool.Text, "@") && tool.Text != "@builtin" || strings.Contains(tool.Text, "*")
		isNamed := func(s *mcp.Server) bool { return strings.Contains(tool.Text, s.Name) }
		if isOther || slices.ContainsFunc(doc.Servers, isNamed) {
			return nil
		}
	}
	return &mcp.Refusal{Reason: mcp.UnusedServers, Span: list.Key, Member: list.Name, Got: doc.Servers[i].Name, Clients: in.Clients()}
}

// otherToolNames returns the servers that the keys of maps and the matchers of
// hooks name.
func otherToolNames(in *shape.Input) []mcp.Reference {
	var refs []mcp.Reference
	add := func(written syntax.Span, text string) {
		if ref, ok := atText(in, written, text); ok {
			refs = append(refs, ref)
		}
	}
	for _, key := range []string{"toolAliases", "toolsSettings"} {
		if tools := in.Tree.Root.Get(key); tools != nil && tools.Kind == syntax.Object {
			for _, n := range tools.Nodes {
				add(n.Key, n.Name)
			}
		}
	}
	hooks := in.Tree.Root.Get("hooks")
	if hooks == nil {
		return refs
	}
	for _, event := range hooks.Nodes {
		for _, hook := range event.Nodes {
			if matcher := hook.Get("matcher"); matcher.IsString() {
				add(matcher.Value, matcher.Text)
			}
		}
	}
	return refs
}

// allowedServers returns the servers whose tools an agent may run without asking: all ("@server",
// "@server/*"), with patterns instead of the name, or one ("@server/tool"). "*" by itself allows
// nothing there (docs/agent-format.md).
func allowedServers(in *shape.Input) []mcp.Approval {
	var approvals []mcp.Approval
	for _, rule := range shape.Names(in.Tree.Root.Get("allowedTools")) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(rule.Name, "/*"), "@")
		name, tool, _ := strings.Cut(name, "/")
		if !ok || name == "" || name == "builtin" || strings.Contains(tool, "/") {
			continue
		}
		approval := mcp.Approval{Client: in.Clients()[0], Grant: mcp.RunTools, Server: name, Tool: tool, ByName: true, Span: rule.Span}
		if name == "*" {
			approval.Server, approval.ByName = "", false
		}
		approvals = append(approvals, approval)
	}
	return approvals
}

// atReference returns the server that "@server/tool" names.
func atReference(in *shape.Input, n *syntax.Node) (mcp.Reference, bool) {
	if n.Kind != syntax.String {
		return mcp.Reference{}, false
	}
	return atText(in, n.Value, n.Text)
}

// atText returns the server that a text names, a value or a key. One that is
// written with escapes has no span of its own and is left out.
func atText(in *shape.Input, written syntax.Span, text string) (mcp.Reference, bool) {
	if !strings.HasPrefix(text, "@") {
		return mcp.Reference{}, false
	}
	name, _, _ := strings.Cut(text[1:], "/")
	if name == "builtin" || strings.ContainsAny(name, "*?") {
		return mcp.Reference{}, false
	}
	refs := in.NameIn(written, text, 1, 1+len(name))
	if len(refs) == 0 {
		return mcp.Reference{}, false
	}
	return refs[0], true
}
