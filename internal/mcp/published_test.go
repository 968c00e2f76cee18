package mcp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// token looks like a credential of GitHub.
var token = "ghp_" + strings.Repeat("R7kQ2mZ9xV4b", 3)

// TestWantedOf shows the questions to registries about a package, and what is not sent to them.
func TestWantedOf(t *testing.T) {
	exact := func(text string) identity.Version { return identity.Version{Kind: identity.Exact, Text: text} }
	tag := func(text string) identity.Version { return identity.Version{Kind: identity.Tag, Text: text} }
	for name, test := range map[string]struct {
		pkg     identity.Fetched
		version string
		asks    bool
	}{
		"one version":                    {identity.Fetched{Kind: identity.NPM, Name: "a", Version: exact("v1.2.3")}, "1.2.3", true},
		"none":                           {identity.Fetched{Kind: identity.PyPI, Name: "a"}, "", true},
		"a tag":                          {identity.Fetched{Kind: identity.NuGet, Name: "a", Version: tag("next")}, "", true},
		"of a registry of its own":       {identity.Fetched{Kind: identity.NPM, Name: "a", Version: exact("1.2.3"), NamesSource: true}, "1.2.3", false},
		"a name that is filled in":       {identity.Fetched{Kind: identity.NPM, Name: "${PACKAGE}"}, "", false},
		"a version that is filled in":    {identity.Fetched{Kind: identity.NPM, Name: "a", Version: tag("${VERSION}")}, "", false},
		"a credential for a name":        {identity.Fetched{Kind: identity.NPM, Name: token}, "", false},
		"an image":                       {identity.Fetched{Kind: identity.OCI, Name: "ghcr.io/acme/a", Version: tag("v2")}, "v2", true},
		"an image without a tag":         {identity.Fetched{Kind: identity.OCI, Name: "ghcr.io/acme/a"}, "latest", true},
		"an image by its digest":         {identity.Fetched{Kind: identity.OCI, Name: "ghcr.io/acme/a", Version: exact("sha256:12")}, "sha256:12", false},
		"an image that was built here":   {identity.Fetched{Kind: identity.OCI, Name: "docker.io/library/a"}, "latest", false},
		"one of a registry on a machine": {identity.Fetched{Kind: identity.OCI, Name: "localhost/a"}, "latest", false},
		"a module of Go":                 {identity.Fetched{Kind: identity.Go, Name: "a"}, "", false},
	} {
		wanted, asks := mcp.WantedOf(test.pkg)
		assert.Equal(t, test.asks, asks, name)
		assert.Equal(t, mcp.Wanted{Kind: test.pkg.Kind, Name: test.pkg.Name, Version: test.version}, wanted, name)
	}
}

// TestRegistryNames shows the names that the MCP registry may know a server by.
func TestRegistryNames(t *testing.T) {
	for name, want := range map[string]bool{
		"io.github.acme/web": true, "io.github.a-b/web_2.x": true, "io.github.acme": false, "/web": false, "io.github.acme/": false,
		"io_github/web": false, "io.github.acme/a/b": false, "io.github.acme/a b": false, "io.github.acme/" + token: false,
	} {
		assert.Equal(t, want, mcp.IsRegistryName(name), name)
	}
	for text, want := range map[string]bool{
		"io.github.acme": true, "dev.acme": true, "a.b": true, "acme": false, ".acme": false, "acme.": false, "-io.acme": false, "io.acme-": false,
		"": false, ".": false, "io.github/acme": false,
	} {
		assert.Equal(t, want, mcp.IsNamespace(text), text)
	}
}

// TestOf: there is nothing to report about a question that was not asked or not answered.
func TestOf(t *testing.T) {
	pkg := identity.Fetched{Kind: identity.NPM, Name: "a"}
	said := &mcp.Published{Releases: []mcp.Release{{Version: "1.0.0"}, {Version: "1.1.0", Reason: "broken"}}}
	var none *mcp.Registries
	assert.Nil(t, none.Of(pkg))
	asked := &mcp.Registries{Packages: map[mcp.Wanted]*mcp.Published{{Kind: identity.NPM, Name: "a"}: said}}
	assert.Same(t, said, asked.Of(pkg))
	assert.Nil(t, asked.Of(identity.Fetched{Kind: identity.NPM, Name: "a", NamesSource: true}))
	assert.Nil(t, asked.Of(identity.Fetched{Kind: identity.NPM, Name: "b"}))

	assert.Equal(t, "broken", said.Release("1.1.0").Reason)
	assert.Equal(t, "1.0.0", said.Release("1.0.0").Version)
	assert.Nil(t, said.Release("2.0.0"))
}

