package edit

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// entry is a member or element of a container as it becomes: one that is there,
// which may be removed, or one that comes in.
type entry struct {
	node      *syntax.Node
	isRemoved bool
	added     *addition
}

// entries returns what a container holds, in order, with what goes and what
// comes.
func (d *document) entries(container *syntax.Node) []entry {
	list := make([]entry, 0, len(container.Nodes))
	for _, child := range container.Nodes {
		list = append(list, entry{node: child, isRemoved: d.isRemoved(child)})
	}
	t := d.touched[container]
	if t == nil {
		return list
	}
	for _, a := range t.added {
		list = slices.Insert(list, placeOf(a, list), entry{added: a})
	}
	return list
}

// placeOf returns the index at which something comes into a list. Of several at
// one place, each comes behind the ones before it.
func placeOf(a *addition, list []entry) int {
	at := len(list)
	switch a.place {
	case Last:
		return at
	case First:
		at = 0
	case Before:
		return slices.IndexFunc(list, func(e entry) bool { return e.node == a.beside })
	case After:
		at = slices.IndexFunc(list, func(e entry) bool { return e.node == a.beside }) + 1
	}
	for at < len(list) && list[at].added != nil && list[at].added.place == a.place {
		at++
	}
	return at
}

// nameAndPlace returns the key that an entry of an object has in the end, and a
// span to blame.
func (e entry) nameAndPlace(d *document) (string, syntax.Span) {
	if e.added != nil {
		return e.added.name, e.added.at
	}
	return d.newName(e.node), e.node.Key
}

// newName returns the key that a member has in the end. Parts that cannot be
// read, because they begin or end in the midst of an escape, are left as they
// are: renaming finds them out.
func (d *document) newName(n *syntax.Node) string {
	t := d.touched[n]
	switch {
	case t == nil || !t.hasNewName():
		return n.Name
	case t.name != nil:
		return *t.name
	}
	name, _ := d.withParts(n.Key, n.Name, t.keyParts)
	return name
}

// newText is newName for the text of a string.
func (d *document) newText(n *syntax.Node) string {
	text, _ := d.withParts(n.Value, n.Text, d.touched[n].parts)
	return text
}

// withParts returns a decoded text with parts of it replaced, and whether every
// part is one of whole characters as they are written.
func (d *document) withParts(written syntax.Span, text string, parts []part) (string, bool) {
	var out string
	at := written.Start
	for _, p := range parts {
		before, ok := d.decodedPart(written, syntax.Span{Start: at, End: p.span.Start})
		if !ok {
			return text, false
		}
		out += before + p.text
		at = p.span.End
	}
	rest, ok := d.decodedPart(written, syntax.Span{Start: at, End: written.End})
	return out + rest, ok
}
