package checks

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidIntegrity finds hashes that cannot be right.
var invalidIntegrity = &Check{
	ID:       "invalid-integrity",
	Title:    "a locked hash cannot be right",
	Severity: Error,
	Reads:    notTestData,
	Run:      runInvalidIntegrity,
}

func runInvalidIntegrity(p *Pass) {
	reportRefusals(p, &brokenHashWordings)
	for doc := range p.Lockfiles() {
		for _, entry := range doc.Lock.Entries {
			if state, why := judgeEntry(entry); state == hashBroken {
				f := atEntry(entry)
				f.Span = entry.Pin.Integrity.Span
				f.Message = fmt.Sprintf("the integrity of %q is malformed: %s", entry.Name, why)
				p.Report(f)
			}
			if short := shortHash(entry); short != "" && !strings.EqualFold(short, entry.Tools.NameHash.Text) {
				f := atEntry(entry)
				f.Span = entry.Pin.Integrity.Span
				f.Message = fmt.Sprintf("the integrity of %q begins with %s, its full name ends in %s: one of the two was changed by hand",
					entry.Name, short, entry.Tools.NameHash.Text)
				p.Report(f)
			}
			if entry.Tools.Hash.Text != "" && entry.Tools.Hash.Text != toolsHash(entry.Tools.Names) {
				f := atEntry(entry)
				f.Span = entry.Tools.Hash.Span
				f.Message = fmt.Sprintf("tools_hash of %q is not the hash of its tools: one of the two was changed by hand", entry.Name)
				p.Report(f)
			}
		}
	}
}

// brokenHashWordings are the reasons for which a hash cannot be right that its
// form alone shows.
var brokenHashWordings = wordings{
	mcp.FileHashForm: {Error, func(r *mcp.Refusal) string {
		return "the checksum of a file is 64 hex digits in lower case, without anything before them"
	}},
}
