package format

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mentioned reports whether a file may contain one of the words without which it has no MCP
// configuration. This saves parsing most settings files. Only the parser knows how a word may be
// written: a text with an escape may be any word.
func mentioned(f *shape.Format, content []byte) bool {
	if syntax.IsWide(content) {
		content = narrow(content)
	}
	for _, key := range f.Keys {
		if bytes.Contains(content, []byte(key)) {
			return true
		}
	}
	return syntax.MayEscape(content)
}

// Owns reports whether a file that cannot be read is an MCP configuration: by its path, or
// because it has one of the format's marks. A file with a name such as mcp.json.example need not
// be JSON at all.
func Owns(f *shape.Format, file *syntax.File) bool {
	if f.Dedicated {
		return true
	}
	if !strings.Contains(strings.ToLower(path.Ext(file.Path)), "json") && f == generic {
		return false
	}
	text := spelledOut(file.Bytes)
	if f.Markdown {
		text = frontMatterOf(text)
	}
	if f.Marks == nil || slices.Contains(f.OwnDirs, strings.ToLower(path.Base(path.Dir(file.Path)))) {
		return slices.ContainsFunc(f.Keys, func(key string) bool {
			return strings.Contains(text, `"`+key+`"`) || hasKey(text, key)
		})
	}
	return slices.ContainsFunc(f.Marks, func(mark string) bool {
		key, value, isKey := strings.Cut(mark, ":")
		return isKey && hasMember(text, key, strings.TrimSpace(value)) || !isKey && strings.Contains(text, mark)
	})
}

const (
	blanks = " \t\r\n"
	quotes = "\"'`“”‘’"
)

// hasKey reports whether a word is in a text as a key: before a colon, and first in its line or
// after a character that a key may follow. A quote that is missing or of the wrong kind changes
// nothing.
func hasKey(text, word string) bool { return hasMember(text, word, "") }

// hasMember is hasKey for a key with a value after it, a whole word; "" is any.
func hasMember(text, word, value string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		unquoted := strings.TrimRight(text[:start], quotes)
		before := strings.TrimRight(unquoted, " \t")
		isItem := value != "" && before != unquoted && strings.HasSuffix(before, "-")
		isFirst := before == "" || isItem || strings.ContainsAny(before[len(before)-1:], "\r\n{,[?")
		after, isKey := strings.CutPrefix(strings.TrimLeft(text[end:], quotes+blanks), ":")
		if isFirst && isKey && isWord(strings.TrimLeft(after, quotes+blanks), value) {
			return true
		}
		from = end
	}
}

// isWord reports whether a text begins with a whole word.
func isWord(text, word string) bool {
	rest, found := strings.CutPrefix(text, word)
	return found && (word == "" || rest == "" || !ascii.IsAlphanumeric(rest[0]) && !strings.ContainsAny(rest[:1], "_-"))
}

// narrow returns text of UTF-16 or UTF-32 without the zeros that ASCII has in it, which is enough
// to find words.
func narrow(content []byte) []byte { return bytes.ReplaceAll(content, []byte{0}, nil) }

// spelledOut returns a text with a letter for each escape, so that its words can be found. It is
// not a parser: it also finds escapes in strings that have none.
func spelledOut(content []byte) string {
	if syntax.IsWide(content) {
		content = narrow(content)
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if !syntax.MayEscape(content) {
		return string(content)
	}
	var b strings.Builder
	for rest := string(content); rest != ""; {
		plain, escaped, found := strings.Cut(rest, `\`)
		b.WriteString(plain)
		if !found {
			break
		}
		text, length := unescape(escaped)
		b.WriteString(text)
		rest = escaped[length:]
	}
	return b.String()
}

// unescape decodes an escape, given the text after its backslash, and returns how many bytes of
// that text belong to it.
func unescape(text string) (letter string, length int) {
	if text == "" {
		return `\`, 0
	}
	switch text[0] {
	case '\r', '\n':
		return "", len(text) - len(strings.TrimLeft(text, blanks))
	case 'x':
		length = len("x41")
	case 'u':
		length = len("u0041")
	case 'U':
		length = len("U00000041")
	default:
		return `\` + text[:1], 1
	}
	if len(text) < length {
		return `\`, 0
	}
	code, err := strconv.ParseUint(text[1:length], 16, 32)
	if err != nil {
		return `\`, 0
	}
	return string(rune(code)), length
}

// frontMatterOf returns the part of a Markdown file before its text, as far as this is clear in a
// file that does not parse.
func frontMatterOf(text string) string {
	front, _, _ := strings.Cut(text, "\n---")
	return front
}
