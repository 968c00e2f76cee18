package secret

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// shortest is the length of the shortest token there is: an AWS access key id.
const shortest = 20

// judged is how much of a token's random part is read before it is believed, so that hostile text
// costs no more than its length.
const judged = 64

// token is something of a known form.
type token struct {
	prefix, length int // of the prefix, and of the whole
	// exact reports that it has a length that its issuer gives to such tokens, so
	// that its looks do not count.
	exact bool
}

// alike are forms whose prefixes begin with the same two bytes.
type alike struct {
	second byte
	forms  []*form
}

// formsByFirst are the forms by the first byte of their prefixes, and then by the second,
// as every word of a text may begin one.
var formsByFirst = byFirst(forms[:])

func byFirst(forms []form) (by [256][]alike) {
	for i := range forms {
		f := &forms[i]
		first, second := f.prefix[0], f.prefix[1]
		at := slices.IndexFunc(by[first], func(a alike) bool { return a.second == second })
		if at < 0 {
			at, by[first] = len(by[first]), append(by[first], alike{second: second})
		}
		by[first][at].forms = append(by[first][at].forms, f)
	}
	return by
}

// formsAt returns the forms that may begin at i, by the first two bytes of their prefixes.
func formsAt(text string, i int) []*form {
	if i+1 == len(text) {
		return nil
	}
	for j := range formsByFirst[text[i]] {
		if a := &formsByFirst[text[i]][j]; a.second == text[i+1] {
			return a.forms
		}
	}
	return nil
}

// tokenAt returns the token that begins at i, which must be the start of a word.
func tokenAt(text string, i int) (t token, ok bool) {
	if len(text)-i < shortest {
		return token{}, false
	}
	if t, ok := shapedTokenAt(text, i); ok {
		return t, true
	}
	for _, f := range formsAt(text, i) {
		if !strings.HasPrefix(text[i:], f.prefix) {
			continue
		}
		start := i + len(f.prefix)
		if n := f.run(text, start, f.max+1); f.isIssuedLength(text, start, n) && !isStandIn(text[start:start+n]) {
			return token{len(f.prefix), len(f.prefix) + n, true}, true
		}
		n := f.run(text, start, judged)
		if f.least > 0 && n >= f.least && looksIssued(text[start:start+n]) {
			return token{len(f.prefix), len(f.prefix) + f.run(text, start, len(text)), false}, true
		}
	}
	return token{}, false
}

// longTokenAt returns where a run that begins at i like a token, and is longer than its
// issuer makes any, begins and ends: other words may touch a token in a damaged file.
// It is no token to report, and nothing to show.
func longTokenAt(text string, i int) (prefix, length int, ok bool) {
	for _, f := range formsAt(text, i) {
		if f.max == 0 || !strings.HasPrefix(text[i:], f.prefix) {
			continue
		}
		start := i + len(f.prefix)
		if f.run(text, start, f.max+1) > f.max && !isStandIn(text[start:start+f.max]) {
			return len(f.prefix), len(f.prefix) + f.run(text, start, len(text)), true
		}
	}
	return 0, 0, false
}

// isIssuedLength reports whether a rest of n bytes has a length that the issuer
// gives to it, and ends there.
func (f *form) isIssuedLength(text string, start, n int) bool {
	if f.min == 0 || n < f.min || n > f.max {
		return false
	}
	end := start + n
	return end == len(text) || !ascii.IsAlphanumeric(text[end]) && text[end] != '_'
}

// run returns how many characters of a token's random part follow each other from
// start on, at most limit.
func (f *form) run(text string, start, limit int) int {
	end, hasAll := min(len(text)-start, limit), strings.HasPrefix(f.alphabet, alnum)
	for n := range end {
		c := text[start+n]
		if (!hasAll || !ascii.IsAlphanumeric(c)) && strings.IndexByte(f.alphabet, c) < 0 {
			return n
		}
	}
	return max(end, 0)
}

// cutTokenAt returns the length of the prefix of a token that begins at i and is
// cut off by the end of the text, as in a file that ends in the middle.
func cutTokenAt(text string, i int) (prefix int, ok bool) {
	if len(text)-i > 4*judged {
		return 0, false
	}
	for _, f := range formsAt(text, i) {
		if len(f.prefix) < 3 || !strings.HasPrefix(text[i:], f.prefix) {
			continue
		}
		start := i + len(f.prefix)
		if rest := text[start:]; len(rest) >= 8 && f.run(text, start, len(rest)) == len(rest) && hasRandomRun(rest) {
			return len(f.prefix), true
		}
	}
	return 0, false
}

// looksIssued tells a token's random part from words and fillers: it is of
// many characters, digits or a wild mix of letters among them, and says nothing.
func looksIssued(rest string) bool {
	digit := strings.ContainsAny(rest, digits)
	return (digit || hasRandomRun(rest) || ascii.All(rest, ascii.IsUpper)) && distinct(rest) >= 8 && !hasFillerRun(rest) && !saysPlaceholder(rest) && !listed(publishedRests, rest)
}

// standInWords occur in text that represents a token, and hardly ever in a real one: by chance in
// less than one of a million tokens.
var standInWords = []string{"changeme", "example", "masked", "placeholder", "redacted", "replace", "sample", "xxxxxx"}

// standInParts are parts of text that represents a token, between dashes or underscores.
var standInParts = []string{"demo", "dummy", "fake", "here", "mock", "test", "testing", "todo", "token", "xxxx", "xxxxx", "your"}

// publishedRests are the rests of tokens that their issuer publishes: Stripe's test keys
// (docs.stripe.com/keys, docs.stripe.com/testing).
var publishedRests = []string{"4ec39hqlyjwdarjtt1zdp7dc", "bqokikjovbii2hlwgh4olfq2"}

// isStandIn reports whether a text with the length and the characters of a token's random part was
// evidently typed by a person instead of issued. It requires more successive letters than chance
// produces.
func isStandIn(rest string) bool {
	rest = rest[:min(len(rest), judged)]
	if distinct(rest) <= 5 || runsOn(rest) {
		return true
	}
	if listed(publishedRests, rest) {
		return true
	}
	lower := ascii.Lower(rest)
	for _, word := range standInWords {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return strings.HasPrefix(rest, "test") || ascii.All(rest, ascii.IsLower) || isOfParts(rest)
}

// runsOn reports whether a text repeats or counts on: eight times the same, eight
// that follow each other ("abcdefgh"), or half of it each one more than the one
// before ("1234abcd5678efgh").
func runsOn(rest string) bool {
	up, same, steps := 1, 1, 0
	for i := 1; i < len(rest); i++ {
		c, before := ascii.ToLower(rest[i]), ascii.ToLower(rest[i-1])
		up, same = up+1, same+1
		if c != before {
			same = 1
		}
		if c != before+1 && (c != '0' || before != '9') {
			up = 1
		} else {
			steps++
		}
		if up >= 8 || same >= 8 {
			return true
		}
	}
	return steps*2 >= len(rest)
}

// longestWord is the length of the longest part that may be a word.
const longestWord = 16

// isOfParts reports whether a text is of words and numbers between dashes or
// underscores ("my-gitlab-token-2024"), or one of its parts is a word for a placeholder.
func isOfParts(rest string) bool {
	plain, letters, parts := true, false, 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		parts++
		if listed(standInParts, part) {
			return true
		}
		switch {
		case len(part) <= longestWord && (ascii.All(part, ascii.IsLower) || ascii.All(part, ascii.IsUpper)):
			letters = true
		case !ascii.All(part, ascii.IsDigit):
			plain = false
		}
	}
	return plain && letters && parts > 1
}
