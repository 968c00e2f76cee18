package syntax_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
)

func TestPosition(t *testing.T) {
	type position = syntax.Position
	tests := []struct {
		name string
		text string // | marks the offset
		want position
	}{
		{"empty file", "|", position{1, 1}},
		{"start", "|{}", position{1, 1}},
		{"within a line", "{|}", position{1, 2}},
		{"end without line ending", "{}|", position{1, 3}},
		{"line ending", "{}|\n", position{1, 3}},
		{"end of file after line ending", "{}\n|", position{2, 1}},
		{"second line", "{\n  |\"a\"", position{2, 3}},
		{"a tab is one column", "\t\t|\"a\"", position{1, 3}},
		{"a wide character is one column", "\"名前\"|:", position{1, 5}},
		{"a character beyond the first plane is one column", "\"🔌\"|:", position{1, 4}},
		{"a combining mark is a column of its own", "\"e\u0301\"|:", position{1, 5}},
		{"after CRLF", "{\r\n|}", position{2, 1}},
		{"CR of CRLF", "{|\r\n}", position{1, 2}},
		{"LF of CRLF", "{\r|\n}", position{1, 3}},
		{"a lone CR ends no line", "{\r|}", position{1, 3}},
		{"a line separator ends no line", "\u2028|}", position{1, 2}},
		{"a byte order mark is no column", "\ufeff|{}", position{1, 1}},
		{"after a byte order mark", "\ufeff{|}", position{1, 2}},
		{"line after a byte order mark", "\ufeff{\n|}", position{2, 1}},
		{"before a byte order mark", "|\ufeff{}", position{1, 1}},
		{"byte order mark elsewhere", "{\ufeff|}", position{1, 3}},
		{"an invalid byte is one column", "\"\xff\xfe\"|:", position{1, 5}},
		{"continuation bytes of no character", "\x80\x80\x80\x80\x80|", position{1, 6}},
		{"each byte of a truncated character is one column", "\xe5\x90|}", position{1, 3}},
		{"second byte of a truncated character", "\xe5|\x90}", position{1, 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after, _ := strings.Cut(test.text, "|")
			f := syntax.NewFile("a.json", []byte(before+after))
			assert.Equal(t, test.want, f.Position(len(before), syntax.CodePoints))
		})
	}
}

// TestEncodings holds what people and diffs count: people leave out a byte order mark, a
// diff does not.
func TestEncodings(t *testing.T) {
	tests := []struct {
		name              string
		text              string // | marks the offset
		codePoints, bytes int    // columns
	}{
		{"ASCII", "{|}", 2, 2},
		{"two bytes", "é|", 2, 3},
		{"three bytes", "名|", 2, 4},
		{"four bytes", "🔌|", 2, 5},
		{"an emoji of several characters", "👩🏽‍💻|", 5, 16},
		{"a second line", "🔌\n🔌|", 2, 5},
		{"after a byte order mark", "\ufeff{|}", 2, 5},
		{"at a byte order mark", "|\ufeff{}", 1, 1},
		{"line after a byte order mark", "\ufeff\n{|", 2, 2},
		{"invalid bytes", "\xff\xf0\x9f|", 4, 4},
		{"a surrogate in UTF-8", "\xed\xa0\x80|", 4, 4},
		{"a character that Unicode does not have", "\xf5\x80\x80\x80|", 5, 5},
		{"a long line", strings.Repeat("🔌a", 5000) + "|", 10001, 25001},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after, _ := strings.Cut(test.text, "|")
			f := syntax.NewFile("a.json", []byte(before+after))
			column := func(e syntax.Encoding) int { return f.Position(len(before), e).Column }
			assert.Equal(t, []int{test.codePoints, test.bytes}, []int{column(syntax.CodePoints), column(syntax.Bytes)})
		})
	}
}

func TestPositionOutsideTheFile(t *testing.T) {
	f := syntax.NewFile("a.json", []byte("{\n}"))
	assert.Equal(t, syntax.Position{Line: 1, Column: 1}, f.Position(-1, syntax.CodePoints))
	assert.Equal(t, syntax.Position{Line: 2, Column: 2}, f.Position(99, syntax.CodePoints))
}

func TestPositionInsideACharacter(t *testing.T) {
	f := syntax.NewFile("a.json", []byte("\ufeffa名b"))
	for offset, column := range []int{1, 1, 1, 1, 2, 2, 2, 3, 4} {
		assert.Equal(t, syntax.Position{Line: 1, Column: column}, f.Position(offset, syntax.CodePoints), "offset %d", offset)
	}
}

