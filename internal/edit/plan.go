package edit

import (
	"slices"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// touch is what happens to a node.
type touch struct {
	removed bool
	// name is the new key; keyParts are new texts for parts of it.
	name     *string
	keyParts []part
	// value takes the place of its value; parts are new texts for parts of it.
	value *Value
	parts []part
	// added are the members or elements that come in.
	added []*addition
	// inside reports that something happens to a node that it holds.
	inside bool
}

// part is a new text for a part of a key or string.
type part struct {
	span syntax.Span
	text string
}

// addition is a member or element that comes into a container.
type addition struct {
	name  string
	value Value
	place Place
	// beside is the neighbour of Before and After.
	beside *syntax.Node
	rank   int
	at     syntax.Span // of the change
}

func (t *touch) hasNewName() bool { return t.name != nil || len(t.keyParts) > 0 }

// touch returns what happens to a node, to be added to.
func (d *document) touch(p *place) *touch {
	for _, n := range p.above {
		if d.touched[n] == nil {
			d.touched[n] = &touch{}
		}
		d.touched[n].inside = true
	}
	if d.touched[p.node] == nil {
		d.touched[p.node] = &touch{}
	}
	return d.touched[p.node]
}

// plan finds out what the changes do to which nodes.
func (d *document) plan(changes []Change) error {
	changes = withoutRepeats(changes)
	for _, c := range changes {
		if err := d.planOne(c); err != nil {
			return err
		}
	}
	if err := d.extendAll(changes); err != nil {
		return err
	}
	if err := d.dropEmpty(changes); err != nil {
		return err
	}
	return d.checkPlan()
}

// withoutRepeats returns changes of one file without those that say what an earlier one
// says.
func withoutRepeats(changes []Change) []Change {
	type says struct {
		op    Op
		at    syntax.Span
		name  string
		where Where
		value string
	}
	seen := make(map[says]bool, len(changes))
	var all []Change
	for _, c := range changes {
		if s := (says{c.Op, c.At, c.Name, c.Where, c.Value.Key()}); !seen[s] {
			seen[s] = true
			all = append(all, c)
		}
	}
	return all
}

func (d *document) planOne(c Change) error {
	if !utf8.ValidString(c.Name) {
		return d.refuse(c.At, "the name to write is not valid UTF-8")
	}
	if problem := c.Value.problem(); problem != "" {
		return d.refuse(c.At, problem)
	}
	if writes := c.Op == OpReplace || c.puts(); writes && d.language == tomlFile && holdsNull(c.Value) {
		return d.refuse(c.At, nullReason)
	}
	switch c.Op {
	case OpRename:
		return d.planRename(c)
	case OpRemove, OpDrop:
		return d.planRemove(c)
	case OpReplace:
		return d.planReplace(c)
	case OpInsert:
		return d.planInsert(c, isObject)
	case OpAppend:
		return d.planInsert(c, isArray)
	case OpExtend:
		return nil // all of them together: extendAll
	}
	return d.refuse(c.At, "this change says nothing")
}

func (d *document) planRename(c Change) error {
	p, err := d.find(c.At, anyNode)
	if err != nil {
		return err
	}
	if err := d.mayRename(p, c.At); err != nil {
		return err
	}
	isPart := p.part != syntax.Span{}
	switch t := d.touch(p); {
	case p.inKey && isPart:
		t.keyParts = append(t.keyParts, part{p.part, c.Name})
	case p.inKey && t.name != nil:
		return d.conflict(c.At)
	case p.inKey:
		t.name = &c.Name
	case p.node.Kind != syntax.String:
		return d.refuse(c.At, "only keys and strings have a text to change")
	case isPart:
		t.parts = append(t.parts, part{p.part, c.Name})
	default:
		return d.setValue(t, String(c.Name), c.At)
	}
	return nil
}

// setValue gives a node another value.
func (d *document) setValue(t *touch, v Value, at syntax.Span) error {
	if t.value != nil {
		return d.conflict(at)
	}
	t.value = &v
	return nil
}

func (d *document) planReplace(c Change) error {
	p, err := d.findWhole(c.At, anyNode)
	if err != nil {
		return err
	}
	if err := d.mayReplace(p, c.At); err != nil {
		return err
	}
	return d.setValue(d.touch(p), c.Value, c.At)
}

func (d *document) planRemove(c Change) error {
	if d.removeSurface(c.At) {
		return nil
	}
	p, err := d.findWhole(c.At, anyNode)
	if err != nil {
		return err
	}
	if p.parent() == nil {
		return d.refuse(c.At, "the value of the whole file cannot be removed")
	}
	if err := d.mayRemove(p, c.At); err != nil {
		return err
	}
	d.touch(p).removed = true
	return nil
}

func (d *document) planInsert(c Change, accept accepted) error {
	into, err := d.findWhole(c.At, accept)
	if err != nil {
		return err
	}
	if err := d.mayArrange(into, c.At); err != nil {
		return err
	}
	return d.add(into, &addition{name: c.Name, value: c.Value, at: c.At}, c.Where)
}

// dropEmpty removes a container without content left, instead of the last things in it.
func (d *document) dropEmpty(changes []Change) error {
	var holders []*place
	var at []syntax.Span // of the changes
	seen := map[*syntax.Node]bool{}
	for _, c := range changes {
		if c.Op != OpDrop {
			continue
		}
		p, err := d.findWhole(c.At, anyNode)
		if err != nil {
			return err
		}
		if !seen[p.parent()] {
			seen[p.parent()] = true
			holders, at = append(holders, d.nodes().holder(p)), append(at, c.At)
		}
	}
	for i, holder := range holders {
		if err := d.dropIfEmpty(holder, at[i]); err != nil {
			return err
		}
	}
	return nil
}

// dropIfEmpty removes a container in which nothing is left.
func (d *document) dropIfEmpty(holder *place, at syntax.Span) error {
	if t := d.touched[holder.node]; holder.parent() == nil || len(t.added) > 0 || !t.inside ||
		slices.ContainsFunc(holder.node.Nodes, func(n *syntax.Node) bool { return !d.isRemoved(n) }) {
		return nil
	}
	if err := d.mayRemove(holder, at); err != nil {
		return err
	}
	for _, n := range holder.node.Nodes {
		delete(d.touched, n)
	}
	t := d.touch(holder)
	t.removed, t.inside = true, false
	return nil
}

// add puts an addition into a container.
func (d *document) add(into *place, a *addition, where Where) error {
	a.place, a.rank = where.Place, where.Rank
	if where.Place == Before || where.Place == After {
		beside, err := d.findWhole(where.Beside, heldBy(into.node))
		if err != nil {
			return d.refuse(a.at, "there is no such neighbour")
		}
		a.beside = beside.node
	}
	t := d.touch(into)
	t.added = append(t.added, a)
	if n := len(t.added); n > 1 && t.added[n-2].rank > a.rank {
		slices.SortStableFunc(t.added, func(a, b *addition) int { return a.rank - b.rank })
	}
	return nil
}

// findWhole is find for what cannot be done to a part.
func (d *document) findWhole(span syntax.Span, accept accepted) (*place, error) {
	p, err := d.find(span, accept)
	if err == nil && p.part != (syntax.Span{}) {
		return nil, d.refuse(span, "this is only a part of a value")
	}
	return p, err
}

// errorOf returns the first error there is.
func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkPlan refuses changes that exclude each other, and keys that would be
// there twice.
func (d *document) checkPlan() error {
	for _, root := range d.roots() {
		if err := d.checkNode(root); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) checkNode(n *syntax.Node) error {
	t := d.touched[n]
	if t == nil {
		return nil
	}
	isOther := t.inside || len(t.parts) > 0 || len(t.added) > 0
	switch {
	case t.removed && (isOther || t.value != nil || t.hasNewName()),
		t.value != nil && isOther,
		t.name != nil && len(t.keyParts) > 0:
		return d.conflict(hull(n))
	}
	if err := errorOf(d.checkParts(t.keyParts), d.checkParts(t.parts), d.checkKeys(n)); err != nil {
		return err
	}
	for _, child := range n.Nodes {
		if err := d.checkNode(child); err != nil {
			return err
		}
	}
	return nil
}

// checkParts sorts parts and refuses those that overlap.
func (d *document) checkParts(parts []part) error {
	slices.SortFunc(parts, func(a, b part) int { return a.span.Start - b.span.Start })
	for i := 1; i < len(parts); i++ {
		if parts[i].span.Start < parts[i-1].span.End {
			return d.conflict(parts[i].span)
		}
	}
	return nil
}

// checkKeys refuses a new key that an object has already.
func (d *document) checkKeys(object *syntax.Node) error {
	if object.Kind != syntax.Object {
		return nil
	}
	isNew, kept := map[string]bool{}, map[string]bool{}
	for _, e := range d.entries(object) {
		if e.isRemoved {
			continue
		}
		fresh := e.added != nil || d.touched[e.node] != nil && d.touched[e.node].hasNewName()
		name, at := e.nameAndPlace(d)
		if isNew[name] || fresh && kept[name] {
			refusal := &Refusal{File: d.file, Span: at, Reason: "there is a key of that name already", Conflict: isNew[name] && fresh}
			return refusal
		}
		if fresh {
			isNew[name] = true
		} else {
			kept[name] = true
		}
	}
	return nil
}

// isEqual reports whether two changes of one file are the same.
func isEqual(a, b Change) bool {
	return a.Op == b.Op && a.At == b.At && a.Name == b.Name && a.Where == b.Where && isEqualValue(a.Value, b.Value)
}

func isEqualValue(a, b Value) bool {
	return a.Kind == b.Kind && a.Text == b.Text &&
		slices.EqualFunc(a.Members, b.Members, func(a, b Member) bool { return a.Name == b.Name && isEqualValue(a.Value, b.Value) }) &&
		slices.EqualFunc(a.Elements, b.Elements, isEqualValue)
}
