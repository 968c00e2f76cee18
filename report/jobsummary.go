package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/mcplumb/mcplumb/internal/view"
)

// maxSummary is how many bytes a job summary has at most. GitHub drops one of
// more than 1 MiB as a whole (actions/runner, FileCommandManager.cs).
const maxSummary = 1 << 20

// What the parts of a job summary may take: findings leave room for everything
// else, and a map of more than a hundred names is longer than anyone scrolls.
const (
	maxSummaryFindings = 500_000
	maxSummaryMap      = 8_000
	maxSummaryMatrices = 30_000
)

// WriteSummary writes the job summary of a GitHub workflow: the findings as in
// the markdown format, then the files that hold the same servers side by side, and
// the identity map of the repository. What does not fit is counted.
func WriteSummary(w io.Writer, v *view.View, o Options) error {
	var page bytes.Buffer
	if err := writeFindings(&page, v, o, maxSummaryFindings); err != nil {
		return err
	}
	summaryMatrices(&page, v)
	if v.Summary.Servers > 0 {
		if err := summaryMap(&page, v, o); err != nil {
			return err
		}
	}
	if page.Len() > maxSummary {
		page.Reset()
		m := markdownWriter{room: maxSummary}
		m.brought(v.Brought(), o.Sources)
		fmt.Fprintf(&page, "### mcplumb\n\n%s%s\n\nThe rest would be too long to show here.\n", m.out.String(), markdownSummary(v, o))
	}
	_, err := w.Write(page.Bytes())
	return err
}

// summaryMatrices writes the files that the settings require to be in sync, or those of a
// project that share a server: side by side, folded unless files that must be in sync are not.
func summaryMatrices(page *bytes.Buffer, v *view.View) {
	matrices := slices.DeleteFunc(v.Matrices(), func(m view.Matrix) bool { return !m.IsWanted && !m.IsShared() })
	if len(matrices) == 0 {
		return
	}
	open := ""
	if slices.ContainsFunc(matrices, func(m view.Matrix) bool { return m.IsWanted && slices.ContainsFunc(m.Rows, isOutOfStep) }) {
		open = " open"
	}
	fmt.Fprintf(page, "\n<details%s>\n<summary>Servers and files</summary>\n\n%s\n</details>\n", open, markdownMatrices(matrices, maxSummaryMatrices))
}

// summaryMap writes the map, folded unless a finding is in it.
func summaryMap(page *bytes.Buffer, v *view.View, o Options) error {
	var drawing bytes.Buffer
	if err := writeMap(&drawing, v, maxSummaryMap); err != nil {
		return err
	}
	open := ""
	if slices.ContainsFunc(v.Findings(o.Severity), func(f view.Finding) bool { return slices.Contains(mapRules(), f.Rule().ID) }) {
		open = " open"
	}
	// No label of a map holds a backtick, so nothing ends the block early.
	fmt.Fprintf(page, "\n<details%s>\n<summary>Names and what they run</summary>\n\n```mermaid\n%s```\n\n</details>\n", open, drawing.Bytes())
	return nil
}
