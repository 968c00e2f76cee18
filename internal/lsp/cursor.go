package lsp

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// cursor is the place where a person writes, in a text that need not parse yet.
type cursor struct {
	// keys are those from the root to the object or list that is written in, "" for an
	// element of a list.
	keys []string
	// isKey reports that a key is written; else it is the value of a key, or an element of a
	// list for "".
	isKey bool
	key   string
	// isElement reports that it is the beginning of an element of a list, which may become a key or
	// a value, as after a dash of YAML.
	isElement bool
	// header is that of a table of TOML, brackets included, which the key is in; zero elsewhere.
	header syntax.Span
	// inBrackets reports that it is in brackets of TOML or YAML, where everything is on one line.
	inBrackets bool
	// word is the text already written, quotes included.
	word syntax.Span
	// present are the keys of the object.
	present map[string]bool
	// isFollowed reports that the separator of a key and its value follows the word.
	isFollowed bool
}

// move moves the places by some bytes, to where the part that was read is in the whole file.
func (c *cursor) move(by int) {
	c.word.Start, c.word.End = c.word.Start+by, c.word.End+by
	if !c.header.IsZero() {
		c.header.Start, c.header.End = c.header.Start+by, c.header.End+by
	}
}

// list returns the keys to the list that an element of is written; ok is false elsewhere.
func (c *cursor) list() (keys []string, ok bool) {
	switch {
	case c.isElement:
		return c.keys[:len(c.keys)-1], true
	case c.isKey || c.key != "" || len(c.keys) == 0:
		return nil, false
	}
	return c.keys, true
}

// under returns the key that a value, or an element of a list, is under.
func (c *cursor) under() string {
	if list, ok := c.list(); ok && len(list) > 0 {
		return list[len(list)-1]
	}
	return c.key
}

// frame is an object or a list in brackets that is open.
type frame struct {
	isObject bool
	key      string // of which it is the value
	last     string // its last key
	isValue  bool   // the separator of a value came after that
	present  map[string]bool
}

// jsonCursor finds the cursor at a place in a text in JSON, with comments and with parts missing.
// It returns nil in a comment.
func jsonCursor(text string, offset int) *cursor {
	c, _ := inJSON.cursorInBrackets(text, 0, len(text), offset)
	return c
}

// cursorInBrackets finds the cursor at a place within brackets in a part of a text. It reads up to
// the place, and then the later keys of the same object. It returns nil in a comment, and outside
// of the brackets that a part of a text begins with: end is where those end then.
func (n notation) cursorInBrackets(text string, from, to, offset int) (_ *cursor, end int) {
	text = text[:to]
	var stack []frame
	var found *cursor
	top := func() *frame {
		if len(stack) == 0 {
			stack = append(stack, frame{present: map[string]bool{}})
		}
		return &stack[len(stack)-1]
	}
	here := func(start, end int) *cursor {
		f := top()
		c := &cursor{word: syntax.Span{Start: start, End: end}, present: f.present, isKey: f.isObject && !f.isValue, inBrackets: n != inJSON}
		for _, f := range stack[1:] { // what is outermost is under no key
			c.keys = append(c.keys, f.key)
		}
		if f.isObject {
			c.key = f.last
		}
		c.isFollowed = strings.HasPrefix(strings.TrimLeft(text[end:], " \t"), n.colon())
		return c
	}
	depth := -1 // of the stack where the place was
	for i := from; i < len(text); {
		if found == nil && i >= offset {
			found, depth = here(offset, offset), len(stack)
		}
		switch c := text[i]; {
		case c == '"' || c == '\'':
			end, closed := stringEnd(text, i)
			if found == nil && i < offset && (offset < end || offset == end && !closed) {
				found, depth = here(i, end), len(stack)
			}
			top().read(strings.Trim(text[i:end], `"'`), found != nil && found.word.Start == i)
			i = end
			continue
		case n.commentAt(text, i) > 0:
			end := n.commentAt(text, i)
			if i < offset && offset <= end && found == nil {
				return nil, len(text)
			}
			i = end
			continue
		case c == '{' || c == '[':
			f := frame{isObject: c == '{', present: map[string]bool{}}
			if len(stack) > 0 && top().isObject {
				f.key = top().last
			}
			stack = append(stack, f)
		case c == '}' || c == ']':
			if len(stack) > 0 {
				if len(stack) == depth {
					return found, i
				}
				if stack = stack[:len(stack)-1]; len(stack) == 0 && from > 0 {
					return nil, i + 1
				}
			}
		case n.isColonAt(text, i):
			top().isValue = true
		case c == ',':
			top().isValue = false
		case n.isBare(c):
			end := i + 1
			for end < len(text) && n.isBare(text[end]) && !n.isColonAt(text, end) {
				end++
			}
			if found == nil && offset <= end {
				found, depth = here(i, end), len(stack)
			}
			if n != inJSON {
				top().read(text[i:end], found != nil && found.word.Start == i)
			}
			i = end
			continue
		}
		i++
	}
	if found == nil && offset <= len(text) {
		found = here(len(text), len(text))
	}
	return found, len(text)
}

// read notes a key, which isWritten now or not.
func (f *frame) read(key string, isWritten bool) {
	if !f.isObject || f.isValue {
		return
	}
	if f.last = key; !isWritten {
		f.present[key] = true
	}
}

// commentAt returns the end of the comment that begins at a place, 0 for none.
func (n notation) commentAt(text string, i int) int {
	until := "\n"
	switch {
	case n != inJSON:
		if text[i] != '#' || i > 0 && !strings.ContainsRune(" \t\r\n[]{},", rune(text[i-1])) {
			return 0
		}
	case strings.HasPrefix(text[i:], "/*"):
		until = "*/"
	case !strings.HasPrefix(text[i:], "//"):
		return 0
	}
	from := min(i+2, len(text))
	if until == "\n" {
		from = i
	}
	switch at := strings.Index(text[from:], until); {
	case at < 0:
		return len(text)
	case until == "\n":
		return from + at
	default:
		return from + at + len(until)
	}
}

// isBare reports whether a byte is one of a word without quotes.
func (n notation) isBare(c byte) bool {
	if n == inYAML {
		return !strings.ContainsRune(" \t\r\n,[]{}\"'", rune(c))
	}
	return c == '_' || c == '-' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// stringEnd returns where a text in quotes ends, at the end of its line if it is not closed.
func stringEnd(text string, start int) (end int, closed bool) {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case text[start]:
			return i + 1, true
		case '\n':
			return i, false
		}
	}
	return len(text), false
}

// lineEnd returns where the line of a place ends, without its line break.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + len(strings.TrimSuffix(text[at:at+n], "\r"))
	}
	return len(text)
}