// TestCloud is the address in the first file in use that has one.
func TestCloud(t *testing.T) {
	at := func(role mcp.Role, text string) *mcp.Document {
		return &mcp.Document{Role: role, Cloud: identity.Word{Text: text}}
	}
	p := &mcp.Project{Documents: []*mcp.Document{at(mcp.InUse, ""), at(mcp.Fixture, "https://test.acme.dev"), at(mcp.InUse, "https://pml.acme.dev"), at(mcp.InUse, "https://other.acme.dev")}}
	assert.Equal(t, "https://pml.acme.dev", p.Cloud())
	assert.Empty(t, (&mcp.Project{}).Cloud())
}

// TestWantedToolOf shows the question about a locked tool: only what its full name can be, and a
// hash that looks like one.
func TestWantedToolOf(t *testing.T) {
	entry := func(key, name, hash, integrity string) *mcp.LockEntry {
		e := &mcp.LockEntry{Name: key}
		e.Tools.FullName, e.Tools.NameHash.Text, e.Pin.Integrity.Text = name, hash, integrity
		return e
	}
	long := "sha256:" + strings.Repeat("a", 193) // 200 characters
	for name, test := range map[string]struct {
		entry     *mcp.LockEntry
		integrity string
		asks      bool
	}{
		"by its name":               {entry("acme.web.docs.search", "acme.web.docs.search", "0a9f", "sha256:12"), "sha256:12", true},
		"by its name with a hash":   {entry("acme.web.docs.search.0a9f", "acme.web.docs.search", "0a9f", ""), "", true},
		"without a hash":            {entry("acme.web.docs.search", "acme.web.docs.search", "", ""), "", true},
		"the key of another tool":   {entry("acme.web.docs.read", "acme.web.docs.search", "", ""), "", false},
		"three parts":               {entry("acme.web.docs", "acme.web.docs", "", ""), "", false},
		"five parts":                {entry("a.b.c.d.e", "a.b.c.d.e", "", ""), "", false},
		"an empty part":             {entry("acme..docs.search", "acme..docs.search", "", ""), "", false},
		"a part that is no word":    {entry("acme.web.docs.a b", "acme.web.docs.a b", "", ""), "", false},
		"the first is no word":      {entry("1.web.docs.search", "1.web.docs.search", "", ""), "", false},
		"no hash of four digits":    {entry("acme.web.docs.search", "acme.web.docs.search", "0a9", ""), "", false},
		"an integrity of two lines": {entry("acme.web.docs.search", "acme.web.docs.search", "", "sha256:12\n"), "", true},
		"a long integrity":          {entry("acme.web.docs.search", "acme.web.docs.search", "", long), long, true},
		"one that is too long":      {entry("acme.web.docs.search", "acme.web.docs.search", "", long+"a"), "", true},
	} {
		wanted, asks := mcp.WantedToolOf("https://pml.acme.dev", test.entry)
		assert.Equal(t, test.asks, asks, name)
		assert.Equal(t, mcp.WantedTool{Cloud: "https://pml.acme.dev", Name: test.entry.Tools.FullName, Hash: test.entry.Tools.NameHash.Text, Integrity: test.integrity}, wanted, name)
	}
	require.Len(t, long, 200)
}

// TestToolParts: a letter or underscore, then letters, digits, underscores and hyphens.
func TestToolParts(t *testing.T) {
	for part, want := range map[string]bool{
		"read_file": true, "_x": true, "x-1": true, "Z": true, "a": true, "": false, "-x": false, "0x": false, "9": false, "a.b": false, "ü": false,
	} {
		assert.Equal(t, want, mcp.IsToolPart(part), part)
	}
	for hash, want := range map[string]bool{"09af": true, "ffff": true, "09ag": false, "09AF": false, "09a": false, "09aff": false, "": false} {
		assert.Equal(t, want, mcp.IsToolHash(hash), hash)
	}
}
