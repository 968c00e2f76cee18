package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestMergeKeepsFixes holds that a problem at several places is mended at all of
// them: what the fixes of one title change is changed together, and as unsafe as
// the least safe of them.
func TestMergeKeepsFixes(t *testing.T) {
	rule := &Check{ID: "rule"}
	change := func(path string) edit.Change {
		return edit.Remove(syntax.NewFile(path, []byte(`{"a": 1}`)), syntax.Span{Start: 1, End: 4})
	}
	first, second, other := change("a.json"), change("b.json"), change("c.json")
	findings := []Finding{
		{Check: rule, File: first.File, group: group{key: "k"}, Fixes: []Fix{
			{Title: "remove", Safety: Safe, Edits: []edit.Change{first}},
			{Title: "rename", Safety: Safe, Edits: []edit.Change{first}},
		}},
		{Check: rule, File: second.File, group: group{key: "k"}, Fixes: []Fix{
			{Title: "remove", Safety: Unsafe, Edits: []edit.Change{second}},
			{Title: "replace", Safety: Safe, Edits: []edit.Change{second}},
		}},
		{Check: rule, File: other.File, group: group{key: "k"}},
	}
	merged := Merge(findings)
	assert.Len(t, merged, 1)
	assert.Len(t, merged[0].Related, 2)
	assert.Equal(t, []Fix{
		{Title: "remove", Safety: Unsafe, Edits: []edit.Change{first, second}},
		{Title: "rename", Safety: Safe, Edits: []edit.Change{first}},
		{Title: "replace", Safety: Safe, Edits: []edit.Change{second}},
	}, merged[0].Fixes)
	assert.Len(t, findings[0].Fixes[0].Edits, 1, "the findings themselves stay as they are")
}

// TestMergeMends holds that what has to be mended everywhere is one fix, whatever it is
// called at each place, and none where the first place has none.
func TestMergeMends(t *testing.T) {
	rule, file := &Check{ID: "rule"}, syntax.NewFile("a.json", []byte(`{"a": 1, "b": 2}`))
	first, second := edit.Remove(file, syntax.Span{Start: 1, End: 4}), edit.Remove(file, syntax.Span{Start: 9, End: 12})
	joined := group{key: "k", mends: true}
	here := Finding{Check: rule, File: file, group: joined, Fixes: []Fix{{Title: "write ${A}", Safety: Unsafe, Edits: []edit.Change{first}}}}
	there := Finding{Check: rule, File: file, group: joined, Fixes: []Fix{{Title: "write ${B}", Safety: Unsafe, Edits: []edit.Change{second}}}}
	assert.Equal(t, []Fix{{Title: "write ${A}", Safety: Unsafe, Edits: []edit.Change{first, second}}}, Merge([]Finding{here, there})[0].Fixes)
	assert.Empty(t, Merge([]Finding{{Check: rule, File: file, group: joined}, there})[0].Fixes)
}
