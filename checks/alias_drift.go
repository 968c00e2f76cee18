package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// aliasDrift finds one server that two files of a project, or a file and the
// lockfile, call by different names.
var aliasDrift = &Rule{
	ID:       "alias-drift",
	Title:    "one server goes by different names",
	Severity: Warning,
	Fix:      Unsafe,
	Reads:    inUse,
	Run:      runAliasDrift,
}

// runAliasDrift leaves alone the names that a tool has made.
func runAliasDrift(p *Pass) {
	written, renames := writtenNames{}, newRenames(p.Project)
	var locked []*mcp.Server
	for s := range p.Servers() {
		written.add(s)
		if s.Locked != nil && isRunning(s) && !isUnnamed(s) && !isNameKept(s) && !s.Locked.Named(s.Name) {
			locked = append(locked, s)
		}
	}
	for _, same := range groupBy(locked, lockedAs) {
		for _, s := range same {
			reportLockedDrift(p, s.Locked, s, renames, same)
		}
	}
	names := newRightNames(p.Project)
	for _, files := range p.Project.Compared {
		held := &held{files: files}
		for one := range aliases(files) {
			reportDrift(p, one, names.of(startable(one)), written, held, renames)
		}
	}
}

// TiedNames returns the names of a project's servers among which texts for agents may
// decide which is right.
func TiedNames(project *mcp.Project) []string {
	var tied []string
	var names *rightNames
	for _, files := range project.Compared {
		for one := range aliases(files) {
			if names == nil {
				names = newRightNames(project)
			}
			if right := names.of(startable(one)); len(right.tied) > 1 {
				tied = append(tied, right.tied...)
			}
		}
	}
	return tied
}

// aliases calls yield with the entries of every server that files call by more than one
// name.
func aliases(files []*mcp.Document) func(yield func([]*mcp.Server) bool) {
	return func(yield func([]*mcp.Server) bool) {
		for _, same := range sharing(withNames(running(files)), byKey) {
			if allNamed(same, same[0].Name) {
				continue
			}
			for _, one := range oneServer(same) {
				one = slices.DeleteFunc(one, func(s *mcp.Server) bool { return isNameKept(s) || isNamedByLock(s) })
				if len(one) > 1 && !allNamed(one, one[0].Name) && !yield(one) {
					return
				}
			}
		}
	}
}

func allNamed(servers []*mcp.Server, name string) bool {
	return !slices.ContainsFunc(servers, func(s *mcp.Server) bool { return s.Name != name })
}

// isNameKept reports whether a name is nobody's to change and no model for others: a tool
// has made it, or it is one of a registry, with the owner in front.
func isNameKept(s *mcp.Server) bool {
	extra := s.Extra()
	return extra.NamedBy != nil || extra.InGallery && strings.Contains(s.Name, "/")
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
	right := rightName{text: entry.Name, unsure: unsuited(same, entry.Name)}
	f.Message = driftMessage(s, entry.Document.File.Path, entry.Name, right.unsure == "")
	f.Fixes, f.NoFixReason = renames.toRight(s, right, same)
	if entry.Document.Tool.Of != "" { // what is locked follows the file
		f.Message = say("%q is the server that %s calls %q (%s): update the lockfile with %s",
			s.Name, entry.Document.File.Path, entry.Name, runs(s), entry.Document.Tool.Title)
		f.Fixes, f.NoFixReason = nil, ""
	}
	f.Related = []Related{seeLock(entry, say("locked here as %q", entry.Name))}
	p.Report(f)
}

// driftMessage says that a server has another name elsewhere, and whether it is right there.
func driftMessage(s *mcp.Server, where, name string, isRight bool) string {
	what := say("%q is the server that %s calls %q (%s)", s.Name, where, name, runs(s))
	if isRight {
		return what + say(": rename it to %q", name)
	}
	return what + ": choose one name for both"
}

// oneServer splits entries of one identity into groups that are the same
// server with the same configuration. Where every file has but one entry of
// that identity, a value that somebody supplies at run time does not make two
// servers of one. Where a file has two that differ, nobody knows which of them
// another file has. Of hundreds of configurations the first are looked at so
// closely; the others are one server only where they are equal.
func oneServer(same []*mcp.Server) [][]*mcp.Server {
	least := identity.Undecided
	if !onePerFile(same) {
		least = identity.Equivalent
	}
	var groups [][]*mcp.Server
	var known []instance       // the first ones
	others := map[string]int{} // the groups of those behind them
	for _, s := range same {
		this := instance{entry: s, config: s.Resolved().Config(), words: ownWords(s)}
		at := slices.IndexFunc(known, func(other instance) bool { return other.isSameAs(&this, least) })
		if at >= 0 {
			this.group = known[at].group
			groups[this.group] = append(groups[this.group], s)
		} else if group, isOther := others[this.key()]; isOther {
			groups[group] = append(groups[group], s)
		} else {
			this.group = len(groups)
			groups = append(groups, []*mcp.Server{s})
			others[this.key()] = this.group
		}
		if len(known) < maxCompared && !slices.ContainsFunc(known, this.isRepeated) {
			known = append(known, this)
		}
	}
	switch {
	case len(groups) > 1 && !onePerFile(same) && isApart(groups):
		return nil
	case len(groups) == 2 && isExtended(groups[0][0], groups[1][0]):
		return [][]*mcp.Server{same}
	}
	return groups
}

