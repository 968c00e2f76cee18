package report

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/terminal"
)

// piece is escaped text of one color, which is an SGR parameter or "". It leads to url where that
// is not empty. A piece that has a color, or is whole, is not broken.
type piece struct {
	sgr, text, url string
	isWhole        bool
}

// unbroken is text without a space, with what is before it: spaces, in columns.
type unbroken struct {
	gap, width int
	runs       []piece
}

// paragraph writes a line. On a terminal whose width is known it is broken at spaces, and every
// line but the first is indented by so many columns; for everything else it stays one line, as
// grep, editors and problem matchers take it.
func (t textWriter) paragraph(indent int, pieces ...piece) {
	column := 0
	for _, word := range unbrokenOf(pieces) {
		if t.o.Width > 0 && column > indent && column+word.gap+word.width > t.o.Width {
			t.out.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		} else {
			t.out.WriteString(strings.Repeat(" ", word.gap))
			column += word.gap
		}
		for _, run := range word.runs {
			t.out.WriteString(t.linked(run.url, t.color(run.sgr, run.text)))
		}
		column += word.width
	}
	t.out.WriteString("\n")
}

// unbrokenOf returns what must not be broken: words, and whole pieces. Where one ends without a
// space, the next goes on.
func unbrokenOf(pieces []piece) []unbroken {
	words := []unbroken{{}}
	for _, p := range pieces {
		texts := []string{p.text}
		if p.sgr == "" && !p.isWhole {
			texts = strings.Split(p.text, " ")
		}
		for i, text := range texts {
			last := &words[len(words)-1]
			if i > 0 && len(last.runs) > 0 {
				words = append(words, unbroken{})
				last = &words[len(words)-1]
			}
			if i > 0 {
				last.gap++
			}
			if text != "" {
				last.runs = append(last.runs, piece{sgr: p.sgr, text: text, url: p.url})
				last.width += terminal.Width(text)
			}
		}
	}
	return words
}

// linked returns text that leads to an address, for terminals that know such links (OSC 8). Others
// show the text alone.
func (t textWriter) linked(url, text string) string {
	if url == "" || !t.o.Links {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
