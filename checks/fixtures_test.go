package checks_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// update rewrites the files "want", "fixes" and "fixed/…" of every fixture: read what
// changes.
var update = flag.Bool("update", false, "write what the rules report into the fixtures")

// TestFixtures lints the files of every txtar below testdata/checks/RULE with all rules, compared
// with the files below base/ if there are any. It compares the findings with the file "want": a
// line for every finding, path:line:col: token severity: message, and below it, indented, its
// related places, help and link. The findings of RULE come first; each finding of another rule
// ends with that rule's ID. The results of the fixes are in further files: see fixes_test.go.
func TestFixtures(t *testing.T) {
	for _, c := range checks.All() {
		paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", c.ID, "*.txtar"))
		require.NoError(t, err)
		for _, path := range paths {
			t.Run(c.ID+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				archive, err := txtar.ParseFile(path)
				require.NoError(t, err)
				files := filesIn(archive)
				findings := linttest.LintAll(t, files)
				own := show(findings, c.ID)
				got := append(expectation("want", own+showOthers(findings, c)), fixed(t, files, c, findings)...)
				if *update {
					setExpected(t, path, archive, got)
				} else {
					assert.Equal(t, string(txtar.Format(&txtar.Archive{Files: expected(archive)})), string(txtar.Format(&txtar.Archive{Files: got})))
				}
				assert.Equal(t, strings.HasPrefix(filepath.Base(path), "silent-"), own == "", "the name says otherwise")
				holdFixes(t, files, findings)
			})
		}
	}
}

// filesIn returns the files of a fixture that are linted.
func filesIn(archive *txtar.Archive) map[string]string {
	files := map[string]string{}
	for _, f := range archive.Files {
		if !isExpected(f) {
			files[f.Name] = string(f.Data)
		}
	}
	return files
}

// expected returns the expected results of a fixture.
func expected(archive *txtar.Archive) []txtar.File {
	return slices.DeleteFunc(slices.Clone(archive.Files), func(f txtar.File) bool { return !isExpected(f) })
}

func isExpected(f txtar.File) bool {
	return f.Name == "want" || f.Name == "fixes" || strings.HasPrefix(f.Name, fixedPrefix)
}

// expectation returns a file of a fixture, and none for nothing.
func expectation(name, text string) []txtar.File {
	if text == "" {
		return nil
	}
	return []txtar.File{{Name: name, Data: []byte(text)}}
}

// setExpected writes the expected results of a fixture after its files.
func setExpected(t *testing.T, path string, archive *txtar.Archive, expected []txtar.File) {
	t.Helper()
	archive.Files = append(slices.DeleteFunc(archive.Files, isExpected), expected...)
	require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
}

// TestPageExamples lints the examples of every page: Bad shows the rule, Good
// shows neither it nor anything else that people would see by default.
func TestPageExamples(t *testing.T) {
	for _, c := range checks.All() {
		t.Run(c.ID, func(t *testing.T) {
			bad, good := c.Examples("Bad"), c.Examples("Good")
			require.NotEmpty(t, bad)
			require.NotEmpty(t, good)
			assert.NotEmpty(t, show(linttest.LintAll(t, bad), c.ID), "Bad is silent")
			for _, f := range linttest.LintAll(t, good) {
				assert.False(t, f.Rule.ID == c.ID || f.Severity >= rule.Warning, "Good reports %s: %s", f.Rule.ID, f.Message)
			}
		})
	}
}

// show writes the findings of one rule as fixtures hold them.
func show(findings []rule.Finding, id string) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Rule.ID == id {
			b.WriteString(shown(&f, ""))
		}
	}
	return b.String()
}

// showOthers writes the findings of all other rules, with their names.
func showOthers(findings []rule.Finding, but *rule.Rule) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Rule != but {
			b.WriteString(shown(&f, " ["+f.Rule.ID+"]"))
		}
	}
	return b.String()
}

// shown writes a finding and its related places, each on a line.
func shown(f *rule.Finding, rule string) string {
	var b strings.Builder
	token := f.File.Bytes[f.Span.Start:f.Span.End]
	fmt.Fprintf(&b, "%s: %s %s: %s%s\n", linttest.Place(f.File, f.Span), token, f.Severity, f.Message, rule)
	for _, r := range f.Related {
		fmt.Fprintf(&b, "  %s: %s\n", linttest.Place(r.File, r.Span), r.Message)
	}
	if f.Help != "" {
		fmt.Fprintf(&b, "  help: %s\n", f.Help)
	}
	if f.See != "" {
		fmt.Fprintf(&b, "  see: %s\n", f.See)
	}
	return b.String()
}
