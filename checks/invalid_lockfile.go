package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// InvalidLockfile finds lockfiles that their own tool would refuse.
var InvalidLockfile = &Check{
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
	mcp.LockEmpty:      {Warning, `the lockfile is empty and locks nothing: write it again with its tool, or delete it`},
	mcp.LockKind:       {Error, "a lockfile must be an object, not {kind}: write it again with its tool"},
	mcp.TrackingKind:   {Error, "a tracking file must be an object, not {kind}: let its tool write it again"},
	mcp.EntriesKind:    {Error, "{member} must be an object of entries by name, not {kind}: write the file again with its tool"},
	mcp.NoLockVersion:  {Error, "lockfile_version is missing, and {tool} reads only version {want}: write the lockfile again with {tool}"},
	mcp.LockVersion:    {Error, "unsupported lockfile version, {tool} reads only version {want}: write the lockfile again with {tool}"},
	mcp.LockNotNumbers: {Error, `the version of the lockfile must be three numbers such as 2.0.0: write the lockfile again with its tool`},

	// Its parts, whichever tool it is of.
	mcp.PartKind:            {Error, `the {part} {"name"} must be an object, not {kind}: write the lockfile again with its tool`},
	mcp.PartMemberKind:      {Error, `{member} of {"name"} must be {wanted kind}, not {kind}: write the lockfile again with its tool`},
	mcp.PartLacks:           {Error, `the {part} {"name"} has no {member}: write the lockfile again with its tool`},
	mcp.LockedTwice:         {Error, `{"name"} is locked twice, so nobody can tell which entry was approved: find out which is right, and remove the other one`},
	mcp.LockEntryLacks:      {Error, `{tool} refuses the entry {"name"} because it has no {member}: lock the server again`},
	mcp.LockEntryMemberKind: {Error, `{tool} refuses the entry {"name"} because {member} must be {wanted kind}, not {kind}: lock the server again`},
}
