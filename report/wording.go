package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mcplumb/mcplumb/internal/view"
)

// maxMessage is where GitHub's runner cuts a message, in UTF-16 code units
// (actions/runner, ExecutionContext.cs, _maxIssueMessageLength). No message for
// people is longer.
const maxMessage = 4096

// shorten cuts a text to at most limit characters. They are counted as UTF-16
// code units, as GitHub counts them.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	units, end := 0, 0
	for i, r := range text {
		if units < limit { // room for an ellipsis after what came before
			end = i
		}
		if units++; r > 0xffff {
			units++
		}
	}
	if units <= limit {
		return text
	}
	return text[:end] + "…"
}

// Count returns "1 file" or "2 files".
func Count(n int, noun string) string {
	return strconv.Itoa(n) + " " + plural(n, noun, noun+"s")
}

// plural returns the form of a noun that goes with a number.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// remedy returns the last lines of a finding: its fix, or else what to do by hand, and where
// there is more about it.
func remedy(f view.Finding) []string {
	var lines []string
	if fixes := f.Fixes(); len(fixes) > 0 {
		lines = append(lines, "fix: "+fixes[0].Label().String())
	} else if help := f.Help(); !help.IsZero() {
		lines = append(lines, "help: "+help.String())
	}
	if see := f.See(); !see.IsZero() {
		lines = append(lines, "see: "+see.String())
	}
	return lines
}

// withSee returns the message of a finding and its link, for outputs that have one text.
func withSee(f view.Finding) view.Text {
	if see := f.See(); !see.IsZero() {
		return view.NewText(f.Message().Plain() + " (see " + see.Plain() + ")")
	}
	return f.Message()
}

// lineOf returns path:line of a place as people see it.
func lineOf(p view.Place) string { return p.Path().String() + ":" + strconv.Itoa(p.Line()) }

// gravestFirst sorts findings by severity, otherwise in their order.
func gravestFirst(findings []view.Finding) []view.Finding {
	slices.SortStableFunc(findings, func(a, b view.Finding) int { return cmp.Compare(b.Severity(), a.Severity()) })
	return findings
}

// trueFirst orders what is true before what is not, as functions that sort have it.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
