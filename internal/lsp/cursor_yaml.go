package lsp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// yamlLine is a line of YAML in block style.
type yamlLine struct {
	start, end int
	// dashes are the columns of its dashes, column is that of the text after them.
	dashes []int
	column int
	// key is its key, quotes included, if it has one; value is where the text after the colon
	// begins.
	key    syntax.Span
	hasKey bool
	value  int
	// isPassed reports that it has no meaning here: it is blank, a comment, or a part of a text or
	// of brackets that began on a line before.
	isPassed bool
}

// blockScalar is a value that is a text on the lines below.
var blockScalar = regexp.MustCompile(`^[|>][-+0-9]*[ \t]*(#.*)?$`)

// first is the column in which a line begins.
func (l *yamlLine) first() int {
	if len(l.dashes) > 0 {
		return l.dashes[0]
	}
	return l.column
}

// readYAMLLine reads the line that begins at a place.
func readYAMLLine(text string, start int) yamlLine {
	l := yamlLine{start: start, end: lineEnd(text, start)}
	at := start
	for at < l.end {
		switch isDash := text[at] == '-' && (at+1 == l.end || text[at+1] == ' '); {
		case isDash:
			l.dashes = append(l.dashes, at-start)
		case text[at] != ' ' && text[at] != '\t':
			l.readKey(text, at)
			return l
		}
		at++
	}
	l.column, l.isPassed = at-start, len(l.dashes) == 0
	return l
}

// readKey reads the text after blanks and dashes.
func (l *yamlLine) readKey(text string, at int) {
	l.column, l.isPassed = at-l.start, text[at] == '#'
	l.key = syntax.Span{Start: at, End: at}
	if text[at] == '"' || text[at] == '\'' {
		l.key.End, _ = stringEnd(text[:l.end], at)
	}
	for i := l.key.End; i < l.end; i++ {
		switch {
		case inYAML.commentAt(text, i) > 0, text[i] == '{' || text[i] == '[':
			return
		case inYAML.isColonAt(text[:l.end], i):
			l.key.End, l.hasKey, l.value = i, true, i+1
			l.key.End = at + len(strings.TrimRight(text[at:i], " \t"))
			return
		}
		l.key.End = i + 1
	}
	l.key.End = at + len(strings.TrimRight(text[at:l.key.End], " \t"))
}

// name is the key.
func (l *yamlLine) name(text string) string { return strings.Trim(text[l.key.Start:l.key.End], `"'`) }

// yamlReader reads a text in YAML line by line.
type yamlReader struct {
	text   string
	offset int
	lines  []yamlLine
}

// maxYAML is how long a text may be for whose lines memory is taken at each key: no client's file
// that people write is.
const maxYAML = 1 << 20

// yamlCursor finds the cursor at a place in a text in YAML. It returns nil in a comment, and in a
// text of several lines.
func yamlCursor(text string, offset int) *cursor {
	if len(text) > maxYAML {
		return nil
	}
	r := yamlReader{text: text, offset: offset}
	for i := 0; i <= len(text); i = r.after(len(r.lines) - 1) {
		l := r.line(i)
		r.lines = append(r.lines, l)
		if l.isPassed {
			continue
		}
		c, end := r.spread(&l)
		if c != nil {
			c.keys = slices.Concat(r.keysOfValue(len(r.lines)-1), c.keys)
			return c
		}
		for next := r.after(len(r.lines) - 1); next <= end; next = r.after(len(r.lines) - 1) {
			r.lines = append(r.lines, yamlLine{start: next, end: lineEnd(text, next), isPassed: true})
		}
	}
	at := slices.IndexFunc(r.lines, func(l yamlLine) bool { return offset <= l.end })
	if at < 0 || r.lines[at].isPassed {
		return nil
	}
	return r.block(at)
}

// after returns where the line after the one of a number begins.
func (r *yamlReader) after(i int) int {
	if end := r.lines[i].end; end < len(r.text) {
		return end + strings.IndexByte(r.text[end:], '\n') + 1
	}
	return len(r.text) + 1
}

// line reads the line that begins at a place. Where nothing is written on it yet, what will be
// begins at the cursor.
func (r *yamlReader) line(start int) yamlLine {
	l := readYAMLLine(r.text, start)
	isHere := start <= r.offset && r.offset <= l.end
	if isHere && l.column == l.end-start && (len(l.dashes) == 0 || r.offset > start+l.dashes[len(l.dashes)-1]+1) {
		l.isPassed, l.column, l.key = false, r.offset-start, syntax.Span{Start: r.offset, End: r.offset}
	}
	return l
}

