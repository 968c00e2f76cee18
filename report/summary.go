package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// summary says in one line what was found, where, and what is not shown, and in a
// line each what the settings keep from being found.
func (t textWriter) summary(v *view.View) {
	s := v.Summary
	var line []piece
	add := func(format string, values ...any) { line = append(line, piece{text: fmt.Sprintf(format, values...)}) }
	var hidden []string
	for _, part := range []struct {
		severity rule.Severity
		count    int
	}{{rule.Error, s.Errors}, {rule.Warning, s.Warnings}, {rule.Note, s.Notes}} {
		switch text := Count(part.count, part.severity.String()); {
		case part.count == 0:
		case part.severity < t.o.Severity:
			hidden = append(hidden, text)
		default:
			if len(line) > 0 {
				add(", ")
			}
			line = append(line, piece{sgr: severityColor(part.severity), text: text})
		}
	}
	problems := len(v.Problems())
	switch {
	case len(line) > 0:
	case s.Errors+s.Warnings > 0:
		add("nothing to show")
	case s.Files == 0 && problems > 0:
		add("nothing was checked")
	case s.Files == 0:
		add("no MCP configuration found")
	case s.Old > 0:
		add("nothing new")
	default:
		add("no problems")
	}
	if s.Files > 0 {
		add(" in %s, %s", Count(s.Servers, "server"), Count(s.Files, "file"))
	}
	if len(hidden) > 0 {
		lowest := rule.Warning
		if s.Notes > 0 {
			lowest = rule.Note
		}
		them := "them"
		if s.Findings()-len(v.Findings(t.o.Severity)) == 1 {
			them = "it"
		}
		lower := t.code("--severity " + lowest.String())
		if t.o.Lower != "" {
			lower = t.o.Lower + " " + lowest.String()
		}
		add(" (%s: %s shows %s)", strings.Join(hidden, ", "), lower, them)
	}
	if s.Suppressed > 0 {
		add(", %d suppressed", s.Suppressed)
	}
	if s.Old > 0 {
		add(", %d not new", s.Old)
	}
	if s.Fixable > 0 {
		add("; %s", t.fixable(s.Fixable, v.SafelyFixable(), v.HasFixablePlaces()))
	}
	if problems > 0 {
		add("; ")
		line = append(line, piece{sgr: red, text: fmt.Sprintf("incomplete: %d %s could not be checked", problems, plural(problems, "file, rule or registry", "files, rules or registries"))})
	}
	t.paragraph(messageIndent, line...)
	for _, notice := range v.Notices() {
		t.paragraph(messageIndent, piece{text: notice.String()})
	}
}

// notNew says that n findings are not reported because they are not new.
func notNew(n int) string {
	return fmt.Sprintf("%s not new, and not reported", plural(n, "1 finding is", fmt.Sprintf("%d findings are", n)))
}

// HiddenNotes returns in a sentence each what is not reported, for those who read a format that
// does not tell.
func HiddenNotes(v *view.View) []string {
	var lines []string
	for _, notice := range v.Notices() {
		lines = append(lines, notice.String())
	}
	if v.Summary.Old > 0 {
		lines = append(lines, notNew(v.Summary.Old))
	}
	return lines
}

// fixable says how many findings can be fixed, or how many places if one of them is of
// several, and with which flag.
func (t textWriter) fixable(all, safe int, arePlaces bool) string {
	command := ""
	if t.o.Lower != "" { // who reads this gave no flags
		command = "mcplumb check "
	}
	many := func(n int) string {
		if arePlaces {
			return Count(n, "place")
		}
		return strconv.Itoa(n)
	}
	unsafe := all - safe
	switch {
	case unsafe == 0:
		return fmt.Sprintf("%s fixable with %s", many(safe), t.code(command+"--fix"))
	case safe == 0:
		return fmt.Sprintf("%s fixable with %s", many(unsafe), t.code(command+"--fix=unsafe"))
	}
	return fmt.Sprintf("%s fixable with %s, %d more with %s", many(safe), t.code(command+"--fix"), unsafe, t.code("--fix=unsafe"))
}

// plainSummary returns the lines of the summary, without color.
func plainSummary(v *view.View, o Options) []string {
	return strings.Split(plainText(func(t textWriter) { t.summary(v) }, Options{Severity: o.Severity, Lower: o.Lower}), "\n")
}

// markdownSummary returns the summary in Markdown, a paragraph for each line. Except for the
// notices, all of its text is mcplumb's own.
func markdownSummary(v *view.View, o Options) string {
	lines := strings.Split(plainText(func(t textWriter) {
		t.asCode = codeSpan
		t.summary(v)
	}, Options{Severity: o.Severity, Lower: o.Lower}), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = markdown(lines[i])
	}
	return strings.Join(lines, "\n\n")
}
