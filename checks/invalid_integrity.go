package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidIntegrity finds hashes that cannot be right.
var invalidIntegrity = &Rule{
	ID:       "invalid-integrity",
	Title:    "a locked hash cannot be right",
	Severity: Error,
	Fix:      Unsafe,
	Reads:    notTestData,
	Run:      runInvalidIntegrity,
}

func runInvalidIntegrity(p *Pass) {
	reportFixedRefusals(p, &brokenHashWordings, func(doc *mcp.Document, r *mcp.Refusal) []Fix { return fixHashForm(doc, r, "") })
	for doc := range p.Lockfiles() {
		for _, entry := range doc.Lock.Entries {
			reportBrokenHash(p, entry)
		}
	}
}

// reportBrokenHash reports an entry whose hash is none, or not that of the files beside it.
func reportBrokenHash(p *Pass, entry *mcp.LockEntry) {
	f := atEntry(entry)
	f.Span = entry.Pin.Integrity.Span
	state, why := judgeEntry(entry)
	switch files := entry.Pin.Files; {
	case state == hashBroken:
		f.Message = say("the integrity of %q is malformed (%s): restore it, or lock it again with %s", entry.Name, why, entry.Document.Tool.Title)
		hash := fillFor(p.Repo.Registries, entry)
		f.Fixes, f.NoFixReason = hash.fixes(entry, Unsafe), hash.why
	case state == hashGood && len(files) > 0 && !isSameHash(HashOfFiles(textsOf(files)), entry.Pin.Integrity.Text):
		f.Message = say("the integrity of %q is not the hash of the hashes beside it, so one of them was changed by hand: restore it, or delete the entry and lock it again with %s",
			entry.Name, entry.Document.Tool.Title)
	default:
		return
	}
	p.Report(f)
}

// brokenHashWordings are the reasons for which a hash cannot be right that its
// form alone shows.
var brokenHashWordings = wordings{
	mcp.FileHashForm: {Error, func(*mcp.Refusal) string {
		return "the checksum of a file must be 64 hex digits in lower case, with nothing before them: restore it, or install the bundle again"
	}},
}
