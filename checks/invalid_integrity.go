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
	Title:    "a locked hash cannot be right",
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

// reportBrokenHash reports an entry whose hash is none, or not that of the files beside it.
func reportBrokenHash(p *rule.Pass, entry *mcp.LockEntry) {
	f := rule.AtEntry(entry)
	f.Span = entry.Pin.Integrity.Span
	state, why := compare.JudgeEntry(entry)
	switch files := entry.Pin.Files; {
	case state == compare.HashBroken:
		f.Message = wording.Say("the integrity of %q is malformed (%s): restore it, or lock it again with %s", entry.Name, why, entry.Document.Tool.Title)
		if f.NoFixReason = asAtBase; !lostSinceBase(p, entry) {
			hash := repair.FillFor(p.Repo.Registries, entry)
			f.Fixes, f.NoFixReason = hash.Fixes(entry, rule.Unsafe), hash.Why
		}
	case state == compare.HashGood && len(files) > 0 && !compare.MatchesHash(compare.HashOfFiles(compare.TextsOf(files)), entry.Pin.Integrity.Text):
		f.Message = wording.Say("the integrity of %q is not the hash of the hashes beside it, so one of them was changed by hand: restore it, or delete the entry and lock it again with %s",
			entry.Name, entry.Document.Tool.Title)
	default:
		return
	}
	p.Report(f)
}

// brokenHashWordings are the reasons for which a hash cannot be right that its
// form alone shows.
var brokenHashWordings = refusal.Wordings{
	mcp.FileHashForm: {Severity: rule.Error, Text: func(*mcp.Refusal) (message, help string) {
		return "the checksum of a file must be 64 hex digits in lower case, with nothing before them: restore it, or install the bundle again", ""
	}},
}
