package format

import (
	"slices"
	"strconv"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// holodeck are HoloDeck's agents: the tools of the type mcp are its servers
// (src/holodeck/models/tool.py, class MCPTool). Many programs have an
// agent.yaml; what the file says decides.
var holodeck = &shape.Format{
	Name: "holodeck", Scope: mcp.ScopeAgent, Paths: []string{"agent.yaml", "agent.yml"},
	Keys: []string{"instructions"}, Marks: []string{"type: mcp"}, Roots: []string{},
	ReadOnly: true, // each entry needs a description
	Parse:    (*syntax.Parser).YAML, Read: readHolodeck,
}

func readHolodeck(in *shape.Input) *mcp.Document {
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
		case kind.IsString() && kind.Text == "mcp", kind == nil && shape.IsServer(tool) && !shape.HasAlias(tool):
			servers = append(servers, tool)
		case tool.Get("name").IsString():
			others = append(others, shape.Word(tool.Get("name")))
		}
	}
	if len(servers) == 0 && len(others) == 0 {
		return nil
	}
	doc := holodeckDocument(in, "tools", tools, servers)
	doc.Taken = others
	if r := tooManyTools(tools); r != nil && len(servers) > 0 {
		r.Clients, r.WholeFile = in.Clients(), true
		doc.Refusals = append(doc.Refusals, *r)
	}
	doc.Refusals = append(doc.Refusals, takenNames(in, doc)...)
	return doc
}

// maxHolodeckTools is how many tools an agent may have (models/agent.py).
const maxHolodeckTools = 50

func tooManyTools(tools *syntax.Node) *mcp.Refusal {
	if len(tools.Nodes) <= maxHolodeckTools {
		return nil
	}
	return &mcp.Refusal{Reason: mcp.TooManyTools, Span: tools.Key, Member: tools.Name, Count: len(tools.Nodes)}
}

// isHolodeckAgent reports whether a document is an agent: its name, the model
// with its provider and the instructions are required.
func isHolodeckAgent(top *syntax.Node) bool {
	instructions := top.Get("instructions")
	return top.Get("name").IsString() && top.At("model", "provider").IsString() &&
		(instructions.Get("inline") != nil || instructions.Get("file") != nil)
}

// holodeckDocument returns the document of a list of entries. An entry without a name is checked,
// but is not a server.
func holodeckDocument(in *shape.Input, key string, list *syntax.Node, entries []*syntax.Node) *mcp.Document {
	doc := in.Document()
	doc.RootKey, doc.Root = key, list.Key
	for _, n := range entries {
		if r := refusesHolodeck(in, n, key == "tools"); r != nil {
			doc.Refusals = append(doc.Refusals, *r)
		}
		if name := n.Get("name"); name.IsString() {
			if r := refusesHolodeckName(in, n, name); r != nil {
				doc.Refusals = append(doc.Refusals, *r)
			}
			s := in.Entry(name.Text, name.Value, n)
			finishHolodeck(in, n, s)
			doc.Servers = append(doc.Servers, s)
		}
	}
	for _, d := range in.Tree.Duplicates {
		if list.Value.Contains(d.Object) {
			doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
		}
	}
	return doc
}

// finishHolodeck adds the members that only HoloDeck's entries have. Their type is always mcp,
// and the transport has its own member; the server gets config as a variable.
func finishHolodeck(in *shape.Input, entry *syntax.Node, s *mcp.Server) {
	if name := shape.Word(entry.Get("registry_name")); name.Text != "" {
		s.EnsureExtra().Registry = name
	}
	s.ForgetSwitch() // no such field: nothing switches a tool off
	s.Type = shape.Word(entry.Get("transport"))
	s.Launch.Transport = shape.TransportOf(s.Type.Text)
	if config := entry.Get("config"); config != nil && config.Kind == syntax.Object {
		s.Launch.Env = append(s.Launch.Env[:len(s.Launch.Env):len(s.Launch.Env)], identity.Pair{
			Name:  identity.Word{Text: "MCP_CONFIG", Span: config.Key},
			Value: identity.Word{Text: string(in.Bytes(config.Value)), Span: config.Value},
		})
	}
}

// takenNames refuses every server whose name another kind of tool has: names are
// unique across all tools of an agent.
func takenNames(in *shape.Input, doc *mcp.Document) []mcp.Refusal {
	taken := make(map[string]bool, len(doc.Taken))
	for _, w := range doc.Taken {
		taken[w.Text] = true
	}
	var refusals []mcp.Refusal
	for _, s := range doc.Servers {
		if taken[s.Name] {
			refusals = append(refusals, mcp.Refusal{
				Reason: mcp.NameTaken, Span: s.NameSpan, Object: s.Span, Server: s.Name, Clients: in.Clients(), WholeFile: true,
			})
		}
	}
	return refusals
}

