package manual

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/terminal"
)

// Width is how many columns a page takes in a terminal. Code keeps its
// lines, so that it can be copied.
const Width = 80

// The colors of pages, as SGR parameters.
const (
	boldText = "1"
	faint    = "90"
	codeText = "36"
)

// pagePrinter turns the Markdown that the pages of rules are written in into
// text for a terminal: headings, paragraphs, lists, tables and fenced code. The
// pages are our own, so nothing is escaped.
type pagePrinter struct {
	out   strings.Builder
	color bool
}

func (p *pagePrinter) line(text string) {
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

func (p *pagePrinter) paint(sgr, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

// cutHeading returns the text of a heading of a section, or of one within it.
func cutHeading(line string) (heading string, ok bool) {
	if heading, ok = strings.CutPrefix(line, "## "); ok {
		return heading, true
	}
	return strings.CutPrefix(line, "### ")
}

// page writes Markdown block by block. Empty lines stay where they are.
func (p *pagePrinter) page(text string) {
	var block []string
	flush := func() {
		if len(block) > 0 {
			p.paragraph(block)
		}
		block = nil
	}
	fenced := false
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		info, isFence := strings.CutPrefix(line, "```")
		heading, isHeading := cutHeading(line)
		switch {
		case isFence:
			flush()
			if fenced = !fenced; fenced {
				_, path, _ := strings.Cut(info, " ")
				p.line("  " + p.paint(faint, path))
			}
		case fenced:
			p.line(strings.TrimRight("    "+line, " "))
		case isHeading:
			p.line(p.paint(boldText, heading))
		case line == "":
			flush()
			p.line("")
		case strings.HasPrefix(line, "- "):
			flush() // the item before
			block = []string{line}
		default:
			block = append(block, line)
		}
	}
	flush()
}

// paragraph writes the lines of a paragraph or of a list item again, as wide as
// a page; tables stay as they are.
func (p *pagePrinter) paragraph(lines []string) {
	first, rest := "  ", "  "
	switch {
	case strings.HasPrefix(lines[0], "|"):
		for _, line := range lines {
			p.line("  " + line)
		}
		return
	case strings.HasPrefix(lines[0], "- "):
		lines[0] = strings.TrimPrefix(lines[0], "- ")
		first, rest = "  - ", "    "
	}
	for i, line := range wrapped(strings.Join(lines, " "), Width-len(rest)) {
		indent := rest
		if i == 0 {
			indent = first
		}
		p.line(indent + p.inline(line))
	}
}

// wrapped breaks a text into lines of at most width columns. Code in backticks
// stays on one line, unless it is longer than that.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range unbroken(text) {
		if line != "" && terminal.Width(line)+1+terminal.Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// unbroken splits a text at white space outside of backticks.
func unbroken(text string) []string {
	var words []string
	for _, word := range strings.Fields(text) {
		last := len(words) - 1
		if last >= 0 && strings.Count(words[last], "`")%2 == 1 {
			words[last] += " " + word
			continue
		}
		words = append(words, word)
	}
	return words
}

// inline paints the code in a line. Without colors the backticks stay.
func (p *pagePrinter) inline(line string) string {
	if !p.color {
		return line
	}
	var b strings.Builder
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			part = p.paint(codeText, part)
		}
		b.WriteString(part)
	}
	return b.String()
}
