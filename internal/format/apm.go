package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// apm is the manifest of the Agent Package Manager (microsoft/apm 0.31), from
// which "apm install" writes the files of clients. A server is the name of one
// in the MCP registry, with or without overlays, or says registry: false and
// all the rest itself (src/apm_cli/models/dependency/mcp.py).
var apm = &shape.Format{
	Name: "apm", Scope: mcp.ScopeGenerator, Paths: []string{"apm.yml"},
	Keys: []string{"mcp"}, Marks: []string{"mcp:"}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readAPM,
}

// readAPM reads the servers of a project. Those of installed packages are not its own, even if
// apm_modules is committed.
func readAPM(in *shape.Input) *mcp.Document {
	if strings.Contains(strings.ToLower("/"+in.File.Path), "/apm_modules/") {
		return nil
	}
	var doc *mcp.Document
	seen := map[string]bool{}
	for _, key := range []string{"dependencies", "devDependencies"} {
		list := in.Tree.Root.At(key, "mcp")
		if list == nil || list.Kind != syntax.Array && list.Kind != syntax.Null {
			continue // a key without a value is a list without elements
		}
		if doc == nil {
			doc = in.Document()
			doc.RootKey, doc.Root = key+".mcp", list.Key
		}
		readAPMList(in, doc, list, seen)
		doc.Installs = append(doc.Installs, apmPackages(in.Tree.Root.At(key, "apm"))...)
	}
	return doc
}

// apmPackages returns the packages of one list by their repositories, and the path in those,
// without a version: "owner/name/path#v1", an address, or an object with git and path
// (microsoft.github.io/apm/reference/manifest-schema).
func apmPackages(list *syntax.Node) []identity.Word {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var packages []identity.Word
	for _, n := range list.Nodes {
		of := shape.Word(n)
		if n.Kind == syntax.Object {
			of = shape.Word(n.Get("git"))
		}
		text, _, _ := strings.Cut(of.Text, "#")
		name := apmRepository(text, "")
		if within := shape.Word(n.Get("path")).Text; within != "" {
			name += "/" + within
		}
		if text != "" {
			packages = append(packages, identity.Word{Text: name, Span: of.Span})
		}
	}
	return packages
}

