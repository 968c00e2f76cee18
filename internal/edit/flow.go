package edit

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// flowEntry returns a member or element as it is written between the brackets
// of a container. Lines of its own begin with the indentation and more.
func (d *document) flowEntry(container *syntax.Node, a *addition, indent string, isFlat bool) string {
	w := flowWriter{d: d, near: container}
	text := w.value(a.value, a.name, container, indent, isFlat)
	if container.Kind == syntax.Object {
		text = w.key(a.name) + w.spacing().assign + text
	}
	return text
}

// flowWriter writes values in brackets, and scalars.
type flowWriter struct {
	d *document
	// near is the container whose quotes and spaces are followed.
	near *syntax.Node
	// outside reports that a scalar is not within brackets.
	outside bool
}

func (w flowWriter) key(name string) string {
	return w.d.quote(name, w.d.quotingNear(w.near, true), context{isKey: true, inFlow: !w.outside})
}

func (w flowWriter) spacing() spacing { return w.d.spacingIn(w.near) }

// value returns a value as written. One that is flat is on one line. Its key and
// the container it comes into are for finding an example to follow.
func (w flowWriter) value(v Value, name string, into *syntax.Node, indent string, isFlat bool) string {
	switch {
	case v.Kind == syntax.String:
		return w.d.quote(v.Text, w.d.quotingNear(w.near, false), context{inFlow: !w.outside})
	case v.Kind == syntax.Null:
		return "null"
	case !v.isContainer():
		return v.Text
	case v.size() == 0:
		return brackets(v.Kind)
	}
	return w.written(v, indent, isFlat || w.d.isFlat(v, name, into))
}

// written returns a container that is not empty as written.
func (w flowWriter) written(v Value, indent string, isFlat bool) string {
	w.outside = false
	inner := indent
	if !isFlat {
		inner += w.d.style.unit
	}
	var children []string
	for _, m := range v.Members {
		children = append(children, w.key(m.Name)+w.spacing().assign+w.value(m.Value, m.Name, nil, inner, isFlat))
	}
	for _, element := range v.Elements {
		children = append(children, w.value(element, "", nil, inner, isFlat))
	}
	return w.enclose(v.Kind, children, indent, isFlat)
}

// enclose puts brackets around members or elements.
func (w flowWriter) enclose(kind syntax.Kind, children []string, indent string, isFlat bool) string {
	s := w.d.style
	begin, separator, end := s.objectPad, ","+w.spacing().comma, s.objectPad
	if kind == syntax.Array {
		begin, end = s.arrayPad, s.arrayPad
	}
	if !isFlat {
		begin = s.newline + indent + s.unit
		separator, end = ","+begin, s.newline+indent
	}
	pair := brackets(kind)
	return pair[:1] + begin + strings.Join(children, separator) + end + pair[1:]
}

func brackets(kind syntax.Kind) string {
	if kind == syntax.Object {
		return "{}"
	}
	return "[]"
}

// isFlat reports whether a container that is not empty is written on one line:
// as one under the same key is, or as its neighbours are, or, for arrays of
// scalars, as others of the document are.
func (d *document) isFlat(v Value, name string, into *syntax.Node) bool {
	if d.style.oneLine || d.language == tomlFile && v.Kind == syntax.Object {
		return true
	}
	like := d.example(exampleOf{name, v.Kind, v.orIf(flowList)})
	if like == nil && into != nil {
		like = d.lastLike(into, v.Kind)
	}
	if like != nil && d.isFlow(like) {
		return !d.isSpread(like)
	}
	return d.language != jsonFile || v.Kind == syntax.Array && v.isFlat()
}

// lastOf is what lastLike looks for.
type lastOf struct {
	container *syntax.Node
	kind      syntax.Kind
}

// lastLike returns the last child of a kind that is not empty, or nil.
func (d *document) lastLike(container *syntax.Node, kind syntax.Kind) *syntax.Node {
	return once(&d.seen.last, lastOf{container, kind}, func() *syntax.Node {
		for _, child := range slices.Backward(container.Nodes) {
			if child.Kind == kind && len(child.Nodes) > 0 {
				return child
			}
		}
		return nil
	})
}

func hasOnlyScalars(n *syntax.Node) bool {
	for _, child := range n.Nodes {
		if !isScalar(child) {
			return false
		}
	}
	return true
}

// quotingNear returns how the keys or the strings in a container are written,
// or those of the document if it has none: without quotes if one of them is, or
// else as the first.
func (d *document) quotingNear(container *syntax.Node, keys bool) quoting {
	if d.language == jsonFile {
		return double
	}
	return once(&d.seen.quotings, quotingIn{container, keys}, func() quoting { return d.findQuoting(container, keys) })
}

// quotingIn is what quotingNear looks for.
type quotingIn struct {
	container *syntax.Node
	keys      bool
}

func (d *document) findQuoting(container *syntax.Node, keys bool) quoting {
	seen := quotings{d: d, keys: keys}
	if seen.look(container); !seen.any {
		for _, root := range d.roots() {
			seen.look(root)
		}
	}
	switch {
	case seen.plain || !seen.any && (keys || d.language == yamlFile):
		return plain
	case seen.any:
		return seen.first
	}
	return d.style.quote
}

// quotings counts how keys or strings are quoted.
type quotings struct {
	d          *document
	keys       bool
	any, plain bool
	first      quoting
}

func (s *quotings) look(n *syntax.Node) {
	for _, child := range n.Nodes {
		if written := child.Value; !s.plain && (s.keys && !child.Key.IsZero() || !s.keys && child.Kind == syntax.String) {
			if s.keys {
				written = child.Key
			}
			if q, _ := s.d.quotingOf(written); q != multiline {
				s.plain = q == plain
				if !s.any {
					s.any, s.first = true, q
				}
			}
		}
		s.look(child)
	}
}
