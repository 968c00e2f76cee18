package edit

import "github.com/mcplumb/mcplumb/internal/syntax"

// Together chooses, in their order, sets of changes such that none changes anything in what another
// one removes or replaces; it does not check each set alone. It returns for each whether it was
// chosen. Lower reports other conflicts.
func (l *Lowerer) Together(sets [][]Change) []bool {
	t := together{lowerer: l, documents: map[*syntax.File]*document{}, gone: map[*syntax.Node]Change{}, touched: map[*syntax.Node]bool{}}
	chosen := make([]bool, len(sets))
	for i, set := range sets {
		if chosen[i] = !t.excludes(set); chosen[i] {
			t.add(set)
		}
	}
	return chosen
}

// together is what chosen sets do.
type together struct {
	lowerer   *Lowerer
	documents map[*syntax.File]*document
	// gone are the nodes that are removed or replaced, with the changes that do so; touched those
	// with a change, or that contain one.
	gone    map[*syntax.Node]Change
	touched map[*syntax.Node]bool
}

// ends reports whether a change leaves nothing in its place to which another one can be made.
func (c Change) ends() bool { return c.Op == OpRemove || c.Op == OpDrop || c.Op == OpReplace }

// excludes reports whether what was chosen excludes a change.
func (t *together) excludes(changes []Change) bool {
	for _, c := range changes {
		p := t.place(c)
		if p == nil {
			continue
		}
		other, isGone := t.gone[p.node]
		if isGone && !isEqual(other, c) || c.ends() && !isGone && t.touched[p.node] {
			return true
		}
		for _, n := range p.above {
			if _, isGone := t.gone[n]; isGone {
				return true
			}
		}
	}
	return false
}

func (t *together) add(changes []Change) {
	for _, c := range changes {
		p := t.place(c)
		if p == nil {
			continue
		}
		t.touched[p.node] = true
		for _, n := range p.above {
			t.touched[n] = true
		}
		if c.ends() {
			t.gone[p.node] = c
		}
	}
}

// place returns the place of a change, nil if that is a whole file or cannot be found.
func (t *together) place(c Change) *place {
	d := t.documents[c.File]
	if d == nil && c.Op != OpCreate {
		d, _ = t.lowerer.document(c.File)
		t.documents[c.File] = d
	}
	if d == nil {
		return nil
	}
	accept := anyNode
	switch c.Op {
	case OpInsert, OpExtend:
		accept = isObject
	case OpAppend:
		accept = isArray
	}
	p, err := d.find(c.At, accept)
	if err != nil {
		return nil
	}
	return p
}
