package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
)

// Documents in every style are found to the byte, and are what go-toml reads.
func TestParseTOMLRandomDocuments(t *testing.T) {
	for seed := range uint64(1_000) {
		w := &tomlWriter{newWriter(seed, "\n", "\r\n")}
		if w.chance(5) {
			w.put("\ufeff")
		}
		want := w.document()
		text := w.text.String()
		f := syntax.NewFile("a.toml", []byte(text))
		tree, err := syntax.ParseTOML(f)
		require.NoError(t, err, text)
		requireNode(t, text, want, tree.Root)
		require.Equal(t, w.comments, tree.Comments, text)
		require.Equal(t, syntax.HasBOM(f.Bytes), tree.BOM)
		checkTOMLTree(t, f.Bytes, tree)
		compareWithGoTOML(t, f.Bytes, tree, nil)
	}
}

// tomlWriter writes random TOML.
type tomlWriter struct{ *writer }

// document writes a document and returns its root.
func (w *tomlWriter) document() *syntax.Node {
	for range w.one(3) {
		w.blanks(2)
		w.comment()
		w.put(w.newline)
	}
	root := &syntax.Node{Kind: syntax.Object}
	w.keyValues(root)
	for range w.one(4) {
		w.table(root, nil, 3)
	}
	if len(root.Nodes) == 0 {
		root.Value = syntax.Span{Start: len(w.bom()), End: len(w.bom())}
		return root
	}
	first, last := root.Nodes[0], root.Nodes[len(root.Nodes)-1]
	root.Value = syntax.Span{Start: min(first.Key.Start, first.Value.Start), End: last.Value.End}
	return root
}

func (w *tomlWriter) bom() string {
	if strings.HasPrefix(w.text.String(), "\ufeff") {
		return "\ufeff"
	}
	return ""
}

// space writes white space where a line may end.
func (w *tomlWriter) space() {
	w.blanks(2)
	if w.chance(6) {
		if w.chance(2) {
			w.comment()
		}
		w.put(w.newline)
		w.blanks(2)
	}
}

// keyValues writes some keys with their values into a table.
func (w *tomlWriter) keyValues(table *syntax.Node) {
	for range w.one(4) {
		if w.chance(5) {
			w.dotted(table)
			continue
		}
		w.blanks(2)
		member := &syntax.Node{}
		w.key(member)
		w.equals(member, 3)
		table.Nodes = append(table.Nodes, member)
		w.endLine()
	}
}

// dotted writes a.b.c = value, and perhaps a.d = value.
func (w *tomlWriter) dotted(table *syntax.Node) {
	outer, inner, leaf, second := &syntax.Node{Kind: syntax.Object}, &syntax.Node{Kind: syntax.Object}, &syntax.Node{}, &syntax.Node{}
	table.Nodes = append(table.Nodes, outer)
	outer.Nodes = []*syntax.Node{inner}
	inner.Nodes = []*syntax.Node{leaf}
	w.key(outer)
	w.dot()
	w.key(inner)
	w.dot()
	w.key(leaf)
	w.equals(leaf, 2)
	w.endLine()
	inner.Value = syntax.Span{Start: leaf.Key.Start, End: leaf.Value.End}
	outer.Value = syntax.Span{Start: inner.Key.Start, End: leaf.Value.End}
	if w.chance(2) {
		w.put(cut(w.text.String(), outer.Key))
		w.dot()
		w.key(second)
		w.equals(second, 2)
		w.endLine()
		outer.Nodes = append(outer.Nodes, second)
		outer.Value.End = second.Value.End
	}
}

func (w *tomlWriter) dot() {
	w.blanks(1)
	w.put(".")
	w.blanks(1)
}

func (w *tomlWriter) equals(member *syntax.Node, depth int) {
	w.blanks(2)
	w.put("=")
	w.blanks(2)
	w.value(member, depth)
}

func (w *tomlWriter) endLine() {
	w.blanks(2)
	if w.chance(4) {
		w.comment()
	}
	w.put(w.newline)
	if w.chance(5) {
		w.put(w.newline)
	}
	if w.chance(6) {
		w.blanks(2)
		w.comment()
		w.put(w.newline)
	}
}

// key writes a simple key. Its name has no other use.
func (w *tomlWriter) key(node *syntax.Node) {
	w.names++
	name := fmt.Sprintf("%s%d", w.pick("k", "key-", "1_", "A"), w.names)
	switch w.one(4) {
	case 0:
		node.Name = name + w.content()
		node.Key = w.put(basicString(w.writer, node.Name))
	case 1:
		node.Name = name + strings.ReplaceAll(w.content(), "'", "")
		node.Key = w.put("'" + node.Name + "'")
	default:
		node.Name = name
		node.Key = w.put(name)
	}
}

