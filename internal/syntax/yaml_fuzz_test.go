package syntax_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// FuzzParseYAML compares the tree with the nodes of yaml/v3, and their places
// with its lines and columns.
func FuzzParseYAML(f *testing.F) {
	for _, seed := range yamlSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := syntax.ParseYAML(syntax.NewFile("a.yaml", bytes.Clone(data)))
		if err != nil {
			checkTOMLOrYAMLError(t, data, err)
			if limit := (*syntax.LimitError)(nil); !errors.As(err, &limit) && utf8.Valid(data) && !bytes.HasPrefix(data, []byte("\ufeff\ufeff")) {
				_, yamlErr := yamlDocuments(data)
				require.Error(t, yamlErr, "yaml/v3 takes it")
			}
			return
		}
		checkYAMLTree(t, data, tree)
		compareWithYAML(t, data, tree)
	})
}

var yamlSeeds = []string{
	"",
	"a: 1",
	"mcpServers:\n  fs:\n    command: npx\n    args: [\"-y\", '@acme/fs@1.2.3']\n    env: {A: ${A}, B: \"\\u00e9\"}\n  web:\n    url: https://example.com/mcp # a\n",
	"# a\r\na: b # c\r\n\r\n- \r\n",
	"- a\n-  - b\n   - c: d\n     e:\n-\n  f: g\n- # h\n  i\n",
	"a:\n- b\n-\n- c\nd: &x !!str\n  e\nf: *x\n<<: *x\n<<: {}\n",
	"a: |\n  b\n   c\n\n# d\ne: >-\n\n  f\n  g\n\n  h\ni: |+2 # j\n   k\n\n\nl: |2-\n    m\n",
	"|\n a\n", "--- |1\n  a\n \n", "- |\n  \n\n", "- |+\n\n\n- a\n", "a: |\n   \n  b\n",
	"[a, [b, c], {d: e, f, ? g : h, \"i\":j, k: }, l: m, ? n, [o]: p, {q}: r,] # s\n",
	"? a\n: b\n? - c\n: - d\n? |\n  e\n: f\n? g\n? {h: i}\n",
	"&a !b c: &d !!map\n  e: f\n!g &h i: !<j> k\nl: &m\n!!str n:\n&o p: q\n",
	"'a''b': \"c\\\"\\\n  d\"\ne: a\n  b\n\n  c\nf: 'g\n\n  h'\n\"\\x41\\u00e9\\U0001F50C\": 1\n",
	"a: 1\n---\n---\n# b\nc: 2\n...\n%YAML 1.1 # d\n%TAG ! tag:e,2000:\n--- !f\ng\n--- \"h\"\n...\n",
	"a: 1\u0085b: 2\u2028c: größe d\rd: 3\n\u2029e: 名前 🔌\n",
	"\ufeffa: 1", "\ufeff\ufeffa", "a:\n\ufeffb: 1\n", "a: yes\nb: True\nc: ~\nd: 0x1F\ne: 1e3\nf: 2024-01-01\ng: .inf\n",
	"a: 1\na: 2\n", "&a a: *a\n*a : b\n", "{*a : b}", "*a",
	"a: b: c\n", "a:\n\tb\n", "a: \"b\n", "a: [b\n", "a: @b", "a: `b`", "a: *.js", "a: %b", "a: ]", "- a\nb: c\n", "a: 'b' c\n", "\"\\d\"", "\"\\xz\"", "<<<<<<< HEAD\n", "\x00", "\x85", "a: \xff", "a: \u007f", "\uffff", "\t", "!", "&", "&a", "!a", "!<", "%", "%a", "...", "---", "?", ":", "-", "-\t", "|", ">9", "|0", "#", "a #b", "a# b", "[#a\n]",
	"[a?b, c ? d, {e?: ?f, ? g: h}] # ?\n", "a: [https://h/?b=c&d, !e?f g, \"h?\", 'i?']\n",
	"? [a]\n&b c: d\n", "?:", "! : \n! :", " --- ,00", "|+1 \r\r ", "{{a: , a}: b}", "- &a\n- !b\n- &c !d\n- !e &f\n- ! g\n- !\n",
	strings.Repeat("[", 20) + strings.Repeat("]", 20), strings.Repeat("- ", 20), strings.Repeat("? ", 20),
}

