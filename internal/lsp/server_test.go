package lsp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unpinned is a file of Claude Code with an entry that has a finding, after a character that UTF-16
// writes as two units.
const unpinned = "{\"mcpServers\": {\n  \"😀 docs\": {\"command\": \"npx\", \"args\": [\"-y\", \"docs-mcp@latest\"]}\n}}\n"

// TestLifecycle checks that a client is served from initialize to exit, and the answer to each of
// these messages out of order.
func TestLifecycle(t *testing.T) {
	c := connect(t, all, nil)
	assert.Equal(t, "mcplumb", c.init["serverInfo"].(map[string]any)["name"])
	_, err := try[any](c, "initialize", map[string]any{})
	assert.ErrorContains(t, err, "-32600")
	_, err = try[any](c, "textDocument/unknown", map[string]any{})
	assert.ErrorContains(t, err, "-32601")
	_, err = try[any](c, "textDocument/hover", []int{1})
	assert.ErrorContains(t, err, "-32602")
	assert.Nil(t, call[any](c, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "untitled:x"}}))
	call[any](c, "shutdown", nil)
	_, err = try[any](c, "textDocument/hover", map[string]any{})
	assert.ErrorContains(t, err, "-32600")
	c.notify("exit", nil)
	assert.Equal(t, 0, <-c.code)

	c = connect(t, few, nil)
	c.notify("exit", nil)
	assert.Equal(t, 1, <-c.code, "exit without shutdown")

	c = connect(t, few, nil)
	require.NoError(t, c.conn.Close())
	assert.Equal(t, 1, <-c.code, "the client is gone")
}

// TestPositions checks that places are counted as the client counts: in bytes if it offers that,
// else in units of UTF-16.
func TestPositions(t *testing.T) {
	for _, can := range []string{all, few} {
		c := connect(t, can, map[string]string{".mcp.json": unpinned})
		found := c.read(".mcp.json")
		require.NotEmpty(t, found)
		for _, d := range found {
			if d.Code == "unpinned-package" {
				assert.Equal(t, `"docs-mcp@latest"`, c.slice(".mcp.json", d.Range))
			}
		}
	}
}
