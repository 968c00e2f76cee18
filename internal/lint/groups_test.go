package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// entries of servers in the syntax of most clients.
const (
	docsServer = `"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]}`
	wikiServer = `"wiki": {"command": "uvx", "args": ["wiki-mcp==2.1.0"]}`
)

// inStep lints files under settings and returns the findings of out-of-step and what was
// not checked.
func inStep(t *testing.T, settings string, o Options) (found, errors []string) {
	t.Helper()
	var err error
	o.Settings, err = policy.ParseSettings("s.yaml", "", []byte(settings))
	require.NoError(t, err)
	result, err := Run(t.Context(), o)
	require.NoError(t, err)
	for _, f := range result.Findings {
		if f.Rule == checks.OutOfStep {
			found = append(found, f.File.Path+" "+f.Text())
		}
	}
	for _, e := range result.Errors {
		errors = append(errors, e.Error())
	}
	return found, errors
}

// TestGroupProblems checks that each file of a group that cannot be compared is reported with its
// reason, and that an existing file is never mistaken for one to create.
func TestGroupProblems(t *testing.T) {
	const servers = `{"mcpServers": {` + docsServer + `}}`
	for _, c := range []struct {
		name, settings string
		files          map[string]string
		want           []string
	}{
		{"no client's file", "in-step: [{files: [.mcp.json, .vscode/mpc.json], source: .mcp.json}]", map[string]string{".mcp.json": servers},
			[]string{".vscode/mpc.json is in a group of in-step, but no known client reads servers there that mcplumb can write"}},
		{"a manifest", "in-step: [{files: [.mcp.json, .claude-plugin/plugin.json], source: .mcp.json}]",
			map[string]string{".mcp.json": servers, ".claude-plugin/plugin.json": `{"name": "x", "mcpServers": {}}`},
			[]string{".claude-plugin/plugin.json: is in a group of in-step, but no known client reads servers there that mcplumb can write"}},
		{"no source", "in-step: [{files: [.mcp.json], source: .vscode/mcp.json}]", map[string]string{".mcp.json": servers},
			[]string{".vscode/mcp.json is the source of a group of in-step, but does not exist"}},
		{"excluded", "exclude: [.vscode/**]\nin-step: [{files: [.vscode/mcp.json], source: .mcp.json}]", map[string]string{".mcp.json": servers, ".vscode/mcp.json": `{"servers": {}}`},
			[]string{".vscode/mcp.json: is in a group of in-step, but the settings exclude it"}},
		{"servers under a key of other clients", "in-step: [{files: [.mcp.json, .vscode/mcp.json], source: .mcp.json}]", map[string]string{".mcp.json": servers, ".vscode/mcp.json": `{"mcpServers": {` + wikiServer + `}}`},
			[]string{".vscode/mcp.json: is in a group of in-step, but VS Code does not look for servers at that place in it"}},
		{"an empty source", "in-step: [{files: [.mcp.json, .vscode/mcp.json], source: .mcp.json}]", map[string]string{".mcp.json": "\n", ".vscode/mcp.json": `{"servers": {}}`},
			[]string{".mcp.json: is the source of a group of in-step, but is empty"}},
		{"does not parse", "in-step: [{files: [.vscode/mcp.json], source: .mcp.json}]", map[string]string{".mcp.json": servers, ".vscode/mcp.json": `{"servers": {`}, nil},
		{"does not parse, and is not known for it", "in-step: [{files: [.gemini/settings.json], source: .mcp.json}]", map[string]string{".mcp.json": servers, ".gemini/settings.json": `{"theme": `},
			[]string{".gemini/settings.json: is in a group of in-step, but does not parse"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, errors := inStep(t, c.settings, Options{Source: source.Memory(c.files)})
			assert.Equal(t, c.want, errors)
			assert.Empty(t, found)
		})
	}
}

