package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// message is what an error says: a format of fmt's, and its arguments. They are
// kept apart because the pieces of the file among them may be credentials.
type message struct {
	format string
	args   []any
}

// says returns a message. Its arguments may be messages and pieces of the file.
func says(format string, args ...any) message { return message{format, args} }

// The pieces of the file that a message shows.
type (
	quoted   string // in quotes
	unquoted string
)

// text words a message with a function that hides credentials.
func (m message) text(mask func(string) string) string {
	args := make([]any, len(m.args))
	for i, arg := range m.args {
		switch piece := arg.(type) {
		case message:
			args[i] = piece.text(mask)
		case quoted:
			args[i] = quote(string(piece), mask)
		case unquoted:
			args[i] = shorten(mask(string(piece)))
		default:
			args[i] = arg
		}
	}
	return fmt.Sprintf(m.format, args...)
}

// describe names a token without giving away what a string holds, for it may
// be a secret. The result is an argument of a message.
func describe(token string) any {
	if token[0] == '"' {
		return "string"
	}
	return quoted(token)
}

// unquote takes the quotes off a string, for a message to add them.
func unquote(token string) string {
	if token[0] == '"' {
		return strings.TrimSuffix(token[1:], `"`)
	}
	return token
}

// maxShown is the number of characters of the file a message shows.
const maxShown = 16

// quote shows a piece of the file. What may be a credential of no known form is
// not shown.
func quote(text string, mask func(string) string) string {
	if isMixedWord(text) {
		return "a word"
	}
	return `"` + shorten(mask(text)) + `"`
}

// isMixedWord reports whether a text is one long word of letters and digits, as
// keys and passwords are.
func isMixedWord(text string) bool {
	return len(text) >= 8 && !strings.ContainsAny(text, "/.@ ") &&
		strings.ContainsFunc(text, unicode.IsDigit) && strings.ContainsFunc(text, unicode.IsLetter)
}

// shorten returns a text on one line, with nothing a terminal would act on, and
// cut.
func shorten(text string) string {
	var b strings.Builder
	count := 0
	for _, r := range text {
		if count++; count > maxShown {
			b.WriteString("…")
			break
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRune(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}
