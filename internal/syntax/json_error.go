package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// expectation is what the parser wants next.
type expectation uint8

const (
	wantValue expectation = iota
	wantKey
	wantColon
	wantComma // or the bracket that closes the container
	wantEnd
)

// errorTo returns an error from pos to end.
func (p *jsonParser) errorTo(end int, format string, args ...any) error {
	return &Error{Span: Span{p.pos, end}, message: says(format, args...)}
}

// unexpected says why the token at pos cannot be where it is. It begins with
// the mistakes that are the same everywhere.
func (p *jsonParser) unexpected(want expectation) error {
	if p.pos == len(p.text) {
		return p.endOfFile()
	}
	if err := p.foreignToken(); err != nil {
		return err
	}
	if err := p.wrongBracket(want); err != nil {
		return err
	}
	end := p.tokenEnd()
	token := p.text[p.pos:end]
	switch want {
	case wantValue:
		return p.errorTo(end, "%s", notValue(token))
	case wantKey:
		if isWord(token) {
			return p.errorTo(end, "the key %s needs double quotes", quoted(token))
		}
		return p.errorTo(end, "expected a key in double quotes, found %s", quoted(token))
	case wantColon:
		last := p.pending[len(p.pending)-1]
		return p.errorTo(end, "expected a colon after the key %s", quoted(last.Name))
	case wantComma:
		return p.errorTo(end, "%s", p.notComma(token))
	}
	return p.errorTo(end, "unexpected %s after the end of the document", describe(token))
}

// endOfFile says what is missing at the end of the file.
func (p *jsonParser) endOfFile() error {
	if len(p.open) > 0 {
		return p.neverClosed("")
	}
	place := Span{}
	if p.tree.BOM {
		place = Span{len(bom), len(bom)}
	}
	if len(p.tree.Comments) > 0 {
		return &Error{Span: place, Empty: true, message: says("the file contains only comments: expected an object")}
	}
	return &Error{Span: place, Empty: true, message: says("the file is empty: expected an object")}
}

// neverClosed blames the innermost open bracket.
func (p *jsonParser) neverClosed(found string) error {
	node := p.open[len(p.open)-1].node
	at := node.Value.Start
	return &Error{Span: Span{at, at + 1}, message: says("%q is never closed%s", p.text[at:at+1], found)}
}

// wrongBracket judges a closing bracket of the other kind. If one is open that
// it would close, the brackets in it were forgotten; if not, it is one too
// many. A key or colon without its value is reported first.
func (p *jsonParser) wrongBracket(want expectation) error {
	c := p.peek()
	if c != '}' && c != ']' || len(p.open) == 0 || want == wantColon {
		return nil
	}
	innermost := p.innermost()
	if innermost == c || want == wantValue && innermost == '}' {
		return nil
	}
	if slices.ContainsFunc(p.open, func(open container) bool { return open.close == c }) {
		return p.neverClosed(fmt.Sprintf(": found %q instead of %q", string(c), string(innermost)))
	}
	return p.errorTo(p.pos+1, "%q closes nothing: expected %q", string(c), string(innermost))
}

// innermost returns the bracket that closes the innermost container.
func (p *jsonParser) innermost() byte { return p.open[len(p.open)-1].close }

// notComma says what is wrong with a token after a value.
func (p *jsonParser) notComma(token string) message {
	switch {
	case token[0] == '"' && p.innermost() == ']':
		return says("expected a comma before this string")
	case isWord(token), strings.Contains(`"{[`, token[:1]):
		return says("expected a comma before %s", quoted(unquote(token)))
	}
	return says("expected a comma or %q, found %s", string(p.innermost()), quoted(token))
}

// notValue says what is wrong with a token where a value belongs.
func notValue(token string) message {
	switch lower := strings.ToLower(strings.TrimLeft(token, "+-")); lower {
	case "true", "false", "null":
		return says("JSON writes %s, not %q", lower, token)
	case "none", "nil", "undefined":
		return says("JSON has no %q: write null", token)
	case "nan", "inf", "infinity":
		return says("JSON has no %q: write null or a string", token)
	}
	if isNumberLike(token) {
		return notNumber(token)
	}
	if isWord(token) {
		return says("expected a value, found %s: a string needs double quotes", quoted(token))
	}
	return says("expected a value, found %s", quoted(token))
}

// badNumber says what is wrong with the number at pos.
func (p *jsonParser) badNumber() error {
	end := p.tokenEnd()
	return p.errorTo(end, "%s", notValue(p.text[p.pos:end]))
}

// isNumberLike reports whether the writer of the token may have meant a number.
func isNumberLike(token string) bool {
	digits := strings.TrimLeft(token, "+-.")
	return token == "-" || digits != "" && ascii.IsDigit(digits[0])
}

// notNumber says what is wrong with a number.
func notNumber(token string) message {
	digits := strings.TrimPrefix(token, "-")
	isDecimal := strings.Trim(digits, ".0123456789") == ""
	switch {
	case digits == "":
		return says("expected a number after the minus sign")
	case digits[0] == '+':
		return says("a number has no plus sign")
	case isDecimal && digits[0] == '.':
		return says("a number needs a digit before its decimal point")
	case isDecimal && strings.IndexByte(digits, '.') == len(digits)-1:
		return says("a number needs a digit after its decimal point")
	case isDecimal && digits[0] == '0' && strings.Count(digits, ".") <= 1:
		return says("a number has no leading zeros")
	}
	return says("invalid number %s (a string needs double quotes)", quoted(token))
}

