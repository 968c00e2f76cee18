package syntax_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

// FuzzParseJSON compares the scanner with hujson and encoding/json: they take
// the same documents, and find the same values at the same places.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		"",
		"{}",
		`{"mcpServers":{"a":{"command":"npx","args":["-y","@acme/a@1.2.3"],"env":{"A":"${A}"}}}}`,
		"{\r\n\t\"a\" : [ true , false , null , -1.5e+10 , 0 ] ,\r\n}\r\n",
		"// a\n/* b */{/*c*/\"d\"/*e*/:/*f*/1/*g*/,/*h*/}//i",
		`[[1,],{"a":1,},]`,
		`{"a":1,"\u0061":2,"a":{"b":1,"b":2}}`,
		`["\"\\\/\b\f\n\r\t\u00e9\ud83d\udd0c", "größe 名前 🔌"]`,
		"\ufeff{}",
		"\ufeff\ufeff{}",
		"[//a\r1\r]",
		"//a\u2028b\n1",
		`{,}`, `[,]`, `[1,,2]`, `{"a"}`, `{"a":}`, `{a:1}`, `{'a':1}`, `{"a":1 "b":2}`, `[1}`, `{"a":1]`, `{}{}`,
		`01`, `1.`, `.5`, `+1`, `-`, `1e`, `0x1F`, `1.2.3`, `tru`, `True`, `NaN`,
		`"`, `"\`, `"\u12`, `"\ud800"`, `"\udc00\ud800"`, "\"\x00\"", "\"\n\"", "\"\t\"",
		"/", "/*", "/*/", "//", "#", "<<<<<<< HEAD\n",
		"\xff", "\"\xc0\x80\"", "//\xff\n1", "\xff\xfe{\x00}\x00",
		strings.Repeat("[", 20) + strings.Repeat("]", 20),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := syntax.ParseJSON(syntax.NewFile("a.json", bytes.Clone(data)))
		if err != nil {
			checkError(t, data, err)
		} else {
			checkTree(t, data, tree)
		}
		if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) <= syntax.MaxDepth { // hujson recurses
			compareWithHuJSON(t, data, tree, err)
		}
	})
}

