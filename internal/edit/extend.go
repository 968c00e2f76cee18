package edit

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// extension is all that is added to one list or object: what is there, or what is made
// under a key.
type extension struct {
	into  *place // the object that has it
	there *syntax.Node
	first Change
	adds  []sorted
}

// sorted is what is added, what it sorts by, and the place of the change.
type sorted struct {
	Member
	rank int
	by   string
	at   syntax.Span
}

// extendAll plans all that is added to lists and objects in order.
func (d *document) extendAll(changes []Change) error {
	type target struct {
		into *syntax.Node
		name string
		kind syntax.Kind
	}
	known := map[target]*extension{}
	var all []*extension
	for _, c := range changes {
		if c.Op != OpExtend {
			continue
		}
		into, err := d.findWhole(c.At, isObject)
		if err != nil {
			return err
		}
		key := target{into.node, c.Name, c.Value.Kind}
		e := known[key]
		if e == nil {
			e = &extension{into: into, there: into.node.Get(c.Name), first: c}
			known[key], all = e, append(all, e)
		}
		for _, m := range c.Value.all() {
			e.adds = append(e.adds, sorted{m, c.Where.Rank, sortKey(m), c.At})
		}
	}
	for _, e := range all {
		if err := d.extend(e); err != nil {
			return err
		}
	}
	return nil
}

// extend plans one extension.
func (d *document) extend(e *extension) error {
	c := e.first
	if e.there == nil {
		return d.addNew(e)
	}
	if e.there.Kind != c.Value.Kind {
		return d.refuse(c.At, "what is there cannot be added to")
	}
	list := &place{node: e.there, above: append(slices.Clone(e.into.above), e.into.node), at: slices.Index(e.into.node.Nodes, e.there)}
	if err := d.mayArrange(list, c.At); err != nil {
		return err
	}
	t := d.touch(list)
	known := ValueOf(e.there).all()
	for _, a := range t.added {
		known = append(known, Member{a.name, a.value})
	}
	after := behindWhich(e.there)
	for _, m := range e.inOrder(known) {
		a := &addition{name: m.Name, value: m.Value, at: m.at}
		if i := after(m.by); i < len(e.there.Nodes) {
			a.place, a.beside = Before, e.there.Nodes[i]
		}
		t.added = append(t.added, a)
	}
	return nil
}

// addNew inserts the list or object that is made.
func (d *document) addNew(e *extension) error {
	c := e.first
	if err := d.mayArrange(e.into, c.At); err != nil {
		return err
	}
	var members []Member
	for _, m := range e.inOrder(nil) {
		members = append(members, m.Member)
	}
	value := valueOfAll(c.Value.Kind, merged(members)...)
	if value.problem() != "" {
		return d.conflict(c.At)
	}
	return d.add(e.into, &addition{name: c.Name, value: value, at: c.At}, c.Where)
}

// merged returns members after joining the objects of the same key, each key at its first place.
// Other values of the same key stay, for others to refuse.
func merged(members []Member) []Member {
	var all []Member
	at, held := map[string]int{}, map[int][]Member{}
	for _, m := range members {
		isObject := m.Name != "" && m.Value.Kind == syntax.Object
		i, known := at[m.Name]
		switch {
		case isObject && known:
			if held[i] == nil {
				held[i] = slices.Clone(all[i].Value.Members)
			}
			held[i] = append(held[i], m.Value.Members...)
			continue
		case isObject:
			at[m.Name] = len(all)
		}
		all = append(all, m)
	}
	for i, inner := range held {
		all[i].Value = Object(merged(inner)...)
	}
	return all
}

// inOrder returns what is added in its order. Elements that are known are left out.
func (e *extension) inOrder(known []Member) []sorted {
	has := map[string]bool{}
	for _, m := range known {
		has[m.Value.Key()] = true
	}
	var all []sorted
	for _, m := range e.adds {
		key := m.Value.Key()
		if isElement := e.first.Value.Kind == syntax.Array; isElement && has[key] {
			continue
		}
		has[key] = true
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b sorted) int { return cmp.Or(a.rank-b.rank, strings.Compare(a.by, b.by)) })
	return all
}

// behindWhich returns what finds the first thing in a container that sorts behind a
// text, by its index. They need not be sorted themselves.
func behindWhich(container *syntax.Node) func(by string) int {
	highest := make([]string, 0, len(container.Nodes)) // up to each
	last := ""
	for _, n := range container.Nodes {
		last = max(last, sortKey(Member{n.Name, ValueOf(n)}))
		highest = append(highest, last)
	}
	return func(by string) int {
		return sort.Search(len(highest), func(i int) bool { return highest[i] > by })
	}
}

// sortKey is what a member or an element sorts by: its key, its text, or its name.
func sortKey(m Member) string {
	if m.Name != "" || m.Value.Kind == syntax.String {
		return cmp.Or(m.Name, m.Value.Text)
	}
	for _, key := range []string{"id", "name"} {
		for _, inner := range m.Value.Members {
			if inner.Name == key {
				return inner.Value.Text
			}
		}
	}
	return ""
}
