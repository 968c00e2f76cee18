package edit

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// rename records the edits of a new key.
func (d *document) rename(n *syntax.Node, inFlow bool) error {
	for _, key := range d.keysOf(n) {
		text, ok := d.newKey(n, key, inFlow)
		if !ok {
			return d.refuse(key, "a part of a key that is written like this cannot be changed safely")
		}
		d.put(key.Start, key.End, text)
	}
	return nil
}

// newKey returns the key of a member as it is written in the end at one of its
// places, and whether it can be.
func (d *document) newKey(n *syntax.Node, key syntax.Span, inFlow bool) (string, bool) {
	in := context{isKey: true, inFlow: inFlow}
	switch t := d.touched[n]; {
	case t == nil || !t.hasNewName():
		return d.between(key.Start, key.End), true
	case t.name == nil:
		return d.replaced(key, n.Name, t.keyParts, in)
	}
	q, _ := d.quotingOf(key)
	return d.quote(d.newName(n), q, in), true
}

// replace records the edits of a new value.
func (d *document) replace(n *syntax.Node, t *touch, inFlow bool) error {
	in := context{inFlow: inFlow}
	if t.value == nil {
		text, ok := d.replaced(n.Value, n.Text, t.parts, in)
		if !ok {
			return d.refuse(n.Value, "a part of a text that is written like this cannot be changed safely")
		}
		d.put(n.Value.Start, n.Value.End, text)
		return nil
	}
	if n.Kind == syntax.String && t.value.Kind == syntax.String {
		q, _ := d.quotingOf(n.Value)
		d.put(n.Value.Start, n.Value.End, d.quote(t.value.Text, q, in))
		return nil
	}
	if d.language == yamlFile && !inFlow {
		return d.replaceYAML(n, *t.value)
	}
	d.put(n.Value.Start, n.Value.End, d.flowValue(n, *t.value))
	return nil
}

// flowValue returns a value as it is written instead of a node, in brackets if it is a container.
func (d *document) flowValue(n *syntax.Node, v Value) string {
	w := flowWriter{d: d, near: d.tree.Root}
	indent := d.indentAt(n.Value.Start)
	if n.Kind == v.Kind && len(n.Nodes) > 0 && v.size() > 0 {
		w.near = n
		return w.written(v, indent, !d.isSpread(n))
	}
	return w.value(v, n.Name, nil, indent, false)
}

// keysOf returns the places where the key of a member is written.
func (d *document) keysOf(n *syntax.Node) []syntax.Span {
	if d.language == tomlFile {
		return d.tables.named[n]
	}
	return []syntax.Span{n.Key}
}

// rearrange records the edits of what comes into a container and goes out.
func (d *document) rearrange(n *syntax.Node, inFlow bool) error {
	switch {
	case d.language == tomlFile && !d.isFlow(n):
		return d.rearrangeTables(n)
	case d.language == yamlFile && !d.isFlow(n):
		return d.rearrangeBlock(n)
	case d.language == yamlFile && !inFlow && len(n.Nodes) == 0 && !d.style.oneLine && !d.holdsComment(n.Value):
		return d.fillYAML(n)
	}
	return d.rearrangeFlow(n)
}

// isFlow reports whether a value is a container in brackets.
func (d *document) isFlow(n *syntax.Node) bool {
	if isScalar(n) || n.Value.Start == n.Value.End || d.language == tomlFile && d.tables.isList[n] {
		return false
	}
	bracket := d.text[n.Value.Start] == brackets(n.Kind)[0]
	if d.language == yamlFile && n.Kind == syntax.Object && len(n.Nodes) > 0 {
		return bracket && n.Nodes[0].Key.Start > n.Value.Start // or a key begins with it
	}
	return bracket
}

// removeSurface records the edit that removes a comment or a part of one, a trailing
// comma or the byte order mark, if a span is that of one.
func (d *document) removeSurface(at syntax.Span) bool {
	isMark := d.tree.BOM && at == (syntax.Span{End: len(d.bom())})
	if isMark || isOneOf(d.tree.TrailingCommas, at) {
		d.put(at.Start, at.End, "")
		return true
	}
	if d.isWithinComment(at) {
		d.put(at.Start, at.End, "")
		d.cuts = append(d.cuts, at)
		return true
	}
	if d.commentAt(at.Start) != at || at.IsZero() {
		return false
	}
	start, end := at.Start, at.End
	for start > 0 && (d.text[start-1] == ' ' || d.text[start-1] == '\t') {
		start--
	}
	rest := d.text[end:]
	isLast := strings.TrimLeft(rest, " \t") == "" || strings.IndexByte("\r\n", strings.TrimLeft(rest, " \t")[0]) >= 0
	switch isFirst := start == d.lineStart(start); {
	case isFirst && isLast: // the whole line
		end += len(rest) - len(strings.TrimLeft(rest, " \t"))
		end += breakLength(d.text[end:])
	case isFirst:
		start, end = at.Start, end+len(rest)-len(strings.TrimLeft(rest, " \t"))
	case !isLast:
		start = at.Start
		end += len(rest) - len(strings.TrimLeft(rest, " \t"))
	}
	d.put(start, end, "")
	return true
}

// breakLength returns the length of the line break that begins a text, or 0.
func breakLength(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case strings.HasPrefix(text, "\n"), strings.HasPrefix(text, "\r"):
		return 1
	}
	return 0
}
