package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
)

// oneLine returns n findings, a third of each severity, in a file of one line.
func oneLine(n int) []rule.Finding {
	const member = `"server-1": {"command": "npx", "args": ["-y", "@scope/server@1.2.3"], "env": {"API_KEY": "${KEY}"}}, `
	file := syntax.NewFile("sub/.mcp.json", []byte(`{"mcpServers": {`+strings.Repeat(member, n)+`}}`))
	rules := checks.All()
	var findings []rule.Finding
	for i := range n {
		start := len(`{"mcpServers": {`) + i*len(member)
		span := syntax.Span{Start: start, End: start + len(`"server-1"`)}
		f := rule.Finding{
			Rule: rules[i%len(rules)], Severity: rule.Note + rule.Severity(i%3), File: file, Span: span,
			Server: "server-1", Identity: "npm:@scope/server",
			Message: `"server-1" is called "server-2" in .cursor/mcp.json: one name makes permissions hold everywhere`,
			Related: []rule.Related{{File: file, Span: span, Message: "called server-2 here"}},
		}
		if i%10 == 0 {
			f.Fixes = []rule.Fix{{Title: "rename", Safety: rule.Unsafe, Edits: []edit.Change{edit.Rename(file, span, fmt.Sprintf("server-2-%d", i))}}}
		}
		findings = append(findings, f)
	}
	return findings
}

// BenchmarkFindings writes findings of one long line: the time for each must not depend on
// their number.
func BenchmarkFindings(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		findings := oneLine(n)
		for _, f := range All() {
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run := view.Run{Findings: findings, Files: 1, Servers: n}
					if err := f.Write(io.Discard, view.New(run), Options{Severity: rule.Note}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkServers writes the servers of one file: half of them come twice, the
// others are one under different names.
func BenchmarkServers(b *testing.B) {
	for _, n := range []int{5_000, 50_000} {
		var servers []*mcp.Server
		for i := range n {
			s := server(fmt.Sprintf("server-%d", i/2%(n/4)))
			if i%2 == 0 {
				s = server(fmt.Sprintf("name-%d", i))
				s.Identity.Name = "one"
			}
			servers = append(servers, s)
		}
		repo := repoOf(servers...)
		for _, f := range ListFormats() {
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f.Write(io.Discard, listed(repo), Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
