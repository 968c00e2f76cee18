package instep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

const oneServer = `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`

// read returns the repository of files.
func read(t *testing.T, files map[string]string) *mcp.Repo {
	t.Helper()
	archive := &txtar.Archive{}
	for path, text := range files {
		archive.Files = append(archive.Files, txtar.File{Name: path, Data: []byte(text + "\n")})
	}
	return placeOf(t, string(txtar.Format(archive))).repo
}

// filesBeside finds the files of clients in addition to one file of a repository.
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

// TestFileOfAClientThatHasNone checks the error if there is no file to write.
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
	assert.EqualError(t, err, "Continue has several files here, such as .continue/mcpServers/a.yaml and .continue/mcpServers/b.yaml: name one under in-step in the settings")
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

// TestNames checks which files a group may have: a file that does not parse is not one of its
// documents.
func TestNames(t *testing.T) {
	group := &mcp.GroupSettings{Files: []string{".mcp.json", ".cursor/*.json"}}
	assert.True(t, instep.Names(group, ".mcp.json"))
	assert.True(t, instep.Names(group, ".cursor/mcp.json"))
	assert.False(t, instep.Names(group, "a/.mcp.json"))
	group.PerProject = true
	assert.True(t, instep.Names(group, "a/b/.cursor/mcp.json"))
	assert.False(t, instep.Names(group, "a/b/.roo/mcp.json"))
	literal := &mcp.GroupSettings{Files: []string{"[id]/.mcp.json"}, Literal: true}
	assert.True(t, instep.Names(literal, "[id]/.mcp.json"))
	assert.False(t, instep.Names(literal, "i/.mcp.json"))
}

// TestWritable are the clients that have a file of their own in a project.
func TestWritable(t *testing.T) {
	var ids []string
	for _, c := range instep.Writable() {
		ids = append(ids, c.ID)
	}
	assert.Subset(t, ids, []string{"claude-code", "codex", "cursor", "vscode"})
	assert.NotContains(t, ids, "claude-desktop")
	assert.IsIncreasing(t, ids)
}

// TestFileThatIsNotToBeWritten: a client may have no file in a project, or read another client's
// file instead of its own.
func TestFileThatIsNotToBeWritten(t *testing.T) {
	found := filesBeside(t, ".vscode/mcp.json", map[string]string{".vscode/mcp.json": `{"servers": {"a": {"command": "a"}}}`, ".mcp.json": oneServer, ".github/mcp.json": oneServer})
	_, err := found.File(mcp.ClientByID("claude-desktop"))
	assert.EqualError(t, err, "Claude Desktop has no project file that mcplumb can write")
	_, err = found.File(mcp.ClientByID("copilot-cli"))
	assert.EqualError(t, err, "GitHub Copilot CLI reads .mcp.json here, not .github/mcp.json: --to claude-code writes that")
	files, left := found.All()
	assert.Equal(t, []string{".mcp.json"}, files, "it is not read, so it is not one to follow")
	assert.Empty(t, left)

	found = filesBeside(t, ".vscode/mcp.json", map[string]string{".vscode/mcp.json": `{"servers": {"a": {"command": "a"}}}`})
	file, err := found.File(mcp.ClientByID("copilot-cli"))
	require.NoError(t, err)
	assert.Equal(t, ".github/mcp.json", file)
	file, err = found.File(mcp.ClientByID("vscode"))
	assert.EqualError(t, err, "VS Code reads .vscode/mcp.json itself")
	assert.Empty(t, file)
}

// TestAllFilesOfClients: those of the same project with servers, that are used as the source
// is, each once.
func TestAllFilesOfClients(t *testing.T) {
	all := func(path string, files map[string]string) []string {
		found, left := filesBeside(t, path, files).All()
		assert.Empty(t, left)
		return found
	}
	assert.Equal(t, []string{".codex/config.toml", ".cursor/mcp.json", ".roo/mcp.json"}, all(".mcp.json", map[string]string{
		".mcp.json": oneServer, ".roo/mcp.json": oneServer, ".cursor/mcp.json": oneServer, ".codex/config.toml": "[mcp_servers.a]\ncommand = \"a\"\n",
		".claude/mcp.json": oneServer, "app/.cursor/mcp.json": oneServer, "x.json": oneServer, ".gemini/settings.json": `{}`, "claude_desktop_config.json": oneServer,
		".codex/config.toml.example": "[mcp_servers.b]\ncommand = \"b\"\n",
	}))
	assert.Equal(t, []string{"examples/.roo/mcp.json"}, all("examples/.mcp.json", map[string]string{"examples/.mcp.json": oneServer, "examples/.roo/mcp.json": oneServer, ".cursor/mcp.json": oneServer}))
	assert.Empty(t, all(".mcp.json", map[string]string{".mcp.json": oneServer, "examples/.cursor/mcp.json": oneServer}))
}

