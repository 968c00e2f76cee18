package checks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestSamplesOfTools lints a repository as each tool leaves it, with the report that was checked
// by hand, and a clean one that is silent, except for the notes on what the tool never writes
// (clean.txt).
func TestSamplesOfTools(t *testing.T) {
	for tool := range toolSamples(t) {
		t.Run(tool, func(t *testing.T) {
			dir := filepath.Join("..", "testdata", "systems", tool)
			got := linttest.ShowAll(linttest.LintFiles(t, linttest.SampleFiles(t, filepath.Join(dir, "sample"))))
			if *update {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "want.txt"), []byte(got), 0o644))
			}
			want, err := os.ReadFile(filepath.Join(dir, "want.txt"))
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
			notes, err := os.ReadFile(filepath.Join(dir, "clean.txt"))
			if !os.IsNotExist(err) {
				require.NoError(t, err)
			}
			assert.Equal(t, string(notes), linttest.ShowAll(linttest.LintFiles(t, linttest.SampleFiles(t, filepath.Join(dir, "clean")))))
			assert.NotRegexp(t, "warning|error", string(notes))
		})
	}
}

// toolSamples returns the files of every sample repository of a tool.
func toolSamples(t *testing.T) map[string]map[string]string {
	t.Helper()
	samples := map[string]map[string]string{}
	for _, name := range []string{"apm", "ccpkg", "holodeck", "mcp-tap", "pml", "prompt-registry", "toolpin"} {
		samples[name] = linttest.SampleFiles(t, filepath.Join("..", "testdata", "systems", name, "sample"))
	}
	return samples
}

// damage lints a sample as it would be with other contents of one file. It holds
// that the run says all it has to say in findings, each well-formed.
type damage struct {
	files  map[string]string
	path   string
	format *shape.Format
	// others are the findings of a repository without the file.
	others string
}

func newDamage(t *testing.T, files map[string]string, path string) *damage {
	t.Helper()
	m, ok := format.Known().Lookup(path)
	require.True(t, ok, path)
	d := &damage{files: maps.Clone(files), path: path, format: m.Format}
	delete(d.files, path)
	d.others, _ = d.run(t)
	return d
}

// isOurs reports whether a file that does not parse is known to be MCP configuration.
func (d *damage) isOurs(content string) bool {
	return format.Owns(d.format, syntax.NewFile(d.path, []byte(content)))
}

// lint returns the findings elsewhere, as text, and those in the file.
func (d *damage) lint(t *testing.T, content string) (elsewhere string, here []rule.Finding) {
	t.Helper()
	d.files[d.path] = content
	return d.run(t)
}

func (d *damage) run(t *testing.T) (elsewhere string, here []rule.Finding) {
	t.Helper()
	result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(d.files)})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	linttest.WellFormed(t, result.Findings)
	var others []rule.Finding
	for _, f := range result.Findings {
		if f.File.Path == d.path {
			here = append(here, f)
		} else {
			others = append(others, f)
		}
	}
	return linttest.ShowAll(others), here
}

// TestDamagedSamples replaces every value of the samples with a value of every kind. The whole
// linter runs on each, and must neither stop nor panic; it turns a rule's panic into an error.
// TestSampleMutations does the same to the samples that are all JSON.
func TestDamagedSamples(t *testing.T) {
	for name, files := range toolSamples(t) {
		if name == "ccpkg" || name == "pml" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for path, content := range files {
				d := newDamage(t, files, path)
				tree, err := d.format.Parse(new(syntax.Parser), syntax.NewFile(path, []byte(content)))
				require.NoError(t, err)
				for _, span := range valueSpans(tree.Root, nil) {
					for _, value := range []string{"null", "1", `"x"`, "{}", `["x", {"x": 1}]`} {
						d.lint(t, content[:span.Start]+value+content[span.End:])
					}
				}
			}
		})
	}
}

