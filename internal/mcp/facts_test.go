package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestInstalledFor finds what was noted about a package of a server, by how it was requested.
func TestInstalledFor(t *testing.T) {
	s, other := &mcp.Server{}, &mcp.Server{}
	p := &mcp.Project{Facts: mcp.Facts{
		Installed: map[*mcp.Server][]mcp.InstalledPackage{s: {{Asked: "npm:a", Version: "1"}, {Asked: "npm:b", Version: "2"}, {Asked: "npm:b", Version: "3"}}},
		Beside:    map[*mcp.Server][]mcp.InstalledPackage{s: {{Asked: "npm:c", Version: "4"}}},
	}}
	npm := func(name string) identity.Fetched { return identity.Fetched{Kind: identity.NPM, Name: name} }
	assert.Equal(t, "1", p.InstalledFor(s, npm("a")).Version)
	assert.Equal(t, "2", p.InstalledFor(s, npm("b")).Version)
	assert.Nil(t, p.InstalledFor(s, npm("c")))
	assert.Equal(t, "4", p.BesideFor(s, npm("c")).Version)
	assert.Nil(t, p.BesideFor(s, npm("a")))
	assert.Nil(t, p.InstalledFor(other, npm("a")))
}
