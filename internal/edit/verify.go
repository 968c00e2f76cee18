package edit

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ValueOf returns what a node says.
func ValueOf(n *syntax.Node) Value {
	v := Value{Kind: n.Kind, Text: n.Text}
	for _, child := range n.Nodes {
		if n.Kind == syntax.Object {
			v.Members = append(v.Members, Member{child.Name, ValueOf(child)})
		} else {
			v.Elements = append(v.Elements, ValueOf(child))
		}
	}
	return v
}

// expected returns the value that a node must have after its changes.
func (d *document) expected(n *syntax.Node) Value {
	t := d.touched[n]
	switch {
	case t == nil:
		return ValueOf(n)
	case t.value != nil:
		return *t.value
	case len(t.parts) > 0:
		return String(d.newText(n))
	}
	v := Value{Kind: n.Kind, Text: n.Text}
	for _, e := range d.entries(n) {
		if e.isRemoved {
			continue
		}
		m := Member{}
		if e.added != nil {
			m = Member{e.added.name, e.added.value}
		} else if m = (Member{d.newName(e.node), d.expected(e.node)}); d.vanishes(e.node, m.Value) {
			continue
		}
		if n.Kind == syntax.Object {
			v.Members = append(v.Members, m)
		} else {
			v.Elements = append(v.Elements, m.Value)
		}
	}
	return v
}

// vanishes reports whether a table of TOML, or a list of tables, disappears with its last content:
// it has no header of its own.
func (d *document) vanishes(n *syntax.Node, v Value) bool {
	return d.language == tomlFile && v.isContainer() && v.size() == 0 && len(n.Nodes) > 0 && !d.isFlow(n) && !d.tables.hasHeader[n]
}

// verify parses the result and refuses it unless it says what the changes mean,
// with every comment that was not removed.
func (d *document) verify() error {
	after := syntax.NewFile(d.file.Path, Apply(d.file.Bytes, d.edits))
	p, err := parseFile(after)
	if err != nil || p.tree.Root == nil {
		return d.unforeseen()
	}
	roots := append([]*syntax.Node{p.tree.Root}, p.tree.Rest...)
	if len(roots) != len(d.roots()) || !d.keepsComments(p.tree) {
		return d.unforeseen()
	}
	for i, root := range d.roots() {
		if !d.says(roots[i], d.expected(root)) {
			return d.unforeseen()
		}
	}
	return nil
}

func (d *document) unforeseen() error {
	at := syntax.Span{}
	if len(d.edits) > 0 {
		at = d.edits[0].Span
	}
	return d.refuse(at, "this is written in a way that cannot be changed safely")
}

// says reports whether a node says a value. The spelling of a null does not matter, unless it is an
// alias of YAML; nor does the order of TOML's keys.
func (d *document) says(n *syntax.Node, v Value) bool {
	if n.Kind != v.Kind || len(n.Nodes) != v.size() || n.Text != v.Text && (n.Kind != syntax.Null || isAlias(n.Text) || isAlias(v.Text)) {
		return false
	}
	for i, element := range v.Elements {
		if !d.says(n.Nodes[i], element) {
			return false
		}
	}
	var byName map[string]*syntax.Node
	for i, m := range v.Members {
		child := n.Nodes[i]
		if d.language == tomlFile && child.Name != m.Name {
			if byName == nil {
				byName = named(n)
			}
			child = byName[m.Name]
		}
		if child == nil || child.Name != m.Name || !d.says(child, m.Value) {
			return false
		}
	}
	return true
}

// named returns the members of an object by their keys.
func named(object *syntax.Node) map[string]*syntax.Node {
	all := make(map[string]*syntax.Node, len(object.Nodes))
	for _, n := range object.Nodes {
		all[n.Name] = n
	}
	return all
}

// isAlias reports whether the text of a null is that of an alias.
func isAlias(text string) bool { return len(text) > 0 && text[0] == '*' }

// keepsComments reports whether every comment is there that no edit removes,
// and no other one, and no edit cuts one that was not to be.
func (d *document) keepsComments(after *syntax.Tree) bool {
	at := map[int]bool{}
	for _, c := range after.Comments {
		at[c.Start] = true
	}
	cuts := slices.Clone(d.cuts)
	slices.SortFunc(cuts, compareSpans)
	shift, next, kept := 0, 0, 0
	for _, c := range d.tree.Comments {
		for next < len(d.edits) && d.edits[next].Span.End <= c.Start {
			shift += len(d.edits[next].New) - (d.edits[next].Span.End - d.edits[next].Span.Start)
			next++
		}
		isEdited := next < len(d.edits) && d.edits[next].Span.Start < c.End
		isCut := isEdited && isOneOf(cuts, d.edits[next].Span)
		isEdited = isEdited && !isCut
		switch {
		case isEdited && !d.edits[next].Span.Contains(c), !isEdited && !at[c.Start+shift]:
			return false
		case !isEdited:
			kept++
		}
	}
	return len(after.Comments) == kept
}
