package fix

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// The law of fixes: for every client that reads a file, what it starts after a fix is what
// it started before, plus what the finding says was lost. A safe fix changes no text that
// is code for another program, moves no credential and removes no sentence that a person
// wrote. The test checks it for every fix that a rule offers, alone and without the check that Run
// makes, and for what Run does with all of them.

// TestLawOnFixtures checks it on the files of every fixture.
func TestLawOnFixtures(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/checks/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		files := map[string]string{}
		for _, f := range archive.Files {
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") && !strings.HasPrefix(f.Name, "base/") {
				files[f.Name] = string(f.Data)
			}
		}
		t.Run(strings.TrimPrefix(path, "../../testdata/checks/"), func(t *testing.T) { holdLaw(t, source.Memory(files)) })
	}
}

// TestLawOnSamples checks it on the samples of every client and system, and on the demo.
func TestLawOnSamples(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/[fs]*s/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range append(dirs, "../../testdata/demo") {
		files := map[string]string{}
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)] = string(content)
			return err
		}))
		t.Run(strings.TrimPrefix(dir, "../../testdata/"), func(t *testing.T) { holdLaw(t, source.Memory(files)) })
	}
}

// holdLaw holds the law on a tree.
func holdLaw(t *testing.T, tree source.Tree) {
	t.Helper()
	before := lintUnder(t, tree)
	for i := range before.Findings {
		for _, at := range before.Findings[i].Places() {
			for _, fix := range at.Fixes {
				holdFix(t, tree, before, at, &fix)
			}
		}
	}
	for _, allow := range []rule.Safety{rule.Safe, rule.Unsafe} {
		outcome, err := Run(t.Context(), Options{Source: tree, Allow: allow, Lint: lintTree})
		require.NoError(t, err)
		for _, l := range vanished(before, outcome.After) {
			assert.Fail(t, l.reason(), "all %s fixes together", allow)
		}
		isAsked := func(m Made) bool { return m.Finding.Rule.Asked }
		if allow == rule.Safe && !slices.ContainsFunc(outcome.Made, isAsked) {
			for _, f := range outcome.Files {
				holdText(t, f.Path, string(f.Old), string(f.New))
			}
		}
		for _, left := range outcome.Left {
			assert.NotContains(t, left.Reason, "it would take away", "%s: the rule must not offer it: %s", left.At.Rule.ID, left.Fix.Title)
		}
	}
}

// holdFix holds the law on one fix.
func holdFix(t *testing.T, tree source.Tree, before *lint.Result, at *rule.Finding, fix *rule.Fix) {
	t.Helper()
	edits, err := edit.Lower(fix.Edits)
	if err != nil {
		return // Run says why
	}
	contents := map[string][]byte{}
	for _, e := range edits {
		contents[e.File.Path] = e.File.Bytes
	}
	slices.SortStableFunc(edits, func(a, b syntax.Edit) int { return cmp.Compare(b.Span.Start, a.Span.Start) })
	for _, e := range edits {
		was := contents[e.File.Path]
		contents[e.File.Path] = slices.Concat(was[:e.Span.Start], []byte(e.New), was[e.Span.End:])
	}
	after := lintUnder(t, source.Overlay(tree, contents))
	what := fmt.Sprintf("%s: %s fix of %s: %s", at.File.Path, fix.Safety, at.Rule.ID, fix.Title)
	for _, l := range losses(before.Whole, after.Whole) {
		assert.Fail(t, l.reason(), what)
	}
	if fix.Safety != rule.Safe || at.Rule.Asked {
		return
	}
	for _, e := range edits {
		holdText(t, what, string(e.File.Bytes), string(contents[e.File.Path]))
	}
	now := map[place]program{}
	for s := range startsOf(after.Whole) {
		now[s.place()] = s.program()
	}
	for s := range startsOf(before.Whole) {
		if program, stays := now[s.place()]; stays && s.server.Name != at.Server {
			assert.Equal(t, s.program(), program, "%s: it changes %s of %s, too", what, s.server.Name, s.place().path)
		}
	}
}

// sentences finds comments, and texts of four words or more between quotes.
var sentences = regexp.MustCompile(`(?m)(?:^|[\s,])(?:#|//).*$|"(?:[^"\\\n]|\\.)*"`)

// holdText holds what a safe fix may do to the text of a file: every comment, sentence and
// line of code stays, and it has no credential that it did not have.
func holdText(t *testing.T, what, was, now string) {
	t.Helper()
	for _, text := range sentences.FindAllString(was, -1) {
		text = strings.Trim(text, " \t\r\n,")
		if !strings.HasPrefix(text, `"`) || len(strings.Fields(text)) >= 4 {
			assert.Contains(t, now, text, what+": removes or changes a text")
		}
	}
	for _, text := range strings.FieldsFunc(now, func(r rune) bool { return strings.ContainsRune("\"'\r\n", r) }) {
		if secret.Mask(text) != text && !strings.Contains(was, text) {
			assert.Fail(t, "moves a credential", what)
		}
	}
}

// vanished is losses for many fixes at once: an entry may have been changed before one
// that it then repeats was removed, so values are not compared, and an entry of the same
// identity is enough.
func vanished(before, after *lint.Result) []loss {
	type server struct{ dir, key string }
	stays := map[server]bool{}
	for s := range startsOf(after.Whole) {
		stays[server{s.dir, s.server.Identity.Key()}] = true
	}
	return slices.DeleteFunc(losses(before.Whole, after.Whole), func(l loss) bool {
		for s := range startsOf(before.Whole) {
			if s.place() == (place{l.client, l.path, l.server}) {
				return stays[server{s.dir, s.server.Identity.Key()}]
			}
		}
		return false
	})
}

func lintUnder(t *testing.T, tree source.Tree) *lint.Result {
	t.Helper()
	result, err := lintTree(t.Context(), tree)
	require.NoError(t, err)
	return result
}

// lintTree lints a tree with every rule, under the settings in it.
func lintTree(ctx context.Context, tree source.Tree) (*lint.Result, error) {
	var settings *policy.Settings
	if file, err := tree.Read(ctx, policy.SettingsName); err == nil {
		settings, _ = policy.ParseSettings(policy.SettingsName, policy.SettingsName, file.Content)
	}
	return lint.Run(ctx, lint.Options{Source: tree, Settings: settings})
}
