// Package internal_test holds what is true of the whole tree.
package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mcplumb/mcplumb/"

// allowed says what every package may import of ours. Data flows one way, so
// imports point down only.
var allowed = map[string][]string{
	"cmd/mcplumb":       {"internal/cli"},
	"internal/cli":      {"internal/action", "internal/lint", "report", "internal/format", "checks", "internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/action":   {"internal/lint", "internal/github", "report", "checks", "internal/mcp", "internal/secret"},
	"internal/lint":     {"internal/format", "checks", "internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/format":   {"internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/generate": {"internal/cli", "internal/lint", "checks", "internal/format", "internal/mcp", "internal/identity", "internal/syntax"},
	"report":            {"checks", "internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"checks":            {"internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/mcp":      {"internal/identity", "internal/secret", "internal/syntax"},
	"internal/identity": {"internal/secret", "internal/syntax"},
	"internal/github":   {},
	"internal/secret":   {"internal/syntax"},
	"internal/edit":     {"internal/syntax"},
	"internal/syntax":   {},
}

// TestImportsPointDown reads the imports of every file that is not a test. It
// opens the files itself, so that go test's cache knows what the result hangs
// on: a listing by another program would be remembered past the next change.
func TestImportsPointDown(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(path)
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git" || slashed == "../test") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		imports, err := importsOf(path)
		if err != nil {
			return err
		}
		below, known := allowed[name]
		if !known {
			require.Empty(t, imports, "%s is not in the list of layers", name)
			return nil
		}
		seen[name] = true
		for _, imported := range imports {
			require.Contains(t, below, imported, "%s must not import it", slashed)
		}
		return nil
	})
	require.NoError(t, err)
	require.Len(t, seen, len(allowed), "a layer has no package")
}

// importsOf returns what a Go file imports of this module, without the
// module's own path.
func importsOf(path string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var ours []string
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if inner, ok := strings.CutPrefix(imported, module); ok {
			ours = append(ours, inner)
		}
	}
	return ours, nil
}
