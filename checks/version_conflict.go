package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// versionConflict finds one server that files of a project pin to different
// versions.
var versionConflict = &Rule{
	ID:       "version-conflict",
	Title:    "one server is pinned to different versions",
	Severity: Warning,
	Fix:      Unsafe,
	Reads:    inUse,
	Run:      runVersionConflict,
}

func runVersionConflict(p *Pass) {
	copies := &copies{project: p.Project}
	fixed := map[*mcp.Server]bool{} // each at once with its copies
	for s := range p.Servers() {
		if s.Locked != nil && isRunning(s) && !isOwnCopy(s.Locked, s) && otherVersion(s.Locked, s) {
			reportLockedVersion(p, s.Locked, s, copies, fixed)
		}
	}
	for _, files := range p.Project.Compared {
		var pinned []*mcp.Server
		for _, s := range unlocked(running(files)) {
			if isOneVersion(s.Identity.Version) {
				pinned = append(pinned, s)
			}
		}
		for _, same := range sharing(pinned, byKey) {
			reportVersions(p, same, copies)
		}
	}
}

// otherVersion reports whether a locked entry and a server are one package at
// two versions.
func otherVersion(entry *mcp.LockEntry, s *mcp.Server) bool {
	a, b := &entry.Target.Identity, &s.Identity
	return a.Kind == b.Kind && a.Name == b.Name && a.Version.Text != b.Version.Text && isOneVersion(a.Version) && isOneVersion(b.Version) &&
		versionOf(a) != versionOf(b)
}

// versionOf returns the version by which an entry is compared: "v1.2.3" is 1.2.3.
func versionOf(id *identity.Identity) string { return releaseOf(id.Kind, id.Version) }

func reportLockedVersion(p *Pass, entry *mcp.LockEntry, s *mcp.Server, copies *copies, fixed map[*mcp.Server]bool) {
	f := at(s)
	f.Span = s.Identity.Version.Span
	locked := entry.Target.Identity.Version.Text
	todo := say("write %s, or update the lockfile", locked)
	isHigher := entry.Document.Tool.HighestWins && s.Identity.Kind.System().Compare(s.Identity.Version.Text, locked) > 0
	if isHigher {
		todo = say("update the lockfile, or write %s", locked)
	}
	if isKnownBad(packageOf(s), entry.Target.Identity.Version) {
		todo = "update the lockfile, because something is published against what it has"
	}
	f.Message = versionMessage(s, locked, entry.Document.File.Path) + ": " + todo
	f.Related = []Related{{File: entry.Document.File, Span: entry.Target.Identity.Version.Span,
		Message: say("pinned to %s here", locked)}}
	if isHigher {
		f.NoFixReason = say("%s takes the highest version, and the lockfile may be out of date", entry.Document.Tool.Title)
	} else if source := sourceOf(s); !fixed[source] {
		fixed[source] = true
		title := say("move %s from %s to %s, as in %s", s.Identity.Name, s.Identity.Version.Text, locked, entry.Document.File.Path)
		f.Fixes, f.NoFixReason = fixVersions([]*mcp.Server{s}, copies, title, entry.Target.Identity.Version)
	}
	p.Report(f)
}

// versionMessage says which versions there are; what to do depends on where the other
// one stands.
func versionMessage(s *mcp.Server, other, where string) string {
	return say("%s is pinned to %s here, but to %s in %s", &s.Identity, s.Identity.Version.Text, other, where)
}

// sameVersion is what to do where no lockfile says which version is right: the one
// that most files have may be the one to leave.
const sameVersion = ": write the same version in both"

// reportVersions reports every entry that is not at the version most files
// pin, on a tie the first file's. Several versions within one file are two
// instances or a duplicate, never this.
func reportVersions(p *Pass, same []*mcp.Server, copies *copies) {
	version := func(s *mcp.Server) string { return versionOf(&s.Identity) }
	if !onePerFile(same) {
		return
	}
	usual := mostCommon(same, version)
	var (
		agreed  Finding // with the places that all of them have in common
		written string  // how the first of them writes the version
	)
	for _, other := range same {
		if version(other) == usual {
			written = orName(written, other.Identity.Version.Text)
			agreed.relate(Related{File: other.Document.File, Span: other.Identity.Version.Span, Message: say("pinned to %s here", other.Identity.Version.Text)})
		}
	}
	fixes, unmended := fixConflict(same, usual, copies)
	for _, s := range same {
		if version(s) == usual {
			continue
		}
		f := at(s)
		f.Span = s.Identity.Version.Span
		f.Message = versionMessage(s, written, agreed.Related[0].File.Path) + sameVersion
		f.Related, f.MoreRelated = slices.Clone(agreed.Related), agreed.MoreRelated
		f.Fixes, f.NoFixReason = fixes, unmended
		p.Report(f)
	}
}

// fixConflict takes all entries to the highest version that one of them has, unless
// more of them change than a finding names, or says why not. Where somebody has raised
// one that is generated, either that or its source may be what is meant.
func fixConflict(same []*mcp.Server, usual string, copies *copies) (fixes []Fix, unmended string) {
	right, ok := highestOf(same)
	if !ok {
		return nil, "only you can tell which of the versions is meant to be the newer one"
	}
	id := &same[0].Identity
	release := releaseOf(id.Kind, right)
	isSource := func(s *mcp.Server) bool { return s.Document.Scope == mcp.ScopeGenerator }
	if release != usual && slices.ContainsFunc(same, isSource) {
		return nil, say("either %s is what is meant, or what the entries are generated from", right.Text)
	}
	apart := slices.DeleteFunc(slices.Clone(same), func(s *mcp.Server) bool { return versionOf(&s.Identity) == release })
	title := say("move %s to %s in %d files", id.Name, right.Text, len(apart))
	switch {
	case len(apart) > maxRelated:
		return nil, say("more than %d files would change", maxRelated)
	case len(apart) == 1:
		title = say("move %s from %s to %s in %s", id.Name, apart[0].Identity.Version.Text, right.Text, apart[0].Document.File.Path)
	}
	return fixVersions(apart, copies, title, right)
}
