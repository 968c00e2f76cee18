package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
)

// Documents in every style are found to the byte, and are what yaml/v3 reads.
func TestParseYAMLRandomDocuments(t *testing.T) {
	for seed := range uint64(1_000) {
		w := newYAMLWriter(newWriter(seed, "\n", "\n", "\r\n", "\r", "\u0085"))
		if w.chance(5) {
			w.put("\ufeff")
		}
		want := w.document()
		text := w.text.String()
		f := syntax.NewFile("a.yaml", []byte(text))
		tree, err := syntax.ParseYAML(f)
		require.NoError(t, err, text)
		requireNode(t, text, want, tree.Root)
		require.Equal(t, w.comments, tree.Comments, text)
		require.Empty(t, tree.Rest)
		require.Equal(t, syntax.HasBOM(f.Bytes), tree.BOM)
		checkYAMLTree(t, f.Bytes, tree)
		compareWithYAML(t, f.Bytes, tree)
	}
}

// Front matter is found in its file as YAML is in its own.
func TestParseFrontMatterRandomDocuments(t *testing.T) {
	for seed := range uint64(300) {
		w := newYAMLWriter(newWriter(seed, "\n", "\r\n"))
		if w.chance(5) {
			w.put("\ufeff")
		}
		w.put("---" + w.pick("", " ", "\t ") + w.newline)
		want := w.document()
		w.put(w.pick("---", "...") + w.pick("", " \t") + w.newline + "# Heading\n\xff\n---\n")
		text := w.text.String()
		tree, err := syntax.ParseFrontMatter(syntax.NewFile("a.md", []byte(text)))
		require.NoError(t, err, text)
		requireNode(t, text, want, tree.Root)
		require.Equal(t, w.comments, tree.Comments, text)
	}
}

// yamlWriter writes random YAML.
type yamlWriter struct {
	*writer
	anchors []string
	named   map[*syntax.Node]string // the anchor of a value
	aliased map[string]bool         // the anchors that an alias names
	// open reports that the last value was a block scalar, to which an empty
	// line, or one that is indented, could belong.
	open bool
}

func newYAMLWriter(w *writer) *yamlWriter {
	return &yamlWriter{writer: w, named: map[*syntax.Node]string{}, aliased: map[string]bool{}}
}

// document writes a document and returns its root.
func (w *yamlWriter) document() *syntax.Node {
	for range w.one(3) {
		w.comment()
		w.put(w.newline)
	}
	root := w.block(0, 4)
	w.put(w.newline)
	for !w.open && w.chance(3) {
		w.put(w.newline)
	}
	w.share(root, false)
	return root
}

// share says of a value, and of what is in it, whether an alias repeats it.
func (w *yamlWriter) share(node *syntax.Node, isShared bool) {
	node.Shared = isShared || w.aliased[w.named[node]]
	for _, child := range node.Nodes {
		w.share(child, node.Shared)
	}
}

// block writes a block collection that begins in this column of this line.
func (w *yamlWriter) block(indent, depth int) *syntax.Node {
	if w.chance(2) {
		return w.sequence(indent, depth)
	}
	return w.mapping(indent, depth)
}

func (w *yamlWriter) mapping(indent, depth int) *syntax.Node {
	node := &syntax.Node{Kind: syntax.Object}
	for i := range 1 + w.one(4) {
		if i > 0 {
			w.nextLine(indent)
		}
		var member syntax.Node
		w.open = false
		isExplicit := w.chance(8)
		if isExplicit {
			w.put("?" + strings.Repeat(" ", 1+w.one(2)))
			w.key(&member)
			w.nextLine(indent)
			w.put(":")
		} else {
			w.key(&member)
			w.put(w.pick("", "", " "))
			w.put(":")
		}
		w.value(&member, indent, depth, isExplicit, false)
		node.Nodes = append(node.Nodes, &member)
	}
	node.Value = syntax.Span{Start: node.Nodes[0].Key.Start, End: node.Nodes[len(node.Nodes)-1].Value.End}
	return node
}

func (w *yamlWriter) sequence(indent, depth int) *syntax.Node {
	node := &syntax.Node{Kind: syntax.Array}
	node.Value.Start = w.at()
	for i := range 1 + w.one(4) {
		if i > 0 {
			w.nextLine(indent)
		}
		var element syntax.Node
		w.open = false
		w.put("-")
		if depth > 0 && w.chance(4) { // a collection on the same line
			spaces := 1 + w.one(3)
			w.put(strings.Repeat(" ", spaces))
			element = *w.block(indent+1+spaces, depth-1)
		} else {
			w.value(&element, indent, depth, true, true)
		}
		node.Nodes = append(node.Nodes, &element)
		node.Value.End = element.Value.End
	}
	return node
}

