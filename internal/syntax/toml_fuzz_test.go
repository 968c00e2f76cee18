package syntax_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/stretchr/testify/require"
)

// FuzzParseTOML compares the tree with what go-toml decodes, and its places
// with those of go-toml's AST.
func FuzzParseTOML(f *testing.F) {
	for _, seed := range []string{
		"",
		"a = 1",
		"[mcp_servers.fs]\ncommand = \"npx\"\nargs = [\"-y\", \"@acme/fs@1.2.3\"]\nenv = { A = \"${A}\" }\n[mcp_servers.fs.tools]\n",
		"# a\r\na . \"b\" . 'c' = 1 # b\r\n\r\n[ t ] # c\r\n[[ t.u ]]\r\n[[t.u]]\r\nx = [ # d\r\n 1, # e\r\n]\r\n",
		"a = \"\\\"\\\\\\b\\f\\n\\r\\t\\u00e9\\U0001F50C größe\"\nb = '\\'\nc = \"\"\"\n\\\n  x\"\"\"\"\"\nd = '''''y'''''\ne = \"\"\"\"\"\"\n",
		"a = [[], {}, [1, [2]], {b.c = 1, b.d = {}}]\na2 = inf\nb = -nan\nc = 0xff\nd = 1e5\ne = 2024-01-01 10:00:00Z\nf = 10:00:00\n",
		"a.b = 1\na.c = 2\n[a.d]\n[x.y]\n[x]\n[[p]]\n[p.q]\n[[p]]\n[p.q]\n",
		"a = 1\na = 2", "[a]\n[a]", "a.b = 1\n[a]", "[a]\n[[a]]", "a = []\n[[a]]", "a = {}\na.b = 1", "[a.b]\n[a]\nb.c = 1", "a = {b = 1, b = 2}",
		"\ufeffa = 1", "\ufeff\ufeff", "a = 1\r", "\r", "a = \"\xff\"", "a = npx", "a = don't", "a = \"x", "a = '''x", "a = [1", "a = {b = 1\n}", "a = {b = 1,}", "[a", "[[a]", "a", "=", "a =", "a = \"\\x\"", "a = \"C:\\Users\"", "<<<<<<< HEAD\n", "\x00",
		strings.Repeat("[", 20), "a." + strings.Repeat("b.", 20) + "c = 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := syntax.ParseTOML(syntax.NewFile("a.toml", bytes.Clone(data)))
		if err != nil {
			checkTOMLOrYAMLError(t, data, err)
		} else {
			checkTOMLTree(t, data, tree)
		}
		compareWithGoTOML(t, data, tree, err)
	})
}

// checkTOMLOrYAMLError checks what holds for every error.
func checkTOMLOrYAMLError(t *testing.T, data []byte, err error) {
	t.Helper()
	if limit := (*syntax.LimitError)(nil); errors.As(err, &limit) {
		require.True(t, utf8.ValidString(limit.Message))
		return
	}
	checkError(t, data, err)
}

// checkTOMLTree checks what holds for every tree.
func checkTOMLTree(t *testing.T, data []byte, tree *syntax.Tree) {
	t.Helper()
	file := syntax.Span{Start: 0, End: len(data)}
	require.Equal(t, syntax.Object, tree.Root.Kind)
	require.True(t, file.Contains(tree.Root.Value))
	require.Empty(t, tree.Duplicates)
	require.Empty(t, tree.Rest)
	checkOrder(t, file, tree.Comments)
	checkTOMLNode(t, data, tree.Root)
}

// checkTOMLNode checks that children are in their parents and that scalars have the reported
// meaning.
func checkTOMLNode(t *testing.T, data []byte, node *syntax.Node) {
	t.Helper()
	require.True(t, utf8.ValidString(node.Name) && utf8.ValidString(node.Text))
	seen := map[string]bool{}
	for _, child := range node.Nodes {
		require.True(t, node.Value.Contains(child.Value), "%v %v", node.Value, child.Value)
		if node.Kind == syntax.Object {
			require.True(t, node.Value.Contains(child.Key))
			require.False(t, seen[child.Name])
			seen[child.Name] = true
			key := string(data[child.Key.Start:child.Key.End])
			require.NotEmpty(t, key)
			require.Equal(t, map[string]any{child.Name: int64(1)}, decodeTOML(t, key+" = 1"))
		} else {
			require.True(t, child.Key.IsZero())
		}
		checkTOMLNode(t, data, child)
	}
	value := string(data[node.Value.Start:node.Value.End])
	if node.Kind == syntax.String {
		require.Equal(t, map[string]any{"a": node.Text}, decodeTOML(t, "a = "+value))
	} else if node.Kind == syntax.Number || node.Kind == syntax.Bool {
		require.Equal(t, value, node.Text)
	}
}

