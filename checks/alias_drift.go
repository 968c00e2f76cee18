package checks

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// aliasDrift finds one server that two files of a project, or a file and the
// lockfile, call by different names.
var aliasDrift = &Check{
	ID:       "alias-drift",
	Title:    "one server goes by different names",
	Severity: Warning,
	Fix:      Unsafe,
	Reads:    inUse,
	Run:      runAliasDrift,
}

// runAliasDrift leaves alone the names that a tool has made.
func runAliasDrift(p *Pass) {
	written, manifests := writtenNames{}, publishedBy(p.Project)
	renames, sources := newRenames(p.Project), namesInSources(p.Project)
	var locked []*mcp.Server
	for s := range p.Servers() {
		written.add(s)
		if s.Locked != nil && isRunning(s) && !isUnnamed(s) && s.Extra().NamedBy == nil && !s.Locked.Named(s.Name) {
			locked = append(locked, s)
		}
	}
	for _, same := range groupBy(locked, lockedAs) {
		for _, s := range same {
			reportLockedDrift(p, s.Locked, s, renames, same)
		}
	}
	for _, files := range p.Project.Compared {
		held := &held{files: files}
		servers := slices.DeleteFunc(withNames(running(files)), func(s *mcp.Server) bool { return s.Extra().NamedBy != nil || isNamedByLock(s) })
		for _, same := range sharing(servers, byKey) {
			for _, one := range oneServer(same) {
				reportDrift(p, one, rightName(one, manifests, sources), written, held, renames)
			}
		}
	}
}

// lockedAs is one key for entries of one name that are to have that of one locked
// entry.
func lockedAs(s *mcp.Server) string { return s.Name + "\x00" + s.Locked.Name }

// isNamedByLock reports whether a lockfile of client files says what a server is
// called. What it locks under the server's name and is something else says nothing
// of this one.
func isNamedByLock(s *mcp.Server) bool {
	entry := s.Locked
	if entry == nil || entry.Document.Tool.Of != "" {
		return false
	}
	locked := &entry.Target.Identity
	return locked.Kind == identity.None || locked.Key() == s.Identity.Key() || locked.String() == s.Identity.String() || entry.MentionedIn(s)
}

// reportLockedDrift reports a server whose name is not the one it is locked
// under: that one is right, whatever most files say. same are those of its name for
// which that is so.
func reportLockedDrift(p *Pass, entry *mcp.LockEntry, s *mcp.Server, renames *renames, same []*mcp.Server) {
	f := at(s)
	f.Message = driftMessage(s, entry.Document.File.Path, entry.Name)
	f.Fixes, f.Unmended = renames.of(s, entry.Name, same)
	if entry.Document.Tool.Of != "" { // what is locked follows the file
		f.Message = say("%q is the server that %s calls %q (%s): update the lockfile with %s",
			s.Name, entry.Document.File.Path, entry.Name, runs(s), entry.Document.Tool.Title)
		f.Fixes, f.Unmended = nil, ""
	}
	f.Related = []Related{seeLock(entry, say("locked here as %q", entry.Name))}
	p.Report(f)
}

func driftMessage(s *mcp.Server, where, right string) string {
	return say("%q is the server that %s calls %q (%s): rename it to %q", s.Name, where, right, runs(s), right)
}

// oneServer splits entries of one identity into groups that are the same
// server with the same configuration. Where every file has but one entry of
// that identity, a value that somebody supplies at run time does not make two
// servers of one. Of hundreds of configurations the first are looked at so
// closely; the others are one server only where they are equal.
func oneServer(same []*mcp.Server) [][]*mcp.Server {
	if !onePerFile(same) {
		return groupBy(same, byConfig)
	}
	var groups [][]*mcp.Server
	var first []identity.Config // of each group, up to maxCompared
	others := map[string]int{}  // the groups behind those
	for _, s := range same {
		config := s.Resolved().Config()
		at := slices.IndexFunc(first, func(c identity.Config) bool { return identity.CompareConfigs(c, config) >= identity.Undecided })
		if at < 0 && len(groups) >= maxCompared {
			known := false
			if at, known = others[config.Key()]; !known {
				at = -1
				others[config.Key()] = len(groups)
			}
		}
		if at >= 0 {
			groups[at] = append(groups[at], s)
			continue
		}
		if len(first) < maxCompared {
			first = append(first, config)
		}
		groups = append(groups, []*mcp.Server{s})
	}
	if len(groups) == 2 && isExtended(groups[0][0], groups[1][0]) {
		return [][]*mcp.Server{same}
	}
	return groups
}

// isExtended reports whether one entry has all that the other sets, and variables or
// headers besides that the other does not name: one server, unless a word in a name
// may be there for them, as in "db" and "db-readonly".
func isExtended(a, b *mcp.Server) bool {
	x, y := a.Resolved().Config(), b.Resolved().Config()
	return identity.CompareConfigs(x, y) == identity.Extended &&
		!namesAny(b, x.Beyond(y)) && !namesAny(a, y.Beyond(x)) &&
		slices.Equal(ownWords(a), ownWords(b))
}