// spread reads a value that may continue on other lines: a text, or brackets, in which c is the
// cursor at the place. end is where the value ends, 0 for no such value.
func (r *yamlReader) spread(l *yamlLine) (c *cursor, end int) {
	from := l.key.Start
	if l.hasKey {
		from = l.value
	}
	start := l.end - len(strings.TrimLeft(r.text[from:l.end], " \t"))
	isText := blockScalar.MatchString(r.text[start:l.end])
	if start == l.end || !isText && strings.IndexByte("[{", r.text[start]) < 0 {
		return nil, 0
	}
	// Everything that belongs to it is indented, except brackets that close it.
	limit := l.end
	for limit < len(r.text) {
		line := r.line(limit + strings.IndexByte(r.text[limit:], '\n') + 1)
		isCloser := !isText && line.column+line.start < line.end && strings.IndexByte("]}", r.text[line.start+line.column]) >= 0
		isBlank := line.isPassed && line.column+line.start == line.end
		if line.first() <= l.first() && !isCloser && !isBlank {
			break
		}
		limit = line.end
	}
	if isText || r.offset <= start {
		return nil, limit
	}
	return inYAML.cursorInBrackets(r.text, start, limit, r.offset)
}

// keysOfValue returns the keys from the root to the value of a line.
func (r *yamlReader) keysOfValue(i int) []string {
	keys := r.keys(i)
	if l := &r.lines[i]; l.hasKey {
		keys = append(keys, l.name(r.text))
	}
	return keys
}

// keys returns the keys from the root to the object or list that what a line says is in.
func (r *yamlReader) keys(i int) []string {
	var keys []string // the innermost first
	in, isElement := r.lines[i].column, false
	leave := func(dashes []int) {
		for _, dash := range slices.Backward(dashes) {
			if dash < in {
				keys, in, isElement = append(keys, ""), dash, true
			}
		}
	}
	leave(r.lines[i].dashes)
	for _, l := range slices.Backward(r.lines[:i]) {
		if l.isPassed {
			continue
		}
		if strings.HasPrefix(r.text[l.start:l.end], "---") {
			break
		}
		if l.hasKey && (l.column < in || isElement && l.column == in) {
			keys, in, isElement = append(keys, l.name(r.text)), l.column, false
		}
		leave(l.dashes)
	}
	slices.Reverse(keys)
	return keys
}

// present returns the keys of the object that the key of a line is in, except that key.
func (r *yamlReader) present(i int) map[string]bool {
	keys, column := map[string]bool{}, r.lines[i].column
	// isBeyond notes a key, and reports whether the object has ended.
	isBeyond := func(l *yamlLine, isEnd bool) bool {
		if l.isPassed {
			return false
		}
		if l.hasKey && l.column == column && !isEnd {
			keys[l.name(r.text)] = true
		}
		return l.first() < column
	}
	for j := i - 1; j >= 0 && len(r.lines[i].dashes) == 0 && !isBeyond(&r.lines[j], false); j-- {
	}
	for j := i + 1; j < len(r.lines) && !isBeyond(&r.lines[j], len(r.lines[j].dashes) > 0); j++ {
	}
	return keys
}

// block returns what is written on a line.
func (r *yamlReader) block(i int) *cursor {
	l := &r.lines[i]
	text := r.text[:l.end]
	for j := l.start; j < r.offset; j++ {
		if c := text[j]; c == '"' || c == '\'' {
			end, _ := stringEnd(text, j)
			j = end - 1
		} else if inYAML.commentAt(text, j) > 0 {
			return nil
		}
	}
	if l.hasKey && r.offset >= l.value {
		start := l.end - len(strings.TrimLeft(text[l.value:], " \t"))
		c := &cursor{keys: r.keys(i), key: l.name(r.text), word: syntax.Span{Start: r.offset, End: r.offset}, present: r.present(i)}
		if start <= r.offset {
			c.word = syntax.Span{Start: start, End: yamlScalarEnd(text, start)}
		}
		if !contains(c.word, r.offset) || r.offset == l.value {
			return nil // after it
		}
		return c
	}
	if r.offset < l.key.Start || r.offset > l.key.End {
		return nil
	}
	return &cursor{keys: r.keys(i), isKey: true, isElement: len(l.dashes) > 0, word: l.key, present: r.present(i), isFollowed: l.hasKey}
}

// yamlScalarEnd returns where the scalar ends that begins at a place of a line.
func yamlScalarEnd(line string, start int) int {
	if start < len(line) && (line[start] == '"' || line[start] == '\'') {
		end, _ := stringEnd(line, start)
		return end
	}
	end := start
	for end < len(line) && inYAML.commentAt(line, end) == 0 {
		end++
	}
	return start + len(strings.TrimRight(line[start:end], " \t"))
}