// byHolodeck marks a refusal as one for which HoloDeck loads nothing of the file.
func byHolodeck(in *shape.Input, entry *syntax.Node, r *mcp.Refusal) *mcp.Refusal {
	r.Server, r.Object = shape.Word(entry.Get("name")).Text, entry.Value
	r.Clients, r.WholeFile = in.Clients(), true
	return r
}

// refusesHolodeckName checks a name by its characters.
func refusesHolodeckName(in *shape.Input, entry, name *syntax.Node) *mcp.Refusal {
	if shape.HasAlias(entry) || hasVariable(name.Text) || (&mcp.Naming{Others: "_"}).Takes(name.Text) {
		return nil
	}
	return byHolodeck(in, entry, &mcp.Refusal{Reason: mcp.NameCharacters, Span: name.Value, Got: name.Text})
}

// refusesHolodeck returns the first reason for which HoloDeck refuses an entry, and with it the
// whole file, or nil. The value of a text with a variable is unknown before it is filled in, and
// so is a value from a YAML anchor.
func refusesHolodeck(in *shape.Input, entry *syntax.Node, needsType bool) *mcp.Refusal {
	if shape.HasAlias(entry) {
		return nil
	}
	r := refusesHolodeckEntry(entry, needsType)
	if r == nil {
		return nil
	}
	return byHolodeck(in, entry, r)
}

func refusesHolodeckEntry(entry *syntax.Node, needsType bool) *mcp.Refusal {
	opening := syntax.Span{Start: entry.Value.Start, End: entry.Value.Start + 1}
	if len(entry.Nodes) > 0 {
		opening = entry.Nodes[0].Key
	}
	for _, required := range []string{"name", "description"} {
		if n := entry.Get(required); n == nil {
			return &mcp.Refusal{Reason: mcp.MissingMember, Span: opening, Member: required}
		} else if n.Kind != syntax.String {
			return shape.OfKind(n, shape.Whole(n), syntax.String)
		}
	}
	if needsType && entry.Get("type") == nil {
		return &mcp.Refusal{Reason: mcp.MissingToolType, Span: opening, Member: "type", Want: []string{"mcp"}}
	}
	for _, m := range entry.Nodes {
		if r := refusesHolodeckField(m); r != nil {
			return r
		}
	}
	return refusesHolodeckTarget(entry)
}

// refusesHolodeckField checks one member by itself.
func refusesHolodeckField(m *syntax.Node) *mcp.Refusal {
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
		return shape.UnlessOneOf(m, shape.Whole(m), mcp.TypeNotOneOf, "mcp")
	case "transport":
		return shape.UnlessOneOf(m, m.Key, mcp.NotOneOf, "stdio", "sse", "websocket", "http")
	case "command":
		return shape.UnlessOneOf(m, shape.Whole(m), mcp.NotOneOf, "npx", "node", "uvx", "docker")
	case "url":
		if !m.IsString() || !hasPrefix(m.Text, holodeckSchemes...) && !hasPrefix(m.Text, holodeckLocal...) {
			return &mcp.Refusal{Reason: mcp.URLSchemeLocal, Span: shape.Whole(m), Member: m.Name, Got: m.Text, Want: holodeckSchemes}
		}
	case "request_timeout":
		if m.Kind == syntax.Number && !isPositive(m.Text) {
			return &mcp.Refusal{Reason: mcp.NotPositive, Span: shape.Whole(m), Member: m.Name, Got: m.Text}
		}
	case "args":
		return refusesTexts(m, syntax.Array)
	case "env", "headers":
		return refusesTexts(m, syntax.Object)
	default:
		if !slices.Contains(holodeckFields(), m.Name) {
			return &mcp.Refusal{Reason: mcp.UnknownMember, Span: m.Key, Member: m.Name, Want: holodeckFields()}
		}
	}
	return nil
}

// isPositive reports whether a number is above zero.
func isPositive(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	return err != nil || value > 0
}

// The beginnings of addresses that HoloDeck accepts, of any machine and of this one.
var (
	holodeckSchemes = []string{"https://", "wss://", "ws://"}
	holodeckLocal   = []string{"http://localhost", "http://127.0.0.1", "http://[::1]"}
)

// refusesTexts demands a list or an object, and that every value in it is a
// string: a number without quotes is refused.
func refusesTexts(list *syntax.Node, kind syntax.Kind) *mcp.Refusal {
	if list.Kind != kind {
		return shape.OfKind(list, shape.Whole(list), kind)
	}
	for _, n := range list.Nodes {
		if n.Kind != syntax.String && !shape.IsAlias(n) {
			return &mcp.Refusal{Reason: mcp.MemberKind, InEach: true, Span: shape.Whole(n), Member: list.Name, Kind: n.Kind, WantKind: syntax.String}
		}
	}
	return nil
}

// refusesHolodeckTarget checks the members that the transport needs.
func refusesHolodeckTarget(entry *syntax.Node) *mcp.Refusal {
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
		return &mcp.Refusal{Reason: mcp.TransportNeeds, Span: at, Member: needed, Got: transport}
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
