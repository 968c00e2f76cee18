package syntax

import (
	"fmt"
	"strings"
)

// tomlSurface is what the bytes of a TOML document show before it is parsed:
// go-toml's unstable parser tells neither where an array, an inline table or a
// table header begins and ends nor where a string that is never closed began.
type tomlSurface struct {
	brackets []Span // every pair, in the order of the opening brackets
	comments []Span
	problem  *Error // what is never closed, if anything is
}

// tomlScanner reads a document from front to back for its surface. Outside
// strings and comments, brackets have no other meaning in TOML than to pair.
type tomlScanner struct {
	tomlSurface
	file   *File
	text   string
	pos    int
	open   []int // indexes in brackets of those not closed yet
	values int   // keys and values, counted by what introduces them
}

// scanTOML returns the surface of the part of a file. It stops where no TOML
// parser can go on: at what is never closed or closed by the wrong bracket.
func scanTOML(f *File, part Span) (*tomlSurface, error) {
	s := &tomlScanner{file: f, text: textOf(f)[:part.End], pos: part.Start}
	for s.pos < len(s.text) {
		ok, err := s.token()
		if err != nil {
			return nil, err
		}
		if !ok {
			return &s.tomlSurface, nil
		}
	}
	if len(s.open) > 0 {
		at := s.brackets[s.open[len(s.open)-1]].Start
		s.problem = &Error{Span: Span{at, at + 1}, message: says("%q is never closed", s.text[at:at+1])}
	}
	return &s.tomlSurface, nil
}

// token passes the byte, comment or string at pos, and reports whether the
// document can go on behind it.
func (s *tomlScanner) token() (ok bool, err error) {
	c := s.text[s.pos]
	switch c {
	case '#':
		s.comment()
		return true, nil
	case '"', '\'':
		return s.string(c), nil
	case '[', '{':
		err = s.push()
	case ']', '}':
		return s.pop(c), nil
	case '=', ',', '.':
		s.values++
	}
	s.pos++
	if s.values > MaxTOMLValues {
		return false, valuesError(MaxTOMLValues)
	}
	return true, err
}

// valuesError says that there are too many keys and values.
func valuesError(limit int) error {
	return &LimitError{fmt.Sprintf("more than %s keys and values", thousands(limit))}
}

// thousands writes a number of at least a thousand with its commas.
func thousands(n int) string {
	if n < 1_000_000 {
		return fmt.Sprintf("%d,%03d", n/1_000, n%1_000)
	}
	return fmt.Sprintf("%d,%03d,%03d", n/1_000_000, n/1_000%1_000, n%1_000)
}

// comment records the comment at pos.
func (s *tomlScanner) comment() {
	end := s.lineEnd(s.pos)
	s.comments = append(s.comments, Span{s.pos, end})
	s.pos = end
}

// lineEnd returns the offset of the LF or CRLF after an offset.
func (s *tomlScanner) lineEnd(offset int) int {
	i := strings.IndexByte(s.text[offset:], '\n')
	if i < 0 {
		return len(s.text)
	}
	return offset + len(strings.TrimSuffix(s.text[offset:offset+i], "\r"))
}

func (s *tomlScanner) push() error {
	if len(s.open) == MaxDepth {
		return depthError(s.file, s.pos)
	}
	s.open = append(s.open, len(s.brackets))
	s.brackets = append(s.brackets, Span{Start: s.pos})
	s.values++
	return nil
}

// pop closes the innermost bracket, if c is what closes it.
func (s *tomlScanner) pop(c byte) bool {
	if len(s.open) == 0 {
		return false
	}
	innermost := &s.brackets[s.open[len(s.open)-1]]
	if (s.text[innermost.Start] == '[') != (c == ']') {
		return false
	}
	s.pos++
	innermost.End = s.pos
	s.open = s.open[:len(s.open)-1]
	return true
}

// string passes the string at pos, and reports whether it is closed.
func (s *tomlScanner) string(quote byte) bool {
	var end int
	var ok bool
	if strings.HasPrefix(s.text[s.pos:], strings.Repeat(string(quote), 3)) {
		end, ok = multilineEnd(s.text, s.pos+3, quote)
	} else {
		end, ok = singleLineEnd(s.text, s.pos+1, quote)
	}
	if !ok {
		s.problem = &Error{Span: Span{s.pos, s.lineEnd(s.pos)}, message: says("this string is never closed")}
		return false
	}
	s.pos = end
	return true
}

// singleLineEnd returns the offset behind the quote that closes the string
// whose content begins at i, and whether there is one on its line.
func singleLineEnd(text string, i int, quote byte) (end int, ok bool) {
	for ; i < len(text) && text[i] != '\n' && text[i] != '\r'; i++ {
		switch {
		case text[i] == quote:
			return i + 1, true
		case text[i] == '\\' && quote == '"' && i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r':
			i++
		}
	}
	return i, false
}

// multilineEnd returns the offset behind the quotes that close the string whose
// content begins at i. Up to two quotes before the closing three are content
// (TOML 1.0, "String").
func multilineEnd(text string, i int, quote byte) (end int, ok bool) {
	for i < len(text) {
		switch {
		case text[i] == '\\' && quote == '"':
			i += 2
		case text[i] == quote:
			run := i
			for i < len(text) && text[i] == quote {
				i++
			}
			if i-run >= 3 {
				return i, true
			}
		default:
			i++
		}
	}
	return len(text), false
}