// isApart reports whether a file has entries of two groups.
func isApart(groups [][]*mcp.Server) bool {
	in := map[*mcp.Document]int{}
	for i, group := range groups {
		for _, s := range group {
			if other, isKnown := in[s.Document]; isKnown && other != i {
				return true
			}
			in[s.Document] = i
		}
	}
	return false
}

// instance is an entry with what tells it from others of its identity.
type instance struct {
	entry  *mcp.Server
	config identity.Config
	words  []string // of the name, those that do not say what it runs
	group  int
}

// isSameAs reports whether two entries of one identity are one server. Words in a name may
// be there for what the other one does not say: a variable, if only one that is passed on,
// or which of two accounts somebody supplies.
func (a *instance) isSameAs(b *instance, least identity.Level) bool {
	level := identity.CompareConfigs(a.config, b.config)
	switch {
	case level < least:
		return false
	case slices.Equal(a.words, b.words):
		return true
	case level == identity.Undecided && isQualified(a.entry.Name, b.entry.Name):
		return false
	}
	return a.namesAll(b) && b.namesAll(a)
}

// namesAll reports whether an entry names all variables and headers of another one.
func (a *instance) namesAll(b *instance) bool {
	settings := b.config.Beyond(a.config)
	for _, name := range b.config.PassedOn {
		settings = append(settings, identity.Setting{Name: name})
	}
	return !slices.ContainsFunc(settings, func(set identity.Setting) bool { return !names(a.entry, set.Name) })
}

// isRepeated reports whether an entry says nothing that another one does not say.
func (a *instance) isRepeated(b instance) bool {
	return a.entry.Name == b.entry.Name && a.key() == b.key()
}

// key is equal for entries that say the same.
func (a *instance) key() string {
	return a.config.Key() + "\x02" + strings.Join(a.config.PassedOn, "\x00") + "\x02" + strings.Join(a.words, "\x00")
}

// isQualified reports whether one of two names is the other with words besides, as
// "db-readonly" is "db": they say which one it is.
func isQualified(a, b string) bool {
	x, y := withoutServer(identity.Words(a)), withoutServer(identity.Words(b))
	isIn := func(words, all []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(all, word) })
	}
	return isIn(x, y) != isIn(y, x)
}

// isExtended reports whether one entry has all that the other sets, and variables or
// headers besides that the other does not name: one server, unless a word in a name
// may be there for them, as in "db" and "db-readonly".
func isExtended(a, b *mcp.Server) bool {
	x, y := a.Resolved().Config(), b.Resolved().Config()
	return identity.CompareConfigs(x, y) == identity.Superset &&
		!namesAny(b, x.Beyond(y)) && !namesAny(a, y.Beyond(x)) &&
		slices.Equal(ownWords(a), ownWords(b))
}

// namesAny reports whether an entry passes a setting on from its own environment that
// another one has a value of its own for.
func namesAny(s *mcp.Server, settings []identity.Setting) bool {
	return slices.ContainsFunc(settings, func(set identity.Setting) bool { return !set.Supplied && names(s, set.Name) })
}

// names reports whether an entry names a variable or header.
func names(s *mcp.Server, name string) bool {
	is := func(p identity.Pair) bool { return strings.EqualFold(p.Name.Text, name) }
	has := func(w identity.Word) bool { return strings.Contains(w.Text, name) }
	return slices.ContainsFunc(s.Launch.Env, is) || slices.ContainsFunc(s.Launch.Headers, is) ||
		slices.ContainsFunc(s.Launch.Args, has) || slices.ContainsFunc(s.Launch.PassEnv, has)
}

// ownWords returns the words of a name that neither say what a server is nor stand in
// what it runs, sorted.
func ownWords(s *mcp.Server) []string {
	known := identity.Words(s.Identity.String())
	words := slices.DeleteFunc(withoutServer(identity.Words(s.Name)), func(word string) bool { return slices.Contains(known, word) })
	slices.Sort(words)
	return words
}

// reportDrift reports every entry of one server whose name is not the right one,
// unless the file also holds that server under the right name: then the entry is a
// second instance.
func reportDrift(p *Pass, one []*mcp.Server, name rightName, written writtenNames, held *held, renames *renames) {
	var drifted []*mcp.Server
	right, started := name.text, map[*mcp.Document]*mcp.Server{}
	for _, s := range one {
		again := isStarted(started, s)
		if started[s.Document] == nil {
			started[s.Document] = s
		}
		if s.Name != right && !s.Extra().InGallery && !held.under(right, s)[s.Document] && !written.together(s.Name, right) && !again {
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
			f.Message = driftMessage(s, named[0].Document.File.Path, right, name.unsure == "")
			for _, other := range named {
				f.Related = append(f.Related, seeAlso(other, "called %q here", right))
			}
			f.MoreRelated = more
			f.Fixes, f.NoFixReason = renames.toRight(s, name, same)
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