// yamlDocuments returns the documents that yaml/v3 reads.
func yamlDocuments(data []byte) ([]*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var documents []*yaml.Node
	for {
		var document yaml.Node
		if err := decoder.Decode(&document); err == io.EOF {
			return documents, nil
		} else if err != nil {
			return nil, err
		}
		documents = append(documents, document.Content[0])
	}
}

// checkYAMLTree checks what holds for every tree.
func checkYAMLTree(t *testing.T, data []byte, tree *syntax.Tree) {
	t.Helper()
	file := syntax.Span{Start: 0, End: len(data)}
	checkOrder(t, file, tree.Comments)
	for _, comment := range tree.Comments {
		require.EqualValues(t, '#', data[comment.Start])
	}
	roots := tree.Rest
	if tree.Root != nil {
		roots = append([]*syntax.Node{tree.Root}, roots...)
	}
	at, count := 0, 0
	for _, root := range roots {
		require.LessOrEqual(t, at, root.Value.Start)
		at = root.Value.End
		checkYAMLNode(t, data, root)
		count += yamlDuplicates(root)
	}
	require.LessOrEqual(t, at, len(data))
	require.Len(t, tree.Duplicates, count)
	for i, d := range tree.Duplicates {
		require.Equal(t, d.First.Name, d.Again.Name)
		require.Less(t, d.First.Key.Start, d.Again.Key.Start)
		require.True(t, d.Object.Contains(d.First.Key) && d.Object.Contains(d.Again.Value))
		require.True(t, i == 0 || tree.Duplicates[i-1].Again.Key.Start <= d.Again.Key.Start)
	}
}

// yamlDuplicates counts the members whose name an earlier one of the object has.
func yamlDuplicates(node *syntax.Node) int {
	count := 0
	seen := map[string]bool{"<<": false}
	for _, child := range node.Nodes {
		if node.Kind == syntax.Object && seen[child.Name] {
			count++
		}
		seen[child.Name] = child.Name != "<<"
		count += yamlDuplicates(child)
	}
	return count
}

// checkYAMLNode checks that keys and values follow each other inside their
// parent, and that scalars have the reported meaning.
func checkYAMLNode(t *testing.T, data []byte, node *syntax.Node) {
	t.Helper()
	at := node.Value.Start
	for _, child := range node.Nodes {
		require.Equal(t, node.Shared, node.Shared && child.Shared)
		if node.Kind == syntax.Object {
			require.LessOrEqual(t, at, child.Key.Start)
			require.LessOrEqual(t, child.Key.Start, child.Key.End)
			at = child.Key.End
		} else {
			require.True(t, child.Key.IsZero())
		}
		require.LessOrEqual(t, at, child.Value.Start)
		at = child.Value.End
		checkYAMLNode(t, data, child)
	}
	require.LessOrEqual(t, at, node.Value.End)
	require.True(t, utf8.ValidString(node.Text) && utf8.ValidString(node.Name))
}

// compareWithYAML checks that the tree is what yaml/v3 reads.
func compareWithYAML(t *testing.T, data []byte, tree *syntax.Tree) {
	t.Helper()
	documents, err := yamlDocuments(data)
	if err != nil && bytes.Contains(data, []byte("?")) {
		return // a question mark in brackets, which others take for text
	}
	require.NoError(t, err)
	roots := append([]*syntax.Node{tree.Root}, tree.Rest...)
	if tree.Root == nil {
		roots = nil
	}
	for _, document := range documents {
		if document.Kind == yaml.ScalarNode && document.Value == "" && document.Style == 0 && document.Anchor == "" {
			continue
		}
		require.NotEmpty(t, roots)
		compareYAMLNode(t, data, document, roots[0])
		roots = roots[1:]
	}
	require.Empty(t, roots)
}

