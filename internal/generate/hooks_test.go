package main

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/installed"
)

// hook is what pre-commit reads of .pre-commit-hooks.yaml.
type hook struct {
	ID            string
	Entry         string
	Language      string
	Files         string
	PassFilenames *bool `yaml:"pass_filenames"`
	RequireSerial bool  `yaml:"require_serial"`
}

func readHooks(t *testing.T) []hook {
	t.Helper()
	content, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	var hooks []hook
	require.NoError(t, yaml.Unmarshal(content, &hooks))
	return hooks
}

// TestHooksCheckEverythingAtOnce: rules compare files with each other, so a hook
// must not be handed a part of them.
func TestHooksCheckEverythingAtOnce(t *testing.T) {
	languages := map[string]string{}
	for _, h := range readHooks(t) {
		languages[h.ID] = h.Language
		require.NotNil(t, h.PassFilenames, h.ID)
		assert.False(t, *h.PassFilenames, h.ID)
		assert.True(t, h.RequireSerial, h.ID)
		assert.Contains(t, h.Entry, "check")
	}
	assert.Equal(t, map[string]string{"mcplumb": "golang", "mcplumb-fix": "golang", "mcplumb-go": "golang", "mcplumb-wheel": "python", "mcplumb-system": "system", "mcplumb-docker": "docker_image"}, languages)
}

// TestHookFilesAreWhatMcplumbReads holds the pattern of every hook to the table
// of formats both ways: each path that a format names, in other directories and
// letter cases, and each path that is nearly one.
func TestHookFilesAreWhatMcplumbReads(t *testing.T) {
	index := format.Known()
	random := rand.New(rand.NewPCG(1, 2))
	for _, h := range readHooks(t) {
		files := compileVerbose(t, h.Files)
		assert.True(t, files.MatchString(".mcplumb.yaml"), "a change of the settings is worth a run")
		for _, name := range installed.Files() {
			assert.True(t, files.MatchString("services/api/"+name), "a change of %s may bring a vulnerable server", name)
			assert.False(t, files.MatchString("my-"+name))
		}
		known, unknown := 0, 0
		for _, f := range format.All() {
			for _, path := range slices.Concat(f.Paths, f.Home) {
				for _, sample := range samples(random, path) {
					_, read := index.Lookup(sample)
					require.Equal(t, read, files.MatchString(sample), "%s, after %s of %s", sample, path, f.Name)
					if read {
						known++
					} else {
						unknown++
					}
				}
			}
		}
		for path, read := range map[string]bool{
			"dot_cursor/private_mcp.json": true, "home/private_dot_config/zed/readonly_settings.json": true, "private_claude_desktop_config.json": true,
			".codex/config.toml.sample": true, "apps/web/.vscode/mcp.json.EXAMPLE": true, "settings.json.sample": false, ".codex/sample": false,
		} {
			_, known := index.Lookup(path)
			require.Equal(t, read, known, path)
			assert.Equal(t, read, files.MatchString(path), path)
		}
		assert.Greater(t, known, 1000)
		assert.Greater(t, unknown, 1000)
	}
}

// compileVerbose compiles a pattern in verbose syntax, which ignores white space. Go's
// regular expressions have no flag for it.
func compileVerbose(t *testing.T, pattern string) *regexp.Regexp {
	t.Helper()
	pattern, ok := strings.CutPrefix(pattern, "(?ix)")
	require.True(t, ok)
	const blank = "\x00"
	pattern = strings.ReplaceAll(pattern, `\ `, blank)
	pattern = strings.Join(strings.Fields(pattern), "")
	return regexp.MustCompile("(?i)" + strings.ReplaceAll(pattern, blank, " "))
}

// samples returns paths that a pattern of a format matches, and paths that
// differ from those by one small change.
func samples(random *rand.Rand, pattern string) []string {
	exact := strings.ReplaceAll(strings.ReplaceAll(pattern, "**", "a/b"), "*", "x y")
	all := []string{exact, strings.ReplaceAll(strings.ReplaceAll(pattern, "**/", ""), "*", "x"), "services/api/" + exact, strings.ToUpper(exact), "my" + exact, exact + ".bak", "a" + strings.TrimPrefix(exact, ".")}
	for range 8 {
		at := random.IntN(len(exact))
		all = append(all, exact[:at]+exact[at+1:], exact[:at]+"/"+exact[at:], exact[:at]+"."+exact[at:])
	}
	return all
}
