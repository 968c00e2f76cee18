package edit_test

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestCases runs the cases of testdata/edit. A case is a file, named by what the
// case shows, then "change", a change a line, and then "after" or "refused".
//
// A change names a value by the way to it, /servers/a/args/0, and writes values
// as JSON.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "edit", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for i := 0; i+2 < len(archive.Files); i += 3 {
			before, change, after := archive.Files[i], archive.Files[i+1], archive.Files[i+2]
			t.Run(name+"/"+before.Name, func(t *testing.T) {
				require.Equal(t, "change", change.Name)
				file := syntax.NewFile("a."+strings.TrimPrefix(name, "front-matter-"), before.Data)
				got, err := apply(file, changes(t, file, string(change.Data)))
				if after.Name == "refused" {
					var refusal *edit.Refusal
					require.ErrorAs(t, err, &refusal)
					assert.Equal(t, strings.TrimSpace(string(after.Data)), refusal.Reason)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, string(after.Data), got)
			})
		}
	}
}

// A file keeps its line endings, its byte order mark and its last line as it is.
func TestBytesAroundChanges(t *testing.T) {
	for name, test := range map[string]struct{ before, change, after string }{
		"CRLF": {
			"{\r\n  \"a\": 1, // one\r\n  \"b\": 2\r\n}\r\n",
			`insert / "c" {"d": 3}`,
			"{\r\n  \"a\": 1, // one\r\n  \"b\": 2,\r\n  \"c\": {\r\n    \"d\": 3\r\n  }\r\n}\r\n",
		},
		"CRLF, removed":        {"{\r\n  \"a\": 1, // one\r\n  \"b\": 2\r\n}\r\n", "remove /a", "{\r\n  \"b\": 2\r\n}\r\n"},
		"byte order mark":      {"\ufeff{\"a\": 1}", `rename /a "b"`, "\ufeff{\"b\": 1}"},
		"the mark itself":      {"\ufeff{\"a\": 1}", `remove-text "\ufeff"`, "{\"a\": 1}"},
		"no line end":          {"[\n  1\n]", "append / 2", "[\n  1,\n  2\n]"},
		"tabs":                 {"{\n\t\"a\": {}\n}\n", `insert /a "b" 1`, "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n"},
		"control characters":   {`{"a": 1}`, `rename /a "\n\u0000\u2028é"`, `{"\n\u0000\u2028é": 1}`},
		"a value of no object": {`"a"`, `replace / [1]`, `[1]`},
	} {
		t.Run(name, func(t *testing.T) {
			file := syntax.NewFile("a.json", []byte(test.before))
			after, err := apply(file, changes(t, file, test.change))
			require.NoError(t, err)
			assert.Equal(t, test.after, after)
		})
	}
}

// The edits have only what the change names: the lines of a removed member, the key of a rename.
func TestLowerIsMinimal(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("{\n  \"a\": 1,\n  \"b\": {\"c\": 2}\n}\n"))
	edits, err := edit.Lower(changes(t, file, "remove /a\nrename /b/c \"d\"\nrename /b/c \"d\""))
	require.NoError(t, err)
	require.Len(t, edits, 2)
	assert.Equal(t, syntax.Edit{File: file, Span: spanOf(t, file, "  \"a\": 1,\n")}, edits[0])
	assert.Equal(t, syntax.Edit{File: file, Span: spanOf(t, file, `"c"`), New: `"d"`}, edits[1])
}

// Changes of several files are lowered together, each file by itself. Two Files
// of one path and content are one.
func TestLowerFiles(t *testing.T) {
	b, a := syntax.NewFile("b.json", []byte(`{"a": 1, "b": 2}`)), syntax.NewFile("a.json", []byte(`{"a": 1}`))
	again := syntax.NewFile("b.json", []byte(`{"a": 1, "b": 2}`))
	edits, err := edit.Lower([]edit.Change{
		edit.Rename(b, at(t, b, "/a"), "x"), edit.Rename(a, at(t, a, "/a"), "y"), edit.Rename(again, at(t, b, "/b"), "z"),
	})
	require.NoError(t, err)
	var got []string
	for _, e := range edits {
		got = append(got, e.File.Path+" "+e.New)
	}
	assert.Equal(t, []string{`a.json "y"`, `b.json "x"`, `b.json "z"`}, got)
}

