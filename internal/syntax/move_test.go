package syntax

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMove parses a document within another file, and expects every span at its place there.
func TestMove(t *testing.T) {
	const around, within = `config: |  `, `{"a": [1, 2,], /* x */ "a": "b"}`
	whole := NewFile("cm.yaml", []byte(around+within))
	tree, err := ParseJSON(NewFile("cm.yaml", []byte(within)))
	require.NoError(t, err)
	tree.Move(len(around))

	text := func(s Span) string { return string(whole.Bytes[s.Start:s.End]) }
	assert.Equal(t, within, text(tree.Root.Value))
	assert.Equal(t, `"a"`, text(tree.Root.Nodes[0].Key))
	assert.Equal(t, "2", text(tree.Root.Nodes[0].Nodes[1].Value))
	assert.Equal(t, `"b"`, text(tree.Root.Nodes[1].Value))
	assert.Equal(t, "/* x */", text(tree.Comments[0]))
	assert.Equal(t, ",", text(tree.TrailingCommas[0]))
	assert.Equal(t, within, text(tree.Duplicates[0].Object))
	assert.True(t, tree.Root.Key.IsZero(), "a root has no key, wherever it is moved")
}
