package secret

import "strings"

// IsPlaceholder reports whether v stands for a value that a person has to
// fill in: "", "<token>", "YOUR_API_KEY", "xxxx", "...", "sk-...", "changeme",
// "path/to/file", "https://example.com". Five of six secret-named values in
// real repositories are of this kind.
func IsPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if _, ok := NextReference(v, 0); ok {
		return false
	}
	switch {
	case v == "", isEnclosed(v), hasAngles(v), isFiller(v):
		return true
	case strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, "***"):
		return true
	case containsFold(v, "path/to") || containsFold(v, `path\to`) || containsFold(v, "example.com") || containsFold(v, "example.org"):
		return true
	case hasFillerRun(v) || isVariableName(v):
		return true
	}
	return saysPlaceholder(v)
}

// saysPlaceholder reports whether a word of v says that it is to be replaced.
func saysPlaceholder(v string) bool {
	previous := ""
	for word := range words(v) {
		switch {
		case listed("placeholder changeme replaceme redacted todo tbd fixme yourtoken yourkey yourapikey yourpassword yoursecret", word):
			return true
		case equalFold(word, "your"):
			return true
		case equalFold(word, "me") && listed("change replace fill", previous):
			return true
		case equalFold(word, "here") && previous != "":
			return true
		case equalFold(previous, "my") && listed("token key secret password api", word):
			return true
		case listed("insert enter replace put paste add", previous) && listed("your this with by api token key the a it", word):
			return true
		}
		previous = word
	}
	// "YOURAPIKEY", "yourtokenhere": no word boundary to go by.
	return hasPrefixFold(v, "your") && len(v) > 4 && !isDigit(v[4])
}

// isEnclosed reports whether all of v stands in brackets: "[API key]",
// "{token}".
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

// isFiller reports whether v is one repeated character ("xxxx", "0000"), or a
// run off the keyboard.
func isFiller(v string) bool {
	if len(v) >= 3 && distinct(v) == 1 {
		return true
	}
	return listed("123456 1234567 12345678 123456789 1234567890 abc123 abcdef abcd1234 foobar asdf", v)
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
		alone := (i == len(v) || !isAlphanumeric(v[i])) && (i == run || !isAlphanumeric(v[i-run-1]))
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
		case isUpper(v[i]), isDigit(v[i]) && i > 0:
		default:
			return false
		}
	}
	return underscore && IsSecretName(v)
}

// words yields the runs of letters of v, split at camelCase too.
func words(v string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i <= len(v); i++ {
			inside := i < len(v) && isLetter(v[i])
			if start >= 0 && (!inside || isUpper(v[i]) && isLower(v[i-1])) {
				if !yield(v[start:i]) {
					return
				}
				start = -1
			}
			if inside && start < 0 {
				start = i
			}
		}
	}
}

// listed reports whether word stands in a list of words separated by white
// space, whatever its case.
func listed(list, word string) bool {
	if word == "" {
		return false
	}
	for i := 0; i < len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		start := i
		for i < len(list) && !isSpace(list[i]) {
			i++
		}
		if i-start == len(word) && equalFold(list[start:i], word) {
			return true
		}
	}
	return false
}

// equalFold compares ASCII text without case.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && equalFold(text[:len(prefix)], prefix)
}

// containsFold reports whether text holds part, which is in lower case.
func containsFold(text, part string) bool {
	for i := 0; i+len(part) <= len(text); i++ {
		if lower(text[i]) == part[0] && equalFold(text[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
