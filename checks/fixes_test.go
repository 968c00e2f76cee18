package checks_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// joined is how many trees TestFixesOfJoinedTrees makes.
var joined = flag.Int("joined", 10, "trees of several fixtures to fix")

// fixedPrefix begins the names of the files in a fixture that show what becomes of
// the others.
const fixedPrefix = "fixed/"

// fixed makes all fixes of one rule and returns what a fixture shows of them:
// "fixes" with a line for each, the path, whether it is safe and what it does, or
// why it was not made; and the files as they are then, "fixed/" and the path.
func fixed(t *testing.T, files map[string]string, of *rule.Rule, findings []rule.Finding) []txtar.File {
	t.Helper()
	if !slices.ContainsFunc(findings, func(f rule.Finding) bool { return f.Rule == of && (len(f.Fixes) > 0 || f.NoFixReason != "") }) {
		return nil
	}
	outcome := applyFixes(t, files, func(f *rule.Finding) bool { return f.Rule == of })
	var lines strings.Builder
	for _, made := range outcome.Made {
		fmt.Fprintf(&lines, "%s: %s: %s\n", made.Finding.File.Path, made.Fix.Safety, made.Fix.Title)
	}
	for _, left := range outcome.Left {
		fmt.Fprintf(&lines, "%s: left: %s: %s\n", left.At.File.Path, cmp.Or(left.Fix.Title, "line "+strconv.Itoa(left.At.File.LineAt(left.At.Span.Start))), left.Reason)
	}
	shown := expectation("fixes", lines.String())
	for _, f := range outcome.Files {
		shown = append(shown, txtar.File{Name: fixedPrefix + f.Path, Data: f.New})
	}
	return shown
}

// applyFixes makes the fixes of those findings that may be fixed, including unsafe ones.
func applyFixes(t *testing.T, files map[string]string, may func(*rule.Finding) bool) *fix.Outcome {
	t.Helper()
	outcome, err := fix.Run(t.Context(), fix.Options{
		Source: source.Memory(files), Allow: rule.Unsafe,
		Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
			result, err := lintTree(ctx, tree)
			for i := range result.Findings {
				if f := &result.Findings[i]; !may(f) {
					f.Fixes, f.NoFixReason = nil, ""
				}
			}
			return result, err
		},
	})
	require.NoError(t, err)
	return outcome
}

// lintTree lints a tree with every rule, under the settings in it.
func lintTree(ctx context.Context, tree source.Tree) (*lint.Result, error) {
	var settings *policy.Settings
	if file, err := tree.Read(ctx, policy.SettingsName); err == nil {
		if settings, err = policy.ParseSettings(policy.SettingsName, policy.SettingsName, file.Content); err != nil {
			return nil, err
		}
	}
	return lint.Run(ctx, lint.Options{Source: tree, Settings: settings})
}

// after returns the files with the fixes of an outcome.
func after(files map[string]string, outcome *fix.Outcome) map[string]string {
	now := maps.Clone(files)
	for _, f := range outcome.Files {
		now[f.Path] = string(f.New)
	}
	return now
}

// holdFixes checks every fix of a fixture by itself, and all of them together, at once and one
// after another in a random order: the finding of each disappears, no other one appears, and the
// files are the same in any order. A second run finds nothing to do.
func holdFixes(t *testing.T, files map[string]string, findings []rule.Finding) {
	t.Helper()
	if !slices.ContainsFunc(findings, func(f rule.Finding) bool { return len(f.Fixes) > 0 }) {
		return
	}
	for _, f := range findings {
		for _, fix := range f.Fixes {
			alone(t, files, &f, &fix)
		}
	}
	all := after(files, applyFixes(t, files, everything))
	assert.Equal(t, all, inRandomOrder(t, files, everything), "the order matters")
	assert.Empty(t, applyFixes(t, all, everything).Files, "a second run changes something")
}

// TestFixesOfJoinedTrees fixes trees that hold the files of several fixtures. Safe fixes end in
// the same files in any order. Unsafe ones need not: a pinned entry no longer repeats the one
// next to it. But they also come to an end.
func TestFixesOfJoinedTrees(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	var trees []map[string]string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "fixes" }) {
			trees = append(trees, filesIn(archive))
		}
	}
	for seed := range uint64(*joined) {
		random := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		for range 2 + random.IntN(3) {
			for path, text := range trees[random.IntN(len(trees))] {
				if files[path] == "" {
					files[path] = text
				}
			}
		}
		all := after(files, applyFixes(t, files, safe))
		require.Equal(t, unordered(all), unordered(inRandomOrder(t, files, safe)), "seed %d: the order matters: %q", seed, files)
		all = after(files, applyFixes(t, files, everything))
		require.Empty(t, applyFixes(t, all, everything).Files, "seed %d: a second run changes something: %q", seed, files)
	}
}