// readAPMList adds the servers of one list. If a name is written twice, apm installs the first:
// seen are the names of the previous lists.
func readAPMList(in *shape.Input, doc *mcp.Document, list *syntax.Node, seen map[string]bool) {
	here := map[string]bool{}
	for _, n := range list.Nodes {
		s := apmServer(in, n)
		r := refusesAPM(n)
		if r == nil && s != nil && here[s.Name] {
			r = &mcp.Refusal{Reason: mcp.NameRepeated, Span: s.NameSpan, GoesOn: true}
		}
		if r != nil {
			doc.Refusals = append(doc.Refusals, *byAPM(n, r))
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
func apmServer(in *shape.Input, n *syntax.Node) *mcp.Server {
	if n.IsString() && n.Text != "" {
		return registryServer(n, n)
	}
	name := n.Get("name")
	if !name.IsString() || name.Text == "" {
		return nil
	}
	if isSelfDefined(n) {
		s := in.Entry(name.Text, name.Value, n)
		s.ForgetSwitch() // no such field: nothing switches a server off
		noteShortName(s)
		return s
	}
	return registryServer(n, name)
}

// noteShortName writes down the name that apm gives a server in the files of most
// clients: the last segment. VS Code gets the whole name.
func noteShortName(s *mcp.Server) {
	if at := strings.LastIndexByte(s.Name, '/'); at >= 0 {
		s.EnsureExtra().WrittenAs = []string{s.Name[at+1:]}
	}
}

// registryServer returns the entry of a server of the registry.
func registryServer(entry, name *syntax.Node) *mcp.Server {
	s := &mcp.Server{Name: name.Text, NameSpan: name.Value, Span: entry.Value, Shared: shape.IsShared(entry)}
	s.EnsureExtra().Registry = shape.Literal(name)
	noteShortName(s)
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

// byAPM completes a refusal with its entry and with what apm refuses for it: the whole manifest,
// unless apm goes on.
func byAPM(n *syntax.Node, r *mcp.Refusal) *mcp.Refusal {
	r.Tool, r.Object, r.WholeFile = "apm", n.Value, !r.GoesOn
	r.Server = shape.Word(n.Get("name")).Text
	if n.IsString() {
		r.Server = n.Text
	}
	return r
}

// refusesAPM returns the first thing for which apm refuses an entry, or nil. An
// entry that is neither a text nor an object it passes over.
func refusesAPM(n *syntax.Node) *mcp.Refusal {
	switch {
	case n.IsString():
		return refusesAPMName(n)
	case n.Kind != syntax.Object || shape.HasAlias(n):
		return nil
	}
	name := n.Get("name")
	if name == nil {
		return &mcp.Refusal{Reason: mcp.MissingMember, Span: shape.Opening(n), Member: "name"}
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
		if m := n.Get(key); shape.IsFilled(m) {
			return &mcp.Refusal{Reason: mcp.UnusedMember, Span: m.Key, Member: key, GoesOn: true}
		}
	}
	return nil
}

// refusesAPMName checks a name that is a text.
func refusesAPMName(name *syntax.Node) *mcp.Refusal {
	if !name.IsString() || isAPMName(name.Text) {
		return nil
	}
	return &mcp.Refusal{Reason: mcp.ManifestName, Span: name.Value, Got: name.Text}
}

func isAPMName(name string) bool {
	for i, c := range []byte(name) {
		isWord := c == '@' || c == '_' || ascii.IsAlphanumeric(c)
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

// refusesAPMTarget checks the address and the command of any entry.
func refusesAPMTarget(n *syntax.Node) *mcp.Refusal {
	schemes := []string{"https://", "http://"}
	url, command := n.Get("url"), n.Get("command")
	switch {
	case shape.IsFilled(url) && !hasVariable(url.Text) && !hasPrefix(strings.ToLower(url.Text), schemes...):
		return &mcp.Refusal{Reason: mcp.URLScheme, Span: shape.Whole(url), Member: url.Name, Got: url.Text, Want: schemes}
	case command != nil && (command.Kind == syntax.Array || command.Kind == syntax.Object):
		return shape.OfKind(command, shape.Whole(command), syntax.String)
	case shape.IsFilled(command) && hasParentSegment(command.Text, `/\`):
		return &mcp.Refusal{Reason: mcp.CommandClimbs, Span: shape.Whole(command), Member: command.Name, Got: command.Text}
	}
	return nil
}

// refusesSelfDefined checks the members that an entry with registry: false needs.
func refusesSelfDefined(n *syntax.Node) *mcp.Refusal {
	name := n.Get("name").Value
	transport := n.Get("transport")
	if !shape.IsFilled(transport) {
		transport = n.Get("type") // its old name
	}
	if transport == nil || transport.Kind == syntax.Null || transport.IsString() && transport.Text == "" {
		return &mcp.Refusal{Reason: mcp.MissingTransport, Span: name, Want: apmTransports}
	}
	if !transport.IsString() {
		return nil
	}
	switch command := n.Get("command"); transport.Text {
	case "http", "sse", "streamable-http":
		if !shape.IsGiven(n.Get("url")) {
			return &mcp.Refusal{Reason: mcp.TransportNeeds, Span: name, Member: "url", Got: transport.Text}
		}
	case "stdio":
		if !shape.IsGiven(command) {
			return &mcp.Refusal{Reason: mcp.TransportNeeds, Span: name, Member: "command", Got: transport.Text}
		}
		if strings.ContainsAny(command.Text, " \t\n") && !shape.IsGiven(n.Get("args")) {
			return &mcp.Refusal{Reason: mcp.CommandLine, Span: command.Value, Member: command.Name, Other: "args", Got: command.Text}
		}
	default:
		return &mcp.Refusal{Reason: mcp.NotOneOf, Span: shape.Whole(transport), Member: "transport", Got: transport.Text, Want: apmTransports}
	}
	return nil
}

// apmTransports are the names of transports that apm knows.
var apmTransports = []string{"http", "sse", "stdio", "streamable-http"}
