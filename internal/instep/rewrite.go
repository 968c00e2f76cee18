package instep

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/treediff"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// rewrite returns the changes after which an entry of a file says what another one says, in the
// parts in which they differ; everything else in it stays. There are none if a part cannot be
// changed separately.
func rewrite(t writing.Target, has *mcp.Server, e writing.Entry, differing []mcp.Difference) []edit.Change {
	should, wanted := t.Alone(e)
	present := t.Node(has)
	if should == nil || present == nil || wanted == nil {
		return nil
	}
	r := &rewriter{file: has.Document.File, has: newSide(has, present), should: newSide(should, wanted)}
	isOfLaunch := func(d mcp.Difference) bool { return d.Field != mcp.FieldSwitch }
	isProgram := func(d mcp.Difference) bool { return d.Field == mcp.FieldProgram }
	isOtherForm := has.Launch.IsRemote() != should.Launch.IsRemote() && slices.ContainsFunc(differing, isOfLaunch)
	switch isOtherServer := slices.ContainsFunc(differing, isProgram); {
	case isOtherForm && !isOtherServer && !should.Launch.IsRemote():
		return r.headersOfBridge(differing)
	case isOtherForm && !isOtherServer && losesSupplied(has, should):
		return nil
	case isOtherForm: // neither form has the words of the other: they change as a whole
		r.has.markLaunch()
		r.should.markLaunch()
		differing = slices.DeleteFunc(slices.Clone(differing), isOfLaunch)
	}
	for _, d := range differing {
		if !r.mark(d) {
			return nil
		}
	}
	if !r.words() {
		return nil
	}
	marked := func(s *side) func(*syntax.Node) bool {
		return func(n *syntax.Node) bool { return s.marked[edit.Handle(n)] }
	}
	r.changes = append(r.changes, treediff.Object(r.file, present, shapedLike(present, wanted), treediff.Policy{
		Goes: marked(r.has), Comes: marked(r.should),
		IsSameName: func(object, a, b string) bool { return shape.HoldsHeaders(object) && strings.EqualFold(a, b) },
	})...)
	return append(r.changes, t.DeclareFor(e, r.changes)...)
}

// shapedLike returns a wanted entry in the older form of Zed if that is the one which is
// there: the program, its arguments and its variables in an object.
func shapedLike(present, wanted *syntax.Node) *syntax.Node {
	if launch := launchOf(present); launch != present && wanted.Get("command") != nil {
		inner, outer := *wanted, *wanted
		outer.Nodes = nil
		inner.Nodes = nil
		for _, m := range wanted.Nodes {
			switch {
			case m.Name == "args", m.Name == "env":
				inner.Nodes = append(inner.Nodes, m)
			case m.Name != "command": // whose words are changed
				outer.Nodes = append(outer.Nodes, m)
			}
		}
		inner.Name, inner.Key = "command", syntax.Span{}
		outer.Nodes = append(outer.Nodes, &inner)
		return &outer
	}
	return wanted
}

// launchOf returns what holds the program, its arguments and its variables: the entry, or the
// object that Zed's older form has under command.
func launchOf(entry *syntax.Node) *syntax.Node {
	if c := entry.Get("command"); c != nil && c.Kind == syntax.Object {
		return c
	}
	return entry
}

// headersOfBridge returns the changes after which an entry with a URL has the headers that a bridge
// to it adds. It keeps the URL, since it needs no bridge. There are none if more differs, if a
// header is not in both, or if it holds a variable, which the bridge expands in its own syntax.
func (r *rewriter) headersOfBridge(differing []mcp.Difference) []edit.Change {
	wanted := r.should.server.Resolved().Config().Headers
	for _, d := range differing {
		here := r.has.settings(d)
		i := slices.IndexFunc(wanted, func(s identity.Setting) bool { return isSameName(d.Field, s.Name, d.Name) })
		if d.Field != mcp.FieldHeader || i < 0 || len(here) != 1 || strings.ContainsAny(wanted[i].Value, "${%") {
			return nil
		}
		n := r.has.nodes[here[0]]
		if n == nil || n.Kind != syntax.String || !shape.HoldsHeaders(r.has.holders[n].Name) {
			return nil
		}
		r.changes = append(r.changes, edit.Replace(r.file, n.Value, edit.String(wanted[i].Value)))
	}
	return r.changes
}

