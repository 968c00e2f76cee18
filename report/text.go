package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// The widths of a note that is one of many, in columns: of its line, and of its
// message between a long path and the rule.
const (
	maxNoteLine    = 120
	minNoteMessage = 40
)

// WriteText writes for people: one block per finding that begins with
// path:line:col, which terminals and editors can open, and a summary. The most severe
// come first, then the order is that of their places; or that alone, if asked for.
// Notes are many where there are any, so they come
// after the rest, by rule, in few lines of the same form.
func WriteText(w io.Writer, v *view.View, o Options) error {
	out := bufio.NewWriter(w)
	t := textWriter{out: out, o: o}
	if o.Statistics {
		t.statistics(v)
		return out.Flush()
	}
	if !o.Quiet {
		t.brought(v)
	}
	var notes []view.Finding
	hidesMore := false
	findings := slices.Clone(v.Findings(o.Severity))
	if !o.ByPath {
		slices.SortStableFunc(findings, func(a, b view.Finding) int { return cmp.Compare(b.Severity(), a.Severity()) })
	}
	for _, f := range findings {
		if f.Severity() == rule.Note && !o.AllNotes {
			notes = append(notes, f)
			continue
		}
		if t.finding(f) {
			hidesMore = true
		}
	}
	for _, group := range byRule(notes) {
		t.notes(group)
	}
	if !o.Quiet {
		t.summary(v)
		t.footer(v)
		if hidesMore && o.Hint {
			t.paragraph(messageIndent, piece{text: "note: *** also hides what is no finding: mcplumb explain hardcoded-secret"})
		}
	}
	return out.Flush()
}

// textWriter writes to a buffer, which keeps the first error or has none.
type textWriter struct {
	out interface {
		io.Writer
		io.StringWriter
	}
	o Options
	// asCode marks text for the reader to type, nil if that needs no mark.
	asCode func(string) string
}

// code returns text for the reader to type, as the output shows it.
func (t textWriter) code(text string) string {
	if t.asCode == nil {
		return text
	}
	return t.asCode(text)
}

// The colors, as SGR parameters.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	gray   = "90"
)

