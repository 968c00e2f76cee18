package lsp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// tomlStatement begins a statement of TOML, even if the one before is never closed: a header, or a
// key with its sign. A key in quotes does not count, because a list may have a variable with a
// value.
var tomlStatement = regexp.MustCompile(`(?m)^[ \t]*(?:\[{1,2}[ \t]*[A-Za-z_]|[\w.-]+[ \t]*=)`)

// tomlReader reads a text in TOML, one statement after the other.
type tomlReader struct {
	text   string
	offset int
	found  *cursor
	// table is the path of the table that began last. In it, an element of a list of tables is a
	// line break and its number, which no key is.
	table tomlPath
	lists map[string]int             // how many elements there are, by the path of a list
	all   map[string]map[string]bool // the keys of each table, by its path
	at    tomlPath                   // the table that is written in
}

// tomlPath are the keys from the root to a table or a value.
type tomlPath []string

func (p tomlPath) String() string { return strings.Join(p, "\n\n") }

// tomlCursor finds the cursor at a place in a text in TOML. It returns nil in a comment, and in a
// text of several lines.
func tomlCursor(text string, offset int) *cursor {
	r := tomlReader{text: text, offset: offset, lists: map[string]int{}, all: map[string]map[string]bool{}}
	for i := 0; i <= len(text); {
		next, ok := r.line(i)
		if !ok {
			return nil
		}
		i = next
	}
	if r.found == nil {
		return nil // within a line break
	}
	if r.found.present == nil { // not in brackets
		r.found.present = r.all[r.at.String()]
	}
	for _, key := range slices.Backward(r.at) {
		if strings.HasPrefix(key, "\n") {
			key = ""
		}
		r.found.keys = slices.Insert(r.found.keys, 0, key)
	}
	return r.found
}

// line reads the statement that begins on a line, and returns where the next line begins. ok is
// false if the place is in it, and nothing can be written there.
func (r *tomlReader) line(from int) (next int, ok bool) {
	end := lineEnd(r.text, from)
	start := end - len(strings.TrimLeft(r.text[from:end], " \t"))
	isHere := r.found == nil && from <= r.offset && r.offset <= end
	ok = true
	switch next = r.after(end); {
	case start == end, r.text[start] == '#':
		if isHere {
			ok = r.offset <= start
			r.find(&cursor{isKey: true, word: syntax.Span{Start: r.offset, End: r.offset}}, r.table)
		}
	case r.text[start] == '[':
		r.header(start, end)
		ok = !isHere || r.found != nil
	default:
		next = r.pair(start, end)
		ok = r.found != nil || r.offset < from || r.offset >= next
	}
	return next, ok
}

