package syntax

import (
	"bytes"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// File is a file's content under the path it is reported at.
type File struct {
	// Path is slash-separated, from the repository root.
	Path string
	// Bytes is the content as read, never changed; it may begin with a BOM.
	Bytes []byte

	once  sync.Once
	lines []int  // offset of the first byte of every line
	marks []mark // one at every multiple of markDistance, or the start of the character that it is in
}

// mark is a character whose index is known, so that columns on a long line
// (a minified file has only one) need not be counted from its start.
type mark struct {
	offset int
	runes  int // code points before offset
	pairs  int // of them those that UTF-16 writes as two units
}

const markDistance = 2048

// NewFile returns a File of the path and content.
func NewFile(path string, content []byte) *File { return &File{Path: path, Bytes: content} }

// Text returns the content as a string, without copying it.
func (f *File) Text() string { return textOf(f) }

// bom is the UTF-8 byte order mark.
const bom = "\ufeff"

// HasBOM reports whether the content begins with a UTF-8 byte order mark.
func HasBOM(content []byte) bool { return bytes.HasPrefix(content, []byte(bom)) }

// IsWide reports whether content is text in UTF-16 or UTF-32: it has a mark of one
// of these, or begins with a character of ASCII as they write it (RFC 4627, 3).
func IsWide(content []byte) bool {
	if bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff")) {
		return true
	}
	first := bytes.TrimLeft(content[:min(len(content), 4)], "\x00")
	zeros := min(len(content), 4) - len(first)
	switch {
	case len(content) < 2 || len(content)%2 != 0 || len(first) == 0 || first[0] < '\t' || first[0] >= utf8.RuneSelf:
		return false
	case zeros == 0:
		return content[1] == 0
	}
	return zeros == 1 || zeros == 3
}

// MayEscape reports whether a text may hold an escape that stands for a letter,
// in any of the languages, or a line break that YAML leaves out of a word.
func MayEscape(content []byte) bool {
	for {
		i := bytes.IndexByte(content, '\\')
		if i < 0 || i+1 == len(content) {
			return false
		}
		if strings.IndexByte("uUx\r\n", content[i+1]) >= 0 {
			return true
		}
		content = content[i+2:]
	}
}

// wideError says which encoding wide content is in, at its mark or first zero.
func wideError(content []byte) error {
	place := Span{0, 2}
	if zero := bytes.IndexByte(content, 0); content[0] < 0xfe {
		place = Span{zero, zero + 1}
	}
	name := "UTF-16"
	if len(content) >= 4 && (content[0] == 0 && content[1] == 0 || content[2] == 0 && content[3] == 0) {
		name = "UTF-32"
	}
	return &Error{Span: place, message: says("the file is in %s: save it as UTF-8", name)}
}

// Encoding is what the columns of a line count.
type Encoding uint8

// The encodings that readers of positions ask for. Bytes counts a byte order mark
// as a part of the first line, as diffs do; elsewhere it is no column.
const (
	CodePoints Encoding = iota // of Unicode, as people and GitHub count
	Bytes                      // as diffs and reviewdog count
	UTF16                      // units of UTF-16, as editors count (Language Server Protocol 3.17)
	UTF8                       // bytes without the mark, as editors count that ask for it
)

// Position is a place in a file: a line and a column of it, both from 1.
type Position struct{ Line, Column int }

// Position returns the place of a byte offset, which is clamped to the file.
// Where bytes are not what is counted, an offset inside a character counts as its
// start, and a byte that is not valid UTF-8 as a character.
func (f *File) Position(offset int, e Encoding) Position {
	line, offset := f.LineAt(offset), min(max(offset, 0), len(f.Bytes))
	start := f.lines[line-1]
	switch e {
	case Bytes:
		if line == 1 {
			start = 0
		}
		return Position{line, offset - start + 1}
	case UTF8:
		offset = max(offset, start)
		return Position{line, characterStart(f.Bytes, offset) - start + 1}
	}
	offset = max(offset, start)
	var here, first mark
	if offset-start <= markDistance { // as on nearly every line
		first = mark{offset: start}
		here = first.to(f.Bytes, max(characterStart(f.Bytes, offset), start))
	} else {
		here, first = f.before(offset), f.before(start)
	}
	column := here.runes - first.runes + 1
	if e == UTF16 {
		column += here.pairs - first.pairs
	}
	return Position{line, column}
}

