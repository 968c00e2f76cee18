package shape

import (
	"bytes"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// WithoutDirectives returns the text of a template in a form that can be parsed, with every other
// byte at its place. Text between two braces stays if it is in a string, without the characters
// that would end the string. In the position of a value it becomes such a string, and anywhere
// else it is removed.
func WithoutDirectives(content []byte) []byte {
	text := bytes.Clone(content)
	var line lineState
	for at := 0; ; {
		start := bytes.Index(text[at:], []byte("{{"))
		if start < 0 {
			return text
		}
		start += at
		length := bytes.Index(text[start:], []byte("}}"))
		if length < 0 {
			return text
		}
		line.read(text[at:start])
		at = start + length + len("}}")
		directive := text[start:at]
		switch {
		case line.quote != 0:
			neutralize(directive)
		case strings.IndexByte(":=[,-", line.last) >= 0 && len(directive) >= len(`"{{}}"`):
			neutralize(directive)
			copy(directive, `"{{`)
			copy(directive[len(directive)-3:], `}}"`)
		default:
			blank(directive)
		}
		line.read(directive)
	}
}

// lineState is the state of a line up to a place in it.
type lineState struct {
	quote          byte // of the text that the place is in, 0 if it is in none
	previous, last byte // in front of the place; last is not a blank
}

// read advances to the end of a text.
func (l *lineState) read(text []byte) {
	for _, c := range text {
		switch {
		case c == '\n':
			*l = lineState{}
			continue
		case l.quote == 0 && (c == '"' || c == '\'' && strings.IndexByte("\x00 \t[{=:,(", l.previous) >= 0):
			l.quote = c
		case c == l.quote && l.previous != '\\':
			l.quote = 0
		}
		l.previous = c
		if c != ' ' && c != '\t' {
			l.last = c
		}
	}
}

// neutralize replaces characters that end a text or begin an escape.
func neutralize(directive []byte) {
	for i, c := range directive {
		switch c {
		case '"', '\'', '\\', '`', '\n', '\r', '\t':
			directive[i] = ' '
		}
	}
}

// blank removes everything but the lines.
func blank(directive []byte) {
	for i, c := range directive {
		if c != '\n' && c != '\r' {
			directive[i] = ' '
		}
	}
}

// isToFillIn reports whether a value is one that a template fills in, so that it may be of any
// kind.
func isToFillIn(n *syntax.Node) bool {
	return n.IsString() && strings.HasPrefix(n.Text, "{{") && strings.HasSuffix(n.Text, "}}")
}
