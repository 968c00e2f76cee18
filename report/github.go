package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// maxAnnotations is how many annotations of one kind GitHub keeps of a step;
// what comes after is dropped without a word (actions/runner,
// ExecutionContext.cs, _maxCountPerIssueType).
const maxAnnotations = 10

// Annotations say what annotations are for where only some findings get one.
type Annotations struct {
	// First says which files, by their paths from the root, come first: those that
	// a change touches. nil means none does.
	First func(path string) bool
	// Taken are the annotations that the step has already, by severity: GitHub
	// keeps only so many of a step.
	Taken [rule.Error + 1]int
	// Only leaves out the plain lines: the log has them already.
	Only bool
}

// WriteGitHub writes workflow commands, which GitHub shows as annotations, the most severe
// findings first. Every command comes with a plain line, because the log shows neither file
// nor line of a command.
func WriteGitHub(w io.Writer, v *view.View, o Options, a Annotations) error {
	var out bytes.Buffer
	g := githubWriter{&out, a.Taken}
	hasLines := !a.Only
	var seen [rule.Error + 1]int
	for _, f := range a.urgentFirst(v.Findings(o.Severity)) {
		if hasLines {
			g.line(f)
		}
		if seen[f.Severity()]++; seen[f.Severity()] <= g.room(f.Severity()) {
			g.annotate(f)
		}
	}
	g.rest(seen)
	if hasLines {
		for _, line := range plainSummary(v, o) {
			g.plain(line)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// urgentFirst returns the findings by severity, and within one severity those in
// the files that come first, otherwise in their order.
func (a Annotations) urgentFirst(findings []view.Finding) []view.Finding {
	if a.First == nil {
		return gravestFirst(findings)
	}
	isFirst := func(f view.Finding) bool { return a.First(f.Place().Path().FromRoot().Plain()) }
	slices.SortStableFunc(findings, func(a, b view.Finding) int {
		if order := cmp.Compare(b.Severity(), a.Severity()); order != 0 {
			return order
		}
		return trueFirst(isFirst(a), isFirst(b))
	})
	return findings
}

type githubWriter struct {
	out   *bytes.Buffer
	taken [rule.Error + 1]int // annotations of the step, by severity
}

// room is how many findings of a severity become annotations.
func (g githubWriter) room(severity rule.Severity) int {
	return max(0, maxAnnotations-g.taken[severity])
}

// line writes a finding as plain text.
func (g githubWriter) line(f view.Finding) {
	g.plain(fmt.Sprintf("%s: %s: %s [%s]", f.Place(), f.Severity(), shorten(f.MessageHere().String(), maxMessage), f.Rule().ID))
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
	return strings.ReplaceAll(text, terminal.Command, `\x23#[`)
}

// annotate writes the workflow command of a finding.
func (g githubWriter) annotate(f view.Finding) {
	start, end := f.Place().Start(view.CodePoints), f.Place().End(view.CodePoints)
	properties := map[string]string{
		"title":   "mcplumb: " + f.Rule().ID,
		"file":    annotationPath(f.Place().Path().FromRoot().Plain()),
		"line":    strconv.Itoa(start.Line),
		"endLine": strconv.Itoa(end.Line),
	}
	if start.Line == end.Line {
		// The runner drops columns of a range over several lines.
		properties["col"] = strconv.Itoa(start.Column)
		properties["endColumn"] = strconv.Itoa(end.Column)
	}

	g.out.WriteString(WorkflowCommand(f.Severity(), properties, withoutCommand(annotationMessage(f))))
}

// annotationMessage says everything about a finding, related places and fix included:
// who reads an annotation does not see the log.
func annotationMessage(f view.Finding) string {
	lines := []string{shorten(f.Problem().String(), maxMessage)}
	related, more := f.Related(maxRelated)
	for _, r := range related {
		lines = append(lines, r.Place.String()+": "+shorten(r.Message.String(), maxMessage))
	}
	if more > 0 {
		lines = append(lines, "and "+Count(more, "more place"))
	}
	for _, line := range remedy(f) {
		lines = append(lines, shorten(line, maxMessage))
	}
	return shorten(strings.Join(lines, "\n"), maxMessage)
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
			b.WriteString(terminal.EscapeRune(r, path[:size]))
		default:
			b.WriteString(path[:size])
		}
		path = path[size:]
	}
	return b.String()
}

// rest counts the findings that have a line and no annotation.
func (g githubWriter) rest(seen [rule.Error + 1]int) {
	total := 0
	var parts []string
	for severity := rule.Error; severity >= rule.Note; severity-- {
		if more := seen[severity] - g.room(severity); more > 0 {
			total += more
			parts = append(parts, Count(more, severity.String()))
		}
	}
	if total > 0 {
		g.plain(fmt.Sprintf("mcplumb: %s above without an annotation (%s): GitHub keeps %d of each kind",
			Count(total, "finding"), strings.Join(parts, ", "), maxAnnotations))
	}
}
