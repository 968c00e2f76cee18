package instep_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

const oneServer = `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`

// read returns the repository of files.
func read(t *testing.T, files map[string]string) *mcp.Repo {
	t.Helper()
	result, err := lint.List(t.Context(), lint.Options{Source: source.Memory(files)})
	require.NoError(t, err)
	return result.Repo
}

// filesBeside finds the files of clients beside one of a repository.
func filesBeside(t *testing.T, path string, files map[string]string) *instep.ClientFiles {
	t.Helper()
	for _, p := range read(t, files).Projects {
		for _, d := range p.Documents {
			if d.File.Path == path {
				return instep.NewClientFiles(d, func(path string) bool { return files[path] != "" })
			}
		}
	}
	require.Fail(t, "no document", path)
	return nil
}

// TestFileOfAClient holds which file is written for a client.
func TestFileOfAClient(t *testing.T) {
	for _, c := range []struct {
		client, want string
		there        map[string]string
	}{
		{"cursor", "app/.cursor/mcp.json", nil},
		{"vscode", "app/.vscode/mcp.json", nil},
		{"vscode", "app/.vscode/settings.json", map[string]string{"app/.vscode/settings.json": `{"mcp": {"servers": {"a": {"command": "a"}}}}`}},
		{"vscode", "app/.vscode/mcp.json", map[string]string{"app/.vscode/mcp.json": `{"servers": {}}`, "app/.vscode/settings.json": `{"mcp": {"servers": {"a": {"command": "a"}}}}`}},
		{"codex", "app/.codex/config.toml", map[string]string{"app/.codex/config.toml": `model = "x"`}},
		{"opencode", "app/opencode.jsonc", map[string]string{"app/opencode.jsonc": `{"theme": "dark"}`}},
		{"opencode", "app/opencode.json", map[string]string{"opencode.jsonc": `{"mcp": {}}`}},
		{"auggie", "app/.augment/settings.json", map[string]string{"app/.augment/settings.local.json": oneServer}},
		{"continue", "app/.continue/mcpServers/mcp.yaml", nil},
		{"continue", "app/.continue/mcpServers/own.yaml", map[string]string{"app/.continue/mcpServers/own.yaml": "mcpServers:\n  - name: a\n    command: a\n"}},
		{"visual-studio", "app/.vs/mcp.json", nil}, // of .mcp.json it reads another root key
	} {
		files := map[string]string{"app/.mcp.json": oneServer}
		for path, content := range c.there {
			files[path] = content
		}
		got, err := filesBeside(t, "app/.mcp.json", files).File(mcp.ClientByID(c.client))
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%s beside %v", c.client, c.there)
	}
}

// TestFileOfAClientThatHasNone holds what is said where nothing is to be written.
func TestFileOfAClientThatHasNone(t *testing.T) {
	two := "mcpServers:\n  - name: a\n    command: a\n"
	found := filesBeside(t, ".mcp.json", map[string]string{
		".mcp.json": oneServer, ".continue/mcpServers/a.yaml": two, ".continue/mcpServers/b.yaml": two, ".cursor/mcp.json": oneServer,
	})
	_, err := found.File(mcp.ClientByID("claude-code"))
	assert.EqualError(t, err, "Claude Code reads .mcp.json itself")
	_, err = found.File(mcp.ClientByID("copilot-cli"))
	assert.EqualError(t, err, "GitHub Copilot CLI reads .mcp.json itself")
	_, err = found.File(mcp.ClientByID("continue"))
	assert.EqualError(t, err, "Continue has several files here, .continue/mcpServers/a.yaml and .continue/mcpServers/b.yaml among them: in-step in the settings can name one")
	files, left := found.All()
	assert.Equal(t, []string{".cursor/mcp.json"}, files)
	assert.Equal(t, []string{err.Error()}, left)

	// Another file of the client that reads the source would start each server twice.
	files, _ = filesBeside(t, ".vscode/mcp.json", map[string]string{
		".vscode/mcp.json": `{"servers": {"a": {"command": "a"}}}`, "x.code-workspace": `{"settings": {"mcp": {"servers": {"b": {"command": "b"}}}}}`, ".cursor/mcp.json": oneServer,
	}).All()
	assert.Equal(t, []string{".cursor/mcp.json"}, files)
}

// TestPropose holds which files are proposed for a group: those of one project with
// servers in common, the richest first.
func TestPropose(t *testing.T) {
	vscode := `{"servers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}, "own": {"command": "own"}}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  []mcp.GroupSettings
	}{
		"one file":       {map[string]string{".mcp.json": oneServer}, nil},
		"nothing common": {map[string]string{".mcp.json": oneServer, ".cursor/mcp.json": `{"mcpServers": {"b": {"command": "b"}}}`}, nil},
		"richest first": {
			map[string]string{".mcp.json": oneServer, ".vscode/mcp.json": vscode, ".cursor/mcp.json": `{"mcpServers": {"b": {"command": "b"}}}`},
			[]mcp.GroupSettings{{Files: []string{".vscode/mcp.json", ".mcp.json"}, Source: ".vscode/mcp.json"}},
		},
		"one server under two names": {
			map[string]string{".mcp.json": oneServer, ".cursor/mcp.json": `{"mcpServers": {"clock": {"command": "uvx", "args": ["mcp-server-time"]}}}`},
			[]mcp.GroupSettings{{Files: []string{".mcp.json", ".cursor/mcp.json"}, Source: ".mcp.json"}},
		},
		"a test's data": {map[string]string{"testdata/.mcp.json": oneServer, "testdata/.cursor/mcp.json": oneServer}, nil},
		"generated":     {map[string]string{".mcp.json": oneServer, ".cursor/mcp.json": oneServer, ".ruler/mcp.json": oneServer}, nil},
		"every project alike": {
			map[string]string{"a/.mcp.json": oneServer, "a/.cursor/mcp.json": oneServer, "b/.mcp.json": oneServer, "b/.cursor/mcp.json": oneServer},
			[]mcp.GroupSettings{{Files: []string{".mcp.json", ".cursor/mcp.json"}, Source: ".mcp.json", PerProject: true}},
		},
		"a project without the other file": {
			map[string]string{"a/.mcp.json": oneServer, "a/.cursor/mcp.json": oneServer, "b/.mcp.json": oneServer, "b/.cursor/mcp.json": oneServer, "c/.mcp.json": oneServer},
			[]mcp.GroupSettings{
				{Files: []string{"a/.mcp.json", "a/.cursor/mcp.json"}, Source: "a/.mcp.json"},
				{Files: []string{"b/.mcp.json", "b/.cursor/mcp.json"}, Source: "b/.mcp.json"},
			},
		},
	} {
		assert.Equal(t, c.want, instep.Propose(read(t, c.files)), name)
	}
}

// TestNames holds which files a group may have, as one that does not parse is none of its
// documents.
func TestNames(t *testing.T) {
	group := &mcp.GroupSettings{Files: []string{".mcp.json", ".cursor/*.json"}}
	assert.True(t, instep.Names(group, ".mcp.json"))
	assert.True(t, instep.Names(group, ".cursor/mcp.json"))
	assert.False(t, instep.Names(group, "a/.mcp.json"))
	group.PerProject = true
	assert.True(t, instep.Names(group, "a/b/.cursor/mcp.json"))
	literal := &mcp.GroupSettings{Files: []string{"[id]/.mcp.json"}, Literal: true}
	assert.True(t, instep.Names(literal, "[id]/.mcp.json"))
	assert.False(t, instep.Names(literal, "i/.mcp.json"))
}
