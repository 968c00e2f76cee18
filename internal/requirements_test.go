package internal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/cli"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Evidence in docs/requirements.md and docs/requirements.tsv: `package.TestName`, with the cases of it in
// brackets, `testdata/…`, or `scripts/…`. What is planned are commands, flags and fixes of rules.
var (
	evidence  = regexp.MustCompile("`([^`]+)`(?: \\(([^)]+)\\))?")
	namesTest = regexp.MustCompile(`^([a-z/]+)\.(Test[A-Za-z0-9]+)$`)
	// A reason may name a command, too.
	namesEvidence = regexp.MustCompile(`^testdata/|^scripts/|\.Test`)
)

// TestRequirementsAreShown holds that every row of docs/requirements.md names
// tests, cases and fixtures that exist, or says that it is planned.
func TestRequirementsAreShown(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "requirements.md"))
	require.NoError(t, err)
	rows := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], "| ") || cells[0] == "| row" {
			continue
		}
		row := strings.TrimPrefix(cells[0], "| ")
		assert.False(t, rows[row], "%s is there twice", row)
		rows[row] = true
		shown, planned, isPlanned := strings.Cut(strings.TrimSuffix(cells[2], " |"), "planned: ")
		if isPlanned {
			assertPlanned(t, row, planned)
		}
		found := evidence.FindAllStringSubmatch(shown, -1)
		assert.True(t, isPlanned || len(found) > 0, "%s names neither a test nor a plan", row)
		for _, match := range found {
			assertShown(t, row, match[1], match[2])
		}
	}
	for _, group := range []struct {
		prefix string
		rows   int
	}{{"R0.", 6}, {"R1.", 6}, {"R2.", 6}, {"R3.", 6}, {"R4.", 6}} {
		for i := 1; i <= group.rows; i++ {
			row := group.prefix + string(rune('0'+i))
			assert.True(t, rows[row], "%s is not there", row)
		}
	}
}

// TestRequirementRowsAreShown holds that docs/requirements.tsv has every row of the five
// source systems, in order, that what works names tests, cases and fixtures that exist, and that
// everything else says why. What a reason names exists as well.
func TestRequirementRowsAreShown(t *testing.T) {
	table, err := os.ReadFile(filepath.Join("..", "docs", "requirements.tsv"))
	require.NoError(t, err)
	var want, got []string
	for _, system := range []struct {
		letter string
		rows   int
	}{{"A", 34}, {"B", 53}, {"C", 50}, {"D", 75}, {"E", 61}} {
		for i := range system.rows {
			want = append(want, fmt.Sprintf("%s%d", system.letter, i+1))
		}
	}
	asked := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		require.Len(t, cells, 4, line)
		row, state, text, shown := cells[0], cells[1], cells[2], cells[3]
		got = append(got, row)
		assert.Empty(t, asked[text], "%s asks for what another row does", row)
		asked[text] = row
		found := evidence.FindAllStringSubmatch(shown, -1)
		if state == "works" {
			assert.NotEmpty(t, found, "%s names no test", row)
			assert.Empty(t, strings.Trim(evidence.ReplaceAllString(shown, ""), ", "), "%s says more than its tests", row)
		} else {
			assert.Contains(t, []string{"partly", "not"}, state, row)
			assert.Regexp(t, `^.{20,}\.$`, shown, "%s gives no reason", row)
		}
		for _, match := range found {
			if state == "works" || namesEvidence.MatchString(match[1]) {
				assertShown(t, row, match[1], match[2])
			}
		}
	}
	assert.Equal(t, want, got)
}

// assertShown looks for one piece of evidence.
func assertShown(t *testing.T, row, name, cases string) {
	t.Helper()
	test := namesTest.FindStringSubmatch(name)
	if test == nil {
		kind, _, _ := strings.Cut(name, "/")
		assert.Contains(t, []string{"testdata", "scripts"}, kind, "%s: %s is neither a test, nor test data, nor a script of .ci/run", row, name)
		assert.FileExists(t, filepath.Join("..", filepath.FromSlash(name)), row)
		return
	}
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(test[1]), "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		_, body, found := strings.Cut(string(content), "\nfunc "+test[2]+"(")
		if !found {
			continue
		}
		body, _, _ = strings.Cut(body, "\n}\n")
		for id := range strings.SplitSeq(cases, ", ") {
			assert.True(t, id == "" || hasCase(body, id), "%s: %s has no case %s", row, name, id)
		}
		return
	}
	assert.Fail(t, "no such test", "%s: %s", row, name)
}

// hasCase reports whether the body of a test has a case of that name, or one that
// begins with it as a word: "K02" is "K02 empty", and no "K021".
func hasCase(body, id string) bool {
	return regexp.MustCompile(`"` + regexp.QuoteMeta(id) + `[": ]`).MatchString(body)
}

// TestCaseNamesAreWhole holds that the beginning of a name is not taken for it.
func TestCaseNamesAreWhole(t *testing.T) {
	const body = `{"C06", 1}, {"C12 three parts", 2}, {"dedup false: two copies", 3}`
	for _, id := range []string{"C06", "C12", "dedup false"} {
		assert.True(t, hasCase(body, id), id)
	}
	for _, id := range []string{"C0", "C1", "12", "dedup fals"} {
		assert.False(t, hasCase(body, id), id)
	}
}

// assertPlanned holds that a plan names commands, flags, and rules that are to offer
// a fix in code, and that there is none of them yet: what is there has tests that the
// page can name.
func assertPlanned(t *testing.T, row, planned string) {
	t.Helper()
	names := evidence.FindAllStringSubmatch(planned, -1)
	assert.NotEmpty(t, names, "%s plans neither a command nor a flag nor a fix", row)
	known := commandLine(cli.Command())
	for _, match := range names {
		if i := slices.IndexFunc(checks.All(), func(c *rule.Rule) bool { return c.ID == match[1] }); i >= 0 {
			assert.Equal(t, rule.NoFix, checks.All()[i].Fix, "%s: %s has a fix, name the tests that show it", row, match[1])
			continue
		}
		assert.True(t, strings.HasPrefix(match[1], "--") || strings.HasPrefix(match[1], "mcplumb "), "%s: %s is neither a command nor a flag", row, match[1])
		assert.False(t, known[match[1]], "%s: %s is there, name the tests that show it", row, match[1])
	}
}

// commandLine returns every command ("mcplumb check") and flag ("--format") below
// a command.
func commandLine(command *cobra.Command) map[string]bool {
	known := map[string]bool{command.CommandPath(): true}
	command.Flags().VisitAll(func(f *pflag.Flag) { known["--"+f.Name] = true })
	for _, sub := range command.Commands() {
		for name := range commandLine(sub) {
			known[name] = true
		}
	}
	return known
}

// TestCommandLineIsKnown holds that what a plan is held against is there.
func TestCommandLineIsKnown(t *testing.T) {
	known := commandLine(cli.Command())
	assert.True(t, known["mcplumb check"] && known["--format"], known)
}
