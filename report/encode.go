package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// encodeJSON writes a value as indented JSON that is safe in a terminal: what
// encoding/json leaves raw and a terminal acts upon is written as \u escapes.
func encodeJSON(w io.Writer, value any) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(visibleWriter{out})
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return out.Flush()
}

// visibleWriter escapes invisible characters of JSON text, and what begins an old
// workflow command: standard output may be the log of a workflow. All of them are
// within strings, since the syntax of JSON is ASCII. encoding/json writes a
// value in one piece, so no character is split between two writes.
type visibleWriter struct{ out *bufio.Writer }

func (v visibleWriter) Write(text []byte) (int, error) {
	size := len(text)
	if bytes.Contains(text, []byte(terminal.Command)) {
		text = bytes.ReplaceAll(text, []byte(terminal.Command), []byte(`#\u0023[`))
	}
	done := 0
	for i := 0; i < len(text); {
		next := bytes.IndexFunc(text[i:], func(r rune) bool { return r >= 0x7f })
		if next < 0 {
			break
		}
		i += next
		r, size := utf8.DecodeRune(text[i:])
		if r != '\u200d' && !terminal.IsVisible(r) {
			v.out.Write(text[done:i])
			if r > 0xffff {
				high, low := surrogates(r)
				fmt.Fprintf(v.out, `\u%04x\u%04x`, high, low)
			} else {
				fmt.Fprintf(v.out, `\u%04x`, r)
			}
			done = i + size
		}
		i += size
	}
	if _, err := v.out.Write(text[done:]); err != nil {
		return 0, err
	}
	return size, nil
}

// surrogates splits a character beyond U+FFFF as JSON escapes want it.
func surrogates(r rune) (high, low rune) {
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}

// xmlText returns a text as XML may hold it, in an attribute and elsewhere. What XML cannot
// hold at all becomes U+FFFD. Standard output may be the log of a workflow, so no line holds
// an old workflow command.
func xmlText(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == '"':
			out.WriteString("&#34;")
		case r == '\'':
			out.WriteString("&#39;")
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '\t', r == '\n', r == '\r':
			fmt.Fprintf(&out, "&#x%X;", r)
		case r < ' ', r == 0xfffe, r == 0xffff:
			out.WriteRune(utf8.RuneError)
		default:
			out.WriteRune(r)
		}
	}
	return strings.ReplaceAll(out.String(), terminal.Command, "#&#35;[")
}

// areExpressible reports whether lines, columns in code points and JSON can say what all
// edits do. A byte order mark has no column, and JSON holds Unicode only.
func areExpressible(edits []view.Edit) bool {
	return !slices.ContainsFunc(edits, func(edit view.Edit) bool {
		hasColumns := edit.Place.IsEmpty() || edit.Place.Start(view.CodePoints) != edit.Place.End(view.CodePoints)
		return !hasColumns || !utf8.ValidString(edit.Text.Plain())
	})
}
