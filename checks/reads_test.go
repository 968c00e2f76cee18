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
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// TestReadsInWords shows how the page of the rules describes the documents that a rule reads.
func TestReadsInWords(t *testing.T) {
	for _, test := range []struct {
		reads reads.Selection
		want  string
	}{
		{reads.InUse, "every file except examples, test data, and backups"},
		{reads.NotTestData, "every file except test data and backups"},
		{reads.Everywhere, "every file"},
		{reads.Selection{Examples: true, Clients: true}, "every file of a client except test data and backups"},
		{reads.Launched, "every file except test data, backups, and manifests that publish a server"},
		{reads.Shared, "every file except test data, backups, and one person's own settings"},
	} {
		assert.Equal(t, test.want, wording.ReadsInWords(test.reads))
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
		reads   reads.Selection
		formats string
		servers string
	}{
		{reads.InUse, "used manifest", "a b e"},
		{reads.NotTestData, "used example manifest", "a b c e"},
		{reads.Launched, "used example", "a b c"},
		{reads.Selection{Examples: true, Fixtures: true, Clients: true}, "used fixture", "a b d"},
		{reads.Everywhere, "used example fixture unread manifest", "a b c d f e"},
	} {
		var formats, servers []string
		r := &rule.Rule{Reads: test.reads, Run: func(p *rule.Pass) {
			for doc := range p.Documents() {
				formats = append(formats, doc.Format)
			}
			for s := range p.Servers() {
				servers = append(servers, s.Name)
			}
		}}
		RunRule(&rule.Pass{Project: project}, r)
		assert.Equal(t, test.formats, strings.Join(formats, " "), test.reads)
		assert.Equal(t, test.servers, strings.Join(servers, " "), test.reads)
	}
}

// TestNoRuleGatesByHand checks that the documents that a rule reads are declared only in its
// Reads: no other file checks the role of a document.
func TestNoRuleGatesByHand(t *testing.T) {
	for path, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := selector.X.(*ast.Ident); ok && from.Name == "reads" {
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

// sources parses the files that rules are made of, here and in the packages below them, except
// tests and the additions of single systems.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	var paths []string
	for _, dir := range []string{".", "compare", "credential", "refusal", "repair", "reputation", "rule", "wording"} {
		if dir != "." {
			dir = filepath.Join("..", "internal", dir)
		}
		found, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
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
