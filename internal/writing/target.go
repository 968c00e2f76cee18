// Package writing writes a server as an entry of a client's file, in the syntax of that client,
// and reports what that cannot express (mcp.Loss). It makes changes (package edit), and does not
// write files itself.
package writing

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Target is a file that servers may be written into, and the client in whose syntax.
type Target struct {
	Client *mcp.Client
	// Path is the file's, slash-separated, from the root of the repository.
	Path  string
	Match shape.Match
	// Secrets are the known variables of credentials, by the values that contain these in a
	// server's own file. Has is the entry that already exists, nil for none: where it has a
	// variable instead of a credential, that variable holds it.
	Secrets map[syntax.Span][]mcp.SecretVariable
	Has     *mcp.Server

	reading *mcp.Reading
	// root is the key that servers go under, as a dotted path; "" for a bare map.
	root string
	file *syntax.File // nil if there is no file yet
	top  *syntax.Node
	// inputs are those that the file declares.
	inputs mcp.InputNames
}

// TargetOf returns the file of a path as one that servers may be written into for a client. ok is
// false if the client loads no servers from such files, if they are first of all another
// client's, if it is unknown in which syntax it reads them, and if they are not configuration: a
// plugin, a manifest, a page with front matter.
func TargetOf(ix *format.Index, path string, c *mcp.Client) (t Target, ok bool) {
	m, known := ix.Lookup(path)
	if !known || !isWritable(m.Format) || m.Format.IsReadOnlyIn != nil && m.Format.IsReadOnlyIn(m.Dir) {
		return Target{}, false
	}
	r := c.Reading(m.Format.Name)
	if r == nil || len(r.Roots) == 0 || r.Others || r.Dialect != nil {
		return Target{}, false
	}
	t = Target{Client: c, Path: path, Match: m, reading: r, root: r.Roots[0]}
	return t, t.owner() == c
}

// OwnTarget is TargetOf for the client that the file of a path is made for.
func OwnTarget(ix *format.Index, path string) (t Target, ok bool) {
	m, _ := ix.Lookup(path)
	if m.Format == nil {
		return Target{}, false
	}
	for _, c := range m.Readers() {
		if t, ok := TargetOf(ix, path, c); ok {
			return t, true
		}
	}
	return Target{}, false
}

// Empty returns the document of a file that exists and has no MCP configuration, nil if it cannot
// be parsed.
func (t Target) Empty(file *syntax.File) *mcp.Document {
	if _, err := t.Match.Format.Parse(&syntax.Parser{}, file); err != nil && !edit.IsEmpty(file) {
		return nil
	}
	in := &shape.Input{File: file, Tree: &syntax.Tree{}, Match: t.Match}
	in.Use(t.Match.Format)
	doc := in.Document()
	doc.RootKey, doc.Context = t.root, in.Context
	return doc
}

// Takes reports whether the client accepts a server of a name from the file.
func (t Target) Takes(name string) bool {
	return t.reading.Names.Takes(name) && !t.reading.Names.IsReserved(name)
}

// Again returns the server of an entry as it is read from a file with no other entry, nil if it
// cannot be written alone.
func (t Target) Again(e Entry) *mcp.Server {
	if e.Value.Kind == syntax.Null {
		return nil
	}
	edits, err := edit.Lower([]edit.Change{t.Create(e)})
	if err != nil {
		return nil
	}
	doc, err := format.Read(syntax.NewFile(t.Path, edit.Apply(nil, edits)), t.Match)
	if err != nil || doc == nil || len(doc.Servers) != 1 {
		return nil
	}
	return doc.Servers[0]
}

// owner returns the client that the file is made for: the first that loads the
// servers under its root key.
func (t Target) owner() *mcp.Client {
	for _, c := range t.Match.Readers() {
		if c.Reads(t.Match.Format.Name, t.root) {
			return c
		}
	}
	return nil
}

// isWritable reports whether entries are written into files of the format.
func isWritable(f *shape.Format) bool {
	switch f.Scope {
	case mcp.ScopeProject, mcp.ScopeUser, mcp.ScopeAgent:
		return !f.Markdown && !f.ReadOnly
	}
	return false
}

// Rewrite returns the members of a server's entry in the file that it is read from, in the syntax
// of the client that the file is made for, and the losses: what they do not say as the server has
// it. There are none if the server cannot be written there.
func Rewrite(s *mcp.Server) ([]edit.Member, []mcp.Loss) {
	t, ok := targetOf(s.Document)
	if !ok {
		return nil, nil
	}
	e := t.Entry(s)
	return e.Value.Members, e.Losses
}

