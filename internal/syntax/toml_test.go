package syntax_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parseTOML(t *testing.T, text string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.ParseTOML(syntax.NewFile("config.toml", []byte(text)))
	require.NoError(t, err)
	return tree
}

// outline is a tree on paper: every key and value as written.
func outline(text string, node *syntax.Node) string {
	var b strings.Builder
	var write func(node *syntax.Node, indent string)
	write = func(node *syntax.Node, indent string) {
		for _, child := range node.Nodes {
			b.WriteString(indent + cut(text, child.Key) + " | " + cut(text, child.Value) + "\n")
			write(child, indent+"  ")
		}
	}
	write(node, "")
	return b.String()
}

func TestParseTOMLKinds(t *testing.T) {
	const text = "s = \"npx\"\nl = 'C:\\x'\nm = \"\"\"\na\\u0062\\\n  c\"\"\"\nn = '''\n'd' '''\ni = -1_0\nf = 1e3\nx = 0xff\nd = 2024-01-02 03:04:05Z\n" +
		"t = 03:04:05\nb = true\na = [1, [\"y\"],]\no = { p.q = 1 }\n\"k\\u0065y\" = inf\n"
	root := parseTOML(t, text).Root
	assert.Equal(t, syntax.Object, root.Kind)
	assert.Equal(t, strings.TrimSuffix(text, "\n"), cut(text, root.Value))
	members := []struct {
		name  string
		kind  syntax.Kind
		value string // as written
		text  string // decoded
	}{
		{"s", syntax.String, `"npx"`, "npx"},
		{"l", syntax.String, `'C:\x'`, `C:\x`},
		{"m", syntax.String, "\"\"\"\na\\u0062\\\n  c\"\"\"", "abc"},
		{"n", syntax.String, "'''\n'd' '''", "'d' "},
		{"i", syntax.Number, "-1_0", "-1_0"},
		{"f", syntax.Number, "1e3", "1e3"},
		{"x", syntax.Number, "0xff", "0xff"},
		{"d", syntax.Number, "2024-01-02 03:04:05Z", "2024-01-02 03:04:05Z"},
		{"t", syntax.Number, "03:04:05", "03:04:05"},
		{"b", syntax.Bool, "true", "true"},
		{"a", syntax.Array, `[1, ["y"],]`, ""},
		{"o", syntax.Object, "{ p.q = 1 }", ""},
		{"key", syntax.Number, "inf", "inf"},
	}
	require.Len(t, root.Nodes, len(members))
	for i, want := range members {
		got := root.Nodes[i]
		assert.Equal(t, want.name, got.Name)
		assert.Equal(t, want.kind, got.Kind, want.name)
		assert.Equal(t, want.value, cut(text, got.Value), want.name)
		assert.Equal(t, want.text, got.Text, want.name)
		assert.Equal(t, want.name == "d" || want.name == "t", got.IsTime(), want.name)
	}
	assert.Equal(t, `"k\u0065y"`, cut(text, root.Get("key").Key))
	assert.Equal(t, "y", root.Get("a").Nodes[1].Nodes[0].Text)
	assert.Equal(t, "1", root.At("o", "p", "q").Text)
}

