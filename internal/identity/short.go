package identity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Short returns the short name of a server: what follows the last "/", in
// lower case, with every run of characters that are neither letters nor digits
// folded to "_" and trimmed. Letters and digits of every script count. It is
// "" when nothing is left: such a name has no short name.
func Short(name string) string {
	name = masked(name) // a part of a credential would not be known as one
	name = name[strings.LastIndexByte(name, '/')+1:]
	if isShort(name) {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	gap := false
	for _, c := range name {
		if !isWordRune(c) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		if c < utf8.RuneSelf {
			b.WriteByte(ascii.ToLower(byte(c)))
		} else {
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return b.String()
}

// Words returns the words of a name in small letters: its runs of letters and digits.
func Words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// IsGeneric reports whether a name does not describe what a server is.
func IsGeneric(name string) bool {
	return !slices.ContainsFunc(Words(name), func(word string) bool { return !isGenericWord(word) })
}

// isGenericWord reports whether a word of a name does not describe what a server is.
func isGenericWord(word string) bool {
	switch word {
	case "default", "demo", "dev", "example", "examples", "foo", "http", "local", "main", "mcp", "mcps", "my", "remote", "server", "servers",
		"sse", "stdio", "test", "testing", "tool", "tools", "your":
		return true
	}
	return false
}

// isWordRune reports whether a character stays in a short name. Nearly all are ASCII.
func isWordRune(c rune) bool {
	if c < utf8.RuneSelf {
		return ascii.IsAlphanumeric(byte(c))
	}
	return c != unicode.ReplacementChar && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}

// isShort reports whether a name is its own short name: the common case.
func isShort(name string) bool {
	return ascii.All(name, func(c byte) bool { return 'a' <= c && c <= 'z' || ascii.IsDigit(c) })
}
