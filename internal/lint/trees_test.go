package lint

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestEveryTreeIsLintedAlike lints the demo on disk, as a revision, as edits over nothing,
// and from memory.
func TestEveryTreeIsLintedAlike(t *testing.T) {
	demo, err := filepath.Abs(filepath.Join("..", "..", "testdata", "demo"))
	require.NoError(t, err)
	texts, edits := map[string]string{}, map[string][]byte{}
	require.NoError(t, filepath.WalkDir(demo, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		name, _ := filepath.Rel(demo, file)
		texts[filepath.ToSlash(name)], edits[filepath.ToSlash(name)] = string(content), content
		return err
	}))
	trees := map[string]source.Tree{
		"disk": source.Disk(demo, source.Git{}), "memory": source.Memory(texts),
		"edits": source.Overlay(source.Memory(nil), edits), "revision": committed(t, texts),
	}
	want := findings(t, Options{Source: trees["memory"]})
	require.Greater(t, len(want), 20)
	for name, tree := range trees {
		assert.Equal(t, want, findings(t, Options{Source: tree}), name)
	}
}

// TestEditsAreLinted checks that a run sees what an edit changes, adds and deletes, and that the
// tree below stays as it is.
func TestEditsAreLinted(t *testing.T) {
	const broken, whole = `{"mcpServers": {`, `{"mcpServers": {}}`
	below := source.Memory(map[string]string{"a/.mcp.json": broken, "b/.mcp.json": broken, "c/.mcp.json": whole})
	edited := source.Overlay(below, map[string][]byte{"a/.mcp.json": []byte(whole), "b/.mcp.json": nil, "d/.mcp.json": []byte(broken)})
	assert.Equal(t, []string{"d/.mcp.json syntax-error"}, findings(t, Options{Source: edited}))
	assert.Equal(t, []string{"a/.mcp.json syntax-error", "b/.mcp.json syntax-error"}, findings(t, Options{Source: below}))
}

// TestLinkedDirectory checks that a client that loads no servers of a directory reports nothing
// about files that are kept elsewhere, and only linked into it.
func TestLinkedDirectory(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".agents"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".agents", "mcp.json"), []byte(`{"mcpServers": {"db": {"command": "node", "args": ["db.js"]}}}`), 0o600))
	require.NoError(t, os.Symlink(".agents", filepath.Join(dir, ".claude")))
	assert.Empty(t, findings(t, Options{Source: source.Disk(dir, source.Git{})}))
	require.NoError(t, os.Remove(filepath.Join(dir, ".claude")))
	require.NoError(t, os.Rename(filepath.Join(dir, ".agents"), filepath.Join(dir, ".claude")))
	assert.Equal(t, []string{".claude/mcp.json unread-file"}, findings(t, Options{Source: source.Disk(dir, source.Git{})}))
}

// TestTargets checks that only what was named is checked, without what the settings exclude unless
// it was named itself.
func TestTargets(t *testing.T) {
	files := map[string]string{}
	for _, path := range []string{"a/.mcp.json", "a/b/.mcp.json", "c/.mcp.json", "other.txt"} {
		files[path] = `{"mcpServers": {`
	}
	for _, test := range []struct {
		targets, want []string
	}{
		{nil, []string{"a/.mcp.json", "a/b/.mcp.json"}},
		{[]string{"a/b"}, []string{"a/b/.mcp.json"}},
		{[]string{"c"}, []string{"c/.mcp.json"}},
		{[]string{"a", "a/b"}, []string{"a/.mcp.json", "a/b/.mcp.json"}},
		{[]string{"a/b/.mcp.json", "c/.mcp.json"}, []string{"a/b/.mcp.json", "c/.mcp.json"}},
		{[]string{"gone.json"}, nil},
	} {
		var want []string
		for _, path := range test.want {
			want = append(want, path+" syntax-error")
		}
		o := Options{Source: source.Memory(files), Targets: test.targets, Settings: &policy.Settings{Exclude: []string{"c"}}}
		assert.Equal(t, want, findings(t, o), "%q", test.targets)
	}
}

// TestNamedFilesAreReadByContent checks that a named file gives its servers in any supported syntax
// if the format of its path finds nothing in it, and that this never mistakes another program's
// file for a configuration.
func TestNamedFilesAreReadByContent(t *testing.T) {
	recipe := "version: 1.0.0\ntitle: News\ndescription: What is new\nprompt: Read the news\n" +
		"extensions:\n  - {type: stdio, name: clock, cmd: uvx, args: [mcp-server-time]}\n"
	for path, test := range map[string]struct{ text, want string }{
		"config.toml":               {"[mcp_servers.clock]\ncommand = 'uvx'\nargs = ['mcp-server-time']\n", "generic-toml clock"},
		"odd.toml":                  {"[mcp]\nstdio_servers = [{name = 'clock', command = 'uvx'}]\n", "openhands clock"},
		"config.yaml":               {"mcp_servers: {clock: {command: uvx, args: [mcp-server-time]}}\n", "generic-yaml clock"},
		"agent.yml":                 {"mcpServers: {clock: {command: uvx, args: [mcp-server-time]}}\n", "generic-yaml clock"},
		".agents/recipes/news.yaml": {recipe, "goose-recipe clock"},
		"news.yaml":                 {recipe, "goose-recipe clock"},
		"goose/config.yaml":         {"extensions: {clock: {type: stdio, cmd: uvx, args: [mcp-server-time]}}\n", "goose clock"},
		"firebender.json":           {`{"servers": {"clock": {"command": "uvx", "args": ["mcp-server-time"]}}}`, "generic clock"},
		// Other programs have extensions, and files of these names.
		"wiki/config.yaml": {"extensions: {clock: {url: 'https://wiki.example.org/clock'}}\n", ""},
		"recipe.yaml":      {"title: Soup\nextensions: [{name: bread, url: 'https://bread.example.org'}]\n", ""},
		"agent.yaml":       {"name: a\n", ""},
		"zed/config.toml":  {"[editor]\ntabs = 2\n", ""},
		// A broken one counts only if its text shows that it is a configuration.
		"sub/config.toml": {"[editor\n", ""},
	} {
		result, err := Run(t.Context(), Options{Source: source.Memory(map[string]string{path: test.text}), Targets: []string{path}})
		require.NoError(t, err, path)
		assert.Empty(t, result.Errors, path)
		got := ""
		for _, p := range result.Repo.Projects {
			for _, doc := range p.Documents {
				for _, s := range doc.Servers {
					got += doc.Format + " " + s.Name
				}
			}
		}
		assert.Equal(t, test.want, got, path)
	}
}

// findings lints and returns the findings as "path rule".
func findings(t *testing.T, o Options) []string {
	t.Helper()
	result, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	var all []string
	for _, f := range result.Findings {
		all = append(all, fmt.Sprintf("%s %s", f.File.Path, f.Rule.ID))
	}
	return all
}

// committed returns the revision of a new repository that holds the files.
func committed(t *testing.T, texts map[string]string) source.Tree {
	t.Helper()
	program, err := exec.LookPath("git")
	require.NoError(t, err)
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	for _, args := range []string{"init -q", "add -A -f", "-c user.name=t -c user.email=t@example.com commit -q -m all"} {
		cmd := exec.Command(program, strings.Fields(args)...)
		cmd.Dir, cmd.Env = dir, environ
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	tree, err := source.Revision(t.Context(), dir, "HEAD", source.Git{Program: program, Environ: environ})
	require.NoError(t, err)
	t.Cleanup(tree.Close)
	return tree
}