// A new file is written in the language of its name.
func TestCreate(t *testing.T) {
	object := `{"servers": {"a": {"command": "npx", "args": ["-y", "a@1.2.3"], "env": {"K": "1"}}}, "inputs": []}`
	for path, want := range map[string]string{
		".vscode/mcp.json": `{
  "servers": {
    "a": {
      "command": "npx",
      "args": ["-y", "a@1.2.3"],
      "env": {
        "K": "1"
      }
    }
  },
  "inputs": []
}
`,
		"mcp.yaml": `servers:
  a:
    command: npx
    args:
      - "-y"
      - a@1.2.3
    env:
      K: "1"
inputs: []
`,
		"config.toml": `inputs = []

[servers.a]
command = "npx"
args = ["-y", "a@1.2.3"]
env = { K = "1" }
`,
	} {
		edits, err := edit.Lower([]edit.Change{edit.Create(path, value(t, &[]string{object}[0]))})
		require.NoError(t, err)
		require.Len(t, edits, 1)
		assert.Equal(t, syntax.Edit{File: &syntax.File{Path: path}, New: want}, edits[0])
	}
	for path, v := range map[string]edit.Value{"a.md": edit.Object(edit.Member{Name: "a"}), "a.json": edit.Array(), "b.json": edit.Object()} {
		_, err := edit.Lower([]edit.Change{edit.Create(path, v)})
		assert.EqualError(t, err, path+":1:1: a file cannot be created like this")
	}
}

// A file that holds nothing is written like a new one, behind its comments.
func TestCreateInEmpty(t *testing.T) {
	object := `{"servers": {"a": {"command": "npx"}}}`
	const written = "servers:\n  a:\n    command: npx\n"
	for content, want := range map[string]string{
		" \n\n":                written,
		"\uFEFF":               written,
		"{}\n":                 written,
		"null":                 written,
		"# ours":               "# ours\n" + written,
		"---\n# ours\n\n":      "---\n# ours\n" + written,
		"# a\r\n# b\r\n":       "# a\r\n# b\r\n" + strings.ReplaceAll(written, "\n", "\r\n"),
		"name: x\n":            "",
		"{} # {}\n":            "",
		"[]":                   "",
		"--- {}\n--- {}\n":     "",
		"servers: # nothing\n": "",
		"\x00":                 "",
	} {
		create := edit.Create("a.yaml", value(t, &[]string{object}[0]))
		create.File = syntax.NewFile("a.yaml", []byte(content))
		assert.Equal(t, want != "", edit.IsEmpty(create.File), "%q", content)
		edits, err := edit.Lower([]edit.Change{create})
		if want == "" {
			assert.EqualError(t, err, "a.yaml:1:1: a file cannot be created like this", "%q", content)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, string(edit.Apply([]byte(content), edits)))
	}
	for path, content := range map[string]string{"a.json": "// {}\n/* [] */", "a.toml": "\n"} {
		assert.True(t, edit.IsEmpty(syntax.NewFile(path, []byte(content))), path)
	}
	for path, content := range map[string]string{"a.json": "{ // ours\n}", "a.toml": "# ours\n"} {
		assert.False(t, edit.IsEmpty(syntax.NewFile(path, []byte(content))), path)
	}
}

// Validate finds what a rule got wrong, and passes what is only impossible.
func TestValidate(t *testing.T) {
	file := syntax.NewFile("a.json", []byte(`{"a": {"b": 1}}`))
	changed := syntax.NewFile("a.json", []byte(`{"a": {"b": 2}}`))
	a, b := at(t, file, "/a"), at(t, file, "/a/b")
	for want, changes := range map[string][]edit.Change{
		"a place without a file":                                       {{Op: edit.OpRemove}},
		"bytes -1 to 4 are not in a.json":                              {edit.Remove(file, syntax.Span{Start: -1, End: 4})},
		"bytes 3 to 2 are not in a.json":                               {edit.Remove(file, syntax.Span{Start: 3, End: 2})},
		"bytes 0 to 16 are not in a.json":                              {edit.Insert(file, a, "c", null, edit.Where{Place: edit.After, Beside: syntax.Span{End: 16}})},
		"a change of a.json says nothing":                              {{File: file, At: a}},
		"a change of a.json: the number to write is not one of JSON's": {edit.Replace(file, a, number("x"))},
		"two changes are for different contents of a.json":             {edit.Remove(file, a), edit.Rename(changed, b, "c")},
		"two changes exclude each other at byte 1 of a.json":           {edit.Remove(file, a), edit.Rename(file, a, "c")},
		"two changes cut each other at byte 2 of a.json":               {edit.Rename(file, a, "c"), edit.Rename(file, syntax.Span{Start: 2, End: 6}, "c")},
	} {
		assert.EqualError(t, edit.Validate(changes), want)
	}
	for _, changes := range [][]edit.Change{
		nil,
		{edit.Rename(file, a, "c"), edit.Rename(file, a, "c")},
		{edit.Insert(file, a, "c", null, edit.Where{}), edit.Insert(file, a, "d", null, edit.Where{})},
		{edit.Remove(file, a), edit.Remove(syntax.NewFile("b.json", []byte(`{"a": 1}`)), a)},
	} {
		assert.NoError(t, edit.Validate(changes))
	}
}

