package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// MaxSummary is how many bytes a job summary has at most. GitHub drops one of
// more than 1 MiB as a whole (actions/runner, FileCommandManager.cs).
const MaxSummary = 1 << 20

// What the parts of a job summary may take: findings leave room for everything
// else, and a map of more than a hundred names is longer than anyone scrolls.
const (
	maxSummaryFindings = 500_000
	maxSummaryMap      = 8_000
)

// WriteSummary writes the job summary of a GitHub workflow: the findings as in
// the markdown format, then the identity map of the repository. What does not
// fit is counted.
func WriteSummary(w io.Writer, r *Report, repo *mcp.Repo, o Options) error {
	o.Room = maxSummaryFindings
	var page bytes.Buffer
	if err := writeMarkdown(&page, r, o); err != nil {
		return err
	}
	if r.Summary.Servers > 0 {
		if err := summaryMap(&page, r, repo, o); err != nil {
			return err
		}
	}
	if page.Len() > MaxSummary {
		page.Reset()
		fmt.Fprintf(&page, "### mcplumb\n\n%s\n\nThe rest would be too long to show here.\n", markdown(plainSummary(r, o)))
	}
	_, err := w.Write(page.Bytes())
	return err
}

// summaryMap writes the map, folded unless a finding is in it.
func summaryMap(page *bytes.Buffer, r *Report, repo *mcp.Repo, o Options) error {
	var drawing bytes.Buffer
	if err := WriteMap(&drawing, repo, r.Findings, maxSummaryMap); err != nil {
		return err
	}
	open := ""
	if slices.ContainsFunc(shown(r, o), func(f *checks.Finding) bool { return slices.Contains(MapRules(), f.Check.ID) }) {
		open = " open"
	}
	// No label of a map holds a backtick, so nothing ends the block early.
	fmt.Fprintf(page, "\n<details%s>\n<summary>Names and what they run</summary>\n\n```mermaid\n%s```\n\n</details>\n", open, drawing.Bytes())
	return nil
}
