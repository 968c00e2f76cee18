package lint

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestBaselineHoldsNoCredential checks that a baseline does not hide a credential, not even a
// baseline of an older version that lists it: its entry cannot tell that credential from the next
// one at the same place.
func TestBaselineHoldsNoCredential(t *testing.T) {
	lint := func(token string, baseline *policy.Baseline) *Result {
		server := fmt.Sprintf(`{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "@acme/mcp"], "env": {"GITHUB_TOKEN": %q}}}}`, token)
		files := source.Memory(map[string]string{"a/.mcp.json": server, "b/.mcp.json": server})
		result, err := Run(t.Context(), Options{Source: files, Baseline: baseline})
		require.NoError(t, err)
		return result
	}
	parse := func(content []byte) *policy.Baseline {
		baseline, err := policy.ParseBaseline("baseline.json", "baseline.json", content)
		require.NoError(t, err)
		return baseline
	}
	old := "ghp_" + strings.Repeat("a1B2c3", 6)
	before := lint(old, nil)
	require.Len(t, secrets(before), 1, "joined")
	content, _ := policy.NewBaseline(before.Unmerged, nil, nil)
	assert.NotContains(t, string(content), "hardcoded-secret")
	assert.Contains(t, string(content), "unpinned-package")

	listed := fmt.Appendf(nil, `{"version": 1, "findings": [{"rule": "hardcoded-secret", "fingerprint": %q, "count": 1}]}`, before.Unmerged[0].Fingerprint(&secret.Spans{}))
	for _, token := range []string{old, "ghp_" + strings.Repeat("z9Y8x7", 6)} {
		for _, baseline := range [][]byte{content, listed} {
			found := secrets(lint(token, parse(baseline)))
			require.Len(t, found, 1)
			assert.Equal(t, "a/.mcp.json", found[0].File.Path)
			assert.Len(t, found[0].Related, 1)
		}
	}
	assert.Len(t, lint(old, parse(content)).Findings, 1, "all else is known")
}

// TestBaselineIsDeterministic checks that the same tree gives the same bytes, and an empty one a
// baseline without entries.
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

func secrets(r *Result) []rule.Finding {
	var found []rule.Finding
	for _, f := range r.Findings {
		if f.Rule.ID == "hardcoded-secret" {
			found = append(found, f)
		}
	}
	return found
}
