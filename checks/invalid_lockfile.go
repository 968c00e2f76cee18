package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// InvalidLockfile finds lockfiles that their own tool would refuse.
var InvalidLockfile = &Rule{
	ID:       "invalid-lockfile",
	Title:    "the lockfile cannot be used",
	Severity: Error,
	Fix:      Unsafe,
	Reads:    notTestData,
	Run:      runInvalidLockfile,
}

func runInvalidLockfile(p *Pass) {
	reportRefusals(p, &lockWordings)
}

// lockWordings are the reasons for which a lockfile or an entry of it cannot be
// used.
var lockWordings = wordings{
	// The lockfile as a whole.
	mcp.LockEmpty: {Warning, func(*mcp.Refusal) string {
		return "the lockfile is empty and locks nothing: write it again with its tool, or delete it"
	}},
	mcp.LockKind: {Error, func(r *mcp.Refusal) string {
		return say("a lockfile must be an object, not %s: write it again with its tool", aKind(r.Kind))
	}},
	mcp.TrackingKind: {Error, func(r *mcp.Refusal) string {
		return say("a tracking file must be an object, not %s: let its tool write it again", aKind(r.Kind))
	}},
	mcp.EntriesKind: {Error, func(r *mcp.Refusal) string {
		return say("%s must be an object of entries by name, not %s: write the file again with its tool", r.Member, aKind(r.Kind))
	}},
	mcp.NoLockVersion: {Error, func(r *mcp.Refusal) string {
		return say("lockfile_version is missing, and %s reads only version %s: write the lockfile again with %s", r.Tool, r.Want[0], r.Tool)
	}},
	mcp.LockVersion: {Error, func(r *mcp.Refusal) string {
		return say("unsupported lockfile version, %s reads only version %s: write the lockfile again with %s", r.Tool, r.Want[0], r.Tool)
	}},
	mcp.LockNotNumbers: {Error, func(*mcp.Refusal) string {
		return "the version of the lockfile must be three numbers such as 2.0.0: write the lockfile again with its tool"
	}},

	// Its parts, whichever tool it is of.
	mcp.PartKind: {Error, func(r *mcp.Refusal) string {
		return say("the %s %q must be an object, not %s: write the lockfile again with its tool", string(r.Part), r.Name, aKind(r.Kind))
	}},
	mcp.PartMemberKind: {Error, func(r *mcp.Refusal) string {
		return say("%s of %q must be %s, not %s: write the lockfile again with its tool", r.Member, r.Name, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.PartLacks: {Error, func(r *mcp.Refusal) string {
		return say("the %s %q has no %s: write the lockfile again with its tool", string(r.Part), r.Name, r.Member)
	}},
	mcp.LockedTwice: {Error, func(r *mcp.Refusal) string {
		return say("%q is locked twice, so nobody can tell which entry was approved: find out which is right, and remove the other one", r.Name)
	}},
	mcp.LockEntryLacks: {Error, func(r *mcp.Refusal) string {
		return say("%s refuses the entry %q because it has no %s: lock the server again", r.Tool, r.Name, r.Member)
	}},
	mcp.LockEntryMemberKind: {Error, func(r *mcp.Refusal) string {
		return say("%s refuses the entry %q because %s must be %s, not %s: lock the server again", r.Tool, r.Name, r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
}
