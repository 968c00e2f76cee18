package lint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

const oneServer = `{"mcpServers": {"a": {"command": "x"}}}`

// atServers reports at every server of the project.
func atServers(p *rule.Pass, finding func(f rule.Finding) rule.Finding) {
	for _, d := range p.Project.Documents {
		for _, s := range d.Servers {
			p.Report(finding(rule.Finding{File: d.File, Span: s.NameSpan, Server: s.Name, Message: "m"}))
		}
	}
}

func same(f rule.Finding) rule.Finding { return f }

// TestFailingRule checks that a rule that fails on one project loses neither the findings of other
// projects and rules, nor those that it had already reported.
func TestFailingRule(t *testing.T) {
	files := source.Memory(map[string]string{"a/.mcp.json": oneServer, "b/.mcp.json": oneServer})
	result, err := Run(t.Context(), Options{Source: files, Checks: []*rule.Rule{
		{ID: "broken", Severity: rule.Warning, Run: func(p *rule.Pass) {
			atServers(p, same)
			if p.Project.Dir == "a" {
				panic("out of luck")
			}
		}},
		{ID: "good", Severity: rule.Note, Run: func(p *rule.Pass) { atServers(p, same) }},
		{ID: "by-the-linter", Severity: rule.Error},
	}})
	require.NoError(t, err)
	assert.Equal(t, []FileError{{"a", "rule broken failed on this project: out of luck"}}, result.Errors)
	var got []string
	for _, f := range result.Findings {
		got = append(got, fmt.Sprintf("%s %s %s", f.File.Path, f.Rule.ID, f.Severity))
	}
	assert.Equal(t, []string{
		"a/.mcp.json broken warning", "a/.mcp.json good note",
		"b/.mcp.json broken warning", "b/.mcp.json good note"}, got)
}

// TestMisplacedFindings checks that a rule that points outside of a file gets an error about it,
// instead of breaking the output.
func TestMisplacedFindings(t *testing.T) {
	files := source.Memory(map[string]string{".mcp.json": oneServer})
	size := len(oneServer)
	for want, change := range map[string]func(rule.Finding) rule.Finding{
		"a place without a file": func(f rule.Finding) rule.Finding { f.File = nil; return f },
		fmt.Sprintf("bytes 0 to %d are not in .mcp.json", size+1): func(f rule.Finding) rule.Finding {
			f.Span = syntax.Span{Start: 0, End: size + 1}
			return f
		},
		"bytes 5 to 4 are not in .mcp.json": func(f rule.Finding) rule.Finding {
			f.Related = []rule.Related{{File: f.File, Span: syntax.Span{Start: 5, End: 4}}}
			return f
		},
		"bytes -1 to 4 are not in .mcp.json": func(f rule.Finding) rule.Finding {
			f.Fixes = []rule.Fix{{Edits: []edit.Change{edit.Remove(f.File, syntax.Span{Start: -1, End: 4})}}}
			return f
		},
		"two changes exclude each other at byte 16 of .mcp.json": func(f rule.Finding) rule.Finding {
			f.Fixes = []rule.Fix{{Edits: []edit.Change{edit.Remove(f.File, f.Span), edit.Rename(f.File, f.Span, "b")}}}
			return f
		},
	} {
		result, err := Run(t.Context(), Options{Source: files, Checks: []*rule.Rule{
			{ID: "wrong", Severity: rule.Error, Run: func(p *rule.Pass) { atServers(p, change) }},
		}})
		require.NoError(t, err)
		assert.Equal(t, []FileError{{"", "rule wrong failed on this project: " + want}}, result.Errors)
		assert.Empty(t, result.Findings)
	}
}

// TestFindingsAreSaidOnce checks the order, and that equal findings of one rule become one.
func TestFindingsAreSaidOnce(t *testing.T) {
	files := source.Memory(map[string]string{".mcp.json": `{"mcpServers": {"b": {"command": "x"}, "a": {"command": "x"}}}`})
	report := func(p *rule.Pass) { atServers(p, same); atServers(p, same) }
	result, err := Run(t.Context(), Options{Source: files, Checks: []*rule.Rule{
		{ID: "z", Severity: rule.Error, Run: report}, {ID: "y", Severity: rule.Error, Run: report},
	}})
	require.NoError(t, err)
	var got []string
	for _, f := range result.Findings {
		got = append(got, f.Server+" "+f.Rule.ID)
	}
	assert.Equal(t, []string{"b y", "b z", "a y", "a z"}, got)
}

// TestFixesOfGeneratedFiles checks that a finding in a copy is fixed in the file that it was
// generated from, if that file has the same text.
func TestFixesOfGeneratedFiles(t *testing.T) {
	const written = `{"mcpServers": {"a": {"args": ["-y", "pkg@1.0.0"], "command": "npx"}}}`
	files := source.Memory(map[string]string{
		".ruler/mcp.json":  written,
		".cursor/mcp.json": "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"pkg@1.0.0\"], \"type\": \"stdio\"}\n  }\n}\n",
	})
	fix := func(title string, changes ...edit.Change) rule.Fix {
		return rule.Fix{Title: title, Safety: rule.Unsafe, Edits: changes}
	}
	result, err := Run(t.Context(), Options{Source: files, Checks: []*rule.Rule{
		{ID: "rule", Severity: rule.Error, Run: func(p *rule.Pass) {
			for _, d := range p.Project.Documents {
				if d.File.Path != ".cursor/mcp.json" {
					continue
				}
				s := d.Servers[0]
				f := rule.Finding{File: d.File, Span: s.NameSpan, Server: s.Name, Message: "m"}
				f.Fixes = []rule.Fix{
					fix("rename and pin", edit.Rename(d.File, s.NameSpan, "b"), edit.Rename(d.File, s.Identity.Version.Span, "1.2.3")),
					fix("insert", edit.Insert(d.File, s.Span, "env", edit.Object(), edit.Where{})),
					fix("change the type", edit.Remove(d.File, s.Type.Span)),
				}
				p.Report(f)
			}
		}},
	}})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	require.Len(t, result.Findings, 1)
	found := result.Findings[0]
	assert.Equal(t, ".ruler/mcp.json", found.File.Path)
	var got []string
	for _, fix := range found.Fixes {
		edits, err := edit.Lower(fix.Edits)
		require.NoError(t, err)
		got = append(got, fix.Title+": "+string(edit.Apply(found.File.Bytes, edits)))
	}
	assert.Equal(t, []string{
		`rename and pin: {"mcpServers": {"b": {"args": ["-y", "pkg@1.2.3"], "command": "npx"}}}`,
		`insert: {"mcpServers": {"a": {"args": ["-y", "pkg@1.0.0"], "command": "npx", "env": {}}}}`,
	}, got, "the source has no type")
}
