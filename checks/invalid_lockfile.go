package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// InvalidLockfile finds lockfiles that their own tool would refuse.
var InvalidLockfile = &rule.Rule{
	ID:       "invalid-lockfile",
	Title:    "the lockfile cannot be used",
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
		return "the lockfile is empty and locks nothing: write it again with its tool, or delete it", ""
	}},
	mcp.LockKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("a lockfile must be an object, not %s: write it again with its tool", wording.AKind(r.Kind)), ""
	}},
	mcp.TrackingKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("a tracking file must be an object, not %s: let its tool write it again", wording.AKind(r.Kind)), ""
	}},
	mcp.EntriesKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s must be an object of entries by name, not %s: write the file again with its tool", r.Member, wording.AKind(r.Kind)), ""
	}},
	mcp.NoLockVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("lockfile_version is missing, and %s reads only version %s: write the lockfile again with %s", r.Tool, r.Want[0], r.Tool), ""
	}},
	mcp.LockVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("unsupported lockfile version, %s reads only version %s: write the lockfile again with %s", r.Tool, r.Want[0], r.Tool), ""
	}},
	mcp.LockNotNumbers: {Severity: rule.Error, Text: func(*mcp.Refusal) (message, help string) {
		return "the version of the lockfile must be three numbers such as 2.0.0: write the lockfile again with its tool", ""
	}},

	// Its parts, whichever tool it is of.
	mcp.PartKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the %s %q must be an object, not %s: write the lockfile again with its tool", string(r.Part), r.Name, wording.AKind(r.Kind)), ""
	}},
	mcp.PartMemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s of %q must be %s, not %s: write the lockfile again with its tool", r.Member, r.Name, wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
	mcp.PartLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the %s %q has no %s: write the lockfile again with its tool", string(r.Part), r.Name, r.Member), ""
	}},
	mcp.LockedTwice: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is locked twice, so nobody can tell which entry was approved: find out which is right, and remove the other one", r.Name), ""
	}},
	mcp.LockEntryLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the entry %q because it has no %s: lock the server again", r.Tool, r.Name, r.Member), ""
	}},
	mcp.LockEntryMemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the entry %q because %s must be %s, not %s: lock the server again", r.Tool, r.Name, r.Member, wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
}
