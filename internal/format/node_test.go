package format

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestSharedServers checks which entries of a YAML file are written in more than one place, so
// that a fix leaves them alone.
func TestSharedServers(t *testing.T) {
	const text = `
defaults: &defaults
  command: npx
mcpServers:
  alone: {command: npx, args: [-y, a]}
  merged: {<<: *defaults, command: uvx, args: [b]}
  anchored: &it {command: npx, args: [-y, c]}
  borrows: {command: npx, args: [-y, d], env: *defaults}
  repeated: &again {command: npx, args: [-y, e]}
x-again: *again
`
	m := NewIndex(All()).Named("mcp.yaml")
	doc, err := Read(syntax.NewFile("mcp.yaml", []byte(text)), m)
	require.NoError(t, err)
	shared := map[string]bool{}
	for _, s := range doc.Servers {
		shared[s.Name] = s.Shared
	}
	assert.Equal(t, map[string]bool{"alone": false, "merged": true, "anchored": false, "borrows": true, "repeated": true}, shared)
}
