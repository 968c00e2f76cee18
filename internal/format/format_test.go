package format

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

func TestAllIsSortedAndWhole(t *testing.T) {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
		assert.NotEmpty(t, f.Paths, f.Name)
		assert.NotEmpty(t, f.Scope, f.Name)
		if f.Unopened {
			continue
		}
		assert.NotNil(t, f.Parse, f.Name)
		assert.NotNil(t, f.Read, f.Name)
		if !f.Dedicated {
			assert.NotEmpty(t, f.Keys, "%s may be about anything and needs words to look for", f.Name)
		}
	}
	assert.True(t, slices.IsSorted(names), "sort All by name: %v", names)
	assert.Equal(t, len(names), len(slices.Compact(slices.Clone(names))), "two formats of one name")
}

// TestClientsFitFormats compares the table of clients with the formats that are read.
func TestClientsFitFormats(t *testing.T) {
	known := map[string]bool{}
	for _, f := range All() {
		known[f.Name] = true
	}
	var ids []string
	for _, c := range mcp.Clients() {
		ids = append(ids, c.ID)
		assert.Same(t, c, mcp.ClientByID(c.ID))
		assert.NotEmpty(t, c.Title, c.ID)
		assert.NotEmpty(t, c.Source, "%s: facts need a source", c.ID)
		assert.NotEmpty(t, c.Files, c.ID)
		for _, r := range c.Files {
			assert.True(t, known[r.Format], "%s reads the unknown format %s", c.ID, r.Format)
			assert.Contains(t, append(mcp.Readers(r.Format), mcp.ReadersBeside(r.Format)...), c)
			for _, root := range r.Roots {
				assert.True(t, c.Reads(r.Format, root))
			}
			assert.Equal(t, r.Bare, c.Reads(r.Format, ""))
		}
		for _, name := range c.LoadedTogether {
			assert.NotNil(t, c.Reading(name), "%s loads %s without reading it", c.ID, name)
		}
	}
	assert.True(t, slices.IsSorted(ids), "sort the clients by ID: %v", ids)
	assert.Nil(t, mcp.ClientByID("unknown"))
}

func TestEveryPathFindsItsFormat(t *testing.T) {
	ix := NewIndex(All())
	for _, f := range All() {
		for _, pattern := range slices.Concat(f.Paths, f.Home) {
			path := strings.ReplaceAll(pattern, "*", "some")
			for _, dir := range []string{"", "apps/web", "Ünïcode/İ"} {
				for _, name := range []string{path, strings.ToUpper(path)} {
					full := strings.TrimPrefix(dir+"/"+name, "/")
					m, ok := ix.Lookup(full)
					require.True(t, ok, full)
					assert.Equal(t, f.Name, m.Format.Name, full)
					assert.Equal(t, slices.Contains(f.Home, pattern), m.Home, full)
					if f != antigravityPlugin {
						assert.Equal(t, dir, m.Dir, full)
					}
				}
			}
		}
	}
}