// after returns where the line after a place begins.
func (r *tomlReader) after(at int) int {
	if n := strings.IndexByte(r.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(r.text) + 1
}

// find notes what is written at the place, and in which table or at which value.
func (r *tomlReader) find(c *cursor, at tomlPath) { r.found, r.at = c, slices.Clone(at) }

// note notes the keys of a path, each in the table that it is in.
func (r *tomlReader) note(path tomlPath) {
	for i, key := range path {
		at := path[:i].String()
		if r.all[at] == nil {
			r.all[at] = map[string]bool{}
		}
		r.all[at][key] = true
	}
}

// header reads the header of a table.
func (r *tomlReader) header(start, end int) {
	open := 1
	if strings.HasPrefix(r.text[start:end], "[[") {
		open = 2
	}
	parts, _ := tomlKey(r.text, start+open, end)
	r.table = nil
	for i, p := range parts {
		if r.found == nil && start < r.offset && r.offset <= p.at.End {
			whole := syntax.Span{Start: start, End: p.at.End}
			for whole.End < end && r.text[whole.End] == ']' {
				whole.End++
			}
			r.find(&cursor{isKey: true, header: whole, word: r.word(p)}, r.table)
			return
		}
		r.table = append(r.table, p.name)
		path := r.table.String()
		if open == 2 && i == len(parts)-1 {
			r.lists[path]++
		}
		if n := r.lists[path]; n > 0 {
			r.table = append(r.table, "\n"+strconv.Itoa(n))
		}
	}
	r.note(r.table)
}

// tomlPart is a part of a key with dots.
type tomlPart struct {
	name string
	at   syntax.Span
}

// word returns the text already written at a part of a key, or at the blanks before it.
func (r *tomlReader) word(p tomlPart) syntax.Span {
	if r.offset < p.at.Start {
		return syntax.Span{Start: r.offset, End: r.offset}
	}
	return p.at
}

// tomlKey reads the parts of a key, the last of which may be empty, and returns where it ends.
func tomlKey(text string, from, end int) (parts []tomlPart, after int) {
	blanks := func(i int) int { return end - len(strings.TrimLeft(text[i:end], " \t")) }
	for i := blanks(from); ; i = blanks(i + 1) {
		start := i
		if i < end && (text[i] == '"' || text[i] == '\'') {
			i, _ = stringEnd(text[:end], i)
		}
		for i < end && inTOML.isBare(text[i]) {
			i++
		}
		parts = append(parts, tomlPart{strings.Trim(text[start:i], `"'`), syntax.Span{Start: start, End: i}})
		if i = blanks(i); i == end || text[i] != '.' {
			return parts, i
		}
	}
}

// pair reads a key and its value, and returns where the next line begins.
func (r *tomlReader) pair(start, end int) (next int) {
	parts, sign := tomlKey(r.text, start, end)
	hasValue := sign < end && r.text[sign] == '='
	path := slices.Clone(r.table)
	for _, p := range parts {
		if r.found == nil && start <= r.offset && r.offset <= p.at.End {
			r.find(&cursor{isKey: true, word: r.word(p), isFollowed: hasValue}, path)
			break
		}
		path = append(path, p.name)
	}
	if !hasValue {
		return r.after(end)
	}
	c, next := r.value(sign+1, end)
	switch isHere := r.found == nil && sign < r.offset && r.offset < next; {
	case !isHere || c == nil:
	case c.present != nil: // in brackets
		r.find(c, path)
	default:
		c.key = path[len(path)-1]
		r.find(c, path[:len(path)-1])
	}
	r.note(path)
	return next
}

// value reads a value, and returns where the next line begins. c is what is written at the place,
// if it is that; nil is where nothing can be.
func (r *tomlReader) value(from, end int) (c *cursor, next int) {
	start := end - len(strings.TrimLeft(r.text[from:end], " \t"))
	for _, quotes := range []string{`"""`, "'''"} {
		if strings.HasPrefix(r.text[start:end], quotes) {
			stop := len(r.text)
			if n := strings.Index(r.text[start+len(quotes):], quotes); n >= 0 {
				stop = start + n + 2*len(quotes)
			}
			return nil, r.after(stop)
		}
	}
	if start < end && strings.IndexByte("[{", r.text[start]) >= 0 {
		// A list that is never closed ends with the next statement, an inline table with its line.
		limit, offset := end, r.offset
		if at := tomlStatement.FindStringIndex(r.text[end:]); r.text[start] == '[' && at != nil {
			limit = end + at[0]
		} else if r.text[start] == '[' {
			limit = len(r.text)
		}
		if offset <= start {
			offset = len(r.text) + 1 // before it
		}
		c, stop := inTOML.cursorInBrackets(r.text, start, limit, offset)
		if c != nil {
			return c, len(r.text) + 1
		}
		return nil, r.after(min(stop, max(limit-1, end)))
	}
	c = &cursor{word: syntax.Span{Start: r.offset, End: r.offset}}
	for i := start; i < end; i = end - len(strings.TrimLeft(r.text[i:end], " \t")) {
		if r.text[i] == '#' {
			if r.offset > i {
				c = nil
			}
			break
		}
		word := syntax.Span{Start: i, End: i + 1}
		if r.text[i] == '"' || r.text[i] == '\'' {
			word.End, _ = stringEnd(r.text[:end], i)
		}
		for word.End < end && strings.IndexByte(" \t#", r.text[word.End]) < 0 {
			word.End++
		}
		if contains(word, r.offset) {
			c.word = word
		}
		i = word.End
	}
	return c, r.after(end)
}
