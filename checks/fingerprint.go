package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Fingerprint identifies a finding across commits: the first 32 hexadecimal
// digits of a SHA-256 over rule, path, server and token. No line number is in
// it, so it survives edits above the finding, and no secret: a hash of one
// could be guessed; hidden finds those of the file.
func (f *Finding) Fingerprint(hidden *secret.Spans) string {
	return f.FingerprintAs(f.File.Path, hidden)
}

// FingerprintAs is the fingerprint that a finding would have if its file had another
// path.
func (f *Finding) FingerprintAs(path string, hidden *secret.Spans) string {
	text := make([]byte, 0, 256)
	for _, part := range []string{f.Check.ID, path, secret.Mask(Beginning(f.Server, maxUnquoted)), f.tokenText(hidden)} {
		text = append(append(text, part...), 0)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Key identifies a related place across commits if its file has a path.
func (r *Related) Key(path string, hidden *secret.Spans) string {
	return path + "\x00" + tokenText(r.File, r.Span, hidden)
}

func (f *Finding) tokenText(hidden *secret.Spans) string {
	if f.Secret {
		return secret.Mask(f.group.place)
	}
	return tokenText(f.File, f.Span, hidden)
}

// tokenText returns the text of a span with secrets masked and without white
// space, which formatters move. Of a long one the beginning is enough: thousands of
// findings may have one list as their place.
func tokenText(file *syntax.File, span syntax.Span, hidden *secret.Spans) string {
	at := min(max(span.Start, 0), len(file.Bytes))
	end := min(max(span.End, at), len(file.Bytes), at+2*utf8.UTFMax*maxUnquoted+1)
	var b strings.Builder
	for _, h := range hidden.In(file, syntax.Span{Start: at, End: end}) {
		if h.Start > at {
			b.Write(file.Bytes[at:h.Start])
		}
		b.WriteString("***")
		at = min(h.End, end)
	}
	b.Write(file.Bytes[at:end])
	text := secret.Mask(Beginning(b.String(), maxUnquoted))
	if strings.ContainsFunc(text, unicode.IsSpace) {
		text = strings.Join(strings.Fields(text), "")
	}
	return text
}
