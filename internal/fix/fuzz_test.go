package fix_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

var long = flag.Bool("long", false, "20,000 damaged trees instead of 200")

// trees returns the trees of the fixtures of all rules, in a fixed order.
func trees(t testing.TB) []map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all []map[string]string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		files := map[string]string{}
		for _, f := range archive.Files {
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") {
				files[f.Name] = string(f.Data)
			}
		}
		all = append(all, files)
	}
	return all
}

// fixAll makes all fixes of a tree, unsafe ones, too, under the settings in it.
// Settings that cannot be read are an error of the run, as on the command line.
func fixAll(ctx context.Context, files map[string]string) (*fix.Outcome, error) {
	return fix.Run(ctx, fix.Options{Source: source.Memory(files), Allow: rule.Unsafe, Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
		var settings *policy.Settings
		if file, err := tree.Read(ctx, policy.SettingsName); err == nil {
			if settings, err = policy.ParseSettings(policy.SettingsName, policy.SettingsName, file.Content); err != nil {
				return &lint.Result{Repo: &mcp.Repo{}, Errors: []lint.FileError{{Message: err.Error()}}}, nil
			}
		}
		return lint.Run(ctx, lint.Options{Source: tree, Settings: settings})
	}})
}

// holdFixed checks what is true of every fixed tree: no file is broken, no finding that counts is
// new except those that another one had hidden, the run ends, and a second run changes nothing.
func holdFixed(t *testing.T, files map[string]string) {
	t.Helper()
	outcome, err := fixAll(t.Context(), files)
	require.NoError(t, err)
	if len(outcome.Files) == 0 {
		return
	}
	about := fmt.Sprintf("%q", files)
	require.Less(t, outcome.Rounds, 10, about)
	require.Subset(t, broken(outcome.Before), broken(outcome.After), about)
	misread := misreadIn(outcome.Before)
	require.LessOrEqual(t, counting(outcome.After, misread), counting(outcome.Before, misread), about)
	now := map[string]string{}
	for path, text := range files {
		now[path] = text
	}
	for _, f := range outcome.Files {
		require.Equal(t, files[f.Path], string(f.Old), about)
		now[f.Path] = string(f.New)
	}
	again, err := fixAll(t.Context(), now)
	require.NoError(t, err)
	require.Empty(t, again.Files, "a second run changes something: %q", now)
}

// broken returns the files that do not parse, and what could not be checked.
func broken(r *lint.Result) []string {
	said := []string{}
	for _, f := range r.Unmerged {
		if f.Rule == checks.SyntaxError {
			said = append(said, f.File.Path)
		}
	}
	for _, e := range r.Errors {
		said = append(said, e.Error())
	}
	return said
}

// misreadIn returns the files whose servers no client reads as they stand: what is wrong with
// those shows once it does.
func misreadIn(r *lint.Result) map[string]bool {
	paths := map[string]bool{}
	for _, f := range r.Unmerged {
		if f.Rule.ID == "wrong-root-key" {
			paths[f.File.Path] = true
		}
	}
	return paths
}

// counting counts the findings that count, except those of some files.
func counting(r *lint.Result, but map[string]bool) int {
	return len(slices.DeleteFunc(slices.Clone(r.Unmerged), func(f rule.Finding) bool { return f.Severity < rule.Warning || but[f.File.Path] }))
}

// TestDamaged fixes the trees of fixtures in which something was damaged at random.
func TestDamaged(t *testing.T) {
	count := uint64(200)
	if *long {
		count = 20_000
	}
	all := trees(t)
	for seed := range count {
		random := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		for path, text := range all[random.IntN(len(all))] {
			files[path] = text
		}
		paths := make([]string, 0, len(files))
		for path := range files {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for range 1 + random.IntN(3) {
			path := paths[random.IntN(len(paths))]
			files[path] = damaged(random, files[path])
		}
		holdFixed(t, files)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// damaged returns a text in which something is missing, is there twice, or is another:
// lines, words or bytes.
func damaged(random *rand.Rand, text string) string {
	if text == "" {
		text = "{}"
	}
	parts := strings.SplitAfter(text, []string{"\n", "\n", ",", " ", `"`, ""}[random.IntN(6)])
	i, j := random.IntN(len(parts)), random.IntN(len(parts))
	switch random.IntN(5) {
	case 0:
		parts = slices.Delete(parts, i, i+1)
	case 1:
		parts = slices.Insert(parts, i, parts[i])
	case 2:
		parts = slices.Insert(parts, i, parts[j])
	case 3:
		parts[i], parts[j] = parts[j], parts[i]
	case 4:
		parts[i] = []string{"// x\n", "# x\n", ",", "\r\n", "\ufeff", "{}", "null", `"a": `}[random.IntN(8)] + parts[i]
	}
	return strings.Join(parts, "")
}

// pair is two files next to each other.
type pair struct{ path, text, other, otherText string }

// pairs returns each file of the fixtures with another one of the same tree.
func pairs(t testing.TB) (all []pair) {
	for _, files := range trees(t) {
		last, lastText := ".cursor/mcp.json", `{"mcpServers": {"a": {"command": "x"}}}`
		for path, text := range files {
			all = append(all, pair{path, text, last, lastText})
			last, lastText = path, text
		}
	}
	return all
}

// holdPair fixes two files, unless no tree can have both.
func holdPair(t *testing.T, p pair) {
	for _, name := range []string{p.path, p.other} {
		if !fs.ValidPath(name) || name == "." || strings.ContainsRune(name, 0) {
			return
		}
	}
	if p.path == p.other || strings.HasPrefix(p.path, p.other+"/") || strings.HasPrefix(p.other, p.path+"/") || strings.ContainsRune(p.text, 0) {
		return
	}
	holdFixed(t, map[string]string{p.path: p.text, p.other: p.otherText})
}

// TestPairs fixes the files of the fixtures side by side.
func TestPairs(t *testing.T) {
	for _, p := range pairs(t) {
		holdPair(t, p)
	}
}

// FuzzRun fixes any two files side by side. It begins with a few of TestPairs: all of them take
// longer than scripts/fuzz gives it.
func FuzzRun(f *testing.F) {
	for i, p := range pairs(f) {
		if i%40 == 0 {
			f.Add(p.path, []byte(p.text), p.other, []byte(p.otherText))
		}
	}
	f.Fuzz(func(t *testing.T, path string, text []byte, other string, otherText []byte) {
		holdPair(t, pair{path, string(text), other, string(otherText)})
	})
}
