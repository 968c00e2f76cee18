package edit

import (
	"cmp"
	"slices"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// place is what a span names: a node, and the way to it.
type place struct {
	node *syntax.Node
	// above are the nodes that hold it, from the root to its parent; at is its index
	// among what the parent holds.
	above []*syntax.Node
	at    int
	slot  int // among the nodes of the document
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

// accepted reports whether a node, which another one holds, is one that is looked for.
type accepted func(n, parent *syntax.Node) bool

func anyNode(_, _ *syntax.Node) bool { return true }

func isObject(n, _ *syntax.Node) bool { return n.Kind == syntax.Object }

func isArray(n, _ *syntax.Node) bool { return n.Kind == syntax.Array }

// heldBy accepts what a node holds.
func heldBy(container *syntax.Node) accepted {
	return func(_, parent *syntax.Node) bool { return parent == container }
}

// find returns what a span names. A key goes before a value, a whole before a part, and
// of values with one span the innermost before the others; only those that are accepted
// count.
func (d *document) find(span syntax.Span, accept accepted) (*place, error) {
	if span.IsZero() && d.tree.Root != nil && accept(d.tree.Root, nil) {
		return &place{node: d.tree.Root}, nil
	}
	all := d.nodes()
	for _, wanted := range []struct {
		list  []written
		inKey bool
	}{{all.keys, true}, {all.values, false}} {
		for _, w := range slices.Backward(sameSpan(wanted.list, span)) {
			if all.accepts(w, accept) {
				return all.place(w, wanted.inKey, syntax.Span{}), nil
			}
		}
	}
	if w, inKey, ok := all.around(span, accept); ok {
		return all.place(w, inKey, span), nil
	}
	return nil, d.refuse(span, "there is nothing to change at this place")
}

// nodeList are the nodes of a document, to be found by what is written.
type nodeList struct {
	// slots are in the order of the tree, what holds others first.
	slots []slot
	// keys and values are sorted by their spans and then as the slots are. Keys that
	// are not written are not among them.
	keys, values []written
	// scalars are the values that hold no others and are written.
	scalars []written
}

// slot is a node, the slot of the one that holds it, or -1, and its index there.
type slot struct {
	node       *syntax.Node
	parent, at int
}

// written is the span of a key or a value, and the slot of its node.
type written struct {
	syntax.Span
	slot int
}

// nodes returns the nodes of a document.
func (d *document) nodes() *nodeList {
	if d.seen.nodes == nil {
		all := &nodeList{}
		for _, root := range d.roots() {
			all.add(root, -1, 0)
		}
		for _, list := range [][]written{all.keys, all.values, all.scalars} {
			slices.SortStableFunc(list, func(a, b written) int { return compareSpans(a.Span, b.Span) })
		}
		d.seen.nodes = all
	}
	return d.seen.nodes
}

// compareSpans orders spans by their starts and then by their ends.
func compareSpans(a, b syntax.Span) int {
	return cmp.Or(a.Start-b.Start, a.End-b.End)
}

func (l *nodeList) add(n *syntax.Node, parent, at int) {
	own := len(l.slots)
	l.slots = append(l.slots, slot{n, parent, at})
	if n.Key.Start < n.Key.End {
		l.keys = append(l.keys, written{n.Key, own})
	}
	l.values = append(l.values, written{n.Value, own})
	if isScalar(n) && n.Value.Start < n.Value.End {
		l.scalars = append(l.scalars, written{n.Value, own})
	}
	for i, child := range n.Nodes {
		l.add(child, own, i)
	}
}

// sameSpan returns those of a sorted list that have a span.
func sameSpan(list []written, span syntax.Span) []written {
	start, _ := slices.BinarySearchFunc(list, span, func(w written, span syntax.Span) int { return compareSpans(w.Span, span) })
	end := start
	for end < len(list) && list[end].Span == span {
		end++
	}
	return list[start:end]
}

// around returns the key or the scalar that a span is a part of. None of them contains another.
func (l *nodeList) around(span syntax.Span, accept accepted) (found written, inKey, ok bool) {
	for i, list := range [][]written{l.keys, l.scalars} {
		end, _ := slices.BinarySearchFunc(list, span.Start+1, func(w written, start int) int { return w.Start - start })
		for _, w := range slices.Backward(list[:end]) {
			if !isInside(w.Span, span) {
				break
			}
			if l.accepts(w, accept) {
				return w, i == 0, true
			}
		}
	}
	return written{}, false, false
}

func (l *nodeList) accepts(w written, accept accepted) bool {
	var parent *syntax.Node
	if s := l.slots[w.slot]; s.parent >= 0 {
		parent = l.slots[s.parent].node
	}
	return accept(l.slots[w.slot].node, parent)
}

// place returns the way to a node.
func (l *nodeList) place(w written, inKey bool, part syntax.Span) *place {
	own := l.slots[w.slot]
	p := &place{node: own.node, at: own.at, slot: w.slot, inKey: inKey, part: part}
	for i := own.parent; i >= 0; i = l.slots[i].parent {
		p.above = append(p.above, l.slots[i].node)
	}
	slices.Reverse(p.above)
	return p
}

// holder returns the way to what holds a place, which is not a root.
func (l *nodeList) holder(p *place) *place {
	return l.place(written{slot: l.slots[p.slot].parent}, false, syntax.Span{})
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