// Long lines are counted in steps; every step must land on a character.
func TestPositionOnLongLines(t *testing.T) {
	for _, unit := range []string{"a", "é", "名", "🔌", "\xff", "\x80", "a名\xe5\x90", "\xe5\x90", "ab\ncd名"} {
		text := "\ufeff" + strings.Repeat(unit, 9_000/len(unit))
		f := syntax.NewFile("a.json", []byte(text))
		want := syntax.Position{Line: 1, Column: 1}
		for offset := len("\ufeff"); offset < len(text); {
			if got := f.Position(offset, syntax.CodePoints); got != want {
				assert.Equal(t, want, got, "offset %d of %q", offset, unit)
				break
			}
			r, size := utf8.DecodeRuneInString(text[offset:])
			offset += size
			want.Column++
			if r == '\n' {
				want = syntax.Position{Line: want.Line + 1, Column: 1}
			}
		}
	}
}

func TestPositionAtTheEndOfLongLines(t *testing.T) {
	for length := 8_000; length < 8_400; length++ {
		f := syntax.NewFile("a.json", []byte(strings.Repeat("a", length)))
		if got, want := f.Position(length, syntax.CodePoints), (syntax.Position{Line: 1, Column: length + 1}); got != want {
			assert.Equal(t, want, got)
		}
	}
}

func TestLine(t *testing.T) {
	const text = "\ufeff{\r\n  \"a\": 1\n\n\r\n} // x\r\r\ny\r"
	f := syntax.NewFile("a.json", []byte(text))
	tests := []struct {
		line  int
		want  string
		start int
	}{
		{0, "", len(text)},
		{-1, "", len(text)},
		{1, "{", 3},
		{2, `  "a": 1`, 6},
		{3, "", 15},
		{4, "", 16},
		{5, "} // x\r", 18},
		{6, "y\r", 27},
		{7, "", len(text)},
	}
	for _, test := range tests {
		line, start := f.Line(test.line)
		assert.Equal(t, test.want, string(line), "line %d", test.line)
		assert.Equal(t, test.start, start, "line %d", test.line)
	}
}

func TestLineAfterTheLastLineEnding(t *testing.T) {
	f := syntax.NewFile("a.json", []byte("{}\n"))
	line, start := f.Line(2)
	assert.Empty(t, line)
	assert.Equal(t, 3, start)
}

func TestLineOfAnEmptyFile(t *testing.T) {
	line, start := syntax.NewFile("a.json", nil).Line(1)
	assert.Empty(t, line)
	assert.Equal(t, 0, start)
}

// TestOffset checks that a place leads back to its offset, and what becomes of places that a file
// does not have.
func TestOffset(t *testing.T) {
	for _, text := range []string{"", "\ufeff{\n  \"😀 é\": [\"名\", 1]\r\n}\n", "\ufeff", "a\r b", strings.Repeat("x😀", 3000) + "\n" + strings.Repeat("é", 3000)} {
		file := syntax.NewFile("a.json", []byte(text))
		body := strings.TrimPrefix(text, "\ufeff")
		for at := range body + "!" {
			at += len(text) - len(body)
			if strings.HasPrefix(text[at:], "\n") && strings.HasSuffix(text[:at], "\r") {
				continue // it is a part of the end of the line
			}
			for _, e := range []syntax.Encoding{syntax.CodePoints, syntax.Bytes, syntax.UTF16, syntax.UTF8} {
				assert.Equal(t, at, file.Offset(file.Position(at, e), e), "%d in %.20q", at, text)
			}
		}
	}
	file := syntax.NewFile("a.json", []byte("😀b\r\ncd"))
	assert.Equal(t, 4, file.Offset(syntax.Position{Line: 1, Column: 3}, syntax.UTF16))
	assert.Equal(t, 0, file.Offset(syntax.Position{Line: 1, Column: 2}, syntax.UTF16), "within a character")
	assert.Equal(t, 0, file.Offset(syntax.Position{Line: 1, Column: 3}, syntax.UTF8), "within a character")
	assert.Equal(t, 5, file.Offset(syntax.Position{Line: 1, Column: 99}, syntax.UTF16), "behind the end of a line")
	assert.Equal(t, 9, file.Offset(syntax.Position{Line: 99, Column: 1}, syntax.UTF16), "behind the end of the file")
	assert.Equal(t, 0, file.Offset(syntax.Position{}, syntax.UTF16))
}

// FuzzOffset checks that for any text every place leads back to its character.
func FuzzOffset(f *testing.F) {
	f.Add("a\r\n😀b\n\ufeff", 3)
	f.Fuzz(func(t *testing.T, text string, at int) {
		file := syntax.NewFile("a.json", []byte(text))
		at = min(max(at, 0), len(text))
		for _, e := range []syntax.Encoding{syntax.CodePoints, syntax.UTF16, syntax.UTF8} {
			there := file.Position(at, e)
			back := file.Offset(there, e)
			assert.LessOrEqual(t, back, len(text))
			if again := file.Position(back, e); again != there {
				// Only the end of a line has no separate place.
				assert.Equal(t, there.Line, again.Line)
				assert.Less(t, again.Column, there.Column)
				assert.True(t, back < len(text) && text[back] == '\r', "%v became %v", there, again)
			}
		}
	})
}