func TestParseTOMLTables(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"header", "[a]\nb = 1\n", "a | [a]\nb = 1\n  b | 1\n"},
		{"header in header", "[a.b]\nc = 1\n", "a | [a.b]\nc = 1\n  b | [a.b]\nc = 1\n    c | 1\n"},
		{"quoted parts and white space", "[ a . \"b.c\" ]\nd=1", "a | [ a . \"b.c\" ]\nd=1\n  \"b.c\" | [ a . \"b.c\" ]\nd=1\n    d | 1\n"},
		{"header after its child's", "[a.b]\nc = 1\n[a]\nd = 1\n", "a | [a.b]\nc = 1\n[a]\nd = 1\n  b | [a.b]\nc = 1\n    c | 1\n  d | 1\n"},
		{"empty", "[a]\n", "a | [a]\n"},
		{"comments behind are not in it", "[a]\nb = 1 # c\n# d\n[e]\n", "a | [a]\nb = 1\n  b | 1\ne | [e]\n"},
		{"dotted keys", "a.b.c = 1\na.d = 2\n", "a | b.c = 1\na.d = 2\n  b | c = 1\n    c | 1\n  d | 2\n"},
		{"table in a dotted one", "a.b = 1\n[a.c]\nd = 1\n", "a | b = 1\n[a.c]\nd = 1\n  b | 1\n  c | [a.c]\nd = 1\n    d | 1\n"},
		{
			"array of tables", "[[a]]\nb = 1\n[[a]]\n[a.c]\nd = 1\n",
			"a | [[a]]\nb = 1\n[[a]]\n[a.c]\nd = 1\n   | [[a]]\nb = 1\n    b | 1\n   | [[a]]\n[a.c]\nd = 1\n    c | [a.c]\nd = 1\n      d | 1\n",
		},
		{"array of tables in one", "[[a]]\n[[a.b]]\n[[a.b]]\n", "a | [[a]]\n[[a.b]]\n[[a.b]]\n   | [[a]]\n[[a.b]]\n[[a.b]]\n    b | [[a.b]]\n[[a.b]]\n       | [[a.b]]\n       | [[a.b]]\n"},
		{"written in pieces", "[a]\n[b]\n[a.c]\n", "a | [a]\n[b]\n[a.c]\n  c | [a.c]\nb | [b]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, outline(test.text, parseTOML(t, test.text).Root))
		})
	}
}

// The header of a table's own is its key, even if another has named it first.
func TestParseTOMLKeyIsInTheOwnHeader(t *testing.T) {
	const text = "[servers.fs.env]\nA = \"1\"\n[servers.fs]\ncommand = \"npx\"\n"
	servers := parseTOML(t, text).Root.Get("servers")
	assert.Equal(t, strings.LastIndex(text, "fs"), servers.Get("fs").Key.Start)
	assert.Equal(t, strings.Index(text, "servers"), servers.Key.Start)
}

func TestParseTOMLSurface(t *testing.T) {
	tree := parseTOML(t, "\ufeff# a\r\nb = [ # c\r\n  \"# d\", # e\r\n]\r\n#")
	assert.True(t, tree.BOM)
	assert.Equal(t, []string{"# a", "# c", "# e", "#"}, cutAll("\ufeff# a\r\nb = [ # c\r\n  \"# d\", # e\r\n]\r\n#", tree.Comments))
	assert.Empty(t, tree.TrailingCommas)

	tree = parseTOML(t, "")
	assert.False(t, tree.BOM)
	assert.Equal(t, &syntax.Node{Kind: syntax.Object}, tree.Root)
	assert.Empty(t, parseTOML(t, "# only\n").Root.Nodes)
}