// TestFilesOfAnyCase: a system may call them otherwise.
func TestFilesOfAnyCase(t *testing.T) {
	files := map[string]string{".mcp.json": oneServer, ".Cursor/MCP.json": oneServer}
	found, err := filesBeside(t, ".mcp.json", files).File(mcp.ClientByID("cursor"))
	require.NoError(t, err)
	assert.Equal(t, ".Cursor/MCP.json", found)
}

// TestProposedGroups shows which groups are proposed for files of several projects.
func TestProposedGroups(t *testing.T) {
	const two = `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}, "own": {"command": "own"}}}`
	groups := func(files map[string]string) []string {
		var all []string
		for _, g := range instep.Propose(read(t, files)) {
			text := g.Source + ": " + strings.Join(g.Files, " ")
			if g.PerProject {
				text += " for each"
			}
			all = append(all, text)
		}
		return all
	}
	for name, c := range map[string]struct {
		files string // "a/.mcp.json 2" has two servers
		want  []string
	}{
		"of as many servers that of most clients": {".mcp.json .cursor/mcp.json", []string{".mcp.json: .mcp.json .cursor/mcp.json"}},
		"others by their names":                   {".roo/mcp.json .mcp.json 2 .cursor/mcp.json", []string{".mcp.json: .mcp.json .cursor/mcp.json .roo/mcp.json"}},
		"a personal one":                          {".mcp.json .augment/settings.local.json", nil},
		"one that is not read":                    {".mcp.json .github/mcp.json", nil},
		"two projects that are alike":             {"a/.mcp.json a/.roo/mcp.json b/.mcp.json b/.roo/mcp.json", []string{".mcp.json: .mcp.json .roo/mcp.json for each"}},
		"two of other files": {"a/.mcp.json a/.roo/mcp.json b/.mcp.json b/.cursor/mcp.json",
			[]string{"a/.mcp.json: a/.mcp.json a/.roo/mcp.json", "b/.mcp.json: b/.mcp.json b/.cursor/mcp.json"}},
		"three of other files": {"a/.mcp.json a/.roo/mcp.json b/.mcp.json b/.cursor/mcp.json c/.mcp.json c/.roo/mcp.json c/.cursor/mcp.json",
			[]string{".mcp.json: .mcp.json {.cursor/mcp.json,.roo/mcp.json} for each"}},
		"of other sources": {"a/.mcp.json 2 a/.roo/mcp.json b/.mcp.json b/.roo/mcp.json 2",
			[]string{"a/.mcp.json: a/.mcp.json a/.roo/mcp.json", "b/.roo/mcp.json: b/.roo/mcp.json b/.mcp.json"}},
		"one of another server": {"a/.mcp.json a/.roo/mcp.json b/.mcp.json b/.roo/mcp.json c/.mcp.json c/.roo/mcp.json x",
			[]string{"a/.mcp.json: a/.mcp.json a/.roo/mcp.json", "b/.mcp.json: b/.mcp.json b/.roo/mcp.json"}},
		"the source alone in one, of three": {"a/.mcp.json a/.roo/mcp.json b/.mcp.json b/.roo/mcp.json c/.mcp.json c/.roo/mcp.json d/.mcp.json",
			[]string{".mcp.json: .mcp.json {.roo/mcp.json} for each"}},
		"five at most": {"a/.mcp.json 2 a/.roo/mcp.json b/.roo/mcp.json 2 b/.mcp.json c/.cursor/mcp.json 2 c/.roo/mcp.json d/.factory/mcp.json 2 d/.roo/mcp.json e/.kiro/settings/mcp.json 2 e/.roo/mcp.json f/.warp/.mcp.json 2 f/.roo/mcp.json",
			[]string{"a/.mcp.json: a/.mcp.json a/.roo/mcp.json", "b/.roo/mcp.json: b/.roo/mcp.json b/.mcp.json", "c/.cursor/mcp.json: c/.cursor/mcp.json c/.roo/mcp.json",
				"d/.factory/mcp.json: d/.factory/mcp.json d/.roo/mcp.json", "e/.kiro/settings/mcp.json: e/.kiro/settings/mcp.json e/.roo/mcp.json"}},
		"no path is a pattern": {"a[b]/.mcp.json a[b]/.roo/mcp.json", nil},
	} {
		files := map[string]string{}
		words := strings.Fields(c.files)
		for i, path := range words {
			text := oneServer
			if i+1 < len(words) && words[i+1] == "2" {
				text = two
			} else if i+1 < len(words) && words[i+1] == "x" {
				text = `{"mcpServers": {"x": {"command": "x"}}}`
			}
			if strings.Contains(path, ".json") {
				files[path] = text
			}
		}
		assert.Equal(t, c.want, groups(files), name)
	}
}

