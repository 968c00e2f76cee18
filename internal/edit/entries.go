package edit

import (
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// entry is a member or element of a container as it becomes: one that is there,
// which may be removed, or one that comes in.
type entry struct {
	node      *syntax.Node
	index     int // of the node in the container
	isRemoved bool
	added     *addition
}

// entries returns what a container holds, in order, with what goes and what
// comes. Of several that come at one place, each comes behind the ones before it.
func (d *document) entries(container *syntax.Node) []entry {
	var at map[spot][]entry
	if t := d.touched[container]; t != nil && len(t.added) > 0 {
		at = map[spot][]entry{}
		for _, a := range t.added {
			s := spot{a.place, a.beside}
			at[s] = append(at[s], entry{added: a})
		}
	}
	list := append(make([]entry, 0, len(container.Nodes)), at[spot{place: First}]...)
	for i, child := range container.Nodes {
		list = append(list, at[spot{Before, child}]...)
		list = append(list, entry{node: child, index: i, isRemoved: d.isRemoved(child)})
		list = append(list, at[spot{After, child}]...)
	}
	return append(list, at[spot{}]...)
}

// spot is where something comes into a container.
type spot struct {
	place  Place
	beside *syntax.Node
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
