package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Evidence in docs/requirements.md: `package.TestName`, with the cases of it in
// brackets, `testdata/…`, or `scripts/…`.
var (
	evidence  = regexp.MustCompile("`([^`]+)`(?: \\(([A-Z0-9, ]+)\\))?")
	namesTest = regexp.MustCompile(`^([a-z/]+)\.(Test[A-Za-z0-9]+)$`)
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
		assert.NotEmpty(t, planned+shown, row)
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
		for _, id := range strings.FieldsFunc(cases, func(c rune) bool { return c == ',' || c == ' ' }) {
			assert.True(t, strings.Contains(body, `"`+id), "%s: %s has no case %s", row, name, id)
		}
		return
	}
	assert.Fail(t, "no such test", "%s: %s", row, name)
}