func TestParseTOMLErrors(t *testing.T) {
	tests := []errorTest{
		// Defined twice.
		{"key", "a = 1\n«a» = 2", `"a" is already defined on line 1`},
		{"key in other quotes", "a = 1\n\n«\"\\u0061\"» = 2", `"a" is already defined on line 1`},
		{"table", "\n[servers.fs]\n[servers.«fs»]", `"fs" is already defined on line 2`},
		{"table by its parts", "[a.b]\n[a]\n[«a»]", `"a" is already defined on line 2`},
		{"table by a dotted key", "a.b = 1\n[«a»]", `"a" is already defined on line 1`},
		{"table by a value", "a = 1\n[«a»]", `"a" is already defined on line 1`},
		{"table in a value", "a = 1\n[«a».b]", `"a" is already defined on line 1`},
		{"table in an inline table", "a = {}\n[«a».b]", `"a" is already defined on line 1`},
		{"key in an inline table", "a = {b = 1, «b» = 2}", `"b" is already defined on line 1`},
		{"dotted key in an inline table", "a = {b.c = 1, b.«c» = 2}", `"c" is already defined on line 1`},
		{"inline table by a dotted key", "a = {}\n«a».b = 1", `"a" is already defined on line 1`},
		{"table in a table by a dotted key", "[a.b]\n[a]\n«b».c = 1", `"b" is already defined on line 1`},
		{"array by a table", "[[a]]\n[«a»]", `"a" is already defined on line 1`},
		{"table by an array", "[a]\n[[«a»]]", `"a" is already defined on line 1`},
		{"array by an array of tables", "a = []\n[[«a»]]", `"a" is already defined on line 1`},
		{"key behind a byte order mark", "\ufeffa = 1\n«a» = 2", `"a" is already defined on line 1`},
		{"key in one of several elements", "[[a]]\nb = 1\n[[a]]\nb = 1\n«b» = 1", `"b" is already defined on line 4`},

		// Never closed.
		{"string", "a = «\"b»\nc = 1", "this string is never closed"},
		{"literal string", "a = «'b»", "this string is never closed"},
		{"string of several lines", "a = «\"\"\"b»\nc = 1\n\"", "this string is never closed"},
		{"literal string of several lines", "a = «'''b»\r\nc = 1\n''", "this string is never closed"},
		{"key", "«\"a = 1»\nb = 2", "this string is never closed"},
		{"array", "a = «[»\"b\"\n[c]\n", `"[" is never closed`},
		{"inline table", "a = «{» b = 1\nc = 2\n", `"{" is never closed`},
		{"header", "«[»a\nb = 1", `"[" is never closed`},
		{"by the wrong bracket", "a = [1«}»", `expected a comma or "]", found "}"`},

		// Values and keys.
		{"no quotes", "a = «npx»", `expected a value, found "npx": a string needs quotes`},
		{"no quotes, path", "a = «/usr/bin»", `expected a value, found "/usr/bin": a string needs quotes`},
		{"number with a unit", "a = «20s»", `expected a value, found "20s": a string needs quotes`},
		{"apostrophe", "a = «don»'t", `expected a value, found "don": a string needs quotes`},
		{"True", "a = «True»", `TOML writes true, not "True"`},
		{"null", "a = «null»", `TOML has no "null": leave the key out`},
		{"no value", "«a =»\nb = 1", "expected a value, found the end of the line"},
		{"no value at the end", "«a =»", "expected a value, found the end of the file"},
		{"no value in an array", "a = [«,»]", `expected a value, found ","`},
		{"JSON", "«{»\"a\": 1}", `expected a key, found "{"`},
		{"YAML", "a«:» 1", `expected "=" after the key, found ":"`},
		{"no equals sign", "«a»\nb = 1", `expected "=" after the key, found the end of the line`},
		{"no key", "«=» 1", `expected a key, found "="`},
		{"two values", "a = 'b' «'c'»", "expected the end of the line, found string"},
		{"version", "a = 1.2«.3»", `expected the end of the line, found ".3"`},
		{"no comma", "a = [1 «2»]", `expected a comma or "]", found "2"`},
		{"no comma in an inline table", "a = {b = 1 «c» = 2}", `expected a comma or "}", found "c"`},
		{"garbage behind a header", "[a] «b»", `expected the end of the line, found "b"`},
		{"lone carriage return", "«a = 1»\rb = 2", "expected the end of the line, found a carriage return without a line feed"},
		{"only a carriage return", "«\r»", "expected the end of the line, found a carriage return without a line feed"},
		{"conflict", "a = 1\n«<<<<<<<» HEAD\n", "unresolved merge conflict marker"},
		{"second byte order mark", "\ufeff«\ufeff»a = 1", `expected a key, found "\ufeff"`},

		// Strings.
		{"Windows path", `a = "C:«\T»ools"`, `invalid escape \T: a backslash is written as \\`},
		{"Windows home", `a = "C:«\U»sers"`, `invalid escape \U: \u needs four hexadecimal digits and \U eight, and a backslash is written as \\`},
		{"control character", "a = \"«\x01»\"", "basic strings cannot have control characters"},

		// Dates and times, as tomllib refuses them.
		{"two dashes", "a = «2024--01-01»", `there is no such date or time as "2024--01-01"`},
		{"month", "a = «2024-13-01»", `there is no such date or time as "2024-13-01"`},
		{"30 February", "a = [«2024-02-30»]", `there is no such date or time as "2024-02-30"`},
		{"29 February", "a = «2023-02-29»", `there is no such date or time as "2023-02-29"`},
		{"minute", "a = «23:60:00»", `there is no such date or time as "23:60:00"`},
		{"hour", "a = «24:00:00»", `there is no such date or time as "24:00:00"`},

		// Encoding.
		{"invalid UTF-8", "a = \"«\xff»\"", "invalid UTF-8"},
		{"UTF-16", "«\xff\xfe»a\x00", "the file is in UTF-16: save it as UTF-8"},
		{"binary", "«\x00»\x01", `expected a key, found "\x00"`},
	}
	for _, test := range tests {
		test.run(t, syntax.ParseTOML)
	}
}

