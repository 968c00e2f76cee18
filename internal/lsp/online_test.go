package lsp

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnline checks that registries are asked only with --online, and only about saved text: not
// about every letter of a name. Their answers are shown, and their servers are offered.
func TestOnline(t *testing.T) {
	var mutex sync.Mutex
	var asked []string
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		asked = append(asked, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/querybatch":
			var body struct{ Queries []struct{ Version string } }
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
			results := make([]string, len(body.Queries))
			for i, q := range body.Queries {
				if results[i] = "{}"; q.Version == "1.1.0" {
					results[i] = `{"vulns": [{"id": "GHSA-aaaa-bbbb-cccc"}]}`
				}
			}
			_, _ = io.WriteString(w, `{"results": [`+strings.Join(results, ",")+`]}`)
		case "/catalog/v0.1/servers":
			_, _ = io.WriteString(w, `{"servers": [{"server": {"name": "dev.acme/wiki", "remotes": [{"type": "streamable-http", "url": "https://wiki.acme.dev/mcp"}]}}], "metadata": {}}`)
		default:
			_, _ = io.WriteString(w, `{"dist-tags": {"latest": "1.1.0"}, "versions": {"1.1.0": {}}}`)
		}
	}))
	t.Cleanup(registry.Close)
	paths := func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		paths := asked
		asked = nil
		return paths
	}
	const text = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes@1.1.0"]}}}`
	files := map[string]string{
		".mcplumb.yaml": "registries: {npm: " + registry.URL + "/npm, osv: " + registry.URL + ", mcp: " + registry.URL + "}\ncatalog: {approved: '" + registry.URL + "/catalog'}\n",
		".mcp.json":     text,
	}
	const known = "`npm:notes 1.1.0 is vulnerable (GHSA-aaaa-bbbb-cccc): use a version without a known vulnerability` <https://osv.dev/vulnerability/GHSA-aaaa-bbbb-cccc>"
	hovered := func(c *client) string {
		return call[hover](c, "textDocument/hover", c.at(".mcp.json", `"notes"`)).Contents.Value
	}

	c := connect(t, all, files)
	c.read(".mcp.json")
	assert.NotContains(t, hovered(c), known)
	assert.Empty(t, paths())

	c = connectWith(t, Options{Online: true}, all, writeFiles(t, files))
	c.read(".mcp.json")
	assert.Contains(t, hovered(c), known)
	assert.NotEmpty(t, paths())

	written := strings.Replace(text, "}}}", `}, "w": {"command": "npx", "args": ["-y", "half-a-na"]}, }}`, 1)
	c.edit(".mcp.json", written)
	assert.Contains(t, hovered(c), known)
	at := strings.Index(written, "}}") - 1
	offered := call[*completionList](c, "textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": c.uri(".mcp.json")}, "position": c.position(c.open[c.uri(".mcp.json")].file, at),
	})
	labels := []string{}
	for _, item := range offered.Items {
		labels = append(labels, item.Label)
	}
	assert.Contains(t, labels, "wiki")
	assert.Empty(t, paths(), "a text that is not saved")

	require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".mcp.json"), []byte(written), 0o644))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(".mcp.json"), "type": 2}}})
	hovered(c)
	assert.Contains(t, strings.Join(paths(), "\n"), "half-a-na")
}
