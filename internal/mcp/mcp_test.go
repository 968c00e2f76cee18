package mcp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestClientTable checks what the rows of the table must agree on. Package format checks that every
// format is one that mcplumb reads.
func TestClientTable(t *testing.T) {
	transports := []string{"", "stdio", "http", "sse", "ws"}
	seen := map[string]bool{}
	for _, c := range Clients() {
		require.False(t, seen[c.ID], "%s is there twice", c.ID)
		seen[c.ID] = true
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, c.ID)
		assert.NotEmpty(t, c.Fields.Command, "%s starts nothing", c.ID)
		for _, native := range c.Native {
			assert.Contains(t, transports[2:], native, c.ID)
		}
		for _, typ := range c.Types {
			assert.Contains(t, transports, typ.Transport, c.ID)
			assert.NotEmpty(t, typ.Word, c.ID)
		}
		for _, url := range c.Fields.URL {
			assert.Contains(t, transports, url.Transport, c.ID)
		}
		var formats []string
		for _, r := range c.Files {
			formats = append(formats, r.Format)
			for _, reserved := range r.Names.Reserved {
				assert.True(t, r.Names.Takes(reserved), "%s keeps a name that it does not take: %s", c.ID, reserved)
			}
		}
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(formats))), len(formats), "%s reads a format twice", c.ID)
		for _, format := range c.LoadedTogether {
			assert.Contains(t, formats, format, "%s loads together what it does not read", c.ID)
		}
		if c.MergesByName {
			assert.Greater(t, len(c.LoadedTogether), 1, "%s merges one format", c.ID)
		}
	}
}

// TestClientAnswers shows what the table of clients answers.
func TestClientAnswers(t *testing.T) {
	code := ClientByID("claude-code")
	require.NotNil(t, code)
	assert.Nil(t, ClientByID("claude"))
	assert.True(t, code.Speaks("http"))
	assert.False(t, code.Speaks("carrier pigeon"))
	assert.True(t, code.Reads("claude-code", "mcpServers"))
	assert.False(t, code.Reads("claude-code", "servers"), "Visual Studio's key in the same file")
	assert.False(t, code.Reads("cursor", "mcpServers"), "another client's file")
	assert.Nil(t, code.Reading("cursor"))
	assert.Contains(t, Readers("claude-code"), code)
	assert.Empty(t, Readers("no-client"))
}

// TestLoaders shows who loads the servers of a file that several clients read: by
// its root key.
func TestLoaders(t *testing.T) {
	readers := Readers("claude-code")
	titles := func(d *Document) (names []string) {
		for _, c := range d.Loaders() {
			names = append(names, c.ID)
		}
		return names
	}
	assert.Equal(t, []string{"claude-code", "copilot-cli"}, titles(&Document{Format: "claude-code", Clients: readers, RootKey: "mcpServers"}))
	assert.Equal(t, []string{"visual-studio"}, titles(&Document{Format: "claude-code", Clients: readers, RootKey: "servers"}))
	assert.Empty(t, titles(&Document{Format: "claude-code", Clients: readers, RootKey: "context_servers"}))
	assert.Empty(t, titles(&Document{Format: "generic"}))
}

// TestNaming shows which names are taken, and what would do in their place.
func TestNaming(t *testing.T) {
	every, words := Naming{}, Naming{Others: "-_", Reserved: []string{"workspace"}}
	for _, test := range []struct {
		names   Naming
		name    string
		takes   bool
		suggest string
	}{
		{every, "my server", true, ""},
		{every, "", true, ""},
		{words, "my-server_2", true, "my-server_2"},
		{words, "my server", false, "my-server"},
		{words, "io.github.acme/files", false, "io-github-acme-files"},
		{words, "数据", false, ""},
		{words, "", false, ""},
	} {
		assert.Equal(t, test.takes, test.names.Takes(test.name), test.name)
		assert.Equal(t, test.suggest, test.names.Suggest(test.name), test.name)
	}
	assert.True(t, words.IsReserved("workspace"))
	assert.False(t, words.IsReserved("work"))
}

