package lint_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestKept edits the files of every fixture at random. It checks that a run that reuses the
// previous run's results finds what a run from scratch finds, with the same fixes.
func TestKept(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	require.Greater(t, len(paths), 500)
	steps := 8
	if testing.Short() {
		steps = 3
	}
	for n, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		files := map[string]string{}
		for _, f := range archive.Files {
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") {
				files[f.Name] = string(f.Data)
			}
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, uint64(n)))
			kept := lint.NewKept()
			names := slices.Sorted(maps.Keys(files))
			before := maps.Clone(files)
			var changed []string
			for step := range steps {
				tree := source.Memory(maps.Clone(files))
				again, err := lint.Run(t.Context(), lint.Options{Source: tree, Kept: kept, Changed: changed})
				require.NoError(t, err)
				fresh, err := lint.Run(t.Context(), lint.Options{Source: tree})
				require.NoError(t, err)
				if !assert.Equal(t, reported(fresh), reported(again), "step %d, %v", step, changed) {
					for _, name := range changed {
						t.Logf("-- %s --\n%s", name, files[name])
					}
					return
				}
				name := linttest.OneOf(random, names)
				changed = []string{name}
				if files[name] = edited(random, files[name]); random.IntN(4) == 0 {
					files[name] = before[name]
				}
			}
		})
	}
}

// reported returns everything that a run reports, one line for each.
func reported(r *lint.Result) []string {
	lines := []string{fmt.Sprint(r.Files, r.Servers, r.Suppressed, r.Errors)}
	for _, f := range r.Findings {
		line := fmt.Sprintf("%s:%d %s %s %s", f.File.Path, f.Span.Start, f.Rule.ID, f.Severity, f.Message)
		for _, r := range f.Related {
			line += fmt.Sprintf("; %s:%d %s", r.File.Path, r.Span.Start, r.Message)
		}
		for _, at := range f.Places() {
			for _, fix := range at.Fixes {
				line += fmt.Sprintf("; %s %s %d", fix.Title, fix.Safety, len(fix.Edits))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// edited returns a text with one random edit, as a person leaves it while they type.
func edited(random *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := random.IntN(len(lines))
	switch random.IntN(6) {
	case 0: // a line goes
		return strings.Join(slices.Delete(lines, at, at+1), "")
	case 1: // one comes again
		return strings.Join(slices.Insert(lines, at, linttest.OneOf(random, lines)), "")
	case 2: // a word becomes another one
		words := strings.Split(text, `"`)
		words[random.IntN(len(words))] = linttest.OneOf(random, words)
		return strings.Join(words, `"`)
	case 3: // a character goes
		if text == "" {
			return text
		}
		at := random.IntN(len(text))
		return text[:at] + text[at+1:]
	case 4: // a digit is another one
		return strings.NewReplacer("1", "2", "2", "3", "3", "1").Replace(text)
	}
	at = random.IntN(len(text) + 1)
	return text[:at] + linttest.OneOf(random, []string{"x", " ", `"`, "{", "}", ",", "\n", "é"}) + text[at:]
}

// TestEdited checks that while a file that a person edits does not parse, its last text that did
// counts for the other files, and that only its syntax error is reported in it.
func TestEdited(t *testing.T) {
	files := map[string]string{
		".mcp.json":        `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.0.0"]}}}`,
		".cursor/mcp.json": `{"mcpServers": {"manual": {"command": "npx", "args": ["-y", "@acme/docs@1.0.0"]}}}`,
	}
	kept := lint.NewKept()
	run := func(edited map[string]bool) []rule.Finding {
		r, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(maps.Clone(files)), Kept: kept, Changed: []string{".mcp.json"}, Edited: edited})
		require.NoError(t, err)
		return r.Findings
	}
	drift := func(f rule.Finding) bool { return f.Rule.ID == "alias-drift" }
	require.True(t, slices.ContainsFunc(run(nil), drift))
	files[".mcp.json"] += "{"
	broken := run(map[string]bool{".mcp.json": true})
	assert.True(t, slices.ContainsFunc(broken, drift), "%s", linttest.ShowAll(broken))
	for _, f := range broken {
		assert.Equal(t, f.Rule.ID == "syntax-error", f.File.Path == ".mcp.json", "%s", f.Message)
	}
	assert.False(t, slices.ContainsFunc(run(nil), drift), "the last text that parsed is gone")
}
