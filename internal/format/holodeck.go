package format

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// holodeck are HoloDeck's agents: the tools of the type mcp are its servers
// (src/holodeck/models/tool.py, class MCPTool). Many programs have an
// agent.yaml; what the file says decides.
var holodeck = &Format{
	Name: "holodeck", Scope: mcp.ScopeAgent, Paths: []string{"agent.yaml", "agent.yml"},
	Keys: []string{"mcp"}, Marks: []string{"type: mcp"}, Roots: []string{},
	Parse: syntax.ParseYAML, Read: readHolodeck,
}

func readHolodeck(in *Input) *mcp.Document {
	top := in.Tree.Root
	tools := top.Get("tools")
	if !isHolodeckAgent(top) || tools == nil || tools.Kind != syntax.Array {
		return nil
	}
	var servers []*syntax.Node
	var others []identity.Word
	for _, tool := range tools.Nodes {
		switch kind := tool.Get("type"); {
		case tool.Kind != syntax.Object:
		case kind.IsString() && kind.Text == "mcp", kind == nil && isServer(tool) && !hasAlias(tool):
			servers = append(servers, tool)
		case tool.Get("name").IsString():
			others = append(others, word(tool.Get("name")))
		}
	}
	if len(servers) == 0 {
		return nil
	}
	doc := in.holodeckDocument("tools", tools, servers)
	doc.Taken = others
	doc.Problems = append(doc.Problems, takenNames(doc)...)
	return doc
}

// isHolodeckAgent reports whether a document is an agent: its name, the model
// with its provider and the instructions are required.
func isHolodeckAgent(top *syntax.Node) bool {
	instructions := top.Get("instructions")
	return top.Get("name").IsString() && top.At("model", "provider").IsString() &&
		(instructions.Get("inline") != nil || instructions.Get("file") != nil)
}

// holodeckDocument returns the document of a list of entries. One without a
// name is judged and is no server.
func (in *Input) holodeckDocument(key string, list *syntax.Node, entries []*syntax.Node) *mcp.Document {
	doc := in.document()
	doc.RootKey, doc.Root = key, list.Key
	var read []named
	for _, n := range entries {
		if p, ok := judgeHolodeck(n, key == "tools"); ok {
			doc.Problems = append(doc.Problems, p)
		}
		if name := n.Get("name"); name.IsString() {
			doc.Problems = append(doc.Problems, holodeckNameProblems(n, name)...)
			read = append(read, named{name.Text, name.Value, n})
		}
	}
	doc.Servers = in.read(read)
	for i, s := range doc.Servers {
		in.finishHolodeck(read[i].entry, s)
	}
	for _, d := range in.Tree.Duplicates {
		if list.Value.Contains(d.Object) {
			doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
		}
	}
	return doc
}

// finishHolodeck adds what only HoloDeck's entries say. Their type is always
// mcp, the transport stands apart; the server gets config as a variable.
func (in *Input) finishHolodeck(entry *syntax.Node, s *mcp.Server) {
	if name := word(entry.Get("registry_name")); name.Text != "" {
		s.EnsureExtra().Registry = name
	}
	s.Disabled = false // no such field: nothing switches a tool off
	s.Type = word(entry.Get("transport"))
	s.Launch.Transport = transportOf(s.Type.Text)
	if config := entry.Get("config"); config != nil && config.Kind == syntax.Object {
		s.Launch.Env = append(s.Launch.Env[:len(s.Launch.Env):len(s.Launch.Env)], identity.Pair{
			Name:  identity.Word{Text: "MCP_CONFIG", Span: config.Key},
			Value: identity.Word{Text: string(in.bytes(config.Value)), Span: config.Value},
		})
	}
}

// takenNames returns a problem for every server whose name another kind of tool
// has: names are unique across all tools of an agent.
func takenNames(doc *mcp.Document) []mcp.Problem {
	var problems []mcp.Problem
	for _, s := range doc.Servers {
		if slices.ContainsFunc(doc.Taken, func(w identity.Word) bool { return w.Text == s.Name }) {
			problems = append(problems, holodeckProblem(s.Name, s.NameSpan, "another tool has this name"))
		}
	}
	return problems
}

func holodeckProblem(name string, span syntax.Span, why string) mcp.Problem {
	what := "this entry"
	if name != "" {
		what = fmt.Sprintf("%q", name)
	}
	return mcp.Problem{
		Kind: mcp.InvalidServer, Server: name, Span: span,
		Message: fmt.Sprintf("HoloDeck does not load %s: %s", what, why),
	}
}

// holodeckNameProblems judges a name by its characters.
func holodeckNameProblems(entry, name *syntax.Node) []mcp.Problem {
	if hasAlias(entry) || hasVariable(name.Text) || (&mcp.Naming{Others: "_"}).Takes(name.Text) {
		return nil
	}
	p := holodeckProblem(name.Text, name.Value, "a name has only letters, digits and underscores")
	p.Kind = mcp.InvalidName
	return []mcp.Problem{p}
}

