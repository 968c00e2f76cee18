package view

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// marked returns a file and the span between ⟦ and ⟧ in its text.
func marked(t *testing.T, text string) (*syntax.File, syntax.Span) {
	t.Helper()
	before, rest, ok := strings.Cut(text, "⟦")
	require.True(t, ok, "no ⟦ in %q", text)
	token, after, ok := strings.Cut(rest, "⟧")
	require.True(t, ok, "no ⟧ in %q", text)
	span := syntax.Span{Start: len(before), End: len(before) + len(token)}
	return syntax.NewFile("f.json", []byte(before+token+after)), span
}

// drawn returns a snippet as it is printed, without the gutter.
func drawn(s Snippet) string {
	return s.Text + "\n" + strings.Repeat(" ", s.Indent) + strings.Repeat("^", s.Length)
}

func TestCaretPlacement(t *testing.T) {
	for name, test := range map[string]struct{ text, line, carets string }{
		"plain": {
			`  ⟦"a"⟧: 1`,
			`  "a": 1`,
			`  ^^^`},
		"second line": {
			"{\n  ⟦\"a\"⟧: 1\n}",
			`  "a": 1`,
			`  ^^^`},
		"tab before": {
			"\t⟦\"a\"⟧: 1",
			`    "a": 1`,
			`    ^^^`},
		"tabs end at tab stops": {
			"ab\t\t⟦\"a\"⟧",
			`ab      "a"`,
			`        ^^^`},
		"tab inside": {
			"⟦\"a\tb\"⟧ c",
			`"a  b" c`,
			`^^^^^^`},
		"wide characters before": {
			`{"日本語": ⟦"a"⟧}`,
			`{"日本語": "a"}`,
			`           ^^^`},
		"wide characters inside": {
			`{⟦"日本"⟧: 1}`,
			`{"日本": 1}`,
			` ^^^^^^`},
		"wide characters and a tab": {
			"日\t⟦x⟧",
			"日  x",
			"    ^"},
		"emoji": {
			`"🚀": ⟦1⟧`,
			`"🚀": 1`,
			`      ^`},
		"emoji of several code points": {
			`"👩🏽‍💻🏳️‍🌈🇩🇪": ⟦1⟧`,
			`"👩🏽‍💻🏳️‍🌈🇩🇪": 1`,
			`          ^`},
		"combining characters before": {
			"\"cafe\u0301\": ⟦1⟧",
			"\"cafe\u0301\": 1",
			`        ^`},
		"combining characters inside": {
			"⟦\"e\u0301e\u0302\"⟧",
			"\"e\u0301e\u0302\"",
			`^^^^`},
		"a combining character without a base": {
			"\u0301⟦x⟧",
			`\u0301x`,
			`      ^`},
		"a pile of combining characters": {
			"a" + strings.Repeat("\u0301", 17) + "⟦x⟧",
			"a" + strings.Repeat(`\u0301`, 17) + "x",
			strings.Repeat(" ", 1+17*6) + "^"},
		"zero-width characters": {
			"\"a\u200b\u200db\": ⟦1⟧",
			`"a\u200b\u200db": 1`,
			`                  ^`},
		"direction overrides": {
			"\"\u202egpj\": ⟦1⟧",
			`"\u202egpj": 1`,
			`             ^`},
		"escape sequences": {
			"\x1b[31m⟦\"a\"⟧\x1b[0m",
			`\x1b[31m"a"\x1b[0m`,
			`        ^^^`},
		"C1 controls, DEL and NUL": {
			"\u009b\x7f\x00⟦x⟧",
			`\u009b\x7f\x00x`,
			`              ^`},
		"spaces that are none": {
			"\u00a0⟦x⟧\u3000",
			`\u00a0x\u3000`,
			`      ^`},
		"tag characters": {
			"\U000e0041⟦x⟧",
			`\U000e0041x`,
			`          ^`},
		"invalid UTF-8": {
			"\xff\xc3⟦x⟧\x80",
			`\xff\xc3x\x80`,
			`        ^`},
		"a backslash is one column": {
			`\t⟦x⟧`,
			`\tx`,
			`  ^`},
		"byte order mark": {
			"\ufeff⟦{⟧}",
			`{}`,
			`^`},
		"CRLF": {
			"{\r\n  ⟦\"a\"⟧: 1\r\n}",
			`  "a": 1`,
			`  ^^^`},
		"several lines are underlined to the end of the first": {
			"  ⟦{\n  \"a\": 1\n}⟧",
			`  {`,
			`  ^`},
		"an empty span": {
			`{"a"⟦⟧ 1}`,
			`{"a" 1}`,
			`    ^`},
		"the end of a line": {
			"{\"a\"⟦⟧\n}",
			`{"a"`,
			`    ^`},
		"the end of the file": {
			"{\n⟦⟧",
			``,
			`^`},
		"an empty file": {
			"⟦⟧",
			``,
			`^`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.line+"\n"+test.carets, drawn(unhidden(marked(t, test.text))))
		})
	}
}

