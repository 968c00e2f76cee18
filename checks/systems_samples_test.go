package checks_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestSamplesOfTools lints a repository as each tool leaves it, with the report
// that was checked by hand, and a clean one that is silent.
func TestSamplesOfTools(t *testing.T) {
	for _, system := range []string{"apm", "prompt-registry", "holodeck"} {
		dir := filepath.Join("..", "testdata", "systems", system)
		want, err := os.ReadFile(filepath.Join(dir, "want.txt"))
		require.NoError(t, err)
		assert.Equal(t, string(want), showAll(lintFiles(t, sampleFiles(t, filepath.Join(dir, "sample")))), system)
		assert.Equal(t, "", showAll(lintFiles(t, sampleFiles(t, filepath.Join(dir, "clean")))), system)
	}
}

// TestDamagedSamples puts every kind of value in the place of every value of
// the samples. The whole linter runs on each, and must neither stop nor panic;
// it turns a rule's panic into an error.
func TestDamagedSamples(t *testing.T) {
	for _, name := range []string{"prompt-registry", "holodeck"} {
		files := sampleFiles(t, filepath.Join("..", "testdata", "systems", name, "sample"))
		ix := format.NewIndex(format.All())
		for path, content := range files {
			m, ok := ix.Lookup(path)
			require.True(t, ok, path)
			tree, err := m.Format.Parse(syntax.NewFile(path, []byte(content)))
			require.NoError(t, err)
			dir := t.TempDir()
			for other, text := range files {
				putFile(t, dir, other, text)
			}
			for _, span := range valueSpans(tree.Root, nil) {
				for _, value := range []string{"null", "true", "1", `"x"`, "[]", "{}"} {
					putFile(t, dir, path, content[:span.Start]+value+content[span.End:])
					result, err := lint.Run(t.Context(), lint.Options{Dir: dir})
					require.NoError(t, err)
					require.Empty(t, result.Errors, "%s with %s at %v", path, value, span)
				}
			}
		}
	}
}

func putFile(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// valueSpans returns the span of every value of a tree.
func valueSpans(n *syntax.Node, spans []syntax.Span) []syntax.Span {
	spans = append(spans, n.Value)
	for _, child := range n.Nodes {
		spans = valueSpans(child, spans)
	}
	return spans
}
