package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// word returns a string value; null and other kinds have no text.
func word(n *syntax.Node) identity.Word {
	if n == nil {
		return identity.Word{}
	}
	if n.Kind != syntax.String {
		return identity.Word{Span: n.Value}
	}
	return identity.Word{Text: n.Text, Span: n.Value}
}

// words returns the strings of a list.
func words(n *syntax.Node) []identity.Word {
	if n == nil || n.Kind != syntax.Array {
		return nil
	}
	var list []identity.Word
	for _, item := range n.Nodes {
		if item.IsString() {
			list = append(list, word(item))
		}
	}
	return list
}

// texts returns the strings of a list without their places.
func texts(n *syntax.Node) []string {
	var list []string
	for _, w := range words(n) {
		list = append(list, w.Text)
	}
	return list
}

// inner returns the span of a word without its quotes.
func inner(w identity.Word) syntax.Span {
	if w.Span.End-w.Span.Start == len(w.Text)+2 {
		return syntax.Span{Start: w.Span.Start + 1, End: w.Span.End - 1}
	}
	return w.Span
}

// byName indexes the members of an object as Node.Get finds them, empty for anything
// else.
func byName(object *syntax.Node) map[string]*syntax.Node {
	if object == nil || object.Kind != syntax.Object {
		return nil
	}
	index := make(map[string]*syntax.Node, len(object.Nodes))
	for _, node := range object.Nodes {
		index[node.Name] = node
	}
	return index
}

// members returns the members of an object, of a key written twice the last.
func members(object *syntax.Node) []*syntax.Node {
	if object == nil {
		return nil
	}
	last := make(map[string]*syntax.Node, len(object.Nodes))
	for _, node := range object.Nodes {
		last[node.Name] = node
	}
	var list []*syntax.Node
	for _, node := range object.Nodes {
		if last[node.Name] == node {
			list = append(list, node)
		}
	}
	return list
}

func hasWord(list []identity.Word, text string) bool {
	return slices.ContainsFunc(list, func(w identity.Word) bool { return w.Text == text })
}

// member returns the first of the members that is there.
func member(entry *syntax.Node, names []string) *syntax.Node {
	for _, name := range names {
		if m := entry.Get(name); m != nil {
			return m
		}
	}
	return nil
}

func isFilled(n *syntax.Node) bool { return n.IsString() && n.Text != "" }

// hasAlias reports whether an entry or a member of it is an alias of YAML that
// stands for nothing, being within its own anchor: what it says is not known then.
func hasAlias(entry *syntax.Node) bool {
	if isAlias(entry) {
		return true
	}
	for _, m := range entry.Nodes {
		if isAlias(m) {
			return true
		}
	}
	return false
}

// isShared reports whether an entry of a YAML file is written in more than one
// place: it has an anchor, stands below one, or takes in what has one.
func isShared(entry *syntax.Node) bool {
	return entry.Shared || slices.ContainsFunc(entry.Nodes, func(m *syntax.Node) bool { return m.Shared })
}

func isAlias(n *syntax.Node) bool { return n.Kind == syntax.Null && strings.HasPrefix(n.Text, "*") }

// opening is where an object without a telling member is pointed at.
func opening(n *syntax.Node) syntax.Span {
	if len(n.Nodes) > 0 {
		return n.Nodes[0].Key
	}
	return n.Value
}

// isGiven reports whether a member says something: null and "" do not.
func isGiven(m *syntax.Node) bool {
	return m != nil && m.Kind != syntax.Null && (m.Kind != syntax.String || m.Text != "")
}

// whole is the value of a member, or its key where no value is written.
func whole(m *syntax.Node) syntax.Span {
	if m.Value.Start == m.Value.End && !m.Key.IsZero() {
		return m.Key
	}
	return m.Value
}

// isScalar reports whether a value is a word: a string, or a number or boolean
// that its author did not put in quotes.
func isScalar(n *syntax.Node) bool {
	return n.Kind == syntax.String || n.Kind == syntax.Number || n.Kind == syntax.Bool
}

func literal(n *syntax.Node) identity.Word { return identity.Word{Text: n.Text, Span: n.Value} }

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

// unquoted is the span of a string without its quotes.
func unquoted(s syntax.Span) syntax.Span { return syntax.Span{Start: s.Start + 1, End: s.End - 1} }

// unquoted is the span of a string without the quotes it may have.
func (in *Input) unquoted(s syntax.Span) syntax.Span {
	text := in.bytes(s)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return unquoted(s)
	}
	return s
}