func (t textWriter) color(sgr, text string) string {
	if !t.o.Color || sgr == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func severityColor(s rule.Severity) string {
	switch s {
	case rule.Error:
		return red
	case rule.Warning:
		return yellow
	}
	return blue
}

// finding writes a finding with its source lines, and reports whether one of them
// hides something that no rule calls a credential.
func (t textWriter) finding(f view.Finding) (hidesMore bool) {
	place := f.Place()
	t.line(f, f.ProblemHere().String())
	related, more := f.Related(maxRelated)
	digits := lineDigits(place)
	for _, r := range related {
		digits = max(digits, lineDigits(r.Place))
	}
	hidesMore = t.source(place, digits, "^", severityColor(f.Severity()))
	for _, r := range related {
		t.paragraph(relatedIndent, piece{text: "  "}, piece{sgr: bold, text: r.Place.String()}, piece{text: ": " + r.MessageHere.String()})
		hidesMore = t.source(r.Place, digits, "-", blue) || hidesMore
	}
	if more > 0 {
		hint := "and " + Count(more, "more place")
		if f.Unlisted() == 0 {
			hint += ", see --format json"
		}
		t.paragraph(relatedIndent, piece{text: "  "}, piece{sgr: gray, text: hint})
	}
	switch fixes := f.Fixes(); {
	case len(fixes) > 0:
		t.paragraph(relatedIndent, piece{text: "  fix: " + fixes[0].TitleHere().String() + " "}, piece{sgr: gray, text: "(" + fixFlag(fixes[0].Safety()) + ")"})
	case !f.Help().IsZero():
		t.paragraph(relatedIndent, piece{text: "  help: " + f.HelpHere().String()})
	}
	if see := f.See(); !see.IsZero() {
		t.paragraph(relatedIndent, piece{text: "  see: "}, piece{text: see.String(), url: see.Plain()})
	}
	fmt.Fprintln(t.out)
	return hidesMore
}

// fixFlag returns the flag that makes a fix.
func fixFlag(s rule.Safety) string {
	if s == rule.Unsafe {
		return "--fix=unsafe"
	}
	return "--fix"
}

// line writes a finding in one line, in the form that grep, editors and problem
// matchers take, as long as it is not for a terminal.
func (t textWriter) line(f view.Finding, message string) {
	t.paragraph(messageIndent,
		piece{sgr: bold, text: f.Place().String()}, piece{text: ": "},
		piece{sgr: severityColor(f.Severity()), text: f.Severity().String()}, piece{text: ": " + message + " "},
		piece{sgr: gray, text: "[" + f.Rule().ID + "]", url: f.Rule().URL()})
}

// The columns by which the further lines of a message are indented, and those of what belongs to
// it.
const messageIndent, relatedIndent = 2, 4

// source writes the source line of a place with the token underlined, and reports
// whether it hides something that no rule calls a credential.
func (t textWriter) source(place view.Place, digits int, mark, sgr string) (hidesMore bool) {
	number := fmt.Sprintf(" %*d |", digits, place.Line())
	s := place.Snippet(t.snippetColumns(len(number) + 1))
	if s.Text != "" {
		s.Text = " " + s.Text
	}
	fmt.Fprintf(t.out, "%s%s\n", t.color(gray, number), s.Text)
	fmt.Fprintf(t.out, "%s %s%s\n",
		t.color(gray, strings.Repeat(" ", digits+2)+"|"),
		strings.Repeat(" ", s.Indent),
		t.color(sgr, strings.Repeat(mark, s.Length)))
	return s.HidesMore
}

// snippetColumns returns how much of a source line fits next to a margin. It may be cut on
// both sides.
func (t textWriter) snippetColumns(margin int) int {
	if t.o.Width == 0 {
		return view.SnippetColumns
	}
	return min(view.SnippetColumns, t.o.Width-margin-2*terminal.Width("…"))
}

func lineDigits(place view.Place) int { return len(strconv.Itoa(place.Line())) }

// byRule returns the findings of one rule after another, in the order of their
// IDs.
func byRule(findings []view.Finding) [][]view.Finding {
	groups := map[string][]view.Finding{}
	for _, f := range findings {
		groups[f.Rule().ID] = append(groups[f.Rule().ID], f)
	}
	var sorted [][]view.Finding
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		sorted = append(sorted, groups[id])
	}
	return sorted
}

// maxNotes is how many notes of one rule are shown in a line each; the others
// are counted.
const maxNotes = 5

// notes writes the notes of one rule: a line for each of the first places.
func (t textWriter) notes(group []view.Finding) {
	listed, more := group, []view.Finding(nil)
	if len(group) > maxNotes+1 { // the line that counts a single one could show it
		listed, more = group[:maxNotes], group[maxNotes:]
	}
	files := map[view.Path]bool{}
	for _, f := range more {
		files[f.Place().Path()] = true
	}
	rule := group[0].Rule().ID
	for _, f := range listed {
		message := f.MessageHere().String()
		if len(more) > 0 {
			room := min(maxNoteLine, cmp.Or(t.o.Width, maxNoteLine)) - terminal.Width(f.Place().String()) - len(": note:  []") - len(rule)
			message = terminal.Fit(message, max(room, minNoteMessage))
		}
		t.line(f, message)
	}
	if len(more) > 0 {
		fmt.Fprintf(t.out, "  and %d more of %s in %s: --rule %s shows all\n", len(more), rule, Count(len(files), "file"), rule)
	}
	fmt.Fprintln(t.out)
}

// plainText returns what is written as text, without the line breaks at its end.
func plainText(write func(textWriter), o Options) string {
	var text strings.Builder
	write(textWriter{out: &text, o: o})
	return strings.TrimRight(text.String(), "\n")
}