// table writes a table with a header, or an array of such, and what is in it.
func (w *tomlWriter) table(parent *syntax.Node, path []string, depth int) {
	if w.chance(3) {
		w.arrayOfTables(parent, path, depth)
		return
	}
	node := &syntax.Node{Kind: syntax.Object}
	var between *syntax.Node
	w.blanks(2)
	node.Value.Start = w.put("[").Start
	w.path(path)
	if w.chance(4) { // a table between that has no header of its own
		between = &syntax.Node{Kind: syntax.Object}
		w.key(between)
		path = append(path, cut(w.text.String(), between.Key))
		w.dot()
	}
	w.key(node)
	w.blanks(2)
	node.Value.End = w.put("]").End
	w.endLine()
	w.inside(node, append(path, cut(w.text.String(), node.Key)), depth)
	if between != nil {
		between.Nodes = []*syntax.Node{node}
		between.Value = node.Value
		node = between
	}
	parent.Nodes = append(parent.Nodes, node)
}

func (w *tomlWriter) arrayOfTables(parent *syntax.Node, path []string, depth int) {
	array := &syntax.Node{Kind: syntax.Array}
	parent.Nodes = append(parent.Nodes, array)
	var key string
	for i := range 1 + w.one(3) {
		element := &syntax.Node{Kind: syntax.Object}
		element.Value.Start = w.put("[[").Start
		w.path(path)
		if i == 0 {
			w.key(array)
			key = cut(w.text.String(), array.Key)
			array.Value.Start = element.Value.Start
		} else {
			w.put(key)
		}
		w.blanks(2)
		element.Value.End = w.put("]]").End
		w.endLine()
		w.inside(element, append(path[:len(path):len(path)], key), depth)
		array.Nodes = append(array.Nodes, element)
		array.Value.End = element.Value.End
	}
}

// path writes the beginning of a header.
func (w *tomlWriter) path(path []string) {
	w.blanks(2)
	for _, key := range path {
		w.put(key)
		w.dot()
	}
}

// inside writes what is in a table behind its header.
func (w *tomlWriter) inside(node *syntax.Node, path []string, depth int) {
	w.keyValues(node)
	if depth > 0 {
		for range w.one(3) {
			w.table(node, path[:len(path):len(path)], depth-1)
		}
	}
	if len(node.Nodes) > 0 {
		node.Value.End = node.Nodes[len(node.Nodes)-1].Value.End
	}
}

func (w *tomlWriter) value(node *syntax.Node, depth int) {
	node.Kind = syntax.String
	switch w.one(9) {
	case 0, 1:
		if depth > 0 {
			w.collection(node, depth)
			return
		}
		fallthrough
	case 2:
		node.Text = w.content()
		node.Value = w.put(basicString(w.writer, node.Text))
	case 3:
		node.Text = strings.ReplaceAll(w.content(), "'", "")
		node.Value = w.put("'" + node.Text + "'")
	case 4:
		node.Text = "größe # \"\" 'b'" + w.newline + "名前" + w.pick("", `"`, `""`)
		node.Value = w.put(`"""` + w.pick("", w.newline) + strings.ReplaceAll(node.Text, "b", w.pick("b", `\u0062`, `\`+w.newline+w.newline+"  b")) + `"""`)
	case 5:
		node.Text = `größe # "" \ b` + w.newline + "名前" + w.pick("", "'", "''")
		node.Value = w.put("'''" + w.pick("", w.newline) + node.Text + "'''")
	case 6:
		node.Kind, node.Text = syntax.Bool, w.pick("true", "false")
		node.Value = w.put(node.Text)
	default:
		node.Kind = syntax.Number
		node.Text = w.pick("0", "-42", "+1_000", "0xfF", "0o7", "0b1", "1.5e3", "-1E-2", "inf", "+nan", "2024-01-02", "10:20:30.5", "2024-01-02 10:20:30", "2024-01-02T10:20:30.25Z", "2024-01-02t10:20:30-07:00")
		node.Value = w.put(node.Text)
	}
}

// collection writes an array or an inline table.
func (w *tomlWriter) collection(node *syntax.Node, depth int) {
	node.Value.Start = w.at()
	opener, closer := "[", "]"
	if node.Kind = syntax.Array; w.chance(2) {
		node.Kind, opener, closer = syntax.Object, "{", "}"
	}
	w.put(opener)
	count := w.one(4)
	for i := range count {
		w.space()
		child := &syntax.Node{}
		if node.Kind == syntax.Object {
			w.key(child)
			w.equals(child, depth-1)
		} else {
			w.value(child, depth-1)
		}
		node.Nodes = append(node.Nodes, child)
		w.space()
		if i+1 < count || w.chance(3) {
			w.put(",")
		}
	}
	w.space()
	node.Value.End = w.put(closer).End
}

func basicString(w *writer, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\t':
			b.WriteString(w.pick(`\t`, `\u0009`, "\t"))
		case r > 0x7f && w.chance(4):
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
