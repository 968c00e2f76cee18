package edit_test

import (
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// spot is an item of the document with its node.
type spot struct {
	item, parent *item
	node         *syntax.Node
	above        []*item
}

// spots returns all items of the document.
func (c *changer) spots() []spot {
	tree, err := parse(c.file)
	require.NoError(c.t, err)
	var list []spot
	var walk func(s spot)
	walk = func(s spot) {
		list = append(list, s)
		for i, child := range s.item.children {
			var node *syntax.Node
			if s.item.kind == syntax.Object {
				node = s.node.Get(child.name)
			} else {
				node = s.node.Nodes[i]
			}
			walk(spot{child, s.item, node, append(slices.Clone(s.above), s.item)})
		}
	}
	walk(spot{item: c.root, node: tree.Root})
	return list
}

// isBusy reports whether something happens to a container of an item.
func (c *changer) isBusy(s spot) bool {
	return c.busy[s.item] || slices.ContainsFunc(s.above, func(n *item) bool { return c.busy[n] })
}

// holdsChange reports whether something happens to an item, or to one that was in
// it.
func (c *changer) holdsChange(n *item) bool {
	return slices.ContainsFunc(c.planned, func(s spot) bool {
		return (c.busy[s.item] || c.used[s.item]) && (s.item == n || slices.Contains(s.above, n))
	})
}

// changeSomething makes one change, if the place that was picked allows it.
func (c *changer) changeSomething() {
	all := c.planned
	s := all[c.one(len(all))]
	if c.isBusy(s) {
		return
	}
	switch c.one(5) {
	case 0, 1:
		c.remove(s)
	case 2:
		c.rename(s)
	case 3:
		c.replace(s)
	case 4:
		c.insert(s)
	}
}

func (c *changer) did(change edit.Change, format string, args ...any) {
	c.changes = append(c.changes, change)
	c.puts = c.puts || change.Op == edit.OpInsert || change.Op == edit.OpAppend
	c.done = append(c.done, fmt.Sprintf(format, args...))
}

// at returns how a change names an item.
func (s spot) at() syntax.Span {
	if !s.node.Key.IsZero() {
		return s.node.Key
	}
	if s.parent == nil {
		return syntax.Span{}
	}
	return s.node.Value
}

func (c *changer) remove(s spot) {
	if s.parent == nil || c.holdsChange(s.item) || c.beside[s.item] {
		return
	}
	c.busy[s.item] = true
	s.parent.children = slices.DeleteFunc(slices.Clone(s.parent.children), func(n *item) bool { return n == s.item })
	c.vanish(s)
	c.did(edit.Remove(c.file, s.at()), "remove %q", s.item.name)
}

// vanish takes out the tables of TOML that are only there through what they
// hold.
func (c *changer) vanish(s spot) {
	n := s.parent
	for i := len(s.above) - 2; i >= 0 && n.isTable && !n.hasHeader && len(n.children) == 0; i-- {
		c.busy[n] = true
		above := s.above[i]
		above.children = slices.DeleteFunc(slices.Clone(above.children), func(child *item) bool { return child == n })
		n = above
	}
}

func (c *changer) rename(s spot) {
	if s.parent == nil || s.parent.kind != syntax.Object || c.used[s.item] {
		return
	}
	c.used[s.item] = true
	old := s.item.name
	s.item.name = c.name()
	c.did(edit.Rename(c.file, s.at(), s.item.name), "rename %q to %q", old, s.item.name)
}

func (c *changer) replace(s spot) {
	n := s.item
	if n.isTable || n.isBlock || n.isBlockScalar || c.holdsChange(n) || s.parent == nil {
		return
	}
	c.busy[n] = true
	v := c.newValue(2)
	n.kind, n.text, n.children, n.inside = v.kind, v.text, v.children, nil
	c.did(edit.Replace(c.file, s.node.Value, valueOfItem(v)), "replace %q", n.name)
}

func (c *changer) insert(s spot) {
	n := s.item
	if !n.isContainer() || c.used[n] && n.kind == syntax.Array {
		return
	}
	c.used[n] = true
	v := c.newValue(2)
	for n.isTable && n.kind == syntax.Array && v.kind != syntax.Object {
		v = c.newValue(2)
	}
	where, index := edit.Where{}, len(n.children)
	left := slices.DeleteFunc(slices.Clone(n.children), func(child *item) bool { return c.busy[child] || c.nodeOf(child) == nil })
	switch c.one(4) {
	case 0:
		where.Place, index = edit.First, 0
	case 1, 2:
		if len(left) == 0 {
			break
		}
		beside := left[c.one(len(left))]
		c.beside[beside] = true
		node := c.nodeOf(beside)
		where.Place, where.Beside = edit.Before, node.Key
		if node.Key.IsZero() {
			where.Beside = node.Value
		}
		index = slices.Index(n.children, beside)
		if c.chance(2) {
			where.Place, index = edit.After, index+1
		}
	}
	if n.kind == syntax.Object {
		v.name = c.name()
		c.did(edit.Insert(c.file, s.at(), v.name, valueOfItem(v), where), "insert %q into %q, place %d", v.name, n.name, where.Place)
	} else {
		c.did(edit.Append(c.file, s.at(), valueOfItem(v), where), "append to %q, place %d", n.name, where.Place)
	}
	n.children = slices.Insert(slices.Clone(n.children), index, v)
}

// nodeOf returns the node of an item, nil for one that has come in.
func (c *changer) nodeOf(n *item) *syntax.Node {
	for _, s := range c.planned {
		if s.item == n {
			return s.node
		}
	}
	return nil
}

// newValue returns a value to write.
func (c *changer) newValue(depth int) *item {
	n := &item{}
	if depth == 0 || !c.chance(2) {
		return c.scalar(n)
	}
	n.kind = syntax.Object
	if c.chance(2) {
		n.kind = syntax.Array
	}
	for range c.one(4) {
		child := c.newValue(depth - 1)
		if n.kind == syntax.Object {
			child.name = c.name()
		}
		n.children = append(n.children, child)
	}
	return n
}

func valueOfItem(n *item) edit.Value {
	v := edit.Value{Kind: n.kind, Text: n.text}
	for _, child := range n.children {
		if n.kind == syntax.Object {
			v.Members = append(v.Members, edit.Member{Name: child.name, Value: valueOfItem(child)})
		} else {
			v.Elements = append(v.Elements, valueOfItem(child))
		}
	}
	return v
}
