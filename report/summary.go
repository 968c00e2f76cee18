package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/view"
)

// summary says in one line what was found, where, and what is not shown.
func (t textWriter) summary(v *view.View) {
	s := v.Summary
	var shown, hidden []string
	for _, part := range []struct {
		severity checks.Severity
		count    int
	}{{checks.Error, s.Errors}, {checks.Warning, s.Warnings}, {checks.Note, s.Notes}} {
		switch text := count(part.count, part.severity.String()); {
		case part.count == 0:
		case part.severity < t.o.Severity:
			hidden = append(hidden, text)
		default:
			shown = append(shown, t.color(severityColor(part.severity), text))
		}
	}
	switch {
	case len(shown) > 0:
		t.out.WriteString(strings.Join(shown, ", "))
	case s.Errors+s.Warnings > 0:
		t.out.WriteString("nothing to show")
	case s.Files == 0:
		t.out.WriteString("no MCP configuration found")
	default:
		t.out.WriteString("no problems")
	}
	if s.Files > 0 {
		fmt.Fprintf(t.out, " in %s of %s", count(s.Servers, "server"), count(s.Files, "file"))
	}
	if len(hidden) > 0 {
		lowest := checks.Warning
		if s.Notes > 0 {
			lowest = checks.Note
		}
		fmt.Fprintf(t.out, " (%s: %s %s shows them)", strings.Join(hidden, ", "), cmp.Or(t.o.Lower, "--severity"), lowest)
	}
	if s.Suppressed > 0 {
		fmt.Fprintf(t.out, ", %d suppressed", s.Suppressed)
	}
	if n := len(v.Problems()); n > 0 {
		fmt.Fprintf(t.out, "; %s", t.color(red, "incomplete: "+count(n, "problem")+" with the run itself"))
	}
	fmt.Fprintln(t.out)
}

// plainSummary returns the line that ends text output.
func plainSummary(v *view.View, o Options) string {
	return plainText(func(t textWriter) { t.summary(v) }, Options{Severity: o.Severity, Lower: o.Lower})
}