// TestMadeNames shows which bundle a name tells of that a tool has made.
func TestMadeNames(t *testing.T) {
	made := MadeNames{Format: "vscode", Prefix: "kit:"}
	for _, test := range []struct {
		name, bundle string
		isMade       bool
	}{
		{"kit:docs:search", "docs", true},
		{"kit:docs", "docs", true},
		{"kit:", "", true},
		{"toolkit:docs:search", "", false},
		{"search", "", false},
	} {
		bundle, isMade := made.Bundle(test.name)
		assert.Equal(t, test.isMade, isMade, test.name)
		assert.Equal(t, test.bundle, bundle, test.name)
	}
	_, isMade := MadeNames{}.Bundle("anything")
	assert.False(t, isMade, "most tools make no names")
}

// TestTools shows what the table of tools answers.
func TestTools(t *testing.T) {
	assert.Equal(t, "ccpkg", ToolOf("ccpkg-template").ID)
	assert.Nil(t, ToolOf("vscode"), "a client's file is no tool's own")
	assert.Equal(t, []*Tool{ToolOf("prompt-registry-tracking")}, Namers("vscode"))
	assert.Empty(t, Namers("cursor"))
	assert.True(t, ToolOf("ccpkg-lock").FillsIn("--key=${config.KEY}"))
	assert.False(t, ToolOf("ccpkg-lock").FillsIn("${KEY}"))
}

// TestGoverningDocument shows which lockfiles speak for all servers of a project.
func TestGoverningDocument(t *testing.T) {
	for format, governs := range map[string]bool{"mcp-tap": true, "ccpkg-lock": false, "pml-lock": false} {
		assert.Equal(t, governs, (&Document{Tool: ToolOf(format), Lock: &Lock{}}).Governs(), format)
	}
	assert.False(t, (&Document{}).Governs())
	assert.Nil(t, (&Project{}).GoverningLock())
}

// TestEntryNames shows the names that a locked server may have.
func TestEntryNames(t *testing.T) {
	entry := &LockEntry{Name: "docs", Place: Place{OtherNames: []string{"docs#kit"}}}
	assert.True(t, entry.Named("docs"))
	assert.True(t, entry.Named("docs#kit"))
	assert.False(t, entry.Named("kit"))
}

// TestEntryIsMentioned shows mcp-tap's own test for a package behind a launcher
// that is not known.
func TestEntryIsMentioned(t *testing.T) {
	entry := &LockEntry{Target: Target{Package: identity.Word{Text: "docs-mcp"}}}
	launch := func(words ...string) *Server {
		s := &Server{Launch: identity.Launch{Command: identity.Word{Text: words[0]}}}
		for _, w := range words[1:] {
			s.Launch.Args = append(s.Launch.Args, identity.Word{Text: w})
		}
		return s
	}
	assert.True(t, entry.MentionedIn(launch("docs-mcp")))
	assert.True(t, entry.MentionedIn(launch("run", "docs-mcp", "--stdio")))
	assert.False(t, entry.MentionedIn(launch("run", "docs-mcp@1.0.0")), "only whole words")
	known := launch("run", "docs-mcp")
	known.Identity = identity.Identity{Kind: identity.NPM, Name: "other"}
	assert.False(t, entry.MentionedIn(known), "its package is known")
	assert.False(t, (&LockEntry{}).MentionedIn(launch("run", "")))
}

// TestExtra shows that rare facts of an entry can always be read, and are stored only if the entry
// has them.
func TestExtra(t *testing.T) {
	s := &Server{Document: &Document{Bundle: &Bundle{Name: "kit"}}}
	assert.Equal(t, Extra{}, s.Extra())
	assert.Equal(t, "kit", s.BundleName(), "the file is a part of one")
	s.EnsureExtra().Bundle = "docs"
	assert.Equal(t, "docs", s.BundleName(), "the entry itself says more")
	assert.Equal(t, "", (&Server{Document: &Document{}}).BundleName())
}
