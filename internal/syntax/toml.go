package syntax

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseTOML parses TOML 1.0 (and what go-toml accepts of 1.1: line breaks and trailing commas in
// inline tables, \e and \x in strings). A byte order mark is skipped and recorded.
//
// Tables are objects in every notation; arrays of tables are arrays of objects. Dates, times, inf
// and nan are numbers: literals without quotes.
//
// The key of a table is the part of its header, or of a dotted key, that names
// it: of its own header if it has one, else of the first that goes through it.
// The value of a table made by a header reaches from the first header that
// mentions it to the end of its last child; of one made by a dotted key, from
// the part of the key that follows. A table written in several places spans
// what is between them as well, and so may overlap its neighbours.
//
// A key or table that is defined twice is a syntax error in TOML.
//
// A file that is not such a document results in an *Error, one that exceeds a limit in a
// *LimitError, both without a tree.
func ParseTOML(f *File) (*Tree, error) {
	if err := checkSize(f); err != nil {
		return nil, err
	}
	if err := checkEncoding(f.Bytes); err != nil {
		return nil, err
	}
	return parseTOML(f, Span{bomEnd(f), len(f.Bytes)}, nil)
}

// Statement is a line of a TOML document: the header of a table, or a key with
// its value, which may also be in an inline table. In the tree, a table is one
// node, wherever it is written; its statements are its places.
type Statement struct {
	// Span reaches from the first bracket of a header to behind the last, or from
	// a key to the end of its value.
	Span     Span
	IsHeader bool
	// Parts are those of the dotted name.
	Parts []Part
}

// Part is a part of a dotted name.
type Part struct {
	Key Span
	// Node is the member of that name. Table is the table that the next part is
	// in: Node itself, or the element if Node is an array of tables.
	Node, Table *Node
}

// ParseTOMLStatements parses the part of a file that is TOML, all of it if the
// span is zero, and returns its statements with the tree, sorted by where they
// begin: what is needed to edit it.
func ParseTOMLStatements(f *File, part Span) (*Tree, []Statement, error) {
	if part.IsZero() {
		part = Span{bomEnd(f), len(f.Bytes)}
	}
	if err := checkSize(f); err != nil {
		return nil, nil, err
	}
	if err := checkEncoding(f.Bytes[:part.End]); err != nil {
		return nil, nil, err
	}
	statements := []Statement{}
	tree, err := parseTOML(f, part, &statements)
	return tree, statements, err
}

// bomEnd returns where the content of a file begins.
func bomEnd(f *File) int {
	if HasBOM(f.Bytes) {
		return len(bom)
	}
	return 0
}

// parseTOML parses the part of a file that is TOML, and valid UTF-8.
//
// This file alone knows go-toml's unstable parser: it is pinned to v2.4.3.
// The statements are collected if there is a place for them.
func parseTOML(f *File, part Span, statements *[]Statement) (*Tree, error) {
	surface, err := scanTOML(f, part)
	if err != nil {
		return nil, err
	}
	r := newTOMLReader(f, part, surface)
	r.statements = statements
	data := withLineEnd(f.Bytes[part.Start:part.End:part.End])
	var parser unstable.Parser
	parser.Reset(data)
	for parser.NextExpression() {
		if err := r.expression(parser.Expression()); err != nil {
			return nil, err
		}
	}
	if err := parser.Error(); err != nil {
		at, message := placeOf(err, data)
		return nil, r.syntaxError(part.Start+at, message)
	}
	if surface.problem != nil {
		return nil, surface.problem // the parser finds it too; never trust that
	}
	settle(r.root.node)
	return r.tree, nil
}

// withLineEnd returns the data with a final line feed: the parser places an
// error at the end of its input one byte too early. A lone CR must stay one.
func withLineEnd(data []byte) []byte {
	if len(data) == 0 || data[len(data)-1] == '\n' || data[len(data)-1] == '\r' {
		return data
	}
	return append(data, '\n')
}

// placeOf returns the offset in data that an error of the parser points at.
// The parser highlights a part of data itself, so the length of the rest gives its place;
// Parser.Range does the same, but panics for any other slice.
func placeOf(err error, data []byte) (at int, message string) {
	var parserError *unstable.ParserError
	if !errors.As(err, &parserError) {
		return 0, err.Error()
	}
	at = cap(data) - cap(parserError.Highlight)
	return min(max(at, 0), len(data)), parserError.Message
}

// expression reads a top-level expression.
func (r *tomlReader) expression(e *unstable.Node) error {
	switch e.Kind {
	case unstable.Table:
		return r.header(e)
	case unstable.ArrayTable:
		return r.arrayHeader(e)
	case unstable.KeyValue:
		return r.keyValue(r.current, e)
	}
	return nil
}

// header reads [a.b.c].
func (r *tomlReader) header(e *unstable.Node) error {
	return r.enterAll(e, r.nextBrackets(), r.define)
}

// arrayHeader reads [[a.b.c]].
func (r *tomlReader) arrayHeader(e *unstable.Node) error {
	span := r.nextBrackets()
	r.nextBrackets() // the inner ones
	return r.enterAll(e, span, r.appendElement)
}

// enterAll enters the tables that a header names and makes the last one current, as
// last says how.
func (r *tomlReader) enterAll(e *unstable.Node, span Span, last func(*tomlTable, tomlKey, Span) (*tomlTable, error)) error {
	table := r.root
	at := r.begin(Statement{Span: span, IsHeader: true})
	for keys := e.Key(); keys.Next(); {
		step := r.enter
		if keys.IsLast() {
			step = last
		}
		parent, key := table, r.key(keys.Node())
		var err error
		if table, err = step(parent, key, span); err != nil {
			return err
		}
		r.name(at, key, parent, table)
	}
	r.current = table
	return nil
}

// keyValue reads a.b.c = value into a table.
func (r *tomlReader) keyValue(table *tomlTable, e *unstable.Node) error {
	at := r.begin(Statement{})
	for keys := e.Key(); keys.Next(); {
		key := r.key(keys.Node())
		if keys.IsLast() {
			if err := r.member(table, key, e.Value()); err != nil {
				return err
			}
			r.name(at, key, table, nil)
			return nil
		}
		parent := table
		var err error
		if table, err = r.dot(parent, key); err != nil {
			return err
		}
		r.name(at, key, parent, table)
	}
	return nil
}

// begin adds a statement, if they are collected, and returns its index.
func (r *tomlReader) begin(s Statement) int {
	if r.statements == nil {
		return 0
	}
	*r.statements = append(*r.statements, s)
	return len(*r.statements) - 1
}

// name adds a part to the name of a statement: a member of a table that leads
// into another table, or nil for one with a value.
func (r *tomlReader) name(at int, key tomlKey, parent, into *tomlTable) {
	if r.statements == nil {
		return
	}
	s := &(*r.statements)[at]
	part := Part{Key: key.span, Node: parent.find(key.name)}
	if part.Table = part.Node; into != nil {
		part.Table = into.node
	}
	if s.Parts = append(s.Parts, part); into == nil {
		s.Span = Span{s.Parts[0].Key.Start, part.Node.Value.End}
	}
}

// member adds the last part of a key with its value to a table.
func (r *tomlReader) member(table *tomlTable, key tomlKey, value *unstable.Node) error {
	if first := table.find(key.name); first != nil {
		return r.alreadyDefined(first, key)
	}
	node := r.newNode()
	node.Name, node.Key = key.name, key.span
	if err := r.value(node, value, table.depth+1); err != nil {
		return err
	}
	table.add(node)
	return nil
}

// value reads a value into a node. Its depth counts if it holds others.
func (r *tomlReader) value(node *Node, value *unstable.Node, depth int) error {
	switch value.Kind {
	case unstable.Array:
		return r.array(node, value, depth)
	case unstable.InlineTable:
		return r.inlineTable(node, value, depth)
	}
	node.Value = r.span(value)
	switch value.Kind {
	case unstable.String:
		node.Kind = String
		node.Text = r.decoded(value)
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		node.Kind = Number
		node.Text = r.text[node.Value.Start:node.Value.End]
		if !isTOMLTime(node.Text) {
			return &Error{Span: node.Value, message: says("there is no such date or time as %s", quoted(node.Text))}
		}
	case unstable.Bool:
		node.Kind = Bool
		node.Text = r.text[node.Value.Start:node.Value.End]
	default:
		node.Kind = Number
		node.Text = r.text[node.Value.Start:node.Value.End]
	}
	return nil
}

func (r *tomlReader) array(node *Node, array *unstable.Node, depth int) error {
	node.Kind, node.Value = Array, r.nextBrackets()
	if depth > MaxDepth {
		return depthError(r.file, node.Value.Start)
	}
	for elements := array.Children(); elements.Next(); {
		element := r.newNode()
		node.Nodes = append(node.Nodes, element)
		if err := r.value(element, elements.Node(), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// inlineTable reads a table that nothing behind its closing brace can extend:
// the reader forgets it.
func (r *tomlReader) inlineTable(node *Node, inline *unstable.Node, depth int) error {
	node.Kind, node.Value = Object, r.nextBrackets()
	if depth > MaxDepth {
		return depthError(r.file, node.Value.Start)
	}
	table := &tomlTable{node: node, depth: depth}
	for members := inline.Children(); members.Next(); {
		if err := r.keyValue(table, members.Node()); err != nil {
			return err
		}
	}
	return nil
}

// span returns where a key or scalar is in the file.
func (r *tomlReader) span(n *unstable.Node) Span {
	start := r.start + int(n.Raw.Offset)
	return Span{start, start + int(n.Raw.Length)}
}

func (r *tomlReader) key(n *unstable.Node) tomlKey {
	span := r.span(n)
	if span.End-span.Start == len(n.Data) {
		return tomlKey{name: r.text[span.Start:span.End], span: span}
	}
	return tomlKey{name: r.decoded(n), span: span}
}

// decoded returns what a string means, cut from the text if it can be: every escape is longer than
// its meaning.
func (r *tomlReader) decoded(n *unstable.Node) string {
	span := r.span(n)
	if len(n.Data) == span.End-span.Start-len(`""`) {
		return r.text[span.Start+1 : span.End-1]
	}
	return string(n.Data)
}
