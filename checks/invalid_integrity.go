package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// invalidIntegrity finds hashes that cannot be right.
var invalidIntegrity = &rule.Rule{
	ID:       "invalid-integrity",
	Title:    "a locked hash is malformed or contradicts its own entry",
	Severity: rule.Error,
	Fix:      rule.Unsafe,
	Reads:    reads.NotTestData,
	Run:      runInvalidIntegrity,
}

func runInvalidIntegrity(p *rule.Pass) {
	repair.ReportFixedRefusals(p, &brokenHashWordings, func(doc *mcp.Document, r *mcp.Refusal) []rule.Fix { return repair.FixHashForm(doc, r, "") })
	for doc := range p.Lockfiles() {
		for _, entry := range doc.Lock.Entries {
			reportBrokenHash(p, entry)
		}
	}
}

// reportBrokenHash reports an entry whose hash is malformed, or is not the hash of its files.
func reportBrokenHash(p *rule.Pass, entry *mcp.LockEntry) {
	f := rule.AtEntry(entry)
	f.Span = entry.Pin.Integrity.Span
	state, why := compare.JudgeEntry(entry)
	switch files := entry.Pin.Files; {
	case state == compare.HashBroken:
		f.Message = wording.Say("the integrity of %q is malformed (%s), so it proves nothing", entry.Name, why)
		f.Help = wording.Say("restore the previous hash, or lock %q again with %s", entry.Name, entry.Document.Tool.Title)
		if f.NoFixReason = asAtBase; !lostSinceBase(p, entry) {
			hash := repair.FillFor(p.Repo.Registries, entry)
			f.Fixes, f.NoFixReason = hash.Fixes(entry, rule.Unsafe), hash.Why
		}
	case state == compare.HashGood && len(files) > 0 && !compare.MatchesHash(compare.HashOfFiles(compare.TextsOf(files)), entry.Pin.Integrity.Text):
		f.Message = wording.Say("the integrity of %q is not the hash of the file hashes next to it, so one of them was edited by hand", entry.Name)
		f.Help = wording.Say("restore the old value, or delete the entry and lock it again with %s", entry.Document.Tool.Title)
	default:
		return
	}
	p.Report(f)
}

// brokenHashWordings are the reasons why a hash cannot be right that its form alone shows.
var brokenHashWordings = refusal.Wordings{
	mcp.FileHashForm: {Severity: rule.Error, Text: func(*mcp.Refusal) (message, help string) {
		return "a file's checksum must be 64 lowercase hex digits without a prefix, so this one matches nothing", "restore the checksum, or install the bundle again"
	}},
}
