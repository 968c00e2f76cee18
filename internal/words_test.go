package internal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// avoided are words of docs/style.md that no text has any more. More of its list follow as they go.
var avoided = regexp.MustCompile(`(?i)\b(un)?mend(s|ed|ing)?\b|\bcatalogues?\b|\borganisations?\b|\bheeds?\b`)

// TestWords holds what people read to the words of docs/style.md, but for samples of other projects.
func TestWords(t *testing.T) {
	root := ".."
	for _, top := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", "docs", "checks", "cmd", "internal", "packaging", "report", "scripts", "templates", "testdata/cli", ".github"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || slices.Contains([]string{"style.md", "words_test.go", "read_test.go"}, entry.Name()) {
				return err
			}
			content, err := os.ReadFile(path)
			for i, line := range strings.Split(string(content), "\n") {
				assert.Empty(t, avoided.FindString(line), "%s:%d", path, i+1)
			}
			return err
		}))
	}
}
