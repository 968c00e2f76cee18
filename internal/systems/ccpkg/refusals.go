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
			return repair.OneChange(wording.Say("take the repeated %q out of %s of %q", r.Got, r.Member, r.Name), edit.Remove(doc.File, r.Span))
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
		return wording.Say("active_source %q is not among the packages that declare %q: write one that is in declared_by", r.Got, r.Name), ""
	}},
	mcp.SourceMissing: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q does not say which package it is taken from: write %s as active_source", r.Name, wording.JoinWith(wording.Few(wording.InQuotes(r.Want)), "or")), ""
	}},
	mcp.NoOrigin: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q has no origin: install its package again", r.Name), ""
	}},
	mcp.OriginForm: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`the origin of %q must be "command::…", "bundle::…" or an https URL: install its package again`, r.Name), ""
	}},
	mcp.OriginVersion: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the version of %q is %s, but its origin runs %s: write the same version in both", r.Name, orNull(r.Got), r.Want[0]), ""
	}},
	mcp.DeclarersMissing: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q does not say which package declares it: add declared_by", r.Name), ""
	}},
	mcp.DeclarersEmpty: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("no package declares %q: remove it from the lockfile", r.Name), ""
	}},
	mcp.DeclarerKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s of %q must list names of packages, not %s", r.Member, r.Name, wording.AKind(r.Kind)), ""
	}},
	mcp.DeclarerTwice: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s of %q lists %q twice: remove one of them", r.Member, r.Name, r.Got), ""
	}},
	mcp.DeclarerGone: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is declared by %q, which is not installed: install it, or take it out of declared_by", r.Name, r.Got), ""
	}},

	// Packages.
	mcp.ChecksumForm: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s of %q must be sha256: and 64 hex digits in lower case, so install it again", r.Member, r.Name), ""
	}},
	mcp.PackageScope: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has the scope %q in the lockfile of a project: install it for the project", r.Name, r.Got), ""
	}},
	mcp.PackageHTTP: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q comes over plain http: install it over https", r.Name), ""
	}},
	mcp.LinkNotLinked: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the source of %q is a link, but linked is not true: link the package again", r.Name), ""
	}},
	mcp.LinkedNoLink: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked, but its source is not a link: link the package again", r.Name), ""
	}},
	mcp.LinkedChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked and cannot have a checksum: remove the checksum", r.Name), ""
	}},
	mcp.LinkedDirectory: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is linked to a directory of one machine, so nobody else can install it: install it from an archive or URL", r.Name), ""
	}},
	mcp.NoChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has no checksum: install it again", r.Name), ""
	}},
	mcp.NoChecksumOrLink: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the package %q has no checksum and is not linked: install it again", r.Name), ""
	}},
	mcp.RemoteNoChecksum: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the remote source %q of %q has no checksum: install the package again", r.Got, r.Name), ""
	}},
	mcp.RemoteHTTP: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the remote source %q of %q is not fetched over https: use an https URL", r.Got, r.Name), ""
	}},
}
