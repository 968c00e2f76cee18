package policy

import (
	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Run is the run whose findings are judged.
type Run struct {
	Repo *mcp.Repo
	// Settings and Baseline are what the repository says; no Baseline is nil.
	Settings *Settings
	Baseline *Baseline
	// NoIgnore leaves what is ignored where it is, and reports no ignores.
	NoIgnore bool
	// Today is the date, as 2006-01-02, that tells which ignores have expired;
	// without it none has.
	Today string
	// Unused reports ignores and entries of the baseline that hide nothing.
	Unused bool
	// Judged reports whether all findings of a rule are there: an ignore that
	// hides nothing is then of no use.
	Judged func(rule string) bool
}

// Suppress returns the findings as the settings and the baseline leave them: with
// the severities of the settings, without what is ignored or known, with the
// ignores and entries that hide nothing. suppressed counts what is hidden. The
// findings are sorted, and so is the result.
func (r *Run) Suppress(findings []checks.Finding) (left []checks.Finding, suppressed int) {
	total := len(findings)
	var unused []checks.Finding
	if !r.NoIgnore {
		all := collectIgnores(r.Settings, r.Repo, r.Today)
		findings = all.hide(findings)
		if r.Unused {
			unused = all.unused(r.Judged)
		}
	}
	total += len(unused)
	findings = checks.Sort(append(findings, unused...))
	var hidden map[*known]int
	if r.Baseline != nil {
		findings, hidden = r.Baseline.hide(findings)
	}
	suppressed = total - len(findings)
	if r.Baseline != nil && r.Unused {
		findings = checks.Sort(append(findings, r.Baseline.stale(hidden, r.Judged)...))
	}
	for i := range findings {
		findings[i].Severity = r.Settings.severity(&findings[i])
	}
	return findings, suppressed
}
