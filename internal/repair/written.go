package repair

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Written finds how entries are written in their files. It parses a file again, once, on first use:
// rules see what entries mean, and few fixes need more.
type Written struct {
	files map[*syntax.File]*places
}

// places are the values of a file, by the spans of their keys and by their own.
type places struct {
	byKey, byValue map[syntax.Span]nested
}

// nested is a value, and the one that contains it.
type nested struct{ node, holder *syntax.Node }

// Entry returns a server's entry as its file has it, nil if it cannot be found, and the value that
// contains it.
func (w *Written) Entry(s *mcp.Server) (entry, holder *syntax.Node) {
	file := s.Document.File
	there := w.files[file]
	if there == nil {
		there = &places{map[syntax.Span]nested{}, map[syntax.Span]nested{}}
		if tree, err := edit.Parse(file); err == nil && tree.Root != nil {
			for _, root := range append([]*syntax.Node{tree.Root}, tree.Rest...) {
				there.note(root, nil)
			}
		}
		if w.files == nil {
			w.files = map[*syntax.File]*places{}
		}
		w.files[file] = there
	}
	found, isMember := there.byKey[s.NameSpan]
	if !isMember {
		found = there.byValue[s.Span]
	}
	return found.node, found.holder
}

// note remembers a value and those in it.
func (p *places) note(n, holder *syntax.Node) {
	p.byKey[n.Key], p.byValue[n.Value] = nested{n, holder}, nested{n, holder}
	for _, inner := range n.Nodes {
		p.note(inner, n)
	}
}

// isElement reports whether a value of a file that entry has read is one of a list.
func (w *Written) isElement(file *syntax.File, n *syntax.Node) bool {
	holder := w.files[file].byValue[n.Value].holder
	return holder != nil && holder.Kind == syntax.Array
}

// saysTheSame reports whether two values are the same, in any spelling and with their members in
// any order.
func saysTheSame(a, b *syntax.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || a.Text != b.Text || len(a.Nodes) != len(b.Nodes) {
		return false
	}
	if a.Kind == syntax.Array {
		for i := range a.Nodes {
			if !saysTheSame(a.Nodes[i], b.Nodes[i]) {
				return false
			}
		}
		return true
	}
	members := make(map[string]*syntax.Node, len(b.Nodes))
	for _, n := range b.Nodes {
		members[n.Name] = n
	}
	for _, n := range a.Nodes {
		if !saysTheSame(n, members[n.Name]) {
			return false
		}
		delete(members, n.Name) // a second one of the name is another one
	}
	return true
}
