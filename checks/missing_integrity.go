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

// isRegistered reports whether a registry can be asked about what an entry locks.
func isRegistered(entry *mcp.LockEntry) bool {
	id := &entry.Target.Identity
	namesSource := slices.ContainsFunc(entry.Servers, func(s *mcp.Server) bool { return s.Identity.NamesSource })
	_, ok := mcp.WantedOf(identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version, NamesSource: namesSource})
	return ok
}

// reportWeakHashes reports every weak hash. The four digits that a registry of
// tools gives are all there is to lock, so that they are worth no more than a note,
// and one for the lockfile when every entry has them.
func reportWeakHashes(p *rule.Pass, doc *mcp.Document, entries []*mcp.LockEntry) {
	var weak []rule.Finding
	for _, entry := range entries {
		if state, why := compare.JudgeEntry(entry); state == compare.HashWeak {
			f := rule.AtEntry(entry)
			f.Span = entry.Pin.Integrity.Span
			f.Message = wording.Say("the integrity of %q cannot tell when the package changes (%s): record a SHA-256, SHA-384 or SHA-512 hash", entry.Name, why)
			if doc.Tool.PerTool {
				f.Message = wording.Say("the integrity of %q cannot tell when the tool changes: %s", entry.Name, why)
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
			Message: wording.Say("the integrity of all %d tools in this lockfile is four digits, which cannot tell when a tool changes", len(weak)),
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
			Message: wording.Say("none of the %d %ss in this lockfile has an integrity hash, so a swapped %[2]s goes unnoticed: %s", len(without), lockedThing(doc), recordHash(doc)),
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
		f.Message = wording.Say("%q has no integrity hash, so a swapped %s goes unnoticed: %s", entry.Name, lockedThing(doc), recordHash(doc))
		f.Fixes, f.NoFixReason = fills[i].Fixes(entry, rule.Safe), fills[i].Why
		if doc.Tool.Refresh != "" { // one command fixes all of them
			f.Group = rule.Group{Key: doc.File.Path, Message: wording.Say("%q has none, either", entry.Name)}
		}
		if f.Fixes != nil {
			f.Group = rule.Group{Key: doc.File.Path + "\x00" + f.Severity.String(), Message: wording.Say("%q has none, either", entry.Name), FixesEach: true}
		}
		p.Report(f)
	}
}

// mayFill reports whether somebody could write a hash into an entry of a lockfile that its
// tool leaves without: there has to be one release, and one file of it. Of PyPI only its
// index knows how many there are.
func mayFill(entry *mcp.LockEntry, f *repair.Fill) bool {
	pkg, ok := entry.Release()
	return f.Hash != "" || ok && f.Why == "" && pkg.Kind != identity.PyPI
}

// lockedThing says what the entries of a lockfile are.
func lockedThing(doc *mcp.Document) string {
	if doc.Tool.PerTool {
		return "tool"
	}
	return "package"
}

// recordHash says how a hash gets into a lockfile.
func recordHash(doc *mcp.Document) string {
	if doc.Tool.Refresh != "" {
		return "run " + doc.Tool.Refresh
	}
	if doc.Tool.PerTool {
		return "fetch it again with " + doc.Tool.Title
	}
	return "record the hash that its registry publishes"
}

// noHashWordings are the reasons for which what is no server has no hash.
var noHashWordings = refusal.Wordings{
	mcp.FileNoHash: {Severity: rule.Warning, Text: func(*mcp.Refusal) (message, help string) {
		return "this file has no checksum, so a change goes unnoticed: install the bundle again", ""
	}},
	mcp.FilesNoHash: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("none of the %d files in this lockfile has a checksum, so a change goes unnoticed: install the bundles again", r.Count), ""
	}},
}
