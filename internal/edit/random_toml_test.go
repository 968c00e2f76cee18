package edit_test

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// tomlWriter writes TOML: tables, lists of tables, dotted keys, inline tables.
type tomlWriter struct {
	*writer
	isSpaced bool // there is a blank line before each header
	hasList  bool
	top      int // where the document begins
	// sections are where the lines of each header begin.
	sections []int
}

func writeTOML(w *writer) *item {
	if w.chance(8) {
		w.put("\ufeff")
	}
	return (&tomlWriter{writer: w}).document()
}

func (w *tomlWriter) document() *item {
	w.isSpaced, w.top = !w.chance(4), w.text.Len()
	if w.chance(3) { // the head
		w.comment(nil)
		w.put(w.newline, w.newline)
	}
	root := &item{kind: syntax.Object, isTable: true, hasHeader: true}
	w.keys(root, w.isAtTop())
	for w.chance(2) || len(root.children) == 0 {
		w.table(root, "", 2)
	}
	w.shuffle()
	return root
}

// shuffle changes the order of the headers, which means nothing unless there are
// lists of tables.
func (w *tomlWriter) shuffle() {
	if w.hasList || !w.isSpaced || len(w.sections) == 0 || w.chance(2) {
		return
	}
	text := w.text.String()
	head := text[:w.sections[0]]
	var parts []string
	for i, start := range w.sections {
		end := len(text)
		if i+1 < len(w.sections) {
			end = w.sections[i+1]
		}
		parts = append(parts, text[start:end])
	}
	w.random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	w.text.Reset()
	w.put(head, strings.Join(parts, ""))
}

func (w *tomlWriter) comment(whose *[]string) {
	text, mark := w.newComment()
	if whose != nil {
		*whose = append(*whose, mark)
	}
	w.put("#", text)
}

func (w *tomlWriter) ownLine(whose *[]string, indent string) {
	w.put(indent)
	w.comment(whose)
	w.put(w.newline)
}

// isAtTop reports whether nothing is written yet.
func (w *tomlWriter) isAtTop() bool { return w.text.Len() == w.top }

// endLine may write a comment behind what is on a line.
func (w *tomlWriter) endLine(whose *[]string) {
	if w.chance(5) {
		w.put(" ")
		w.comment(whose)
	}
	w.put(w.newline)
}

// newKey names an item and returns the name as written.
func (w *tomlWriter) newKey(n *item) string {
	n.name = w.name()
	isBare := strings.Trim(n.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	switch {
	case isBare && !w.chance(4):
		return n.name
	case w.chance(2) && !strings.Contains(n.name, "'"):
		return "'" + n.name + "'"
	}
	return quoted(n.name)
}

// keys writes keys with their values into a table. A comment at the top of a
// file belongs to nothing.
func (w *tomlWriter) keys(n *item, isTop bool) {
	indent := w.pick("", "", "  ")
	for i := range w.one(4) {
		if w.isSpaced && w.chance(8) && !isTop {
			w.put(w.newline)
			w.ownLine(&n.inside, indent)
			w.put(w.newline)
		} else if i > 0 && w.chance(6) {
			w.put(w.newline)
		}
		child := &item{}
		if w.chance(6) {
			w.dotted(n, indent)
			continue
		}
		for (i > 0 || !isTop) && w.chance(5) {
			w.ownLine(&child.comments, indent)
		}
		w.put(indent, w.newKey(child), " = ")
		w.value(child, indent, 2)
		w.endLine(&child.comments)
		n.children = append(n.children, child)
	}
}

// dotted writes a table as dotted keys.
func (w *tomlWriter) dotted(parent *item, indent string) {
	n := &item{kind: syntax.Object, isTable: true}
	prefix := w.newKey(n) + "."
	into := n
	if w.chance(3) {
		inner := &item{kind: syntax.Object, isTable: true}
		prefix += w.newKey(inner) + "."
		n.children, into = []*item{inner}, inner
	}
	for range 1 + w.one(2) {
		leaf := &item{}
		w.put(indent, prefix, w.newKey(leaf), " = ")
		w.value(leaf, indent, 1)
		w.endLine(&leaf.comments)
		into.children = append(into.children, leaf)
	}
	parent.children = append(parent.children, n)
}

// table writes a table, or a list of tables, with all that is in it.
func (w *tomlWriter) table(parent *item, path string, depth int) {
	n := &item{kind: syntax.Object, isTable: true}
	parent.children = append(parent.children, n)
	path += w.newKey(n)
	switch {
	case w.chance(4):
		n.kind, w.hasList = syntax.Array, true
		for range 1 + w.one(3) {
			element := &item{kind: syntax.Object, isTable: true, hasHeader: true}
			n.children = append(n.children, element)
			w.section(element, "[["+path+"]]", path, depth)
		}
	case w.chance(4) && depth > 0: // only what is in it has a header
		w.table(n, path+".", depth-1)
	default:
		n.hasHeader = true
		w.section(n, "["+path+"]", path, depth)
	}
}

// section writes a header with the keys and the tables below it.
func (w *tomlWriter) section(n *item, header, path string, depth int) {
	w.sections = append(w.sections, w.text.Len())
	if w.isSpaced {
		w.put(w.newline)
		if w.chance(10) {
			w.ownLine(nil, "")
			w.put(w.newline)
		}
	}
	for w.chance(4) && !w.isAtTop() {
		w.ownLine(&n.comments, "")
	}
	w.put(header)
	w.endLine(&n.comments)
	w.keys(n, false)
	if w.isSpaced && w.chance(6) {
		w.ownLine(&n.inside, "")
	}
	for depth > 0 && w.chance(3) {
		w.table(n, path+".", depth-1)
	}
}

func (w *tomlWriter) value(n *item, indent string, depth int) {
	if depth > 0 && w.chance(3) {
		if w.chance(2) {
			w.inlineTable(n, indent, depth)
		} else {
			w.array(n, indent, depth)
		}
		return
	}
	if w.scalar(n); n.kind != syntax.String {
		w.put(n.text)
	} else if w.chance(3) && !strings.ContainsAny(n.text, "'\n\t") {
		w.put("'", n.text, "'")
	} else {
		w.put(quoted(n.text))
	}
}

func (w *tomlWriter) inlineTable(n *item, indent string, depth int) {
	n.kind = syntax.Object
	pad := w.pick(" ", "")
	w.put("{", pad)
	count := w.one(4)
	for i := range count {
		child := &item{}
		n.children = append(n.children, child)
		w.put(w.newKey(child), " = ")
		w.value(child, indent, depth-1)
		if i+1 < count {
			w.put(", ")
		}
	}
	w.put(pad, "}")
}

func (w *tomlWriter) array(n *item, indent string, depth int) {
	n.kind = syntax.Array
	isSpread, trailing := w.chance(3), w.chance(2)
	w.put("[")
	count := w.one(4)
	for i := range count {
		child := &item{}
		n.children = append(n.children, child)
		if isSpread {
			w.put(w.newline)
			for w.chance(6) {
				w.ownLine(&child.comments, indent+"  ")
			}
			w.put(indent, "  ")
		} else if i > 0 {
			w.put(" ")
		}
		w.value(child, indent+"  ", depth-1)
		if i+1 < count || trailing {
			w.put(",")
		}
		if isSpread && w.chance(5) {
			w.put(" ")
			w.comment(&child.comments)
		} else if !isSpread {
			continue
		}
		if i+1 == count {
			w.put(w.newline, indent)
		}
	}
	w.put("]")
}
