package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// orphanedDuplicate finds entries that were disabled as repeats of an entry that no
// longer runs.
var orphanedDuplicate = &rule.Rule{
	ID:       "orphaned-duplicate",
	Title:    "an entry is disabled as a duplicate of one that does not run either",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.NotTestData,
	Run:      runOrphanedDuplicate,
}

// runOrphanedDuplicate reports one entry of every group that starts the same, the
// first: one of them has to run again, not all.
func runOrphanedDuplicate(p *rule.Pass) {
	written := &repair.Written{}
	for doc := range p.Documents() {
		if !slices.ContainsFunc(doc.Servers, isRepeat) {
			continue
		}
		var all map[string]bool     // names of entries
		var started map[string]bool // configurations that run
		runs := compare.NamesOf(doc, func(s *mcp.Server) bool { return !s.IsOff() })
		for _, same := range compare.GroupBy(doc.Servers, compare.ByLaunch) {
			if slices.ContainsFunc(same, func(s *mcp.Server) bool { return !s.IsOff() }) {
				continue
			}
			isOrphan := func(s *mcp.Server) bool { return isRepeat(s) && !runs[s.Extra().DuplicateOf.Text] }
			i := slices.IndexFunc(same, func(s *mcp.Server) bool { return isOrphan(s) && !refusal.CannotStart(s) })
			if i < 0 {
				i = slices.IndexFunc(same, isOrphan)
			}
			if i >= 0 {
				if all == nil {
					all, started = compare.NamesOf(doc, nil), configsOf(doc)
				}
				f := orphan(same[i], same, all)
				switch {
				case started[compare.ByConfig(same[i])]:
				case refusal.CannotStart(same[i]):
					f.NoFixReason = "it could not start as it is written"
				default:
					f.Fixes, f.NoFixReason = switchedOn(same[i], written), repair.KeptBecause(same[i])
				}
				p.Report(f)
			}
		}
	}
}

// isRepeat reports whether an entry says that it repeats another.
func isRepeat(s *mcp.Server) bool { return s.Extra().DuplicateOf.Text != "" }

// configsOf returns the configurations that run in a document, in any spelling.
func configsOf(doc *mcp.Document) map[string]bool {
	configs := map[string]bool{}
	for _, s := range doc.Servers {
		if compare.IsRunning(s) && !refusal.CannotStart(s) {
			configs[compare.ByConfig(s)] = true
		}
	}
	return configs
}

// orphan is the finding for an entry that starts the same as some others. all are the
// names in its document.
func orphan(s *mcp.Server, same []*mcp.Server, all map[string]bool) rule.Finding {
	f := rule.At(s)
	f.Span = s.Extra().DuplicateOf.Span
	why := "no longer exists"
	if all[s.Extra().DuplicateOf.Text] {
		why = "is itself disabled"
	}
	f.Message = wording.Say("%q is disabled as a duplicate of %q, which %s", s.Name, s.Extra().DuplicateOf.Text, why)
	f.Help = `delete "disabled" and "description" to enable it, or delete the entry`
	for _, other := range same {
		if other != s {
			f.Relate(rule.SeeAlso(other, "also disabled"))
		}
	}
	return f
}

// switchedOn removes from an entry what disables it, and what it repeats.
func switchedOn(s *mcp.Server, written *repair.Written) []rule.Fix {
	entry, _ := written.Entry(s)
	if entry == nil || !repair.IsFixable(s) {
		return nil
	}
	fix := rule.Fix{Title: wording.Say("enable %q instead of %q", s.Name, s.Extra().DuplicateOf.Text), Safety: rule.Unsafe}
	for _, m := range entry.Nodes {
		isOff := m.Kind == syntax.Bool && (m.Name == "disabled" && m.Text == "true" || m.Name == "enabled" && m.Text == "false")
		if isOff || m.Value == s.Extra().DuplicateOf.Span {
			fix.Edits = append(fix.Edits, edit.Remove(s.Document.File, m.Key))
		}
	}
	if len(fix.Edits) < 2 {
		return nil // a list elsewhere disables it
	}
	return []rule.Fix{fix}
}
