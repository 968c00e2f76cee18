package syntax_test

import (
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parseYAML(t *testing.T, text string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.ParseYAML(syntax.NewFile("config.yaml", []byte(text)))
	require.NoError(t, err)
	return tree
}

func TestParseYAMLKinds(t *testing.T) {
	const text = "plain: größe 名前 # a\n'sin''gle': 'it''s'\n\"dou\\u0062le\": \"\\\"a\\\"\"\nlines: a\n  b\n\n  c\nliteral: |\n  a\n   b\n\nfolded: >- # b\n  a\n  b\n" +
		"kept: |+\n  a\n\nint: -0x1F\nfloat: 1e3\nbool: True\nnull: ~\nempty:\ndate: 2024-01-02\nyes: yes\ntagged: !!str 1\nother: !env A\n1: one\nflow: {a: [b, \"c\":d], }\nlist:\n- a\n-\n  - b: c\nalias: *x\n"
	full := strings.Replace(text, "alias:", "anchor: &x\n  y: z\nalias:", 1)
	root := parseYAML(t, full).Root
	members := []struct {
		name, key string
		kind      syntax.Kind
		value     string // as written
		text      string // decoded
	}{
		{"plain", "plain", syntax.String, "größe 名前", "größe 名前"},
		{"sin'gle", "'sin''gle'", syntax.String, "'it''s'", "it's"},
		{"double", `"dou\u0062le"`, syntax.String, `"\"a\""`, `"a"`},
		{"lines", "lines", syntax.String, "a\n  b\n\n  c", "a b\nc"},
		{"literal", "literal", syntax.String, "|\n  a\n   b", "a\n b\n"},
		{"folded", "folded", syntax.String, ">- # b\n  a\n  b", "a b"},
		{"kept", "kept", syntax.String, "|+\n  a\n", "a\n\n"},
		{"int", "int", syntax.Number, "-0x1F", "-0x1F"},
		{"float", "float", syntax.Number, "1e3", "1e3"},
		{"bool", "bool", syntax.Bool, "True", "True"},
		{"null", "null", syntax.Null, "~", "~"},
		{"empty", "empty", syntax.Null, "", ""},
		{"date", "date", syntax.String, "2024-01-02", "2024-01-02"},
		{"yes", "yes", syntax.String, "yes", "yes"},
		{"tagged", "tagged", syntax.String, "1", "1"},
		{"other", "other", syntax.String, "A", "A"},
		{"1", "1", syntax.String, "one", "one"},
		{"flow", "flow", syntax.Object, `{a: [b, "c":d], }`, ""},
		{"list", "list", syntax.Array, "- a\n-\n  - b: c", ""},
		{"anchor", "anchor", syntax.Object, "y: z", ""},
		{"alias", "alias", syntax.Null, "*x", "*x"},
	}
	require.Len(t, root.Nodes, len(members))
	for i, want := range members {
		got := root.Nodes[i]
		assert.Equal(t, want.name, got.Name)
		assert.Equal(t, want.key, cut(full, got.Key), want.name)
		assert.Equal(t, want.kind, got.Kind, want.name)
		assert.Equal(t, want.value, cut(full, got.Value), want.name)
		assert.Equal(t, want.text, got.Text, want.name)
		assert.Equal(t, want.name == "anchor", got.Shared, want.name)
	}
	assert.Equal(t, strings.TrimSuffix(full, "\n"), cut(full, root.Value))
	assert.Equal(t, strings.Index(full, "empty:")+len("empty:"), root.Get("empty").Value.Start)
	assert.True(t, root.At("anchor", "y").Shared)
	pair := root.At("flow", "a").Nodes[1]
	assert.Equal(t, `"c":d`, cut(full, pair.Value))
	assert.Equal(t, "d", pair.Get("c").Text)
}

func TestParseYAMLDocuments(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // the values of the roots
	}{
		{"none", "", nil},
		{"only a comment", "# a\n", nil},
		{"only a byte order mark", "\ufeff", nil},
		{"only marks", "---\n---\n...\n", nil},
		{"one", "a: 1\n", []string{"a: 1"}},
		{"null is one", "~\n", []string{"~"}},
		{"JSON", "{\n\t\"a\": [1, true]\n}\n", []string{"{\n\t\"a\": [1, true]\n}"}},
		{"scalar", "just text", []string{"just text"}},
		{"several", "a: 1\n---\n- b\n...\n%YAML 1.1\n--- |\n c\n", []string{"a: 1", "- b", "|\n c"}},
		{"version 1.2", "%YAML 1.2\n---\na: 1\n", []string{"a: 1"}},
		{"the first is empty", "---\n# nothing\n---\na: 1\n", []string{"a: 1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := parseYAML(t, test.text)
			var got []string
			if tree.Root != nil {
				got = append(got, cut(test.text, tree.Root.Value))
			}
			for _, root := range tree.Rest {
				got = append(got, cut(test.text, root.Value))
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestParseYAMLSurface(t *testing.T) {
	const text = "\ufeff# a\r\n%YAML 1.1 # b\r\n--- # c\r\nd: [ # e\r\n  'f # f', # g\r\n]# h\r\ni: | # j\r\n  # k\r\n# l\r\nm: n#o # p\r\nq: &r # s\r\n  t\r\n#"
	tree := parseYAML(t, text)
	assert.True(t, tree.BOM)
	assert.Equal(t, []string{"# a", "# b", "# c", "# e", "# g", "# h", "# j", "# l", "# p", "# s", "#"}, cutAll(text, tree.Comments))
	assert.Empty(t, tree.TrailingCommas)
}

// Clients read these documents as it says here. yaml/v4 4.0.0 does not, which is why
// yaml/v3 is kept.
func TestParseYAMLAsClientsDo(t *testing.T) {
	// To PyYAML and js-yaml 4.1 a comment may stand right behind a quote or a bracket: to
	// v4 that is an error.
	const text = "command: \"npx\"# the launcher\nargs: [a]# all of them\n"
	tree := parseYAML(t, text)
	require.Equal(t, "npx", tree.Root.Get("command").Text)
	require.Equal(t, []string{"# the launcher", "# all of them"}, cutAll(text, tree.Comments))

	// To PyYAML and yaml 2.8 a marker ends a document although its text has no line yet: to
	// v4 the marker and what comes after it are a part of the text, "--- mcpServers: {}".
	tree = parseYAML(t, ">-\n---\nmcpServers: {}\n")
	require.Empty(t, tree.Root.Text)
	require.Len(t, tree.Rest, 1)
	require.NotNil(t, tree.Rest[0].Get("mcpServers"))
}

// NEL, LS, PS and lone CR end lines to the parser; a byte order mark has no
// column.
func TestParseYAMLLineBreaks(t *testing.T) {
	const text = "\ufeffa: 1\u0085b: 2\u2028名: 3\u2029d: 4\re: 5\r\nf: 6"
	root := parseYAML(t, text).Root
	require.Len(t, root.Nodes, 6)
	for i, name := range []string{"a", "b", "名", "d", "e", "f"} {
		assert.Equal(t, name, cut(text, root.Nodes[i].Key))
		assert.Equal(t, string(rune('1'+i)), cut(text, root.Nodes[i].Value))
	}
}

func TestParseYAMLDuplicates(t *testing.T) {
	const text = "a: 1\n'a': 2\nb: {c: 1, c: 2}\n<<: {}\n<<: {}\na: 3\n---\nd: 1\nd: 2\n"
	var got [][3]string
	for _, d := range parseYAML(t, text).Duplicates {
		got = append(got, [3]string{cut(text, d.First.Value), cut(text, d.Again.Value), cut(text, d.Object)[:4]})
	}
	assert.Equal(t, [][3]string{{"1", "2", "a: 1"}, {"1", "2", "{c: "}, {"1", "3", "a: 1"}, {"1", "2", "d: 1"}}, got)
}

func TestParseYAMLDuplicatesOfBigMappings(t *testing.T) {
	for _, size := range []int{1, 15, 16, 17, 18, 50_000} {
		tree := parseYAML(t, yamlKeys(size)+"k0: 2\nk0: 3\n")
		require.Len(t, tree.Duplicates, 2, size)
		assert.Equal(t, "1", tree.Duplicates[1].First.Text)
		assert.Equal(t, "3", tree.Duplicates[1].Again.Text)
	}
}

// An alias costs nothing, for any value. TestParseYAMLQuestionMarks holds what js-yaml 4.1, yaml
// 2.8 and libyaml 0.2.5 read alike; the last ones of the list are from the first two alone.
func TestParseYAMLQuestionMarks(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[a?b]", "[a?b]"},
		{"{a?b: c}", "{a?b: c}"},
		{"{a: b?c}", "{a: b?c}"},
		{"[a ? b]", "[a ? b]"},
		{"[a??b]", "[a??b]"},
		{"[a?, b]", "[a?, b]"},
		{"[a? , b]", "[a?, b]"},
		{"{a?: b}", "{a?: b}"},
		{"[a ?b]", "[a ?b]"},
		{"[a\n ?b]", "[a ?b]"},
		{"{x: a?}", "{x: a?}"},
		{"[http://h/?a=1&b=2]", "[http://h/?a=1&b=2]"},
		{"{x: [a?], ? k : v}", "{x: [a?], k: v}"},
		{"a: {b?: [c?d, {e: f?}]}", "{a: {b?: [c?d, {e: f?}]}}"},
		{"? a?b\n: [c?d, \"e?\", 'f?'] # g?", "{a?b: [c?d, e?, f?]}"},
		{"a: [\ue000?b]", "{a: [\ue000?b]}"},
		{"[? a]", "[{a: }]"},
		{"{a: ?b}", "{a: ?b}"},
		{"[a: ?b]", "[{a: ?b}]"},
	} {
		assert.Equal(t, test.want, plain(parseYAML(t, test.text).Root), test.text)
	}
	const text = "a: [b?c, {d?: 'e'}]\n"
	root := parseYAML(t, text).Root
	assert.Equal(t, "b?c", cut(text, root.At("a").Nodes[0].Value))
	assert.Equal(t, "d?", cut(text, root.At("a").Nodes[1].Nodes[0].Key))
	assert.Equal(t, "'e'", cut(text, root.At("a").Nodes[1].Nodes[0].Value))
}

// plain writes a tree in flow style without quotes.
func plain(n *syntax.Node) string {
	var parts []string
	for _, child := range n.Nodes {
		if n.Kind == syntax.Object {
			parts = append(parts, child.Name+": "+plain(child))
		} else {
			parts = append(parts, plain(child))
		}
	}
	switch n.Kind {
	case syntax.Object:
		return "{" + strings.Join(parts, ", ") + "}"
	case syntax.Array:
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Text
}

func TestParseYAMLAliasesAreLeaves(t *testing.T) {
	tree := parseYAML(t, yamlBomb())
	count := 0
	walk(tree.Root, func(node *syntax.Node) {
		count++
		if strings.HasPrefix(node.Text, "*") {
			assert.Equal(t, syntax.Null, node.Kind)
			assert.Empty(t, node.Nodes)
		}
	})
	assert.Equal(t, 1+9+9*9, count)
}

func TestParseYAMLProperties(t *testing.T) {
	const text = "a: [&b c, &d , !e f, &g [h], &i]\n? &j k\n: !l &m {n: o}\np: &q\n  !r\n  - s\nt: &u !v\n  w: x\ny: &z\n&A B: C\nD: !E\n  ? F\n  : G\nH: !\n"
	root := parseYAML(t, text).Root
	assert.Equal(t, strings.Join([]string{
		"a | [&b c, &d , !e f, &g [h], &i]", "   | c", "   | ", "   | f", "   | [h]", "     | h", "   | ", "k | {n: o}", "  n | o",
		"p | - s", "   | s", "t | w: x", "  w | x", "y | ", "B | C", "D | F\n  : G", "  F | G", "H | ", "",
	}, "\n"), outline(text, root))
	var shared []string
	walk(root, func(node *syntax.Node) {
		if node.Shared {
			shared = append(shared, node.Name+cut(text, node.Value))
		}
	})
	assert.Empty(t, shared, "no alias names an anchor")
	assert.Equal(t, strings.Index(text, "&z")+len("&z"), root.Get("y").Value.Start)
	assert.Equal(t, strings.Index(text, "&d")+len("&d"), root.Get("a").Nodes[1].Value.Start)
}

// TestParseYAMLShared checks that an anchor shares what an alias repeats, with all that is
// in it, and nothing where no alias names it or another value has taken its name.
func TestParseYAMLShared(t *testing.T) {
	const text = "a: [&b c, &g [h]]\np: &q\n  - s\nt: &u {w: x}\nz: &u y\nA: [*g, *q, *u]\n---\nc: &q d\n"
	tree := parseYAML(t, text)
	var shared []string
	for _, root := range append(tree.Rest, tree.Root) {
		walk(root, func(node *syntax.Node) {
			if node.Shared {
				shared = append(shared, cut(text, node.Value))
			}
		})
	}
	assert.Equal(t, []string{"[h]", "h", "- s", "s", "y"}, shared)
}

func TestParseYAMLErrors(t *testing.T) {
	const indent = ": correct the indentation, or write the value before it in quotes"
	tests := []errorTest{
		// Indentation.
		{"tab", "a:\n«\t»b: 1\n", "YAML is indented by spaces, not tabs"},
		{"tab in a block scalar", "a: |\n«\t»b\n", "YAML is indented by spaces, not tabs"},
		{"between two levels", "a:\n  b: 1\n «c»: 2\n", `expected a key, found "c"` + indent},
		{"nested below a value", "a: b\n  c«:» d\n", `unexpected ":" after a value: write the value in quotes, or correct the indentation`},
		{"dash below a key with a value", "a: 1\n«-» b\n", `expected a key, found "-"` + indent},
		{"key below dashes", "- a\n«b»: c\n", `expected "-", found "b": correct the indentation`},
		{"list on the line of its key", "a: «-» b", `unexpected "-": start the list on a line of its own`},

		// Quotes.
		{"second colon", "x: 1\na: b«:» c\n", `unexpected ":" after a value: write the value in quotes, or correct the indentation`},
		{"behind a string", "x: 1\na: \"x\" «y»\nb: 1\n", `expected a key, found "y"` + indent},
		{"string behind a string", "a: \"b\" «\"c\"»", "expected a key, found string" + indent},
		{"at sign", "a: «@b»", `a value cannot begin with "@": write the value in quotes`},
		{"backquote", "a: «`b`»", "a value cannot begin with \"`\": write the value in quotes"},
		{"percent sign", "a: «%b»", `a value cannot begin with "%": write the value in quotes`},
		{"star", "a: «*.js»", `a value cannot begin with "*": write the value in quotes`},
		{"alias of nothing", "# *b\na: «*b»\nb: &b c\n", "nothing is called &b before this alias"},
		{"alias of nothing in brackets", "a: [1, «*b», 2]", "nothing is called &b before this alias"},
		{"Windows path", `a: "C:«\T»ools"`, `invalid escape \T: a backslash is written as \\`},
		{"short escape", `a: "\x«z»"`, `invalid escape: \x needs two hexadecimal digits, \u four and \U eight, and a backslash is written as \\`},

		// Never closed.
		{"string on the first line", "a: «\"b»\nc: d\n", "this string is never closed"},
		{"string on a later line", "x: 1\na: «'b»  \r\nc: d\r\n", "this string is never closed"},
		{"string before another document", "a: «'b»\n---\nc: d\n", "this string is never closed"},
		{"list", "a: «[»1, 2", `"[" is never closed`},
		{"list of several lines", "a: «[»\n  1,\n  2\n\n", `"[" is never closed`},
		{"mapping", "x: 1\na: «{»b: c\n", `"{" is never closed`},
		{"list before a key", "a: [1, 2\nc«:» d\n", `expected a comma or "]", found ":"`},
		{"list by the wrong bracket", "a: [b«}»\n", `expected a comma or "]", found "}"`},
		{"mapping by the wrong bracket", "a: {b: c«]»\n", `expected a comma or "}", found "]"`},

		// The rest.
		{"no colon", "x: 1\n«abc»\nb: 1\n", "expected a colon after this key"},
		{"no value", "a: «]»", `expected a value, found "]"`},
		{"two roots", "[a]\n«b»", `unexpected "b" after the end of the document`},
		{"conflict", "a: 1\n«<<<<<<<» HEAD\nb: 2\n", "unresolved merge conflict marker"},
		{"conflict on the first line", "«<<<<<<<» HEAD\na: 1\n=======\n", "unresolved merge conflict marker"},
		{"conflict, read on to its end", "«<<<<<<<» HEAD\na: 1\n=======\na: 2\n>>>>>>> main\nb: 3\n", "unresolved merge conflict marker"},
		{"conflict, middle", "a: 1\n«=======»\nb: 2\n", "unresolved merge conflict marker"},
		{"unknown directive", "«%FOO» bar\n---\na: 1", "found unknown directive name"},

		// Characters and encoding.
		{"control character", "a: «\x01»", `unexpected character "\x01"`},
		{"DEL", "a: b # «\x7f»", `unexpected character "\x7f"`},
		{"C1 control character", "a: «\u0080»", `unexpected character "\u0080"`},
		{"noncharacter", "a: «\uffff»", `unexpected character "\uffff"`},
		{"second byte order mark", "\ufeff«\ufeff»a: 1", `unexpected character "\ufeff"`},
		{"invalid UTF-8", "a: [ # «\xff»", "invalid UTF-8"},
		{"a question mark behind a string", "[\"a\"«?»b]", `expected a comma or "]", found "?"`},
		{"a bracket behind a question mark", "[a?«[»b]]", `expected a comma or "]", found "["`},
		{"UTF-16", "«\xfe\xff»\x00a", "the file is in UTF-16: save it as UTF-8"},
		{"behind wide characters", "名前: 1\nä: «@»", `a value cannot begin with "@": write the value in quotes`},
		{"behind other line breaks", "a: 1\u2028b: 1\u0085c: «@»", `a value cannot begin with "@": write the value in quotes`},
	}
	for _, test := range tests {
		test.run(t, syntax.ParseYAML)
	}
}

func TestParseYAMLLimits(t *testing.T) {
	flow := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	tests := []limitTest{
		{"deepest", flow(syntax.MaxDepth), ""},
		{"one too deep", flow(syntax.MaxDepth + 1), "nested deeper than 1,000 levels at line 1, column 1001"},
		{"far too deep", flow(100_000), "nested deeper than 1,000 levels at line 1, column 10001"},
		{"deepest block", strings.Repeat("- ", syntax.MaxDepth) + "a", ""},
		{"block, one too deep", strings.Repeat("- ", syntax.MaxDepth+1) + "a", "nested deeper than 1,000 levels at line 1, column 2001"},
		{"block, far too deep", strings.Repeat("- ", 100_000) + "a", "nested deeper than 1,000 levels at line 1, column 20001"},
		{"indentation", yamlSteps(syntax.MaxDepth + 1), "nested deeper than 1,000 levels at line 1001, column 1001"},
		{"brackets in text are nothing", "a: |\n  " + strings.Repeat("[", 5_000) + "\nb: 'x" + strings.Repeat("{", 5_000) + "'\n", ""},
		{"a byte too big", strings.Repeat("\n", syntax.MaxBytes+1), "file is 10.1 MB, over the limit of 10 MB"},
		{"most values", "[" + strings.Repeat("1,", syntax.MaxYAMLValues-1) + "]", ""},
		{"too many values", "[" + strings.Repeat("1,", syntax.MaxYAMLValues) + "]", "more than 200,000 keys and values"},
		{"too many elements", strings.Repeat("- a\n", syntax.MaxYAMLValues+1), "more than 200,000 keys and values"},
		{"too many documents", strings.Repeat("...\na\n", syntax.MaxYAMLValues+1), "more than 200,000 keys and values"},
	}
	for _, test := range tests {
		test.run(t, syntax.ParseYAML)
	}
}
