package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Range is a half-open range of byte offsets.
type Range struct{ Start, End int }

// mask replaces a hidden credential.
const mask = "***"

// Mask returns text with every credential hidden: "***", after at most the
// known prefix of its kind.
func Mask(text string) string {
	ranges := Find(text)
	if len(ranges) == 0 {
		return text
	}
	var b strings.Builder
	last := 0
	for _, r := range ranges {
		b.WriteString(text[last:r.Start])
		b.WriteString(mask)
		last = r.End
	}
	b.WriteString(text[last:])
	return b.String()
}

// Hides reports whether a part of a text must not be shown. Nothing may be derived from such a
// text: in another spelling the credential would not be recognized.
func Hides(text string) bool { return len(Find(text)) > 0 }

// Find returns the byte ranges of a line of source code (JSON, TOML, YAML, a
// command line) that must not be shown, in order and without overlap: tokens
// of a known shape, values under secret-like names, passwords in URLs. It
// never hides a placeholder or a reference.
func Find(line string) []Range {
	f := finder{line: line}
	f.walk()
	return f.found
}

// finder walks a line once, left to right.
type finder struct {
	line  string
	found []Range
	// from and to are the line without the white space around it.
	from, to int
	// steps counts the bytes that were read, with those read a second time. For any line, it grows
	// with the length of the line and no faster.
	steps int
}

// maxPlaceholder is the longest value that may be a placeholder or a reference. A longer one is
// hidden without reading it: a value that is read and not hidden is read again as part of what
// follows.
const maxPlaceholder = 512

func (f *finder) walk() {
	f.to = len(strings.TrimSpace(f.line))
	f.from = len(f.line) - len(strings.TrimLeft(f.line, " \t\r\n"))
	f.to += f.from
	for i := 0; i < len(f.line); {
		f.steps++
		i = f.look(i)
	}
}

// look examines the line at i and returns where to go on.
func (f *finder) look(i int) int {
	c := f.line[i]
	switch {
	case (ascii.IsAlphanumeric(c) || c == '-') && isWithin(f.line, i):
		return i + 1
	case ascii.IsAlphanumeric(c):
		return f.word(i)
	case c == '-' && strings.HasPrefix(f.line[i:], "-----BEGIN "):
		return f.privateKey(i)
	case c == '-' && f.isLogin(i):
		return f.login(i)
	case c == '-' && strings.HasPrefix(f.line[i:], "--") && (i == 0 || f.line[i-1] != '-'):
		return f.option(i)
	case c == '"' || c == '\'':
		return f.withoutColon(i)
	case c == ':' && strings.HasPrefix(f.line[i:], "://"):
		return f.url(i + len("://"))
	case c == '=' || c == ':':
		return f.assignment(i)
	}
	return i + 1
}

// word examines the word that begins at i: a token or "Bearer X".
func (f *finder) word(i int) int {
	rest := f.line[i:]
	if t, ok := tokenAt(f.line, i); ok {
		return f.hideWord(i+t.prefix, i+t.length)
	}
	if len(formsAt(f.line, i)) > 0 {
		if prefix, length, ok := longTokenAt(f.line, i); ok {
			return f.hideWord(i+prefix, i+length)
		}
		if prefix, ok := cutTokenAt(f.line, i); ok {
			f.found = append(f.found, Range{i + prefix, len(f.line)})
			return len(f.line)
		}
	}
	if ascii.ToLower(rest[0]) != 'b' { // of "Bearer", as most words
		return f.pastRun(i + 1)
	}
	if scheme, _ := cutScheme(rest[:min(len(rest), 16)]); ascii.HasPrefixFold(scheme, "bearer ") || ascii.HasPrefixFold(scheme, "basic ") {
		start := i + len(scheme)
		end := f.bareEnd(start)
		if value := f.line[start:end]; len(value) >= 12 && isMixed(value) || len(value) >= 20 {
			return f.hide(start, end)
		}
		return start
	}
	return f.pastRun(i + 1)
}

