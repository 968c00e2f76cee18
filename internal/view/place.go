package view

import (
	"bytes"
	"fmt"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Encoding is what the columns of a line count.
type Encoding = syntax.Encoding

// The encodings, as syntax has them.
const (
	CodePoints = syntax.CodePoints
	Bytes      = syntax.Bytes
)

// Position is a line and a column, both from 1.
type Position = syntax.Position

// Place is a range of a file.
type Place struct {
	view *View
	file *syntax.File
	span syntax.Span
}

// Path returns the path of the file.
func (p Place) Path() Path { return p.view.path(p.file.Path) }

// IsOf reports whether the range is of a file with a content, as an editor may have it.
func (p Place) IsOf(content []byte) bool { return bytes.Equal(p.file.Bytes, content) }

// Line returns the line on which the range begins, from 1.
func (p Place) Line() int { return p.file.LineAt(p.span.Start) }

// Start returns where the range begins.
func (p Place) Start(e Encoding) Position { return p.file.Position(p.span.Start, e) }

// End returns where the range ends, exclusive.
func (p Place) End(e Encoding) Position { return p.file.Position(p.span.End, e) }

// IsEmpty reports that nothing is in the range.
func (p Place) IsEmpty() bool { return p.span.Start == p.span.End }

// FirstLine returns the part of the range on its first line.
func (p Place) FirstLine() Place {
	line, start := p.file.Line(p.Line())
	p.span.End = max(min(p.span.End, start+len(line)), p.span.Start)
	return p
}

// String returns path:line:column as people see it, which terminals and editors
// can open.
func (p Place) String() string {
	at := p.Start(CodePoints)
	return fmt.Sprintf("%s:%d:%d", p.Path(), at.Line, at.Column)
}

// Point is where a place begins, to tell whether two begin at the same token.
type Point struct {
	path   string
	offset int
}

// Point returns where the place begins.
func (p Place) Point() Point { return Point{p.file.Path, p.span.Start} }
