package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestCharactersOfNames: ASCII letters and digits, and the other characters that a client accepts.
func TestCharactersOfNames(t *testing.T) {
	words := mcp.Naming{Others: "-_"}
	for name, want := range map[string]bool{
		"09AZaz-_": true, "0": true, "9": true, "A": true, "Z": true, "a": true, "z": true,
		"/": false, ":": false, "@": false, "[": false, "`": false, "{": false, "é": false, "a b": false,
	} {
		assert.Equal(t, want, words.Takes(name), name)
	}
	assert.Equal(t, "mcp__io_github_acme_web-2_x__", mcp.InTools("mcp__io.github/acme web-2_x__"))
	assert.Equal(t, "_09AZaz", mcp.InTools("ü09AZaz"))
}

// TestSuits: a name that a client accepts may be reserved for its own servers, or be cut by its
// policies.
func TestSuits(t *testing.T) {
	names := mcp.Naming{Others: "-_", Reserved: []string{"workspace"}, Splits: '_'}
	for name, want := range map[string]bool{"docs": true, "my-docs": true, "my_docs": false, "workspace": false, "my docs": false, "": false} {
		assert.Equal(t, want, names.Suits(name), name)
	}
	every := mcp.Naming{}
	assert.True(t, every.Suits("my docs"))
	assert.True(t, every.Suits("\x00"), "no character splits it")
}
