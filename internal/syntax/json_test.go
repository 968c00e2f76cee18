package syntax_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asWritten hides nothing.
func asWritten(text string) string { return text }

func parse(t *testing.T, text string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", []byte(text)))
	require.NoError(t, err)
	return tree
}

// cut returns what a span covers.
func cut(text string, span syntax.Span) string { return text[span.Start:span.End] }

func cutAll(text string, spans []syntax.Span) []string {
	var cuts []string
	for _, span := range spans {
		cuts = append(cuts, cut(text, span))
	}
	return cuts
}

func TestParseJSONKinds(t *testing.T) {
	const text = `{ "command" : "npx", "args": ["-y", 1.5e-3], "on": true, "off":false, "cwd":null , "env":{}, "list":[] }`
	root := parse(t, text).Root

	assert.Equal(t, syntax.Object, root.Kind)
	assert.Equal(t, text, cut(text, root.Value))
	assert.True(t, root.Key.IsZero())

	members := []struct {
		name, key string
		kind      syntax.Kind
		value     string // as written
		text      string // decoded
		children  int
	}{
		{"command", `"command"`, syntax.String, `"npx"`, "npx", 0},
		{"args", `"args"`, syntax.Array, `["-y", 1.5e-3]`, "", 2},
		{"on", `"on"`, syntax.Bool, "true", "true", 0},
		{"off", `"off"`, syntax.Bool, "false", "false", 0},
		{"cwd", `"cwd"`, syntax.Null, "null", "null", 0},
		{"env", `"env"`, syntax.Object, "{}", "", 0},
		{"list", `"list"`, syntax.Array, "[]", "", 0},
	}
	require.Len(t, root.Nodes, len(members))
	for i, want := range members {
		got := root.Nodes[i]
		assert.Equal(t, want.name, got.Name)
		assert.Equal(t, want.key, cut(text, got.Key), want.name)
		assert.Equal(t, want.kind, got.Kind, want.name)
		assert.Equal(t, want.value, cut(text, got.Value), want.name)
		assert.Equal(t, want.text, got.Text, want.name)
		assert.Len(t, got.Nodes, want.children, want.name)
	}

	number := root.Get("args").Nodes[1]
	assert.Equal(t, syntax.Number, number.Kind)
	assert.Equal(t, "1.5e-3", number.Text)
	assert.Equal(t, "1.5e-3", cut(text, number.Value))
	assert.True(t, number.Key.IsZero(), "an element has no key")
}

func TestParseJSONRoots(t *testing.T) {
	for text, kind := range map[string]syntax.Kind{
		`null`: syntax.Null, `true`: syntax.Bool, `-0`: syntax.Number, `""`: syntax.String, `[]`: syntax.Array, `{}`: syntax.Object,
	} {
		padded := " \t\r\n" + text + "\r\n"
		root := parse(t, padded).Root
		assert.Equal(t, kind, root.Kind, text)
		assert.Equal(t, text, cut(padded, root.Value))
	}
}

func TestParseJSONNumbers(t *testing.T) {
	for _, text := range []string{"0", "-0", "10", "-12", "0.5", "1.25", "1e9", "1E+9", "1.5e-10", "0e0", "123456789012345678901234567890"} {
		assert.Equal(t, text, parse(t, text).Root.Text)
	}
}

