// Package syntax turns the bytes of a configuration file into a tree whose
// every key and value knows the byte range it was written in.
//
// Byte offsets are the only positions inside mcplumb. Lines and columns are
// derived from them at the edge, by File.Position.
package syntax

import (
	"fmt"
	"slices"
)

// Span is a half-open range of byte offsets into File.Bytes.
type Span struct{ Start, End int }

// IsZero reports whether the span was never set. A zero-length span at the
// start of a file is indistinguishable from an unset one; nothing needs it.
func (s Span) IsZero() bool { return s == Span{} }

// Contains reports whether inner is within s.
func (s Span) Contains(inner Span) bool { return s.Start <= inner.Start && inner.End <= s.End }

// Edit replaces Span of File by New. A File without bytes is one to create.
type Edit struct {
	File *File
	Span Span
	New  string
}

// Kind is the kind of a value.
type Kind uint8

// The kinds of value a document can hold.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Node is a value in a document and, if it is a member of an object, its key.
type Node struct {
	Kind Kind
	// Shared reports that the value, or one that holds it, has a YAML anchor that
	// an alias names: what is changed here changes wherever the alias repeats it.
	Shared bool
	// Key is the member's key as written, quotes included; zero for array
	// elements and the root.
	Key Span
	// Value is the value as written, quotes, brackets or braces included.
	Value Span
	// Name is the decoded key.
	Name string
	// Text is a string's decoded content, or a number's, boolean's or null's
	// literal as written; empty for arrays and objects.
	Text string
	// Nodes are the members or elements in document order. A repeated key is
	// there as often as it is written.
	Nodes []*Node
}

// Get returns the member called name, the last one if the key is repeated (what
// every client's parser keeps), or nil. It is safe on nil and on any kind.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := len(n.Nodes) - 1; i >= 0; i-- {
		if n.Nodes[i].Name == name {
			return n.Nodes[i]
		}
	}
	return nil
}

// At follows names down through objects, as Get does for one.
func (n *Node) At(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// IsString reports whether n is a string; nil is not.
func (n *Node) IsString() bool { return n != nil && n.Kind == String }

// Duplicate is a key that occurs twice in one object, compared after decoding.
type Duplicate struct {
	First *Node // the earlier member
	Again *Node // the later member, the one clients keep
	// Object is the span of the object that holds both.
	Object Span
}

// sortDuplicates sorts members by where they are written again.
func sortDuplicates(all []Duplicate) {
	slices.SortFunc(all, func(a, b Duplicate) int { return a.Again.Key.Start - b.Again.Key.Start })
}

// Tree is a parsed document with what its surface shows beyond its values.
type Tree struct {
	// Root is nil if there is no document, as in an empty YAML file or in
	// Markdown without front matter.
	Root *Node
	// Rest are the roots of the further documents of a YAML file.
	Rest []*Node
	// JSON reports that the file is JSON, with the extensions that some readers allow.
	JSON bool
	// Comments, TrailingCommas and BOM are what strict JSON does not allow. Only
	// ParseJSON records trailing commas: to TOML and YAML they are nothing odd.
	Comments       []Span
	TrailingCommas []Span
	BOM            bool
	// Duplicates are repeated keys anywhere in the tree, in document order of
	// Again.
	Duplicates []Duplicate

	aliases map[*Node]*Node // the value of each alias of YAML
	merges  bool            // a mapping of YAML has a merge key
}

// Move moves every span by some bytes, to the place of the parsed file within another one. It is
// for trees that are not expanded yet.
func (t *Tree) Move(by int) {
	move := func(s *Span) {
		if !s.IsZero() {
			s.Start, s.End = s.Start+by, s.End+by
		}
	}
	var nodes func(*Node)
	nodes = func(n *Node) {
		move(&n.Key)
		move(&n.Value)
		for _, inner := range n.Nodes {
			nodes(inner)
		}
	}
	if t.Root != nil {
		nodes(t.Root)
	}
	for _, root := range t.Rest {
		nodes(root)
	}
	for _, spans := range [][]Span{t.Comments, t.TrailingCommas} {
		for i := range spans {
			move(&spans[i])
		}
	}
	for i := range t.Duplicates {
		move(&t.Duplicates[i].Object)
	}
}

// Error is a syntax error at its place.
type Error struct {
	Span Span
	// Conflict reports that the place is a marker that a merge has left.
	Conflict bool
	// Empty reports that the file holds nothing at all, or only comments.
	Empty bool

	message message
	help    string
}

// Message names what was expected or found, and what to do if that is clear, in lowercase, without
// the position. What it quotes of the file is shortened; before that it goes through mask, which
// hides credentials: half of one no longer looks like one.
func (e *Error) Message(mask func(string) string) string {
	message, help := e.Texts(mask)
	if help != "" {
		message += ": " + help
	}
	return message
}

// Texts returns the two parts of Message: what was expected or found, and what to do, "" if the
// message says it all.
func (e *Error) Texts(mask func(string) string) (message, help string) {
	return e.message.text(mask), e.help
}

// helped adds what to do to an error.
func helped(err error, help string) error {
	if e, ok := err.(*Error); ok {
		e.help = help
	}
	return err
}

// Error shows nothing of the file.
func (e *Error) Error() string {
	return fmt.Sprintf("%s (at byte %d)", e.Message(func(string) string { return "…" }), e.Span.Start)
}

// LimitError says that a file passed a limit and was not read.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// Limits on what is parsed, checked before parsing (a hostile file must not
// cost memory or stack).
const (
	MaxBytes = 10_000_000 // size of a file, in bytes
	MaxDepth = 1_000      // nesting of arrays and objects

	// Values of a JSON file. A node takes some hundred bytes, so that a file of
	// nothing but "0," would take fifty times its size; 100,000 servers in one
	// file have less than a million values.
	MaxJSONValues = 1_200_000

	// Keys and values together, counted by the marks that introduce them: the
	// parsers behind these formats need far more memory than the file has bytes.
	MaxTOMLValues = 1_000_000
	MaxYAMLValues = 200_000
)
