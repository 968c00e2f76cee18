package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/syntax"
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
// generator. What was said of the source itself, or in the same words of another
// copy, is not said again; what another client makes of its copy becomes a
// related place. What the source does not say stays where it is: a copy that has
// been changed, and what the generator put into it.
func atSource(p *mcp.Project, sources []*mcp.Server, findings []checks.Finding) []checks.Finding {
	if len(sources) == 0 {
		return findings
	}
	var kept []checks.Finding
	said := map[sourcePlace]int{} // index in kept, or -1 where the source's own finding stands
	for _, f := range findings {
		if s := serverAt(p, &f); s != nil && s.Document.Scope == mcp.ScopeGenerator {
			said[sourcePlace{s, f.Span.Start}] = -1
		}
	}
	for _, f := range findings {
		source, place, ok := inSource(p, sources, &f)
		if !ok {
			kept = append(kept, f)
			continue
		}
		key := sourcePlace{source, place.Start}
		switch at, again := said[key]; {
		case !again:
			said[key] = len(kept)
			f.File, f.Span, f.Related, f.Fixes = source.Document.File, place, nil, nil
			kept = append(kept, f)
		case at >= 0 && kept[at].Message != f.Message:
			to := &kept[at]
			to.Severity = max(to.Severity, f.Severity)
			to.Related = append(to.Related, checks.Related{File: f.File, Span: f.Span, Message: f.Message, Secret: f.Secret})
		}
	}
	return kept
}

// sourcePlace is where in a source something is to be mended.
type sourcePlace struct {
	server *mcp.Server
	start  int
}

// inSource returns the server that a finding's server is a copy of, and where it
// says what the finding is about.
func inSource(p *mcp.Project, sources []*mcp.Server, f *checks.Finding) (*mcp.Server, syntax.Span, bool) {
	s := serverAt(p, f)
	source := link.SourceOf(s, sources)
	if source == nil {
		return nil, syntax.Span{}, false
	}
	place, ok := link.InSource(source, s, f.Span)
	return source, place, ok
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