func decodeTOML(t *testing.T, text string) map[string]any {
	t.Helper()
	var value map[string]any
	require.NoError(t, toml.Unmarshal([]byte(text), &value), "%q", text)
	return value
}

// compareWithGoTOML checks that go-toml agrees.
func compareWithGoTOML(t *testing.T, data []byte, tree *syntax.Tree, err error) {
	t.Helper()
	shift := 0
	if syntax.HasBOM(data) {
		shift = len("\ufeff") // go-toml refuses it
		data = data[shift:]
	}
	if limit := (*syntax.LimitError)(nil); errors.As(err, &limit) {
		return
	}
	var want map[string]any
	if wantErr := toml.Unmarshal(data, &want); wantErr != nil {
		if err == nil {
			require.True(t, isAboutContent(wantErr), "go-toml: %v", wantErr)
		}
		return
	}
	require.NoError(t, err, "go-toml takes it")
	compareTOMLValues(t, any(want), tree.Root)
	compareTOMLPlaces(t, data, tree, shift)
}

// isAboutContent reports whether go-toml refuses what a number or date says,
// which is not looked into here.
func isAboutContent(err error) bool {
	for _, about := range []string{"date", "time", "month", "day", "hour", "minute", "second", "digit", "integer", "float", "number", "parse", "out of range", "nanosecond", "timezone", "offset"} {
		if strings.Contains(err.Error(), about) {
			return true
		}
	}
	return false
}

// compareTOMLValues checks that a node has the value that go-toml decodes.
func compareTOMLValues(t *testing.T, want any, node *syntax.Node) {
	t.Helper()
	switch want := want.(type) {
	case nil: // an empty document
		require.Empty(t, node.Nodes)
	case map[string]any:
		require.Equal(t, syntax.Object, node.Kind)
		require.Len(t, node.Nodes, len(want))
		for _, member := range node.Nodes {
			require.Contains(t, want, member.Name)
			compareTOMLValues(t, want[member.Name], member)
		}
	case []any:
		require.Equal(t, syntax.Array, node.Kind)
		require.Len(t, node.Nodes, len(want))
		for i, element := range node.Nodes {
			compareTOMLValues(t, want[i], element)
		}
	case string:
		require.Equal(t, syntax.String, node.Kind)
		require.Equal(t, want, node.Text)
	case bool:
		require.Equal(t, syntax.Bool, node.Kind)
		require.Equal(t, want, node.Text == "true")
	default:
		require.Equal(t, syntax.Number, node.Kind)
	}
}

// compareTOMLPlaces checks that keys, scalars and comments are where go-toml's
// AST has them.
func compareTOMLPlaces(t *testing.T, data []byte, tree *syntax.Tree, shift int) {
	t.Helper()
	places := tomlPlaces(t, data)
	var comments []syntax.Span
	for _, span := range tree.Comments {
		comments = append(comments, syntax.Span{Start: span.Start - shift, End: span.End - shift})
	}
	require.Equal(t, places.comments, comments)
	scalars := 0
	walk(tree.Root, func(node *syntax.Node) {
		if !node.Key.IsZero() {
			require.True(t, places.keys[syntax.Span{Start: node.Key.Start - shift, End: node.Key.End - shift}], "%v", node.Key)
		}
		if node.Kind != syntax.Object && node.Kind != syntax.Array {
			scalars++
			require.True(t, places.scalars[syntax.Span{Start: node.Value.Start - shift, End: node.Value.End - shift}], "%v", node.Value)
		}
	})
	require.Equal(t, len(places.scalars), scalars)
}

// walk visits a node and all below it, parents first.
func walk(node *syntax.Node, visit func(*syntax.Node)) {
	visit(node)
	for _, child := range node.Nodes {
		walk(child, visit)
	}
}

// places are where go-toml's AST has things.
type places struct {
	keys, scalars map[syntax.Span]bool
	comments      []syntax.Span
}

func tomlPlaces(t *testing.T, data []byte) places {
	t.Helper()
	found := places{keys: map[syntax.Span]bool{}, scalars: map[syntax.Span]bool{}}
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(data)
	for parser.NextExpression() {
		collect(&found, &parser, parser.Expression())
	}
	require.NoError(t, parser.Error())
	return found
}

func collect(found *places, parser *unstable.Parser, node *unstable.Node) {
	for ; node != nil; node = node.Next() {
		shape := parser.Shape(node.Raw)
		span := syntax.Span{Start: shape.Start.Offset, End: shape.End.Offset}
		switch node.Kind {
		case unstable.Comment:
			found.comments = append(found.comments, span)
		case unstable.Key:
			found.keys[span] = true
		case unstable.Table, unstable.ArrayTable, unstable.KeyValue, unstable.Array, unstable.InlineTable:
		default:
			found.scalars[span] = true
		}
		collect(found, parser, node.Child())
	}
}