func TestParseJSONStrings(t *testing.T) {
	tests := []struct{ text, want string }{
		{`""`, ""},
		{`"npx"`, "npx"},
		{`"größe 名前 🔌"`, "größe 名前 🔌"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"C:\\Tools\\x"`, `C:\Tools\x`},
		{`"\u0041\u00e9\u00E9\u540d"`, "Aéé名"},
		{`"\ud83d\udd0c"`, "🔌"},
		{`"a\uD83D\uDD0Cb"`, "a🔌b"},
		{`"\u0000"`, "\x00"},
		{`"\ufffd"`, "\ufffd"},
		{"\"\u2028\u007f\"", "\u2028\u007f"},
		{`"// no /* comment */"`, "// no /* comment */"},
	}
	for _, test := range tests {
		root := parse(t, test.text).Root
		assert.Equal(t, test.want, root.Text)
		assert.Equal(t, test.text, cut(test.text, root.Value))
		member := parse(t, "{"+test.text+":1}").Root.Nodes[0]
		assert.Equal(t, test.want, member.Name)
		assert.Equal(t, syntax.Span{Start: 1, End: 1 + len(test.text)}, member.Key)
	}
}

func TestParseJSONSurface(t *testing.T) {
	tests := []struct {
		name     string
		text     string
		json     string // the same document in strict JSON
		comments []string
		commas   []int // offsets of the trailing commas
		bom      bool
	}{
		{name: "strict", text: `{"a": [1, 2]}`, json: `{"a":[1,2]}`},
		{
			name: "comments everywhere",
			text: "// 0\n/*1*/{//2\n\"a\"/*3*/:/*4*/1/*5*/,/*6*/\"b\":[/*7*/]/*8*/}//9",
			json: `{"a":1,"b":[]}`,
			comments: []string{
				"// 0", "/*1*/", "//2", "/*3*/", "/*4*/", "/*5*/", "/*6*/", "/*7*/", "/*8*/", "//9",
			},
		},
		{name: "comment that ends the file", text: "1//", json: "1", comments: []string{"//"}},
		{name: "slashes and stars in comments", text: "/***/1/* // */", json: "1", comments: []string{"/***/", "/* // */"}},
		{name: "block comments do not nest", text: "/* /* */1", json: "1", comments: []string{"/* /* */"}},
		{name: "comment of several lines", text: "/* a\r\n b */1", json: "1", comments: []string{"/* a\r\n b */"}},
		{name: "CRLF", text: "[ // a\r\n1\r\n]\r\n", json: "[1]", comments: []string{"// a"}},
		{name: "lone CR", text: "[\r// a\r1\r]", json: "[1]", comments: []string{"// a"}},
		{name: "line separator is no line ending", text: "//a\u2028b\n1", json: "1", comments: []string{"//a\u2028b"}},
		{name: "trailing commas", text: `[{"a":1,}, [2,],]`, json: `[{"a":1},[2]]`, commas: []int{7, 13, 15}},
		{
			name: "trailing comma among comments", text: "[1/*a*/,/*b*/]", json: "[1]",
			comments: []string{"/*a*/", "/*b*/"}, commas: []int{7},
		},
		{name: "byte order mark", text: "\ufeff{}", json: "{}", bom: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := parse(t, test.text)
			assert.Equal(t, test.comments, cutAll(test.text, tree.Comments))
			var commas []int
			for _, span := range tree.TrailingCommas {
				assert.Equal(t, ",", cut(test.text, span))
				commas = append(commas, span.Start)
			}
			assert.Equal(t, test.commas, commas)
			assert.Equal(t, test.bom, tree.BOM)
			written, err := json.Marshal(value(tree.Root))
			require.NoError(t, err)
			assert.Equal(t, test.json, string(written))
		})
	}
}

// value turns a node into what encoding/json would return.
func value(node *syntax.Node) any {
	switch node.Kind {
	case syntax.Object:
		object := map[string]any{}
		for _, member := range node.Nodes {
			object[member.Name] = value(member)
		}
		return object
	case syntax.Array:
		array := []any{}
		for _, element := range node.Nodes {
			array = append(array, value(element))
		}
		return array
	case syntax.String:
		return node.Text
	case syntax.Number:
		return json.Number(node.Text)
	case syntax.Bool:
		return node.Text == "true"
	}
	return nil
}

func TestParseJSONOffsetsBehindByteOrderMark(t *testing.T) {
	const text = "\ufeff{\"a\":\"b\"}"
	member := parse(t, text).Root.Nodes[0]
	assert.Equal(t, syntax.Span{Start: 4, End: 7}, member.Key)
	assert.Equal(t, syntax.Span{Start: 8, End: 11}, member.Value)
}

func TestParseJSONDuplicates(t *testing.T) {
	type pair struct{ first, again, object string } // values of the members, text of the object
	tests := []struct {
		name string
		text string
		want []pair
	}{
		{"none", `{"a":1,"b":2}`, nil},
		{"case matters", `{"a":1,"A":2}`, nil},
		{"one name in two objects", `[{"a":1},{"a":2}]`, nil},
		{"elements are not keys", `["a","a"]`, nil},
		{"two", `{"a":1,"a":2}`, []pair{{"1", "2", `{"a":1,"a":2}`}}},
		{"three", `{"a":1,"a":2,"a":3}`, []pair{
			{"1", "2", `{"a":1,"a":2,"a":3}`},
			{"1", "3", `{"a":1,"a":2,"a":3}`},
		}},
		{"decoded", `{"a":1,"\u0061":2}`, []pair{{"1", "2", `{"a":1,"\u0061":2}`}}},
		{"empty keys", `{"":1,"":2}`, []pair{{"1", "2", `{"":1,"":2}`}}},
		{"the outer key comes before the inner one", `{"a":1,"a":{"b":2,"b":3},"a":4}`, []pair{
			{"1", `{"b":2,"b":3}`, `{"a":1,"a":{"b":2,"b":3},"a":4}`},
			{"2", "3", `{"b":2,"b":3}`},
			{"1", "4", `{"a":1,"a":{"b":2,"b":3},"a":4}`},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []pair
			for _, d := range parse(t, test.text).Duplicates {
				got = append(got, pair{cut(test.text, d.First.Value), cut(test.text, d.Again.Value), cut(test.text, d.Object)})
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// Objects of every size find the same duplicates, however they look for them.
func TestParseJSONDuplicatesOfBigObjects(t *testing.T) {
	for _, size := range []int{2, 15, 16, 17, 18, 100_000} {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, `"server-%d":%d,`, i, i)
		}
		text := "{" + b.String() + `"server-1":"again","server-1":"and again"}`
		tree := parse(t, text)
		require.Len(t, tree.Duplicates, 2, size)
		assert.Equal(t, "1", tree.Duplicates[0].First.Text)
		assert.Equal(t, "again", tree.Duplicates[0].Again.Text)
		assert.Equal(t, "1", tree.Duplicates[1].First.Text)
		assert.Equal(t, "and again", tree.Duplicates[1].Again.Text)
		assert.Equal(t, "and again", tree.Root.Get("server-1").Text, "the last one counts")
	}
}

func TestParseJSONChildListsDoNotOverlap(t *testing.T) {
	root := parse(t, `[[1,2],[3,4]]`).Root
	first, second := root.Nodes[0], root.Nodes[1]
	_ = append(first.Nodes, nil)
	assert.Equal(t, "3", second.Nodes[0].Text)
}

func TestParseJSONErrors(t *testing.T) {
	tests := []struct {
		name    string
		text    string // «» marks the span of the error
		message string
	}{
		// Nothing there.
		{"empty", "«»", "the file is empty: expected an object"},
		{"white space only", "«» \r\n\t", "the file is empty: expected an object"},
		{"byte order mark only", "\ufeff«»", "the file is empty: expected an object"},
		{"comments only", "«»// a\n/* b */", "the file contains only comments: expected an object"},

		// Never closed.
		{"object", `«{»"a": 1`, `"{" is never closed`},
		{"array", `{"a": «[»1, 2`, `"[" is never closed`},
		{"after bracket", "«{»", `"{" is never closed`},
		{"after key", `«{»"a"`, `"{" is never closed`},
		{"after colon", `«{»"a":`, `"{" is never closed`},
		{"after comma", `«[»1,`, `"[" is never closed`},
		{"after comment", `«[»1 // ]`, `"[" is never closed`},
		{"object by the wrong bracket", `[«{»"a": 1]`, `"{" is never closed: found "]" instead of "}"`},
		{"empty object by the wrong bracket", `[«{»]`, `"{" is never closed: found "]" instead of "}"`},
		{"array by the wrong bracket", `{"a": «[»1, 2}`, `"[" is never closed: found "}" instead of "]"`},
		{"empty array by the wrong bracket", `{"a": «[»}`, `"[" is never closed: found "}" instead of "]"`},
		{"array by the wrong bracket after comma", `{"a": «[»1,}`, `"[" is never closed: found "}" instead of "]"`},
		{"bracket that closes nothing", `{"a": 1«]»}`, `"]" closes nothing: expected "}"`},
		{"brace that closes nothing", `[1«}»]`, `"}" closes nothing: expected "]"`},
		{"string", `{"a": «"b}»`, "this string is never closed"},
		{"string at the end of its line", "{\"a\": «\"b,»\n\"c\": 1}", "this string is never closed"},
		{"string at the end of its CRLF line", "{\"a\": «\"b,»\r\n\"c\": 1}", "this string is never closed"},
		{"string that ends in a backslash", `«"a\»`, "this string is never closed"},
		{"string that ends its line in a backslash", "[«\"a\\»\n\"]", "this string is never closed"},
		{"string that ends its CRLF line in a backslash", "[\"a\",«\"b\\»\r\n\"]", "this string is never closed"},
		{"string that ends in an escaped quote", `[«"C:\"]»`, "this string is never closed"},
		{"key", `{«"a: 1}»`, "this string is never closed"},
		{"block comment", "{} «/* a»\n b", `"/*" is never closed`},
		{"block comment after a bracket", "[«/* a»", `"/*" is never closed`},
		{"block comment after a key", "{\"a\"«/* a»", `"/*" is never closed`},
		{"block comment after a comma", "[1,«/* a»", `"/*" is never closed`},
		{"block comment before everything", "«/* a»", `"/*" is never closed`},
		{"block comment of a slash", "{}«/*/»", `"/*" is never closed`},

		// Commas and colons.
		{"missing comma before a key", `{"a": 1 «"b"»: 2}`, `expected a comma before "b"`},
		{"missing comma before a long key", `{"a": 1 «"a-server-with-a-long-name"»: 2}`, `expected a comma before "a-server-with-a-…"`},
		{"missing comma before a string", `["-y" «"sk-secret"»]`, "expected a comma before this string"},
		{"missing comma before an object", `[{} «{»}]`, `expected a comma before "{"`},
		{"missing comma before an array", `[[] «[»]]`, `expected a comma before "["`},
		{"missing comma before a number", `[1 «-2.5»]`, `expected a comma before "-2.5"`},
		{"missing comma before a word", `[1 «true»]`, `expected a comma before "true"`},
		{"other separator in an object", `{"a": 1«;» "b": 2}`, `expected a comma or "}", found ";"`},
		{"other separator in an array", `["a"«:» 1]`, `expected a comma or "]", found ":"`},
		{"concatenation", `["a" «+» "b"]`, `expected a comma or "]", found "+"`},
		{"missing colon", `{"a" «"b"»}`, `expected a colon after the key "a"`},
		{"missing colon before a brace", `{"a" «{»}}`, `expected a colon after the key "a"`},
		{"other colon", `{"a" «=» 1}`, `expected a colon after the key "a"`},
		{"key only", `{"a"«}»`, `expected a colon after the key "a"`},
		{"key and comma", `{"a"«,» "b"}`, `expected a colon after the key "a"`},

		// Values and keys that are missing or of the wrong kind.
		{"comma only in an object", `{«,»}`, `expected a key in double quotes, found ","`},
		{"comma only in an array", `[«,»]`, `expected a value, found ","`},
		{"two commas in an object", `{"a":1,«,»}`, `expected a key in double quotes, found ","`},
		{"two commas in an array", `[1,«,»2]`, `expected a value, found ","`},
		{"no value", `{"a":«}»`, `expected a value, found "}"`},
		{"no value in an array of objects", `[{"a":«]»`, `expected a value, found "]"`},
		{"no value before a comma", `{"a":«,» "b":1}`, `expected a value, found ","`},
		{"object as key", `{«{»}: 1}`, `expected a key in double quotes, found "{"`},
		{"unquoted key", `{«command»: "npx"}`, `the key "command" needs double quotes`},
		{"unquoted key of the kind of a path", `{«@acme/mcp-server»: {}}`, `the key "@acme/mcp-server" needs double quotes`},
		{"number as key", `{«1»: 2}`, `the key "1" needs double quotes`},
		{"literal as key", `{«null»: 2}`, `the key "null" needs double quotes`},
		{"single quotes", `{"a": «'b, c'»}`, "a string needs double quotes, not single quotes"},
		{"single quotes around a key", `{«'it\'s'»: 1}`, "a string needs double quotes, not single quotes"},
		{"single quote that is never closed", "[«'a]»\n]", "a string needs double quotes, not single quotes"},
		{"backquotes", "[«`a`»]", "a string needs double quotes, not single quotes"},
		{"backquotes around what begins with n", "[«`npx`»]", "a string needs double quotes, not single quotes"},
		{"line break of PowerShell", "{«`n»  \"a\": 1`n}", "`n is how PowerShell writes a line break or a tab, and JSON does not support it"},
		{"curly quotes", `[«“a”»]`, "a string needs straight double quotes, not curly ones"},
		{"curly single quotes", `[«‘a’»]`, "a string needs double quotes, not single quotes"},
		{"unquoted string", `{"command": «npx»}`, `expected a value, found "npx": a string needs double quotes`},
		{"unquoted path", `{"command": «/usr/bin/node»}`, `unexpected "/usr/bin/node": a string needs double quotes`},
		{"unquoted secret", `{"token": «abcdefghijklmnopqrstuvwxyz»}`, `expected a value, found "abcdefghijklmnop…": a string needs double quotes`},
		{"unquoted word beyond ASCII", `[«größe»]`, `expected a value, found "größe": a string needs double quotes`},
		{"placeholder", `[«<»token>]`, `expected a value, found "<"`},
		{"start of a literal", `[«tru»]`, `expected a value, found "tru": a string needs double quotes`},
		{"more than a literal", `[«nullable»]`, `expected a value, found "nullable": a string needs double quotes`},

		// Other languages.
		{"True", `[«True»]`, `JSON writes true, not "True"`},
		{"FALSE", `[«FALSE»]`, `JSON writes false, not "FALSE"`},
		{"Null", `[«Null»]`, `JSON writes null, not "Null"`},
		{"None", `[«None»]`, `JSON has no "None": write null`},
		{"nil", `[«nil»]`, `JSON has no "nil": write null`},
		{"undefined", `[«undefined»]`, `JSON has no "undefined": write null`},
		{"NaN", `[«NaN»]`, `JSON has no "NaN": write null or a string`},
		{"-Infinity", `[«-Infinity»]`, `JSON has no "-Infinity": write null or a string`},
		{"hash comment", "{\n«#» a\n}", "a comment begins with // or /*, not #"},
		{"hash comment at the end", "{} «#» a", "a comment begins with // or /*, not #"},
		{"slash", "{ «/» a\n}", `unexpected "/": a comment begins with // or /*`},
		{"conflict, ours", "{\n«<<<<<<<» HEAD\n", "unresolved merge conflict marker"},
		{"conflict, base", "{\"a\": 1,\n«|||||||» 1234567\n", "unresolved merge conflict marker"},
		{"conflict, middle", "{\"a\": 1\r\n«=======»\r\n", "unresolved merge conflict marker"},
		{"conflict, theirs", "{}\n«>>>>>>>» feature\n", "unresolved merge conflict marker"},
		{"no conflict within a line", "{ «<»<<<<<< HEAD", `expected a key in double quotes, found "<"`},
		{"web page", "«<»!DOCTYPE html>", `expected a value, found "<"`},

		// Numbers.
		{"plus sign", `[«+1»]`, "a number has no plus sign"},
		{"minus sign only", `[«-»]`, "expected a number after the minus sign"},
		{"leading zero", `[«01»]`, "a number has no leading zeros"},
		{"leading zero of a negative number", `[«-00.5»]`, "a number has no leading zeros"},
		{"no digit before the point", `[«.5»]`, "a number needs a digit before its decimal point"},
		{"no digit after the point", `[«1.»]`, "a number needs a digit after its decimal point"},
		{"no digit in the exponent", `[«1e+»]`, `invalid number "1e+" (a string needs double quotes)`},
		{"hexadecimal", `[«0x1F»]`, `invalid number "0x1F" (a string needs double quotes)`},
		{"underscore", `[«1_000»]`, `invalid number "1_000" (a string needs double quotes)`},
		{"letter after a decimal point", `[«.5a»]`, `invalid number ".5a" (a string needs double quotes)`},
		{"version", `[«1.2.3»]`, `invalid number "1.2.3" (a string needs double quotes)`},
		{"version with zero", `[«0.1.3»]`, `invalid number "0.1.3" (a string needs double quotes)`},

		// Strings.
		{"tab", "[\"a«\t»b\"]", `a control character in a string must be written as \t`},
		{"NUL", "[\"«\x00»\"]", `a control character in a string must be written as \u0000`},
		{"last control character", "[\"«\x1f»\"]", `a control character in a string must be written as \u001f`},
		{"escape character after an escape", "[\"\\n«\x1b»[31m\"]", `a control character in a string must be written as \u001b`},
		{"Windows path", `{"command": "C:«\T»ools\x.exe"}`, `invalid escape \T: a backslash is written as \\`},
		{"escape of a wide character", `["«\名»"]`, `invalid escape \名: a backslash is written as \\`},
		{"escape of a control character", "[\"«\\\x01»\"]", `invalid escape \\x01: a backslash is written as \\`},
		{"Windows home", `["C:«\u»sers"]`, `invalid escape \u: \u needs four hexadecimal digits, and a backslash is written as \\`},
		{"short code", `["«\u12»"]`, `invalid escape \u12: \u needs four hexadecimal digits, and a backslash is written as \\`},
		{"short code at the end", `"«\u123»`, `invalid escape \u123: \u needs four hexadecimal digits, and a backslash is written as \\`},

		// Characters that no token begins with.
		{"control character", "{«\x00»}", `unexpected character "\x00"`},
		{"no-break space", "{«\u00a0»\"a\": 1}", `unexpected character "\u00a0"`},
		{"zero width space", "[1,«\u200b»2]", `unexpected character "\u200b"`},
		{"override of direction", "[«\u202e»1]", `unexpected character "\u202e"`},
		{"second byte order mark", "\ufeff«\ufeff»{}", `unexpected character "\ufeff"`},
		{"form feed", "[«\f»1]", `unexpected character "\f"`},

		// After the end.
		{"second document", `{} «{»}`, `unexpected "{" after the end of the document`},
		{"comma", `{}«,»`, `unexpected "," after the end of the document`},
		{"one brace too many", `{}«}»`, `unexpected "}" after the end of the document`},
		{"word", "{}\n«done»", `unexpected "done" after the end of the document`},
		{"string", `1 «"sk-secret"»`, "unexpected string after the end of the document"},

		// Encoding.
		{"invalid UTF-8", "{\"a\": \"«\xff\xfe»b\"}", "invalid UTF-8"},
		{"truncated UTF-8", "{\"a\": \"«\xe5\x90»\"}", "invalid UTF-8"},
		{"invalid UTF-8 before anything else", "{,} // «\xc0\x80»\n\xff", "invalid UTF-8"},
		{"surrogate in UTF-8", "\"\u540d«\xed\xa0\x80»\"", "invalid UTF-8"},
		{"UTF-16, little-endian", "«\xff\xfe»{\x00}\x00", "the file is in UTF-16: save it as UTF-8"},
		{"UTF-16 without a mark", "{«\x00»}\x00", "the file is in UTF-16: save it as UTF-8"},
		{"UTF-16 without a mark, big-endian", "«\x00»{\x00}", "the file is in UTF-16: save it as UTF-8"},
		{"UTF-32", "{«\x00»\x00\x00}\x00\x00\x00", "the file is in UTF-32: save it as UTF-8"},
		{"nothing but zeros", "«\x00»\x00\x00\x00", `unexpected character "\x00"`},
		{"UTF-16, big-endian", "«\xfe\xff»\x00{\x00}", "the file is in UTF-16: save it as UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, rest, _ := strings.Cut(test.text, "«")
			within, after, found := strings.Cut(rest, "»")
			require.True(t, found, "the span is marked")
			tree, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", []byte(before+within+after)))
			assert.Nil(t, tree)
			var got *syntax.Error
			require.ErrorAs(t, err, &got)
			assert.Equal(t, test.message, got.Message(asWritten))
			assert.Equal(t, syntax.Span{Start: len(before), End: len(before) + len(within)}, got.Span)
		})
	}
}

// TestErrorsHideBeforeTheyCut checks that who words an error sees all of what it
// quotes: half of a credential would not be recognised as one.
func TestErrorsHideBeforeTheyCut(t *testing.T) {
	token := "user/" + strings.Repeat("x", 8) + "@h.test"
	hide := func(text string) string { return strings.ReplaceAll(text, token, "***") }
	for _, test := range []struct{ text, want string }{
		{`{"a": ` + token + `}`, `expected a value, found "***": a string needs double quotes`},
		{`{"` + token + `" 1}`, `expected a colon after the key "***"`},
		{`{"a": 1 "` + token + `": 2}`, `expected a comma before "***"`},
	} {
		_, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", []byte(test.text)))
		var got *syntax.Error
		require.ErrorAs(t, err, &got)
		assert.Equal(t, test.want, got.Message(hide))
		assert.NotContains(t, err.Error(), "user")
	}
}

func TestErrorTexts(t *testing.T) {
	_, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", []byte("{,}")))
	assert.EqualError(t, err, `expected a key in double quotes, found "…" (at byte 1)`, "nothing of the file")
	assert.EqualError(t, &syntax.LimitError{Message: "too big"}, "too big")
}

func TestNodeGet(t *testing.T) {
	root := parse(t, `{"a": {"b": "1", "b": "2"}, "list": [{"b": "3"}]}`).Root
	assert.Equal(t, "2", root.At("a", "b").Text, "the last of a repeated key")
	assert.True(t, root.At("a", "b").IsString())
	assert.Same(t, root, root.At())

	assert.Nil(t, root.Get("b"))
	assert.Nil(t, root.Get("list").Get("b"), "an array has no members")
	assert.Nil(t, root.At("none", "b"))
	assert.False(t, root.Get("a").IsString())
	assert.False(t, root.Get("none").IsString())
}

func TestKindNames(t *testing.T) {
	var names []string
	for _, element := range parse(t, `[null, true, 1, "", [], {}]`).Root.Nodes {
		names = append(names, element.Kind.String())
	}
	assert.Equal(t, []string{"null", "boolean", "number", "string", "array", "object"}, names)
}

func TestParseJSONLimits(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	padded := func(size int) string { return "{}" + strings.Repeat(" ", size-2) }
	objects := strings.Repeat(`{"a":`, syntax.MaxDepth)
	tests := []struct {
		name    string
		text    string
		message string // empty: within the limits
	}{
		{"deepest", nested(syntax.MaxDepth), ""},
		{"deepest objects", objects + "1" + strings.Repeat("}", syntax.MaxDepth), ""},
		{"wide, not deep", "[" + strings.Repeat("[],", 2*syntax.MaxDepth) + "]", ""},
		{"one too deep", "[\n\n" + strings.Repeat(" ", 8) + nested(syntax.MaxDepth), "nested deeper than 1,000 levels at line 3, column 1008"},
		{"objects, one too deep", objects + "{}", "nested deeper than 1,000 levels at line 1, column 5001"},
		{"never closed", strings.Repeat("[", 5_000_000), "nested deeper than 1,000 levels at line 1, column 1001"},
		{"biggest", padded(syntax.MaxBytes), ""},
		{"a byte too big", padded(syntax.MaxBytes + 1), "file is 10.1 MB, over the limit of 10 MB"},
		{"too big", padded(12_300_000), "file is 12.3 MB, over the limit of 10 MB"},
		{"too big and invalid", strings.Repeat("\xff", syntax.MaxBytes+1), "file is 10.1 MB, over the limit of 10 MB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", []byte(test.text)))
			if test.message == "" {
				require.NoError(t, err)
				return
			}
			var limit *syntax.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Equal(t, test.message, limit.Message)
		})
	}
}

// A hostile file must not make the parser allocate more than a copy of it.
func TestParseJSONDeepNestingIsCheap(t *testing.T) {
	f := syntax.NewFile(".mcp.json", []byte(strings.Repeat("[", 5_000_000)))
	allocations := testing.AllocsPerRun(1, func() {
		_, err := syntax.ParseJSON(f)
		require.Error(t, err)
	})
	assert.Less(t, allocations, 100.0)
}

func TestParseJSONManyValues(t *testing.T) {
	elements := func(n int) string { return "[" + strings.Repeat("0,", n) + "]" }
	_, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(elements(syntax.MaxJSONValues))))
	require.NoError(t, err)
	_, err = syntax.ParseJSON(syntax.NewFile("a.json", []byte(elements(syntax.MaxJSONValues+1))))
	var limit *syntax.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "more than 1,200,000 keys and values", limit.Message)
}

func TestParseJSONLeavesBytesAlone(t *testing.T) {
	const text = "\ufeff{\"\\u0061\": [1, /* b */],}\r\n"
	f := syntax.NewFile(".mcp.json", []byte(text))
	_, err := syntax.ParseJSON(f)
	require.NoError(t, err)
	assert.Equal(t, text, string(f.Bytes))
}

// TestParseJSONHalfOfAPair reads half of a surrogate pair as JSON.parse does, as an invalid
// character.
func TestParseJSONHalfOfAPair(t *testing.T) {
	for text, want := range map[string]string{
		`"\ud800"`: "\ufffd", `"a\uD83D\u0041"`: "a\ufffdA", `"\ud83d\ud83d\udd0c"`: "\ufffd🔌", `"\udd0cb"`: "\ufffdb",
	} {
		tree, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(text)))
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, tree.Root.Text, text)
			assert.Equal(t, text, cut(text, tree.Root.Value))
		}
	}
}