func TestLongLinesAreCut(t *testing.T) {
	for name, test := range map[string]struct{ text, line, carets string }{
		"in the middle": {
			strings.Repeat("a", 5_000_000) + `⟦"b"⟧` + strings.Repeat("c", 1000),
			"…" + strings.Repeat("a", 40) + `"b"` + strings.Repeat("c", 77) + "…",
			strings.Repeat(" ", 41) + "^^^"},
		"at the start": {
			`⟦"b"⟧` + strings.Repeat("c", 1000),
			`"b"` + strings.Repeat("c", 117) + "…",
			"^^^"},
		"near the start": {
			strings.Repeat("a", 30) + `⟦"b"⟧` + strings.Repeat("c", 1000),
			strings.Repeat("a", 30) + `"b"` + strings.Repeat("c", 87) + "…",
			strings.Repeat(" ", 30) + "^^^"},
		"at the end the window is filled from the left": {
			strings.Repeat("a", 1000) + `⟦"b"⟧`,
			"…" + strings.Repeat("a", 117) + `"b"`,
			strings.Repeat(" ", 118) + "^^^"},
		"a long token": {
			strings.Repeat("a", 100) + "⟦" + strings.Repeat("b", 500) + "⟧" + strings.Repeat("c", 100),
			"…" + strings.Repeat("a", 40) + strings.Repeat("b", 80) + "…",
			strings.Repeat(" ", 41) + strings.Repeat("^", 80)},
		"wide characters": {
			strings.Repeat("日", 500) + "⟦本⟧" + strings.Repeat("語", 500),
			"…" + strings.Repeat("日", 20) + "本" + strings.Repeat("語", 39) + "…",
			strings.Repeat(" ", 41) + "^^"},
		"a line that just fits": {
			strings.Repeat("a", 119) + "⟦b⟧",
			strings.Repeat("a", 119) + "b",
			strings.Repeat(" ", 119) + "^"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.line+"\n"+test.carets, drawn(unhidden(marked(t, test.text))))
		})
	}
}

func TestSecretsAreHiddenInSource(t *testing.T) {
	token := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for name, test := range map[string]struct{ text, line, carets string }{
		"before the token": {
			`{"GITHUB_TOKEN": "` + token + `", ⟦"a"⟧: 1}`,
			`{"GITHUB_TOKEN": "ghp_***", "a": 1}`,
			`                            ^^^`},
		"the token itself": {
			`{"GITHUB_TOKEN": ⟦"` + token + `"⟧}`,
			`{"GITHUB_TOKEN": "ghp_***"}`,
			`                 ^^^^^^^^^`},
		"known by a name on the line before": {
			"\"--api-key\",\r\n⟦\"9f86d081884c7d65\"⟧",
			`"***"`,
			`^^^^^`},
		"begun outside of what is shown": {
			`"GITHUB_TOKEN": "` + token + strings.Repeat("x1", 4000) + `" ⟦"a"⟧`,
			`…***" "a"`,
			`      ^^^`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.line+"\n"+test.carets, drawn(unhidden(marked(t, test.text))))
		})
	}
}

