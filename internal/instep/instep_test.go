package instep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fill compares files under settings, with no other files.
func fill(t *testing.T, texts map[string]string, groups ...mcp.GroupSettings) (*mcp.Repo, []instep.Problem) {
	t.Helper()
	index := format.Known()
	var parts []link.Part
	for path, text := range texts {
		match, ok := index.Lookup(path)
		require.True(t, ok, path)
		doc, err := format.Read(syntax.NewFile(path, []byte(text)), match)
		require.NoError(t, err)
		parts = append(parts, link.Part{Dir: match.Dir, Document: doc})
	}
	repo := link.Repo(parts)
	return repo, instep.Fill(instep.Input{Repo: repo, Index: index, Groups: groups, Read: func(string) (*syntax.File, error) { return nil, nil },
		Repository: func(string) string { return "" }})
}

// TestManyMissing has more missing servers than are considered, and expects the number of the rest,
// with a source and without.
func TestManyMissing(t *testing.T) {
	const files = 200
	texts := map[string]string{}
	for i := range files {
		texts[fmt.Sprintf("a%d/.mcp.json", i)] = fmt.Sprintf(`{"mcpServers": {"s%d": {"command": "c%d"}}}`, i, i)
	}
	_, problems := fill(t, texts, mcp.GroupSettings{Files: []string{"*/.mcp.json"}})
	missing := files*files - files - 5_000
	assert.Equal(t, []instep.Problem{{IsFull: true, Message: fmt.Sprintf("more servers are missing in the files that should be in sync than mcplumb reports: %d are omitted", missing)}}, problems)

	// Of 300 servers of a source the other files have the first and the last, which is not
	// the same in them: that is found in all of them.
	texts = map[string]string{".mcp.json": `{"mcpServers": {`}
	for i := range 300 {
		texts[".mcp.json"] += fmt.Sprintf(`"s%d": {"command": "c%d"}, `, i, i)
	}
	texts[".mcp.json"] = strings.TrimSuffix(texts[".mcp.json"], ", ") + "}}"
	for i := range 20 {
		texts[fmt.Sprintf("a%02d/.mcp.json", i)] = `{"mcpServers": {"s0": {"command": "c0"}, "s299": {"command": "other"}}}`
	}
	repo, problems := fill(t, texts, mcp.GroupSettings{Files: []string{"*/.mcp.json"}, Source: ".mcp.json"})
	assert.Equal(t, []instep.Problem{{IsFull: true, Message: fmt.Sprintf("more servers are missing in the files that should be in sync than mcplumb reports: %d are omitted", 298*20-5_000)}}, problems)
	differing := 0
	for _, c := range repo.Groups[0].Rows[299].Cells {
		if c.State == mcp.Differs {
			differing++
		}
	}
	assert.Equal(t, 20, differing)
}

// TestManyProjects omits none of two thousand servers that are missing in the four other files of
// each project: there is room for them with any number of projects.
func TestManyProjects(t *testing.T) {
	texts := map[string]string{}
	for i := range 200 {
		var entries []string
		for j := range 10 {
			entries = append(entries, fmt.Sprintf(`"s%d": {"command": "c%d-%d"}`, j, i, j))
		}
		texts[fmt.Sprintf("a%d/.mcp.json", i)] = `{"mcpServers": {` + strings.Join(entries, ", ") + `}}`
	}
	repo, problems := fill(t, texts, mcp.GroupSettings{
		Files:  []string{".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json", ".codex/config.toml"},
		Source: ".mcp.json", PerProject: true,
	})
	assert.Empty(t, problems)
	missing := 0
	for _, g := range repo.Groups {
		for _, file := range g.Files {
			for _, cell := range file.Cells {
				if cell.State == mcp.Missing {
					missing++
				}
			}
		}
	}
	assert.Equal(t, 200*4*10, missing)
}

// TestCells checks the state of each server in each file: under another name, disabled and rightly
// absent, not expressible, and not the same.
func TestCells(t *testing.T) {
	repo, problems := fill(t, map[string]string{
		".roo/mcp.json": `{"mcpServers": {
			"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]}, "off": {"command": "off", "disabled": true},
			"hub": {"type": "sse", "url": "https://hub.acme.dev/sse"}, "wiki": {"command": "uvx", "args": ["wiki-mcp==1.0.0"]}}}`,
		"claude_desktop_config.json": `{"mcpServers": {"documentation": {"command": "npx", "args": ["docs-mcp@1.0.0"]}, "wiki": {"command": "uvx", "args": ["wiki-mcp==1.0.1"]}}}`,
	}, mcp.GroupSettings{Files: []string{".roo/mcp.json", "claude_desktop_config.json"}, Source: ".roo/mcp.json"})
	require.Empty(t, problems)
	require.Len(t, repo.Groups, 1)
	states := map[string]mcp.CellState{}
	for _, row := range repo.Groups[0].Rows {
		states[row.Name] = row.Cell(repo.Groups[0].Files[1]).State
	}
	assert.Equal(t, map[string]mcp.CellState{"docs": mcp.Differs, "off": mcp.InStep, "hub": mcp.NotSayable, "wiki": mcp.Differs}, states)
}

// TestTieOfOneThatIsOff holds the entries to the first that is on where as many are off.
func TestTieOfOneThatIsOff(t *testing.T) {
	repo, _ := fill(t, map[string]string{
		".cursor/mcp.json": `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]}}}`,
		".roo/mcp.json":    `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"], "disabled": true}}}`,
	}, mcp.GroupSettings{Files: []string{".roo/mcp.json", ".cursor/mcp.json"}})
	row := repo.Groups[0].Rows[0]
	assert.Equal(t, ".cursor/mcp.json", row.Server.Document.File.Path)
}

// TestOrderOfFiles checks that without a source the order of the files does not decide what
// is right, where one client cannot say what another does.
func TestOrderOfFiles(t *testing.T) {
	entry := func(value string) string {
		return `{"mcpServers": {"wiki": {"command": "npx", "args": ["-y", "wiki@1.0.0"], "env": {"WIKI_TOKEN": "` + value + `"}}}}`
	}
	for version, want := range map[string]string{"1.0.1": ".mcp.json", "1.0.0": ""} { // two of them are like a third
		texts := map[string]string{
			".mcp.json": entry(token), ".cursor/mcp.json": entry("${env:WIKI_TOKEN}"),
			".codex/config.toml": "[mcp_servers.wiki]\ncommand = \"npx\"\nargs = [\"-y\", \"wiki@" + version + "\"]\n",
		}
		for _, files := range [][]string{
			{".mcp.json", ".cursor/mcp.json", ".codex/config.toml"}, {".mcp.json", ".codex/config.toml", ".cursor/mcp.json"},
			{".cursor/mcp.json", ".mcp.json", ".codex/config.toml"}, {".cursor/mcp.json", ".codex/config.toml", ".mcp.json"},
			{".codex/config.toml", ".mcp.json", ".cursor/mcp.json"}, {".codex/config.toml", ".cursor/mcp.json", ".mcp.json"},
		} {
			repo, problems := fill(t, texts, mcp.GroupSettings{Files: files})
			assert.Empty(t, problems)
			row := repo.Groups[0].Rows[0]
			assert.Equal(t, want == "", row.IsOpen, files)
			if want != "" {
				assert.Equal(t, want, row.Server.Document.File.Path, files)
			}
		}
	}
}
