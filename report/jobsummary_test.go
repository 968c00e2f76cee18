package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// summaryRepo is a repository with n servers in one file.
func summaryRepo(n int, name string) *mcp.Repo {
	file := sampleFile(".mcp.json")
	project := &mcp.Project{}
	document := &mcp.Document{File: file, Project: project}
	for i := range n {
		document.Servers = append(document.Servers, &mcp.Server{
			Name: fmt.Sprint(name, i), Document: document, Identity: identity.Identity{Kind: "npm", Name: fmt.Sprint("server-", i)}})
	}
	project.Documents = []*mcp.Document{document}
	return &mcp.Repo{Projects: []*mcp.Project{project}}
}

func jobSummary(t *testing.T, r *Report, repo *mcp.Repo) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, WriteSummary(&out, r, repo, Options{Severity: checks.Warning}))
	return out.String()
}

func TestJobSummary(t *testing.T) {
	out := jobSummary(t, &Report{Summary: Summary{Files: 1, Servers: 1}}, summaryRepo(1, "a"))
	assert.Regexp(t, "^### mcplumb\n\nno problems in 1 server of 1 file\n\n<details>\n<summary>Names and what they run</summary>\n\n"+
		"```mermaid\nflowchart LR\n(?s:.*)```\n\n</details>\n$", out)

	file := sampleFile(".mcp.json")
	finding := checks.Finding{Check: ruleByID(t, "alias-drift"), Severity: checks.Warning, File: file, Span: spanOf(t, file, `"a"`), Message: "m"}
	r := &Report{Summary: Summary{Files: 1, Servers: 1, Warnings: 1}, Findings: []checks.Finding{finding}}
	assert.Contains(t, jobSummary(t, r, summaryRepo(1, "a")), "\n<details open>\n", "the map has something to show")

	out = jobSummary(t, &Report{}, &mcp.Repo{})
	assert.Equal(t, "### mcplumb\n\nno MCP configuration found\n", out, "a map of nothing says nothing")
}

// TestJobSummaryIsKept holds that GitHub, which drops a summary of more than
// 1 MiB, drops none.
func TestJobSummaryIsKept(t *testing.T) {
	file := sampleFile(strings.Repeat("日本/", 1000) + ".mcp.json")
	r := &Report{Summary: Summary{Files: 1, Servers: 20_000}}
	for i := range 20_000 {
		r.Findings = append(r.Findings, checks.Finding{
			Check: ruleByID(t, "alias-drift"), Severity: checks.Warning, File: file, Span: spanOf(t, file, `"a"`), Message: strings.Repeat("`😀 ", 500) + fmt.Sprint(i)})
	}
	for range 1000 {
		r.Errors = append(r.Errors, Error{Path: file.Path, Message: strings.Repeat("😀", 5000)})
	}
	out := jobSummary(t, r, summaryRepo(20_000, "a`|<b>"))
	assert.LessOrEqual(t, len(out), MaxSummary)
	assert.Regexp(t, `\*\*\d+ findings left out\*\*`, out)
	assert.Contains(t, out, "more names not shown")
	assert.Contains(t, out, "```mermaid\n")
}

// TestJobSummaryHostile holds that nothing ends the block of the map.
func TestJobSummaryHostile(t *testing.T) {
	for _, text := range hostileTexts {
		out := jobSummary(t, &Report{Summary: Summary{Files: 1, Servers: 1}}, summaryRepo(1, text+"\n```\n~~~"))
		assert.Len(t, regexp.MustCompile("(?m)^\\s*(```|~~~)").FindAllString(out, -1), 2, "%q", out)
	}
}

// TestGitHubChangedFirst puts the findings of changed files first, within their
// severity.
func TestGitHubChangedFirst(t *testing.T) {
	old, changed := sampleFile("a.json"), sampleFile("b.json")
	rule := ruleByID(t, "alias-drift")
	var findings []checks.Finding
	for _, severity := range []checks.Severity{checks.Warning, checks.Error} {
		findings = append(findings,
			checks.Finding{Check: rule, Severity: severity, File: old, Span: spanOf(t, old, `"a"`), Message: "old"},
			checks.Finding{Check: rule, Severity: severity, File: changed, Span: spanOf(t, changed, `"a"`), Message: "changed"})
	}
	commands, _ := runnerRead(githubOutput(t, findings, Options{First: func(path string) bool { return path == "b.json" }}))
	require.Len(t, commands, 4)
	var order []string
	for _, c := range commands {
		order = append(order, c.name+" "+c.data)
	}
	assert.Equal(t, []string{"error changed", "error old", "warning changed", "warning old"}, order)
}