// FuzzSnippet holds what must be true of any file and span: nothing that acts
// on a terminal gets out, and the underline stays within the line it is under.
func FuzzSnippet(f *testing.F) {
	f.Add("{\n\t\"日本\": 1\r\n}", 3, 8)
	f.Add("\ufeff\x1b[0m\u202e\xff", 0, 5)
	f.Add(strings.Repeat("x", 500), 250, 260)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		file := syntax.NewFile("f", []byte(text))
		start = min(max(start, 0), len(text))
		end = min(max(end, start), len(text))
		s := unhidden(file, syntax.Span{Start: start, End: end})
		assert.True(t, utf8.ValidString(s.Text))
		for _, r := range s.Text {
			assert.False(t, r < ' ' || 0x7f <= r && r <= 0x9f || r == 0x202e, "%q", s.Text)
		}
		assert.LessOrEqual(t, terminal.Width(s.Text), SnippetColumns+2)
		assert.GreaterOrEqual(t, s.Length, 1)
		assert.LessOrEqual(t, s.Indent+s.Length, SnippetColumns+2)
	})
}

// TestPlainLinesNeedLess holds that a line of printable ASCII is shown as if mcplumb had read
// all the bytes that another line may need for its columns.
func TestPlainLinesNeedLess(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		line := make([]byte, random.IntN(400))
		for i := range line {
			line[i] = "abc {}\"#,"[random.IntN(9)]
		}
		start := random.IntN(len(line) + 1)
		end := start + random.IntN(len(line)+1-start)
		from, to := runeStart(line, start-8*SnippetColumns), runeStart(line, start+8*SnippetColumns)
		want, _ := cut(maskedCells(nil, line, 0, nil, from, to), start, end, SnippetColumns, from > 0, to < len(line))
		got := unhidden(syntax.NewFile("f", line), syntax.Span{Start: start, End: end})
		require.Equal(t, want, got, "%d to %d of %q", start, end, line)
	}
}

// unhidden is the snippet of a place in a file about which no rule says anything.
func unhidden(file *syntax.File, span syntax.Span) Snippet {
	return New(Run{}).place(file, span).Snippet(SnippetColumns)
}

// TestHiddenSpans hides what rules call a secret and the line alone does not.
func TestHiddenSpans(t *testing.T) {
	line := `{"a": "first", "b": "second", "API_KEY": "third-1234"}`
	file := syntax.NewFile("x.json", []byte("{\n"+line+"\n}"))
	spanOf := func(text string) syntax.Span {
		start := strings.Index(string(file.Bytes), text)
		return syntax.Span{Start: start, End: start + len(text)}
	}
	var findings []rule.Finding
	for _, text := range []string{"second", `"third-1234"`} {
		findings = append(findings, rule.Finding{File: file, Span: spanOf(text), Secret: true})
	}
	findings[0].Related = []rule.Related{{File: file, Span: spanOf("first"), Secret: true}}
	s := New(Run{Findings: findings}).place(file, spanOf("second")).Snippet(SnippetColumns)
	assert.Equal(t, `{"a": "***", "b": "***", "API_KEY": ***}`, s.Text)
	assert.Equal(t, 3, s.Length)
	assert.False(t, s.HidesMore, "rules call all of it a secret")
}

// TestHidesMore tells where a line that is shown hides what no rule calls a
// secret: what is cut away does not count.
func TestHidesMore(t *testing.T) {
	line := `{"command": "x", "DB_PASSWORD": "letmein123", "comment": "` + strings.Repeat("w", 200) + `", "args": []}`
	file := syntax.NewFile("x.json", []byte(line))
	spanOf := func(text string) syntax.Span {
		start := strings.Index(line, text)
		return syntax.Span{Start: start, End: start + len(text)}
	}
	v := New(Run{})
	near := v.place(file, spanOf(`"x"`)).Snippet(SnippetColumns)
	assert.Contains(t, near.Text, `"DB_PASSWORD": "***"`)
	assert.True(t, near.HidesMore)
	far := v.place(file, spanOf(`"args"`)).Snippet(SnippetColumns)
	assert.NotContains(t, far.Text, "***")
	assert.False(t, far.HidesMore)
	reported := New(Run{Findings: []rule.Finding{{File: file, Span: spanOf("letmein123"), Secret: true}}})
	assert.False(t, reported.place(file, spanOf(`"x"`)).Snippet(SnippetColumns).HidesMore)
}
