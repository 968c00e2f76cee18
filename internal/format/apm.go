package format

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// apm is the manifest of the Agent Package Manager (microsoft/apm 0.31), from
// which "apm install" writes the files of clients. A server is the name of one
// in the MCP registry, with or without overlays, or says registry: false and
// all the rest itself (src/apm_cli/models/dependency/mcp.py).
var apm = &Format{
	Name: "apm", Scope: mcp.ScopeGenerator, Paths: []string{"apm.yml"},
	Keys: []string{"mcp"}, Marks: []string{"mcp:"}, Roots: []string{},
	Parse: syntax.ParseYAML, Read: readAPM,
}

// readAPM reads the servers of a project. Those of installed packages are not
// its own, wherever apm_modules is committed.
func readAPM(in *Input) *mcp.Document {
	if strings.Contains(strings.ToLower("/"+in.File.Path), "/apm_modules/") {
		return nil
	}
	var doc *mcp.Document
	seen := map[string]bool{}
	for _, key := range []string{"dependencies", "devDependencies"} {
		list := in.Tree.Root.At(key, "mcp")
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		if doc == nil {
			doc = in.document()
			doc.RootKey, doc.Root = key+".mcp", list.Key
		}
		in.readAPMList(doc, list, seen)
	}
	return doc
}

// readAPMList adds the servers of one list. Of a name written twice apm installs
// the first: seen are the names of the lists before.
func (in *Input) readAPMList(doc *mcp.Document, list *syntax.Node, seen map[string]bool) {
	here := map[string]bool{}
	for _, n := range list.Nodes {
		s := in.apmServer(n)
		if r := refusesAPM(n); r != nil {
			doc.Problems = append(doc.Problems, apmProblem(n, *r))
		} else if s != nil && here[s.Name] {
			doc.Problems = append(doc.Problems, mcp.Problem{
				Kind: mcp.InvalidServer, Server: s.Name, Span: s.NameSpan, Minor: true,
				Message: fmt.Sprintf("apm installs only the first %q of this list", s.Name),
			})
		}
		if s == nil || seen[s.Name] {
			continue
		}
		here[s.Name], seen[s.Name] = true, true
		doc.Servers = append(doc.Servers, s)
	}
	for _, d := range in.Tree.Duplicates {
		if list.Value.Contains(d.Object) {
			doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
		}
	}
}

// apmServer reads one entry, nil if it has no name. What runs a server of the
// registry is not written here.
func (in *Input) apmServer(n *syntax.Node) *mcp.Server {
	if n.IsString() && n.Text != "" {
		return registryServer(n, n)
	}
	name := n.Get("name")
	if !name.IsString() || name.Text == "" {
		return nil
	}
	if isSelfDefined(n) {
		s := in.read([]named{{name.Text, name.Value, n}})[0]
		s.Disabled = false // no such field: nothing switches a server off
		return s
	}
	return registryServer(n, name)
}

// registryServer returns the entry of a server of the registry.
func registryServer(entry, name *syntax.Node) *mcp.Server {
	s := &mcp.Server{Name: name.Text, NameSpan: name.Value, Span: entry.Value}
	s.EnsureExtra().Registry = literal(name)
	return s
}

// isSelfDefined reports whether an entry says registry: false, in any spelling
// of YAML 1.1, which apm reads.
func isSelfDefined(entry *syntax.Node) bool {
	n := entry.Get("registry")
	if n == nil || n.Value.End-n.Value.Start != len(n.Text) {
		return false // a text in quotes
	}
	switch strings.ToLower(n.Text) {
	case "false", "no", "off":
		return true
	}
	return false
}

// apmProblem words why apm refuses an entry, and with it the whole manifest; or,
// if the refusal is none, what it passes over.
func apmProblem(n *syntax.Node, r apmRefusal) mcp.Problem {
	what := "this entry"
	name := word(n.Get("name")).Text
	if n.IsString() {
		name = n.Text
	}
	if name != "" {
		what = fmt.Sprintf("%q", name)
	}
	p := mcp.Problem{Kind: mcp.InvalidServer, Server: name, Span: r.span, Minor: r.minor}
	if p.Message = fmt.Sprintf("apm refuses %s: %s", what, r.why); r.minor {
		p.Message = fmt.Sprintf("apm looks %s up in its registry: %s", what, r.why)
	}
	return p
}

