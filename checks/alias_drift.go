package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// aliasDrift finds one server that has different names in two files of a project, or in a
// file and the lockfile.
var aliasDrift = &rule.Rule{
	ID:       "alias-drift",
	Title:    "one server has different names",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runAliasDrift,
}

// runAliasDrift leaves alone the names that a tool has made.
func runAliasDrift(p *rule.Pass) {
	written, renames := writtenNames{}, repair.NewRenames(p.Project)
	var locked []*mcp.Server
	for s := range p.Servers() {
		written.add(s)
		if s.Locked != nil && compare.IsRunning(s) && !compare.IsUnnamed(s) && !compare.IsNameKept(s) && !s.Locked.Named(s.Name) {
			locked = append(locked, s)
		}
	}
	for _, same := range compare.GroupBy(locked, lockedAs) {
		for _, s := range same {
			reportLockedDrift(p, s.Locked, s, renames, same)
		}
	}
	names := repair.NewRightNames(p.Project)
	for _, files := range p.Project.Compared {
		held := &repair.Held{Files: files}
		for one := range compare.Aliases(files) {
			reportDrift(p, one, names.NameFor(refusal.Startable(one)), written, held, renames)
		}
	}
}

// TiedNames returns the names of a project's servers among which texts for agents may
// decide which is right.
func TiedNames(project *mcp.Project) []string {
	var tied []string
	var names *repair.RightNames
	for _, files := range project.Compared {
		for one := range compare.Aliases(files) {
			if names == nil {
				names = repair.NewRightNames(project)
			}
			if right := names.NameFor(refusal.Startable(one)); len(right.Tied) > 1 {
				tied = append(tied, right.Tied...)
			}
		}
	}
	return tied
}

// lockedAs is one key for entries of one name that must all take the name of one locked entry.
func lockedAs(s *mcp.Server) string { return s.Name + "\x00" + s.Locked.Name }

// reportLockedDrift reports a server whose name differs from the one it is locked under: the
// locked name is right, even if most files have another. same are the servers of its name to
// which this also applies.
func reportLockedDrift(p *rule.Pass, entry *mcp.LockEntry, s *mcp.Server, renames *repair.Renames, same []*mcp.Server) {
	f := rule.At(s)
	right := repair.RightName{Text: entry.Name, Unsure: repair.Unsuited(same, entry.Name)}
	f.Message = wording.Say("%q runs %s, which %s locks under the name %q", s.Name, wording.Runs(s), entry.Document.File.Path, entry.Name)
	f.Help = wording.DriftHelp(entry.Name, right.Unsure == "")
	f.Fixes, f.NoFixReason = renames.ToRight(s, right, same)
	if entry.Document.Tool.Of != "" { // the lockfile follows the file
		f.Help = wording.Say("update the lockfile with %s", entry.Document.Tool.Title)
		f.Fixes, f.NoFixReason = nil, ""
	}
	f.Related = []rule.Related{rule.SeeLock(entry, wording.Say("locked here as %q", entry.Name))}
	p.Report(f)
}

// reportDrift reports every entry of one server whose name is not the right one, unless the file
// also has that server under the right name: then the entry is a second instance.
func reportDrift(p *rule.Pass, one []*mcp.Server, name repair.RightName, written writtenNames, held *repair.Held, renames *repair.Renames) {
	var drifted []*mcp.Server
	right, started := name.Text, map[*mcp.Document]*mcp.Server{}
	for _, s := range one {
		again := isStarted(started, s)
		if started[s.Document] == nil {
			started[s.Document] = s
		}
		if s.Name != right && !s.Extra().InGallery && !held.FilesWith(right, s)[s.Document] && !written.together(s.Name, right) && !again {
			drifted = append(drifted, s)
		}
	}
	if drifted == nil {
		return
	}
	rightly := slices.DeleteFunc(slices.Clone(one), func(s *mcp.Server) bool { return s.Name != right })
	for _, same := range compare.GroupBy(drifted, compare.ByName) {
		for _, s := range same {
			named, more := outsideOf(rightly, held.FilesWith(s.Name, s))
			if len(named) == 0 {
				continue
			}
			f := rule.At(s)
			f.Message, f.Help = wording.DriftMessage(s, named[0].Document.File.Path, right, name.Unsure == "")
			for _, other := range named {
				f.Related = append(f.Related, rule.SeeAlso(other, "called %q here", right))
			}
			f.MoreRelated = more
			f.Fixes, f.NoFixReason = renames.ToRight(s, name, same)
			p.Report(f)
		}
	}
}

// outsideOf returns the first MaxRelated of the servers that are not in certain
// documents, and how many follow on them.
func outsideOf(servers []*mcp.Server, documents map[*mcp.Document]bool) (first []*mcp.Server, more int) {
	for i, s := range servers {
		if len(first) == rule.MaxRelated {
			return first, len(servers) - i
		}
		if !documents[s.Document] {
			first = append(first, s)
		}
	}
	return first, 0
}

// writtenNames are the pairs of names under which a generator writes one server
// into the files of clients.
type writtenNames map[[2]string]bool

func (w writtenNames) add(s *mcp.Server) {
	for _, other := range s.Extra().WrittenAs {
		w[[2]string{s.Name, other}], w[[2]string{other, s.Name}] = true, true
	}
}

// together reports whether a generator writes one server under both names.
func (w writtenNames) together(a, b string) bool { return w[[2]string{a, b}] }

// isStarted reports whether the client of an entry also starts an earlier entry of the same
// server. duplicate-server reports that; its fix leaves no second name. started has the first
// entry of each file so far.
func isStarted(started map[*mcp.Document]*mcp.Server, s *mcp.Server) bool {
	starts := func(doc *mcp.Document) bool {
		earlier := started[doc]
		return earlier != nil && !compare.IsAlias(earlier, s) && !s.Extra().Apart
	}
	// A client that loads hundreds of files together has started it in an early one.
	with := s.Document.LoadedWith
	return starts(s.Document) || slices.ContainsFunc(with[:min(len(with), 20)], starts)
}
