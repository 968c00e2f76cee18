package syntax

import (
	"bytes"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// File is a file's content under the path it is reported at.
type File struct {
	// Path is slash-separated, from the repository root.
	Path string
	// Bytes is the content as read, never changed; it may begin with a BOM.
	Bytes []byte
	// Memory is where ParseJSON builds the tree; nil for memory of its own. It is
	// for the time of reading and is not kept with the file.
	Memory *Memory

	once  sync.Once
	lines []int  // offset of the first byte of every line
	marks []mark // one about every markDistance bytes

	secretsOnce sync.Once
	secrets     []Span
}

// mark is a character whose index is known, so that columns on a long line
// (a minified file has only one) need not be counted from its start.
type mark struct {
	offset int
	runes  int // code points before offset
}

const markDistance = 4096

// NewFile returns a File of the path and content.
func NewFile(path string, content []byte) *File { return &File{Path: path, Bytes: content} }

// Text returns the content as a string, without copying it.
func (f *File) Text() string { return textOf(f) }

// bom is the UTF-8 byte order mark.
const bom = "\ufeff"

// HasBOM reports whether the content begins with a UTF-8 byte order mark.
func HasBOM(content []byte) bool { return bytes.HasPrefix(content, []byte(bom)) }

// Secrets returns the spans of the file that must not be shown, in order and
// without overlap. It looks at the file as one line, since "--token" and its
// value are often two, and once, since a file may have any number of findings.
func (f *File) Secrets() []Span {
	f.secretsOnce.Do(func() {
		text := strings.NewReplacer("\r", " ", "\n", " ").Replace(string(f.Bytes))
		for _, r := range secret.Find(text) {
			f.secrets = append(f.secrets, Span{r.Start, r.End})
		}
	})
	return f.secrets
}

// SecretsIn returns those that reach into a span.
func (f *File) SecretsIn(span Span) []Span { return Overlapping(f.Secrets(), span) }

// Overlapping returns the spans of a sorted list that reach into one.
func Overlapping(spans []Span, in Span) []Span {
	first := sort.Search(len(spans), func(i int) bool { return spans[i].End > in.Start })
	last := sort.Search(len(spans), func(i int) bool { return spans[i].Start >= in.End })
	return spans[min(first, last):last]
}

// Position is a place in a file as people and GitHub count: lines from 1,
// columns from 1 in Unicode code points. A byte order mark is not a column.
type Position struct{ Line, Column int }

// Position returns the line and column of a byte offset. Offsets outside the
// file are clamped to it; an offset inside a character counts as its start.
func (f *File) Position(offset int) Position {
	f.once.Do(f.index)
	offset = min(max(offset, f.lines[0]), len(f.Bytes))
	line := sort.SearchInts(f.lines, offset+1) - 1
	return Position{Line: line + 1, Column: f.runesBefore(offset) - f.runesBefore(f.lines[line]) + 1}
}

// runesBefore counts the code points that end at or before an offset. A byte
// that is not valid UTF-8 counts as one.
func (f *File) runesBefore(offset int) int {
	next := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].offset > offset })
	last := f.marks[next-1]
	return last.runes + utf8.RuneCount(f.Bytes[last.offset:characterStart(f.Bytes, offset)])
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
	for len(f.Bytes)-at.offset > markDistance {
		end := characterStart(f.Bytes, at.offset+markDistance)
		at = mark{offset: end, runes: at.runes + utf8.RuneCount(f.Bytes[at.offset:end])}
		f.marks = append(f.marks, at)
	}
}

// characterStart returns the start of the character that offset lies in, which
// is offset itself in no valid character and at the end.
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