// pastRun returns where a run of letters and digits ends that goes on at i.
func (f *finder) pastRun(i int) int {
	end := pastRun(f.line, i)
	f.steps += end - i
	return end
}

// hideWord hides a token with what touches it, which may be another one: in a damaged
// file they can stand without anything between them.
func (f *finder) hideWord(start, end int) int {
	for end < len(f.line) && strings.IndexByte(wordChar, f.line[end]) >= 0 {
		end++
	}
	f.found = append(f.found, Range{start, end})
	return end
}

// privateKey hides what follows "-----BEGIN … PRIVATE KEY-----" at i.
func (f *finder) privateKey(i int) int {
	start, ok := privateKeyBody(f.line, i)
	if !ok {
		return i + 1
	}
	end := start
	for end < len(f.line) && f.line[end] != '"' && f.line[end] != '\'' {
		end++
	}
	if end > start {
		f.found = append(f.found, Range{start, end})
	}
	return end
}

// maxName is the longest name that is read.
const maxName = 128

// option examines "--name" at i: if the name is secret-like and the value a separate word
// ("--api-key", "X" or --api-key X), the value is hidden. After that, the name is read like any
// word.
func (f *finder) option(i int) int {
	end := i
	for end < min(len(f.line), i+maxName) && (ascii.IsAlphanumeric(f.line[end]) || f.line[end] == '-' || f.line[end] == '_') {
		end++
	}
	f.steps += end - i
	name := f.line[i:end]
	if !IsSecretName(name) || end < len(f.line) && (f.line[end] == '=' || f.line[end] == ':') {
		return i + 2
	}
	start, quoted := end, false
	for start < len(f.line) && strings.IndexByte("\"'\\, \t", f.line[start]) >= 0 {
		quoted = quoted || f.line[start] == '"' || f.line[start] == '\''
		start++
	}
	if start == end || start == len(f.line) || f.line[start] == '-' {
		return max(end, i+1)
	}
	stop := f.bareEnd(start)
	if value := f.line[start:stop]; quoted || len(value) >= 8 && (isMixed(value) || !isWeakName(name)) {
		return f.hide(start, stop)
	}
	return start
}

// isLogin reports whether the option of curl that has a user and a password begins
// at i.
func (f *finder) isLogin(i int) bool {
	rest := f.line[i:]
	if !strings.HasPrefix(rest, "-u") && !strings.HasPrefix(rest, "--user") {
		return false
	}
	f.steps += maxName
	return strings.Contains(f.line[max(0, i-maxName):i], "curl")
}

// login examines "-u user:password" at i. A shell may have removed the quotes around it: everything
// up to a blank is the password.
func (f *finder) login(i int) int {
	start := i
	for start < len(f.line) && !ascii.IsSpace(f.line[start]) && f.line[start] != '"' && f.line[start] != '\'' {
		start++
	}
	for start < len(f.line) && strings.IndexByte("\"'\\, \t", f.line[start]) >= 0 {
		start++
	}
	end, colon := start, -1
	for end < len(f.line) && !ascii.IsSpace(f.line[end]) && f.line[end] != '"' && f.line[end] != '\'' {
		if colon < 0 && f.line[end] == ':' {
			colon = end
		}
		end++
	}
	if colon < 0 || colon+1 == end {
		return i + 1
	}
	f.steps += end - i
	return max(f.hide(colon+1, end), i+1)
}

// withoutColon examines a quote at i: where it closes a secret-like name, and a
// quoted value follows, the colon between them is missing, and the value is hidden.
func (f *finder) withoutColon(i int) int {
	start := i + 1
	for start < len(f.line) && (f.line[start] == ' ' || f.line[start] == '\t') {
		start++
	}
	f.steps += start - i
	open := quoteLength(f.line[start:])
	if open == 0 {
		return start
	}
	name, before := f.nameBefore(i)
	if i == 0 || !ascii.IsAlphanumeric(f.line[i-1]) || before == 0 || f.line[before-1] != f.line[i] || !IsSecretName(name) {
		return i + 1
	}
	start += open
	return f.value(name, start, f.closingQuote(start, f.line[start-open:start]), true)
}