// nextLine goes to a column of the next line.
func (w *yamlWriter) nextLine(indent int) {
	w.put(w.newline)
	for !w.open && w.chance(5) {
		w.put(w.newline)
	}
	if w.chance(6) {
		w.put(strings.Repeat(" ", indent))
		w.comment()
		w.put(w.newline)
	}
	w.put(strings.Repeat(" ", indent))
}

// endLine may end a line with a comment.
func (w *yamlWriter) endLine(noTabs bool) {
	if w.chance(4) {
		w.put(" ")
		if !noTabs {
			w.blanks(2)
		}
		w.comment()
	}
}

func (w *yamlWriter) key(member *syntax.Node) {
	member.Name = w.name()
	switch w.one(4) {
	case 0:
		member.Name += w.content()
		member.Key = w.put(doubleQuoted(w.writer, member.Name))
	case 1:
		member.Name += strings.ReplaceAll(w.content(), "\t", "")
		member.Key = w.put("'" + strings.ReplaceAll(member.Name, "'", "''") + "'")
	default:
		member.Key = w.put(member.Name)
	}
}

// value writes what follows a colon or dash. No tab may follow where a key could.
func (w *yamlWriter) value(node *syntax.Node, indent, depth int, noTabs, isElement bool) {
	if depth > 0 && w.chance(3) { // a collection on the next line
		w.property(node)
		w.endLine(noTabs)
		inner := indent + 1 + w.one(4)
		var child *syntax.Node
		if !isElement && w.chance(3) {
			w.nextLine(indent)
			child = w.sequence(indent, depth-1)
		} else {
			w.nextLine(inner)
			child = w.block(inner, depth-1)
		}
		child.Key, child.Name = node.Key, node.Name
		*node = *child
		return
	}
	if w.chance(8) { // nothing
		node.Value = syntax.Span{Start: w.at(), End: w.at()}
		w.endLine(noTabs)
		return
	}
	if w.chance(10) && len(w.anchors) > 0 {
		w.put(" ")
		anchor := w.anchors[w.one(len(w.anchors))]
		node.Text, w.aliased[anchor] = "*"+anchor, true
		node.Value = w.put(node.Text)
		w.endLine(false)
		return
	}
	w.property(node)
	w.put(" ")
	if !noTabs {
		w.blanks(2)
	}
	switch w.one(6) {
	case 0:
		w.flow(node, indent, depth)
		w.endLine(false)
	case 1:
		w.blockScalar(node, indent)
	default:
		w.scalar(node, indent)
		w.endLine(false)
	}
}

// property may write an anchor.
func (w *yamlWriter) property(node *syntax.Node) {
	if !w.chance(8) {
		return
	}
	anchor := w.pick("a", "b_", "c-") + fmt.Sprint(len(w.anchors))
	w.put(" &" + anchor)
	w.anchors, w.named[node] = append(w.anchors, anchor), anchor
}

// scalar writes a plain or quoted scalar.
func (w *yamlWriter) scalar(node *syntax.Node, indent int) {
	node.Kind = syntax.String
	fold := w.newline + strings.Repeat(" ", indent+1+w.one(3))
	switch w.one(8) {
	case 0:
		node.Kind, node.Text = syntax.Number, w.pick("0", "-42", "1.5e3", "0x1F", ".inf", "1_000")
		node.Value = w.put(node.Text)
	case 1:
		node.Kind, node.Text = syntax.Bool, w.pick("true", "False")
		node.Value = w.put(node.Text)
	case 2:
		node.Kind, node.Text = syntax.Null, w.pick("null", "~")
		node.Value = w.put(node.Text)
	case 3:
		node.Text = w.content()
		node.Value = w.put(doubleQuoted(w.writer, node.Text))
	case 4:
		node.Text = w.content()
		node.Value = w.put("'" + strings.ReplaceAll(node.Text, "'", "''") + "'")
	case 5: // quoted, on several lines
		node.Text = "größe 名 \" ' # b"
		node.Value = w.put(`"größe` + w.pick("", " ") + fold + `名 \"` + fold + `' # b"`)
	case 6: // plain, on several lines
		node.Text = "größe 名前 - b#c\n🔌"
		node.Value = w.put("größe 名前" + w.pick("", " ") + fold + "- b#c" + w.newline + fold + "🔌")
	default:
		node.Text = w.pick("npx", "größe 名前", "@a"[1:]+"cme/x@1.2.3", "https://h:80/p?q=${A}#f", "-y", "--a=b, c", "a'b\"c", "2024-01-01", "yes", ":x", "?x", "a\tb", "[a]"[1:])
		node.Value = w.put(node.Text)
	}
}

