package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// IsPlaceholder reports whether v represents a value that a person must fill in: "", "<token>",
// "YOUR_API_KEY", "xxxx", "...", "sk-...", "changeme", "path/to/file", "https://example.com". Five
// of six secret-named values in real repositories are of this kind.
func IsPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if _, ok := NextReference(v, 0); ok {
		return false
	}
	switch {
	case v == "", isEnclosed(v), isFiller(v), hasAngles(v), HasBlank(v) && !hasToken(v):
		return true
	case strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, "***"):
		return true
	case ascii.ContainsFold(v, "path/to") || ascii.ContainsFold(v, `path\to`) || ascii.ContainsFold(v, "example.com") || ascii.ContainsFold(v, "example.org"):
		return true
	case hasFillerRun(v) || isVariableName(v):
		return true
	}
	return saysPlaceholder(v)
}

// What the words of placeholders say: that they are placeholders, that a person must replace them
// ("change me"), whose they are ("my token"), what to insert where ("insert your key").
var (
	placeholderWords = []string{
		"changeme", "fixme", "placeholder", "redacted", "replaceme", "yourapikey", "yourkey", "yourpassword",
		"yoursecret", "yourtoken",
	}
	replaceWords  = []string{"change", "fill", "replace"}
	ownedWords    = []string{"api", "key", "password", "secret", "token"}
	insertWords   = []string{"add", "enter", "insert", "paste", "put", "replace"}
	insertedWords = []string{"a", "api", "by", "it", "key", "the", "this", "token", "with", "your"}
)

// saysPlaceholder reports whether a word of v says that v must be replaced.
func saysPlaceholder(v string) bool {
	previous := ""
	for word := range words(v) {
		switch {
		case listed(placeholderWords, word):
			return true
		case ascii.EqualFold(word, "your"):
			return true
		case ascii.EqualFold(word, "me") && listed(replaceWords, previous):
			return true
		case ascii.EqualFold(word, "here") && previous != "":
			return true
		case ascii.EqualFold(previous, "my") && listed(ownedWords, word):
			return true
		case listed(insertWords, previous) && listed(insertedWords, word):
			return true
		}
		previous = word
	}
	// Within a token these stand by chance.
	if hasWholeWord(v, "tbd") || hasWholeWord(v, "todo") {
		return true
	}
	// "YOURAPIKEY", "yourtokenhere": no word boundary to split at.
	return ascii.HasPrefixFold(v, "your") && len(v) > 4 && !ascii.IsDigit(v[4])
}

// hasWholeWord reports whether a text holds a word, in any letter case, with neither a letter nor a
// digit next to it.
func hasWholeWord(text, word string) bool {
	for from := 0; ; from++ {
		at := ascii.IndexFold(text[from:], word)
		if at < 0 {
			return false
		}
		from += at
		end := from + len(word)
		if (from == 0 || !ascii.IsAlphanumeric(text[from-1])) && (end == len(text) || !ascii.IsAlphanumeric(text[end])) {
			return true
		}
	}
}

// HasBlank reports whether text holds a place that a build or a template engine
// fills in: "<<Name>>", "{{name}}", "__NAME__", "@NAME@". "%NAME%" and "$NAME" are
// references as well (NextReference).
func HasBlank(text string) bool {
	return isBetween(text, "<<", ">>", isAnyText) || isBetween(text, "{{", "}}", isAnyText) ||
		isBetween(text, "__", "__", isBlankName) || isBetween(text, "@", "@", isBlankName)
}

// isBetween reports whether a text has two marks with an accepted text between.
func isBetween(text, open, close string, accept func(string) bool) bool {
	if strings.IndexByte(text, open[0]) < 0 {
		return false // as in nearly every text
	}
	for {
		_, rest, found := strings.Cut(text, open)
		if !found {
			return false
		}
		inside, _, found := strings.Cut(rest, close)
		if !found {
			return false
		}
		if accept(inside) {
			return true
		}
		text = rest
	}
}

func isAnyText(text string) bool { return text != "" }

// isBlankName reports whether a text is a name in capitals, as templates have it.
func isBlankName(text string) bool {
	return len(text) >= 2 && ascii.IsUpper(text[0]) && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// isEnclosed reports whether all of v is in brackets: "[API key]", "{token}".
func isEnclosed(v string) bool {
	if len(v) < 3 {
		return false
	}
	inner := v[1 : len(v)-1]
	switch {
	case v[0] == '[' && v[len(v)-1] == ']', v[0] == '{' && v[len(v)-1] == '}':
		return !strings.ContainsAny(inner, `"':,[]{}`)
	}
	return false
}

// hasAngles reports whether v holds "<something>".
func hasAngles(v string) bool {
	open := strings.IndexByte(v, '<')
	if open < 0 {
		return false
	}
	end := strings.IndexByte(v[open:], '>')
	return end > 1 && v[open+1] != ' ' && v[open+1] != '='
}

// keyboardRuns are what fingers type by themselves.
var keyboardRuns = []string{
	"123456", "1234567", "12345678", "123456789", "1234567890", "abc123", "abcd1234", "abcdef", "asdf", "foobar",
}

// isFiller reports whether v is one repeated character ("xxxx", "0000"), or a
// run off the keyboard.
func isFiller(v string) bool {
	if len(v) >= 3 && distinct(v) == 1 {
		return true
	}
	return listed(keyboardRuns, v)
}

// hasFillerRun reports whether v holds "xxx" on its own or four x's anywhere:
// "sk-xxxx", "api-xxxxxxxx-xxxx".
func hasFillerRun(v string) bool {
	run := 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && (v[i] == 'x' || v[i] == 'X') {
			run++
			continue
		}
		alone := (i == len(v) || !ascii.IsAlphanumeric(v[i])) && (i == run || !ascii.IsAlphanumeric(v[i-run-1]))
		if run >= 4 || run == 3 && alone {
			return true
		}
		run = 0
	}
	return false
}

// isVariableName reports whether v is the name of a variable where a value
// should stand: "GITHUB_TOKEN", "OPENAI_API_KEY".
func isVariableName(v string) bool {
	underscore := false
	for i := 0; i < len(v); i++ {
		switch {
		case v[i] == '_' && i > 0:
			underscore = true
		case ascii.IsUpper(v[i]), ascii.IsDigit(v[i]) && i > 0:
		default:
			return false
		}
	}
	return underscore && IsSecretName(v)
}
