package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestReleaseOfAnEntry: one version of a package or one tag of an image has hashes that a
// registry publishes, where the lockfile keeps such.
func TestReleaseOfAnEntry(t *testing.T) {
	exact := identity.Version{Kind: identity.Exact, Text: "1.2.3"}
	digests, short := &mcp.Tool{Hashes: mcp.Digests}, &mcp.Tool{Hashes: mcp.ShortHashes}
	own := []*mcp.Server{{}, {Identity: identity.Identity{NamesSource: true}}}
	for name, test := range map[string]struct {
		id      identity.Identity
		tool    *mcp.Tool
		servers []*mcp.Server
		want    bool
	}{
		"one version":                 {identity.Identity{Kind: identity.NPM, Name: "a", Version: exact}, digests, nil, true},
		"of PyPI":                     {identity.Identity{Kind: identity.PyPI, Name: "a", Version: exact}, digests, []*mcp.Server{{}}, true},
		"a range":                     {identity.Identity{Kind: identity.NPM, Name: "a", Version: identity.Version{Kind: identity.Range, Text: "^1.2.3"}}, digests, nil, false},
		"a tag of three numbers":      {identity.Identity{Kind: identity.NPM, Name: "a", Version: identity.Version{Kind: identity.Tag, Text: "1.2.3"}}, digests, nil, false},
		"a commit":                    {identity.Identity{Kind: identity.NPM, Name: "a", Version: identity.Version{Kind: identity.Exact, Text: "abc"}}, digests, nil, false},
		"from a registry of its own":  {identity.Identity{Kind: identity.NPM, Name: "a", Version: exact, NamesSource: true}, digests, nil, false},
		"a server from one":           {identity.Identity{Kind: identity.NPM, Name: "a", Version: exact}, digests, own, false},
		"a lockfile of other hashes":  {identity.Identity{Kind: identity.NPM, Name: "a", Version: exact}, short, nil, false},
		"a lockfile of no known tool": {identity.Identity{Kind: identity.NPM, Name: "a", Version: exact}, nil, nil, false},
		"an image":                    {identity.Identity{Kind: identity.OCI, Name: "ghcr.io/acme/a", Version: identity.Version{Kind: identity.Tag, Text: "v2"}}, digests, own, true},
		"an image without a tag":      {identity.Identity{Kind: identity.OCI, Name: "ghcr.io/acme/a"}, digests, nil, false},
		"the latest image":            {identity.Identity{Kind: identity.OCI, Name: "ghcr.io/acme/a", Version: identity.Version{Kind: identity.Tag, Text: "latest"}}, digests, nil, false},
		"a local image":               {identity.Identity{Kind: identity.OCI, Name: "localhost/a", Version: identity.Version{Kind: identity.Tag, Text: "v2"}}, digests, nil, false},
		"a module of Go":              {identity.Identity{Kind: identity.Go, Name: "a", Version: exact}, digests, nil, false},
	} {
		entry := &mcp.LockEntry{Document: &mcp.Document{Tool: test.tool}, Target: mcp.Target{Identity: test.id}, Servers: test.servers}
		pkg, ok := entry.Release()
		assert.Equal(t, test.want, ok, name)
		assert.Equal(t, identity.Fetched{Kind: test.id.Kind, Name: test.id.Name, Version: test.id.Version}, pkg, name)
	}
	assert.Equal(t, "1.2.3", (&mcp.Pin{Version: identity.Word{Text: "v1.2.3"}}).Release())
	assert.Empty(t, (&mcp.Pin{Version: identity.Word{Text: "latest"}}).Release())
}

// TestNamesOfAnEntry are the same when they are indexed.
func TestNamesOfAnEntry(t *testing.T) {
	entry := &mcp.LockEntry{Name: "docs", Place: mcp.Place{OtherNames: []string{"docs#kit"}}}
	for range 2 {
		for name, want := range map[string]bool{"docs": true, "docs#kit": true, "kit": false, "": false} {
			assert.Equal(t, want, entry.Named(name), name)
		}
		entry.IndexNames()
	}
	lock := &mcp.Lock{Packages: []mcp.Package{{Name: "kit"}}}
	assert.Equal(t, map[string]bool{"kit": true}, lock.Installed())
}

// TestCommandWords: a URL, or a package that is known, is not split into words.
func TestCommandWords(t *testing.T) {
	s := &mcp.Server{Launch: identity.Launch{Command: identity.Word{Text: "run"}, Args: []identity.Word{{Text: "docs-mcp"}}}}
	assert.Equal(t, []string{"run", "docs-mcp"}, s.CommandWords())
	for _, kind := range []identity.Kind{identity.URL, identity.NPM} {
		s.Identity.Kind = kind
		assert.Nil(t, s.CommandWords())
	}
	s.Identity.Kind = identity.Exec
	assert.NotNil(t, s.CommandWords())
}
