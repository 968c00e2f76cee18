package repair

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// WriteVersion returns the changes that write another version of a package instead of the
// one that some entries ask for, and whether all of them have that one as plain text.
func WriteVersion(entries []*mcp.Server, pkg identity.Fetched, version string) (edits []edit.Change, ok bool) {
	for _, s := range entries {
		file := s.Document.File
		for same := range s.Identity.Packages() {
			at := same.Version.Span
			if same.String() != pkg.String() || same.Version.Text != pkg.Version.Text {
				continue
			}
			if s.Shared || string(file.Bytes[at.Start:at.End]) != same.Version.Text {
				return nil, false
			}
			edits = append(edits, edit.Rename(file, at, version))
		}
	}
	return edits, true
}

// NotWrittenPlainly says why a version is left as it is.
const NotWrittenPlainly = "mcplumb cannot change the version safely as it is written"

// PackageOf returns the package that a server is.
func PackageOf(s *mcp.Server) identity.Fetched {
	id := &s.Identity
	return identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version}
}

// FixVersions writes one version into all entries that have another one of the same
// package, and into the copies of them, or says why not.
func FixVersions(apart []*mcp.Server, copies *Copies, title string, version identity.Version) (fixes []rule.Fix, noFixReason string) {
	fix := rule.Fix{Title: title, Safety: rule.Unsafe}
	seen := map[*mcp.Server]bool{}
	for _, s := range apart {
		s = SourceOf(s)
		if seen[s] {
			continue
		}
		seen[s] = true
		pkg := PackageOf(s)
		edits, ok := WriteVersion(copies.WithCopies(s), pkg, version.Text)
		switch {
		case !isWrittenAs(pkg, version):
			return nil, wording.Say("%s and %s have different forms", pkg.Version.Text, version.Text)
		case reputation.IsKnownBad(pkg, version):
			return nil, wording.Say("an advisory or a malware report names %s", version.Text)
		case s.Shared:
			return nil, KeptBecause(s)
		case !ok || len(edits) == 0:
			return nil, NotWrittenPlainly
		}
		fix.Edits = append(fix.Edits, edits...)
	}
	return []rule.Fix{fix}, ""
}

// isWrittenAs reports whether a version can replace the version of a package: a digest is
// not a tag, and the tags of images and of Go have a v or none.
func isWrittenAs(pkg identity.Fetched, version identity.Version) bool {
	hasV := func(v identity.Version) bool { return strings.HasPrefix(v.Text, "v") }
	sameMark := pkg.Kind != identity.OCI && pkg.Kind != identity.Go || hasV(pkg.Version) == hasV(version)
	return pkg.Version.Kind == version.Kind && sameMark
}

// HighestOf returns the highest version of some entries of one package, and false where
// mcplumb cannot tell: dates are higher than the numbers that came after them, and a release
// should not become a preview of the next one or a local build (PyPI's local versions).
func HighestOf(servers []*mcp.Server) (highest identity.Version, ok bool) {
	var best *version.Version
	dates, releases := 0, 0
	for _, s := range servers {
		v, err := s.Identity.Kind.System().Parse(s.Identity.Version.Text)
		if err != nil {
			return highest, false
		}
		if reputation.IsDate(s.Identity.Version.Text) {
			dates++
		}
		if v.IsRelease() {
			releases++
		}
		if best == nil || v.Compare(best) > 0 {
			best, highest = v, s.Identity.Version
		}
	}
	hasBoth := dates != 0 && dates != len(servers) || releases != 0 && !best.IsRelease()
	return highest, !hasBoth
}