func TestLookup(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct{ path, format, dir string }{
		{".mcp.json", "claude-code", ""},
		{"a/.vscode/mcp.json", "vscode", "a"},
		{"a/.cursor/mcp.json", "cursor", "a"},
		{"a/b/mcp.json", "generic", "a/b"},
		{"mcp.json", "generic", ""},
		{".idx/mcp.json", "firebase-studio", ""},
		{"a/.junie/mcp/mcp.json", "junie", "a"},
		{"a/.kilocode/mcp.json", "kilo-legacy", "a"},
		{"mcp/mcp.json", "generic", "mcp"},
		{".mcp/mcp.json", "generic", ""},
		{"a/.claude/.mcp.json", "claude-legacy", "a"},
		{"a/.claude/settings.local.json", "claude-settings", "a"},
		{"x/.gemini/extensions/maps/gemini-extension.json", "gemini-extension", "x"},
		{"x/gemini-extension.json", "gemini-extension", "x"},
		{"x/My Work.code-workspace", "vscode-workspace", "x"},
		{"home/.codeium/windsurf/mcp_config.json", "windsurf", "home"},
		{".agents/mcp_config.json", "antigravity", ""},
		{"dot_cursor/private_mcp.json", "cursor", ""},
		{"home/private_dot_config/exact_opencode/private_readonly_opencode.json", "opencode", "home"},
		{"dot_codex/private_work.config.toml", "codex", ""},
		{"dot_config/zed/settings.json", "zed", ""},
		{"private_mcp.json", "generic", ""},
		{"polkadot_client/.cursor/mcp.json", "cursor", "polkadot_client"},
		{"a/.unknown/mcp/mcp.json", "generic", "a"},
		{"a/.codex/config.toml", "codex", "a"},
		{"a/config.toml", "openhands", "a"},
		{"x/.devcontainer/py/devcontainer.json", "devcontainer", "x"},
		{"etc/private_claude_desktop_config.json", "claude-desktop", "etc"},
		{".mcp.json.example", "claude-code", ""},
		{"a/.codex/config.toml.sample", "codex", "a"},
		{".goose/config.yaml.example", "goose", ""},
		{"dot_cursor/mcp.json.tmpl", "cursor", ""},
		{"mcp.json.example", "generic", ""},
		{"mcp.json.bak", "generic", ""},
		{".continue/mcpServers/mcp.json", "continue-json", ""},
		{".continue/mcpServers/mcp.yaml", "continue", ""},
		{"a/plugins/notes/mcp_config.json", "antigravity-plugin", "a/plugins/notes"},
		{"a/.zcode/config.json", "zcode", "a"},
		{".mcp.example.json", "claude-code", ""},
		{"team.mcp.json", "generic", ""},
		{"plugins/x/.claude-plugin/plugin.json", "claude-plugin", "plugins/x"},
	} {
		m, ok := ix.Lookup(test.path)
		if assert.True(t, ok, test.path) {
			assert.Equal(t, test.format, m.Format.Name, test.path)
			assert.Equal(t, test.dir, m.Dir, test.path)
		}
	}
	for _, path := range []string{
		"", "/", "package.json", "a/settings.json", "vscode/settings.json", "plugin.json", ".code-workspace",
		"mcp.json/readme", "amcp.json", "mcp.jso", "a.md", ".claude/agents.md", "x.yaml", ".gemini/extensions/gemini-extension.js",
	} {
		_, ok := ix.Lookup(path)
		assert.False(t, ok, path)
	}
}

// TestHomes checks how files in a home directory are found: by where they are, and by the names
// that chezmoi gives them.
func TestHomes(t *testing.T) {
	ix := NewIndex(All())
	for path, home := range map[string]bool{
		"opencode.json":                       false,
		".config/opencode/opencode.json":      true,
		"nix/.config/zed/settings.json":       true,
		".zed/settings.json":                  false,
		".codex/config.toml":                  false,
		".codex/work.config.toml":             true,
		"dot_codex/config.toml":               true,
		"private_dot_cursor/mcp.json":         true,
		"dot_claude/readonly_mcp.json":        true,
		"private_notes/.cursor/mcp.json":      false, // a directory may be called so
		"dot_codex/encrypted_config.toml":     false, // no file that can be read
		".agents/mcp_config.json":             false,
		".gemini/antigravity/mcp_config.json": true,
	} {
		m, known := ix.Lookup(path)
		if assert.Equal(t, !strings.Contains(path, "encrypted"), known, path) {
			assert.Equal(t, home, m.Home, path)
		}
	}
}

// TestSampleNames checks the names that mark a file as one to fill in.
func TestSampleNames(t *testing.T) {
	ix := NewIndex(All())
	for path, want := range map[string]bool{
		".mcp.json": false, ".mcp.json.example": true, ".codex/config.toml.sample": true, "opencode.json.dist": true,
		"mcp.json.example": true, "tools-mcp.json.TMPL": true, ".mcp.json.bak": false, "mcp-tap.lock.example": false,
	} {
		m, _ := ix.Lookup(path)
		assert.Equal(t, want, m.Sample, path)
	}
}

func TestNamedAndFollow(t *testing.T) {
	ix := NewIndex(All())
	assert.Equal(t, "cursor", ix.Named("a/.cursor/mcp.json").Format.Name)
	assert.Equal(t, "generic-yaml", ix.Named("a/whatever.YML").Format.Name)
	assert.Equal(t, "generic-toml", ix.Named("a/whatever.toml").Format.Name)
	named := ix.Named("a/whatever.json")
	assert.Equal(t, "generic", named.Format.Name)
	assert.Equal(t, "a", named.Dir)

	manifest, _ := ix.Lookup("plugins/notes/.claude-plugin/plugin.json")
	linked, ok := ix.Follow(manifest, mcp.Link{Path: "plugins/notes/config/servers.json"})
	assert.True(t, ok)
	assert.Equal(t, "claude-plugin", linked.Format.Name)
	assert.Equal(t, "plugins/notes", linked.Dir)
	_, ok = ix.Follow(manifest, mcp.Link{Path: "plugins/notes/server.mcpb"})
	assert.False(t, ok)
}

