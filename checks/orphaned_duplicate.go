package checks

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// orphanedDuplicate finds entries that were switched off as repeats of an entry
// that no longer runs.
var orphanedDuplicate = &Check{
	ID:       "orphaned-duplicate",
	Title:    "a duplicate is switched off, and so is what it repeats",
	Severity: Warning,
	Reads:    notTestData,
	Run:      runOrphanedDuplicate,
}

// runOrphanedDuplicate reports one entry of every group that starts the same, the
// first: one of them has to run again, not all.
func runOrphanedDuplicate(p *Pass) {
	for doc := range p.Documents() {
		if !slices.ContainsFunc(doc.Servers, isRepeat) {
			continue
		}
		for _, same := range groupBy(doc.Servers, byLaunch) {
			if slices.ContainsFunc(same, func(s *mcp.Server) bool { return !s.Disabled }) {
				continue
			}
			i := slices.IndexFunc(same, func(s *mcp.Server) bool { return isRepeat(s) && !runsAs(doc, s.Extra().DuplicateOf.Text) })
			if i >= 0 {
				reportOrphan(p, same[i], same)
			}
		}
	}
}

// isRepeat reports whether an entry says that it repeats another.
func isRepeat(s *mcp.Server) bool { return s.Extra().DuplicateOf.Text != "" }

// runsAs reports whether a document has an entry of that name that is not
// switched off.
func runsAs(doc *mcp.Document, name string) bool {
	return slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return s.Name == name && !s.Disabled })
}

func reportOrphan(p *Pass, s *mcp.Server, same []*mcp.Server) {
	f := at(s)
	f.Span = s.Extra().DuplicateOf.Span
	original := slices.IndexFunc(s.Document.Servers, func(other *mcp.Server) bool { return other.Name == s.Extra().DuplicateOf.Text })
	if original < 0 {
		f.Message = fmt.Sprintf("%q is switched off as a duplicate of %q, which is gone: no copy of the server is on", s.Name, s.Extra().DuplicateOf.Text)
	} else {
		f.Message = fmt.Sprintf("%q is switched off as a duplicate of %q, which is switched off itself: no copy of the server is on", s.Name, s.Extra().DuplicateOf.Text)
	}
	for _, other := range same {
		if other != s {
			f.Related = append(f.Related, seeAlso(other, "switched off, too"))
		}
	}
	p.Report(f)
}
