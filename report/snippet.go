package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// The widths of a snippet, in columns.
const (
	maxColumns  = 120 // of a source line; a longer one is cut around the token
	leadColumns = 40  // kept before the token when the line is cut
	tabColumns  = 4
)

// snippet is the source line of a span, ready to print, and the columns of the
// underline below it.
type snippet struct {
	text           string
	indent, length int
}

// snippetOf shows the first line of a span. Secrets are hidden, what is not
// visible is spelled out, tabs are expanded, a long line is cut; the underline
// stays below the token all the same.
// hidden are further spans of the file that are not shown, sorted.
func snippetOf(file *syntax.File, span syntax.Span, secrets *secret.Spans, hidden []syntax.Span) snippet {
	line, lineStart := file.Line(file.LineAt(span.Start))
	start := min(max(span.Start-lineStart, 0), len(line))
	end := min(max(span.End-lineStart, start), len(line))

	// Only what can be shown is split into characters: a line may be megabytes.
	from, to := runeStart(line, start-8*maxColumns), runeStart(line, start+8*maxColumns)
	window := syntax.Span{Start: lineStart + from, End: lineStart + to}
	ranges := slices.Clone(secrets.In(file, window))
	for _, h := range secret.Overlapping(hidden, window) {
		ranges = hide(ranges, h)
	}
	cells := expandTabs(maskedCells(line, lineStart, ranges, from, to))
	return cut(cells, start, end, from > 0, to < len(line))
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

// hide adds a span to those that are hidden, in order and without overlap.
func hide(spans []syntax.Span, more syntax.Span) []syntax.Span {
	var kept []syntax.Span
	for _, s := range spans {
		if s.End < more.Start || s.Start > more.End {
			kept = append(kept, s)
			continue
		}
		more = syntax.Span{Start: min(more.Start, s.Start), End: max(more.End, s.End)}
	}
	at, _ := slices.BinarySearchFunc(kept, more, func(a, b syntax.Span) int { return a.Start - b.Start })
	return slices.Insert(kept, at, more)
}

// maskedCells returns the cells of the bytes from..to of a line, which begins
// at the offset lineStart of its file, each hidden span as one cell.
func maskedCells(line []byte, lineStart int, hidden []syntax.Span, from, to int) []cell {
	var cells []cell
	at := from
	for _, h := range hidden {
		start, end := max(h.Start-lineStart, at), min(h.End-lineStart, to)
		if start >= end {
			continue
		}
		cells = append(cells, cellsOf(string(line[at:start]), at)...)
		cells = append(cells, cell{start, end, "***", 3})
		at = end
	}
	return append(cells, cellsOf(string(line[at:to]), at)...)
}

// expandTabs turns tabs into spaces, so that the underline needs none.
func expandTabs(cells []cell) []cell {
	column := 0
	for i := range cells {
		if c := &cells[i]; c.text == `\t` && c.end-c.start == 1 {
			c.width = tabColumns - column%tabColumns
			c.text = strings.Repeat(" ", c.width)
		}
		column += cells[i].width
	}
	return cells
}

// cut chooses the cells to show around the token start..end. before and after
// report that the line goes on beyond the cells.
func cut(cells []cell, start, end int, before, after bool) snippet {
	first := 0
	for first < len(cells) && cells[first].end <= start {
		first++
	}
	last := first
	for last < len(cells) && cells[last].start < end {
		last++
	}

	left, right := 0, len(cells)
	if before || after || widthOf(cells) > maxColumns {
		left = first
		for room := leadColumns; left > 0 && cells[left-1].width <= room; left-- {
			room -= cells[left-1].width
		}
		right = left
		room := maxColumns
		for ; right < len(cells) && cells[right].width <= room; right++ {
			room -= cells[right].width
		}
		for ; left > 0 && cells[left-1].width <= room; left-- {
			room -= cells[left-1].width
		}
	}

	var s snippet
	var b strings.Builder
	if left > 0 || before {
		b.WriteString("…")
		s.indent = 1
	}
	for _, c := range cells[left:right] {
		b.WriteString(c.text)
	}
	if right < len(cells) || after {
		b.WriteString("…")
	}
	s.text = strings.TrimRight(b.String(), " ")
	s.indent += widthOf(cells[left:first])
	s.length = max(widthOf(cells[first:min(last, right)]), 1)
	return s
}

func widthOf(cells []cell) int {
	width := 0
	for _, c := range cells {
		width += c.width
	}
	return width
}
