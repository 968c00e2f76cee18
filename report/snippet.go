package report

import (
	"bytes"
	"slices"
	"sort"
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

// contextBytes is how much of a very long line is looked at on each side of a
// token: enough to fill a snippet, and enough for a secret that starts or ends
// outside of it to be recognised.
const contextBytes = 16 << 10

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
func snippetOf(file *syntax.File, span syntax.Span, hidden []syntax.Span) snippet {
	line, lineStart := file.Line(file.Position(span.Start).Line)
	start := min(max(span.Start-lineStart, 0), len(line))
	end := min(max(span.End-lineStart, start), len(line))

	context, low := contextOf(file, lineStart, start, len(line))
	// Only what can be shown is split into characters: a line may be megabytes.
	from, to := runeStart(line, start-8*maxColumns), runeStart(line, start+8*maxColumns)
	ranges := secret.Find(context)
	for _, h := range near(hidden, lineStart+low, lineStart+low+len(context)) {
		ranges = hide(ranges, h.Start-lineStart-low, h.End-lineStart-low, len(context))
	}
	cells := expandTabs(maskedCells(context, ranges, low, from, to))
	return cut(cells, start, end, from > 0, to < len(line))
}

// contextOf returns the text around a place in a line and the offset in the line
// that it begins at. The line before belongs to it, on the same line, since
// "--token" and its value are often two lines; then the offset is negative.
func contextOf(file *syntax.File, lineStart, at, length int) (string, int) {
	low := max(at-contextBytes, -lineStart)
	high := min(at+contextBytes, length)
	text := file.Bytes[lineStart+low : lineStart+high]
	if i := max(-low, 0); i > 0 {
		before := bytes.TrimRight(text[:i], "\r\n")
		low += bytes.LastIndexByte(before, '\n') + 1
		text = file.Bytes[lineStart+low : lineStart+high]
	}
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(string(text)), low
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

// near returns the sorted spans that reach into start..end.
func near(spans []syntax.Span, start, end int) []syntax.Span {
	first := sort.Search(len(spans), func(i int) bool { return spans[i].End > start })
	last := sort.Search(len(spans), func(i int) bool { return spans[i].Start >= end })
	return spans[min(first, last):last]
}

// hide adds a range of a context to those that are hidden, in order and without
// overlap.
func hide(ranges []secret.Range, start, end, length int) []secret.Range {
	start, end = max(start, 0), min(end, length)
	if start >= end {
		return ranges
	}
	var kept []secret.Range
	for _, r := range ranges {
		switch {
		case r.End < start || r.Start > end:
			kept = append(kept, r)
		default:
			start, end = min(start, r.Start), max(end, r.End)
		}
	}
	at, _ := slices.BinarySearchFunc(kept, start, func(r secret.Range, start int) int { return r.Start - start })
	return slices.Insert(kept, at, secret.Range{Start: start, End: end})
}

// maskedCells returns the cells of the bytes from..to of a line, each secret as
// one cell. context is the text around them, which begins at offset low.
func maskedCells(context string, ranges []secret.Range, low, from, to int) []cell {
	var cells []cell
	at := from
	for _, r := range ranges {
		start, end := max(r.Start+low, at), min(r.End+low, to)
		if start >= end {
			continue
		}
		cells = append(cells, cellsOf(context[at-low:start-low], at)...)
		cells = append(cells, cell{start, end, "***", 3})
		at = end
	}
	return append(cells, cellsOf(context[at-low:to-low], at)...)
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
