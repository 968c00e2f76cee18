package edit

import "github.com/mcplumb/mcplumb/internal/syntax"

// place is what a span names: a node, and the way to it.
type place struct {
	node *syntax.Node
	// above are the nodes that hold it, from the root to its parent.
	above []*syntax.Node
	// inKey reports that the span is in the key.
	inKey bool
	// part is a part of the key or of a scalar value; zero if the span is all of
	// it.
	part syntax.Span
}

// parent returns the node that holds the place's, or nil for the root.
func (p *place) parent() *syntax.Node {
	if len(p.above) == 0 {
		return nil
	}
	return p.above[len(p.above)-1]
}

// finder looks for what a span names.
type finder struct {
	span   syntax.Span
	accept func(*syntax.Node) bool
	above  []*syntax.Node
	// The best of each kind that has been found. A key goes before a value, and
	// a whole before a part.
	key, value, part *place
}

// find returns what a span names. Of values, only those that are accepted
// count.
func (d *document) find(span syntax.Span, accept func(*syntax.Node) bool) (*place, error) {
	if span.IsZero() && d.tree.Root != nil && accept(d.tree.Root) {
		return &place{node: d.tree.Root}, nil
	}
	f := finder{span: span, accept: accept}
	for _, root := range d.roots() {
		f.look(root)
	}
	for _, found := range []*place{f.key, f.value, f.part} {
		if found != nil {
			return found, nil
		}
	}
	return nil, d.refuse(span, "there is nothing to change at this place")
}

func anyNode(*syntax.Node) bool { return true }

func isObject(n *syntax.Node) bool { return n.Kind == syntax.Object }

func isArray(n *syntax.Node) bool { return n.Kind == syntax.Array }

// look looks at a node and all that it holds.
func (f *finder) look(n *syntax.Node) {
	isWritten := n.Key.Start < n.Key.End
	switch {
	case isWritten && n.Key == f.span && f.accept(n):
		f.key = f.found(n, true, syntax.Span{})
	case n.Value == f.span && f.accept(n):
		f.value = f.found(n, false, syntax.Span{})
	case isWritten && isInside(n.Key, f.span) && f.accept(n):
		f.part = f.found(n, true, f.span)
	case isScalar(n) && isInside(n.Value, f.span) && f.accept(n):
		f.part = f.found(n, false, f.span)
	}
	f.above = append(f.above, n)
	for _, child := range n.Nodes {
		if hull(child).Contains(f.span) {
			f.look(child)
		}
	}
	f.above = f.above[:len(f.above)-1]
}

func (f *finder) found(n *syntax.Node, inKey bool, part syntax.Span) *place {
	return &place{node: n, above: append([]*syntax.Node(nil), f.above...), inKey: inKey, part: part}
}

// isInside reports whether a span is a part of another one, but not all of it.
func isInside(outer, inner syntax.Span) bool {
	return outer.Contains(inner) && inner != outer && inner.Start < inner.End
}

func isScalar(n *syntax.Node) bool { return n.Kind != syntax.Array && n.Kind != syntax.Object }

// hull is from the first to the last byte of a member or element.
func hull(n *syntax.Node) syntax.Span {
	if n.Key.IsZero() {
		return n.Value
	}
	return syntax.Span{Start: min(n.Key.Start, n.Value.Start), End: max(n.Key.End, n.Value.End)}
}
