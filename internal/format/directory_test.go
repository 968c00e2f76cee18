package format_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/format"
)

// TestIsDirectory checks which directories clients open because of their name: a link of that
// name is then theirs, with any target.
func TestIsDirectory(t *testing.T) {
	index := format.Known()
	for _, dir := range []string{".claude", "a/b/.claude", ".CLAUDE", ".cursor", "dot_claude", ".claude/agents", ".claude/agents/of/any/depth", ".claude/skills/any", ".continue/mcpServers"} {
		assert.True(t, index.IsDirectory(dir), dir)
	}
	for _, dir := range []string{"", "claude", "agents", "config", "plugins", ".claude/x/y", "node_modules", ".git", "a"} {
		assert.False(t, index.IsDirectory(dir), dir)
	}
}
