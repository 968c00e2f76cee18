package ccpkg

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportPackageVersions reports a server that packages ask for at different
// versions, at each that is not the highest. ccpkg has the version as a part of
// the command, and takes them for different servers. Where the lockfile shares
// the server it is settled, and invalid-lockfile says whether it is so by the
// rules.
func ReportPackageVersions(p *rule.Pass) {
	entries := sharedEntries(p.Project)
	for _, group := range declaredServers(p.Project) {
		if entries[group[0].declaration.Name] != nil {
			continue
		}
		usual := highestAsked(group)
		for _, b := range group {
			if usual != nil && b.asks() && b.origin() == usual.origin() && b.declaration.Origin.Text != usual.declaration.Origin.Text {
				reportPackageVersion(p, b, usual)
			}
		}
	}
}

func reportPackageVersion(p *rule.Pass, b, usual *declaredServer) {
	version, top := b.declaration.Origin.Version, usual.declaration.Origin.Version
	f := rule.Finding{File: b.doc.File, Span: b.asked(), Server: b.declaration.Name, Identity: b.identity().Shown()}
	if isPinned(b) && isPinned(usual) {
		f.Message, f.Help = wording.VersionMessage(b.server, top.Text, usual.doc.File.Path), compare.SameVersion
		f.NoFixReason = "ccpkg would install the package again as it was published"
		f.Related = []rule.Related{{File: usual.doc.File, Span: usual.asked(), Message: wording.Say("pinned to %s here", top.Text)}}
	} else {
		f.Message = wording.Say("the package %q asks for %s of %q, but %q for %s, so ccpkg treats the two as different servers",
			b.doc.BundleName(), version.Text, b.declaration.Name, usual.doc.BundleName(), top.Text)
		f.Help = "write the same version in both"
		f.Related = []rule.Related{{File: usual.doc.File, Span: usual.asked(), Message: wording.Say("asks for %s here", top.Text)}}
	}
	p.Report(f)
}

// highestAsked returns the server of the highest version in the origins of a
// group, the first if none can be compared, and nil if there is no version.
func highestAsked(group []*declaredServer) *declaredServer {
	var highest *declaredServer
	for _, b := range group {
		if !b.asks() {
			continue
		}
		asked := b.declaration.Origin.Version.Release()
		if highest == nil || version.IsSemantic(asked) && newer(asked, semverOrNone(highest.declaration.Origin.Version.Release())) {
			highest = b
		}
	}
	return highest
}

// semverOrNone returns a version that others can be compared with, or "".
func semverOrNone(text string) string {
	if !version.IsSemantic(text) {
		return ""
	}
	return text
}

// newer reports whether version a is higher than b, in the order that ccpkg has for all
// packages; none is lower than any.
func newer(a, b string) bool { return version.Semantic.Compare(a, b) > 0 }

// isPinned reports whether the command of a server has one exact version.
func isPinned(b *declaredServer) bool {
	return b.server != nil && b.server.Identity.Version.Kind == identity.Exact
}