// losesSupplied reports whether an entry that changes as a whole would lose what a person
// supplies to it, which is not known to differ.
func losesSupplied(has, should *mcp.Server) bool {
	here, there := has.Resolved().Config(), should.Resolved().Config()
	return isLeftOut(here.Env, there.Env) || isLeftOut(here.Headers, there.Headers)
}

// isLeftOut reports whether one of some settings is supplied and not among others.
func isLeftOut(settings, others []identity.Setting) bool {
	return slices.ContainsFunc(settings, func(s identity.Setting) bool {
		return s.Supplied && !slices.ContainsFunc(others, func(other identity.Setting) bool { return other.Name == s.Name })
	})
}

// rewriter collects the changes of one entry.
type rewriter struct {
	file        *syntax.File
	has, should *side
	// isOtherProgram reports that the whole command line is changed.
	isOtherProgram bool
	// alike are the words of both command lines by what they say to the program, where a
	// launcher may write them in its own way.
	alike   map[string]string
	changes []edit.Change
}

// side is an entry as it is, or as it should be, with what differs in it.
type side struct {
	server *mcp.Server
	entry  *syntax.Node
	// nodes are the values in the entry, by their keys and by their own places; holders are the
	// values that contain them.
	nodes   map[syntax.Span]*syntax.Node
	holders map[*syntax.Node]*syntax.Node
	// marked are the members and elements that differ, words those of the command line.
	marked map[syntax.Span]bool
	words  []identity.Word
}

func newSide(s *mcp.Server, entry *syntax.Node) *side {
	all := &side{server: s, entry: entry, nodes: map[syntax.Span]*syntax.Node{}, holders: map[*syntax.Node]*syntax.Node{}, marked: map[syntax.Span]bool{}}
	all.note(entry)
	return all
}

func (s *side) note(n *syntax.Node) {
	for _, inner := range n.Nodes {
		s.nodes[inner.Value], s.nodes[edit.Handle(inner)], s.holders[inner] = inner, inner, n
		s.note(inner)
	}
}

// markAt marks what is written at a place, nothing for none. It reports whether that is in
// the entry.
func (s *side) markAt(places ...syntax.Span) bool {
	for _, at := range places {
		if at.IsZero() {
			continue
		}
		n := s.nodes[at]
		if n == nil {
			return false
		}
		s.marked[edit.Handle(n)] = true
	}
	return true
}

// markLaunch marks all that says what is started or connected to.
func (s *side) markLaunch() {
	for _, m := range s.entry.Nodes {
		s.marked[edit.Handle(m)] = shape.IsOfLaunch(m.Name)
	}
}

// line returns the words of the command line.
func (s *side) line() []identity.Word {
	return append([]identity.Word{s.server.Launch.Command}, s.server.Launch.Args...)
}

// isPart reports whether a word is in the entry, also within a longer text.
func (s *side) isPart(at syntax.Span) bool {
	for span := range s.nodes {
		if span.Contains(at) {
			return true
		}
	}
	return false
}

// isInList reports whether a word is an element of a list.
func (s *side) isInList(w identity.Word) bool {
	n := s.nodes[w.Span]
	return n != nil && n.Key.IsZero()
}

