package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
)

func TestBaselineMistakes(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "b.json:1:1: not valid JSON",
		`[]`:                             "b.json:1:1: not a baseline of version 1",
		`{"version": 2, "findings": []}`: "b.json:1:1: not a baseline of version 1",
		`{"version": 1}`:                 "b.json:1:1: not a baseline of version 1",
		"{\"version\": 1, \"findings\": [\n {\"count\": 1}]}":                                     "b.json:2:2: an entry wants a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\", \"count\": 0}]}":                "b.json:1:29: an entry wants a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\"}, 7]}":                           "b.json:1:29: an entry wants a fingerprint",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": 3, \"count\": 1}]}":                    "b.json:1:29: an entry wants a fingerprint",
		"{\"version\": 1,\n<<<<<<< main\n\"findings\": []}":                                       "b.json:2:1: not valid JSON: unresolved merge conflict marker",
		"{\"version\": 1, \"findings\": [{\"fingerprint\": \"a\", \"count\": 1}, {\"count\":1}]}": "b.json:1:63: an entry wants a fingerprint",
	} {
		_, err := parseBaseline("b.json", []byte(text))
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want, text)
		}
	}
}

// TestBaselineMerged holds that an entry which two branches have added, so that
// a merge has kept both, counts twice.
func TestBaselineMerged(t *testing.T) {
	b, err := parseBaseline("b.json", []byte(`{"version": 1, "findings": [{"fingerprint": "a", "count": 1}, {"fingerprint": "a", "count": 2}]}`))
	require.NoError(t, err)
	require.Len(t, b.entries, 1)
	assert.Equal(t, 3, b.entries[0].Count)
}

// TestBaselineOfJoinedFindings holds that a credential in a further file is
// new, although a report joins it with those that were there.
func TestBaselineOfJoinedFindings(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3", 6)
	dir := t.TempDir()
	server := func(path string) {
		put(t, dir, path, fmt.Sprintf(`{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "@acme/mcp@1.0.0"], "env": {"GITHUB_TOKEN": %q}}}}`, token))
	}
	server("a/.mcp.json")
	server("b/.mcp.json")
	result, err := Run(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	require.Len(t, secrets(result), 1, "joined")
	content, count := result.NewBaseline()
	assert.Equal(t, 2, count)
	assert.NotContains(t, string(content), token)
	put(t, dir, "baseline.json", string(content))

	known := Options{Dir: dir, Baseline: "baseline.json"}
	result, err = Run(t.Context(), known)
	require.NoError(t, err)
	assert.Empty(t, result.Findings)
	assert.Equal(t, 2, result.Suppressed)

	server("c/.mcp.json")
	result, err = Run(t.Context(), known)
	require.NoError(t, err)
	if found := secrets(result); assert.Len(t, found, 1) {
		assert.Equal(t, "c/.mcp.json", found[0].File.Path)
	}
}

// TestBaselineIsDeterministic holds that the same tree gives the same bytes,
// and an empty one a baseline without entries.
func TestBaselineIsDeterministic(t *testing.T) {
	demo := filepath.Join("..", "..", "testdata", "demo")
	dir, err := filepath.Abs(demo)
	require.NoError(t, err)
	var first string
	for range 3 {
		result, err := Run(t.Context(), Options{Dir: dir})
		require.NoError(t, err)
		content, count := result.NewBaseline()
		require.NotZero(t, count)
		if first == "" {
			first = string(content)
		}
		assert.Equal(t, first, string(content))
	}
	result, err := Run(t.Context(), Options{Dir: t.TempDir()})
	require.NoError(t, err)
	content, count := result.NewBaseline()
	assert.Zero(t, count)
	assert.Equal(t, "{\n  \"version\": 1,\n  \"findings\": []\n}\n", string(content))
}

func secrets(r *Result) []checks.Finding {
	var found []checks.Finding
	for _, f := range r.Findings {
		if f.Check.ID == "hardcoded-secret" {
			found = append(found, f)
		}
	}
	return found
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}
