package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blocks returns the fenced blocks of a page that are in one language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(page)))
	require.NoError(t, err)
	var found []string
	for _, part := range strings.Split(string(content), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		found = append(found, block+"\n")
	}
	require.NotEmpty(t, found, "%s has no %s", page, language)
	return found
}

// rulesFound returns the rules that find something in a directory.
func rulesFound(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	_, out, stderr := run(t, dir, append([]string{"check", "--format", "json"}, args...)...)
	require.Empty(t, stderr)
	var report struct{ Findings []struct{ Rule string } }
	require.NoError(t, json.Unmarshal([]byte(out), &report), out)
	var rules []string
	for _, f := range report.Findings {
		rules = append(rules, f.Rule)
	}
	return rules
}

// TestThreatModelIsHeld checks that every row of the table in the threat model names its
// proof: tests, by package and function, and files of testdata, all of which exist.
func TestThreatModelIsHeld(t *testing.T) {
	root := moduleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "threat-model.md"))
	require.NoError(t, err)
	tests := testsOf(t, root)
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "| entry" {
			continue
		}
		rows++
		require.Len(t, cells, 4, line)
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1)
		assert.NotEmpty(t, names, "nothing holds %s", cells[0])
		for _, name := range names {
			if !strings.HasPrefix(name[1], "testdata/") {
				assert.True(t, tests[name[1]], "there is no test %s, which is to hold %s", name[1], cells[0])
				continue
			}
			assert.FileExists(t, filepath.Join(root, filepath.FromSlash(name[1])), cells[0])
		}
	}
	assert.Greater(t, rows, 20)
}

// testsOf returns the tests of the module, as "package.TestName".
func testsOf(t *testing.T, root string) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, top := range []string{"internal", "checks", "report"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			for _, found := range declaration.FindAllSubmatch(content, -1) {
				tests[filepath.Base(filepath.Dir(path))+"."+string(found[1])] = true
			}
			return err
		}))
	}
	return tests
}

// TestDocumentedIgnoresHide checks that the examples of ignores hide what they name, and that
// each hides something: mcplumb would report an ignore that hides nothing.
func TestDocumentedIgnoresHide(t *testing.T) {
	const twins = `{"mcpServers": {
  "postgres": {"command": "npx", "args": ["-y", "@example/postgres-mcp@1.2.0"]},
  "postgres-staging": {"command": "npx", "args": ["-y", "@example/postgres-mcp@1.2.0"]}}}`
	for name, files := range map[string]map[string]string{
		"docs/settings.md, the settings": {
			".mcplumb.yaml": blocks(t, "docs/settings.md", "yaml")[0], "services/api/.mcp.json": twins,
			"ci/known.json": `{"version": 1, "findings": []}`, ".github/managed-settings.json": `{"deniedMcpServers": []}`, ".mcp.json": `{"mcpServers": {}}`,
		},
		"docs/settings.md, JSON": {".vscode/mcp.json": blocks(t, "docs/settings.md", "jsonc")[0]},
		"docs/settings.md, TOML": {".codex/config.toml": blocks(t, "docs/settings.md", "toml")[0]},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, content := range files {
				write(t, dir, path, content)
			}
			assert.Empty(t, rulesFound(t, dir))
			shown := rulesFound(t, dir, "--no-ignore")
			assert.Contains(t, shown, "duplicate-server")
			assert.Equal(t, strings.Contains(name, "JSON"), slices.Contains(shown, "insecure-url"))
		})
	}
}

// TestDocumentedPreset checks that the example of Renovate's settings names a preset that
// exists, and that the rules next to it match what the preset finds.
func TestDocumentedPreset(t *testing.T) {
	settings := blocks(t, "docs/updates.md", "json renovate.json")[0]
	name := regexp.MustCompile(`github>mcplumb/mcplumb//([\w/]+)"`).FindStringSubmatch(settings)
	require.NotNil(t, name)
	preset, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(name[1])+".json"))
	require.NoError(t, err)
	for _, block := range blocks(t, "docs/updates.md", "json") {
		var rules struct {
			PackageRules []struct{ MatchDepTypes []string }
		}
		require.NoError(t, json.Unmarshal([]byte(block), &rules))
		for _, r := range rules.PackageRules {
			assert.Contains(t, string(preset), `"depTypeTemplate": "`+r.MatchDepTypes[0]+`"`)
		}
	}
}