// TestEmptyFile misses every server in a file that holds nothing.
func TestEmptyFile(t *testing.T) {
	for _, empty := range []string{"", "\r\n\n"} {
		found, errors := inStep(t, "in-step: [{files: [.mcp.json, .vscode/mcp.json], source: .mcp.json}]",
			Options{Source: source.Memory(map[string]string{".mcp.json": `{"mcpServers": {` + docsServer + `}}`, ".vscode/mcp.json": empty})})
		assert.Empty(t, errors)
		assert.Equal(t, []string{`.vscode/mcp.json the server "docs" from .mcp.json is missing here: add it, or list "docs" under "except" in the settings`}, found)
	}
}

// TestNamedInVain checks that patterns of a group that match nothing are reported: a name may be
// mistyped.
func TestNamedInVain(t *testing.T) {
	settings, err := policy.ParseSettings("s.yaml", "", []byte("in-step: [{files: [.mcp.json, .vscode/mcp.json, '.nosuch/*.json'], except: [docs, wikis]}]"))
	require.NoError(t, err)
	files := map[string]string{".mcp.json": `{"mcpServers": {` + docsServer + `}}`, ".vscode/mcp.json": `{"servers": {}}`}
	result, err := Run(t.Context(), Options{Source: source.Memory(files), Settings: settings})
	require.NoError(t, err)
	assert.Empty(t, result.Errors)
	assert.Equal(t, []string{
		`in-step names the files ".nosuch/*.json", but none exist`,
		`in-step names the server "wikis", but none of its files has one`,
	}, result.Notices)
}

// TestGroupsOfAPart compares a named file with the others of its group, wherever they are,
// and reports only findings in the named file.
func TestGroupsOfAPart(t *testing.T) {
	files := map[string]string{
		"a/.mcp.json":        `{"mcpServers": {` + docsServer + `, ` + wikiServer + `}}`,
		"b/.cursor/mcp.json": `{"mcpServers": {` + docsServer + `}}`,
		"c/.roo/mcp.json":    `{"mcpServers": {` + docsServer + `}}`,
	}
	for _, settings := range []string{
		"in-step: [{files: [a/.mcp.json, b/.cursor/mcp.json, c/.roo/mcp.json], source: a/.mcp.json}]",
		"in-step: [{files: ['*/.*/mcp.json'], source: a/.mcp.json}]",
	} {
		for _, listed := range []bool{true, false} {
			o := Options{Source: source.Memory(files), Targets: []string{"b/.cursor/mcp.json"}, Listed: listed}
			found, errors := inStep(t, settings, o)
			assert.Empty(t, errors)
			assert.Equal(t, []string{`b/.cursor/mcp.json the server "wiki" from a/.mcp.json is missing here: add it, or list "wiki" under "except" in the settings`}, found, "%s, listed: %v", settings, listed)
		}
	}
}

// TestGroupsSince checks that a change of one file reports the differences from the others of its
// group, also in other projects, and no difference that the base already had.
func TestGroupsSince(t *testing.T) {
	const settings = "in-step: [{files: [a/.mcp.json, b/.cursor/mcp.json, c/.roo/mcp.json], source: a/.mcp.json}]"
	base := map[string]string{
		"a/.mcp.json":        `{"mcpServers": {` + docsServer + `}}`,
		"b/.cursor/mcp.json": `{"mcpServers": {` + docsServer + `}}`,
		"c/.roo/mcp.json":    `{"mcpServers": {}}`,
	}
	for _, c := range []struct {
		name string
		head map[string]string
		want []string
	}{
		{"nothing", base, nil},
		{"another server", with(base, "a/.mcp.json", `{"mcpServers": {`+docsServer+`, `+wikiServer+`}}`), []string{
			`b/.cursor/mcp.json the server "wiki" from a/.mcp.json is missing here: add it, or list "wiki" under "except" in the settings`, `c/.roo/mcp.json the server "wiki" from a/.mcp.json is missing here: add it, or list "wiki" under "except" in the settings`}},
		{"a file less", with(base, "b/.cursor/mcp.json", ""), []string{
			`a/.mcp.json b/.cursor/mcp.json is missing, but should contain "docs" as a/.mcp.json does: add the file, or remove it from "in-step" in the settings`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, errors := inStep(t, settings, Options{Source: source.Memory(c.head), Base: source.Memory(base)})
			assert.Empty(t, errors)
			assert.Equal(t, c.want, found)
		})
	}
}