// errorTest is a file that is refused.
type errorTest struct {
	name    string
	text    string // «» marks the span of the error
	message string
}

func (test errorTest) run(t *testing.T, parse parser) {
	t.Run(test.name, func(t *testing.T) {
		before, rest, _ := strings.Cut(test.text, "«")
		within, after, found := strings.Cut(rest, "»")
		require.True(t, found, "the span is marked")
		text := before + within + after
		tree, err := parse(syntax.NewFile("a", []byte(text)))
		assert.Nil(t, tree)
		var got *syntax.Error
		require.ErrorAs(t, err, &got)
		assert.Equal(t, test.message, got.Message(asWritten))
		assert.Equal(t, within, cut(text, got.Span))
		assert.Equal(t, syntax.Span{Start: len(before), End: len(before) + len(within)}, got.Span)
		assert.Equal(t, strings.Contains(test.message, "merge conflict"), got.Conflict)
	})
}

func TestParseTOMLLimits(t *testing.T) {
	nested := func(depth int) string {
		return "a = " + strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	dots := func(depth int) string { return strings.Repeat("a.", depth-1) + "a" }
	tests := []limitTest{
		{"deepest arrays", nested(syntax.MaxDepth - 1), ""},
		{"arrays, one too deep", nested(syntax.MaxDepth), "nested deeper than 1,000 levels at line 1, column 1004"},
		{"arrays, far too deep", nested(100_000), "nested deeper than 1,000 levels at line 1, column 1005"},
		{"deepest keys", dots(syntax.MaxDepth) + " = 1", ""},
		{"keys, one too deep", dots(syntax.MaxDepth+1) + " = 1", "nested deeper than 1,000 levels at line 1, column 1999"},
		{"deepest header", "[" + dots(syntax.MaxDepth-1) + "]", ""},
		{"header, one too deep", "[" + dots(syntax.MaxDepth) + "]", "nested deeper than 1,000 levels at line 1, column 2000"},
		{"array header, one too deep", "[[" + dots(syntax.MaxDepth-1) + "]]", "nested deeper than 1,000 levels at line 1, column 1999"},
		{"array in a deep table", "[" + dots(syntax.MaxDepth-1) + "]\na = []", "nested deeper than 1,000 levels at line 2, column 5"},
		{"inline table in a deep table", "[" + dots(syntax.MaxDepth-1) + "]\na = {}", "nested deeper than 1,000 levels at line 2, column 5"},
		{"brackets in strings are nothing", "a = '" + strings.Repeat("[", 5_000) + "'\n#" + strings.Repeat("{", 5_000), ""},
		{"a byte too big", strings.Repeat("\n", syntax.MaxBytes+1), "file is 10.1 MB, over the limit of 10 MB"},
		{"most values", "a = [" + strings.Repeat("1,", syntax.MaxTOMLValues-2) + "]", ""},
		{"too many values", "a = [" + strings.Repeat("1,", syntax.MaxTOMLValues) + "]", "more than 1,000,000 keys and values"},
	}
	for _, test := range tests {
		test.run(t, syntax.ParseTOML)
	}
}

// limitTest is a file at a limit.
type limitTest struct {
	name    string
	text    string
	message string // empty: within the limits
}

func (test limitTest) run(t *testing.T, parse parser) {
	t.Run(test.name, func(t *testing.T) {
		tree, err := parse(syntax.NewFile("a", []byte(test.text)))
		if test.message == "" {
			require.NoError(t, err)
			return
		}
		assert.Nil(t, tree)
		var limit *syntax.LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, test.message, limit.Message)
	})
}

