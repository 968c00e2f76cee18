package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Fingerprint identifies a finding across commits: the first 32 hexadecimal
// digits of a SHA-256 over rule, path, server and token. No line number is in
// it, so it survives edits above the finding, and no secret: a hash of one
// could be guessed; hidden finds those of the file.
func (f *Finding) Fingerprint(hidden *secret.Spans) string {
	h := sha256.New()
	for _, part := range []string{f.Check.ID, f.File.Path, secret.Mask(f.Server), f.tokenText(hidden)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

func (f *Finding) tokenText(hidden *secret.Spans) string {
	if f.Secret {
		return secret.Mask(f.group.place)
	}
	return tokenText(f.File, f.Span, hidden)
}

// tokenText returns the text of a span with secrets masked and without white
// space, which formatters move.
func tokenText(file *syntax.File, span syntax.Span, hidden *secret.Spans) string {
	at := min(max(span.Start, 0), len(file.Bytes))
	end := min(max(span.End, at), len(file.Bytes))
	var b strings.Builder
	for _, h := range hidden.In(file, syntax.Span{Start: at, End: end}) {
		if h.Start > at {
			b.Write(file.Bytes[at:h.Start])
		}
		b.WriteString("***")
		at = min(h.End, end)
	}
	b.Write(file.Bytes[at:end])
	return strings.Join(strings.Fields(secret.Mask(b.String())), "")
}
