package policy

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Run is the run whose findings are judged.
type Run struct {
	Repo *mcp.Repo
	// Settings and Baseline are what the repository says; no Baseline is nil.
	Settings *Settings
	Baseline *Baseline
	// NoIgnore leaves what is ignored or known where it is, and reports no ignores.
	NoIgnore bool
	// NoComments gives the comments of files no say.
	NoComments bool
	// Always is the rule whose findings nothing hides, "" for none.
	Always string
	// Today is the date, as 2006-01-02, that tells which ignores have expired;
	// without it none has.
	Today string
	// AtBase is what ignores are compared with, nil for nothing.
	AtBase *AtBase
	// Paths are those of all files that are read, with any contents.
	Paths []string
	// KnowsNames reports that all files were read, so that a name that none of them has is
	// a mistake; Runs whether a rule is one of the run.
	KnowsNames bool
	Runs       func(rule string) bool
	// Unused reports ignores and entries of the baseline that hide nothing.
	Unused bool
	// Judged reports whether all findings of a rule are there: an ignore that
	// hides nothing is then of no use.
	Judged func(rule string) bool
	// Counted reports whether hidden findings of a rule count: the user selected the rule, it
	// did not run only because other rules need it.
	Counted func(*rule.Rule) bool
}

// count counts the findings of the rules that count.
func (r *Run) count(findings []rule.Finding) int {
	count := 0
	for i := range findings {
		if r.Counted(findings[i].Rule) {
			count++
		}
	}
	return count
}

// Suppress returns the findings as the settings and the baseline leave them: with
// the severities of the settings, without what is ignored or known, with the
// ignores and entries that hide nothing. suppressed counts what is hidden. The
// findings are sorted, and so is the result.
func (r *Run) Suppress(findings []rule.Finding) (left []rule.Finding, suppressed int) {
	total := r.count(findings)
	isAlways := func(f rule.Finding) bool { return r.Always != "" && f.Rule.ID == r.Always }
	always := slices.DeleteFunc(slices.Clone(findings), func(f rule.Finding) bool { return !isAlways(f) })
	var unused []rule.Finding
	if !r.NoIgnore {
		known := namesFor(r.Settings.Ignores, r.Repo, r.Paths, findings)
		all := collectIgnores(r.Settings, r.Repo, known, r.Today, r.NoComments)
		all.atBase, all.standing = r.AtBase, r.AtBase.standing(all.all, r.Repo)
		findings = all.hide(findings)
		if r.Unused {
			unused = all.unused(r)
		}
	}
	total += r.count(unused)
	findings = rule.Sort(append(findings, unused...))
	var hidden map[*known]int
	if r.Baseline != nil && !r.NoIgnore {
		findings, hidden = r.Baseline.hide(findings)
	}
	if len(always) > 0 {
		findings = rule.Sort(append(slices.DeleteFunc(findings, isAlways), always...))
	}
	suppressed = total - r.count(findings)
	if hidden != nil && r.Unused {
		findings = rule.Sort(append(findings, r.Baseline.stale(hidden, r.Judged)...))
	}
	for i := range findings {
		findings[i].Severity = r.Settings.severity(&findings[i])
	}
	return findings, suppressed
}
