package reputation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestKnownPackages holds the table to what the rules build on: it parses, what is
// archived exists, and what is missing is among no scope's packages.
func TestKnownPackages(t *testing.T) {
	index, err := parseKnownPackages(knownPackageTable)
	require.NoError(t, err)
	require.NotEmpty(t, index.scopes)
	for name := range index.archived {
		assert.Nil(t, MissingFor(identity.Fetched{Kind: name.kind, Name: name.name}), name.name)
	}
	for name, missing := range index.missing {
		assert.NotEmpty(t, missing.Instead, "%s: what was looked up has a remedy", name.name)
	}
	for name, archived := range index.archived {
		assert.Equal(t, archived.Hole == "", archived.HoleSource == "", "%s: a hole has a source", name.name)
	}
}

// TestMissingFor asks for names of the scope and of others.
func TestMissingFor(t *testing.T) {
	tests := []struct {
		kind       identity.Kind
		name, near string
		missing    bool
	}{
		{identity.NPM, "@modelcontextprotocol/server-fetch", "", true},
		{identity.NPM, "@modelcontextprotocol/server-shopify", "", true},
		{identity.NPM, "@modelcontextprotocol/server-filesytem", "@modelcontextprotocol/server-filesystem", true},
		{identity.NPM, "@modelcontextprotocol/filesystem", "@modelcontextprotocol/server-filesystem", true},
		{identity.NPM, "@modelcontextprotocol/server-filesystem", "", false},
		{identity.NPM, "@modelcontextprotocol/sdk", "", false},
		{identity.NPM, "modelcontextprotocol", "", false},
		{identity.NPM, "@acme/server-fetch", "", false},
		{identity.JSR, "@modelcontextprotocol/server-fetch", "", false},
		{identity.PyPI, "mcp-server-fetch", "", false},
	}
	for _, tt := range tests {
		missing := MissingFor(identity.Fetched{Kind: tt.kind, Name: tt.name})
		if !tt.missing {
			assert.Nil(t, missing, tt.name)
			continue
		}
		require.NotNil(t, missing, tt.name)
		assert.Equal(t, tt.near, missing.Near, tt.name)
		assert.Equal(t, "2026-11-22", missing.LookedUp, tt.name)
	}
}

// TestKnownPackagesCostNothing holds that asking about a package allocates nothing
// once the table is there: nothing is known of nearly all.
func TestKnownPackagesCostNothing(t *testing.T) {
	pkg := identity.Fetched{Kind: identity.NPM, Name: "@acme/server"}
	MissingFor(pkg)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		if MissingFor(pkg) != nil || ArchivedFor(pkg) != nil {
			t.Error("found something")
		}
	}))
}
