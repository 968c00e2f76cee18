package ccpkg

import (
	"sync"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// refusalFix returns how to write what ccpkg refuses, where there is one way.
func refusalFix(p *rule.Pass) repair.RefusalFix {
	lock := sync.OnceValue(func() *mcp.Document { return lockOf(p.Project) })
	installed := sync.OnceValue(func() map[string]bool { return lock().Lock.Installed() })
	entries := sync.OnceValue(func() map[string]*mcp.LockEntry { return sharedEntries(p.Project) })
	groups := sync.OnceValue(func() map[string][]*declaredServer { return declaredGroups(p.Project) })
	return func(doc *mcp.Document, r *mcp.Refusal) []rule.Fix {
		switch r.Reason {
		case mcp.DeclarerTwice:
			return repair.OneChange(wording.Say("remove the repeated %q from %q of %q", r.Got, r.Member, r.Name), edit.Remove(doc.File, r.Span))
		case mcp.ChecksumForm:
			return repair.FixHashForm(doc, r, "sha256:")
		case mcp.DeclarersEmpty, mcp.SourceNotDeclared, mcp.SourceMissing, mcp.OriginVersion:
		default:
			return nil
		}
		if doc != lock() {
			return nil
		}
		entry := entries()[r.Server]
		switch {
		case entry == nil:
			return nil
		case r.Reason == mcp.DeclarersEmpty:
			return fixNotDeclared(entry)
		}
		return claimsFix(entry, sameOrigin(groups()[entry.Name], entry.Target.Origin.Base), installed(), &repair.Copies{Project: p.Project})
	}
}

// ReportRefusals reports what is refused of its files.
func ReportRefusals(p *rule.Pass) { repair.ReportFixedRefusals(p, &Wordings, refusalFix(p)) }

// Wordings are the reasons for which a shared server or a package of the
// lockfile cannot be used.
var Wordings = refusal.Wordings{
	mcp.SourceNotDeclared: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`"active_source" of %q is %q, which is not among the packages in "declared_by"`, r.Name, r.Got), `set it to one that is in "declared_by"`
	}},
	mcp.SourceMissing: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`%q has no "active_source", so nothing says which package it is from`, r.Name), wording.Say(`set "active_source" to %s`, wording.JoinWith(wording.Few(wording.InQuotes(r.Want)), "or"))
	}},
	mcp.NoOrigin: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q has no origin", r.Name), "install its package again"
	}},
	mcp.OriginForm: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`the origin of %q must be "command::…", "bundle::…", or an https URL`, r.Name), "install its package again"
	}},
	mcp.OriginVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the version of %q is %s, but its origin runs %s", r.Name, orNull(r.Got), r.Want[0]), "write the same version in both"
	}},
	mcp.DeclarersMissing: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`%q has no "declared_by", so nothing says which package declares it`, r.Name), `add "declared_by"`
	}},
	mcp.DeclarersEmpty: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("no package declares %q", r.Name), wording.Say("remove %q from the lockfile", r.Name)
	}},
	mcp.DeclarerKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q of %q must list names of packages, not %s", r.Member, r.Name, wording.AKind(r.Kind)), ""
	}},
	mcp.DeclarerTwice: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q of %q lists %q twice", r.Member, r.Name, r.Got), "remove one of the two"
	}},
	mcp.DeclarerGone: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`"declared_by" of %q lists %q, which is not installed`, r.Name, r.Got), wording.Say(`install %q, or remove it from "declared_by"`, r.Got)
	}},

	// Packages.
	mcp.ChecksumForm: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`%q of %q must be "sha256:" and 64 lowercase hex digits`, r.Member, r.Name), "install it again"
	}},
	mcp.PackageScope: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has the scope %q in the lockfile of a project", r.Name, r.Got), "install it for the project"
	}},
	mcp.PackageHTTP: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q is downloaded over plain http, so anyone on the path can replace it", r.Name), "install it over https"
	}},
	mcp.LinkNotLinked: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`the source of %q is a link, but "linked" is not true`, r.Name), linkAgain
	}},
	mcp.LinkedNoLink: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked, but its source is not a link", r.Name), linkAgain
	}},
	mcp.LinkedChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked, so it cannot have a checksum", r.Name), "remove the checksum"
	}},
	mcp.LinkedDirectory: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked to a directory on one machine, so no other machine can install it", r.Name), "install it from an archive or a URL"
	}},
	mcp.NoChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has no checksum", r.Name), "install it again"
	}},
	mcp.NoChecksumOrLink: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has no checksum and is not linked", r.Name), "install it again"
	}},
	mcp.RemoteNoChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the remote source %q of %q has no checksum", r.Got, r.Name), "install the package again"
	}},
	mcp.RemoteHTTP: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the remote source %q of %q is not downloaded over https", r.Got, r.Name), "use an https URL"
	}},
}

// linkAgain is what to do where a package and its source do not agree on a link.
const linkAgain = "let ccpkg link the package again"
