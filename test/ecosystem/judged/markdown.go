package judged

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// sortDifference puts every list into the order of repositories and places.
func sortDifference(d *Difference) {
	verdicts := func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), comparePlaces(a.Place, b.Place), cmp.Compare(a.Rule, b.Rule))
	}
	hunks := func(a, b Hunk) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Digest, b.Digest))
	}
	for _, list := range [][]Verdict{d.Unjudged, d.Gone, d.Back, d.Improved} {
		slices.SortFunc(list, verdicts)
	}
	slices.SortFunc(d.Changed, func(a, b Change) int { return verdicts(a.Verdict, b.Verdict) })
	slices.SortFunc(d.NewHunks, hunks)
	slices.SortFunc(d.OldHunks, hunks)
}

// Markdown returns the difference and the figures of the tables as they are now, for a
// person who reviews the change.
func Markdown(d *Difference, now *Tables) string {
	var b strings.Builder
	b.WriteString("## What changes on real repositories\n")
	section(&b, "Findings without a verdict", d.Unjudged, verdictLine)
	section(&b, "Right findings that are gone", d.Gone, verdictLine)
	section(&b, "Findings that were not right and are back", d.Back, verdictLine)
	section(&b, "Findings with another severity", d.Changed, func(c Change) string { return verdictLine(c.Verdict) + " → " + c.Now })
	section(&b, "Problems that are no longer found", d.Lost, expectedLine)
	section(&b, "Hunks without a verdict", d.NewHunks, hunkLine)
	section(&b, "Hunks to merge that are no longer made", d.OldHunks, hunkLine)
	section(&b, "Findings that were not right and are gone", d.Improved, verdictLine)
	section(&b, "Problems that are found now", d.Gained, expectedLine)
	section(&b, "Repositories that were not looked at", d.Absent, code)
	if b.String() == "## What changes on real repositories\n" {
		b.WriteString("\nNothing.\n")
	}
	b.WriteString("\n" + Figures(now))
	b.WriteString("\n<details>\n<summary>By rule and severity</summary>\n\n" + ruleTable(now, "%[1]s") + "\n</details>\n")
	return b.String()
}

// shown is how many rows of a section are written out.
const shown = 40

func section[T any](b *strings.Builder, title string, rows []T, line func(T) string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s (%d)\n\n", title, len(rows))
	for _, row := range rows[:min(shown, len(rows))] {
		fmt.Fprintf(b, "- %s\n", line(row))
	}
	if len(rows) > shown {
		fmt.Fprintf(b, "- … %d more\n", len(rows)-shown)
	}
}

// code is text as a code span: a message holds names that a stranger chose, so none of it
// may be Markdown.
func code(text string) string {
	return "`` " + strings.NewReplacer("`", "'", "\n", " ", "\r", " ").Replace(text) + " ``"
}

func verdictLine(v Verdict) string {
	verdict := ""
	if v.Verdict != Unjudged {
		verdict = " (" + v.Verdict + ")"
	}
	return fmt.Sprintf("%s %s%s: %s %s", v.Severity, v.Rule, verdict, code(v.Repository+" "+v.Path+":"+v.Place), code(v.Message))
}

func expectedLine(e Expected) string {
	return fmt.Sprintf("%s: %s %s", strings.Join(e.Rules, " or "), code(fmt.Sprintf("%s %s:%d", e.Repository, e.Path, e.Line)), code(e.Cause))
}

func hunkLine(h Hunk) string {
	return fmt.Sprintf("%s: %s", h.Mode, code(fmt.Sprintf("%s %s:%d %s", h.Repository, h.Path, h.Line, h.Digest)))
}

// Figures returns precision, recall and the acceptance of fixes as a Markdown table.
func Figures(t *Tables) string {
	all := t.ByRule()
	weighty, notes := Sum(all, "error", "warning"), Sum(all, "note")
	found, expected := t.Recall()
	var b strings.Builder
	b.WriteString("| | judged | share |\n|---|---|---|\n")
	row := func(what string, part, whole int) {
		fmt.Fprintf(&b, "| %s | %d of %d | %s |\n", what, part, whole, percent(share(part, whole)))
	}
	row("errors and warnings that are true and useful", weighty.Right+weighty.BadlySaid, weighty.All())
	row("of these well said: severity, place and advice", weighty.Right, weighty.All())
	row("notes of use", notes.Right+notes.BadlySaid, notes.All())
	row("expected problems that are found", found, expected)
	for _, mode := range []string{"safe", "unsafe"} {
		f := t.Fixes(mode)
		row(mode+" fixes that would be merged, by hunk", f.Merge, f.Merge+f.Edit+f.Refuse)
	}
	return b.String()
}

// percent rounds down, so that nothing is called 100 % that is not.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", float64(int(share*1000))/10) }
