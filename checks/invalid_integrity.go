package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidIntegrity finds hashes that cannot be right.
var invalidIntegrity = &Check{
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
			if state, why := judgeEntry(entry); state == hashBroken {
				f := atEntry(entry)
				f.Span = entry.Pin.Integrity.Span
				f.Message = say("the integrity of %q is malformed (%s): restore it, or lock it again with %s", entry.Name, why, doc.Tool.Title)
				p.Report(f)
			}
		}
	}
}

// brokenHashWordings are the reasons for which a hash cannot be right that its
// form alone shows.
var brokenHashWordings = wordings{
	mcp.FileHashForm: {Error, func(r *mcp.Refusal) string {
		return "the checksum of a file must be 64 hex digits in lower case, with nothing before them: restore it, or install the bundle again"
	}},
}
