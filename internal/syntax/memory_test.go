package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestMemoryIsLentAgain parses documents of all sizes one after the other from
// one memory: each tree must be the one that memory of its own gives.
func TestMemoryIsLentAgain(t *testing.T) {
	documents := []string{
		`{"a": [1, true, null, "x"], "b": {"c": {}}}`,
		`[` + strings.Repeat(`{"name": "x", "args": ["y", "z"]}, `, 2_000) + `0]`,
		`"one"`,
		`{"a": 1, "a": 2, }`,
		`{"mcpServers": {"s": {"command": "npx"}}}`,
	}
	var memory syntax.Memory
	for _, text := range documents {
		own, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(text)))
		require.NoError(t, err)
		file := syntax.NewFile("a.json", []byte(text))
		file.Memory = &memory
		lent, err := syntax.ParseJSON(file)
		require.NoError(t, err)
		assert.Equal(t, own, lent)
	}
}
