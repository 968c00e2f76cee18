package checks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestReadsInWords shows what the page of the rules says of the documents that a
// rule looks at.
func TestReadsInWords(t *testing.T) {
	for _, test := range []struct {
		reads Reads
		want  string
	}{
		{inUse, "every file but examples and test data"},
		{notTestData, "every file but test data"},
		{Reads{Examples: true, Fixtures: true}, "every file"},
		{Reads{Examples: true, Clients: true}, "every file of a client but test data"},
		{launched, "every file but test data and manifests that publish a server"},
		{shared, "every file but test data and copies of somebody's own settings"},
	} {
		assert.Equal(t, test.want, ReadsInWords(test.reads))
	}
}

// TestPassShowsWhatARuleReads runs one rule over documents of every role.
func TestPassShowsWhatARuleReads(t *testing.T) {
	client := []*mcp.Client{mcp.ClientByID("cursor")}
	project := &mcp.Project{Documents: []*mcp.Document{
		{Format: "used", Clients: client, Scope: mcp.ScopeProject, Servers: []*mcp.Server{{Name: "a"}, {Name: "b"}}},
		{Format: "example", Role: mcp.Example, Scope: mcp.ScopeProject, Servers: []*mcp.Server{{Name: "c"}}},
		{Format: "fixture", Role: mcp.Fixture, Clients: client, Scope: mcp.ScopeProject, Servers: []*mcp.Server{{Name: "d"}}},
		{Format: "unread", NotLoaded: true, Scope: mcp.ScopeSettings, Servers: []*mcp.Server{{Name: "f"}}},
		{Format: "manifest", Scope: mcp.ScopeRegistry, Servers: []*mcp.Server{{Name: "e"}}},
	}}
	for _, test := range []struct {
		reads   Reads
		formats string
		servers string
	}{
		{inUse, "used manifest", "a b e"},
		{notTestData, "used example manifest", "a b c e"},
		{launched, "used example", "a b c"},
		{Reads{Examples: true, Fixtures: true, Clients: true}, "used fixture", "a b d"},
		{everywhere, "used example fixture unread manifest", "a b c d f e"},
	} {
		var formats, servers []string
		r := &Rule{Reads: test.reads, Run: func(p *Pass) {
			for doc := range p.Documents() {
				formats = append(formats, doc.Format)
			}
			for s := range p.Servers() {
				servers = append(servers, s.Name)
			}
		}}
		Run(&Pass{Project: project}, r)
		assert.Equal(t, test.formats, strings.Join(formats, " "), test.reads)
		assert.Equal(t, test.servers, strings.Join(servers, " "), test.reads)
	}
}

// TestNoRuleGatesByHand holds that what a rule looks at is said in its Reads: no
// other file asks for the role of a document.
func TestNoRuleGatesByHand(t *testing.T) {
	for path, file := range sources(t) {
		if path == "reads.go" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch selector.Sel.Name {
			case "Role", "InUse", "Example", "Fixture":
				assert.Fail(t, "a rule gates by hand", "%s asks for %s: say it in Reads, and use Pass.Documents or Pass.Servers", path, selector.Sel.Name)
			}
			return true
		})
	}
}

// sources parses the files of this package that are no tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files[path] = parsed
	}
	return files
}
