package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBaselineMistakes(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "b.json:1:1: not valid JSON",
		`[]`:                             "b.json:1:1: not a baseline of version 1",
		`{"version": 2, "findings": []}`: "b.json:1:1: not a baseline of version 1",
		`{"version": 1}`:                 "b.json:1:1: not a baseline of version 1",
		"{\"version\": 1, \"findings\": [\n {\"count\": 1}]}":                                     "b.json:2:2: an entry needs a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\", \"count\": 0}]}":                "b.json:1:29: an entry needs a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\"}, 7]}":                           "b.json:1:29: an entry needs a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": 3, \"count\": 1}]}":                    "b.json:1:29: an entry needs a fingerprint",
		"{\"version\": 1,\n<<<<<<< main\n\"findings\": []}":                                       "b.json:2:1: not valid JSON: unresolved merge conflict marker",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\", \"count\": 1}, {\"count\":1}]}": "b.json:1:63: an entry needs a fingerprint",
	} {
		_, err := ParseBaseline("b.json", "b.json", []byte(text))
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want, text)
		}
	}
}

// TestBaselineMerged holds that an entry which two branches have added, so that
// a merge has kept both, counts twice.
func TestBaselineMerged(t *testing.T) {
	b, err := ParseBaseline("b.json", "b.json", []byte(`{"version": 1, "findings": [{"fingerprint": "a", "count": 1}, {"fingerprint": "a", "count": 2}]}`))
	require.NoError(t, err)
	require.Len(t, b.entries, 1)
	assert.Equal(t, 3, b.entries[0].Count)
}

// TestBaselineOfAnyCount holds that no count is too large to be added up.
func TestBaselineOfAnyCount(t *testing.T) {
	b, err := ParseBaseline("b.json", "b.json", []byte(`{"version": 1, "findings": [{"fingerprint": "a", "count": 1}, {"fingerprint": "a", "count": 9999999999999999999}]}`))
	require.NoError(t, err)
	assert.Equal(t, maxCount, b.entries[0].Count)
}