// words makes one command line of the other in the words that differ.
func (r *rewriter) words() bool {
	if len(r.has.words)+len(r.should.words) == 0 {
		return true
	}
	list := &treediff.List{File: r.file, Present: r.items(r.has), Wanted: r.items(r.should)}
	list.Insert = func(values []edit.Value, behind syntax.Span) bool {
		changes := r.inserted(values, behind)
		list.Changes = append(list.Changes, changes...)
		return changes != nil
	}
	if !list.Compare() {
		return false
	}
	for _, c := range list.Changes {
		if c.Op == edit.OpDrop && r.has.nodes[c.At] == nil || c.Op == edit.OpRename && !r.has.isPart(c.At) {
			return false
		}
	}
	r.changes = append(r.changes, list.Changes...)
	return true
}

// items returns the words of a command line, for a text with words in it that differ these.
// What answers a launcher's question stays, unless another program starts the server.
func (r *rewriter) items(s *side) []treediff.Item {
	program, isHas := s.program(), s == r.has
	isOtherLauncher := r.isOtherProgram && r.has.server.Launch.Command.Text != r.should.server.Launch.Command.Text
	var items []treediff.Item
	for i, w := range s.line() {
		marked := s.markedIn(w)
		for _, word := range marked {
			item := treediff.Item{
				Span: word.Span, Value: edit.String(word.Text), Counts: true, Key: r.alike[word.Text],
				Stays: isHas && !isOtherLauncher && (word.Text == "-y" || word.Text == "--yes"),
			}
			if i == 0 && isHas && !s.isInList(w) {
				item.Key = "command" // which is not taken for an argument
			}
			items = append(items, item)
		}
		if len(marked) > 0 {
			continue
		}
		item := treediff.Item{Span: w.Span, Value: edit.String(w.Text)}
		switch {
		case i == 0:
			item.Key = "command"
		case w.Span.Contains(program):
			item.Key = "program"
		}
		items = append(items, item)
	}
	return items
}

// markedIn returns a word if it differs, else those within it that do.
func (s *side) markedIn(w identity.Word) (parts []identity.Word) {
	for _, word := range s.words {
		isKnown := slices.ContainsFunc(parts, func(p identity.Word) bool { return p.Span == word.Span })
		switch {
		case word.Span == w.Span:
			return []identity.Word{w}
		case w.Span.Contains(word.Span) && !isKnown:
			parts = append(parts, word)
		}
	}
	slices.SortFunc(parts, func(a, b identity.Word) int { return a.Span.Start - b.Span.Start })
	return parts
}

// program returns the word that says what is run: a package, an image, an address.
func (s *side) program() syntax.Span {
	if c := s.server.Resolved().Parts().Container; c != nil {
		return c.Program.Span
	}
	return s.server.Identity.Span
}

// inserted returns the changes that write words behind another one, nil where there is no
// list for them.
func (r *rewriter) inserted(words []edit.Value, behind syntax.Span) []edit.Change {
	where := edit.Where{Place: edit.After, Beside: behind}
	n := r.has.nodes[behind]
	if n == nil {
		return nil // it is a part of a text
	}
	list := r.has.holders[n]
	if list.Kind != syntax.Array { // it is the command
		i := slices.IndexFunc(list.Nodes, func(m *syntax.Node) bool { return shape.IsArguments(m.Name) && m.Kind == syntax.Array })
		if i < 0 {
			return r.newArguments(list, words, where)
		}
		list, where = list.Nodes[i], edit.Where{Place: edit.First}
	}
	var changes []edit.Change
	for i, w := range words {
		where.Rank = i
		changes = append(changes, edit.Append(r.file, edit.Handle(list), w, where))
	}
	return changes
}

// newArguments returns the change that writes a list of arguments.
func (r *rewriter) newArguments(launch *syntax.Node, words []edit.Value, where edit.Where) []edit.Change {
	for _, m := range r.should.entry.Nodes {
		if shape.IsArguments(m.Name) {
			return []edit.Change{edit.Insert(r.file, edit.Handle(launch), m.Name, edit.Array(words...), where)}
		}
	}
	return nil
}
