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

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxRelated is how many related places of one finding are shown; the others
// are counted.
const maxRelated = 5

// writeText writes for people: one block per finding that begins with
// path:line:col, which terminals and editors can open, and a summary line. Notes
// are many where there are any, so they come after the rest, by rule, in few
// lines.
func writeText(w io.Writer, r *Report, o Options) error {
	out := bufio.NewWriter(w)
	t := textWriter{out: out, o: o, secrets: &r.hidden, hidden: secretSpans(r.Findings)}
	var notes []*checks.Finding
	for _, f := range shown(r, o) {
		if f.Severity == checks.Note && !o.AllNotes {
			notes = append(notes, f)
			continue
		}
		t.finding(f)
	}
	for _, group := range byRule(notes) {
		t.notes(group)
	}
	t.summary(r)
	return out.Flush()
}

// textWriter writes to a buffer, whose Flush returns the first error.
type textWriter struct {
	out *bufio.Writer
	o   Options
	// hidden are the spans of each file that a rule calls a credential.
	hidden  map[*syntax.File][]syntax.Span
	secrets *secret.Spans
}

// secretSpans returns the spans that no snippet may show, sorted. A secret that
// is one because of a name several lines above cannot be told from its line.
func secretSpans(findings []checks.Finding) map[*syntax.File][]syntax.Span {
	spans := map[*syntax.File][]syntax.Span{}
	for _, f := range findings {
		if f.Secret {
			spans[f.File] = append(spans[f.File], f.Span)
		}
		for _, r := range f.Related {
			if r.Secret {
				spans[r.File] = append(spans[r.File], r.Span)
			}
		}
	}
	for _, list := range spans {
		slices.SortFunc(list, func(a, b syntax.Span) int { return a.Start - b.Start })
	}
	return spans
}

// The colours, as SGR parameters.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	gray   = "90"
)

func (t textWriter) color(sgr, text string) string {
	if !t.o.Color {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func severityColor(s checks.Severity) string {
	switch s {
	case checks.Error:
		return red
	case checks.Warning:
		return yellow
	}
	return blue
}

func (t textWriter) finding(f *checks.Finding) {
	fmt.Fprintf(t.out, "%s: %s: %s %s\n",
		t.color(bold, t.place(f.File, f.Span)),
		t.color(severityColor(f.Severity), f.Severity.String()),
		Escape(secret.Mask(f.Message)),
		t.color(gray, "["+f.Check.ID+"]"))

	related := f.Related[:min(len(f.Related), maxRelated)]
	digits := lineDigits(f.File, f.Span)
	for _, r := range related {
		digits = max(digits, lineDigits(r.File, r.Span))
	}
	t.source(f.File, f.Span, digits, "^", severityColor(f.Severity))
	for _, r := range related {
		fmt.Fprintf(t.out, "  %s: %s\n", t.color(bold, t.place(r.File, r.Span)), Escape(secret.Mask(r.Message)))
		t.source(r.File, r.Span, digits, "-", blue)
	}
	if more := len(f.Related) - len(related); more > 0 {
		fmt.Fprintf(t.out, "  %s\n", t.color(gray, fmt.Sprintf("and %s, see --format json", count(more, "more place"))))
	}
	if len(f.Fixes) > 0 {
		fmt.Fprintf(t.out, "  fix: %s", Escape(secret.Mask(f.Fixes[0].Title)))
		if f.Fixes[0].Safety == checks.Unsafe {
			fmt.Fprintf(t.out, " %s", t.color(gray, "(unsafe)"))
		}
		fmt.Fprintln(t.out)
	}
	fmt.Fprintln(t.out)
}

// place returns path:line:col.
func (t textWriter) place(file *syntax.File, span syntax.Span) string {
	p := file.Position(span.Start, syntax.CodePoints)
	return fmt.Sprintf("%s:%d:%d", t.o.show(file.Path), p.Line, p.Column)
}

// source writes the source line of a span with the token underlined.
func (t textWriter) source(file *syntax.File, span syntax.Span, digits int, mark, sgr string) {
	s := snippetOf(file, span, t.secrets, t.hidden[file])
	number := fmt.Sprintf(" %*d |", digits, file.LineAt(span.Start))
	if s.text != "" {
		s.text = " " + s.text
	}
	fmt.Fprintf(t.out, "%s%s\n", t.color(gray, number), s.text)
	fmt.Fprintf(t.out, "%s %s%s\n",
		t.color(gray, strings.Repeat(" ", digits+2)+"|"),
		strings.Repeat(" ", s.indent),
		t.color(sgr, strings.Repeat(mark, s.length)))
}

func lineDigits(file *syntax.File, span syntax.Span) int {
	return len(strconv.Itoa(file.LineAt(span.Start)))
}

// byRule returns the findings of one rule after another, in the order of their
// IDs.
func byRule(findings []*checks.Finding) [][]*checks.Finding {
	groups := map[string][]*checks.Finding{}
	for _, f := range findings {
		groups[f.Check.ID] = append(groups[f.Check.ID], f)
	}
	var sorted [][]*checks.Finding
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		sorted = append(sorted, groups[id])
	}
	return sorted
}

// maxNotes is how many notes of one rule are shown in a line each; the others
// are counted.
const maxNotes = 5

// notes writes the notes of one rule: what the rule is about, and a line for
// each of the first places.
func (t textWriter) notes(group []*checks.Finding) {
	rule := group[0].Check
	fmt.Fprintf(t.out, "%s: %s %s\n",
		t.color(severityColor(checks.Note), count(len(group), checks.Note.String())),
		rule.Title, t.color(gray, "["+rule.ID+"]"))
	listed, more := group, []*checks.Finding(nil)
	if len(group) > maxNotes+1 { // the line that counts a single one could show it
		listed, more = group[:maxNotes], group[maxNotes:]
	}
	files := map[*syntax.File]bool{}
	for _, f := range more {
		files[f.File] = true
	}
	for _, f := range listed {
		place, message := t.place(f.File, f.Span), Escape(secret.Mask(f.Message))
		if len(more) > 0 {
			message = fit(message, max(maxColumns-Width(place), leadColumns))
		}
		fmt.Fprintf(t.out, "  %s: %s\n", t.color(bold, place), message)
	}
	if len(more) > 0 {
		fmt.Fprintf(t.out, "  and %d more in %s: --rule %s shows all\n", len(more), count(len(files), "file"), rule.ID)
	}
	fmt.Fprintln(t.out)
}

// fit cuts escaped text to a number of columns.
func fit(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	var b strings.Builder
	room := columns - Width("…")
	for _, c := range cellsOf(text, 0) {
		if room -= c.width; room < 0 {
			break
		}
		b.WriteString(c.text)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}

// summary says in one line what was found, where, and what is not shown.
func (t textWriter) summary(r *Report) {
	s := r.Summary
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
	if n := len(r.Errors); n > 0 {
		fmt.Fprintf(t.out, "; %s", t.color(red, "incomplete: "+count(n, "problem")+" with the run itself"))
	}
	fmt.Fprintln(t.out)
}

// plainSummary returns the line that ends text output.
func plainSummary(r *Report, o Options) string {
	return plainText(func(t textWriter) { t.summary(r) }, Options{Severity: o.Severity, Lower: o.Lower})
}

// plainText returns what is written as text, without the line breaks at its end.
func plainText(write func(textWriter), o Options) string {
	var text strings.Builder
	buffer := bufio.NewWriter(&text)
	write(textWriter{out: buffer, o: o})
	buffer.Flush() // a builder takes everything
	return strings.TrimRight(text.String(), "\n")
}

// count returns "1 file" or "2 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
