package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// InvalidLockfile finds lockfiles that their own tool refuses, or entries in them.
var InvalidLockfile = &rule.Rule{
	ID:       "invalid-lockfile",
	Title:    "a tool refuses its lockfile, or an entry breaks the tool's rules",
	Severity: rule.Error,
	Fix:      rule.Unsafe,
	Reads:    reads.NotTestData,
	Run:      runInvalidLockfile,
}

func runInvalidLockfile(p *rule.Pass) {
	repair.ReportRefusals(p, &lockWordings)
}

// lockWordings are the reasons for which a lockfile or an entry of it cannot be
// used.
var lockWordings = refusal.Wordings{
	// The lockfile as a whole.
	mcp.LockEmpty: {Severity: rule.Warning, Text: func(*mcp.Refusal) (message, help string) {
		return "the lockfile is empty, so it locks nothing", "write it again with its tool, or delete it"
	}},
	mcp.LockKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("a lockfile must be an object, not %s", wording.AKind(r.Kind)), writeLockAgain
	}},
	mcp.TrackingKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("a tracking file must be an object, not %s", wording.AKind(r.Kind)), "let its tool write the file again"
	}},
	mcp.EntriesKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q must be an object of entries by name, not %s", r.Member, wording.AKind(r.Kind)), "write the file again with its tool"
	}},
	mcp.NoLockVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the lockfile names no version of its format, and %s reads only version %s", r.Tool, r.Want[0]), writeLockWith(r)
	}},
	mcp.LockVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s does not read this version of the lockfile format, only version %s", r.Tool, r.Want[0]), writeLockWith(r)
	}},
	mcp.LockNotNumbers: {Severity: rule.Error, Text: func(*mcp.Refusal) (message, help string) {
		return "the version of the lockfile must be three numbers such as 2.0.0", writeLockAgain
	}},

	// Parts of a lockfile, of any tool.
	mcp.PartKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the %s %q must be an object, not %s", string(r.Part), r.Name, wording.AKind(r.Kind)), writeLockAgain
	}},
	mcp.PartMemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q of %q must be %s, not %s", r.Member, r.Name, wording.AKind(r.WantKind), wording.AKind(r.Kind)), writeLockAgain
	}},
	mcp.PartLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the %s %q has no %q", string(r.Part), r.Name, r.Member), writeLockAgain
	}},
	mcp.LockedTwice: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is locked twice, so mcplumb cannot tell which entry was approved", r.Name), "find out which is right, and remove the other one"
	}},
	mcp.LockEntryLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the entry %q because it has no %q", r.Tool, r.Name, r.Member), lockServerAgain
	}},
	mcp.LockEntryMemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the entry %q because %q must be %s, not %s", r.Tool, r.Name, r.Member, wording.AKind(r.WantKind), wording.AKind(r.Kind)), lockServerAgain
	}},
}

// What helps against most of them.
const (
	writeLockAgain  = "write the lockfile again with its tool"
	lockServerAgain = "lock the server again"
)

func writeLockWith(r *mcp.Refusal) string {
	return wording.Say("write the lockfile again with %s", r.Tool)
}
