package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// MaxSummary is how many bytes a job summary has at most. GitHub drops one of
// more than 1 MiB as a whole (actions/runner, FileCommandManager.cs).
const MaxSummary = 1 << 20

// What the parts of a job summary may take: findings leave room for everything
// else, and a map of more than some hundred names cannot be read.
const (
	maxSummaryFindings = 500_000
	maxSummaryMap      = 16_000
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
		var drawing bytes.Buffer
		if err := WriteMap(&drawing, repo, r.Findings, maxSummaryMap); err != nil {
			return err
		}
		// No label of a map holds a backtick, so nothing ends the block early.
		fmt.Fprintf(&page, "\n#### Names and what they run\n\n```mermaid\n%s```\n", drawing.Bytes())
	}
	if page.Len() > MaxSummary {
		page.Reset()
		fmt.Fprintf(&page, "### mcplumb\n\n%s\n\nThe rest would be too long to show here.\n", markdown(plainSummary(r, o)))
	}
	_, err := w.Write(page.Bytes())
	return err
}