func compareYAMLNode(t *testing.T, data []byte, want *yaml.Node, node *syntax.Node) {
	t.Helper()
	text := string(data[node.Value.Start:node.Value.End])
	switch want.Kind {
	case yaml.MappingNode:
		require.Equal(t, syntax.Object, node.Kind)
		require.Len(t, node.Nodes, len(want.Content)/2)
		for i, member := range node.Nodes {
			compareYAMLKey(t, data, want.Content[2*i], member)
			compareYAMLNode(t, data, want.Content[2*i+1], member)
		}
		if strings.HasPrefix(text, "{") && len(node.Nodes) == 0 {
			require.True(t, strings.HasSuffix(text, "}"))
		}
	case yaml.SequenceNode:
		require.Equal(t, syntax.Array, node.Kind)
		require.Len(t, node.Nodes, len(want.Content))
		for i, element := range node.Nodes {
			compareYAMLNode(t, data, want.Content[i], element)
		}
		if want.Style&yaml.FlowStyle != 0 {
			require.True(t, strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"), "%q", text)
		} else {
			require.True(t, strings.HasPrefix(text, "-"), "%q", text)
		}
	case yaml.AliasNode:
		require.Equal(t, syntax.Null, node.Kind)
		require.Equal(t, "*"+want.Value, node.Text)
		require.Equal(t, node.Text, text)
		requireYAMLPlace(t, data, want, node.Value.Start)
	default:
		require.Equal(t, want.Value, node.Text)
		compareYAMLScalar(t, data, want, node.Value)
	}
}

// compareYAMLKey compares a member's key.
func compareYAMLKey(t *testing.T, data []byte, want *yaml.Node, member *syntax.Node) {
	t.Helper()
	text := string(data[member.Key.Start:member.Key.End])
	switch want.Kind {
	case yaml.ScalarNode:
		require.Equal(t, want.Value, member.Name)
		compareYAMLScalar(t, data, want, member.Key)
	case yaml.AliasNode:
		require.Equal(t, "*"+want.Value, text)
		require.Equal(t, text, member.Name)
	default:
		require.Equal(t, text, member.Name)
	}
}

// compareYAMLScalar checks where a scalar is, and that what is there means what
// yaml/v3 has read.
func compareYAMLScalar(t *testing.T, data []byte, want *yaml.Node, span syntax.Span) {
	t.Helper()
	text := string(data[span.Start:span.End])
	if text == "" {
		require.Empty(t, want.Value)
		return
	}
	if want.Anchor == "" && data[span.Start] != '!' && want.Style&yaml.TaggedStyle == 0 && !isTagged(data, want, span.Start) {
		requireYAMLPlace(t, data, want, span.Start)
	}
	for _, wrapped := range yamlWrappings(text) {
		if documents, err := yamlDocuments([]byte(wrapped)); err == nil && len(documents) == 1 && holdsScalar(documents[0], want.Value) {
			return
		}
	}
	t.Errorf("%q is not %q", text, want.Value)
}

// isTagged reports whether the node begins at a tag that says nothing ("!").
func isTagged(data []byte, want *yaml.Node, start int) bool {
	line, column := yamlPosition(data, start)
	return (line != want.Line || column != want.Column) && bytes.Contains(data[:start], []byte("!"))
}

// requireYAMLPlace checks that an offset is at a node's line and column.
func requireYAMLPlace(t *testing.T, data []byte, want *yaml.Node, offset int) {
	t.Helper()
	line, column := yamlPosition(data, offset)
	require.Equal(t, [2]int{want.Line, want.Column}, [2]int{line, column})
}

// yamlPosition counts lines and columns as YAML 1.1 does.
func yamlPosition(data []byte, offset int) (line, column int) {
	text := strings.TrimPrefix(string(data[:offset]), "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	lines := strings.Split(text, "\n")
	return len(lines), utf8.RuneCountInString(lines[len(lines)-1]) + 1
}

// yamlWrappings returns documents that hold the text of a scalar: on its own,
// behind a space, as a key, in brackets, and, for block scalars that count their indentation from their
// parent's, below parents of every indentation; with a line break behind it and
// without.
func yamlWrappings(text string) []string {
	wrappings := []string{text, " " + text, text + ":", "[" + text + "]"}
	if text[0] != '|' && text[0] != '>' {
		return wrappings
	}
	const lineBreak = "\u0085" // which makes no pair with a CR
	indent := 0
	wrappings = append(wrappings, text+lineBreak)
	for indent < 40 {
		key := strings.Repeat(" ", indent) + "k: "
		wrappings = append(wrappings, key+text, key+text+lineBreak)
		indent++
	}
	return wrappings
}

// holdsScalar reports whether a wrapped scalar has the value.
func holdsScalar(node *yaml.Node, value string) bool {
	for len(node.Content) > 0 {
		if node.Content[0].Value == "k" {
			node = node.Content[1]
		} else {
			node = node.Content[0]
		}
	}
	return node.Kind == yaml.ScalarNode && node.Value == value
}
