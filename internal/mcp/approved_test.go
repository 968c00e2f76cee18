package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestApproved: where the catalog does not say what tells servers of one package apart,
// every one is meant.
func TestApproved(t *testing.T) {
	var a mcp.Approved
	a.Add("npm:kit", mcp.ApprovedServer{Name: "any", Version: "1.0.0"})
	a.Add("npm:kit", mcp.ApprovedServer{Name: "docs", Selector: []string{"docs"}, KnowsSelector: true})
	a.Add("npm:kit", mcp.ApprovedServer{Name: "web", Selector: []string{"web"}, KnowsSelector: true})
	names := func(identity string, selector ...string) (names []string, isKnown bool) {
		versions, isKnown := a.Of(identity, selector)
		for _, v := range versions {
			names = append(names, v.Name)
		}
		return names, isKnown
	}
	found, isKnown := names("npm:kit", "docs")
	assert.Equal(t, []string{"any", "docs"}, found)
	assert.True(t, isKnown)
	found, isKnown = names("npm:kit")
	assert.Equal(t, []string{"any"}, found)
	assert.True(t, isKnown)
	a.Add("npm:one", mcp.ApprovedServer{Name: "one", KnowsSelector: true})
	found, isKnown = names("npm:one", "docs")
	assert.Empty(t, found)
	assert.True(t, isKnown, "another one of it")
	found, isKnown = names("npm:other")
	assert.Empty(t, found)
	assert.False(t, isKnown)
	_, isKnown = (&mcp.Approved{}).Of("npm:kit", nil)
	assert.False(t, isKnown)
}
