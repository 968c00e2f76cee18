package syntax

import "strings"

// maxYAMLExpanded is the number of values that aliases of one file may add to those that are
// written.
const maxYAMLExpanded = 100_000

// Expand replaces each alias with its value, and each merge key with the members that it merges: a
// member of the mapping itself wins, then the first of several mappings (yaml.org/type/merge.html).
// All of it is at the place of the alias, and Shared. js-yaml 4, PyYAML and the YAML packages for
// Go read merge keys so; yaml 2 and serde_yaml (Continue, Goose) take them for plain keys unless
// they are configured to merge: mcplumb still reads what is meant.
//
// An alias within its own anchor stays as it is. A tree that exceeds maxYAMLExpanded results in a
// *LimitError.
func (t *Tree) Expand() error {
	if len(t.aliases) == 0 && !t.merges {
		return nil
	}
	e := expander{aliases: t.aliases, left: maxYAMLExpanded, within: map[*Node]bool{}}
	for _, root := range append([]*Node{t.Root}, t.Rest...) {
		if root != nil {
			e.expand(root)
		}
	}
	if e.left < 0 {
		return &LimitError{"aliases stand for more than " + thousands(maxYAMLExpanded) + " values"}
	}
	return nil
}

// expander expands the aliases of a file.
type expander struct {
	aliases map[*Node]*Node
	left    int            // values that may still be added
	within  map[*Node]bool // what is replacing an alias
}

// expand expands what is written in a value.
func (e *expander) expand(n *Node) {
	if target := e.target(n); target != nil {
		e.follow(n, target, n.Value)
		return
	}
	for _, child := range n.Nodes {
		e.expand(child)
	}
	merge(n)
}

// target returns the value of an alias, nil for every other value.
func (e *expander) target(n *Node) *Node {
	if n.Kind != Null || !strings.HasPrefix(n.Text, "*") {
		return nil
	}
	return e.aliases[n]
}

// follow turns a node into the value of an alias at a place.
func (e *expander) follow(n, target *Node, at Span) {
	if e.within[target] {
		return
	}
	e.within[target] = true
	made := Node{Name: n.Name, Key: n.Key}
	e.copy(&made, target, at)
	*n = made
	e.within[target] = false
}

// copy turns a node into another value, with all parts at one place.
func (e *expander) copy(n, from *Node, at Span) {
	if target := e.target(from); target != nil {
		n.Text, n.Value, n.Shared = from.Text, at, true
		e.follow(n, target, at)
		return
	}
	n.Kind, n.Text, n.Shared, n.Value, n.Nodes = from.Kind, from.Text, true, at, nil
	for _, child := range from.Nodes {
		if e.left--; e.left < 0 {
			return
		}
		added := &Node{Name: child.Name, Value: at, Shared: true}
		if !child.Key.IsZero() {
			added.Key = at
		}
		e.copy(added, child, at)
		n.Nodes = append(n.Nodes, added)
	}
	merge(n)
}

const mergeKey = "<<"

// merge takes in what the merge keys of a mapping name.
func merge(n *Node) {
	if n.Kind != Object || n.Get(mergeKey) == nil {
		return
	}
	var members, sources []*Node
	known := map[string]bool{}
	for _, m := range n.Nodes {
		if m.Name != mergeKey {
			members = append(members, m)
			known[m.Name] = true
			continue
		}
		sources = append(sources, m)
		if m.Kind == Array {
			sources = append(sources, m.Nodes...)
		}
	}
	for _, source := range sources {
		if source.Kind != Object {
			continue
		}
		for _, m := range source.Nodes {
			if !known[m.Name] {
				known[m.Name] = true
				m.Shared = true
				members = append(members, m)
			}
		}
	}
	n.Nodes, n.Shared = members, true
}
