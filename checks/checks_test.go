package checks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a quarter of the time of these tests would go into garbage collection
	os.Exit(m.Run())
}

// TestRegistry checks the fields that every rule must have.
func TestRegistry(t *testing.T) {
	all := checks.All()
	require.NotEmpty(t, all)
	require.True(t, slices.IsSortedFunc(all, func(a, b *rule.Rule) int { return strings.Compare(a.ID, b.ID) }), "not sorted by ID")
	id := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	files := map[string]bool{}
	for i, c := range all {
		assert.Regexp(t, id, c.ID)
		assert.True(t, i == 0 || all[i-1].ID != c.ID, "%s is there twice", c.ID)
		assert.NotEmpty(t, c.Title, c.ID)
		assert.NotContains(t, c.Title, ".", "%s: a title is no sentence", c.ID)
		assert.Greater(t, c.Severity, rule.Off, c.ID)
		files[strings.ReplaceAll(c.ID, "-", "_")] = true
	}
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, page := range pages {
		name := strings.TrimSuffix(page, ".md")
		assert.True(t, files[name], "%s is the page of no rule", page)
		assert.FileExists(t, name+".go")
	}
	assert.Len(t, pages, len(all), "a rule has no page")
}

// TestPages checks the form of every page: seven headings in their order.
func TestPages(t *testing.T) {
	headings := []string{"What it finds", "Why it matters", "Bad", "Good", "How to fix", "When to ignore", "Settings"}
	for _, c := range checks.All() {
		t.Run(c.ID, func(t *testing.T) {
			lines := strings.Split(c.Page(), "\n")
			require.Equal(t, "# "+c.ID, lines[0])
			var got []string
			for _, line := range lines {
				if heading, ok := strings.CutPrefix(line, "## "); ok {
					got = append(got, heading)
				}
				assert.LessOrEqual(t, len([]rune(line)), 120, "a line is too long: %s", line)
			}
			if last := len(got) - 1; got[last] == "Differences" { // from what a source system itself would say
				got = got[:last]
			}
			assert.Equal(t, headings, got)
		})
	}
}

// TestFixturesExist checks that every rule has a fixture that fires and one that stays silent.
func TestFixturesExist(t *testing.T) {
	for _, c := range checks.All() {
		for _, kind := range []string{"fires", "silent"} {
			found, err := filepath.Glob(filepath.Join("..", "testdata", "checks", c.ID, kind+"-*.txtar"))
			require.NoError(t, err)
			assert.NotEmpty(t, found, "%s has no fixture %s-*.txtar", c.ID, kind)
		}
	}
	folders, err := os.ReadDir(filepath.Join("..", "testdata", "checks"))
	require.NoError(t, err)
	for _, folder := range folders {
		known := slices.ContainsFunc(checks.All(), func(c *rule.Rule) bool { return c.ID == folder.Name() })
		assert.True(t, known, "fixtures of no rule: %s", folder.Name())
	}
}
