// Package treediff turns the difference between two trees into changes: the entry of a file
// as it is written, and the same entry as it is wanted. It knows no client and no format. A
// policy says which parts count, so that all others stay as they are.
package treediff

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Policy says what is changed of an object. The zero Policy changes it as a whole.
type Policy struct {
	// Goes reports whether a member or element of the present object may go, with all that
	// is in it. Comes reports whether one of the wanted object may come in. What is neither
	// stays, or stays out.
	Goes, Comes func(*syntax.Node) bool
	// IsSameName reports whether two names mean one member of an object that has a name itself; nil
	// if they must be equal.
	IsSameName func(object, a, b string) bool
}

// Object returns the changes by which an object of a file is as another one, in the parts
// that count. Where both have a list or an object under one name, that is not written anew:
// what is the same in it stays, with its comments.
func Object(file *syntax.File, present, wanted *syntax.Node, p Policy) []edit.Change {
	d := &differ{Policy: p, file: file, top: present}
	isWhole := p.Goes == nil && p.Comes == nil
	d.object(present, wanted, isWhole, isWhole)
	return d.changes
}

// differ collects changes.
type differ struct {
	Policy
	file    *syntax.File
	top     *syntax.Node
	changes []edit.Change
}

func (d *differ) change(c edit.Change) { d.changes = append(d.changes, c) }

func (d *differ) goes(n *syntax.Node) bool { return d.Goes != nil && d.Goes(n) }

func (d *differ) comes(n *syntax.Node) bool { return d.Comes != nil && d.Comes(n) }

// object compares two objects; wanted is nil for one that is not wanted. goes and comes
// report that all of the one may go, and all of the other one comes in.
func (d *differ) object(present, wanted *syntax.Node, goes, comes bool) {
	for i, m := range present.Nodes {
		isRepeated := slices.ContainsFunc(present.Nodes[i+1:], func(later *syntax.Node) bool { return later.Name == m.Name })
		var w *syntax.Node
		if !isRepeated { // the last one counts
			w = d.member(wanted, m.Name)
		}
		d.pair(m, w, goes, comes)
	}
	if wanted == nil {
		return
	}
	for i, w := range wanted.Nodes {
		if d.member(present, w.Name) == nil && wanted.Get(w.Name) == w {
			d.insert(present, wanted.Nodes, i, comes)
		}
	}
}

// pair compares a member or element with its counterpart, nil if it has none.
func (d *differ) pair(m, w *syntax.Node, goes, comes bool) {
	isWhole := goes && comes
	goes, comes = goes || d.goes(m), w != nil && (comes || d.comes(w))
	switch isAlike := w != nil && w.Kind == m.Kind; {
	case m.Kind == syntax.Object && (isAlike || !goes && !comes):
		d.object(m, likeIt(w, isAlike), goes, comes)
	case m.Kind == syntax.Array && (isAlike || !goes && !comes):
		d.array(m, likeIt(w, isAlike), goes, comes)
	case goes && !comes && isWhole:
		d.change(edit.Remove(d.file, edit.Handle(m)))
	case goes && !comes:
		d.change(edit.Drop(d.file, edit.Handle(m)))
	case comes && !isSame(m, w):
		d.change(edit.Replace(d.file, edit.Handle(m), edit.ValueOf(w)))
	}
}

func likeIt(w *syntax.Node, isAlike bool) *syntax.Node {
	if isAlike {
		return w
	}
	return nil
}

// member returns the member of an object that has a name, nil if there is none.
func (d *differ) member(object *syntax.Node, name string) *syntax.Node {
	if m := object.Get(name); m != nil || object == nil || d.IsSameName == nil {
		return m
	}
	i := slices.IndexFunc(object.Nodes, func(m *syntax.Node) bool { return d.IsSameName(object.Name, m.Name, name) })
	if i < 0 {
		return nil
	}
	return object.Nodes[i]
}

// insert adds the new parts of the wanted member at i to an object that has no such member, after
// all existing ones. Only in the outermost object, a member that is wanted before all others goes
// there: a type comes before the members that it describes.
func (d *differ) insert(into *syntax.Node, wanted []*syntax.Node, i int, comes bool) {
	w := wanted[i]
	if !comes && !d.comes(w) {
		for _, part := range d.coming(w) { // others may add some of them as well
			d.change(edit.Extend(d.file, edit.Handle(into), w.Name, part, edit.Where{Rank: len(d.changes)}))
		}
		return
	}
	isThere := func(w *syntax.Node) bool { return into.Get(w.Name) != nil }
	where := edit.Where{}
	if into == d.top && !slices.ContainsFunc(wanted[:i], isThere) {
		if next := slices.IndexFunc(wanted[i:], isThere); next >= 0 {
			where = edit.Where{Place: edit.Before, Beside: edit.Handle(into.Get(wanted[i+next].Name)), Rank: i}
		}
	}
	d.change(edit.Insert(d.file, edit.Handle(into), w.Name, edit.ValueOf(w), where))
}

// coming returns a list or object once for each thing that comes in of it, with that alone.
func (d *differ) coming(w *syntax.Node) (parts []edit.Value) {
	for _, inner := range w.Nodes {
		values := d.coming(inner)
		if d.comes(inner) {
			values = []edit.Value{edit.ValueOf(inner)}
		}
		for _, v := range values {
			if w.Kind == syntax.Array {
				parts = append(parts, edit.Array(v))
			} else {
				parts = append(parts, edit.Object(edit.Member{Name: inner.Name, Value: v}))
			}
		}
	}
	return parts
}

// array compares two arrays; wanted is nil for one that is not wanted.
func (d *differ) array(present, wanted *syntax.Node, goes, comes bool) {
	isWhole := goes && comes
	items := func(n *syntax.Node, counts func(*syntax.Node) bool, all bool) []Item {
		if n == nil {
			return nil
		}
		items := make([]Item, len(n.Nodes))
		for i, e := range n.Nodes {
			items[i] = Item{Span: e.Value, Value: edit.ValueOf(e), Counts: all || counts(e)}
		}
		return items
	}
	list := &List{File: d.file, Present: items(present, d.goes, goes), Wanted: items(wanted, d.comes, comes), Keeps: isWhole}
	list.Insert = func(values []edit.Value, behind syntax.Span) bool {
		where := edit.Where{Place: edit.After, Beside: behind}
		if behind.IsZero() {
			where = edit.Where{Place: edit.First}
		}
		for i, v := range values {
			where.Rank = i
			list.Changes = append(list.Changes, edit.Append(d.file, edit.Handle(present), v, where))
		}
		return true
	}
	list.Compare()
	d.changes = append(d.changes, list.Changes...)
}

// isSame reports whether two values are the same.
func isSame(a, b *syntax.Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text && slices.EqualFunc(a.Nodes, b.Nodes, func(a, b *syntax.Node) bool { return a.Name == b.Name && isSame(a, b) })
}
