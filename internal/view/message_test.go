package view

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestMessageHere holds that a message names files as they are called from where the reader
// is. A server may be called like a file, and a part of another path is not a file's name.
func TestMessageHere(t *testing.T) {
	paths := NewPaths(filepath.FromSlash("/w/repo"), filepath.FromSlash("/w/repo/app"))
	for message, want := range map[string]string{
		`"a" is the server that .mcp.json calls "b"`:    `"a" is the server that ../.mcp.json calls "b"`,
		`pinned in .mcp.json, but not in app/.mcp.json`: `pinned in ../.mcp.json, but not in .mcp.json`,
		`".mcp.json" is a name (see .mcp.json)`:         `".mcp.json" is a name (see ../.mcp.json)`,
		`x/.mcp.json and .mcp.json.bak are other files`: `x/.mcp.json and .mcp.json.bak are other files`,
		`the quote " is open: .mcp.json`:                `the quote " is open: .mcp.json`,
	} {
		f := rule.Finding{
			File: syntax.NewFile(".mcp.json", nil), Message: message,
			Related: []rule.Related{{File: syntax.NewFile("app/.mcp.json", nil), Message: message}},
		}
		shown := New(Run{Findings: []rule.Finding{f}, Paths: paths}).Findings(rule.Off)[0]
		assert.Equal(t, message, shown.Message().Plain())
		assert.Equal(t, want, shown.MessageHere().Plain())
		related, _ := shown.Related(1)
		assert.Equal(t, want, related[0].MessageHere.Plain())
	}
}