// TestConflictsInSamples leaves a merge conflict at every line of every file of the samples. It
// expects one finding, at the first marker, and no comparison with a file that cannot be read.
func TestConflictsInSamples(t *testing.T) {
	for name, files := range toolSamples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for path, content := range files {
				d := newDamage(t, files, path)
				rule := "syntax-error"
				if d.format.Scope == mcp.ScopeLock {
					rule = "invalid-lockfile"
				}
				lines := strings.SplitAfter(content, "\n")
				for i, line := range lines[:len(lines)-1] {
					base := ""
					if i%2 == 1 {
						base = "||||||| 1a2b3c4\n" + line // as with merge.conflictStyle=diff3
					}
					before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
					conflict := "<<<<<<< HEAD\n" + line + base + "=======\n" + line + ">>>>>>> theirs\n"
					elsewhere, here := d.lint(t, before+conflict+after)
					at := fmt.Sprintf("%s line %d", path, i+1)
					require.Equal(t, d.others, elsewhere, at)
					if !d.isOurs(content) {
						require.Empty(t, here, at)
						continue
					}
					require.Equal(t, fmt.Sprintf("%s:%d:1: error %s: unresolved merge conflict marker\n", path, i+1, rule), linttest.ShowAll(here), at)
				}
			}
		})
	}
}

// TestTruncatedSamples cuts the files of the samples off at many places. Truncated JSON never
// parses: it expects one finding, and no comparison with the rest. A part of YAML may be a
// document of its own.
func TestTruncatedSamples(t *testing.T) {
	for name, files := range toolSamples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for path, content := range files {
				d := newDamage(t, files, path)
				for end := 0; end < len(strings.TrimSpace(content)); end += 1 + len(content)/41 {
					elsewhere, here := d.lint(t, content[:end])
					if strings.HasSuffix(path, ".yml") || strings.HasSuffix(path, ".yaml") {
						continue
					}
					at := fmt.Sprintf("%s cut off at byte %d", path, end)
					require.Equal(t, d.others, elsewhere, at)
					want := "syntax-error"
					switch {
					case end == 0 && d.format.Scope == mcp.ScopeLock:
						want = "invalid-lockfile"
					case !d.isOurs(content[:end]):
						require.Empty(t, here, at)
						continue
					}
					require.Len(t, here, 1, at)
					require.Equal(t, want, here[0].Rule.ID, at)
				}
			}
		})
	}
}

// valueSpans returns the span of every value of a tree.
func valueSpans(n *syntax.Node, spans []syntax.Span) []syntax.Span {
	spans = append(spans, n.Value)
	for _, child := range n.Nodes {
		spans = valueSpans(child, spans)
	}
	return spans
}

// TestSampleMutations replaces each value of each file of the sample
// repositories by each other kind of value: a mistake in a reader or a rule
// shows as an error of the run, which lintFiles does not allow.
func TestSampleMutations(t *testing.T) {
	count := 0
	for _, system := range []string{"pml", "ccpkg"} {
		files := linttest.SampleFiles(t, filepath.Join("..", "testdata", "systems", system, "sample"))
		for _, name := range slices.Sorted(maps.Keys(files)) {
			var value any
			require.NoError(t, json.Unmarshal([]byte(files[name]), &value))
			for _, mutant := range mutants(value) {
				content, err := json.Marshal(mutant)
				require.NoError(t, err)
				changed := maps.Clone(files)
				changed[name] = string(content)
				linttest.LintFiles(t, changed)
				count++
			}
		}
	}
	assert.Greater(t, count, 500)
}

// mutants returns copies of a value, each with one value in it replaced by one
// of another kind.
func mutants(value any) []any {
	var list []any
	for _, other := range []any{nil, true, 1.5, "x", []any{"x"}, map[string]any{"x": map[string]any{}}} {
		if fmt.Sprintf("%T", other) != fmt.Sprintf("%T", value) {
			list = append(list, other)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			for _, mutant := range mutants(v[key]) {
				changed := maps.Clone(v)
				changed[key] = mutant
				list = append(list, changed)
			}
		}
	case []any:
		for i := range v {
			for _, mutant := range mutants(v[i]) {
				changed := slices.Clone(v)
				changed[i] = mutant
				list = append(list, changed)
			}
		}
	}
	return list
}