func TestRoleOf(t *testing.T) {
	for path, want := range map[string]mcp.Role{
		".mcp.json":                          mcp.InUse,
		"my-test-app/.mcp.json":              mcp.InUse,
		"testing-tools/.vscode/mcp.json":     mcp.InUse,
		"packages/template-engine/.mcp.json": mcp.InUse,
		"contest/.mcp.json":                  mcp.InUse,
		"protest.mcp.json":                   mcp.InUse,
		"specs/.mcp.json":                    mcp.InUse,
		".kiro/settings/mcp.json":            mcp.InUse,
		"plugins/docsearch/.mcp.json":        mcp.InUse,

		"examples/basic/.mcp.json":                    mcp.Example,
		"plugins/example-plugin/.mcp.json":            mcp.Example,
		"Samples/x/.vscode/mcp.json":                  mcp.Example,
		"create-app/templates/react/.cursor/mcp.json": mcp.Example,
		"{{cookiecutter.name}}/.mcp.json":             mcp.Example,
		"docs/.mcp.json":                              mcp.Example,
		"docs/archive/claude_desktop_config.json":     mcp.Aside,
		"_backup/.mcp.json":                           mcp.Aside,
		".mcp.example.json":                           mcp.Example,
		"mcp.json.sample":                             mcp.Example,
		"config/.mcp-servers.example.json":            mcp.Example,
		"claude_desktop_config.template.json":         mcp.Example,
		"mcp-config-sample.json":                      mcp.Example,
		".mcp.json.bak":                               mcp.Aside,

		"tests/fixtures/mcp-config-sample.json":        mcp.Fixture,
		".harness-disabled/repo/.claude/settings.json": mcp.Aside,
		"docs/logs/.trash/opencode.json":               mcp.Aside,
		"tests/backup/.mcp.json":                       mcp.Fixture,
		"backup/examples/.mcp.json":                    mcp.Aside,
		"disabled-users/.mcp.json":                     mcp.InUse,
		"db-backup/.mcp.json":                          mcp.InUse,
		"manual-testing-sandbox/.mcp.json":             mcp.Example,
		"testdata/.mcp.json":                           mcp.Fixture,
		"src/__tests__/fixtures/a/mcp.json":            mcp.Fixture,
		"src/Tools.Tests/.vscode/mcp.json":             mcp.Fixture,
		"src/test/resources/.mcp.json":                 mcp.Fixture,
		"examples/tests/.mcp.json":                     mcp.Fixture,
		"packages/core/__fixtures__/.cursor/mcp.json":  mcp.Fixture,
	} {
		assert.Equal(t, want, RoleOf(path), path)
	}
	for _, dir := range []string{
		"test", "tests", "testing", "testdata", "test-data", "test_data", "test-resources",
		"fixture", "fixtures", "test-fixtures", "test_fixtures", "testfixtures", "mock", "mocks", "spec", "e2e", "snapshots",
	} {
		assert.Equal(t, mcp.Fixture, RoleOf("a/"+dir+"/.mcp.json"), dir)
	}
}

// TestFormatsAreWhereTheirNamesSay checks that a format can be found: it is a row of the table of
// plain ones, or a package variable in the file of its name that All knows.
func TestFormatsAreWhereTheirNamesSay(t *testing.T) {
	rows := map[string]bool{}
	for _, f := range plain {
		rows[f.Name] = true
	}
	for _, f := range All() {
		file := strings.ReplaceAll(f.Name, "-", "_") + ".go"
		source, err := os.ReadFile(file)
		if rows[f.Name] {
			assert.Error(t, err, "%s is a row of plain.go and has a file, too", f.Name)
			continue
		}
		require.NoError(t, err)
		assert.Regexp(t, regexp.MustCompile(`(?m)^var \w+ = (&shape\.Format\{|agentFile\()`), string(source), file)
		assert.Contains(t, string(source), `"`+f.Name+`"`, file)
	}
	assert.True(t, slices.IsSortedFunc(plain, func(a, b *shape.Format) int { return strings.Compare(a.Name, b.Name) }), "sort the rows by name")
}

// TestThereIsOneOfEachFormat checks what comparisons of pointers rely on.
func TestThereIsOneOfEachFormat(t *testing.T) {
	first, second := All(), All()
	for i := range first {
		assert.Same(t, first[i], second[i])
	}
	first[0] = nil
	assert.NotNil(t, All()[0], "the list is a copy")
}