// Add returns the changes that add a server to a document's file, in the syntax of the client
// that the file is made for, and the losses. There are none if the server cannot be written
// there. The server must belong to that document, but its spans do not count. It is added next to
// another server, or after all servers if that one is nil.
func Add(s, beside *mcp.Server, where edit.Where) ([]edit.Change, []mcp.Loss) {
	doc := s.Document
	t, ok := targetOf(doc)
	if !ok || !isWritable(t.Match.Format) || !t.Takes(s.Name) {
		return nil, nil
	}
	tree, err := t.Match.Format.Parse(&syntax.Parser{}, doc.File)
	if err != nil {
		return nil, nil
	}
	t = t.Within(doc.File, tree)
	e := t.Entry(s)
	if e.Value.Kind == syntax.Null {
		return nil, e.Losses
	}
	if beside != nil {
		where.Beside = t.Handle(beside)
	}
	return t.InsertAt(e, where), e.Losses
}

// targetOf returns the target that a document's file is, for the client that it is made for.
func targetOf(doc *mcp.Document) (Target, bool) {
	i := slices.IndexFunc(format.All(), func(f *shape.Format) bool { return f.Name == doc.Format })
	loaders := doc.Loaders()
	if i < 0 || len(loaders) == 0 || format.All()[i].ReadOnly {
		return Target{}, false
	}
	return Target{
		Client: loaders[0], Path: doc.File.Path, Match: shape.Match{Format: format.All()[i], Dir: doc.Project.Dir},
		reading: loaders[0].Reading(doc.Format), root: doc.RootKey,
	}, true
}

// Within returns the target for an existing file, parsed according to its format: servers go
// where the client reads them in that file.
func (t Target) Within(file *syntax.File, tree *syntax.Tree) Target {
	t.file, t.top = file, tree.Root
	if t.top == nil {
		t.top = &syntax.Node{Kind: syntax.Object}
	}
	if key := t.rootThere(); key != "" {
		t.root = key
	} else if t.reading.Bare && shape.IsBareMap(t.top) {
		t.root = ""
	}
	if nodes := shape.Lookup(t.top, t.root, []*syntax.Node{t.top}); len(nodes) > 1 {
		r := &shape.Root{Nodes: nodes}
		ids, _ := shape.Inputs(r)
		t.inputs = mcp.NameInputs(ids, shape.HiddenInputs(r.Parent().Get(shape.InputList(r).Key)))
	}
	return t
}

// rootThere returns the root key that the file has: one with servers before an empty one, and of
// two nested ones the inner one; "" if there is none.
func (t Target) rootThere() string {
	holds := func(n *syntax.Node) bool { return shape.IsContainer(n) && !shape.IsServer(n) }
	withServers := func(n *syntax.Node) bool { return holds(n) && shape.AnyEntry(n, shape.IsServer) }
	for _, accept := range []func(*syntax.Node) bool{withServers, holds} {
		r := shape.FirstRoot(t.top, t.reading.Roots, accept)
		if r == nil {
			continue
		}
		for _, key := range t.reading.Roots {
			if strings.HasPrefix(key, r.Key+".") && shape.FirstRoot(t.top, []string{key}, holds) != nil {
				return key
			}
		}
		return r.Key
	}
	return ""
}

// Handle names an existing entry for a change: by its key, if it has one.
func (t Target) Handle(s *mcp.Server) syntax.Span {
	if t.reading.Lists {
		return s.Span
	}
	return s.NameSpan
}

// keys returns the keys from the top of the file to what holds an entry.
func (t Target) keys(e Entry) []string {
	var keys []string
	switch {
	case t.reading.Flat:
		keys = []string{t.root}
	case t.root != "":
		keys = strings.Split(t.root, ".")
	}
	if e.Below != "" {
		keys = append(keys, e.Below)
	}
	return keys
}

// Create returns the change that writes a new file with entries.
func (t Target) Create(entries ...Entry) edit.Change {
	top := edit.Object()
	if begin := t.Match.Format.Begin; begin != nil {
		top.Members = begin(t.Path)
	}
	for _, e := range entries {
		top = t.put(top, t.keys(e), e)
	}
	return edit.Create(t.Path, top)
}

// put returns a value with an entry under the keys, and with the inputs that it needs.
func (t Target) put(v edit.Value, keys []string, e Entry) edit.Value {
	if len(e.Inputs) > 0 && len(keys) > 0 {
		beside := append(slices.Clone(keys[:len(keys)-1]), shape.InputsKey)
		for _, id := range e.Inputs {
			v = placed(v, beside, func(list edit.Value) edit.Value { return declared(list, id) })
		}
	}
	return placed(v, keys, func(holder edit.Value) edit.Value {
		if t.reading.Lists {
			return edit.Array(append(holder.Elements, e.Value)...)
		}
		return edit.Object(append(holder.Members, edit.Member{Name: e.Name, Value: e.Value})...)
	})
}

