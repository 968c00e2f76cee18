package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Fingerprint identifies a finding across commits: the first 32 hexadecimal
// digits of a SHA-256 over rule, path, server and token. No line number is in
// it, so it survives edits above the finding, and no secret: a hash of one
// could be guessed; hidden finds those of the file.
func (f *Finding) Fingerprint(hidden *secret.Spans) string {
	text := make([]byte, 0, 256)
	for _, part := range []string{f.Rule.ID, f.File.Path, secret.Mask(wording.Beginning(f.Server, wording.MaxUnquoted)), f.tokenText(hidden)} {
		text = append(append(text, part...), 0)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Trace identifies a finding across commits as Fingerprint does, independent of the name of its
// file and the spelling of its token.
func (f *Finding) Trace(hidden *secret.Spans) string {
	return strings.Join([]string{f.Rule.ID, secret.Mask(wording.Beginning(f.Server, wording.MaxUnquoted)), unquoted(f.tokenText(hidden))}, "\x00")
}

// Token is the text that a finding is reported at, in one spelling and without secrets.
func (f *Finding) Token(hidden *secret.Spans) string { return unquoted(f.tokenText(hidden)) }

// Token is the same of a related place.
func (r *Related) Token(hidden *secret.Spans) string {
	return unquoted(tokenText(r.File, r.Span, hidden))
}

// unquoted returns a token without quotes and escapes, if it is a string of JSON, or
// one in simple quotes that has none.
func unquoted(token string) string {
	var plain string
	switch {
	case len(token) < 2 || token[0] != token[len(token)-1]:
	case token[0] == '\'':
		return strings.ReplaceAll(token[1:len(token)-1], "''", "'")
	case token[0] == '"' && json.Unmarshal([]byte(token), &plain) == nil:
		return plain
	}
	return token
}

func (f *Finding) tokenText(hidden *secret.Spans) string {
	if f.Secret {
		return secret.Mask(f.Group.Place)
	}
	return tokenText(f.File, f.Span, hidden)
}

// tokenText returns the text of a span with secrets masked and without white
// space, which formatters move. Of a long one the beginning is enough: thousands of
// findings may have one list as their place.
func tokenText(file *syntax.File, span syntax.Span, hidden *secret.Spans) string {
	at := min(max(span.Start, 0), len(file.Bytes))
	end := min(max(span.End, at), len(file.Bytes), at+2*utf8.UTFMax*wording.MaxUnquoted+1)
	var b strings.Builder
	for _, h := range hidden.In(file, syntax.Span{Start: at, End: end}) {
		if h.Start > at {
			b.Write(file.Bytes[at:h.Start])
		}
		b.WriteString("***")
		at = min(h.End, end)
	}
	b.Write(file.Bytes[at:end])
	text := secret.Mask(wording.Beginning(b.String(), wording.MaxUnquoted))
	if strings.ContainsFunc(text, unicode.IsSpace) {
		text = strings.Join(strings.Fields(text), "")
	}
	return text
}
