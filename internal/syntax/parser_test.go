package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestParserIsUsedAgain parses documents of all sizes one after the other with
// one parser: each tree must be the one that a separate parser returns.
func TestParserIsUsedAgain(t *testing.T) {
	documents := []string{
		`{"a": [1, true, null, "x"], "b": {"c": {}}}`,
		`[` + strings.Repeat(`{"name": "x", "args": ["y", "z"]}, `, 2_000) + `0]`,
		`"one"`,
		`{"a": 1, "a": 2, }`,
		`{"mcpServers": {"s": {"command": "npx"}}}`,
	}
	var parser syntax.Parser
	for _, text := range documents {
		own, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(text)))
		require.NoError(t, err)
		again, err := parser.JSON(syntax.NewFile("a.json", []byte(text)))
		require.NoError(t, err)
		assert.Equal(t, own, again)
	}
}