// TestRichest is the file in use with most servers.
func TestRichest(t *testing.T) {
	const two = `{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`
	for want, files := range map[string]map[string]string{
		"":                   {"examples/.mcp.json": two},
		".mcp.json":          {".mcp.json": oneServer, "b/.cursor/mcp.json": oneServer, "[x]/.mcp.json": two, "examples/.mcp.json": two, ".augment/settings.local.json": two},
		"b/.cursor/mcp.json": {".mcp.json": oneServer, "b/.cursor/mcp.json": two, "c/.mcp.json": two},
	} {
		assert.Equal(t, want, instep.Richest(read(t, files)))
	}
}

// TestProjects compares the files that clients load in each project.
func TestProjects(t *testing.T) {
	repo := read(t, map[string]string{
		".mcp.json": oneServer, ".cursor/mcp.json": `{"mcpServers": {}}`, ".roo/mcp.json": oneServer, ".codex/config.toml": "model = \"x\"\n", ".claude/mcp.json": oneServer,
		"a/.mcp.json": oneServer, "examples/.mcp.json": oneServer, "examples/.cursor/mcp.json": oneServer,
		"b/.vscode/mcp.json": `{"servers": {"x": {"command": "x"}}}`, "b/y.code-workspace": `{"settings": {"mcp": {"servers": {"y": {"command": "y"}}}}}`,
		"c/.vscode/mcp.json": `{"servers": {"x": {"command": "x"}}}`, "c/y.code-workspace": `{"settings": {"mcp": {"servers": {"y": {"command": "y"}}}}}`, "c/.cursor/mcp.json": `{"mcpServers": {"x": {"command": "x"}}}`,
		"d/.mcp.json": oneServer, "d/.github/mcp.json": oneServer,
	})
	groups := instep.Projects(repo, format.Known())
	assert.Equal(t, "/: .cursor/mcp.json, .mcp.json, .roo/mcp.json\n"+
		"  time as in .mcp.json\n    .cursor/mcp.json: missing\n    .roo/mcp.json: in step\n"+
		"/c: c/.cursor/mcp.json, c/.vscode/mcp.json, c/y.code-workspace\n"+
		"  x as in c/.cursor/mcp.json\n    c/.vscode/mcp.json: in step\n    c/y.code-workspace: in step\n"+
		"  y as in c/y.code-workspace\n    c/.cursor/mcp.json: missing\n    c/.vscode/mcp.json: in step\n", gridOf(groups))
	assert.True(t, groups[0].IsOfProject)
	assert.Equal(t, "Cursor", groups[0].Files[0].Client.Title)
	assert.Same(t, groups[0], groups[0].Files[0].Group)
	assert.Empty(t, repo.Groups, "no rule sees them")
}

// TestManyFilesOfAProject: of files beyond the 64th only the paths are there.
func TestManyFilesOfAProject(t *testing.T) {
	files := map[string]string{}
	for i := range 66 {
		files[fmt.Sprintf(".continue/mcpServers/s%02d.yaml", i)] = fmt.Sprintf("mcpServers:\n  - {name: s%02d, command: c%02d}\n", i, i)
	}
	files[".mcp.json"] = oneServer
	groups := instep.Projects(read(t, files), format.Known())
	require.Len(t, groups, 1)
	assert.Len(t, groups[0].Files, 67)
	assert.Len(t, groups[0].Rows, 64)
}
