package edit_test

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// yamlWriter writes YAML in block and flow style.
type yamlWriter struct {
	*writer
	unit, list int // columns that objects and lists are indented by
	// isOpen reports that the last line was one of a block scalar, to which an
	// indented comment would belong.
	isOpen bool
}

func writeYAML(w *writer) *item {
	y := &yamlWriter{writer: w, unit: 1 + w.one(4)}
	y.list = []int{0, y.unit}[w.one(2)]
	if w.chance(6) {
		w.put("\ufeff")
	}
	root := y.document()
	return root
}

// document writes the lines of a document.
func (w *yamlWriter) document() *item {
	if w.chance(3) { // the head
		w.comment(nil)
		w.put(w.newline)
		if w.chance(2) {
			w.put(w.newline)
		}
	}
	root := &item{kind: syntax.Object, isBlock: true}
	if w.chance(6) {
		root.kind = syntax.Array
	}
	w.block(root, 0, 3, true)
	return root
}

// comment writes a comment up to the end of the line, and notes whose it is.
func (w *yamlWriter) comment(whose *[]string) {
	text, mark := w.newComment()
	if whose != nil {
		*whose = append(*whose, mark)
	}
	w.put("#", text)
}

// ownLine writes a comment on its own line.
func (w *yamlWriter) ownLine(whose *[]string, indent int) {
	w.put(strings.Repeat(" ", indent))
	w.comment(whose)
	w.put(w.newline)
}

// block writes a container in block style. What is before its first child has
// been written if it does not begin a line.
func (w *yamlWriter) block(n *item, indent, depth int, beginsLine bool) {
	n.isBlock = true
	count := 1 + w.one(4)
	for i := range count {
		child := &item{}
		n.children = append(n.children, child)
		if i > 0 || beginsLine {
			w.above(n, child, i, indent)
			w.put(strings.Repeat(" ", indent))
		}
		if n.kind == syntax.Array {
			w.put("-")
			w.element(child, indent, depth)
			continue
		}
		child.name = w.name()
		w.key(child.name)
		w.put(":")
		w.member(child, indent, depth)
	}
	// Behind a list in the column of its key, a comment is the next key's.
	if isApart := n.kind == syntax.Object || w.list > 0; isApart && !w.isOpen && w.chance(8) {
		w.ownLine(&n.inside, indent)
	}
}

// above writes what is above a line.
func (w *yamlWriter) above(n, child *item, i, indent int) {
	if i > 0 && !w.isOpen && w.chance(8) {
		w.ownLine(&n.inside, indent)
		w.put(w.newline)
	} else if i > 0 && w.chance(6) {
		w.put(w.newline)
	}
	for (i > 0 || indent > 0) && w.chance(5) {
		w.ownLine(&child.comments, indent)
	}
}

// end ends the line of a scalar.
func (w *yamlWriter) end(n *item, indent int) {
	if w.chance(5) {
		w.put(" ")
		w.comment(&n.comments)
	}
	w.put(w.newline)
	w.isOpen = false
	for w.chance(10) {
		w.ownLine(&n.comments, indent+1+w.one(3))
	}
}

// member writes what is behind a key's colon.
func (w *yamlWriter) member(n *item, indent, depth int) {
	if depth > 0 && w.chance(2) {
		n.kind = syntax.Object
		step := w.unit
		if w.chance(2) {
			n.kind, step = syntax.Array, w.list
		}
		if w.chance(6) {
			w.put(" ")
			w.comment(&n.comments)
		}
		w.put(w.newline)
		w.isOpen = false
		w.block(n, indent+step, depth-1, true)
		return
	}
	w.inline(n, indent, depth)
}

// element writes what is behind a dash.
func (w *yamlWriter) element(n *item, indent, depth int) {
	if depth > 0 && w.chance(2) {
		n.kind = syntax.Object
		if w.chance(3) {
			n.kind = syntax.Array
		}
		w.put(" ")
		w.isOpen = false
		w.block(n, indent+2, depth-1, false)
		return
	}
	w.inline(n, indent, depth)
}

