package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sethvargo/go-githubactions"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxAnnotations is how many annotations of one kind GitHub keeps of a step;
// what comes after is dropped without a word (actions/runner,
// ExecutionContext.cs, _maxCountPerIssueType).
const maxAnnotations = 10

// maxMessage is where GitHub's runner cuts a message, in UTF-16 code units
// (actions/runner, ExecutionContext.cs, _maxIssueMessageLength). No message for
// people is longer.
const maxMessage = 4096

// writeGitHub writes workflow commands, which GitHub shows as annotations, the
// gravest findings first. Beside every command stands a plain line, because the
// log shows neither file nor line of a command.
func writeGitHub(w io.Writer, r *Report, o Options) error {
	// go-githubactions panics when a write fails; memory takes everything.
	var out bytes.Buffer
	g := githubWriter{&out, githubactions.New(githubactions.WithWriter(&out)), o}
	var seen [checks.Error + 1]int
	for _, f := range o.urgentFirst(r.Findings) {
		if f.Severity < o.Severity {
			break
		}
		g.line(f)
		if seen[f.Severity]++; seen[f.Severity] <= g.room(f.Severity) {
			g.annotate(f)
		}
	}
	g.rest(seen)
	g.plain(plainSummary(r, o))
	_, err := w.Write(out.Bytes())
	return err
}

// gravestFirst returns the findings by severity, otherwise in their order.
func gravestFirst(findings []checks.Finding) []*checks.Finding {
	sorted := make([]*checks.Finding, len(findings))
	for i := range findings {
		sorted[i] = &findings[i]
	}
	slices.SortStableFunc(sorted, func(a, b *checks.Finding) int { return int(b.Severity) - int(a.Severity) })
	return sorted
}

// urgentFirst returns the findings by severity, and within one severity those in
// the files that come first, otherwise in their order.
func (o Options) urgentFirst(findings []checks.Finding) []*checks.Finding {
	sorted := gravestFirst(findings)
	if o.First == nil {
		return sorted
	}
	slices.SortStableFunc(sorted, func(a, b *checks.Finding) int {
		aFirst, bFirst := o.First(a.File.Path), o.First(b.File.Path)
		switch {
		case a.Severity != b.Severity || aFirst == bFirst:
			return int(b.Severity) - int(a.Severity)
		case aFirst:
			return -1
		}
		return 1
	})
	return sorted
}

type githubWriter struct {
	out    *bytes.Buffer
	action *githubactions.Action
	o      Options
}

// room is how many findings of a severity become annotations.
func (g githubWriter) room(severity checks.Severity) int {
	return max(0, maxAnnotations-g.o.Annotated[severity])
}

// line writes a finding as plain text.
func (g githubWriter) line(f *checks.Finding) {
	g.plain(fmt.Sprintf("%s: %s: %s [%s]", g.place(f.File, f.Span), f.Severity, g.text(f.Message), f.Check.ID))
}

// place returns path:line:col.
func (g githubWriter) place(file *syntax.File, span syntax.Span) string {
	p := file.Position(span.Start, syntax.CodePoints)
	return fmt.Sprintf("%s:%d:%d", g.o.show(file.Path), p.Line, p.Column)
}

// text returns a text of the repository as the log may hold it.
func (githubWriter) text(text string) string {
	return shorten(Escape(secret.Mask(text)), maxMessage)
}

// plain writes a line that the runner takes for no command. It does so with a
// line that begins with :: after white space, and with one that holds ##[
// anywhere (actions/runner, ActionCommand.cs). Lines begin with a path, which
// "./" leaves the same.
func (g githubWriter) plain(line string) {
	if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") {
		line = "./" + line
	}
	g.out.WriteString(withoutCommand(line))
	g.out.WriteByte('\n')
}

// withoutCommand spells out the old form of a workflow command.
func withoutCommand(text string) string {
	return strings.ReplaceAll(text, oldCommand, `\x23#[`)
}

// annotate writes the workflow command of a finding. The library escapes it.
func (g githubWriter) annotate(f *checks.Finding) {
	start, end := f.File.Position(f.Span.Start, syntax.CodePoints), f.File.Position(f.Span.End, syntax.CodePoints)
	properties := map[string]string{
		"title":   "mcplumb: " + f.Check.ID,
		"file":    annotationPath(f.File.Path),
		"line":    strconv.Itoa(start.Line),
		"endLine": strconv.Itoa(end.Line),
	}
	if start.Line == end.Line {
		// The runner drops columns of a range over several lines.
		properties["col"] = strconv.Itoa(start.Column)
		properties["endColumn"] = strconv.Itoa(end.Column)
	}

	message := withoutCommand(g.message(f))
	command := g.action.WithFieldsMap(properties)
	switch f.Severity {
	case checks.Error:
		command.Errorf("%s", message)
	case checks.Warning:
		command.Warningf("%s", message)
	default:
		command.Noticef("%s", message)
	}
}

// message says everything about a finding, related places and fix included:
// who reads an annotation does not see the log.
func (g githubWriter) message(f *checks.Finding) string {
	lines := []string{g.text(f.Message)}
	for _, related := range f.Related[:min(len(f.Related), maxRelated)] {
		lines = append(lines, g.place(related.File, related.Span)+": "+g.text(related.Message))
	}
	if more := len(f.Related) - maxRelated; more > 0 {
		lines = append(lines, "and "+count(more, "more place"))
	}
	if len(f.Fixes) > 0 {
		lines = append(lines, "fix: "+g.text(fixTitle(f.Fixes[0])))
	}
	return shorten(strings.Join(lines, "\n"), maxMessage)
}

// fixTitle returns what a fix does, and that it is not safe.
func fixTitle(fix checks.Fix) string {
	if fix.Safety == checks.Unsafe {
		return fix.Title + " (unsafe)"
	}
	return fix.Title
}

// annotationPath returns the path from the repository root as it is, because
// GitHub attaches an annotation by it. Only what a terminal would act upon is
// spelled out; line breaks are escaped with the rest of the command.
func annotationPath(path string) string {
	var b strings.Builder
	for len(path) > 0 {
		r, size := utf8.DecodeRuneInString(path)
		switch {
		case r == '\n', r == '\r':
			b.WriteRune(r)
		case r == utf8.RuneError && size == 1, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteString(escapeRune(r, path[:size]))
		default:
			b.WriteString(path[:size])
		}
		path = path[size:]
	}
	return b.String()
}

// rest counts the findings that have a line and no annotation.
func (g githubWriter) rest(seen [checks.Error + 1]int) {
	total := 0
	var parts []string
	for severity := checks.Error; severity >= checks.Note; severity-- {
		if more := seen[severity] - g.room(severity); more > 0 {
			total += more
			parts = append(parts, count(more, severity.String()))
		}
	}
	if total > 0 {
		g.plain(fmt.Sprintf("mcplumb: %s above without an annotation (%s): GitHub keeps %d of each kind",
			count(total, "finding"), strings.Join(parts, ", "), maxAnnotations))
	}
}

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
