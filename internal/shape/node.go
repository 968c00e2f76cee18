package shape

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Word returns a string value; null and other kinds have no text.
func Word(n *syntax.Node) identity.Word {
	if n == nil {
		return identity.Word{}
	}
	if n.Kind != syntax.String {
		return identity.Word{Span: n.Value}
	}
	return identity.Word{Text: n.Text, Span: n.Value}
}

// Words returns the strings of a list.
func Words(n *syntax.Node) []identity.Word {
	if n == nil || n.Kind != syntax.Array {
		return nil
	}
	var list []identity.Word
	for _, item := range n.Nodes {
		if item.IsString() {
			list = append(list, Word(item))
		}
	}
	return list
}

// Texts returns the strings of a list without their places.
func Texts(n *syntax.Node) []string {
	var list []string
	for _, w := range Words(n) {
		list = append(list, w.Text)
	}
	return list
}

// Inner returns the span of a word without its quotes.
func Inner(w identity.Word) syntax.Span {
	if w.Span.End-w.Span.Start == len(w.Text)+2 {
		return syntax.Span{Start: w.Span.Start + 1, End: w.Span.End - 1}
	}
	return w.Span
}

// ByName indexes the members of an object as Node.Get finds them, empty for anything
// else.
func ByName(object *syntax.Node) map[string]*syntax.Node {
	if object == nil || object.Kind != syntax.Object {
		return nil
	}
	index := make(map[string]*syntax.Node, len(object.Nodes))
	for _, node := range object.Nodes {
		index[node.Name] = node
	}
	return index
}

// Members returns the members of an object, of a key written twice the last.
func Members(object *syntax.Node) []*syntax.Node {
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

func HasWord(list []identity.Word, text string) bool {
	return slices.ContainsFunc(list, func(w identity.Word) bool { return w.Text == text })
}

// Member returns the first of the members that exists.
func Member(entry *syntax.Node, names []string) *syntax.Node {
	for _, name := range names {
		if m := entry.Get(name); m != nil {
			return m
		}
	}
	return nil
}

func IsFilled(n *syntax.Node) bool { return n.IsString() && n.Text != "" }

// HasAlias reports whether an entry or a member of it is an alias of YAML without a value,
// because it is within its own anchor: its meaning is unknown.
func HasAlias(entry *syntax.Node) bool {
	if IsAlias(entry) {
		return true
	}
	for _, m := range entry.Nodes {
		if IsAlias(m) {
			return true
		}
	}
	return false
}

// IsShared reports whether an entry of a YAML file is written in more than one place: it has an
// anchor, is below one, or merges a value that has one.
func IsShared(entry *syntax.Node) bool {
	return entry.Shared || slices.ContainsFunc(entry.Nodes, func(m *syntax.Node) bool { return m.Shared })
}

func IsAlias(n *syntax.Node) bool { return n.Kind == syntax.Null && strings.HasPrefix(n.Text, "*") }

// Opening is the place to mark for an object without a significant member.
func Opening(n *syntax.Node) syntax.Span {
	if len(n.Nodes) > 0 {
		return n.Nodes[0].Key
	}
	return n.Value
}

// IsGiven reports whether a member says something: null and "" do not.
func IsGiven(m *syntax.Node) bool {
	return m != nil && m.Kind != syntax.Null && (m.Kind != syntax.String || m.Text != "")
}

// Whole is the value of a member, or its key if no value is written.
func Whole(m *syntax.Node) syntax.Span {
	if m.Value.Start == m.Value.End && !m.Key.IsZero() {
		return m.Key
	}
	return m.Value
}

// IsScalar reports whether a value is a word: a string, or a number or boolean
// that its author did not put in quotes.
func IsScalar(n *syntax.Node) bool {
	return n.Kind == syntax.String || n.Kind == syntax.Number || n.Kind == syntax.Bool
}

func Literal(n *syntax.Node) identity.Word { return identity.Word{Text: n.Text, Span: n.Value} }

// Scalars returns the elements of a list that are scalars.
func Scalars(list *syntax.Node) []identity.Word {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var words []identity.Word
	for _, n := range list.Nodes {
		if IsScalar(n) {
			words = append(words, Literal(n))
		}
	}
	return words
}

// unquoted is the span of a string without its quotes.
func unquoted(s syntax.Span) syntax.Span { return syntax.Span{Start: s.Start + 1, End: s.End - 1} }

// Unquoted is the span of a string without the quotes it may have.
func (in *Input) Unquoted(s syntax.Span) syntax.Span {
	text := in.Bytes(s)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return unquoted(s)
	}
	return s
}
