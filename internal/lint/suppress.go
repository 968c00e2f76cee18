package lint

import (
	"slices"

	"github.com/mcplumb/mcplumb/checks"
)

// checks returns the rules that the settings do not turn off.
func (s *Settings) checks() []*checks.Check {
	return slices.DeleteFunc(checks.All(), func(c *checks.Check) bool {
		severity, set := s.Rules[c.ID]
		return set && severity == checks.Off
	})
}

// suppress returns the findings as the settings and the baseline leave them:
// with the severities of the settings, without what is ignored or known, with
// the ignores and entries that hide nothing. What is hidden is counted. The
// findings are sorted, and so is the result.
func (r *Result) suppress(findings []checks.Finding, selected []*checks.Check, o Options) []checks.Finding {
	// What the linter reports itself is there whatever was selected, and only
	// the settings turn it off.
	findings = slices.DeleteFunc(findings, func(f checks.Finding) bool {
		return o.Checks == nil && !slices.Contains(selected, f.Check)
	})
	judged := func(rule string) bool {
		return r.whole && len(r.Errors) == 0 && slices.ContainsFunc(selected, func(c *checks.Check) bool {
			return c.ID == rule && (c.Run != nil && !c.Online || c == checks.SyntaxError)
		})
	}
	reportsUnused := slices.Contains(selected, checks.UnusedIgnore)
	total := len(findings)
	var own []checks.Finding
	if !o.NoIgnore {
		all := collectIgnores(r.settings, r.Repo, o.Today)
		findings = all.hide(findings)
		if reportsUnused {
			own = all.unused(judged)
		}
	}
	total += len(own)
	findings = sortFindings(append(findings, own...))
	if r.baseline != nil {
		findings = r.baseline.hide(findings)
	}
	r.Suppressed = total - len(findings)
	if r.baseline != nil && reportsUnused {
		findings = sortFindings(append(findings, r.baseline.stale(judged)...))
	}
	for i := range findings {
		findings[i].Severity = r.settings.severity(&findings[i])
	}
	return findings
}
