package checks

import (
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
		var all map[string]bool // names of entries
		runs := namesOf(doc, func(s *mcp.Server) bool { return !s.Disabled })
		for _, same := range groupBy(doc.Servers, byLaunch) {
			if slices.ContainsFunc(same, func(s *mcp.Server) bool { return !s.Disabled }) {
				continue
			}
			i := slices.IndexFunc(same, func(s *mcp.Server) bool { return isRepeat(s) && !runs[s.Extra().DuplicateOf.Text] })
			if i >= 0 {
				if all == nil {
					all = namesOf(doc, nil)
				}
				reportOrphan(p, same[i], same, all)
			}
		}
	}
}

// isRepeat reports whether an entry says that it repeats another.
func isRepeat(s *mcp.Server) bool { return s.Extra().DuplicateOf.Text != "" }

// reportOrphan reports an entry that starts the same as some others. all are the
// names in its document.
func reportOrphan(p *Pass, s *mcp.Server, same []*mcp.Server, all map[string]bool) {
	f := at(s)
	f.Span = s.Extra().DuplicateOf.Span
	why := "gone"
	if all[s.Extra().DuplicateOf.Text] {
		why = "switched off itself"
	}
	f.Message = say("%q is switched off as a duplicate of %q, which is %s: remove disabled and description here, or the whole entry",
		s.Name, s.Extra().DuplicateOf.Text, why)
	for _, other := range same {
		if other != s {
			f.relate(seeAlso(other, "switched off, too"))
		}
	}
	p.Report(f)
}
