package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// listed reports whether word stands in a table: words separated by white
// space. Tables are constants, so that they cost nothing at start-up.
func listed(table, word string) bool {
	// Options are looked up most, and dashes are what their tables are full of:
	// look for what follows them.
	dashes := 0
	for dashes < len(word)-2 && word[dashes] == '-' {
		dashes++
	}
	needle := word[dashes:]
	if needle == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(table[from:], needle)
		if at < 0 {
			return false
		}
		start, end := from+at-dashes, from+at+len(needle)
		if isWholeWord(table, start, end) && table[start:end] == word {
			return !strings.ContainsAny(word, " \t\n")
		}
		from = end
	}
}

// isWholeWord reports whether white space or an end of the table is on both
// sides of a range.
func isWholeWord(table string, start, end int) bool {
	return start >= 0 && (start == 0 || isSpace(table[start-1])) && (end == len(table) || isSpace(table[end]))
}

// pairOf returns the value beside a key in a table of "key=value" words.
func pairOf(table, key string) (string, bool) {
	for from := 0; key != ""; {
		at := strings.Index(table[from:], key)
		if at < 0 {
			break
		}
		start, end := from+at, from+at+len(key)
		if (start == 0 || isSpace(table[start-1])) && end < len(table) && table[end] == '=' {
			value := table[end+1:]
			if stop := strings.IndexAny(value, " \t\n"); stop >= 0 {
				value = value[:stop]
			}
			return value, true
		}
		from = end
	}
	return "", false
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