// url examines what follows "://" at i: a password before "@", or a path that
// is a credential.
func (f *finder) url(i int) int {
	if n := secretPath(f.line[i:]); n > 0 {
		start := i + n
		end := start
		for end < len(f.line) && (ascii.IsAlphanumeric(f.line[end]) || strings.IndexByte("-_=%/", f.line[end]) >= 0) {
			end++
		}
		f.steps += end - start
		return f.hide(start, end)
	}
	user, password, _, ok := cutLogin(f.line[i:])
	f.steps += min(maxAuthority, len(f.line)-i)
	switch at := i + len(user) + len(password); {
	case !ok:
		return i
	case len(password) > 0:
		return f.hide(i+len(user)+1, at+1)
	case len(user) >= 16:
		return f.hide(i, at) // a token instead of the user
	default:
		return at
	}
}

// assignment examines "name = value" or "name: value" around the separator at
// i, in every quoting that JSON, TOML, YAML, headers and shells use.
func (f *finder) assignment(i int) int {
	name, before := f.nameBefore(i)
	isNamed := IsSecretName(name)
	if !isNamed && !f.isParameter(i, before, name) {
		return i + 1
	}
	start := i + 1
	for start < len(f.line) && (f.line[start] == ' ' || f.line[start] == '\t') {
		start++
	}
	if start == len(f.line) || f.line[start] == '{' && !strings.HasPrefix(f.line[start:], "{env:") || f.line[start] == '[' {
		return start
	}
	if open := quoteLength(f.line[start:]); open > 0 {
		quote := f.line[start : start+open]
		start += open
		return f.value(name, start, f.closingQuote(start, quote), true)
	}
	if quote := f.quoteBefore(before); quote != "" && f.line[i] == ':' {
		if isClosed := strings.HasPrefix(f.line[before+len(name):], quote); isClosed && f.isEmptyMember(start) {
			return start
		}
		return f.value(name, start, f.closingQuote(start, quote), true) // "X-Api-Key: value"
	}
	scheme, _ := cutScheme(f.line[start:min(len(f.line), start+16)])
	end := f.bareEnd(start + len(scheme))
	// "token: expected" may be prose; "TOKEN=value" is not, and neither is a password alone on a
	// line.
	alone := isPasswordName(name) && before <= f.from && end >= f.to
	return f.value(name, start, end, isNamed && f.line[i] == '=' || alone)
}

// isEmptyMember reports whether all of a member's value, which begins at start, is a word without
// quotes that says that there is no credential: "password": true.
func (f *finder) isEmptyMember(start int) bool {
	end := start
	for end < len(f.line) && ascii.IsLetter(f.line[end]) {
		end++
	}
	next := end
	for next < len(f.line) && ascii.IsSpace(f.line[next]) {
		next++
	}
	f.steps += next - start
	return listed(emptyWords, f.line[start:end]) && (next == len(f.line) || strings.IndexByte(",}]", f.line[next]) >= 0)
}

// isParameter reports whether a name, with the sign behind it at i, is that of a
// parameter of a URL that holds a credential. JSON may write the & as \u0026.
func (f *finder) isParameter(i, before int, name string) bool {
	if f.line[i] != '=' || before == 0 {
		return false
	}
	switch f.line[before-1] {
	case '?', '&', ';', '#':
	case '\\':
		name = strings.TrimPrefix(name, "u0026")
	default:
		return false
	}
	return IsSecretParameter(name)
}