func doubleQuoted(w *writer, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\t':
			b.WriteString(w.pick(`\t`, `\x09`))
		case r > 0x7f && w.chance(4):
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// blockScalar writes a literal or folded scalar.
func (w *yamlWriter) blockScalar(node *syntax.Node, indent int) {
	w.open = true
	node.Kind = syntax.String
	inner := indent + 1 + w.one(4)
	chomping := w.pick("", "", "-", "+")
	header, first := chomping, ""
	if w.chance(3) {
		header, first = fmt.Sprintf("%d", inner-indent)+chomping, w.pick("", "  ", "\t")
	}
	lines := []string{first + "größe: # 名前"}
	isLiteral := w.chance(2)
	if isLiteral {
		node.Value.Start = w.put("|" + header).Start
		for range w.one(4) {
			lines = append(lines, w.pick("", "b", "  c 🔌", "\td", "# e"))
		}
		lines = append(lines, "f  ")
	} else {
		node.Value.Start = w.put(">" + header).Start
		for range w.one(4) {
			lines = append(lines, w.pick("b", "# c"))
		}
	}
	w.endLine(false)
	for _, line := range lines {
		w.put(w.newline)
		if line != "" || w.chance(2) {
			w.put(strings.Repeat(" ", inner) + line)
		}
	}
	empty := 0
	if chomping == "+" {
		for range w.one(3) {
			w.put(w.newline)
			empty++
		}
	}
	node.Value.End = w.at()
	node.Text = strings.Join(lines, "\n")
	if !isLiteral && first == "" {
		node.Text = strings.Join(lines, " ")
	} else if !isLiteral && len(lines) > 1 {
		node.Text = lines[0] + "\n" + strings.Join(lines[1:], " ") // an indented line is not folded
	}
	if chomping != "-" {
		node.Text += strings.Repeat("\n", 1+empty)
	}
}

// flow writes a collection in brackets.
func (w *yamlWriter) flow(node *syntax.Node, indent, depth int) {
	node.Value.Start = w.at()
	if node.Kind = syntax.Array; w.chance(2) {
		node.Kind = syntax.Object
		w.put("{")
	} else {
		w.put("[")
	}
	count := w.one(4)
	for i := range count {
		w.flowSpace(indent)
		child := &syntax.Node{}
		if node.Kind == syntax.Array && w.chance(6) { // a single pair
			pair := &syntax.Node{}
			w.flowMember(pair, indent, depth)
			child.Kind, child.Nodes = syntax.Object, []*syntax.Node{pair}
			child.Value = syntax.Span{Start: pair.Key.Start, End: pair.Value.End}
		} else if node.Kind == syntax.Object {
			w.flowMember(child, indent, depth)
		} else {
			w.flowValue(child, indent, depth)
		}
		node.Nodes = append(node.Nodes, child)
		w.flowSpace(indent)
		if i+1 < count || w.chance(3) {
			w.put(",")
		}
	}
	w.flowSpace(indent)
	if node.Kind == syntax.Object {
		node.Value.End = w.put("}").End
	} else {
		node.Value.End = w.put("]").End
	}
}

func (w *yamlWriter) flowMember(member *syntax.Node, indent, depth int) {
	w.key(member)
	isQuoted := !strings.HasSuffix(w.text.String(), member.Name)
	w.put(":")
	if isQuoted && w.chance(2) {
		w.flowValue(member, indent, depth)
		return
	}
	if w.chance(6) {
		member.Value = syntax.Span{Start: w.at(), End: w.at()}
		w.put(" ")
		return
	}
	w.put(" ")
	w.flowValue(member, indent, depth)
}

func (w *yamlWriter) flowValue(node *syntax.Node, indent, depth int) {
	if depth > 0 && w.chance(3) {
		w.flow(node, indent, depth-1)
		return
	}
	node.Kind = syntax.String
	switch w.one(5) {
	case 0:
		node.Kind, node.Text = syntax.Number, w.pick("0", "-42", "1.5e3")
		node.Value = w.put(node.Text)
	case 1:
		node.Text = w.content()
		node.Value = w.put(doubleQuoted(w.writer, node.Text))
	case 2:
		node.Text = w.content()
		node.Value = w.put("'" + strings.ReplaceAll(node.Text, "'", "''") + "'")
	case 3:
		node.Kind = syntax.Null
		node.Text = "~"
		node.Value = w.put("~")
	default:
		node.Text = w.pick("npx", "größe 名前", "cme/x@1.2.3", "https://h:80/p#f", "-y")
		node.Value = w.put(node.Text)
	}
}

// flowSpace writes white space, line breaks and comments.
func (w *yamlWriter) flowSpace(indent int) {
	w.blanks(2)
	if w.chance(6) {
		if w.chance(2) {
			w.put(" ")
			w.comment()
		}
		w.put(w.newline + strings.Repeat(" ", indent+1))
		w.blanks(2)
	}
}
