package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// document is one of a format, which clients read under a root key.
func document(path, format, root string, clients ...string) *mcp.Document {
	d := entryIn(format, root, clients...).Document
	d.File, d.Scope = syntax.NewFile(path, nil), mcp.ScopeProject
	return d
}

// TestFileReadInstead: the file that all of some clients read instead of another, whether or not
// the other exists.
func TestFileReadInstead(t *testing.T) {
	copilot, code := mcp.ClientByID("copilot-cli"), mcp.ClientByID("claude-code")
	first := document(".mcp.json", "claude-code", "mcpServers", "claude-code", "copilot-cli")
	p := &mcp.Project{Documents: []*mcp.Document{document("a.json", "other", "mcpServers"), first}}
	find := func(clients ...*mcp.Client) *mcp.Document {
		return p.Instead(clients, "copilot-cli", ".github/mcp.json")
	}
	assert.Same(t, first, find(copilot))
	assert.Same(t, first, find(copilot, copilot))
	assert.Nil(t, find(copilot, code), "Claude Code has no such rule")
	assert.Nil(t, find(code))
	assert.Nil(t, find())
	first.Role = mcp.Example
	assert.Nil(t, find(copilot), "no client reads an example")
	first.Role = mcp.InUse
	first.Format = "cursor"
	assert.Nil(t, find(copilot), "a file that it does not read hides nothing")
	first.Format = "claude-code"
	p.Documents = p.Documents[:1]
	assert.Nil(t, find(copilot), "it is not there")
}

// TestGoverningLock is the first lockfile of the project that governs which speaks for all
// servers.
func TestGoverningLock(t *testing.T) {
	lock := func(format string) *mcp.Document { return &mcp.Document{Tool: mcp.ToolOf(format), Lock: &mcp.Lock{}} }
	governing := lock("mcp-tap")
	above := &mcp.Project{Documents: []*mcp.Document{document(".mcp.json", "claude-code", "mcpServers"), lock("ccpkg-lock"), governing, lock("mcp-tap")}}
	assert.Same(t, governing, (&mcp.Project{GovernedBy: above}).GoverningLock())
}

// TestClientFiles are those that clients load when they open the project: no lockfiles, no
// examples, no plugins and nothing that no known client reads.
func TestClientFiles(t *testing.T) {
	used := document(".mcp.json", "claude-code", "mcpServers", "claude-code")
	change := func(f func(d *mcp.Document)) *mcp.Document {
		d := document("other.json", "claude-code", "mcpServers", "claude-code")
		f(d)
		return d
	}
	p := &mcp.Project{Documents: []*mcp.Document{
		change(func(d *mcp.Document) { d.Lock = &mcp.Lock{} }),
		change(func(d *mcp.Document) { d.Scope = mcp.ScopePlugin }),
		change(func(d *mcp.Document) { d.Role = mcp.Example }),
		change(func(d *mcp.Document) { d.Clients = nil }),
		used,
	}}
	assert.Equal(t, []*mcp.Document{used}, p.ClientFiles())
}

// TestLoadersAreACopy: to append to them changes no document.
func TestLoadersAreACopy(t *testing.T) {
	d := document(".mcp.json", "claude-code", "mcpServers", "claude-code", "copilot-cli")
	d.Clients = append(make([]*mcp.Client, 0, 8), d.Clients...)
	_ = append(d.Loaders(), mcp.ClientByID("cursor"))
	assert.Len(t, d.Clients[:3], 3)
	assert.Nil(t, d.Clients[:3][2])
}

// TestUpwards walks from a directory to the root, which is "".
func TestUpwards(t *testing.T) {
	var dirs []string
	for dir := range mcp.Upwards("a/b") {
		dirs = append(dirs, dir)
	}
	assert.Equal(t, []string{"a/b", "a", ""}, dirs)
	for dir := range mcp.Upwards("a/b") {
		dirs = append(dirs, dir)
		break
	}
	assert.Len(t, dirs, 4)
	assert.Equal(t, "a", mcp.Parent("a/b"))
	assert.Equal(t, "", mcp.Parent("a"))
	assert.Equal(t, "", mcp.Parent(""))
}

// TestResolved has the identity, the launch and what the place of the file decides.
func TestResolved(t *testing.T) {
	s := entryIn("claude-code", "mcpServers", "claude-code")
	r := s.Resolved()
	assert.Same(t, &s.Identity, r.Identity)
	assert.Same(t, &s.Launch, r.Launch)
	assert.Same(t, &s.Document.Context, r.Context)
}