// Offset returns the byte offset of a place: the way back from Position. A column behind the
// end of its line is that end, one inside a character its start; a line that is not there is the
// end of the file.
func (f *File) Offset(p Position, e Encoding) int {
	f.once.Do(f.index)
	if p.Line < 1 {
		return f.lines[0]
	}
	text, start := f.Line(p.Line)
	if e == Bytes && p.Line == 1 {
		text, start = f.Bytes[:start+len(text)], 0
	}
	left := max(p.Column-1, 0)
	if e == Bytes || e == UTF8 {
		return characterStart(f.Bytes, start+min(left, len(text)))
	}
	for at := 0; ; {
		if at == len(text) || left == 0 {
			return start + at
		}
		char, size := utf8.DecodeRune(text[at:])
		if left--; e == UTF16 && char > 0xffff {
			if left == 0 {
				return start + at
			}
			left--
		}
		at += size
	}
}

// LineAt returns the line of a byte offset, from 1.
func (f *File) LineAt(offset int) int {
	f.once.Do(f.index)
	return max(sort.SearchInts(f.lines, min(offset, len(f.Bytes))+1), 1)
}

// before counts the characters that end at or before an offset.
func (f *File) before(offset int) mark {
	last := min(offset/markDistance, len(f.marks)-1)
	if last+1 < len(f.marks) && f.marks[last+1].offset <= offset { // at the start of a character that a multiple is in
		last++
	}
	return f.marks[last].to(f.Bytes, characterStart(f.Bytes, offset))
}

// to returns the mark of a later offset.
func (m mark) to(content []byte, offset int) mark {
	part, pairs := content[m.offset:offset], 0
	for i, c := range part {
		if c >= 0xf0 {
			if _, size := utf8.DecodeRune(part[i:]); size == utf8.UTFMax {
				pairs++
			}
		}
	}
	return mark{offset, m.runes + utf8.RuneCount(part), m.pairs + pairs}
}

// Line returns the text of a 1-based line without its line ending (and, on
// line 1, without a byte order mark), and the offset of its first byte. Lines
// that do not exist are empty.
func (f *File) Line(line int) (text []byte, start int) {
	f.once.Do(f.index)
	if line < 1 || line > len(f.lines) {
		return nil, len(f.Bytes)
	}
	start = f.lines[line-1]
	if line == len(f.lines) {
		return f.Bytes[start:], start
	}
	text = f.Bytes[start : f.lines[line]-len("\n")]
	return bytes.TrimSuffix(text, []byte("\r")), start
}

// index finds the lines and sets the marks. A line ends with LF or CRLF, as git
// and GitHub count them.
func (f *File) index() {
	first := 0
	if HasBOM(f.Bytes) {
		first = len(bom)
	}
	f.lines = append(f.lines, first)
	for i, c := range f.Bytes {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	at := mark{}
	f.marks = append(f.marks, at)
	for next := markDistance; next < len(f.Bytes); next += markDistance {
		at = at.to(f.Bytes, characterStart(f.Bytes, next))
		f.marks = append(f.marks, at)
	}
}

// characterStart returns the start of the character at offset. That is offset itself outside of a
// valid character and at the end.
func characterStart(b []byte, offset int) int {
	for i := offset; i < len(b) && i >= 0 && i > offset-utf8.UTFMax; i-- {
		if !utf8.RuneStart(b[i]) {
			continue
		}
		if _, size := utf8.DecodeRune(b[i:]); i+size > offset {
			return i
		}
		break
	}
	return offset
}
