package treediff_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/treediff"
)

// FuzzObject turns any object into another one. The change is made or refused, the result says what
// was wanted, and no changes are left after it.
func FuzzObject(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a": 1, "b": [1, 2], // c` + "\n" + `"c": {}}`, `{"c": {"d": null}, "b": [2, 3], "a": "1"}`},
		{`{"a": {"b": ["x"]}}`, `{"a": ["x"]}`},
		{`{"a": [{"b": 1}, {"b": 2}]}`, `{"a": [{"b": 2}, {"b": 1}], "c": true}`},
		{`{"": "", "a": 1, "a": 2}`, `{"a": 1}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, present, wanted []byte) {
		file := syntax.NewFile("a.json", bytes.Clone(present))
		tree, err := syntax.ParseJSON(file)
		other, errOther := syntax.ParseJSON(syntax.NewFile("b.json", bytes.Clone(wanted)))
		if err != nil || errOther != nil || tree.Root == nil || other.Root == nil || tree.Root.Kind != syntax.Object || other.Root.Kind != syntax.Object {
			return
		}
		edits, err := edit.Lower(treediff.Object(file, tree.Root, other.Root, treediff.Policy{}))
		if err != nil {
			return
		}
		after := syntax.NewFile("a.json", edit.Apply(file.Bytes, edits))
		now, err := syntax.ParseJSON(after)
		require.NoError(t, err, "%s", after.Bytes)
		require.Equal(t, sorted(edit.ValueOf(other.Root)), sorted(edit.ValueOf(now.Root)), "%q\n+ %q\n=> %q", present, wanted, after.Bytes)
		require.Empty(t, treediff.Object(after, now.Root, other.Root, treediff.Policy{}))
	})
}

// sorted returns a value with its members in order, of one name the last.
func sorted(v edit.Value) edit.Value {
	v.Elements = slices.Clone(v.Elements)
	for i := range v.Elements {
		v.Elements[i] = sorted(v.Elements[i])
	}
	last := map[string]edit.Value{}
	for _, m := range v.Members {
		last[m.Name] = sorted(m.Value)
	}
	v.Members = nil
	for name, value := range last {
		v.Members = append(v.Members, edit.Member{Name: name, Value: value})
	}
	slices.SortFunc(v.Members, func(a, b edit.Member) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return v
}
