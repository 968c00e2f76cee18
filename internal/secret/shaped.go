package secret

import (
	"encoding/base64"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Some issuers give their tokens no prefix but a shape: parts of known lengths between
// fixed characters.

// shapedTokenAt returns the token without a prefix that begins at i, which must be the
// start of a word.
func shapedTokenAt(text string, i int) (t token, ok bool) {
	switch c := text[i]; {
	case ascii.IsDigit(c):
		t, ok = telegramTokenAt(text, i)
	case 'M' <= c && c <= 'O':
		t, ok = discordTokenAt(text, i)
	}
	if !ok {
		t, ok = terraformTokenAt(text, i)
	}
	return t, ok && !isStandIn(text[i+t.prefix:i+t.length])
}

// telegramTokenAt looks for the token of a bot of Telegram: its number, which is public, a colon
// and 35 characters (trufflehog:telegrambottoken).
func telegramTokenAt(text string, i int) (t token, ok bool) {
	const shortestID, longestID, rest = 8, 10, 35
	id := countOf(text[i:], ascii.IsDigit, longestID+1)
	start := i + id + len(":")
	if id < shortestID || id > longestID || !strings.HasPrefix(text[start-1:], ":AA") || countOf(text[start:], isWordChar, rest+1) != rest {
		return token{}, false
	}
	return token{id + len(":"), id + len(":") + rest, true}, true
}

// discordTokenAt looks for the token of a bot of Discord: its number in base64, when it
// was made, and a signature (kingfisher:discord).
func discordTokenAt(text string, i int) (t token, ok bool) {
	id := countOf(text[i:], isWordChar, 29)
	if id < 23 || id > 28 {
		return token{}, false
	}
	number, err := base64.RawURLEncoding.DecodeString(text[i : i+id])
	if err != nil || len(number) < 17 || !ascii.All(string(number), ascii.IsDigit) {
		return token{}, false
	}
	made := i + id + len(".")
	signature := made + 6 + len(".")
	if len(text) < signature || text[made-1] != '.' || text[signature-1] != '.' || countOf(text[made:], isWordChar, 7) != 6 {
		return token{}, false
	}
	n := countOf(text[signature:], isWordChar, 39)
	if n < 27 || n > 38 {
		return token{}, false
	}
	return token{0, signature + n - i, true}, true
}

// terraformTokenAt looks for a token of HCP Terraform (gitleaks:hashicorp-tf-api-token).
func terraformTokenAt(text string, i int) (t token, ok bool) {
	const id, mark = 14, ".atlasv1."
	if len(text)-i < id || !strings.HasPrefix(text[i+id:], mark) || countOf(text[i:], ascii.IsAlphanumeric, id) != id {
		return token{}, false
	}
	start := i + id + len(mark)
	n := countOf(text[start:], func(c byte) bool { return isWordChar(c) || c == '=' }, 71)
	if n < 60 || n > 70 {
		return token{}, false
	}
	return token{0, start + n - i, true}, true
}

func isWordChar(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' || c == '-' }

// countOf returns how many bytes of a text in a row are of a kind, at most limit.
func countOf(text string, is func(byte) bool, limit int) int {
	n := 0
	for n < min(len(text), limit) && is(text[n]) {
		n++
	}
	return n
}

// isMnemonic reports whether a value under the name of a passphrase is of as many words
// as a wallet is made from (BIP 39).
func isMnemonic(name, value string) bool {
	const shortest = 12*len("abc") + 11*len(" ")
	if len(value) < shortest {
		return false
	}
	_, last := cutLastWord(withoutNumber(name))
	if !endsLike(passwordEndings, last) && !ascii.EqualFold(last, "phrase") || saysPlaceholder(value) {
		return false
	}
	words := strings.Fields(value)
	seen := map[string]bool{}
	for _, word := range words {
		if seen[word] = true; len(word) < 3 || len(word) > 8 || !ascii.All(word, ascii.IsLower) {
			return false
		}
	}
	return len(words) >= 12 && len(words) <= 24 && len(words)%3 == 0 && len(seen) >= 8 // fewer are those of examples
}
