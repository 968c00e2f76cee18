package view

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// SnippetColumns are the columns that a source line takes where it is not said how
// wide the page is; a longer one is cut around the token.
const SnippetColumns = 120

// The other widths of a snippet, in columns.
const (
	minColumns = 20 // of a source line, on any terminal
	tabColumns = 4
)

// Snippet is the source line of a place, ready to print, and the columns of the
// underline below it.
type Snippet struct {
	Text           string
	Indent, Length int
	// HidesMore reports that something in Text is hidden that no rule calls a
	// credential.
	HidesMore bool
}

// Snippet shows the first line of a place. Credentials are hidden, what is not visible is
// spelled out, tabs are expanded, a line of more than so many columns is cut around the token
// and marked where it is, which takes a column more on each side; the underline still stays
// below the token.
func (p Place) Snippet(columns int) Snippet {
	columns = max(columns, minColumns)
	line, lineStart := p.file.Line(p.Line())
	start := min(max(p.span.Start-lineStart, 0), len(line))
	end := min(max(p.span.End-lineStart, start), len(line))

	from, to, hidden := p.window(line, lineStart, start, columns)
	cells := maskedCells(p.view.cells[:0], line, lineStart, hidden, from, to)
	p.view.cells = cells
	s, shown := cut(expandTabs(cells), start, end, columns, from > 0, to < len(line))
	s.HidesMore = p.hidesMore(hidden, syntax.Span{Start: lineStart + shown.Start, End: lineStart + shown.End})
	return s
}

// hidesMore reports whether one of the hidden spans that reach into a part of the
// file is nothing that a rule calls a credential.
func (p Place) hidesMore(hidden []syntax.Span, part syntax.Span) bool {
	return slices.ContainsFunc(secret.Overlapping(hidden, part), func(h syntax.Span) bool {
		return len(secret.Overlapping(p.view.declared[p.file], h)) == 0
	})
}

// window returns which bytes of a line are split into characters around the token
// that begins at start, and what must not be shown of them. A line may be
// megabytes; a column of it is one byte or, of most other texts, at most eight.
func (p Place) window(line []byte, lineStart, start, columns int) (from, to int, hidden []syntax.Span) {
	for _, reach := range []int{columns + 1, 8 * columns} {
		from, to = runeStart(line, start-reach), runeStart(line, start+reach)
		hidden = p.view.hidden(p.file, syntax.Span{Start: lineStart + from, End: lineStart + to})
		if len(hidden) == 0 && terminal.IsPlain(string(line[from:to])) {
			break
		}
	}
	return from, to, hidden
}

// runeStart returns the start of the character at offset, clamped to the line.
func runeStart(line []byte, offset int) int {
	if offset <= 0 {
		return 0
	}
	if offset >= len(line) {
		return len(line)
	}
	for i := 1; i < utf8.UTFMax && offset > 0 && !utf8.RuneStart(line[offset]); i++ {
		offset--
	}
	return offset
}

// maskedCells returns the cells of the bytes from..to of a line, which begins
// at the offset lineStart of its file, each hidden span as one cell. They are
// appended to cells.
func maskedCells(cells []terminal.Cell, line []byte, lineStart int, hidden []syntax.Span, from, to int) []terminal.Cell {
	at := from
	for _, h := range hidden {
		start, end := max(h.Start-lineStart, at), min(h.End-lineStart, to)
		if start >= end {
			continue
		}
		cells = terminal.AppendCells(cells, string(line[at:start]), at)
		cells = append(cells, terminal.Cell{Start: start, End: end, Text: "***", Width: 3})
		at = end
	}
	return terminal.AppendCells(cells, string(line[at:to]), at)
}

// expandTabs turns tabs into spaces, so that the underline needs none.
func expandTabs(cells []terminal.Cell) []terminal.Cell {
	column := 0
	for i := range cells {
		if c := &cells[i]; c.Text == `\t` && c.End-c.Start == 1 {
			c.Width = tabColumns - column%tabColumns
			c.Text = strings.Repeat(" ", c.Width)
		}
		column += cells[i].Width
	}
	return cells
}

// cut chooses the cells to show around the token start..end. before and after report that the
// line goes on beyond the cells. A third of the columns is kept for the text before the token.
// shown are the bytes of the line that the shown cells represent.
func cut(cells []terminal.Cell, start, end, columns int, before, after bool) (s Snippet, shown syntax.Span) {
	first := 0
	for first < len(cells) && cells[first].End <= start {
		first++
	}
	last := first
	for last < len(cells) && cells[last].Start < end {
		last++
	}

	left, right := 0, len(cells)
	if before || after || widthOf(cells) > columns {
		left = first
		for room := columns / 3; left > 0 && cells[left-1].Width <= room; left-- {
			room -= cells[left-1].Width
		}
		right = left
		room := columns
		for ; right < len(cells) && cells[right].Width <= room; right++ {
			room -= cells[right].Width
		}
		for ; left > 0 && cells[left-1].Width <= room; left-- {
			room -= cells[left-1].Width
		}
	}

	var b strings.Builder
	if left > 0 || before {
		b.WriteString("…")
		s.Indent = 1
	}
	for _, c := range cells[left:right] {
		b.WriteString(c.Text)
	}
	if right < len(cells) || after {
		b.WriteString("…")
	}
	s.Text = strings.TrimRight(b.String(), " ")
	s.Indent += widthOf(cells[left:first])
	s.Length = max(widthOf(cells[first:min(last, right)]), 1)
	if left < right {
		shown = syntax.Span{Start: cells[left].Start, End: cells[right-1].End}
	}
	return s, shown
}

func widthOf(cells []terminal.Cell) int {
	width := 0
	for _, c := range cells {
		width += c.Width
	}
	return width
}
