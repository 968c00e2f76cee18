package edit_test

import (
	"encoding/json"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// jsonWriter writes JSON, with comments and trailing commas unless it is strict.
type jsonWriter struct {
	*writer
	unit, colon, comma, pad string
}

func writeJSON(w *writer) *item {
	j := &jsonWriter{w, w.pick("  ", "    ", "\t"), w.pick(": ", ":", " : "), w.pick(" ", ""), w.pick("", " ")}
	w.isStrict = w.chance(3)
	if !w.isStrict && w.chance(6) {
		w.put("\ufeff")
	}
	if !w.isStrict && w.chance(3) {
		j.ownLine(nil, "")
	}
	root := &item{kind: syntax.Object}
	if w.chance(4) {
		root.kind = syntax.Array
	}
	j.container(root, "", 4, w.chance(5))
	if w.chance(8) {
		return root
	}
	if !w.isStrict && w.chance(4) {
		w.put(" ")
		j.comment(nil, true)
	}
	w.put(w.newline)
	return root
}

// comment writes a comment, which may end the line, and notes whose it is.
func (w *jsonWriter) comment(whose *[]string, toLineEnd bool) {
	text, mark := w.newComment()
	if whose != nil {
		*whose = append(*whose, mark)
	}
	if toLineEnd && w.chance(2) {
		w.put("//", text)
	} else {
		w.put("/*", text, "*/")
	}
}

// ownLine writes a comment on its own line.
func (w *jsonWriter) ownLine(whose *[]string, indent string) {
	w.put(indent)
	w.comment(whose, true)
	w.put(w.newline)
}

// sometimes reports true once in n times, unless there are no comments.
func (w *jsonWriter) sometimes(n int) bool { return !w.isStrict && w.chance(n) }

func (w *jsonWriter) container(n *item, indent string, depth int, isFlat bool) {
	for range w.one(5) {
		child := &item{}
		if n.kind == syntax.Object {
			child.name = w.name()
		}
		n.children = append(n.children, child)
	}
	brackets := "{}"
	if n.kind == syntax.Array {
		brackets = "[]"
	}
	w.put(brackets[:1])
	switch {
	case len(n.children) == 0 && !isFlat && w.sometimes(2):
		w.put(w.newline)
		w.ownLine(&n.inside, indent+w.unit)
		w.put(indent)
	case len(n.children) == 0:
	case isFlat || w.chance(4):
		w.flat(n, indent, depth)
	default:
		w.spread(n, indent, depth)
	}
	w.put(brackets[1:])
}

// flat writes what a container holds on one line.
func (w *jsonWriter) flat(n *item, indent string, depth int) {
	w.put(w.pad)
	for i, child := range n.children {
		if w.sometimes(8) {
			w.comment(&child.comments, false)
			w.put(" ")
		}
		w.child(child, indent, depth, true)
		if w.sometimes(8) {
			w.put(" ")
			w.comment(&child.comments, false)
		}
		if i+1 < len(n.children) {
			w.put(",", w.comma)
		} else if w.sometimes(6) {
			w.put(",")
		}
	}
	w.put(w.pad)
}

// spread writes what a container holds on lines of their own.
func (w *jsonWriter) spread(n *item, indent string, depth int) {
	inner := indent + w.unit
	if w.sometimes(6) {
		w.put(" ")
		w.comment(&n.inside, true)
	}
	w.put(w.newline)
	if w.chance(4) {
		w.leading(n, indent, depth)
		return
	}
	trailing := w.sometimes(3)
	isJoined := false
	for i, child := range n.children {
		if !isJoined {
			w.above(n, child, i, inner)
			w.put(inner)
		}
		w.child(child, inner, depth, false)
		isJoined = i+1 < len(n.children) && w.chance(6)
		if i+1 < len(n.children) || trailing {
			w.put(",")
		}
		if isJoined {
			w.put(" ")
			continue
		}
		if w.sometimes(4) {
			w.put(" ")
			w.comment(&child.comments, true)
		}
		w.put(w.newline)
	}
	for w.sometimes(5) {
		w.ownLine(&n.inside, inner)
	}
	w.put(indent)
}

// leading writes what a container holds on lines that begin with the commas.
func (w *jsonWriter) leading(n *item, indent string, depth int) {
	inner := indent + w.unit
	for i, child := range n.children {
		w.above(n, child, i, inner)
		w.put(inner)
		if i > 0 {
			w.put(",", w.comma)
		}
		w.child(child, inner, depth, false)
		if w.sometimes(4) {
			w.put(" ")
			w.comment(&child.comments, true)
		}
		w.put(w.newline)
	}
	w.put(indent)
}

// above writes what is above a line.
func (w *jsonWriter) above(n, child *item, i int, indent string) {
	if w.sometimes(6) {
		w.ownLine(&n.inside, indent)
		w.put(w.newline)
	} else if i > 0 && w.chance(6) {
		w.put(w.newline)
	}
	for w.sometimes(4) {
		w.ownLine(&child.comments, indent)
	}
	if w.sometimes(10) {
		w.put(indent)
		w.comment(&child.comments, false)
		w.put(w.newline)
	}
}

func (w *jsonWriter) child(n *item, indent string, depth int, isFlat bool) {
	if n.name != "" {
		w.put(quoted(n.name), w.colon)
		if w.sometimes(12) {
			w.comment(&n.comments, false)
			w.put(" ")
		}
	}
	if depth > 0 && w.chance(2) {
		n.kind = syntax.Object
		if w.chance(2) {
			n.kind = syntax.Array
		}
		w.container(n, indent, depth-1, isFlat)
		return
	}
	if w.scalar(n); n.kind == syntax.String {
		w.put(quoted(n.text))
	} else {
		w.put(n.text)
	}
}

func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSpace(b.String())
}
