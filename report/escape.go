package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Escape returns text as it may be shown in a terminal or a log: characters
// that would move the cursor, change the direction of writing or stay invisible
// are spelled out (\x1b, \u202e), and so is what GitHub's runner takes for a
// command when it stands in a log. Everything else stays as it is. The result
// has no line breaks.
func Escape(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		// A command begins its line (actions/runner, ActionCommand.cs), and the
		// text may begin one.
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for _, c := range cellsOf(text, 0) {
		b.WriteString(c.text)
	}
	return b.String()
}

// isPlain reports whether text is printable ASCII without a command, as nearly
// all text is.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return !strings.Contains(text, oldCommand)
}

// oldCommand begins the old form of a workflow command, which GitHub's runner
// still obeys anywhere in a line (actions/runner, ActionCommand.cs).
const oldCommand = "##["

// cell is one character as a terminal shows it: what is printed for a range of
// bytes, and how many columns it takes.
type cell struct {
	start, end int
	text       string
	width      int
}

// maxRunes is the longest grapheme cluster that is shown as it is. The longest
// emoji of Unicode has ten code points; piles of combining marks have more.
const maxRunes = 16

// cellsOf splits text into cells. The offsets count from base, the offset of
// the text in its line. Tabs are escaped like other control characters; who
// wants them expanded does that to the cells.
func cellsOf(text string, base int) []cell {
	cells := make([]cell, 0, len(text))
	for state := -1; len(text) > 0; {
		var cluster string
		var width int
		if strings.HasPrefix(text, oldCommand) {
			cells = append(cells, cell{base, base + 1, `\x23`, 4})
			base, text, state = base+1, text[1:], -1
			continue
		}
		if c := text[0]; ' ' <= c && c <= '~' && (len(text) == 1 || text[1] < utf8.RuneSelf) {
			cluster, text, width, state = text[:1], text[1:], 1, -1
		} else {
			cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		}
		if width > 0 && isVisible(cluster) {
			cells = append(cells, cell{base, base + len(cluster), cluster, width})
			base += len(cluster)
			continue
		}
		for len(cluster) > 0 {
			r, size := utf8.DecodeRuneInString(cluster)
			c := cell{start: base, end: base + size, text: cluster[:size], width: 1}
			if w := uniseg.StringWidth(c.text); w > 0 && isVisible(c.text) {
				c.width = w
			} else {
				c.text = escapeRune(r, c.text)
				c.width = len(c.text)
			}
			cells = append(cells, c)
			base += size
			cluster = cluster[size:]
		}
	}
	return cells
}

// isVisible reports whether a grapheme cluster may be shown as it is.
func isVisible(cluster string) bool {
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
		case !isVisibleRune(r):
			return false
		}
	}
	return count <= maxRunes
}

// isVisibleRune reports whether a character leaves a mark of its own. Spaces
// other than the common one look like it, and are no white space in JSON.
func isVisibleRune(r rune) bool {
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

// escapeRune spells a character out; raw is the byte it was decoded from when
// it is not valid UTF-8.
func escapeRune(r rune, raw string) string {
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

// Width returns how many columns a terminal needs for escaped text.
func Width(text string) int {
	if isPlain(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}