// value hides the value of a secret-like name unless it is a word that says
// nothing; if it may be prose, it must look like a credential.
func (f *finder) value(name string, start, end int, sure bool) int {
	scheme, rest := cutScheme(f.line[start:end])
	if len(rest) <= maxPlaceholder && (!sure || isWeakName(name) && scheme == "") {
		f.steps += len(rest)
		if (len(rest) < 8 || !isMixed(rest)) && (len(rest) < 24 || strings.ContainsAny(rest, " -_")) {
			return start + len(scheme)
		}
	}
	return f.hide(start+len(scheme), end)
}

// weakWords are the last words of names whose values are often plain words.
var weakWords = []string{"auth", "bearer", "cookie", "header", "pat", "session"}

// isWeakName reports whether values under a secret-like name are often plain
// words: "auth": "oauth", "key": "Authorization".
func isWeakName(name string) bool {
	rest, last := cutLastWord(name)
	if rest == "" && (ascii.EqualFold(last, "key") || ascii.EqualFold(last, "authorization")) {
		return true
	}
	return listed(weakWords, last)
}

// emptyWords say that there is no value.
var emptyWords = []string{"false", "no", "none", "null", "off", "on", "true", "undefined", "yes"}

// hide adds a range unless its text is a placeholder, a reference or no value at all, and returns
// where to continue: text that is not hidden may have a credential next to the reference.
func (f *finder) hide(start, end int) int {
	if end-start <= maxPlaceholder {
		f.steps += end - start
		if isNoSecret(strings.TrimSpace(f.line[start:end])) {
			return start
		}
	}
	if t, ok := tokenAt(f.line[:end], start); ok {
		start += t.prefix
	}
	f.found = append(f.found, Range{start, end})
	return end
}

// isNoSecret reports whether a value may be shown under a secret-like name.
func isNoSecret(value string) bool {
	return IsReference(value) || IsPlaceholder(value) || listed(emptyWords, value) ||
		strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/")
}

// nameBefore returns the name before a separator, quotes left out, and where
// it begins.
func (f *finder) nameBefore(i int) (name string, start int) {
	end := i
	for end > 0 && strings.IndexByte("\"'\\ \t", f.line[end-1]) >= 0 && i-end < 8 {
		end--
	}
	start = end
	for start > 0 && end-start < maxName && (ascii.IsAlphanumeric(f.line[start-1]) || strings.IndexByte("_-.", f.line[start-1]) >= 0) {
		start--
	}
	f.steps += i - start
	return f.line[start:end], start
}

// quoteBefore returns the quote that stands right before offset i, with the
// backslashes before it.
func (f *finder) quoteBefore(i int) string {
	if i == 0 || f.line[i-1] != '"' && f.line[i-1] != '\'' {
		return ""
	}
	start := i - 1
	for start > 0 && f.line[start-1] == '\\' {
		start--
	}
	return f.line[start:i]
}

// quoteLength returns the length of an opening quote, backslashes included. Five
// levels of JSON in JSON are enough.
func quoteLength(text string) int {
	n := 0
	for n < min(len(text), 31) && text[n] == '\\' {
		n++
	}
	if n < len(text) && (text[n] == '"' || text[n] == '\'' || text[n] == '`') {
		return n + 1
	}
	return 0
}

// closingQuote returns the offset of the next quote written like the opening
// one, or the end of the line.
func (f *finder) closingQuote(start int, quote string) int {
	c := quote[len(quote)-1]
	for i := start; i < len(f.line); i++ {
		if f.line[i] != c {
			continue
		}
		back := i
		for back > start && f.line[back-1] == '\\' {
			back--
		}
		// A quote with more backslashes than the opening one stands within.
		if i-back <= len(quote)-1 {
			f.steps += i - start
			return back
		}
	}
	f.steps += len(f.line) - start
	return len(f.line)
}

// bareEnd returns the end of an unquoted value.
func (f *finder) bareEnd(start int) int {
	end := start
	for end < len(f.line) && strings.IndexByte(" \t\r\n\"'`&,;)]}<\\", f.line[end]) < 0 {
		if ref, ok := referenceAt(f.line, end); ok {
			end = ref.End
			continue
		}
		end++
	}
	f.steps += end - start
	return end
}
