package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzBaseline holds that a baseline is read or refused at a place in it, and that
// what was read is written and read again as the same.
func FuzzBaseline(f *testing.F) {
	f.Add(`{"version": 1, "findings": [{"rule": "r", "path": "p", "server": "s", "fingerprint": "a", "count": 2}]}`)
	f.Add(`{"version": 1, "findings": [{"fingerprint": "a", "count": 1}, {"fingerprint": "a", "count": 9999999999999999999}]}`)
	f.Add("{\"version\": 1,\n<<<<<<< main\n\"findings\": []}")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBaseline("b.json", "b.json", []byte(text))
		if err != nil {
			var mistake *Error
			require.True(t, errors.As(err, &mistake))
			assert.LessOrEqual(t, mistake.Line, strings.Count(text, "\n")+1)
			return
		}
		entries := make([]baselineEntry, len(b.entries))
		for i, e := range b.entries {
			assert.Positive(t, e.Count)
			assert.True(t, 0 <= e.place.Start && e.place.Start <= e.place.End && e.place.End <= len(text))
			entries[i] = e.baselineEntry
		}
		again, err := ParseBaseline("b.json", "b.json", writeBaseline(entries))
		require.NoError(t, err)
		assert.Len(t, again.entries, len(b.entries))
	})
}

// FuzzDirective checks that a comment contains what it ignores, at the place that mcplumb
// reports if it ignores nothing.
func FuzzDirective(f *testing.F) {
	for _, comment := range []string{"// mcplumb: ignore[a-b, c] x", "/* mcplumb: ignore[] */", "# mcplumb:ignore[a", "// mcplumb: ignores[a]b", "//mcplumb:\tignore[\n,]"} {
		f.Add(comment)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		d, ok := readDirective(comment)
		assert.True(t, ok || len(d.rules) == 0)
		assert.LessOrEqual(t, len(d.rules), maxIgnored)
		for _, rule := range d.rules {
			require.True(t, 0 <= rule.start && rule.start+len(rule.text) <= len(comment), "%q", comment)
			assert.Equal(t, rule.text, comment[rule.start:rule.start+len(rule.text)])
		}
	})
}
