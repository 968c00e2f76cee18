package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// InvalidLockfile finds lockfiles that their own tool would refuse.
var InvalidLockfile = &Check{
	ID:       "invalid-lockfile",
	Title:    "the lockfile cannot be used",
	Severity: Error,
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
	mcp.LockEmpty: {Warning, func(r *mcp.Refusal) string {
		return "the lockfile is empty and locks nothing: write it again with its tool, or delete it"
	}},
	mcp.LockKind: {Error, func(r *mcp.Refusal) string {
		return say("a lockfile is an object, this is %s", aKind(r.Kind))
	}},
	mcp.TrackingKind: {Error, func(r *mcp.Refusal) string {
		return say("a tracking file is an object, this is %s", aKind(r.Kind))
	}},
	mcp.EntriesKind: {Error, func(r *mcp.Refusal) string {
		return say("%s is an object of entries by name, this is %s", r.Member, aKind(r.Kind))
	}},
	mcp.NoLockVersion: {Error, func(r *mcp.Refusal) string {
		return say("lockfile_version is missing: %s reads only version %s", r.Tool, r.Want[0])
	}},
	mcp.LockVersion: {Error, func(r *mcp.Refusal) string {
		return say("unsupported lockfile version: %s reads only version %s", r.Tool, r.Want[0])
	}},
	mcp.LockNotNumbers: {Error, func(r *mcp.Refusal) string {
		return "the version of the lockfile is no three numbers such as 2.0.0"
	}},

	// Its parts, whichever tool it is of.
	mcp.PartKind: {Error, func(r *mcp.Refusal) string {
		return say("the %s %q is an object, this is %s", r.Part, r.Name, aKind(r.Kind))
	}},
	mcp.PartMemberKind: {Error, func(r *mcp.Refusal) string {
		return say("%s of %q is %s, this is %s", r.Member, r.Name, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.PartLacks: {Error, func(r *mcp.Refusal) string {
		return say("the %s %q has no %s", r.Part, r.Name, r.Member)
	}},
	mcp.LockEntryLacks: {Error, func(r *mcp.Refusal) string {
		return say("%s refuses the entry %q: it has no %s", r.Tool, r.Name, r.Member)
	}},
	mcp.LockEntryMemberKind: {Error, func(r *mcp.Refusal) string {
		return say("%s refuses the entry %q: %s is %s, this is %s", r.Tool, r.Name, r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
}
