package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// run is the result of reading and checking.
type run struct {
	repo *mcp.Repo
	// unread are the findings of files that do not parse, found the findings of the rules.
	unread, found []rule.Finding
	// whole reports that everything was requested and nothing failed; isRead reports the same,
	// except that a registry may not have answered.
	whole, isRead bool
	// paths are those of all files that were found, whether they are read or excluded by
	// the settings.
	paths []string
}

// refine returns the findings that the repository's policy keeps, sorted, and counts those
// that it hides.
func refine(o Options, rules []*rule.Rule, r run) (findings []rule.Finding, suppressed int) {
	findings = rule.Sort(slices.Concat(r.unread, r.found))
	// The linter's own findings are reported regardless of the selected rules; only the settings
	// disable them.
	if o.Checks == nil {
		findings = slices.DeleteFunc(findings, func(f rule.Finding) bool { return !slices.Contains(rules, f.Rule) })
	}
	suppression := policy.Run{
		Repo: r.repo, Settings: o.Settings, Baseline: o.Baseline, NoIgnore: o.NoIgnore, NoComments: o.NoComments, Always: o.Always, Today: o.Today,
		AtBase:  o.atBase,
		Unused:  slices.Contains(rules, checks.UnusedIgnore),
		Counted: o.asks, Paths: r.paths, KnowsNames: r.isRead,
		Runs: func(id string) bool {
			return slices.ContainsFunc(rules, func(c *rule.Rule) bool { return c.ID == id })
		},
		Judged: func(id string) bool {
			return r.whole && slices.ContainsFunc(rules, func(c *rule.Rule) bool {
				return c.ID == id && (c.Run != nil && !c.Online && (!c.UsesRegistry || o.Ask != nil) && (!c.NeedsBase || o.Base != nil) || c == checks.SyntaxError)
			})
		},
	}
	return suppression.Suppress(findings)
}

// sortErrors sorts by path and message, and drops duplicates.
func sortErrors(errors []FileError) []FileError {
	slices.SortFunc(errors, func(a, b FileError) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(errors)
}
