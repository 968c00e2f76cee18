package checks

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// aliasDrift finds one server that two files of a project, or a file and the
// lockfile, call by different names.
var aliasDrift = &Check{
	ID:       "alias-drift",
	Title:    "one server goes by different names",
	Severity: Warning,
	Reads:    inUse,
	Run:      runAliasDrift,
}

// runAliasDrift leaves alone the names that a tool has made.
func runAliasDrift(p *Pass) {
	written := writtenNames{}
	for s := range p.Servers() {
		written.add(s)
		if s.Locked != nil && isRunning(s) && !isUnnamed(s) && s.Extra().NamedBy == nil && !s.Locked.Named(s.Name) {
			reportLockedDrift(p, s.Locked, s)
		}
	}
	for _, files := range p.Project.Compared {
		servers := slices.DeleteFunc(withNames(unlocked(running(files))), func(s *mcp.Server) bool { return s.Extra().NamedBy != nil })
		for _, same := range sharing(servers, byKey) {
			for _, one := range oneServer(same) {
				reportDrift(p, one, written)
			}
		}
	}
}

// reportLockedDrift reports a server whose name is not the one it is locked
// under: that one is right, whatever most files say.
func reportLockedDrift(p *Pass, entry *mcp.LockEntry, s *mcp.Server) {
	f := at(s)
	f.Message = driftMessage(s, entry.Document.File.Path, entry.Name)
	f.Related = []Related{seeLock(entry, fmt.Sprintf("locked here as %q", entry.Name))}
	p.Report(f)
}

func driftMessage(s *mcp.Server, where, right string) string {
	return fmt.Sprintf("%q is the server that %s calls %q (%s): one server, two names", s.Name, where, right, runs(s))
}

// oneServer splits entries of one identity into groups that are the same
// server with the same configuration. Where every file has but one entry of
// that identity, a value that somebody supplies at run time does not make two
// servers of one.
func oneServer(same []*mcp.Server) [][]*mcp.Server {
	if !onePerFile(same) {
		return groupBy(same, byConfig)
	}
	var groups [][]*mcp.Server
next:
	for _, s := range same {
		for i, group := range groups {
			if identity.Compare(group[0].Resolved(), s.Resolved()) >= identity.Undecided {
				groups[i] = append(group, s)
				continue next
			}
		}
		groups = append(groups, []*mcp.Server{s})
	}
	return groups
}

// reportDrift reports every entry of one server whose name is not the one most
// files use (on a tie the first file's), unless the file also holds that
// server under the right name: then the entry is a second instance.
func reportDrift(p *Pass, one []*mcp.Server, written writtenNames) {
	right := mostCommon(one, byName)
	for _, s := range one {
		if s.Name == right || holds(s.Document, right, s) || written.together(s.Name, right) {
			continue
		}
		var named []Related
		var first *mcp.Server
		for _, other := range one {
			if other.Name == right && !holds(other.Document, s.Name, s) {
				if first == nil {
					first = other
				}
				named = append(named, seeAlso(other, "called %q here", right))
			}
		}
		if first == nil {
			continue
		}
		f := at(s)
		f.Message = driftMessage(s, first.Document.File.Path, right)
		f.Related = named
		p.Report(f)
	}
}

// writtenNames are the names under which a generator writes one server into the
// files of clients, by each of them.
type writtenNames map[string][]string

func (w writtenNames) add(s *mcp.Server) {
	others := s.Extra().WrittenAs
	if len(others) == 0 {
		return
	}
	w[s.Name] = append(w[s.Name], others...)
	for _, other := range others {
		w[other] = append(w[other], s.Name)
	}
}

// together reports whether a generator writes one server under both names.
func (w writtenNames) together(a, b string) bool { return slices.Contains(w[a], b) }

// holds reports whether a document has an entry of that name, started or not,
// with the identity of s.
func holds(doc *mcp.Document, name string, s *mcp.Server) bool {
	for _, other := range doc.Servers {
		if other.Name == name && other.Identity.Key() == s.Identity.Key() {
			return true
		}
	}
	return false
}
