package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// missingIntegrity finds locked packages without a hash that proves anything.
var missingIntegrity = &rule.Rule{
	ID:       "missing-integrity",
	Title:    "a locked package has no hash that proves anything",
	Severity: rule.Warning,
	Fix:      rule.Safe,
	Reads:    reads.NotTestData,
	Run:      runMissingIntegrity,
}

func runMissingIntegrity(p *rule.Pass) {
	repair.ReportRefusals(p, &noHashWordings)
	for doc := range p.Lockfiles() {
		if doc.Tool.Hashes == mcp.NoHashes {
			continue
		}
		var fetched, without []*mcp.LockEntry
		for _, entry := range doc.Lock.Entries {
			state, _ := compare.JudgeEntry(entry)
			switch {
			case !doc.Tool.PerTool && !entry.Target.Identity.IsPackage():
				continue
			case state == compare.HashNone && (pinnedByContent(entry) || doc.Tool.Refresh != "" && !isRegistered(entry)):
				continue
			}
			fetched = append(fetched, entry)
			if state == compare.HashNone {
				without = append(without, entry)
			}
		}
		reportWeakHashes(p, doc, fetched)
		reportNoHashes(p, doc, fetched, without)
	}
}

// pinnedByContent reports whether the locked command itself names content: an
// image digest or a full commit.
func pinnedByContent(entry *mcp.LockEntry) bool {
	id := &entry.Target.Identity
	return (id.Kind == identity.OCI || id.Kind == identity.Git) && id.Version.Kind == identity.Exact
}

// isRegistered reports whether a registry has information about what an entry locks.
func isRegistered(entry *mcp.LockEntry) bool {
	id := &entry.Target.Identity
	namesSource := slices.ContainsFunc(entry.Servers, func(s *mcp.Server) bool { return s.Identity.NamesSource })
	_, ok := mcp.WantedOf(identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version, NamesSource: namesSource})
	return ok
}

// reportWeakHashes reports every weak hash. The four digits that a registry of tools gives are
// all there is to lock, so they cause only a note, and one for the lockfile when every entry has
// them.
func reportWeakHashes(p *rule.Pass, doc *mcp.Document, entries []*mcp.LockEntry) {
	var weak []rule.Finding
	for _, entry := range entries {
		if state, why := compare.JudgeEntry(entry); state == compare.HashWeak {
			f := rule.AtEntry(entry)
			f.Span = entry.Pin.Integrity.Span
			f.Message = wording.Say("the integrity of %q does not show when the package changes, because %s", entry.Name, why)
			f.Help = "record a SHA-256, SHA-384, or SHA-512 hash"
			if doc.Tool.PerTool {
				f.Message, f.Help = wording.Say("the integrity of %q does not show when the tool changes, because %s", entry.Name, why), ""
				f.Severity = rule.Note
			}
			if f.NoFixReason = asAtBase; !lostSinceBase(p, entry) {
				f.Fixes, f.NoFixReason = repair.FixWeakHash(p.Repo.Registries, entry)
			}
			weak = append(weak, f)
		}
	}
	if doc.Tool.Hashes == mcp.ShortHashes && len(weak) > 1 && len(weak) == len(entries) {
		weak = []rule.Finding{{
			File: doc.File, Span: doc.Lock.EntriesSpan, Severity: rule.Note,
			Message: wording.Say("all %d tools in this lockfile have an integrity of 4 hex digits, which a changed tool can easily match", len(weak)),
		}}
	}
	for _, f := range weak {
		p.Report(f)
	}
}

// reportNoHashes reports every entry without a hash, or the lockfile once when no entry
// has one and no registry was found to publish any: then the tool that wrote it knows none.
func reportNoHashes(p *rule.Pass, doc *mcp.Document, fetched, without []*mcp.LockEntry) {
	fills := make([]repair.Fill, len(without))
	canFill := false
	for i, entry := range without {
		if fills[i].Why = asAtBase; !lostSinceBase(p, entry) {
			fills[i] = repair.FillFor(p.Repo.Registries, entry)
		}
		canFill = canFill || fills[i].Hash != ""
	}
	isBare := len(without) == len(fetched)
	if len(without) > 1 && isBare && !canFill {
		f := rule.Finding{
			File: doc.File, Span: doc.Lock.EntriesSpan,
			Message: wording.Say("none of the %d %ss in this lockfile has an integrity hash, so a replaced %[2]s goes unnoticed", len(without), lockedThing(doc)),
			Help:    recordHash(doc, true),
		}
		if doc.Tool.LeavesHashes {
			f.Severity = rule.Note
		}
		p.Report(f)
		return
	}
	for i, entry := range without {
		f := rule.AtEntry(entry)
		if doc.Tool.LeavesHashes && (isBare || !mayFill(entry, &fills[i])) {
			f.Severity = rule.Note
		}
		if entry.Pin.Integrity.Span != (syntax.Span{}) {
			f.Span = entry.Pin.Integrity.Span
		}
		f.Message = wording.Say("%q has no integrity hash, so a replaced %s goes unnoticed", entry.Name, lockedThing(doc))
		f.Help = recordHash(doc, false)
		f.Fixes, f.NoFixReason = fills[i].Fixes(entry, rule.Safe), fills[i].Why
		if doc.Tool.Refresh != "" { // one command fixes all of them
			f.Group = rule.Group{Key: doc.File.Path, Message: wording.Say("%q has none either", entry.Name)}
		}
		if f.Fixes != nil {
			f.Group = rule.Group{Key: doc.File.Path + "\x00" + f.Severity.String(), Message: wording.Say("%q has none either", entry.Name), FixesEach: true}
		}
		p.Report(f)
	}
}

// mayFill reports whether a hash could be written into an entry of a lockfile whose tool
// writes none: there must be one release, and one file of it. For PyPI only its index knows
// how many files there are.
func mayFill(entry *mcp.LockEntry, f *repair.Fill) bool {
	pkg, ok := entry.Release()
	return f.Hash != "" || ok && f.Why == "" && pkg.Kind != identity.PyPI
}

// lockedThing returns the word for what the entries of a lockfile lock.
func lockedThing(doc *mcp.Document) string {
	if doc.Tool.PerTool {
		return "tool"
	}
	return "package"
}

// recordHash returns how a hash, or several, get into a lockfile.
func recordHash(doc *mcp.Document, isMany bool) string {
	switch {
	case doc.Tool.Refresh != "":
		return "run " + doc.Tool.Refresh
	case doc.Tool.PerTool && isMany:
		return wording.Say("let %s fetch the tools again", doc.Tool.Title)
	case doc.Tool.PerTool:
		return wording.Say("let %s fetch the tool again", doc.Tool.Title)
	case isMany:
		return "record the hashes that their registries publish"
	}
	return "record the hash that its registry publishes"
}

// noHashWordings are the reasons for which something other than a server has no hash.
var noHashWordings = refusal.Wordings{
	mcp.FileNoHash: {Severity: rule.Warning, Text: func(*mcp.Refusal) (message, help string) {
		return "this file has no checksum, so a change goes unnoticed", "install the bundle again"
	}},
	mcp.FilesNoHash: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("none of the %d files in this lockfile has a checksum, so a change goes unnoticed", r.Count), "install the bundles again"
	}},
}