// judgeHolodeck returns the first thing for which HoloDeck refuses an entry,
// and with it the whole file. What has a variable is not known before it is
// filled in, what comes from a YAML anchor not at all.
func judgeHolodeck(entry *syntax.Node, needsType bool) (mcp.Problem, bool) {
	if hasAlias(entry) {
		return mcp.Problem{}, false
	}
	r := refusesHolodeck(entry, needsType)
	if r == nil {
		return mcp.Problem{}, false
	}
	return holodeckProblem(word(entry.Get("name")).Text, r.span, r.why), true
}

func refusesHolodeck(entry *syntax.Node, needsType bool) *refusal {
	opening := syntax.Span{Start: entry.Value.Start, End: entry.Value.Start + 1}
	if len(entry.Nodes) > 0 {
		opening = entry.Nodes[0].Key
	}
	for _, required := range []string{"name", "description"} {
		if n := entry.Get(required); n == nil {
			return &refusal{opening, fmt.Sprintf("it has no %s", required)}
		} else if n.Kind != syntax.String {
			return &refusal{whole(n), fmt.Sprintf("%s is a string, this is %s", required, article(n.Kind))}
		}
	}
	if needsType && entry.Get("type") == nil {
		return &refusal{opening, "it has no type, and a tool needs one (type: mcp)"}
	}
	for _, m := range entry.Nodes {
		if r := refusesHolodeckField(m); r != nil {
			return r
		}
	}
	return refusesHolodeckTarget(entry)
}

// refusesHolodeckField judges one member by itself.
func refusesHolodeckField(m *syntax.Node) *refusal {
	if m.Kind == syntax.Null && !slices.Contains([]string{"transport", "load_tools", "load_prompts", "request_timeout", "is_retrieval", "type", "defer_loading"}, m.Name) {
		if slices.Contains(holodeckFields(), m.Name) {
			return nil // as if it were not there
		}
	}
	if m.IsString() && hasVariable(m.Text) {
		return nil
	}
	switch m.Name {
	case "type":
		if m.Text != "mcp" {
			return &refusal{whole(m), "the type of a server is mcp"}
		}
	case "transport":
		if !m.IsString() || !slices.Contains([]string{"stdio", "sse", "websocket", "http"}, m.Text) {
			return &refusal{m.Key, "transport is one of stdio, sse, websocket and http"}
		}
	case "command":
		if !m.IsString() || !slices.Contains([]string{"npx", "node", "uvx", "docker"}, m.Text) {
			return &refusal{whole(m), "command is one of npx, node, uvx and docker"}
		}
	case "url":
		if !m.IsString() || !isHolodeckURL(m.Text) {
			return &refusal{whole(m), "url begins with https://, wss:// or ws://, or with http:// on this machine"}
		}
	case "args":
		if m.Kind != syntax.Array {
			return &refusal{whole(m), fmt.Sprintf("args is an array, this is %s", article(m.Kind))}
		}
		return refusesTexts(m)
	case "env", "headers":
		if m.Kind != syntax.Object {
			return &refusal{whole(m), fmt.Sprintf("%s is an object, this is %s", m.Name, article(m.Kind))}
		}
		return refusesTexts(m)
	default:
		if !slices.Contains(holodeckFields(), m.Name) {
			return &refusal{m.Key, fmt.Sprintf("it knows no field %q", m.Name)}
		}
	}
	return nil
}

// refusesTexts demands that every value is a string: a number without quotes is
// refused.
func refusesTexts(list *syntax.Node) *refusal {
	for _, n := range list.Nodes {
		if n.Kind != syntax.String && !isAlias(n) && n.Name != "<<" {
			return &refusal{whole(n), fmt.Sprintf("every value of %s is a string, this is %s", list.Name, article(n.Kind))}
		}
	}
	return nil
}

// refusesHolodeckTarget judges what the transport needs.
func refusesHolodeckTarget(entry *syntax.Node) *refusal {
	transport, needed := "stdio", "command"
	at := entry.Get("name").Value
	if m := entry.Get("transport"); m.IsString() {
		transport, at = m.Text, m.Value
	}
	if hasVariable(transport) {
		return nil
	}
	if transport != "stdio" {
		needed = "url"
	}
	if m := entry.Get(needed); m == nil || m.Kind == syntax.Null {
		return &refusal{at, fmt.Sprintf("the transport %s needs a %s", transport, needed)}
	}
	return nil
}

// holodeckFields are the members an entry may have; every other is refused.
func holodeckFields() []string {
	return []string{
		"name", "description", "type", "defer_loading", "transport", "command", "args", "env", "env_file",
		"encoding", "url", "headers", "timeout", "sse_read_timeout", "terminate_on_close", "config",
		"load_tools", "load_prompts", "request_timeout", "is_retrieval", "registry_name",
	}
}

func isHolodeckURL(url string) bool {
	return hasPrefix(url, "https://", "wss://", "ws://", "http://localhost", "http://127.0.0.1", "http://[::1]")
}
