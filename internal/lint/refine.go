package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
)

// run is what came of reading and checking.
type run struct {
	repo *mcp.Repo
	// unread are the findings of files that do not parse, found those of the
	// rules.
	unread, found []checks.Finding
	// whole reports that everything was asked for, and nothing failed.
	whole bool
}

// refine returns the findings that the repository's policy leaves, sorted, and
// counts what it hides.
func refine(o Options, rules []*checks.Check, r run) (findings []checks.Finding, suppressed int) {
	findings = checks.Sort(slices.Concat(r.unread, r.found))
	// What the linter reports itself is there whatever was selected, and only
	// the settings turn it off.
	if o.Checks == nil {
		findings = slices.DeleteFunc(findings, func(f checks.Finding) bool { return !slices.Contains(rules, f.Check) })
	}
	suppression := policy.Run{
		Repo: r.repo, Settings: o.Settings, Baseline: o.Baseline, NoIgnore: o.NoIgnore, Today: o.Today,
		Unused: slices.Contains(rules, checks.UnusedIgnore),
		Judged: func(rule string) bool {
			return r.whole && slices.ContainsFunc(rules, func(c *checks.Check) bool {
				return c.ID == rule && (c.Run != nil && !c.Online || c == checks.SyntaxError)
			})
		},
	}
	return suppression.Suppress(findings)
}

// atSource moves what one check found in files that a generator wrote to the
// file it wrote them from: mending a copy lasts until the next run of the
// generator. What was said of several copies of a server is then said once, and
// what was said of the source itself not again. A copy that is no longer what
// its source says stays where it is.
func atSource(p *mcp.Project, sources []*mcp.Server, findings []checks.Finding) []checks.Finding {
	if len(sources) == 0 {
		return findings
	}
	var kept []checks.Finding
	said := map[*mcp.Server]bool{}
	for _, f := range findings {
		if s := serverAt(p, &f); s != nil && s.Document.Scope == mcp.ScopeGenerator {
			said[s] = true
		}
	}
	for _, f := range findings {
		source := link.SourceOf(serverAt(p, &f), sources)
		switch {
		case source == nil:
		case said[source]:
			continue
		default:
			said[source] = true
			f.File, f.Span, f.Related, f.Fixes = source.Document.File, source.NameSpan, nil, nil
		}
		kept = append(kept, f)
	}
	return kept
}

// serverAt returns the server a finding is about, or nil.
func serverAt(p *mcp.Project, f *checks.Finding) *mcp.Server {
	for _, d := range p.Documents {
		if d.File != f.File {
			continue
		}
		for _, s := range d.Servers {
			if s.Name == f.Server && (s.NameSpan.Contains(f.Span) || s.Span.Contains(f.Span)) {
				return s
			}
		}
	}
	return nil
}

// sortErrors sorts by path and message, and drops what was said twice.
func sortErrors(errors []FileError) []FileError {
	slices.SortFunc(errors, func(a, b FileError) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(errors)
}
