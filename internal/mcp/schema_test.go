package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestKinds: an empty set means all kinds, and a message names the simplest of a set.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		kinds mcp.Kinds
		has   []syntax.Kind
		not   []syntax.Kind
		first syntax.Kind
	}{
		{mcp.Strings, []syntax.Kind{syntax.String}, []syntax.Kind{syntax.Number, syntax.Null, syntax.Object}, syntax.String},
		{mcp.Numbers | mcp.Strings, []syntax.Kind{syntax.String, syntax.Number}, []syntax.Kind{syntax.Bool}, syntax.String},
		{mcp.Objects | mcp.Arrays, []syntax.Kind{syntax.Object, syntax.Array}, []syntax.Kind{syntax.String}, min(syntax.Array, syntax.Object)},
		{mcp.Bools, []syntax.Kind{syntax.Bool}, []syntax.Kind{syntax.String, syntax.Array}, syntax.Bool},
		{mcp.Scalars, []syntax.Kind{syntax.String, syntax.Number, syntax.Bool, syntax.Null}, []syntax.Kind{syntax.Array, syntax.Object}, syntax.String},
	} {
		for _, kind := range test.has {
			assert.True(t, test.kinds.Has(kind), "%b %v", test.kinds, kind)
			assert.True(t, mcp.Kinds(0).Has(kind))
		}
		for _, kind := range test.not {
			assert.False(t, test.kinds.Has(kind), "%b %v", test.kinds, kind)
		}
		assert.Equal(t, test.first, test.kinds.First(), "%b", test.kinds)
	}
}

// TestRange: numbers as JSON and TOML write them.
func TestRange(t *testing.T) {
	count := &mcp.Range{From: 1, To: 100, Whole: true, Plain: true}
	seconds := &mcp.Range{To: 100}
	for text, want := range map[string][2]bool{
		"1": {true, true}, "0": {false, true}, "-1": {false, false}, "1.5": {false, true}, "1.0": {false, true}, "1_0": {true, true},
		"0x10": {true, true}, "1e1": {false, true}, "inf": {false, false}, "nan": {false, false}, "2026-01-01": {false, false}, "101": {false, false},
	} {
		assert.Equal(t, want, [2]bool{count.Holds(text), seconds.Holds(text)}, text)
	}
}