func TestRefusals(t *testing.T) {
	file := syntax.NewFile("d/a.json", []byte("{\n  \"a\": [1, {\"b\": 2}],\n  \"c\": \"\\u0061b\"\n}"))
	broken := syntax.NewFile("d/a.json", []byte("{"))
	key := at(t, file, "/a")
	inEscape := spanOf(t, file, "61")
	for want, changes := range map[string][]edit.Change{
		"d/a.json:1:1: the file does not parse":                                             {edit.Remove(broken, syntax.Span{End: 1})},
		"d/a.json:1:1: the value of the whole file cannot be removed":                       {edit.Remove(file, syntax.Span{End: len(file.Bytes)})},
		"d/a.json:2:4: this is only a part of a value":                                      {edit.Remove(file, syntax.Span{Start: key.Start + 1, End: key.End})},
		"d/a.json:2:5: there is nothing to change at this place":                            {edit.Remove(file, syntax.Span{Start: key.Start + 2, End: key.End + 1})},
		"d/a.json:2:9: only keys and strings have a text to change":                         {edit.Rename(file, at(t, file, "/a/0"), "x")},
		"d/a.json:2:9: there is nothing to change at this place":                            {edit.Insert(file, at(t, file, "/a/0"), "x", null, edit.Where{})},
		"d/a.json:2:3: there is nothing to change at this place":                            {edit.Insert(file, key, "x", null, edit.Where{})},
		"d/a.json:2:3: there is no such neighbour":                                          {edit.Append(file, key, null, edit.Where{Place: edit.Before, Beside: key})},
		"d/a.json:2:3: two changes exclude each other":                                      {edit.Rename(file, key, "x"), edit.Rename(file, key, "y")},
		"d/a.json:2:9: two changes exclude each other":                                      {edit.Replace(file, at(t, file, "/a/0"), null), edit.Replace(file, at(t, file, "/a/0"), edit.Bool(true))},
		"d/a.json:2:3: the number to write is not one of JSON's":                            {edit.Replace(file, key, edit.Array(number("0x1")))},
		"d/a.json:2:3: the value to write has a key twice":                                  {edit.Replace(file, key, edit.Object(edit.Member{Name: "a"}, edit.Member{Name: "a"}))},
		"d/a.json:2:3: the name to write is not valid UTF-8":                                {edit.Rename(file, key, "\xff")},
		"d/a.json:3:8: a part of a text that is written like this cannot be changed safely": {edit.Rename(file, inEscape, "x")},
	} {
		_, err := edit.Lower(changes)
		assert.EqualError(t, err, want)
	}
}

// apply makes the changes of one file.
func apply(file *syntax.File, changes []edit.Change) (string, error) {
	edits, err := edit.Lower(changes)
	return string(edit.Apply(file.Bytes, edits)), err
}

// changes reads changes, a line each.
func changes(t *testing.T, file *syntax.File, text string) []edit.Change {
	t.Helper()
	var list []edit.Change
	for line := range strings.Lines(text) {
		list = append(list, readChange(t, file, strings.TrimSpace(line)))
	}
	return list
}

func readChange(t *testing.T, file *syntax.File, line string) edit.Change {
	t.Helper()
	op, rest, _ := strings.Cut(line, " ")
	if op == "remove-text" { // a comment, a comma
		return edit.Remove(file, spanOf(t, file, literal(t, &rest)))
	}
	path, rest, _ := strings.Cut(rest, " ")
	span := at(t, file, path)
	switch op {
	case "rename":
		return edit.Rename(file, span, literal(t, &rest))
	case "rename-part":
		part, name := literal(t, &rest), literal(t, &rest)
		start := span.Start + strings.Index(string(file.Bytes[span.Start:span.End]), part)
		return edit.Rename(file, syntax.Span{Start: start, End: start + len(part)}, name)
	case "remove":
		return edit.Remove(file, span)
	case "drop":
		return edit.Drop(file, span)
	case "extend":
		return edit.Extend(file, span, literal(t, &rest), value(t, &rest), where(t, file, rest))
	case "replace":
		return edit.Replace(file, span, value(t, &rest))
	case "insert":
		return edit.Insert(file, span, literal(t, &rest), value(t, &rest), where(t, file, rest))
	case "append":
		return edit.Append(file, span, value(t, &rest), where(t, file, rest))
	}
	require.FailNow(t, "no such change", line)
	return edit.Change{}
}

