package syntax

import (
	"strings"
	"unicode/utf8"
)

// syntaxError words an error of the parser at an offset of the file.
func (r *tomlReader) syntaxError(at int, message string) error {
	problem := r.surface.problem
	if problem != nil && problem.Span.Start <= at {
		return problem // the parser stumbles only where the string or bracket should have ended
	}
	at = characterStart([]byte(r.text), at)
	if span := conflictMarker(r.text, at); !span.IsZero() {
		return &Error{Span: span, message: says("unresolved merge conflict marker"), Conflict: true}
	}
	switch {
	case strings.HasPrefix(message, "invalid escape character"):
		return badEscape(r.text, at)
	case strings.HasPrefix(message, "invalid hexadecimal digit"), message == "unicode escape sequence is too short":
		return r.badHexEscape(at)
	case message == "strings must be quoted":
		at = wordStart(r.text, at)
	}
	span := tokenSpan(r.text, r.start, at)
	return &Error{Span: span, message: tomlMessage(message, found(r.text, span, at))}
}

// tomlMessage puts an error of go-toml into our words, where the reader of a
// configuration file is better served by them.
func tomlMessage(problem string, found any) message {
	for _, known := range [...]struct{ begin, words string }{
		{"expected newline but got", "expected the end of the line, found %s"},
		{"expected '=' after key", `expected "=" after the key, found %s`},
		{"invalid character at start of key", "expected a key, found %s"},
		{"expected key but", "expected a key, found %s"},
		{"expected ']' to close table name", `expected "]" after the name of the table, found %s`},
		{"expected ']]' to close array table name", `expected "]]" after the name of the table, found %s`},
		{"expected ',' or ']'", `expected a comma or "]", found %s`},
		{"expected ',' or '}'", `expected a comma or "}", found %s`},
	} {
		if strings.HasPrefix(problem, known.begin) {
			return says(known.words, found)
		}
	}
	for _, begin := range [...]string{"unexpected character", "expected keyword", "expected digit", "expected value", "strings must be quoted"} {
		if strings.HasPrefix(problem, begin) {
			return notTOMLValue(found)
		}
	}
	return says("%s", problem)
}

// notTOMLValue says what is wrong with a token where a value belongs.
func notTOMLValue(found any) message {
	token, _ := found.(quoted)
	switch lower := strings.ToLower(string(token)); lower {
	case "true", "false":
		return says("TOML writes %s, not %s", lower, found)
	case "null", "none", "nil":
		return says("TOML has no %s: leave the key out", found)
	}
	if isWord(string(token)) && !isMixedWord(string(token)) {
		return says("expected a value, found %s: a string needs quotes", found)
	}
	return says("expected a value, found %s", found)
}

// badHexEscape says that digits are missing in the escape with a wrong digit at an offset.
func (r *tomlReader) badHexEscape(at int) error {
	start := strings.LastIndexByte(r.text[:at], '\\')
	if start < r.start {
		start = at
	}
	end := min(start+len(`\u`), len(r.text))
	for end < at && isHexDigit(r.text[end]) {
		end++
	}
	return &Error{Span: Span{start, end}, message: says(
		`invalid escape %s: \u needs four hexadecimal digits and \U eight, and a backslash is written as \\`, unquoted(r.text[start:end]))}
}

// found names what is at an offset without giving away what a string holds. The
// result is an argument of a message.
func found(text string, span Span, at int) any {
	switch {
	case strings.HasPrefix(text[at:], "\r") && !strings.HasPrefix(text[at:], "\r\n"):
		return "a carriage return without a line feed"
	case span.Contains(Span{at, at + 1}):
		if text[at] == '\'' {
			return "string"
		}
		return describe(text[span.Start:span.End])
	case at == len(text):
		return "the end of the file"
	}
	return "the end of the line"
}

// tokenSpan returns what a reader would see as one token at an offset, or, if a
// line or the file ends there, the content of that line; of an empty line, the
// one before.
func tokenSpan(text string, start, at int) Span {
	if at < len(text) && text[at] != '\n' && text[at] != '\r' {
		p := jsonParser{text: text, pos: at}
		return Span{at, p.tokenEnd()}
	}
	end := start + len(strings.TrimRight(text[start:at], " \t\r\n"))
	begin := start + strings.LastIndexAny(text[start:end], "\r\n") + 1
	begin += len(text[begin:end]) - len(strings.TrimLeft(text[begin:end], " \t"))
	if begin == end && at < len(text) {
		return Span{at, at + 1} // nothing is before it: a lone carriage return
	}
	return Span{begin, end}
}

// wordStart returns the start of the word at an offset.
func wordStart(text string, at int) int {
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if !isWordRune(r) {
			break
		}
		at -= size
	}
	return at
}

// conflictMarker returns the span of the marker that a merge has left at an
// offset, or none.
func conflictMarker(text string, at int) Span {
	p := jsonParser{text: text, pos: at}
	if marker := p.conflictMarker(); marker != "" {
		return Span{at, at + len(marker)}
	}
	return Span{}
}
