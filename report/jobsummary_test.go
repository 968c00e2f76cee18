package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
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

func jobSummary(t *testing.T, r view.Run, repo *mcp.Repo) string {
	t.Helper()
	var out strings.Builder
	r.Repo = repo
	require.NoError(t, WriteSummary(&out, view.New(r), Options{Severity: rule.Warning}))
	return out.String()
}

func TestJobSummary(t *testing.T) {
	out := jobSummary(t, view.Run{Files: 1, Servers: 1}, summaryRepo(1, "a"))
	assert.Regexp(t, "^### mcplumb\n\nno problems in 1 server, 1 file\n\n<details>\n<summary>Names and what they run</summary>\n\n"+
		"```mermaid\nflowchart LR\n(?s:.*)```\n\n</details>\n$", out)

	file := sampleFile(".mcp.json")
	finding := rule.Finding{Rule: ruleByID(t, "alias-drift"), Severity: rule.Warning, File: file, Span: spanOf(t, file, `"a"`), Message: "m"}
	r := view.Run{Files: 1, Servers: 1, Findings: []rule.Finding{finding}}
	assert.Contains(t, jobSummary(t, r, summaryRepo(1, "a")), "\n<details open>\n", "the map has something to show")

	out = jobSummary(t, view.Run{}, &mcp.Repo{})
	assert.Equal(t, "### mcplumb\n\nno MCP configuration found\n", out, "a map of nothing says nothing")
}

// TestJobSummaryShowsFilesSideBySide: those that the settings require to be in sync, open if
// they are not; others, if they share a server, folded.
func TestJobSummaryShowsFilesSideBySide(t *testing.T) {
	const folded, open = "\n<details>\n<summary>Servers and files</summary>\n", "\n<details open>\n<summary>Servers and files</summary>\n"
	group := func(second bool, state mcp.CellState) *mcp.Group {
		repo := summaryRepo(1, "docs")
		g := nextToNothing(repo.Projects[0].Documents[0])
		row := g.Rows[0]
		row.Cells[0].State, row.Cells[0].Differences, row.Cells[1].State = mcp.InStep, nil, state
		if second {
			row.Cells[1].Server = row.Server
		}
		return g
	}
	summary := func(g *mcp.Group) string {
		return jobSummary(t, view.Run{Files: 1, Servers: 1, Groups: []*mcp.Group{g}}, summaryRepo(1, "docs"))
	}

	out := summary(group(false, mcp.Missing))
	assert.Contains(t, out, open, "the settings want the server in both files")
	assert.Contains(t, out, "\n| `docs0` | ok | **missing** |\n")
	assert.Contains(t, summary(group(true, mcp.InStep)), folded)

	unasked := group(false, mcp.Missing)
	unasked.IsOfProject = true
	assert.NotContains(t, summary(unasked), "Servers and files", "two files that have nothing to do with each other")
	unasked = group(true, mcp.InStep)
	unasked.IsOfProject = true
	assert.Contains(t, summary(unasked), folded)
}

// TestJobSummaryIsKept holds that GitHub, which drops a summary of more than
// 1 MiB, drops none.
func TestJobSummaryIsKept(t *testing.T) {
	file := sampleFile(strings.Repeat("日本/", 1000) + ".mcp.json")
	r := view.Run{Files: 1, Servers: 20_000, Groups: []*mcp.Group{nextToNothing(summaryRepo(20_000, "a`|<b>").Projects[0].Documents[0])}}
	for i := range 20_000 {
		r.Findings = append(r.Findings, rule.Finding{
			Rule: ruleByID(t, "alias-drift"), Severity: rule.Warning, File: file, Span: spanOf(t, file, `"a"`), Message: strings.Repeat("`😀 ", 500) + fmt.Sprint(i)})
	}
	for range 1000 {
		r.Failures = append(r.Failures, view.Failure{Path: file.Path, Message: strings.Repeat("😀", 5000)})
	}
	out := jobSummary(t, r, summaryRepo(20_000, "a`|<b>"))
	assert.LessOrEqual(t, len(out), maxSummary)
	assert.Regexp(t, `\*\*\d+ findings left out\*\*`, out)
	assert.Contains(t, out, "more names not shown")
	assert.Regexp(t, `\nand \d+ more servers\n`, out)
	assert.Contains(t, out, "```mermaid\n")
}

// TestJobSummaryHostile holds that nothing ends the block of the map.
func TestJobSummaryHostile(t *testing.T) {
	for _, text := range hostileTexts {
		repo := summaryRepo(1, text+"\n```\n~~~")
		out := jobSummary(t, view.Run{Files: 1, Servers: 1, Groups: []*mcp.Group{nextToNothing(repo.Projects[0].Documents[0])}}, repo)
		assert.Len(t, regexp.MustCompile("(?m)^\\s*(```|~~~)").FindAllString(out, -1), 2, "%q", out)
	}
}