// namesAny reports whether an entry passes a setting on from its own environment.
func namesAny(s *mcp.Server, settings []identity.Setting) bool {
	return slices.ContainsFunc(settings, func(set identity.Setting) bool {
		names := func(p identity.Pair) bool { return strings.EqualFold(p.Name.Text, set.Name) }
		return slices.ContainsFunc(s.Launch.Env, names) || slices.ContainsFunc(s.Launch.Headers, names) ||
			slices.ContainsFunc(s.Launch.Args, func(w identity.Word) bool { return strings.Contains(w.Text, set.Name) })
	})
}

// ownWords returns the words of a name that neither say what a server is nor stand in
// what it runs, sorted.
func ownWords(s *mcp.Server) []string {
	split := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	}
	known := append(split(s.Identity.String()), "mcp", "server")
	words := slices.DeleteFunc(split(s.Name), func(word string) bool { return slices.Contains(known, word) })
	slices.Sort(words)
	return words
}

// namesInSources returns the names that entries have in the source of a group of files
// that are to be in step.
func namesInSources(project *mcp.Project) map[*mcp.Server]string {
	names := map[*mcp.Server]string{}
	for _, file := range project.InStep {
		for _, cell := range file.Cells {
			if cell.Server != nil && file.Group.Source != nil {
				names[cell.Server] = cell.Row.Server.Name
			}
		}
	}
	return names
}

// rightName returns the name that a lockfile has, if only for what should run, else
// that of the source which files are to follow, else the one that most files use, on a
// tie the one that the server is published under, else that of its package, else the
// first that is no title.
func rightName(one []*mcp.Server, manifests publishes, sources map[*mcp.Server]string) string {
	for _, s := range one {
		if s.Locked != nil && s.Locked.Named(s.Name) {
			return s.Name
		}
	}
	for _, s := range one {
		if name := sources[s]; name != "" {
			return name
		}
	}
	return manifests.settle(one, mostCommon(one, byName))
}

// reportDrift reports every entry of one server whose name is not the right one,
// unless the file also holds that server under the right name: then the entry is a
// second instance.
func reportDrift(p *Pass, one []*mcp.Server, right string, written writtenNames, held *held, renames *renames) {
	var drifted []*mcp.Server
	started := map[*mcp.Document]*mcp.Server{}
	for _, s := range one {
		again := isStarted(started, s)
		if started[s.Document] == nil {
			started[s.Document] = s
		}
		if s.Name != right && !held.under(right, s)[s.Document] && !written.together(s.Name, right) && !again {
			drifted = append(drifted, s)
		}
	}
	if drifted == nil {
		return
	}
	rightly := slices.DeleteFunc(slices.Clone(one), func(s *mcp.Server) bool { return s.Name != right })
	for _, same := range groupBy(drifted, byName) {
		for _, s := range same {
			named, more := outsideOf(rightly, held.under(s.Name, s))
			if len(named) == 0 {
				continue
			}
			f := at(s)
			f.Message = driftMessage(s, named[0].Document.File.Path, right)
			for _, other := range named {
				f.Related = append(f.Related, seeAlso(other, "called %q here", right))
			}
			f.MoreRelated = more
			f.Fixes, f.Unmended = renames.of(s, right, same)
			p.Report(f)
		}
	}
}

// outsideOf returns the first maxRelated of the servers that are not in certain
// documents, and how many follow on them.
func outsideOf(servers []*mcp.Server, documents map[*mcp.Document]bool) (first []*mcp.Server, more int) {
	for i, s := range servers {
		if len(first) == maxRelated {
			return first, len(servers) - i
		}
		if !documents[s.Document] {
			first = append(first, s)
		}
	}
	return first, 0
}

// held knows which files hold a server under a name, started or not. It is filled
// once somebody asks.
type held struct {
	files     []*mcp.Document
	documents map[heldName]map[*mcp.Document]bool
}

type heldName struct{ name, key string }

// under returns the documents that hold an entry of that name with the identity of
// a server.
func (h *held) under(name string, s *mcp.Server) map[*mcp.Document]bool {
	if h.documents == nil {
		h.documents = map[heldName]map[*mcp.Document]bool{}
		for _, doc := range h.files {
			for _, other := range doc.Servers {
				at := heldName{other.Name, byKey(other)}
				if h.documents[at] == nil {
					h.documents[at] = map[*mcp.Document]bool{}
				}
				h.documents[at][doc] = true
			}
		}
	}
	return h.documents[heldName{name, byKey(s)}]
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

// isStarted reports whether the client of an entry starts an earlier one of the same
// server as well, which duplicate-server tells: once that is mended, no second name
// is left. started has the first entry of each file that was looked at.
func isStarted(started map[*mcp.Document]*mcp.Server, s *mcp.Server) bool {
	starts := func(doc *mcp.Document) bool {
		earlier := started[doc]
		return earlier != nil && !isAlias(earlier, s) && !s.Extra().Apart
	}
	// A client that loads hundreds of files together has started it in an early one.
	with := s.Document.LoadedWith
	return starts(s.Document) || slices.ContainsFunc(with[:min(len(with), 20)], starts)
}
