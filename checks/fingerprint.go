package checks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fingerprintContext is how much of a very long line is looked at on each side
// of a token to recognise a secret in it.
const fingerprintContext = 4 << 10

// Fingerprint identifies a finding across commits: the first 32 hexadecimal
// digits of a SHA-256 over rule, path, server and token. No line number is in
// it, so it survives edits above the finding, and no secret: a hash of one
// could be guessed.
func (f *Finding) Fingerprint() string {
	h := sha256.New()
	for _, part := range []string{f.Check.ID, f.File.Path, secret.Mask(f.Server), f.tokenText()} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

func (f *Finding) tokenText() string {
	if f.Secret {
		return secret.Mask(f.story.stands)
	}
	return tokenText(f.File, f.Span)
}

// tokenText returns the text of a span with secrets masked and without white
// space, which formatters move. It is masked together with what stands around it, because the name
// that gives a secret away often stands outside of the span.
func tokenText(file *syntax.File, span syntax.Span) string {
	start := min(max(span.Start, 0), len(file.Bytes))
	end := min(max(span.End, start), len(file.Bytes))
	low, high := contextOf(file.Bytes, start, end)
	context := strings.NewReplacer("\r", " ", "\n", " ").Replace(string(file.Bytes[low:high]))
	var b strings.Builder
	for _, r := range secret.Find(context) {
		from, to := max(r.Start+low, start), min(r.End+low, end)
		if from < to {
			b.WriteString(context[start-low : from-low])
			b.WriteString("***")
			start = to
		}
	}
	b.WriteString(context[start-low : end-low])
	return strings.Join(strings.Fields(secret.Mask(b.String())), "")
}

// contextOf returns the range of the lines that hold start..end and of the line
// before them, cut where lines are very long.
func contextOf(content []byte, start, end int) (low, high int) {
	low = bytes.LastIndexByte(content[:start], '\n')
	low = bytes.LastIndexByte(content[:max(low, 0)], '\n') + 1
	high = len(content)
	if i := bytes.IndexByte(content[end:], '\n'); i >= 0 {
		high = end + i
	}
	return max(low, start-fingerprintContext), min(high, end+fingerprintContext)
}
