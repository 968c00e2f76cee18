package lsp

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// cursor is where somebody writes in a text that need not parse yet.
type cursor struct {
	// keys are those from the root to the object or list that is written in, "" for an
	// element of a list.
	keys []string
	// isKey reports that a key is written; else it is the value of a key, or an element of a
	// list for "".
	isKey bool
	key   string
	// word is what is there already, quotes included.
	word syntax.Span
	// present are the keys of the object.
	present map[string]bool
	// isFollowed reports that a colon comes behind the word.
	isFollowed bool
}

// frame is an object or a list that is open.
type frame struct {
	isObject bool
	key      string // under which it is
	last     string // its last key
	isValue  bool   // a colon came behind that
	present  map[string]bool
}

// jsonCursor finds out where a place is in a text in JSON, with comments and whatever is missing.
// It reads up to the place, and the keys of the same object behind it; nil is in a comment.
func jsonCursor(text string, offset int) *cursor {
	var stack []frame
	var found *cursor
	top := func() *frame {
		if len(stack) == 0 {
			stack = append(stack, frame{present: map[string]bool{}})
		}
		return &stack[len(stack)-1]
	}
	here := func(start, end int) *cursor {
		c := &cursor{word: syntax.Span{Start: start, End: end}, present: top().present}
		for _, f := range stack {
			c.keys = append(c.keys, f.key)
		}
		if len(stack) > 1 || stack[0].isObject {
			c.keys = c.keys[1:] // the root is under no key
		}
		f := top()
		c.isKey = f.isObject && !f.isValue
		if f.isObject {
			c.key = f.last
		}
		rest := strings.TrimLeft(text[end:], " \t")
		c.isFollowed = strings.HasPrefix(rest, ":")
		return c
	}
	depth := -1 // of the stack where the place was
	for i := 0; i < len(text); {
		if found == nil && i >= offset {
			found, depth = here(offset, offset), len(stack)
		}
		switch c := text[i]; {
		case c == '"' || c == '\'':
			end, closed := stringEnd(text, i)
			if found == nil && i < offset && (offset < end || offset == end && !closed) {
				found, depth = here(i, end), len(stack)
			}
			if f := top(); f.isObject && !f.isValue {
				f.last = strings.Trim(text[i:end], `"'`)
				if found == nil || i != found.word.Start {
					f.present[f.last] = true
				}
			}
			i = end
			continue
		case strings.HasPrefix(text[i:], "//"), strings.HasPrefix(text[i:], "/*"):
			end := len(text)
			until := "\n"
			if text[i+1] == '*' {
				until = "*/"
			}
			if at := strings.Index(text[i+2:], until); at >= 0 {
				end = i + 2 + at
				if until == "*/" {
					end += 2
				}
			}
			if i < offset && offset <= end && found == nil {
				return nil
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
					return found
				}
				stack = stack[:len(stack)-1]
			}
		case c == ':':
			top().isValue = true
		case c == ',':
			top().isValue = false
		case isBare(c):
			end := i
			for end < len(text) && isBare(text[end]) {
				end++
			}
			if found == nil && offset <= end {
				found, depth = here(i, end), len(stack)
			}
			i = end
			continue
		}
		i++
	}
	if found == nil {
		found = here(len(text), len(text))
	}
	return found
}

// isBare reports whether a byte is one of a word without quotes.
func isBare(c byte) bool {
	return c == '_' || c == '-' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// stringEnd returns where a text in quotes ends, at the end of its line if it is not closed.
func stringEnd(text string, start int) (end int, closed bool) {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[start]:
			return i + 1, true
		case '\n':
			return i, false
		}
	}
	return len(text), false
}

// yamlCursor finds out where a place is in settings in YAML: the key of the top level, the keys
// between, and what is written on the line.
func yamlCursor(text string, offset int) *cursor {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	before := text[start:offset]
	if strings.Contains(before, "#") {
		return nil
	}
	c := &cursor{present: map[string]bool{}}
	word := strings.LastIndexAny(before, " \t[,") + 1
	end := offset
	for end < len(text) && !strings.ContainsRune("\n\r ,]:", rune(text[end])) {
		end++
	}
	c.word = syntax.Span{Start: start + word, End: end}
	key, _, isValue := strings.Cut(strings.TrimLeft(before, " \t-"), ":")
	c.isKey, c.isFollowed = !isValue, strings.HasPrefix(text[end:], ":")
	if isValue {
		c.key = strings.TrimSpace(key)
	}
	indent := len(before) - len(strings.TrimLeft(before, " \t-"))
	if indent == 0 {
		for line := range strings.Lines(text) {
			if name, _, isKey := strings.Cut(line, ":"); isKey && !strings.ContainsAny(name, " \t#") {
				c.present[name] = true
			}
		}
	}
	lines := strings.Split(text[:start], "\n")
	for i := len(lines) - 1; i >= 0 && indent > 0; i-- {
		line := lines[i]
		trimmed := strings.TrimLeft(line, " -")
		at := len(line) - len(trimmed)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		name, _, isKey := strings.Cut(trimmed, ":")
		switch {
		case at < indent && isKey:
			c.keys = append([]string{name}, c.keys...)
			indent = at
		case at == indent && isKey:
			c.present[name] = true
			if strings.HasPrefix(strings.TrimLeft(line, " "), "-") {
				indent = at - 1
				if !strings.HasPrefix(line, " ") {
					indent = 1
				}
			}
		}
	}
	return c
}