// checkError checks what holds for every error.
func checkError(t *testing.T, data []byte, err error) {
	t.Helper()
	var syntaxError *syntax.Error
	require.ErrorAs(t, err, &syntaxError)
	span, message := syntaxError.Span, syntaxError.Message(asWritten)
	require.True(t, 0 <= span.Start && span.Start <= span.End && span.End <= len(data), "span %v", span)
	if span.Start == span.End {
		require.Contains(t, message, "expected an object", "only an empty document has nothing to show")
	}
	require.NotContains(t, string(data[span.Start:span.End]), "\n", "an error lies on one line")
	require.True(t, utf8.ValidString(message), "%q", message)
	require.Equal(t, -1, strings.IndexFunc(message, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", message)
	require.NotContains(t, message, "%!", "a message without format errors")
}

// checkTree checks what holds for every tree.
func checkTree(t *testing.T, data []byte, tree *syntax.Tree) {
	t.Helper()
	require.True(t, utf8.Valid(data))
	file := syntax.Span{Start: 0, End: len(data)}
	require.True(t, file.Contains(tree.Root.Value))
	checkNode(t, data, tree.Root)
	checkOrder(t, file, tree.Comments)
	checkOrder(t, file, tree.TrailingCommas)

	require.Equal(t, duplicates(tree.Root), len(tree.Duplicates))
	for i, d := range tree.Duplicates {
		require.Equal(t, d.First.Name, d.Again.Name)
		require.Less(t, d.First.Key.Start, d.Again.Key.Start)
		require.True(t, d.Object.Contains(d.First.Key) && d.Object.Contains(d.Again.Value))
		require.True(t, i == 0 || tree.Duplicates[i-1].Again.Key.Start < d.Again.Key.Start)
	}
}

// checkNode checks that keys and values follow each other inside their parent.
func checkNode(t *testing.T, data []byte, node *syntax.Node) {
	t.Helper()
	at := node.Value.Start + 1
	for _, child := range node.Nodes {
		if node.Kind == syntax.Object {
			require.LessOrEqual(t, at, child.Key.Start)
			require.Less(t, child.Key.End, child.Value.Start)
			require.Equal(t, `""`, string(data[child.Key.Start])+string(data[child.Key.End-1]))
			require.True(t, utf8.ValidString(child.Name))
		} else {
			require.True(t, child.Key.IsZero())
		}
		require.LessOrEqual(t, at, child.Value.Start)
		require.Less(t, child.Value.Start, child.Value.End)
		require.Less(t, child.Value.End, node.Value.End)
		at = child.Value.End
		checkNode(t, data, child)
	}
	require.True(t, utf8.ValidString(node.Text))
}

// checkOrder checks that spans follow each other.
func checkOrder(t *testing.T, within syntax.Span, spans []syntax.Span) {
	t.Helper()
	at := within.Start
	for _, span := range spans {
		require.LessOrEqual(t, at, span.Start)
		require.Less(t, span.Start, span.End)
		at = span.End
	}
	require.LessOrEqual(t, at, within.End)
}

// duplicates counts the members whose name an earlier one of the object has.
func duplicates(node *syntax.Node) int {
	count := 0
	seen := map[string]bool{}
	for _, child := range node.Nodes {
		if node.Kind == syntax.Object && seen[child.Name] {
			count++
		}
		seen[child.Name] = true
		count += duplicates(child)
	}
	return count
}

// compareWithHuJSON checks that hujson agrees, where it should.
func compareWithHuJSON(t *testing.T, data []byte, tree *syntax.Tree, err error) {
	t.Helper()
	if !utf8.Valid(data) {
		require.Error(t, err, "hujson takes invalid UTF-8 in strings, a client's parser may not")
		return
	}
	data = forHuJSON(data)
	value, huErr := hujson.Parse(data)
	if huErr != nil && strings.HasSuffix(huErr.Error(), "in line comment") {
		return // hujson refuses U+2028 and U+2029 in a line comment; VS Code reads on
	}
	if huErr != nil {
		require.Error(t, err, "hujson: %v", huErr)
		return
	}
	require.NoError(t, err, "hujson takes it")

	shift := 0 // hujson has not seen the byte order mark
	if tree.BOM {
		shift = len("\ufeff")
	}
	compareSpans(t, tree.Root, &value, shift)
	compareValues(t, data, tree, shift)
}

// forHuJSON removes what hujson takes differently on purpose: it refuses a byte
// order mark and a line comment at the end of the file, and it does not end a
// line comment at a lone CR.
func forHuJSON(data []byte) []byte {
	data = append(bytes.TrimPrefix(bytes.Clone(data), []byte("\ufeff")), '\n')
	for i, c := range data {
		if c == '\r' && data[i+1] != '\n' {
			data[i] = '\n'
		}
	}
	return data
}

// compareSpans checks that keys and values are where hujson has them.
func compareSpans(t *testing.T, node *syntax.Node, value *hujson.Value, shift int) {
	t.Helper()
	require.Equal(t, spanOf(value, shift), node.Value)
	switch composite := value.Value.(type) {
	case *hujson.Object:
		require.Equal(t, syntax.Object, node.Kind)
		require.Len(t, node.Nodes, len(composite.Members))
		for i := range composite.Members {
			require.Equal(t, spanOf(&composite.Members[i].Name, shift), node.Nodes[i].Key)
			compareSpans(t, node.Nodes[i], &composite.Members[i].Value, shift)
		}
	case *hujson.Array:
		require.Equal(t, syntax.Array, node.Kind)
		require.Len(t, node.Nodes, len(composite.Elements))
		for i := range composite.Elements {
			compareSpans(t, node.Nodes[i], &composite.Elements[i], shift)
		}
	}
}

func spanOf(value *hujson.Value, shift int) syntax.Span {
	return syntax.Span{Start: value.StartOffset + shift, End: value.EndOffset + shift}
}

// compareValues checks that what is left without comments and trailing commas
// is what hujson leaves, and that encoding/json reads the same values in it.
func compareValues(t *testing.T, data []byte, tree *syntax.Tree, shift int) {
	t.Helper()
	standard, err := hujson.Standardize(bytes.Clone(data))
	require.NoError(t, err)
	blanked := bytes.Clone(data)
	for _, span := range slices.Concat(tree.Comments, tree.TrailingCommas) {
		for i := span.Start - shift; i < span.End-shift; i++ {
			if !strings.ContainsRune(" \t\r\n", rune(blanked[i])) {
				blanked[i] = ' '
			}
		}
	}
	require.Equal(t, string(standard), string(blanked))

	decoder := json.NewDecoder(bytes.NewReader(standard))
	decoder.UseNumber()
	var want any
	require.NoError(t, decoder.Decode(&want))
	require.Equal(t, want, value(tree.Root))
}
