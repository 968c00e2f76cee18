package rule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestMergeKeepsFixes checks that a problem at several places is fixed at all of them: fixes of one
// title apply together, and the result is as unsafe as the least safe of them.
func TestMergeKeepsFixes(t *testing.T) {
	one := &Rule{ID: "rule"}
	change := func(path string) edit.Change {
		return edit.Remove(syntax.NewFile(path, []byte(`{"a": 1}`)), syntax.Span{Start: 1, End: 4})
	}
	first, second, other := change("a.json"), change("b.json"), change("c.json")
	findings := []Finding{
		{Rule: one, File: first.File, Group: Group{Key: "k"}, Fixes: []Fix{
			{Title: "remove", Safety: Safe, Edits: []edit.Change{first}},
			{Title: "rename", Safety: Safe, Edits: []edit.Change{first}},
		}},
		{Rule: one, File: second.File, Group: Group{Key: "k"}, Fixes: []Fix{
			{Title: "remove", Safety: Unsafe, Edits: []edit.Change{second}},
			{Title: "replace", Safety: Safe, Edits: []edit.Change{second}},
		}},
		{Rule: one, File: other.File, Group: Group{Key: "k"}},
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

// TestMergeSeparateFixes checks that fixes per place are one fix for a caller that applies fixes as
// they are, for the places that have one, and a separate finding at each place for a caller that
// uses Places.
func TestMergeSeparateFixes(t *testing.T) {
	one, file := &Rule{ID: "rule"}, syntax.NewFile("a.json", []byte(`{"a": 1, "b": 2}`))
	first, second := edit.Remove(file, syntax.Span{Start: 1, End: 4}), edit.Remove(file, syntax.Span{Start: 9, End: 12})
	joined := Group{Key: "k", FixesEach: true}
	here := Finding{Rule: one, File: file, Group: joined, Fixes: []Fix{{Title: "write ${A}", Safety: Unsafe, Edits: []edit.Change{first}}}}
	there := Finding{Rule: one, File: file, Group: joined, Fixes: []Fix{{Title: "write ${B}", Safety: Unsafe, Edits: []edit.Change{second}}}}
	stays := Finding{Rule: one, File: file, Group: joined, NoFixReason: "there is no safe way"}
	merged := Merge([]Finding{here, there})
	assert.Equal(t, []Fix{{Title: "write ${A}", Safety: Unsafe, Edits: []edit.Change{first, second}}}, merged[0].Fixes)
	assert.Equal(t, []*Finding{&here, &there}, merged[0].Places())
	merged = Merge([]Finding{stays, there})
	assert.Equal(t, there.Fixes, merged[0].Fixes)
	assert.Equal(t, []*Finding{&stays, &there}, merged[0].Places())
}

// TestMergeAtTheLeader checks that a problem is reported at its leader, also if a finding that the
// leader causes comes first.
func TestMergeAtTheLeader(t *testing.T) {
	one, file := &Rule{ID: "rule"}, syntax.NewFile("a.json", []byte(`{"a": 1, "b": 2}`))
	leader := Finding{Rule: one, File: file, Message: "leads", Group: Group{Key: "k", Message: "here"}}
	follows := Finding{Rule: one, File: file, Message: "follows", Group: Group{Key: "k", Message: "here, too", Leader: &leader}}
	other := Finding{Rule: one, File: file, Message: "other"}
	merged := Merge([]Finding{follows, other, leader, follows})
	require.Len(t, merged, 2)
	assert.Equal(t, "other", merged[0].Message)
	assert.Equal(t, "leads", merged[1].Message)
	assert.Len(t, merged[1].Related, 2)
	assert.Equal(t, "follows", Merge([]Finding{follows, follows})[0].Message)
}
