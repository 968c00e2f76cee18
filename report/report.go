// Package report writes what was found, one output format per file.
//
// Everything that comes from the repository is hostile here: names, messages,
// paths and source lines are escaped for the output they go to, and secrets are
// hidden.
package report

import (
	"fmt"
	"io"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Report is the outcome of a run.
type Report struct {
	Tool    Tool
	Summary Summary
	// Findings are all findings, whatever their severity, sorted.
	Findings []checks.Finding
	// Errors say what could not be checked.
	Errors []Error

	hidden secret.Spans
}

// Tool names the program that wrote a report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Summary counts what was checked and found.
type Summary struct {
	Files    int `json:"files"`
	Servers  int `json:"servers"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	// Suppressed are the findings that ignores and the baseline hide. They are
	// in no other number.
	Suppressed int `json:"suppressed"`
	Fixable    int `json:"fixable"`
}

// Error is something that could not be checked.
type Error struct {
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// Options are the choices of the person who reads the output.
type Options struct {
	// Severity is the lowest severity that people are shown. Formats for
	// machines carry every finding.
	Severity checks.Severity
	// Lower is what people write before a severity to be shown more, "" for the
	// flag.
	Lower string
	// AllNotes shows every note like any other finding, where people would be
	// shown only some of each rule.
	AllNotes bool
	// First says which files come first where only some findings get a place:
	// those that a change touches. nil means none does.
	First func(path string) bool
	// Annotated are the annotations that the step has already, by severity: GitHub
	// keeps only so many of a step.
	Annotated [checks.Error + 1]int
	// Room is how many bytes of findings the markdown format may hold; 0 means
	// what fits a comment.
	Room int
	// Category is the category of the analysis in SARIF: code scanning compares
	// an upload with the last one of the same category. "" leaves it to whoever
	// uploads.
	Category string
	// Color allows colours in formats for terminals.
	Color bool
	// Show turns a path from the repository root into the one people see; nil
	// leaves it as it is.
	Show func(path string) string
	// Open turns a path from the repository root into one from the current
	// directory, for programs that run there; nil leaves it as it is.
	Open func(path string) string
}

// Format is one way to write a report.
type Format struct {
	Name  string
	Write func(io.Writer, *Report, Options) error
}

// All returns the formats of check; the first is the default.
func All() []*Format {
	return []*Format{
		{Name: "text", Write: writeText},
		{Name: "json", Write: writeJSON},
		{Name: "sarif", Write: writeSARIF},
		{Name: "github", Write: writeGitHub},
		{Name: "markdown", Write: writeMarkdown},
		{Name: "rdjson", Write: writeRDJSON},
		{Name: "gitlab", Write: writeGitLab},
		{Name: "junit", Write: writeJUnit},
	}
}

// Summarize counts findings; who knows how many are suppressed adds them.
func Summarize(files, servers int, findings []checks.Finding) Summary {
	s := Summary{Files: files, Servers: servers}
	for i := range findings {
		switch findings[i].Severity {
		case checks.Error:
			s.Errors++
		case checks.Warning:
			s.Warnings++
		case checks.Note:
			s.Notes++
		}
		if len(findings[i].Fixes) > 0 {
			s.Fixable++
		}
	}
	return s
}

// shown returns the findings that are to be shown, in their order.
func shown(r *Report, o Options) []*checks.Finding {
	var findings []*checks.Finding
	for i := range r.Findings {
		if r.Findings[i].Severity >= o.Severity {
			findings = append(findings, &r.Findings[i])
		}
	}
	return findings
}

// homepage is where the project lives.
const homepage = "https://github.com/mcplumb/mcplumb"

// ruleURL returns the address of a rule's page.
func ruleURL(c *checks.Check) string { return homepage + "/blob/main/docs/checks.md#" + c.ID }

// show returns the path as people see it, escaped.
func (o Options) show(path string) string { return Escape(o.shown(path)) }

// shown returns the path as people see it, not escaped.
func (o Options) shown(path string) string {
	if o.Show == nil {
		return path
	}
	return o.Show(path)
}

// line returns path and line of a place as people see them, not escaped.
func (o Options) line(file *syntax.File, span syntax.Span) string {
	return fmt.Sprintf("%s:%d", o.shown(file.Path), file.LineAt(span.Start))
}
