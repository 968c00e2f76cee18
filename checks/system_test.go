package checks

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestSystemsAreOnThePages checks that every part adds to an existing rule, and that the rule's
// page says for which system it does more.
func TestSystemsAreOnThePages(t *testing.T) {
	var titles []string
	for _, s := range systems {
		titles = append(titles, s.title)
		assert.NotEmpty(t, s.parts, "%s adds to no rule", s.title)
		for _, part := range s.parts {
			require.Contains(t, All(), part.rule, "%s adds to a rule that is not there", s.title)
			_, text, _ := strings.Cut(part.rule.Page(), "\n## What it finds\n")
			text, _, _ = strings.Cut(text, "\n## ")
			assert.Contains(t, text, s.title, "the page of %s does not say what it finds in %s", part.rule.ID, s.title)
		}
	}
	assert.True(t, slices.IsSortedFunc(titles, func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}), "not sorted by title: %v", titles)
}

// TestGeneralRulesNameNoSystem checks that the facts of a single system are in its package: no
// general file names a tool, a client or a format, and only the list of systems refers to those
// packages.
func TestGeneralRulesNameNoSystem(t *testing.T) {
	named := namesOfSystems()
	accounts := []string{"vscode", "devcontainer"} // in images these names are not people
	for path, file := range sources(t) {
		if path == "systems.go" {
			continue
		}
		isAboutPaths := path == "machine_path.go" || filepath.Base(path) == "paths.go"
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				assert.NotContains(t, n.Path.Value, "/systems/", path)
				return false
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					text, err := strconv.Unquote(n.Value)
					require.NoError(t, err)
					if !isAboutPaths || !slices.Contains(accounts, text) {
						assert.Empty(t, named.FindString(text), "%s names a system: %s", path, n.Value)
					}
				}
			}
			return true
		})
	}
}

// namesOfSystems matches the names of tools anywhere in a text, and the texts
// that are the ID of a client or the name of a format.
func namesOfSystems() *regexp.Regexp {
	var anywhere, whole []string
	for _, f := range format.All() {
		if tool := mcp.ToolOf(f.Name); tool != nil {
			anywhere = append(anywhere, regexp.QuoteMeta(tool.ID), regexp.QuoteMeta(tool.Title))
			whole = append(whole, regexp.QuoteMeta(f.Name))
		}
	}
	for _, c := range mcp.Clients() {
		whole = append(whole, regexp.QuoteMeta(c.ID), regexp.QuoteMeta(c.Title))
		for _, reading := range c.Files {
			whole = append(whole, regexp.QuoteMeta(reading.Format))
		}
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(anywhere, "|") + `)\b|^(` + strings.Join(whole, "|") + `)$`)
}
