package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// versionConflict finds one server that files of a project pin to different
// versions.
var versionConflict = &rule.Rule{
	ID:       "version-conflict",
	Title:    "one server is pinned to different versions",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runVersionConflict,
}

func runVersionConflict(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	fixed := map[*mcp.Server]bool{} // each at once with its copies
	for s := range p.Servers() {
		if s.Locked != nil && compare.IsRunning(s) && !compare.IsOwnCopy(s.Locked, s) && compare.OtherVersion(s.Locked, s) {
			reportLockedVersion(p, s.Locked, s, copies, fixed)
		}
	}
	for _, files := range p.Project.Compared {
		var pinned []*mcp.Server
		for _, s := range compare.Unlocked(compare.Running(files)) {
			if compare.IsOneVersion(s.Identity.Version) {
				pinned = append(pinned, s)
			}
		}
		for _, same := range compare.Sharing(pinned, compare.ByKey) {
			reportVersions(p, same, copies)
		}
	}
}

func reportLockedVersion(p *rule.Pass, entry *mcp.LockEntry, s *mcp.Server, copies *repair.Copies, fixed map[*mcp.Server]bool) {
	f := rule.At(s)
	f.Span = s.Identity.Version.Span
	locked := entry.Target.Identity.Version.Text
	f.Message = wording.VersionMessage(s, locked, entry.Document.File.Path)
	f.Help = wording.Say("pin %s, or update the lockfile", locked)
	isHigher := entry.Document.Tool.HighestWins && s.Identity.Kind.System().Compare(s.Identity.Version.Text, locked) > 0
	if isHigher {
		f.Help = wording.Say("update the lockfile, or pin %s", locked)
	}
	if reputation.IsKnownBad(repair.PackageOf(s), entry.Target.Identity.Version) {
		f.Message += wording.Say(", and an advisory or a malware report names %s", locked)
		f.Help = "update the lockfile"
	}
	f.Related = []rule.Related{{File: entry.Document.File, Span: entry.Target.Identity.Version.Span,
		Message: wording.Say("pinned to %s here", locked)}}
	if isHigher {
		f.NoFixReason = wording.Say("%s uses the highest version, and the lockfile may be out of date", entry.Document.Tool.Title)
	} else if source := repair.SourceOf(s); !fixed[source] {
		fixed[source] = true
		title := wording.Say("move %s from %s to %s, as in %s", s.Identity.Name, s.Identity.Version.Text, locked, entry.Document.File.Path)
		f.Fixes, f.NoFixReason = repair.FixVersions([]*mcp.Server{s}, copies, title, entry.Target.Identity.Version)
	}
	p.Report(f)
}

// reportVersions reports every entry that is not at the version most files
// pin, on a tie the first file's. Several versions within one file are two
// instances or a duplicate, never this.
func reportVersions(p *rule.Pass, same []*mcp.Server, copies *repair.Copies) {
	if !compare.OnePerFile(same) {
		return
	}
	versions := make(map[*mcp.Server]string, len(same))
	for _, s := range same {
		versions[s] = compare.VersionOf(&s.Identity)
	}
	usual := compare.MostCommon(same, func(s *mcp.Server) string { return versions[s] })
	var (
		agreed  rule.Finding // with the places that all of them have in common
		written string       // how the first of them writes the version
	)
	for _, other := range same {
		if versions[other] == usual {
			written = wording.OrName(written, other.Identity.Version.Text)
			agreed.Relate(rule.Related{File: other.Document.File, Span: other.Identity.Version.Span, Message: wording.Say("pinned to %s here", other.Identity.Version.Text)})
		}
	}
	fixes, noFixReason := fixConflict(same, versions, usual, copies)
	for _, s := range same {
		if versions[s] == usual {
			continue
		}
		f := rule.At(s)
		f.Span = s.Identity.Version.Span
		f.Message, f.Help = wording.VersionMessage(s, written, agreed.Related[0].File.Path), compare.SameVersion
		f.Related, f.MoreRelated = slices.Clone(agreed.Related), agreed.MoreRelated
		f.Fixes, f.NoFixReason = fixes, noFixReason
		p.Report(f)
	}
}

// fixConflict moves all entries to the highest version that one of them has, unless more of
// them change than a finding names, or returns why not. Where a generated entry has a higher
// version than its source, either of the two may be right.
func fixConflict(same []*mcp.Server, versions map[*mcp.Server]string, usual string, copies *repair.Copies) (fixes []rule.Fix, noFixReason string) {
	right, ok := repair.HighestOf(same)
	if !ok {
		return nil, "only you can tell which of the versions is the newer one"
	}
	id := &same[0].Identity
	release := compare.ReleaseOf(id.Kind, right)
	isSource := func(s *mcp.Server) bool { return s.Document.Scope == mcp.ScopeGenerator }
	if release != usual && slices.ContainsFunc(same, isSource) {
		return nil, wording.Say("only you can tell whether %s is right, or the source of the generated entries", right.Text)
	}
	apart := slices.DeleteFunc(slices.Clone(same), func(s *mcp.Server) bool { return versions[s] == release })
	title := wording.Say("move %s to %s in %d files", id.Name, right.Text, len(apart))
	switch {
	case len(apart) > rule.MaxRelated:
		return nil, wording.Say("more than %d files would change", rule.MaxRelated)
	case len(apart) == 1:
		title = wording.Say("move %s from %s to %s in %s", id.Name, apart[0].Identity.Version.Text, right.Text, apart[0].Document.File.Path)
	}
	return repair.FixVersions(apart, copies, title, right)
}