// inline writes a scalar or a container in brackets.
func (w *yamlWriter) inline(n *item, indent, depth int) {
	switch w.one(8) {
	case 0:
		n.kind = syntax.Null
		if w.chance(2) {
			w.put(" ", w.pick("null", "~"))
		}
	case 1:
		w.put(" ")
		w.flow(n, indent, depth)
	case 2:
		w.blockScalar(n, indent)
		return
	default:
		w.put(" ")
		w.put(w.scalarText(w.scalar(n), false))
	}
	w.end(n, indent)
}

// blockScalar writes a text behind a bar.
func (w *yamlWriter) blockScalar(n *item, indent int) {
	n.kind, n.text, n.isBlockScalar = syntax.String, "a\n# no comment\n", true
	inner := strings.Repeat(" ", indent+1+w.one(3))
	w.put(" |", w.newline, inner, "a", w.newline, inner, "# no comment", w.newline)
	w.isOpen = true
}

// scalarText returns a scalar as one may write it.
func (w *yamlWriter) scalarText(n *item, inFlow bool) string {
	if n.kind != syntax.String {
		return n.text
	}
	isPlain := strings.Trim(n.text, "npxhts:/a?80=${}A#fgröße 名前🔌,b") == "" && n.text != "" && !strings.ContainsAny(n.text, "#:{ ,")
	switch {
	case isPlain && !inFlow:
		return n.text
	case w.chance(2) && !strings.ContainsAny(n.text, "\n\t"):
		return "'" + strings.ReplaceAll(n.text, "'", "''") + "'"
	}
	return quoted(n.text)
}

func (w *yamlWriter) key(name string) {
	switch {
	case w.chance(3):
		w.put(quoted(name))
	case w.chance(3) || strings.ContainsAny(name, ":'\""):
		w.put("'", strings.ReplaceAll(name, "'", "''"), "'")
	default:
		w.put(name)
	}
}

// flow writes a container in brackets.
func (w *yamlWriter) flow(n *item, indent, depth int) {
	n.kind = syntax.Array
	brackets := "[]"
	if w.chance(2) {
		n.kind, brackets = syntax.Object, "{}"
	}
	isSpread := w.chance(4)
	w.put(brackets[:1])
	count := w.one(4)
	for i := range count {
		child := &item{}
		n.children = append(n.children, child)
		if isSpread {
			w.put(w.newline)
			if w.chance(4) {
				w.ownLine(&child.comments, indent+3)
			}
			w.put(strings.Repeat(" ", indent+3))
		} else if i > 0 {
			w.put(" ")
		}
		if n.kind == syntax.Object {
			child.name = w.name()
			w.key(child.name)
			w.put(": ")
		}
		if depth > 0 && w.chance(4) {
			w.flow(child, indent+3, depth-1)
		} else {
			w.put(w.scalarText(w.scalar(child), true))
		}
		if i+1 < count {
			w.put(",")
		}
		if isSpread && w.chance(4) {
			w.put(" ")
			w.comment(&child.comments)
			if i+1 == count {
				w.put(w.newline, strings.Repeat(" ", indent+1))
			}
		}
	}
	w.put(brackets[1:])
}

// writeFrontMatter writes a Markdown file with front matter in YAML or TOML.
func writeFrontMatter(w *writer) *item {
	mark, root := "---", (*item)(nil)
	if w.chance(3) {
		mark = "+++"
	}
	w.put(mark, w.newline)
	if mark == "---" {
		y := &yamlWriter{writer: w, unit: 2, list: []int{0, 2}[w.one(2)]}
		root = y.document()
	} else {
		root = (&tomlWriter{writer: w}).document()
	}
	w.put(mark, w.newline, "# Heading <not a comment>", w.newline, w.newline, "---", w.newline)
	return root
}
