package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// listed reports whether word stands in a sorted table.
func listed(table []string, word string) bool {
	_, found := slices.BinarySearch(table, word)
	return found
}

// pair is a row of a sorted table of two columns.
type pair struct{ key, value string }

// pairOf returns the value beside a key.
func pairOf(table []pair, key string) (string, bool) {
	at, found := slices.BinarySearchFunc(table, key, func(row pair, key string) int { return strings.Compare(row.key, key) })
	if !found {
		return "", false
	}
	return table[at].value, true
}

// lower is strings.ToLower for ASCII: other letters keep their length.
func lower(text string) string {
	for i := 0; i < len(text); i++ {
		if 'A' <= text[i] && text[i] <= 'Z' {
			b := []byte(text)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return text
}

// lowerName is lower for names that are shown. A token in one is masked before:
// nothing would recognise it in small letters.
func lowerName(name string) string { return lower(masked(name)) }

// masked hides a token in a name.
func masked(name string) string {
	if secret.HasToken(name) {
		return secret.Mask(name)
	}
	return name
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isAlphanumeric(c byte) bool { return isDigit(c) || isLetter(c) }

// allBytes reports whether text is not empty and every byte of it passes.
func allBytes(text string, ok func(c byte) bool) bool {
	for i := 0; i < len(text); i++ {
		if !ok(text[i]) {
			return false
		}
	}
	return text != ""
}

// isVariableName reports whether text is a name as environment variables have.
func isVariableName(text string) bool {
	return text != "" && !isDigit(text[0]) && allBytes(text, func(c byte) bool { return isAlphanumeric(c) || c == '_' })
}

// isHTTP reports whether text is an http or https URL.
func isHTTP(text string) bool {
	return len(text) > 7 && (strings.EqualFold(text[:7], "http://") || len(text) > 8 && strings.EqualFold(text[:8], "https://"))
}
