package link_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// read reads texts by their paths and returns them as parts, in no order.
func read(t *testing.T, texts map[string]string) []link.Part {
	t.Helper()
	index := format.Known()
	var parts []link.Part
	for path, text := range texts {
		match, ok := index.Lookup(path)
		require.True(t, ok, path)
		doc, err := format.Read(syntax.NewFile(path, []byte(text)), match)
		require.NoError(t, err, path)
		require.NotNil(t, doc, path)
		parts = append(parts, link.Part{Dir: match.Dir, Document: doc})
	}
	return parts
}

// TestRepo groups documents by the directory that they configure, both sorted,
// and applies what one file of a client says of another.
func TestRepo(t *testing.T) {
	const two = `{"mcpServers": {"on": {"command": "x"}, "off": {"command": "y"}}}`
	repo := link.Repo(read(t, map[string]string{
		"b/.mcp.json": two, "b/.claude/settings.json": `{"disabledMcpjsonServers": ["off"]}`,
		"b/.cursor/mcp.json": two, "a/.mcp.json": two,
	}))
	var got []string
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			assert.Same(t, p, d.Project)
			line := p.Dir + ": " + d.File.Path
			for _, s := range d.Servers {
				if s.IsOff() {
					line += ", " + s.Name + " is off"
				}
			}
			got = append(got, line)
		}
	}
	assert.Equal(t, []string{
		"a: a/.mcp.json",
		"b: b/.claude/settings.json", "b: b/.cursor/mcp.json", "b: b/.mcp.json, off is off",
	}, got)
}

// TestFiles returns the files that a plugin's manifest names: those of its own
// kind below the root, and nothing else.
func TestFiles(t *testing.T) {
	index := format.Known()
	match, ok := index.Lookup("plugins/notes/.claude-plugin/plugin.json")
	require.True(t, ok)
	var got []string
	for _, file := range link.Files(index, match, &mcp.Document{Links: []mcp.Link{
		{Path: "plugins/notes/servers.json"}, {Path: "plugins/notes/../more.json"},
		{Path: "../outside.json"}, {Path: "/etc/passwd.json"}, {Path: "plugins/notes/server.mcpb"}, {Path: ""},
	}}) {
		got = append(got, file.Path+" as "+file.Match.Format.Name+" of "+file.Match.Dir)
	}
	assert.Equal(t, []string{
		"plugins/notes/servers.json as claude-plugin of plugins/notes", "plugins/more.json as claude-plugin of plugins/notes",
	}, got)
}
