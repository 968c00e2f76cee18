package lint

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestBaselineOfJoinedFindings holds that a credential in a further file is
// new, although a report joins it with those that were there.
func TestBaselineOfJoinedFindings(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3", 6)
	files := map[string]string{}
	server := func(path string) {
		files[path] = fmt.Sprintf(`{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "@acme/mcp@1.0.0"], "env": {"GITHUB_TOKEN": %q}}}}`, token)
	}
	server("a/.mcp.json")
	server("b/.mcp.json")
	result, err := Run(t.Context(), Options{Source: source.Memory(files)})
	require.NoError(t, err)
	require.Len(t, secrets(result), 1, "joined")
	assert.Len(t, result.Unmerged, 2)
	content, _ := policy.NewBaseline(result.Unmerged, nil, nil)
	assert.NotContains(t, string(content), token)

	known := Options{Source: source.Memory(files)}
	known.Baseline, err = policy.ParseBaseline("baseline.json", "baseline.json", content)
	require.NoError(t, err)
	for range 2 { // what a baseline has hidden once it hides again
		result, err = Run(t.Context(), known)
		require.NoError(t, err)
		assert.Empty(t, result.Findings)
		assert.Equal(t, 2, result.Suppressed)
	}

	server("c/.mcp.json")
	known.Source = source.Memory(files)
	result, err = Run(t.Context(), known)
	require.NoError(t, err)
	if found := secrets(result); assert.Len(t, found, 1) {
		assert.Equal(t, "c/.mcp.json", found[0].File.Path)
	}
}

// TestBaselineIsDeterministic holds that the same tree gives the same bytes,
// and an empty one a baseline without entries.
func TestBaselineIsDeterministic(t *testing.T) {
	demo, err := filepath.Abs(filepath.Join("..", "..", "testdata", "demo"))
	require.NoError(t, err)
	var first string
	for range 3 {
		result, err := Run(t.Context(), Options{Source: source.Disk(demo, source.Git{})})
		require.NoError(t, err)
		require.NotEmpty(t, result.Unmerged)
		written, _ := policy.NewBaseline(result.Unmerged, nil, nil)
		content := string(written)
		if first == "" {
			first = content
		}
		assert.Equal(t, first, content)
	}
	empty, _ := policy.NewBaseline(nil, nil, nil)
	assert.Equal(t, "{\n  \"version\": 1,\n  \"findings\": []\n}\n", string(empty))
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
