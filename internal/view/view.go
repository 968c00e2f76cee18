// Package view is what a run found and what a repository configures, as an output may show it.
// It is between the rules and the outputs.
//
// Everything that comes from the repository is hostile here, and may hold
// credentials. A View hands it out as Text, in which they are hidden, as a Path,
// or as a Place of a file, whose lines it shows without them. It works out what
// an output asks for and looks through every file once.
package view

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// Run is the outcome of a run, as it is.
type Run struct {
	Tool Tool
	// Files and Servers count what was read, Suppressed the findings that ignores
	// and the baseline hide, Old those that the base has, too.
	Files, Servers, Suppressed, Old int
	// Findings are all findings of any severity, sorted.
	Findings []rule.Finding
	// Failures say what could not be checked.
	Failures []Failure
	// Notices say what the settings keep from being found.
	Notices []string
	Repo    *mcp.Repo
	// Whole is the repository with what was not asked for, nil where that is Repo.
	Whole *mcp.Repo
	// Groups are files to show side by side.
	Groups []*mcp.Group
	// Change is what a change brings, nil where nothing is compared, and Before the part of the
	// base that it was worked out from.
	Change *compare.Summary
	Before *mcp.Repo
	Paths  Paths
}

// Tool names the program that wrote a report.
type Tool struct{ Name, Version string }

// Failure is something that could not be checked. Path is from the root of the
// repository, or "".
type Failure struct{ Path, Message string }

// View is a run as outputs see it. It is not for several goroutines at once.
type View struct {
	Tool    Tool
	Summary Summary

	run Run
	// secrets knows what the text of a file gives away as a credential, declared
	// are the spans that a rule calls one, sorted.
	secrets  secret.Spans
	declared credential.Places         // nil until they are needed
	known    *strings.Replacer         // of their texts, nil until it is needed
	hashes   map[*syntax.File][]string // of lines
	cells    []terminal.Cell           // memory for snippets
	files    map[string]bool           // that messages may name, nil until it is needed
	lowered  map[*rule.Fix][]syntax.Edit
	// lowerer has parsed the files of the last fix, which is most often that of the
	// next one, too; lowering is the first of them.
	lowerer  edit.Lowerer
	lowering *syntax.File
	toLower  map[*syntax.File]int // bytes to read for the fixes of a file, nil until it is needed
}

// New returns the view of a run.
func New(run Run) *View {
	return &View{
		Tool: run.Tool, Summary: summarize(&run), run: run,
		hashes: map[*syntax.File][]string{}, lowered: map[*rule.Fix][]syntax.Edit{},
	}
}

// Summary counts what was checked and found.
type Summary struct {
	Files, Servers          int
	Errors, Warnings, Notes int
	// Suppressed are the findings that ignores and the baseline hide. They are
	// in no other number.
	Suppressed int
	// Old are those that are not new: what is compared with has them, too.
	Old int
	// Fixable are the places with a fix, each fixed by itself: a finding may have several.
	Fixable int
}

func summarize(run *Run) Summary {
	s := Summary{Files: run.Files, Servers: run.Servers, Suppressed: run.Suppressed, Old: run.Old}
	for i := range run.Findings {
		switch run.Findings[i].Severity {
		case rule.Error:
			s.Errors++
		case rule.Warning:
			s.Warnings++
		case rule.Note:
			s.Notes++
		}
		s.Fixable += fixable(&run.Findings[i], rule.Unsafe)
	}
	return s
}

// SafelyFixable counts the places with a safe fix.
func (v *View) SafelyFixable() int {
	count := 0
	for i := range v.run.Findings {
		count += fixable(&v.run.Findings[i], rule.Safe)
	}
	return count
}

// HasFixablePlaces reports whether more can be fixed than there are findings with a fix,
// because one is of several places.
func (v *View) HasFixablePlaces() bool {
	return slices.ContainsFunc(v.run.Findings, func(f rule.Finding) bool { return fixable(&f, rule.Unsafe) > 1 })
}

// fixable counts the places of a finding with a fix that is allowed, as --fix makes them.
func fixable(f *rule.Finding, allowed rule.Safety) int {
	if len(f.Fixes) == 0 {
		return 0
	}
	count := 0
	for _, at := range f.Places() {
		if slices.ContainsFunc(at.Fixes, func(fix rule.Fix) bool { return fix.Safety <= allowed }) {
			count++
		}
	}
	return count
}

// Findings counts all findings.
func (s Summary) Findings() int { return s.Errors + s.Warnings + s.Notes }

// above counts the findings of at least a severity.
func (s Summary) above(lowest rule.Severity) int {
	n := s.Errors
	if lowest <= rule.Warning {
		n += s.Warnings
	}
	if lowest <= rule.Note {
		n += s.Notes
	}
	return n
}

// Problem is something that could not be checked.
type Problem struct {
	Path    Path // zero if it is about no file
	Message Text
}

// String returns the problem as people see it, as a terminal or a log may hold it.
func (p Problem) String() string {
	if p.Path.IsZero() {
		return p.Message.String()
	}
	return p.Path.String() + ": " + p.Message.String()
}

// Problems returns what could not be checked.
func (v *View) Problems() []Problem {
	problems := make([]Problem, len(v.run.Failures))
	for i, f := range v.run.Failures {
		problems[i] = Problem{v.path(f.Path), NewText(f.Message)}
	}
	return problems
}

// Notices say, in a sentence each, what the settings keep from being found.
func (v *View) Notices() []Text {
	notices := make([]Text, len(v.run.Notices))
	for i, text := range v.run.Notices {
		notices[i] = NewText(text)
	}
	return notices
}

// Findings returns the findings of at least a severity, in their order.
func (v *View) Findings(lowest rule.Severity) []Finding {
	findings := make([]Finding, 0, v.Summary.above(lowest))
	for i := range v.run.Findings {
		if v.run.Findings[i].Severity >= lowest {
			findings = append(findings, Finding{v, &v.run.Findings[i]})
		}
	}
	return findings
}

// Finding returns a finding of the run, or one of its places, as it may be shown.
func (v *View) Finding(f *rule.Finding) Finding { return Finding{v, f} }

func (v *View) path(name string) Path { return Path{&v.run.Paths, name} }

func (v *View) place(file *syntax.File, span syntax.Span) Place { return Place{v, file, span} }