// apmRefusal is a refusal; a minor one costs a member, not the manifest.
type apmRefusal struct {
	refusal
	minor bool
}

// refusesAPM returns the first thing for which apm refuses an entry, or nil. An
// entry that is neither a text nor an object it passes over.
func refusesAPM(n *syntax.Node) *apmRefusal {
	switch {
	case n.IsString():
		return refusesAPMName(n)
	case n.Kind != syntax.Object || hasAlias(n):
		return nil
	}
	name := n.Get("name")
	if name == nil {
		return &apmRefusal{refusal: refusal{opening(n), "it has no name"}}
	}
	if r := refusesAPMName(name); r != nil {
		return r
	}
	if r := refusesAPMTarget(n); r != nil {
		return r
	}
	if isSelfDefined(n) {
		return refusesSelfDefined(n)
	}
	for _, key := range []string{"url", "command"} {
		if m := n.Get(key); isFilled(m) {
			return &apmRefusal{refusal{m.Key, fmt.Sprintf("without registry: false it does not use %s", key)}, true}
		}
	}
	return nil
}

// refusesAPMName judges a name that is a text.
func refusesAPMName(name *syntax.Node) *apmRefusal {
	if !name.IsString() || isAPMName(name.Text) {
		return nil
	}
	return &apmRefusal{refusal: refusal{name.Value,
		"a name begins with a letter, a digit, @ or _, and has only these and . / : = - (128 at most, and no ..)"}}
}

func isAPMName(name string) bool {
	for i, c := range []byte(name) {
		isWord := c == '@' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isWord && (i == 0 || strings.IndexByte("./:=-", c) < 0) {
			return false
		}
	}
	return name != "" && len(name) <= 128 && !hasParentSegment(name, "/")
}

func hasParentSegment(text, separators string) bool {
	for _, segment := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(separators, c) }) {
		if segment == ".." {
			return true
		}
	}
	return false
}

// refusesAPMTarget judges the address and the command of any entry.
func refusesAPMTarget(n *syntax.Node) *apmRefusal {
	refuse := func(m *syntax.Node, why string) *apmRefusal { return &apmRefusal{refusal: refusal{whole(m), why}} }
	url, command := n.Get("url"), n.Get("command")
	switch {
	case isFilled(url) && !hasVariable(url.Text) && !hasPrefix(strings.ToLower(url.Text), "http://", "https://"):
		return refuse(url, "url begins with https:// or http://")
	case command != nil && (command.Kind == syntax.Array || command.Kind == syntax.Object):
		return refuse(command, fmt.Sprintf("command is a string, this is %s", article(command.Kind)))
	case isFilled(command) && hasParentSegment(command.Text, `/\`):
		return refuse(command, "command has no .. in its path")
	}
	return nil
}

// refusesSelfDefined judges what an entry needs that says registry: false.
func refusesSelfDefined(n *syntax.Node) *apmRefusal {
	refuse := func(at syntax.Span, format string, args ...any) *apmRefusal {
		return &apmRefusal{refusal: refusal{at, fmt.Sprintf(format, args...)}}
	}
	name := n.Get("name").Value
	transport := n.Get("transport")
	if !isFilled(transport) {
		transport = n.Get("type") // its old name
	}
	if transport == nil || transport.Kind == syntax.Null || transport.IsString() && transport.Text == "" {
		return refuse(name, "it needs a transport")
	}
	if !transport.IsString() {
		return nil
	}
	switch transport.Text {
	case "http", "sse", "streamable-http":
		if !isGiven(n.Get("url")) {
			return refuse(name, "the transport %s needs a url", transport.Text)
		}
	case "stdio":
		command := n.Get("command")
		switch {
		case !isGiven(command):
			return refuse(name, "the transport stdio needs a command")
		case command.IsString() && strings.ContainsAny(command.Text, " \t\n") && !isGiven(n.Get("args")):
			return refuse(command.Value, "command is one word, what follows it belongs into args")
		}
	default:
		return refuse(whole(transport), "transport is one of http, sse, stdio and streamable-http")
	}
	return nil
}
