package checks

import (
	"go/ast"
	"go/token"
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

// TestSystemsAreOnThePages holds that every part adds to a rule that there is,
// and that the rule's page says of which system it knows more.
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

// TestGeneralRulesNameNoSystem holds that what only one system knows stands in
// the file of that system: no other file names a tool, a client or a format, or
// uses what such a file declares.
func TestGeneralRulesNameNoSystem(t *testing.T) {
	files := sources(t)
	theirs, registered := map[string]string{}, 0
	for path, file := range files {
		if !isSystemFile(file) {
			continue
		}
		registered++
		for _, name := range declarations(file) {
			theirs[name] = path
		}
	}
	require.Len(t, systems, registered, "a file of a system is not in the list of systems")
	named := namesOfSystems()
	accounts := []string{"vscode", "devcontainer"} // whom images call so is no person
	for path, file := range files {
		if path == "all.go" || isSystemFile(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.SelectorExpr:
				ast.Inspect(n.X, func(x ast.Node) bool { return checkIdent(t, path, x, theirs) })
				return false // a field or method of any name
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					text, err := strconv.Unquote(n.Value)
					require.NoError(t, err)
					if path != "machine_path.go" || !slices.Contains(accounts, text) {
						assert.Empty(t, named.FindString(text), "%s names a system: %s", path, n.Value)
					}
				}
			default:
				return checkIdent(t, path, n, theirs)
			}
			return true
		})
	}
}

// checkIdent fails if a node is a name that the file of a system declares.
func checkIdent(t *testing.T, path string, n ast.Node, theirs map[string]string) bool {
	t.Helper()
	if ident, ok := n.(*ast.Ident); ok {
		assert.Empty(t, theirs[ident.Name], "%s uses %s of a system", path, ident.Name)
	}
	return true
}

// isSystemFile reports whether a file declares a system.
func isSystemFile(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if ok {
			name, isName := literal.Type.(*ast.Ident)
			found = found || isName && name.Name == "system"
		}
		return !found
	})
	return found
}

// declarations returns the names that a file declares for its package.
func declarations(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
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
