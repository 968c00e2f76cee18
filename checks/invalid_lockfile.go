package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
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
	mcp.LockKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("a lockfile is an object, this is %s", aKind(r.Kind))
	}},
	mcp.TrackingKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("a tracking file is an object, this is %s", aKind(r.Kind))
	}},
	mcp.EntriesKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s is an object of entries by name, this is %s", r.Member, aKind(r.Kind))
	}},
	mcp.NoLockVersion: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("lockfile_version is missing: %s reads only version %s", r.Tool, r.Want[0])
	}},
	mcp.LockVersion: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("unsupported lockfile version: %s reads only version %s", r.Tool, r.Want[0])
	}},
	mcp.LockNotNumbers: {Error, func(r *mcp.Refusal) string {
		return "the version of the lockfile is no three numbers such as 2.0.0"
	}},

	// Its parts, whichever tool it is of.
	mcp.PartKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the %s %q is an object, this is %s", r.Part, r.Name, aKind(r.Kind))
	}},
	mcp.PartMemberKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q is %s, this is %s", r.Member, r.Name, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.PartLacks: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the %s %q has no %s", r.Part, r.Name, r.Member)
	}},
	mcp.LockEntryLacks: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s refuses the entry %q: it has no %s", r.Tool, r.Name, r.Member)
	}},
	mcp.LockEntryMemberKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s refuses the entry %q: %s is %s, this is %s", r.Tool, r.Name, r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},

	// Tools of Casys PML.
	mcp.NotApproved: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q was never approved: %s asks again before it runs", r.Name, r.Tool)
	}},
	mcp.ToolNameParts: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: it has %d parts, not four and a hash", r.Got, r.Count)
	}},
	mcp.ToolNamePart: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: the part %q is not a letter or underscore and then letters, digits, underscores and hyphens", r.Got, refusedPart(r))
	}},
	mcp.ToolNameHash: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: the hash %q is not four hexadecimal digits in lower case", r.Got, refusedPart(r))
	}},
	mcp.OtherTool: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the entry %q holds another tool, %q", r.Name, r.Got)
	}},
	mcp.HashInKey: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the key %q has the hash in it: %s looks up %q and does not find it", r.Got, r.Tool, r.Want[0])
	}},

	// Shared servers of ccpkg.
	mcp.SourceNotDeclared: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("active_source %q is not among the packages that declare %q", r.Got, r.Name)
	}},
	mcp.NoOrigin: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q has no origin", r.Name)
	}},
	mcp.OriginForm: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf(`the origin of %q is neither "command::…", "bundle::…" nor an https URL`, r.Name)
	}},
	mcp.OriginVersion: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the version of %q is %s, its origin runs %s", r.Name, r.Got, r.Want[0])
	}},
	mcp.DeclarersMissing: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q does not say which package declares it", r.Name)
	}},
	mcp.DeclarersEmpty: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("no package declares %q", r.Name)
	}},
	mcp.DeclarerKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q lists names of packages, this is %s", r.Member, r.Name, aKind(r.Kind))
	}},
	mcp.DeclarerTwice: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q lists %q twice", r.Member, r.Name, r.Got)
	}},
	mcp.DeclarerGone: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is declared by %q, which is not installed", r.Name, r.Got)
	}},

	// Packages and bundles.
	mcp.ChecksumForm: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q is not sha256: and 64 hex digits in lower case", r.Member, r.Name)
	}},
	mcp.PackageScope: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has the scope %q in the lockfile of a project", r.Name, r.Got)
	}},
	mcp.PackageHTTP: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q comes over plain http", r.Name)
	}},
	mcp.LinkNotLinked: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the source of %q is a link, but linked is not true", r.Name)
	}},
	mcp.LinkedNoLink: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked, but its source is no link", r.Name)
	}},
	mcp.LinkedChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked and cannot have a checksum", r.Name)
	}},
	mcp.LinkedDirectory: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked to a directory of one machine: nobody else can install it", r.Name)
	}},
	mcp.NoChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has no checksum", r.Name)
	}},
	mcp.NoChecksumOrLink: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has no checksum, and is not linked", r.Name)
	}},
	mcp.RemoteNoChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the remote source %q of %q has no checksum", r.Got, r.Name)
	}},
	mcp.RemoteHTTP: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the remote source %q of %q is not fetched over https", r.Got, r.Name)
	}},
	mcp.FileNoPath: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("a file of the bundle %q has no path", r.Name)
	}},
}

// refusedPart returns the part of a name that is refused. Part of a credential tells
// what it is and no longer looks like one, so that no output would mask it.
func refusedPart(r *mcp.Refusal) string {
	if secret.HasToken(r.Got) {
		return secret.Mask(r.Got)
	}
	return r.Other
}
