package view

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPaths holds how a file of the repository is named: people and programs find
// it from where they are, and what is stored for others counts from the root.
func TestPaths(t *testing.T) {
	tests := []struct{ name, root, dir, path, shown, here string }{
		{"in the root", "/w/repo", "/w/repo", "a/.mcp.json", "a/.mcp.json", "a/.mcp.json"},
		{"below the root", "/w/repo", "/w/repo/a", "a/.mcp.json", ".mcp.json", ".mcp.json"},
		{"next to it", "/w/repo", "/w/repo/a", "b/.mcp.json", "../b/.mcp.json", "../b/.mcp.json"},
		{"a name that begins alike", "/w/repo", "/w/repo/a", "ab/.mcp.json", "../ab/.mcp.json", "../ab/.mcp.json"},
		{"above the root", "/w", "/w", "repo/.mcp.json", "repo/.mcp.json", "repo/.mcp.json"},
		{"one directory above", "/w/repo", "/w", ".mcp.json", "repo/.mcp.json", "repo/.mcp.json"},
		{"somewhere else", "/w/repo", "/x", ".mcp.json", "../w/repo/.mcp.json", "../w/repo/.mcp.json"},
		{"nowhere", "", "", ".mcp.json", ".mcp.json", ".mcp.json"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			paths := Paths{}
			if test.root != "" {
				paths = NewPaths(filepath.FromSlash(test.root), filepath.FromSlash(test.dir))
			}
			path := New(Run{Paths: paths}).path(test.path)
			assert.Equal(t, test.shown, path.String())
			assert.Equal(t, test.here, path.FromHere().Plain())
			assert.Equal(t, test.path, path.FromRoot().Plain())
		})
	}
	paths := NewPaths(filepath.FromSlash("/w/repo"), filepath.FromSlash("/w/repo/a"))
	assert.Equal(t, "../.mcplumb.yaml", paths.Seen(filepath.FromSlash("/w/repo/.mcplumb.yaml")))
}
