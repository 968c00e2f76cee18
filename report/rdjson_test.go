package report

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

func TestRDJSON(t *testing.T) {
	r := sample(t)
	r.Paths = view.NewPaths(filepath.FromSlash("/work/repo"), filepath.FromSlash("/work/repo/sub"))
	assert.JSONEq(t, `{"source": {"name": "mcplumb", "url": "https://github.com/mcplumb/mcplumb"}, "diagnostics": [
 {"message": "\"vercel\" is locked under another name\nfix: rename to \"vercel-mcp\" (unsafe)",
  "location": {"path": "../.cursor/mcp.json", "range": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 13}}},
  "severity": "WARNING",
  "code": {"value": "alias-drift", "url": "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/alias-drift.md"},
  "suggestions": [{"range": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 13}}, "text": "\"vercel-mcp\""}],
  "related_locations": [{"message": "locked here",
   "location": {"path": "../mcp-tap.lock", "range": {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 13}}}}]},
 {"message": "a note",
  "location": {"path": "../.cursor/mcp.json", "range": {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 15}}},
  "severity": "INFO",
  "code": {"value": "config-drift", "url": "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/config-drift.md"}},
 {"message": "an error",
  "location": {"path": "../mcp-tap.lock", "range": {"start": {"line": 2, "column": 18}, "end": {"line": 2, "column": 18}}},
  "severity": "ERROR",
  "code": {"value": "syntax-error", "url": "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/syntax-error.md"}}]}`,
		written(t, "rdjson", r, Options{Severity: rule.Note}))

	text := written(t, "rdjson", sample(t), Options{Severity: rule.Error})
	assert.Equal(t, 1, strings.Count(text, `"severity"`))
	assert.Contains(t, written(t, "rdjson", &view.Run{}, Options{}), `"diagnostics": []`)
}

// viewed returns a finding as writers see it.
func viewed(f rule.Finding) view.Finding {
	return view.New(view.Run{Findings: []rule.Finding{f}}).Findings(rule.Off)[0]
}

// TestRDJSONRanges holds that columns are bytes, that a byte order mark is some
// of them, and that a range ends with its first line.
func TestRDJSONRanges(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("\ufeff{\"é😀\": {\r\n  \"日\": 1}}"))
	for token, want := range map[string]rdjsonRange{
		"{\"é":            {rdjsonPosition{1, 4}, rdjsonPosition{1, 8}},
		"😀":               {rdjsonPosition{1, 8}, rdjsonPosition{1, 12}},
		"{\r\n  \"日\": 1": {rdjsonPosition{1, 15}, rdjsonPosition{1, 16}},
		"1":               {rdjsonPosition{2, 10}, rdjsonPosition{2, 11}},
	} {
		assert.Equal(t, want, rdjsonPlace(viewed(rule.Finding{File: file, Span: tokenSpan(t, file, token)}).Place()).Range, token)
	}
	mark := viewed(rule.Finding{File: file, Span: syntax.Span{Start: 0, End: 3}}).Place()
	assert.Equal(t, rdjsonRange{rdjsonPosition{1, 1}, rdjsonPosition{1, 4}}, byteRange(mark), "the byte order mark")
}

// TestRDJSONSuggestions shows which fixes can be suggested: those that come down
// to one range of the finding's own file and show no secret.
func TestRDJSONSuggestions(t *testing.T) {
	_, token := secretMessage()
	file := syntax.NewFile("a.json", []byte(`{
  "a": {"command": "x"},
  "b": {"env": {"TOKEN": "`+token+`", "NAME": "n"}}
}`))
	other := syntax.NewFile("b.json", []byte(`{"d": 1}`))
	rename := func(file *syntax.File, old, text string) edit.Change {
		return edit.Rename(file, tokenSpan(t, file, old), text)
	}
	remove := func(key string) edit.Change { return edit.Remove(file, tokenSpan(t, file, key)) }
	at := func(line, start, endLine, end int) rdjsonRange {
		return rdjsonRange{rdjsonPosition{line, start}, rdjsonPosition{endLine, end}}
	}
	for name, test := range map[string]struct {
		edits []edit.Change
		want  []rdjsonSuggestion
	}{
		"one edit":               {[]edit.Change{rename(file, `"a"`, "c")}, []rdjsonSuggestion{{at(2, 3, 2, 6), `"c"`}}},
		"a line that goes":       {[]edit.Change{remove(`"a"`)}, []rdjsonSuggestion{{at(2, 1, 3, 1), ""}}},
		"two edits":              {[]edit.Change{rename(file, `"x"`, "y"), rename(file, `"a"`, "c")}, []rdjsonSuggestion{{at(2, 3, 2, 23), `"c": {"command": "y"`}}},
		"two lines":              {[]edit.Change{rename(file, `"x"`, "y"), rename(file, `"b"`, "c")}, []rdjsonSuggestion{{at(2, 20, 3, 6), "\"y\"},\n  \"c\""}}},
		"another file":           {[]edit.Change{rename(other, `"d"`, "c")}, nil},
		"two files":              {[]edit.Change{rename(file, `"a"`, "c"), rename(other, `"d"`, "c")}, nil},
		"what cannot be done":    {[]edit.Change{rename(file, `"a"`, "b")}, nil},
		"a secret between":       {[]edit.Change{rename(file, `"env"`, "c"), rename(file, `"NAME"`, "c")}, nil},
		"its name is outside":    {[]edit.Change{rename(file, token[:4], "x"), remove(`"NAME"`)}, nil},
		"a secret that is moved": {[]edit.Change{rename(file, `"a"`, token)}, nil},
		"no text":                {[]edit.Change{rename(file, `"a"`, "\xff")}, nil},
		"nothing":                {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := rule.Finding{File: file, Fixes: []rule.Fix{{Edits: test.edits}}}
			assert.Equal(t, test.want, rdjsonSuggestions(viewed(f)))
		})
	}
}

// TestRDJSONIsMarkdown holds that a message of a hostile repository is harmless in the comment
// that reviewdog writes with it, and only the path is left as it is.
func TestRDJSONIsMarkdown(t *testing.T) {
	for _, text := range hostileTexts {
		file := syntax.NewFile("a"+text, []byte(text))
		var back rdjsonResult
		out := written(t, "rdjson", &view.Run{Findings: []rule.Finding{{
			Rule: checks.All()[0], Severity: rule.Error, File: file, Message: text,
			Related: []rule.Related{{File: file, Message: text}}, Fixes: []rule.Fix{{Title: text}}}}}, Options{})
		require.NoError(t, json.Unmarshal([]byte(out), &back))
		require.Len(t, back.Diagnostics, 1)
		d, shown := back.Diagnostics[0], markdown(terminal.Escape(text))
		assert.Equal(t, shown+"\nfix: "+shown, d.Message)
		assert.Equal(t, shown, d.Related[0].Message)
		assert.Equal(t, strings.ToValidUTF8(file.Path, "\ufffd"), strings.ReplaceAll(d.Location.Path, "\ufffd\ufffd", "\ufffd"))
	}
}