// placed returns a value in which the value under the keys is changed. It makes the keys that are
// missing.
func placed(v edit.Value, keys []string, change func(edit.Value) edit.Value) edit.Value {
	if len(keys) == 0 {
		return change(v)
	}
	members := slices.Clone(v.Members)
	i := slices.IndexFunc(members, func(m edit.Member) bool { return m.Name == keys[0] })
	if i < 0 {
		i, members = len(members), append(members, edit.Member{Name: keys[0]})
	}
	members[i].Value = placed(members[i].Value, keys[1:], change)
	return edit.Object(members...)
}

// InsertAt returns the changes that add an entry to the file of Within, at a place among the
// existing ones. None of these may have its name. There are no changes if a value of another kind
// is in their place.
func (t Target) InsertAt(e Entry, where edit.Where) []edit.Change {
	keys := t.keys(e)
	holder, missing := t.find(keys)
	value := edit.Value{}
	switch {
	case len(missing) > 0:
		value = t.put(edit.Value{}, missing, e)
	case holder.Kind == syntax.Null, t.isBare(holder): // nothing, or {} for []
		return append(t.declare(e), edit.Replace(t.file, holder.Key, t.put(edit.Value{}, nil, e)))
	case t.reading.Lists && holder.Kind == syntax.Array:
		return append(t.declare(e), edit.Append(t.file, edit.Handle(holder), e.Value, where))
	case !t.reading.Lists && holder.Kind == syntax.Object:
		return append(t.declare(e), edit.Insert(t.file, edit.Handle(holder), e.Name, e.Value, where))
	default:
		return nil
	}
	if holder.Kind == syntax.Null {
		return []edit.Change{edit.Replace(t.file, holder.Key, value)}
	}
	var changes []edit.Change
	for _, m := range value.Members { // there may be inputs without servers
		changes = append(changes, edit.Extend(t.file, edit.Handle(holder), m.Name, m.Value, edit.Where{Rank: where.Rank}))
	}
	return changes
}

// isBare reports whether a value is an empty list where the client has a map of servers, or the
// other way round, and does not even contain a comment.
func (t Target) isBare(holder *syntax.Node) bool {
	isList := holder.Kind == syntax.Array
	if isList == t.reading.Lists || !isList && holder.Kind != syntax.Object || len(holder.Nodes) > 0 {
		return false
	}
	return len(bytes.Trim(t.file.Bytes[holder.Value.Start:holder.Value.End], "{}[] \t\r\n")) == 0
}

// find returns the innermost value on the way of the keys that is there, and the
// keys that lead on from it.
func (t Target) find(keys []string) (holder *syntax.Node, missing []string) {
	if nodes := shape.Lookup(t.top, t.root, []*syntax.Node{t.top}); t.root != "" && nodes != nil {
		holder = nodes[len(nodes)-1]
		missing = keys[len(t.keys(Entry{})):]
	} else {
		holder, missing = t.top, keys
	}
	for len(missing) > 0 {
		inner := holder.Get(missing[0])
		if inner == nil {
			break
		}
		holder, missing = inner, missing[1:]
	}
	return holder, missing
}

// declare returns the changes that declare the inputs of an entry next to the servers, except
// those that are declared.
func (t Target) declare(e Entry) []edit.Change {
	nodes := shape.Lookup(t.top, t.root, []*syntax.Node{t.top})
	if len(e.Inputs) == 0 || len(nodes) < 2 {
		return nil
	}
	r := &shape.Root{Nodes: nodes}
	known, _ := shape.Inputs(r)
	list := edit.Value{}
	for _, id := range e.Inputs {
		if !shape.HasWord(known, id) {
			list = declared(list, id)
		}
	}
	if len(list.Elements) == 0 {
		return nil
	}
	place := shape.InputList(r)
	return []edit.Change{edit.Extend(t.file, place.Object, place.Key, list, edit.Where{Place: edit.First})}
}

// declared returns a list of inputs that declares one with an id, if it is not among them. The
// input is shown as dots, because it may be a credential.
func declared(list edit.Value, id string) edit.Value {
	for _, input := range list.Elements {
		if input.Members[1].Value.Text == id {
			return list
		}
	}
	return edit.Array(append(list.Elements, dialect.Input(id, true))...)
}
