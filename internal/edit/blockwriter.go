package edit

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// blockEntry returns a member or element as it is written in a container in
// block style: without indentation and line break on its first and last line.
func (d *document) blockEntry(container *syntax.Node, a *addition, indent int) string {
	w := blockWriter{flowWriter{d: d, near: container, outside: true}}
	if container.Kind == syntax.Array {
		return w.element(a.value, indent)
	}
	return w.member(a.name, a.value, container, indent)
}

// blockWriter writes values in block style.
type blockWriter struct{ flowWriter }

func (w blockWriter) member(name string, v Value, into *syntax.Node, indent int) string {
	key := w.key(name) + ":"
	if !w.isBlock(v, name, into) {
		return key + " " + w.value(v, name, into, spaces(indent), true)
	}
	step := w.d.style.blockUnit
	if v.Kind == syntax.Array {
		step = w.d.style.listUnit
	}
	return key + w.d.style.newline + spaces(indent+step) + w.block(v, indent+step)
}

func (w blockWriter) element(v Value, indent int) string {
	const dash = "- "
	if !w.isBlock(v, "", nil) {
		return dash + w.value(v, "", nil, spaces(indent), true)
	}
	return dash + w.block(v, indent+len(dash))
}

// block returns a container that is not empty. The first line has no
// indentation.
func (w blockWriter) block(v Value, indent int) string {
	var lines []string
	for _, m := range v.Members {
		lines = append(lines, w.member(m.Name, m.Value, nil, indent))
	}
	for _, element := range v.Elements {
		lines = append(lines, w.element(element, indent))
	}
	return strings.Join(lines, w.d.style.newline+spaces(indent))
}

// isBlock reports whether a value is written in block style: a container that is
// not empty, unless one under the same key, or its neighbour, or another list of
// scalars is in brackets.
func (w blockWriter) isBlock(v Value, name string, into *syntax.Node) bool {
	if v.size() == 0 {
		return false
	}
	like := w.d.example(exampleOf{name, v.Kind, v.orIf(anyList)})
	if like == nil && into != nil {
		like = w.d.lastLike(into, v.Kind)
	}
	return like == nil || !w.d.isFlow(like)
}

func spaces(n int) string { return strings.Repeat(" ", n) }

// replaceYAML records the edits of a new value that is not within brackets.
func (d *document) replaceYAML(n *syntax.Node, v Value) error {
	w := blockWriter{flowWriter{d: d, near: n, outside: true}}
	isBlock := w.isBlock(v, n.Name, nil)
	if isScalar(n) || d.isFlow(n) {
		d.replaceInline(w, n, v, isBlock)
		return nil
	}
	b, err := d.takeLines(n)
	if err != nil {
		return err
	}
	first, last := b.items[0], b.items[len(b.items)-1]
	switch {
	case isBlock:
		d.put(first.start, last.end, w.block(v, len(b.indent)))
		if !b.isBehindDash {
			d.put(first.lines.Start, d.lineStart(first.start), "")
		}
	case n.Key.IsZero():
		d.put(first.start, last.end, w.value(v, "", nil, b.indent, true))
	default:
		d.removeSpan(syntax.Span{Start: first.lines.Start, End: last.lines.End})
		return d.putBehindColon(n, " "+w.value(v, n.Name, nil, b.indent, true))
	}
	return nil
}

// replaceInline replaces a scalar or brackets with a value.
func (d *document) replaceInline(w blockWriter, n *syntax.Node, v Value, isBlock bool) {
	if isBlock {
		start, before, column := d.blockPlace(n, v.Kind)
		d.put(start, n.Value.End, before+w.block(v, column))
		return
	}
	before := ""
	if start := n.Value.Start; start > 0 && strings.IndexByte(" \t\r\n", d.text[start-1]) < 0 {
		before = " "
	}
	d.put(n.Value.Start, n.Value.End, before+w.value(v, n.Name, nil, d.indentAt(n.Value.Start), true))
}

// blockPlace returns where a container in block style begins that replaces a scalar or brackets,
// the text before it, and its column.
func (d *document) blockPlace(n *syntax.Node, kind syntax.Kind) (start int, before string, column int) {
	start = n.Value.Start
	if start > 0 && strings.IndexByte(" \t\r\n", d.text[start-1]) < 0 {
		before = " "
	}
	colon := d.colonOf(n)
	if n.Key.IsZero() || colon < 0 {
		return start, before, start + len(before) - d.lineStart(start)
	}
	step := d.style.blockUnit
	if kind == syntax.Array {
		step = d.style.listUnit
	}
	column = n.Key.Start - d.lineStart(n.Key.Start) + step
	return colon + 1, d.style.newline + spaces(column), column
}

// fillYAML writes the new entries of an empty container that is not within brackets.
func (d *document) fillYAML(n *syntax.Node) error {
	w := blockWriter{flowWriter{d: d, near: n, outside: true}}
	if !w.isBlock(d.expected(n), n.Name, nil) {
		return d.rearrangeFlow(n)
	}
	start, before, column := d.blockPlace(n, n.Kind)
	var lines []string
	for _, e := range d.entries(n) {
		lines = append(lines, d.blockEntry(n, e.added, column))
	}
	d.put(start, n.Value.End, before+strings.Join(lines, d.style.newline+spaces(column)))
	return nil
}
