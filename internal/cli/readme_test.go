package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
)

// TestReadmeShowsRealOutput holds the README's text blocks to what the program
// prints for the demo.
func TestReadmeShowsRealOutput(t *testing.T) {
	root := moduleRoot(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	code, out, _ := run(t, root, "check", "testdata/demo")
	require.Equal(t, 1, code)

	blocks := strings.Split(string(readme), "\n```text\n")[1:]
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		shown, _, _ := strings.Cut(block, "\n```")
		assert.Contains(t, out, shown)
	}
}

// TestDemoShowsEveryRule holds the demo to having a finding of every kind, and
// this repository to being clean.
func TestDemoShowsEveryRule(t *testing.T) {
	root := moduleRoot(t)
	_, out, _ := run(t, root, "check", "testdata/demo", "--format", "json")
	var report struct{ Findings []struct{ Rule string } }
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	for _, c := range checks.All() {
		assert.True(t, slices.ContainsFunc(report.Findings, func(f struct{ Rule string }) bool { return f.Rule == c.ID }), "the demo has no %s", c.ID)
	}

	code, out, _ := run(t, root, "check")
	assert.Equal(t, 0, code, out)
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return root
}
