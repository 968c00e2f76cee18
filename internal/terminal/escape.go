// Package terminal writes untrusted text for terminals and logs: nothing
// of it moves a cursor, changes the direction of writing, stays invisible, or is
// taken for a command by the program that shows the log.
package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Escape returns text as it may be shown in a terminal or a log: characters that would move
// the cursor, change the direction of writing or stay invisible are spelled out (\x1b,
// \u202e), and so is text that GitHub's runner would read as a command in a log. Everything
// else stays as it is. The result has no line breaks.
func Escape(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		// A command begins its line (actions/runner, ActionCommand.cs), and the
		// text may begin one.
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	if IsPlain(text) {
		return text
	}
	var b strings.Builder
	for _, c := range AppendCells(nil, text, 0) {
		b.WriteString(c.Text)
	}
	return b.String()
}

// IsPlain reports whether text is printable ASCII without a command, as nearly
// all text is: each byte is a column and shown as it is.
func IsPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return !strings.Contains(text, Command)
}

// Command begins the old form of a workflow command, which GitHub's runner
// still obeys anywhere in a line (actions/runner, ActionCommand.cs).
const Command = "##["

// Cell is one character as a terminal shows it: what is printed for the bytes from
// Start to End, and how many columns it takes.
type Cell struct {
	Start, End int
	Text       string
	Width      int
}

// maxRunes is the longest grapheme cluster that is shown as it is. The longest
// emoji of Unicode has ten code points; piles of combining marks have more.
const maxRunes = 16

// AppendCells appends the cells of a text. Their offsets count from base, the
// offset of the text in its line. Tabs are escaped like other control characters; who
// wants them expanded does that to the cells.
func AppendCells(cells []Cell, text string, base int) []Cell {
	cells = slices.Grow(cells, len(text))
	for state := -1; len(text) > 0; {
		var cluster string
		var width int
		if strings.HasPrefix(text, Command) {
			cells = append(cells, Cell{base, base + 1, `\x23`, 4})
			base, text, state = base+1, text[1:], -1
			continue
		}
		if c := text[0]; ' ' <= c && c <= '~' && (len(text) == 1 || text[1] < utf8.RuneSelf) {
			cells = append(cells, Cell{base, base + 1, text[:1], 1})
			base, text, state = base+1, text[1:], -1
			continue
		}
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		if width > 0 && isVisibleCluster(cluster) {
			cells = append(cells, Cell{base, base + len(cluster), cluster, width})
			base += len(cluster)
			continue
		}
		for len(cluster) > 0 {
			r, size := utf8.DecodeRuneInString(cluster)
			c := Cell{Start: base, End: base + size, Text: cluster[:size], Width: 1}
			if w := uniseg.StringWidth(c.Text); w > 0 && isVisibleCluster(c.Text) {
				c.Width = w
			} else {
				c.Text = EscapeRune(r, c.Text)
				c.Width = len(c.Text)
			}
			cells = append(cells, c)
			base += size
			cluster = cluster[size:]
		}
	}
	return cells
}

// isVisibleCluster reports whether a grapheme cluster may be shown as it is.
func isVisibleCluster(cluster string) bool {
	count, selectors := 0, 0
	for i, r := range cluster {
		count++
		switch {
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(cluster[i:]); size == 1 {
				return false
			}
		case r == '\u200d':
			// A joiner between two characters makes one emoji of them; anywhere
			// else it is only invisible.
			if i == 0 || i+utf8.RuneLen(r) == len(cluster) {
				return false
			}
		case 0xfe00 <= r && r <= 0xfe0f:
			// One selector picks a glyph, more of them smuggle text.
			if selectors++; selectors > 1 {
				return false
			}
		case !IsVisible(r):
			return false
		}
	}
	return count <= maxRunes
}

// IsVisible reports whether a character leaves a mark of its own. Spaces
// other than the common one look like it, and are no white space in JSON.
func IsVisible(r rune) bool {
	switch {
	case r == ' ':
		return true
	case !unicode.IsGraphic(r), unicode.Is(unicode.Zs, r):
		return false
	case 0xe0100 <= r && r <= 0xe01ef: // variation selectors supplement
		return false
	}
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0: // graphic by name, blank by looks
		return false
	}
	return true
}

// EscapeRune spells a character out; raw is the byte it was decoded from when
// it is not valid UTF-8.
func EscapeRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Fit cuts escaped text to a number of columns.
func Fit(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	var b strings.Builder
	room := columns - Width("…")
	for _, c := range AppendCells(nil, text, 0) {
		if room -= c.Width; room < 0 {
			break
		}
		b.WriteString(c.Text)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}

// Width returns how many columns a terminal needs for escaped text.
func Width(text string) int {
	if IsPlain(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

// FitMiddle cuts escaped text to a number of columns, at least one, and keeps its beginning and its end.
func FitMiddle(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	const mark = "…"
	cells := AppendCells(nil, text, 0)
	head := Fit(text, max(columns/2, 1)) // which ends with the mark
	room := columns - Width(head)
	start, used := len(text), 0
	for i := len(cells) - 1; i >= 0; i-- {
		if used += cells[i].Width; used > room {
			break
		}
		start = cells[i].Start
	}
	return strings.TrimSuffix(head, mark) + mark + text[start:]
}