// where reads a place: "", "first", "before /a/b" or "after /a/b".
func where(t *testing.T, file *syntax.File, text string) edit.Where {
	t.Helper()
	word, path, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch word {
	case "first":
		return edit.Where{Place: edit.First}
	case "before":
		return edit.Where{Place: edit.Before, Beside: at(t, file, path)}
	case "after":
		return edit.Where{Place: edit.After, Beside: at(t, file, path)}
	}
	require.Empty(t, word)
	return edit.Where{}
}

// at returns the span of a member's key, or of an element's value; the zero span
// is that of the root.
func at(t *testing.T, file *syntax.File, path string) syntax.Span {
	t.Helper()
	if path == "/" {
		return syntax.Span{}
	}
	n := nodeAt(t, file, path)
	if n.Key.IsZero() {
		return n.Value
	}
	return n.Key
}

func nodeAt(t *testing.T, file *syntax.File, path string) *syntax.Node {
	t.Helper()
	tree, err := parse(file)
	require.NoError(t, err)
	n := tree.Root
	for _, name := range strings.Split(strings.Trim(path, "/"), "/") {
		if name == "" {
			continue
		}
		if i, err := strconv.Atoi(name); err == nil && n.Kind == syntax.Array {
			n = n.Nodes[i]
			continue
		}
		n = n.Get(strings.ReplaceAll(name, "~1", "/"))
		require.NotNil(t, n, "%s in %s", name, path)
	}
	return n
}

// parse parses a file as its name says.
func parse(file *syntax.File) (*syntax.Tree, error) {
	switch filepath.Ext(file.Path) {
	case ".yaml":
		return syntax.ParseYAML(file)
	case ".toml":
		return syntax.ParseTOML(file)
	case ".md":
		return syntax.ParseFrontMatter(file)
	}
	return syntax.ParseJSON(file)
}

// null and number are values to write, the number as in JSON.
var null = edit.Value{Kind: syntax.Null}

func number(literal string) edit.Value { return edit.Value{Kind: syntax.Number, Text: literal} }

func spanOf(t *testing.T, file *syntax.File, text string) syntax.Span {
	t.Helper()
	start := strings.Index(string(file.Bytes), text)
	require.GreaterOrEqual(t, start, 0, text)
	return syntax.Span{Start: start, End: start + len(text)}
}

// value reads the JSON value that begins a text, and goes behind it.
func value(t *testing.T, text *string) edit.Value {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(*text))
	var raw json.RawMessage
	require.NoError(t, decoder.Decode(&raw), *text)
	*text = (*text)[decoder.InputOffset():]
	tree, err := syntax.ParseJSON(syntax.NewFile("", raw))
	require.NoError(t, err)
	return valueOf(tree.Root)
}

// literal reads the JSON string that begins a text, and goes behind it.
func literal(t *testing.T, text *string) string {
	t.Helper()
	v := value(t, text)
	require.Equal(t, syntax.String, v.Kind)
	return v.Text
}

func valueOf(n *syntax.Node) edit.Value {
	v := edit.Value{Kind: n.Kind, Text: n.Text}
	if n.Kind == syntax.Null {
		v.Text = ""
	}
	for _, child := range n.Nodes {
		if n.Kind == syntax.Object {
			v.Members = append(v.Members, edit.Member{Name: child.Name, Value: valueOf(child)})
		} else {
			v.Elements = append(v.Elements, valueOf(child))
		}
	}
	return v
}

// TestRank orders what is inserted at one place for any order of the changes, also under a new key.
func TestRank(t *testing.T) {
	file := syntax.NewFile("a.json", []byte(`{"there": {"x": 1}}`))
	tree, err := edit.Parse(file)
	require.NoError(t, err)
	there := tree.Root.Get("there")
	where := func(rank int) edit.Where { return edit.Where{Rank: rank} }
	one := func(name string) edit.Value { return edit.Object(edit.Member{Name: name, Value: number("1")}) }
	edits, err := edit.Lower([]edit.Change{
		edit.Insert(file, edit.Handle(there), "a", number("1"), where(2)),
		edit.Insert(file, edit.Handle(there), "b", number("1"), where(1)),
		edit.Extend(file, edit.Handle(tree.Root), "made", one("a"), where(2)),
		edit.Extend(file, edit.Handle(tree.Root), "made", one("b"), where(1)),
	})
	require.NoError(t, err)
	assert.JSONEq(t, `{"there": {"x": 1, "b": 1, "a": 1}, "made": {"b": 1, "a": 1}}`, string(edit.Apply(file.Bytes, edits)))
	assert.Regexp(t, `(?s)"x".*"b".*"a".*"made".*"b".*"a"`, string(edit.Apply(file.Bytes, edits)))
}
