package syntax

// tomlReader builds a tree from the expressions of a TOML document.
type tomlReader struct {
	file    *File
	text    string // the file's content up to the end of the document
	start   int    // where the document begins in it
	surface *tomlSurface
	used    int // brackets of the surface that have been used
	tree    *Tree

	root    *tomlTable
	current *tomlTable // where the next key goes
	// tables are those that a later expression can still name. Any other value
	// is closed for good.
	tables map[*Node]*tomlTable

	nodes []Node // unused rest of the newest chunk of nodes
	chunk int    // size of that chunk

	statements *[]Statement // nil unless they are collected
}

// tomlTable is a table, or an array of tables, that is open for more.
type tomlTable struct {
	node   *Node
	origin tomlOrigin
	depth  int
	// members finds the members by name, once there are many.
	members map[string]*Node
}

// tomlOrigin is how a table came to be, which decides what may extend it (TOML
// 1.0, "Table" and "Array of Tables").
type tomlOrigin uint8

const (
	tomlImplicit tomlOrigin = iota // named on the way in [implicit.x]: its own header may follow
	tomlHeader                     // defined by [header]
	tomlDotted                     // by dotted.x = 1: more dotted keys, and headers of tables in it, may follow
	tomlArray                      // the array of [[array]]: more elements may follow
)

// tomlKey is a part of a dotted key or header, or a whole simple one.
type tomlKey struct {
	name string
	span Span
}

func newTOMLReader(f *File, part Span, surface *tomlSurface) *tomlReader {
	r := &tomlReader{
		file:    f,
		text:    textOf(f)[:part.End],
		start:   part.Start,
		surface: surface,
		tree:    &Tree{BOM: HasBOM(f.Bytes), Comments: surface.comments},
		tables:  map[*Node]*tomlTable{},
	}
	node := r.newNode()
	node.Kind = Object
	node.Value = Span{part.Start, part.Start}
	r.tree.Root = node
	r.root = r.open(node, tomlHeader, 1)
	r.current = r.root
	return r
}

// newNode returns an empty node. They are allocated in chunks that grow, so
// that a small file does not pay for a big one.
func (r *tomlReader) newNode() *Node {
	if len(r.nodes) == 0 {
		r.chunk = min(max(2*r.chunk, minChunk), maxChunk)
		r.nodes = make([]Node, r.chunk)
	}
	node := &r.nodes[0]
	r.nodes = r.nodes[1:]
	return node
}

// nextBrackets returns the next pair of brackets. The parser hands out what has
// brackets in the order of the document, which is how the surface lists them.
func (r *tomlReader) nextBrackets() Span {
	r.used++
	return r.surface.brackets[r.used-1]
}

// open makes a table that can be found by its node.
func (r *tomlReader) open(node *Node, origin tomlOrigin, depth int) *tomlTable {
	table := &tomlTable{node: node, origin: origin, depth: depth}
	r.tables[node] = table
	return table
}

// create adds a table, or an array of tables, to another one.
func (r *tomlReader) create(parent *tomlTable, key tomlKey, kind Kind, value Span, origin tomlOrigin) (*tomlTable, error) {
	if parent.depth == MaxDepth {
		return nil, depthError(r.file, key.span.Start)
	}
	node := r.newNode()
	node.Kind, node.Name, node.Key, node.Value = kind, key.name, key.span, value
	parent.add(node)
	return r.open(node, origin, parent.depth+1), nil
}

// enter returns the table that a part of a header, but not its last, names. Of
// an array of tables that is the last element.
func (r *tomlReader) enter(parent *tomlTable, key tomlKey, header Span) (*tomlTable, error) {
	node := parent.find(key.name)
	if node == nil {
		return r.create(parent, key, Object, header, tomlImplicit)
	}
	table := r.tables[node]
	switch {
	case table == nil:
		return nil, r.alreadyDefined(node, key)
	case table.origin == tomlArray:
		return r.tables[node.Nodes[len(node.Nodes)-1]], nil
	}
	return table, nil
}

// define returns the table that the last part of a header names.
func (r *tomlReader) define(parent *tomlTable, key tomlKey, header Span) (*tomlTable, error) {
	node := parent.find(key.name)
	if node == nil {
		return r.create(parent, key, Object, header, tomlHeader)
	}
	table := r.tables[node]
	if table == nil || table.origin != tomlImplicit {
		return nil, r.alreadyDefined(node, key)
	}
	table.origin = tomlHeader
	node.Key, node.Value.End = key.span, header.End
	return table, nil
}

// appendElement returns a new element of the array of tables that the last part
// of a header in double brackets names.
func (r *tomlReader) appendElement(parent *tomlTable, key tomlKey, header Span) (*tomlTable, error) {
	var array *tomlTable
	if node := parent.find(key.name); node != nil {
		array = r.tables[node]
		if array == nil || array.origin != tomlArray {
			return nil, r.alreadyDefined(node, key)
		}
	} else {
		var err error
		if array, err = r.create(parent, key, Array, header, tomlArray); err != nil {
			return nil, err
		}
	}
	if array.depth == MaxDepth {
		return nil, depthError(r.file, key.span.Start)
	}
	element := r.newNode()
	element.Kind, element.Value = Object, header
	array.node.Nodes = append(array.node.Nodes, element)
	return r.open(element, tomlHeader, array.depth+1), nil
}

// dot returns the table that a part of a dotted key, but not its last, names.
func (r *tomlReader) dot(parent *tomlTable, key tomlKey) (*tomlTable, error) {
	node := parent.find(key.name)
	if node == nil {
		return r.create(parent, key, Object, Span{}, tomlDotted)
	}
	table := r.tables[node]
	if table == nil || table.origin != tomlDotted {
		return nil, r.alreadyDefined(node, key)
	}
	return table, nil
}

// alreadyDefined says that a key names what cannot be defined again.
func (r *tomlReader) alreadyDefined(first *Node, key tomlKey) error {
	line := r.file.LineAt(first.Key.Start)
	return &Error{Span: key.span, message: says("%s is already defined on line %d", quoted(key.name), line)}
}

// find returns the member of that name, or nil.
func (t *tomlTable) find(name string) *Node {
	if t.members != nil {
		return t.members[name]
	}
	for _, member := range t.node.Nodes {
		if member.Name == name {
			return member
		}
	}
	return nil
}

// add appends a member. A table made by a dotted key begins with its first.
func (t *tomlTable) add(member *Node) {
	node := t.node
	if len(node.Nodes) == 0 && !isBracketed(node) {
		start := member.Key.Start
		if !member.Value.IsZero() {
			start = min(start, member.Value.Start)
		}
		node.Value = Span{start, member.Key.End}
	}
	node.Nodes = append(node.Nodes, member)
	switch {
	case t.members != nil:
		t.members[member.Name] = member
	case len(node.Nodes) > maxCompared:
		t.members = make(map[string]*Node, 2*len(node.Nodes))
		for _, m := range node.Nodes {
			t.members[m.Name] = m
		}
	}
}

// isBracketed reports whether a table has its own place already: a header or
// braces. The root and tables made by dotted keys have none.
func isBracketed(node *Node) bool { return node.Value.Start < node.Value.End }

// settle stretches the values of tables to the ends of their children.
func settle(node *Node) {
	for _, child := range node.Nodes {
		settle(child)
		node.Value.End = max(node.Value.End, child.Value.End)
	}
}
