package lint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

// sideBySide returns the groups of a tree that are shown without settings, and the findings
// in it.
func sideBySide(t *testing.T, files map[string]string, targets ...string) *Result {
	t.Helper()
	result, err := Run(t.Context(), Options{Source: source.Memory(files), Compares: true, Targets: targets})
	require.NoError(t, err)
	return result
}

// pathsOf returns the files of groups.
func pathsOf(groups []*mcp.Group) (all [][]string) {
	for _, g := range groups {
		var paths []string
		for _, f := range g.Files {
			paths = append(paths, f.Path)
		}
		all = append(all, paths)
	}
	return all
}

// TestClientFilesSideBySide checks a project that has two or more client files, and settings that
// do not request their comparison. The comparison adds no finding.
func TestClientFilesSideBySide(t *testing.T) {
	files := map[string]string{
		".mcp.json":                 `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]}}}`,
		".vscode/mcp.json":          `{"servers": {}}`,
		".vscode/settings.json":     `{"editor.tabSize": 2}`,
		"mcp-tap.lock":              `{"lockfile_version": 1, "servers": {}}`,
		"api/.mcp.json":             `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.1"]}}}`,
		"web/.mcp.json":             `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.1"]}}}`,
		"web/.cursor/mcp.json":      `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]}}}`,
		"examples/.mcp.json":        `{"mcpServers": {"docs": {"command": "x"}}}`,
		"examples/.cursor/mcp.json": `{"mcpServers": {"docs": {"command": "y"}}}`,
	}
	result := sideBySide(t, files)
	assert.Equal(t, [][]string{{".mcp.json", ".vscode/mcp.json"}, {"web/.cursor/mcp.json", "web/.mcp.json"}}, pathsOf(result.Groups))
	assert.Equal(t, mcp.Missing, result.Groups[0].Rows[0].Cells[1].State)
	assert.True(t, result.Groups[1].Rows[0].IsOpen, "it is unknown which of two versions is right")
	assert.Empty(t, result.Repo.Groups, "no rule sees files that the settings do not list in in-step")
	for _, f := range result.Findings {
		assert.NotEqual(t, "out-of-step", f.Rule.ID)
	}

	assert.Equal(t, [][]string{{"web/.cursor/mcp.json", "web/.mcp.json"}}, pathsOf(sideBySide(t, files, "web/.mcp.json").Groups))
	without, err := Run(t.Context(), Options{Source: source.Memory(files)})
	require.NoError(t, err)
	assert.Empty(t, without.Groups, "the options do not ask for them")
}

// TestManyClientFilesSideBySide checks that files and servers beyond what a person can read are not
// compared, but not lost.
func TestManyClientFilesSideBySide(t *testing.T) {
	files := map[string]string{".amazonq/mcp.json": `{"mcpServers": {"a0": {"command": "a0"}}}`}
	for i := range 300 {
		files[fmt.Sprintf(".continue/mcpServers/s%03d.yaml", i)] = fmt.Sprintf(
			"name: a\nversion: 0.0.1\nschema: v1\nmcpServers:\n- {name: a%d, command: a%d}\n- {name: b%d, command: b%d}\n- {name: c%d, command: c%d}\n", i, i, i, i, i, i)
	}
	g := sideBySide(t, files).Groups[0]
	assert.Len(t, g.Files, 301)
	require.Len(t, g.Rows, 3*63)
	cells := 0
	for _, row := range g.Rows {
		cells += len(row.Cells)
	}
	assert.Equal(t, 3*63+1+10_000, cells)
}

// TestFilesOfOneClientSideBySide checks that a server in one of the files that a client loads
// together is missing in none of them.
func TestFilesOfOneClientSideBySide(t *testing.T) {
	entry := func(name string) string {
		return "name: a\nversion: 0.0.1\nschema: v1\nmcpServers:\n- {name: " + name + ", command: uvx, args: [" + name + "-mcp==1.0.0]}\n"
	}
	files := map[string]string{".continue/mcpServers/docs.yaml": entry("docs"), ".continue/mcpServers/wiki.yaml": entry("wiki")}
	assert.Empty(t, sideBySide(t, files).Groups)

	files[".mcp.json"] = `{"mcpServers": {"docs": {"command": "uvx", "args": ["docs-mcp==1.0.0"]}}}`
	groups := sideBySide(t, files).Groups
	require.Equal(t, [][]string{{".continue/mcpServers/docs.yaml", ".continue/mcpServers/wiki.yaml", ".mcp.json"}}, pathsOf(groups))
	var states [][]mcp.CellState
	for _, row := range groups[0].Rows {
		var of []mcp.CellState
		for _, c := range row.Cells {
			of = append(of, c.State)
		}
		states = append(states, of)
	}
	assert.Equal(t, [][]mcp.CellState{{mcp.InStep, mcp.InStep, mcp.InStep}, {mcp.InStep, mcp.InStep, mcp.Missing}}, states)
}
