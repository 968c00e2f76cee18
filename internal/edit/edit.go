// Package edit changes configuration files by meaning.
//
// A Change says what happens to a key, a value or a comment, which it names by its span in the file
// as it was read: it is renamed, removed or replaced, or something is inserted into it. A change
// has no syntax. Lower adds commas, indentation, quotes and line endings: it parses the file again,
// finds what the spans name, and returns edits of bytes. A rule that offers a fix lists changes;
// only outputs, and code that writes files, lower them.
//
// Lower keeps what no change names: comments, the order of keys,
// indentation, one-line style, trailing commas, line endings, the byte order
// mark and the quotes of neighbours. A comment on the same line, or on the lines directly above, is
// removed together with what it belongs to. Every other comment stays, as does the one at the head
// of a YAML or TOML file. A change that cannot be made safely results in a Refusal with a reason
// for the user. Before it returns, Lower parses the result and compares it with what the changes
// mean: any other result is also refused, and never written.
//
// A change is for one path with one content, not for a File in memory: two Files with the same path
// and bytes are the same, and code that writes edits to a disk compares the file there with the
// bytes of the change's File.
package edit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Op says what a change does.
type Op uint8

// The things a change can do.
const (
	OpRename Op = iota + 1
	OpRemove
	OpReplace
	OpInsert // a member
	OpAppend // an element
	OpCreate // a file
	OpDrop   // remove, with what held it and would be empty
	OpExtend // add to a list or an object, and create it if there is none
)

// Change is one change of one file. The functions below make them.
type Change struct {
	// File is the file as it was read; a new file has no bytes.
	File *syntax.File
	Op   Op
	// At names what is changed by its span, quotes and brackets included. A
	// member is named by its key or by its value, an element by its value, the
	// root also by the zero span. Where several values have one span, the
	// innermost is meant: a TOML header may make several tables at once, which
	// their keys tell apart.
	At syntax.Span
	// Name is a new name, or the key of what is inserted into an object or extended in
	// it.
	Name string
	// Value replaces a value, is inserted, or holds what is added to another.
	Value Value
	// Where is the place among the others of what is inserted.
	Where Where
}

// Where is a place among the members or elements of a value. The zero Where is
// behind the last one.
type Where struct {
	Place Place
	// Beside names the neighbour of Before and After, as Change.At does.
	Beside syntax.Span
	// Rank orders what is inserted at one place, the lowest first; changes of one rank keep their
	// order.
	Rank int
}

// Place is a place among members or elements.
type Place uint8

// The places.
const (
	Last Place = iota
	First
	Before
	After
)

// Handle names a value for a change: by its key, if it has one, since a header of TOML
// may be where several tables begin.
func Handle(n *syntax.Node) syntax.Span {
	if n.Key.IsZero() {
		return n.Value
	}
	return n.Key
}

// Rename gives a key, or a value that is a string, another text. The span may
// also be a part of a key or string, as written: the server in
// "mcp__github__get_issue".
func Rename(file *syntax.File, at syntax.Span, name string) Change {
	return Change{File: file, Op: OpRename, At: at, Name: name}
}

// Remove removes a member or an element with the comments that belong to it;
// or, if that is what the span names, a comment, a trailing comma or the byte
// order mark.
func Remove(file *syntax.File, at syntax.Span) Change {
	return Change{File: file, Op: OpRemove, At: at}
}

// Drop removes a member or an element as Remove does, and the list or object that
// held it if nothing is left there.
func Drop(file *syntax.File, at syntax.Span) Change {
	return Change{File: file, Op: OpDrop, At: at}
}

// Replace replaces a value with another.
func Replace(file *syntax.File, at syntax.Span, value Value) Change {
	return Change{File: file, Op: OpReplace, At: at, Value: value}
}

// Insert adds a member to the object at a span.
func Insert(file *syntax.File, object syntax.Span, key string, value Value, where Where) Change {
	return Change{File: file, Op: OpInsert, At: object, Name: key, Value: value, Where: where}
}

// Append adds an element to the array at a span.
func Append(file *syntax.File, array syntax.Span, value Value, where Where) Change {
	return Change{File: file, Op: OpAppend, At: array, Value: value, Where: where}
}

// Extend adds what a list or an object holds to the one under a key of the object at a
// span, each in front of the first that sorts behind it: by its key, its text, or what
// it says under "id" or "name". So the order in which things are added does not matter.
// Elements that are there already are not added again; where there is no such key, it
// is inserted at the place. What has a lower rank comes first.
func Extend(file *syntax.File, object syntax.Span, key string, value Value, where Where) Change {
	return Change{File: file, Op: OpExtend, At: object, Name: key, Value: value, Where: where}
}

// Create writes an object into a file that does not exist yet, in the language
// that the end of its name says. For one that does exist and IsEmpty, its File is set.
func Create(path string, object Value) Change {
	return Change{File: &syntax.File{Path: path}, Op: OpCreate, Value: object}
}

// Writes reports whether a text comes in with a change.
func (c *Change) Writes(text string) bool {
	return strings.Contains(c.Name, text) || c.Value.holds(text)
}

// Refusal says why changes are not made. Reason is a clause for the user,
// without the path and place; it holds nothing of the file.
type Refusal struct {
	File   *syntax.File
	Span   syntax.Span
	Reason string
	// Conflict reports that changes exclude each other: each may be possible
	// alone.
	Conflict bool
}

func (r *Refusal) Error() string {
	at := r.File.Position(r.Span.Start, syntax.CodePoints)
	return fmt.Sprintf("%s:%d:%d: %s", r.File.Path, at.Line, at.Column, r.Reason)
}

// isSame reports whether two files have the same path and content.
func isSame(a, b *syntax.File) bool {
	return a == b || a.Path == b.Path && bytes.Equal(a.Bytes, b.Bytes)
}
