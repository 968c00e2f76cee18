package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// rawResult matches types that could carry text of a repository past Text.
var rawResult = regexp.MustCompile(`\b(string|byte|any|syntax\.(File|Edit)|rule\.(Finding|Fix|Related)|mcp\.|identity\.)`)

// TestNothingRawGetsOut lists what the package returns as plain strings, or as anything else
// that may contain text of a repository. Each is escaped, or a word of mcplumb's own;
// everything else that an output gets is a Text.
func TestNothingRawGetsOut(t *testing.T) {
	want := map[string]string{
		"Text.Plain": "string", "Text.String": "string", // credentials are hidden
		"Path.String": "string", "Place.String": "string", "Problem.String": "string", "Snippet.Text": "string", // escaped
		"Finding.Fingerprint": "string", "Finding.LineHash": "string", "Component.Hash": "string string", // hexadecimal
		"Identity.Kind": "string", "Server.Format": "string", "Server.Scope": "string", "Server.Clients": "[]*mcp.Client", "Brought.Kind": "string", "BroughtRow.Kind": "string", // ours
		"Paths.Seen": "string", // the caller's own path
		// What goes in.
		"Run.Findings": "[]rule.Finding", "Run.Repo": "*mcp.Repo", "Run.Whole": "*mcp.Repo", "Run.Before": "*mcp.Repo", "Run.Groups": "[]*mcp.Group", "Failure.Path": "string", "Failure.Message": "string",
		"Run.Notices": "[]string", "Tool.Name": "string", "Tool.Version": "string",
	}
	got := map[string]string{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool { return addRaw(got, n) })
	}
	assert.Equal(t, want, got)
}

// addRaw adds the exported results and fields of a declaration that may be raw.
func addRaw(got map[string]string, n ast.Node) bool {
	add := func(name string, fields *ast.FieldList) {
		for _, f := range fields.List {
			if text := types.ExprString(f.Type); rawResult.MatchString(text) {
				got[name] = strings.TrimSpace(got[name] + strings.Repeat(" "+text, max(len(f.Names), 1)))
			}
		}
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		name := n.Name.Name
		if n.Recv != nil {
			name = types.ExprString(n.Recv.List[0].Type) + "." + name
		}
		if n.Name.IsExported() && n.Type.Results != nil {
			add(strings.TrimPrefix(name, "*"), n.Type.Results)
		}
		return false
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok && n.Name.IsExported() {
			for _, f := range s.Fields.List {
				for _, field := range f.Names {
					if field.IsExported() {
						add(n.Name.Name+"."+field.Name, &ast.FieldList{List: []*ast.Field{{Type: f.Type}}})
					}
				}
			}
		}
	}
	return true
}

// TestTextHasTwoForms holds that a credential is in neither, and that only one of
// them may be printed as it is.
func TestTextHasTwoForms(t *testing.T) {
	text := NewText("a\n::error::\x1b[0m TOKEN=ghp_" + strings.Repeat("a1B2c3D4e5F6", 3))
	assert.Equal(t, "a\n::error::\x1b[0m TOKEN=ghp_***", text.Plain())
	assert.Equal(t, `a\n::error::\x1b[0m TOKEN=ghp_***`, text.String())
}

// TestPlaces holds the positions of one place for each kind of reader.
func TestPlaces(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("\ufeff{\n  \"🔌é\": {\n}}"))
	start := strings.Index(string(file.Bytes), "é")
	p := New(Run{}).place(file, syntax.Span{Start: start, End: len(file.Bytes)})
	assert.Equal(t, Position{Line: 2, Column: 5}, p.Start(CodePoints))
	assert.Equal(t, Position{Line: 2, Column: 8}, p.Start(Bytes))
	assert.Equal(t, Position{Line: 3, Column: 3}, p.End(CodePoints))
	assert.Equal(t, Position{Line: 2, Column: 10}, p.FirstLine().End(CodePoints), "its first line ends")
	assert.Equal(t, "a.json:2:5", p.String())
	assert.Equal(t, 2, p.Line())
}

// TestFilesAreHashedOnce holds that a file with many findings is read once.
func TestFilesAreHashedOnce(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("{\n}"))
	v := New(Run{Findings: []rule.Finding{{File: file}, {File: file, Span: syntax.Span{Start: 2, End: 3}}}})
	findings := v.Findings(rule.Off)
	first := findings[0].LineHash()
	v.hashes[file][1] = "kept"
	assert.Equal(t, []string{first, "kept"}, []string{findings[0].LineHash(), findings[1].LineHash()})
}
