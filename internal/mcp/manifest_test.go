package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestPackageKey is one for packages of one kind and name.
func TestPackageKey(t *testing.T) {
	p := &mcp.SourcePackage{Kind: mcp.Cargo, Name: "web", Dir: "crates/web"}
	assert.Equal(t, "cargo:web", p.Key())
}
