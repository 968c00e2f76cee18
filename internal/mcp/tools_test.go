package mcp_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// TestToolsFitFormats holds the table of tools against what is read: every
// lockfile is some tool's own file.
func TestToolsFitFormats(t *testing.T) {
	known := map[string]*shape.Format{}
	for _, f := range format.All() {
		known[f.Name] = f
		if f.Scope == mcp.ScopeLock {
			assert.NotNil(t, mcp.ToolOf(f.Name), "%s is the lockfile of no tool", f.Name)
		}
	}
	var ids []string
	for _, tool := range mcp.Tools() {
		ids = append(ids, tool.ID)
		assert.NotEmpty(t, tool.Title, tool.ID)
		assert.NotEmpty(t, tool.Source, "%s: facts need a source", tool.ID)
		assert.NotEmpty(t, tool.Formats, tool.ID)
		for _, name := range tool.Formats {
			assert.NotNil(t, known[name], "%s has files of the unknown format %s", tool.ID, name)
			assert.Same(t, tool, mcp.ToolOf(name), "two tools have the format %s", name)
		}
		if tool.Of != "" {
			assert.NotNil(t, known[tool.Of], "%s locks the unknown format %s", tool.ID, tool.Of)
		}
	}
	assert.True(t, slices.IsSorted(ids), "not sorted by ID")
}