// foreignToken names what other languages and tools put into a file.
func (p *jsonParser) foreignToken() error {
	if marker := p.conflictMarker(); marker != "" {
		return &Error{Span: Span{p.pos, p.pos + len(marker)}, message: says("unresolved merge conflict marker"), Conflict: true}
	}
	r, size := utf8.DecodeRuneInString(p.text[p.pos:])
	switch {
	case r == '#':
		return p.errorTo(p.pos+size, "a comment begins with // or /*, not #")
	case isPowerShellBreak(p.text[p.pos:]):
		return p.errorTo(p.pos+2, "%s is how PowerShell writes a line break or a tab, and JSON does not support it", p.text[p.pos:p.pos+2])
	case strings.ContainsRune("'`‘’", r):
		return p.errorTo(p.tokenEnd(), "a string needs double quotes, not single quotes")
	case strings.ContainsRune("“”„", r):
		return p.errorTo(p.tokenEnd(), "a string needs straight double quotes, not curly ones")
	case !unicode.IsPrint(r):
		return p.errorTo(p.pos+size, "unexpected character %q", string(r))
	}
	return nil
}

// isPowerShellBreak reports whether a text begins with a line break or a tab as
// PowerShell writes it between double quotes: a script that wrote the file had it
// between single ones. A letter behind it is one of a text in backquotes.
func isPowerShellBreak(text string) bool {
	if len(text) < 2 || text[0] != '`' || strings.IndexByte("nrt", text[1]) < 0 {
		return false
	}
	return len(text) == 2 || !ascii.IsAlphanumeric(text[2])
}

// conflictMarker returns the marker a merge has left at pos, if one begins its
// line.
func (p *jsonParser) conflictMarker() string {
	if p.pos > 0 && p.text[p.pos-1] != '\n' && p.text[p.pos-1] != '\r' {
		return ""
	}
	for _, marker := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(p.text[p.pos:], marker) {
			return marker
		}
	}
	return ""
}

// badSlash says what is wrong with a slash that begins no comment.
func (p *jsonParser) badSlash() error {
	end := p.tokenEnd()
	if end > p.pos+1 {
		return p.errorTo(end, "unexpected %s: a string needs double quotes", quoted(p.text[p.pos:end]))
	}
	return p.errorTo(end, `unexpected "/": a comment begins with // or /*`)
}

// rawControl says how the control character at i of a string is written.
func rawControl(text string, i int) error {
	written := fmt.Sprintf(`\u%04x`, text[i])
	if text[i] == '\t' {
		written = `\t`
	}
	return &Error{Span: Span{i, i + 1}, message: says("a control character in a string must be written as %s", written)}
}

// badEscape says that there is no such escape as at i. Most are Windows paths.
func badEscape(text string, i int) error {
	_, size := utf8.DecodeRuneInString(text[i+1:])
	end := i + 1 + size
	return &Error{Span: Span{i, end}, message: says(`invalid escape %s: a backslash is written as \\`, unquoted(text[i:end]))}
}

// badUnicodeEscape says that the \u at i has too few digits.
func badUnicodeEscape(text string, i int) error {
	end := i + len(`\u`)
	for end < len(text) && isHexDigit(text[end]) {
		end++
	}
	return &Error{Span: Span{i, end}, message: says(`invalid escape %s: \u needs four hexadecimal digits, and a backslash is written as \\`, text[i:end])}
}

func isHexDigit(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// tokenEnd returns where the token at pos ends, as a reader would see it:
// anything in quotes up to the end of the line, a word, or a single character.
func (p *jsonParser) tokenEnd() int {
	line := p.text[p.pos:p.lineEnd(p.pos)]
	first, size := utf8.DecodeRuneInString(line)
	if closers := closingQuotes(first); closers != "" {
		return p.pos + quotedLength(line, size, closers)
	}
	if !isWordRune(first) {
		return p.pos + size
	}
	if i := strings.IndexFunc(line, func(r rune) bool { return !isWordRune(r) }); i >= 0 {
		return p.pos + i
	}
	return p.pos + len(line)
}

// closingQuotes returns the characters that may close a quotation opened by r,
// or nothing if r opens none.
func closingQuotes(r rune) string {
	switch r {
	case '"', '\'', '`':
		return string(r)
	case '‘', '’':
		return "’'"
	case '“', '”', '„':
		return "“”\""
	}
	return ""
}

// quotedLength returns the length of the quotation that begins line, whose
// content begins at i.
func quotedLength(line string, i int, closers string) int {
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		switch {
		case strings.ContainsRune(closers, r):
			return i
		case r == '\\' && i < len(line):
			_, size = utf8.DecodeRuneInString(line[i:])
			i += size
		}
	}
	return len(line)
}

// isWordRune reports whether r can be in something that is meant as one word,
// such as an unquoted key, number, path or placeholder.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_$.+-/@%&*~\\", r)
}

// isWord reports whether the token is a word rather than punctuation.
func isWord(token string) bool {
	return strings.ContainsFunc(token, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