// unordered returns the lines of files, sorted: an entry that a later round adds to a file
// follows others there.
func unordered(files map[string]string) map[string][]string {
	all := map[string][]string{}
	for path, text := range files {
		for line := range strings.Lines(text) {
			all[path] = append(all[path], strings.TrimRight(line, ",\r\n"))
		}
		slices.Sort(all[path])
	}
	return all
}

// TestUnsafeFixesRemoveDuplicates checks that a fix removes a duplicate even if the credential in
// both entries is also fixed.
func TestUnsafeFixesRemoveDuplicates(t *testing.T) {
	entry := `{"type": "http", "url": "https://w.acme.dev/mcp", "headers": {"Authorization": "Bearer %s"}}`
	for _, c := range []struct{ path, servers, reference string }{
		{".mcp.json", `{"mcpServers": {%s}}`, "${W_TOKEN}"},
		{"opencode.jsonc", `{"mcp": {%s}}`, "{env:W_TOKEN}"},
	} {
		entry := entry
		if c.path == "opencode.jsonc" {
			entry = strings.Replace(entry, "http", "remote", 1)
		}
		literal, replaced := fmt.Sprintf(entry, "gh"+"p_"+strings.Repeat("aB3dE5gH7j", 3)+"k9"+"LmN0"), fmt.Sprintf(entry, c.reference)
		files := map[string]string{c.path: fmt.Sprintf(c.servers, `"w": `+literal+`, "w2": `+literal)}
		now := after(files, applyFixes(t, files, everything))
		assert.Equal(t, fmt.Sprintf(c.servers, `"w": `+replaced), now[c.path])
	}
}

// alone makes one fix of one finding, unless its file is written in a way that does not allow it.
// The finding must be gone, and no rule may find more than before.
func alone(t *testing.T, files map[string]string, f *rule.Finding, fix *rule.Fix) {
	t.Helper()
	if _, err := edit.Lower(fix.Edits); err != nil {
		return // the fixture says why
	}
	isTried := false
	outcome := applyFixes(t, files, func(other *rule.Finding) bool {
		if isTried || other.Rule != f.Rule || other.File.Path != f.File.Path || other.Text() != f.Text() || other.Span != f.Span {
			return false
		}
		other.Fixes = slices.DeleteFunc(slices.Clone(other.Fixes), func(other rule.Fix) bool { return other.Title != fix.Title })
		isTried = true
		return true
	})
	for _, left := range outcome.Left {
		if left.Fix.Title != "" {
			assert.Empty(t, left.Reason, left.Fix.Title)
		}
	}
	assert.Less(t, countLike(outcome.After, f), countLike(outcome.Before, f), "%s: the finding stays", fix.Title)
	if f.Rule.Blocking || f.Rule.ID == "missing-server" {
		return // the fix shows findings that this one hid, or of a server that is found again
	}
	before, now := counts(outcome.Before), counts(outcome.After)
	for rule, n := range now {
		assert.LessOrEqual(t, n, before[rule], "%s: another finding of %s", fix.Title, rule)
	}
}

// countLike counts the findings that say the same of the same file. A rule that says
// one thing after the other of an entry may then have the next one to say.
func countLike(r *lint.Result, f *rule.Finding) int {
	count := 0
	for i := range r.Unmerged {
		if other := &r.Unmerged[i]; other.Rule == f.Rule && other.File.Path == f.File.Path && other.Text() == f.Text() {
			count++
		}
	}
	return count
}

// counts counts the findings of each rule.
func counts(r *lint.Result) map[string]int {
	counts := map[string]int{}
	for i := range r.Unmerged {
		counts[r.Unmerged[i].Rule.ID]++
	}
	return counts
}

// everything may be fixed.
func everything(*rule.Finding) bool { return true }

// safe leaves a finding its safe fixes alone.
func safe(f *rule.Finding) bool {
	f.Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(fix rule.Fix) bool { return fix.Safety != rule.Safe })
	return true
}

// inRandomOrder makes one fix after another, until none is left.
func inRandomOrder(t *testing.T, files map[string]string, may func(*rule.Finding) bool) map[string]string {
	t.Helper()
	for range 100 {
		found, err := lintTree(t.Context(), source.Memory(files))
		require.NoError(t, err)
		fixable := slices.DeleteFunc(found.Findings, func(f rule.Finding) bool { return !may(&f) || len(f.Fixes) == 0 })
		rand.Shuffle(len(fixable), func(i, j int) { fixable[i], fixable[j] = fixable[j], fixable[i] })
		isChanged := false
		for _, next := range fixable {
			isTried := false
			one := applyFixes(t, files, func(f *rule.Finding) bool {
				isNext := !isTried && f.Rule == next.Rule && f.File.Path == next.File.Path && f.Span == next.Span && f.Text() == next.Text()
				isTried = isTried || isNext
				return isNext && may(f)
			})
			if isChanged = len(one.Files) > 0; isChanged {
				files = after(files, one)
				break
			}
		}
		if !isChanged {
			return files
		}
	}
	t.Fatal("there is no end of fixes")
	return nil
}
