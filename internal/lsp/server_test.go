package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
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

// TestAnswerFirst checks that a client receives the answer of initialize before anything else, as
// the protocol has it: Neovim cannot use diagnostics of a server that it does not know yet. There
// are so many folders that the first is checked before the last is opened.
func TestAnswerFirst(t *testing.T) {
	var folders []folderParam
	for range 200 {
		folders = append(folders, folderParam{URI: uriOf(writeFiles(t, map[string]string{".mcp.json": unpinned}))})
	}
	params, err := json.Marshal(map[string]any{"capabilities": json.RawMessage(few), "workspaceFolders": folders})
	require.NoError(t, err)
	ours, theirs := pipes()
	t.Cleanup(func() { _ = ours.Close() })
	go Serve(t.Context(), Options{Env: environment(t.TempDir()), In: theirs, Out: theirs})
	_, err = io.WriteString(ours, framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}`, params)))
	require.NoError(t, err)

	var first struct{ ID int }
	require.NoError(t, jsonrpc2.VSCodeObjectCodec{}.ReadObject(bufio.NewReader(ours), &first))
	assert.Equal(t, 1, first.ID)
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
