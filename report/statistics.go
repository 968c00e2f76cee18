package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// ruleCount is how many findings a rule has.
type ruleCount struct {
	rule     *rule.Rule
	severity rule.Severity // of all of them, or the first of them
	count    int
}

// countRules counts findings by rule, or by rule and severity, the most first, then the most
// severe.
func countRules(findings []view.Finding, bySeverity bool) []ruleCount {
	type key struct {
		rule     string
		severity rule.Severity
	}
	index := map[key]int{}
	var counts []ruleCount
	for _, f := range findings {
		k := key{rule: f.Rule().ID}
		if bySeverity {
			k.severity = f.Severity()
		}
		at, known := index[k]
		if !known {
			at = len(counts)
			index[k] = at
			counts = append(counts, ruleCount{f.Rule(), f.Severity(), 0})
		}
		counts[at].count++
	}
	slices.SortFunc(counts, func(a, b ruleCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(b.severity, a.severity), strings.Compare(a.rule.ID, b.rule.ID))
	})
	return counts
}

// statistics writes how many findings each rule has, in a line each, and the
// summary.
func (t textWriter) statistics(v *view.View) {
	counts := countRules(v.Findings(t.o.Severity), true)
	width := 0
	for _, c := range counts {
		width = max(width, len(c.rule.ID))
	}
	for _, c := range counts {
		severity := t.color(severityColor(c.severity), fmt.Sprintf("%-7s", c.severity))
		fmt.Fprintf(t.out, "%6d  %s  %-*s  %s\n", c.count, severity, width, c.rule.ID, c.rule.Title)
	}
	if t.o.Quiet {
		return
	}
	if len(counts) > 0 {
		fmt.Fprintln(t.out)
	}
	t.summary(v)
}

// footer ends a text with what was found how often, where that is more than the
// summary says, and with the command that explains it.
func (t textWriter) footer(v *view.View) {
	findings := v.Findings(t.o.Severity)
	counts := countRules(findings, false)
	if len(counts) == 0 {
		return
	}
	if len(counts) > 1 && len(findings) >= countedFrom {
		lines := t
		lines.o.Width = cmp.Or(t.o.Width, footerColumns) // no program matches these
		lines.paragraph(messageIndent, countsByRule(counts)...)
	}
	if t.o.Hint {
		rule := "RULE"
		if len(counts) == 1 {
			rule = counts[0].rule.ID
		}
		fmt.Fprintf(t.out, "mcplumb explain %s: why it matters, and how to fix it\n", rule)
	}
}

// countedFrom is how many findings are too many to count at a glance.
const countedFrom = 4

// footerColumns is how wide the counts of rules are where the width of the
// terminal is not known.
const footerColumns = 80

// countsByRule counts findings by rule in one line.
func countsByRule(counts []ruleCount) []piece {
	line := []piece{{text: "by rule:"}}
	for i, c := range counts {
		text := fmt.Sprintf("%d %s", c.count, c.rule.ID)
		if i < len(counts)-1 {
			text += ","
		}
		line = append(line, piece{text: " "}, piece{text: text, isWhole: true})
	}
	return line
}