// Tables of every size find what is in them, however they look for it.
func TestParseTOMLBigTables(t *testing.T) {
	for _, size := range []int{1, 15, 16, 17, 18, 75_000} {
		text := "# one line\n" + smallTOMLTables(size)
		tables := parseTOML(t, text).Root.Get("a")
		require.Len(t, tables.Nodes, size)
		_, err := syntax.ParseTOML(syntax.NewFile("a", []byte(text+"[a.table-0]\n")))
		require.ErrorContains(t, err, "is already defined on line 2 (at byte ")
	}
}

func smallTOMLTables(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[a.table-%d]\nkey = %d\n", i, i)
	}
	return b.String()
}

func TestParseTOMLLeavesBytesAlone(t *testing.T) {
	const text = "a = \"b\\n\"\nc = 'd' # e"
	f := syntax.NewFile("a", []byte(text + "\nfree")[:len(text)])
	_, err := syntax.ParseTOML(f)
	require.NoError(t, err)
	assert.Equal(t, text+"\nfree", string(f.Bytes[:len(text)+5]), "nothing is written behind the bytes either")
}

// Every place where a table is named is a part of a statement.
func TestTOMLStatements(t *testing.T) {
	const text = `a.b = 1
[c.d]
e = {f.g = 2, h = 3}
[[i]]
[i.j]
[[i]]
k = 4
`
	tree, statements, err := syntax.ParseTOMLStatements(syntax.NewFile("a.toml", []byte(text)), syntax.Span{})
	require.NoError(t, err)
	var got []string
	for _, s := range statements {
		line := strconv.Quote(cut(text, s.Span))
		if s.IsHeader {
			line += " header"
		}
		for _, p := range s.Parts {
			line += " " + cut(text, p.Key)
			assert.Equal(t, cut(text, p.Key), p.Node.Name)
		}
		got = append(got, line)
	}
	assert.Equal(t, []string{
		`"a.b = 1" a b`,
		`"[c.d]" header c d`,
		`"e = {f.g = 2, h = 3}" e`,
		`"f.g = 2" f g`,
		`"h = 3" h`,
		`"[[i]]" header i`,
		`"[i.j]" header i j`,
		`"[[i]]" header i`,
		`"k = 4" k`,
	}, got)
	elements := tree.Root.Get("i").Nodes
	assert.Same(t, tree.Root.Get("i"), statements[6].Parts[0].Node)
	assert.Same(t, elements[0], statements[6].Parts[0].Table)
	assert.Same(t, elements[1], statements[7].Parts[0].Table)
	assert.Same(t, tree.Root.At("a", "b"), statements[0].Parts[1].Node)
}

// TestParseTOMLTimes reads the dates and times that there are. A leap second and a
// time without seconds are those of the specification; tomllib refuses them.
func TestParseTOMLTimes(t *testing.T) {
	for _, text := range []string{
		"2024-02-29", "23:59:59.1234567", "2024-01-01T00:00:00+23:59", "2024-01-01t00:00:00z", "2024-01-01 00:00:00.5",
		"2016-12-31T23:59:60Z", "07:32",
	} {
		tree, err := syntax.ParseTOML(syntax.NewFile("a.toml", []byte("a = "+text)))
		if assert.NoError(t, err, text) {
			assert.Equal(t, text, tree.Root.Get("a").Text)
		}
	}
}
