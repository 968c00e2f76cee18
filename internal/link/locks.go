package link

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// locks links the entries of every lockfile to the servers that they are about,
// those of the governing lockfiles first: their entry decides what a server is locked as, even if
// another tool also locks it.
func locks(repo *mcp.Repo) {
	for _, first := range []bool{true, false} {
		for _, p := range repo.Projects {
			for _, d := range p.Documents {
				if d.Lock != nil && d.Governs() == first {
					d.Lock.Files, d.Lock.ByName = filesOf(p, d), byName(d.Lock.Entries)
					lockServers(d)
				}
			}
		}
	}
}

// byName returns entries by their names.
func byName(entries []*mcp.LockEntry) map[string]*mcp.LockEntry {
	names := make(map[string]*mcp.LockEntry, len(entries))
	for _, entry := range entries {
		names[entry.Name] = entry
	}
	return names
}

// filesOf returns the documents that a lockfile of the project speaks of.
func filesOf(p *mcp.Project, lock *mcp.Document) []*mcp.Document {
	switch {
	case lock.Tool.Of != "":
		return filesOfFormat(p, lock.Tool.Of)
	case lock.Tool.Partial:
		return p.ClientFiles()
	}
	var files []*mcp.Document
	for _, governed := range p.Governs {
		files = append(files, governed.ClientFiles()...)
	}
	return files
}

// filesOfFormat returns the documents of a project that have a format and are in
// use.
func filesOfFormat(p *mcp.Project, format string) []*mcp.Document {
	var files []*mcp.Document
	for _, d := range p.Documents {
		if d.Format == format && d.Role == mcp.InUse {
			files = append(files, d)
		}
	}
	return files
}

// lockServers links the entries of one lockfile.
func lockServers(lock *mcp.Document) {
	if lock.Tool.PerTool {
		return // no entry is one of a server
	}
	if len(lock.Lock.Files) == 0 {
		return
	}
	match := indexed(lock.Lock.Entries).match
	if lock.Tool.ByProgram {
		match = programsOf(lock.Lock.Entries).match
	}
	for _, d := range lock.Lock.Files {
		for _, pair := range match(d) {
			pair.entry.Servers = append(pair.entry.Servers, pair.server)
			if pair.server.Locked == nil {
				pair.server.Locked = pair.entry
			}
		}
	}
}

// pair is a locked entry and a configured server that it is about.
type pair struct {
	entry  *mcp.LockEntry
	server *mcp.Server
}

// lockIndex are the entries of a lockfile with their keys, for each of the ways. It is computed
// once for all files: there may be as many as entries.
type lockIndex struct {
	entries []*mcp.LockEntry
	keys    [len(ways)][][]string
	// places are those of the entries that have a key, in order.
	places [len(ways)]map[lockKey][]int
}

// lockKey is a key of entries in files of one format, "" for any.
type lockKey struct{ key, format string }

func indexed(entries []*mcp.LockEntry) *lockIndex {
	index := &lockIndex{entries: entries}
	for way := range ways {
		index.keys[way] = make([][]string, len(entries))
		index.places[way] = make(map[lockKey][]int, len(entries))
		for i, entry := range entries {
			keys := ways[way].entry(entry)
			index.keys[way][i] = keys
			for _, key := range keys {
				at := lockKey{key, entry.Place.Format}
				if key != "" {
					index.places[way][at] = append(index.places[way][at], i)
				}
			}
		}
	}
	return index
}

// match pairs locked entries with the servers of one document, each at most once:
// by name, then by the command as it is written, then by what they run, then as mcp-tap
// does by the package as a word of the command. Names come first for all entries, so that none takes a server
// which another owns by name.
func (index *lockIndex) match(d *mcp.Document) []pair {
	var pairs []pair
	taken := map[*mcp.Server]bool{}
	matched := map[int]bool{}
	for way := range ways {
		if len(taken) == len(d.Servers) {
			break
		}
		free := serversByKey(d, taken, ways[way].server)
		for _, at := range index.candidates(way, d, free, matched) {
			if s := firstFree(free, index.keys[way][at], taken); s != nil {
				taken[s], matched[at] = true, true
				pairs = append(pairs, pair{index.entries[at], s})
			}
		}
	}
	return pairs
}

// candidates returns the places of the entries, in order, that may be about one of
// the free servers of a document. Of those that share a key, at most as many can find a server as
// there are servers.
func (index *lockIndex) candidates(way int, d *mcp.Document, free map[string][]*mcp.Server, matched map[int]bool) []int {
	var candidates []int
	for key, servers := range free {
		for _, format := range []string{"", d.Format} {
			most := len(servers) + len(d.Servers)
			for _, at := range index.places[way][lockKey{key, format}] {
				if matched[at] {
					continue
				}
				if most == 0 {
					break
				}
				most--
				candidates = append(candidates, at)
			}
		}
	}
	slices.Sort(candidates)
	return slices.Compact(candidates)
}

// way is one way to tell that an entry is about a server: they have a key in
// common. Keys, not comparisons, because a hostile lockfile may have as many
// entries as its configuration has servers.
type way struct {
	entry  func(*mcp.LockEntry) []string
	server func(*mcp.Server) []string
}

// ways are in the order in which they are tried.
var ways = [...]way{
	{
		func(e *mcp.LockEntry) []string { return append([]string{e.Name}, e.Place.OtherNames...) },
		func(s *mcp.Server) []string { return []string{s.Name} },
	},
	{ // of several servers of one package the one that was locked
		func(e *mcp.LockEntry) []string { return []string{lockedCommand(e, nil)} },
		func(s *mcp.Server) []string { return []string{written(&s.Launch, nil)} },
	},
	{ // the same at another version
		func(e *mcp.LockEntry) []string { return []string{lockedCommand(e, &e.Target.Identity)} },
		func(s *mcp.Server) []string { return []string{written(&s.Launch, &s.Identity)} },
	},
	{
		func(e *mcp.LockEntry) []string { return []string{e.Target.Identity.Key()} },
		func(s *mcp.Server) []string { return []string{s.Identity.Key()} },
	},
	{
		func(e *mcp.LockEntry) []string { return []string{packageKey(&e.Target.Identity)} },
		func(s *mcp.Server) []string { return []string{packageKey(&s.Identity)} },
	},
	{
		func(e *mcp.LockEntry) []string { return []string{e.Target.Package.Text} },
		(*mcp.Server).CommandWords,
	},
}

// lockedCommand returns the command that an entry locks as it is written, "" if it has none, or if
// it also names a package that the command does not run.
func lockedCommand(e *mcp.LockEntry, pkg *identity.Identity) string {
	if !strings.Contains(written(&e.Target.Launch, nil), e.Target.Package.Text) {
		return ""
	}
	return written(&e.Target.Launch, pkg)
}

// written returns a command with its arguments, the package that it runs without its version;
// nil for word by word. Where an argument ends is not known of all lockfiles (Target.Joined).
func written(l *identity.Launch, pkg *identity.Identity) string {
	if l.Command.Text == "" {
		return ""
	}
	words := make([]string, 0, 1+len(l.Args))
	words = append(words, l.Command.Text)
	for _, w := range l.Args {
		text := w.Text
		if pkg != nil && pkg.IsPackage() && w.Span == pkg.Span {
			text = pkg.String()
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// serversByKey indexes the servers that are not taken yet, each list in the
// order of the document.
func serversByKey(d *mcp.Document, taken map[*mcp.Server]bool, keys func(*mcp.Server) []string) map[string][]*mcp.Server {
	index := map[string][]*mcp.Server{}
	for _, s := range d.Servers {
		if taken[s] {
			continue
		}
		for _, key := range keys(s) {
			if key != "" {
				index[key] = append(index[key], s)
			}
		}
	}
	return index
}

// firstFree returns the first server in the document that has one of the keys
// and is not taken, or nil.
func firstFree(index map[string][]*mcp.Server, keys []string, taken map[*mcp.Server]bool) *mcp.Server {
	var first *mcp.Server
	for _, key := range keys {
		servers := index[key]
		for len(servers) > 0 && taken[servers[0]] {
			servers = servers[1:]
		}
		index[key] = servers
		if len(servers) > 0 && (first == nil || servers[0].NameSpan.Start < first.NameSpan.Start) {
			first = servers[0]
		}
	}
	return first
}

// packageKey names a package or image without its sub-command, "" for anything
// else: the query of a URL often names a tenant, so URLs are not cut.
func packageKey(id *identity.Identity) string {
	if !id.IsPackage() {
		return ""
	}
	return id.String()
}

// claims notes in the servers of a project what its lockfiles claim about them: the names that a
// tool has made, and that it keeps one for every package. Thousands of projects may be governed by
// one lockfile: said remembers which of those say anything of this kind.
func claims(p *mcp.Project, said map[*mcp.Document]bool) {
	made, apart := map[string]*mcp.Tool{}, map[string]bool{}
	for _, lock := range speaking(p) {
		if lock.Tool.ByProgram {
			continue // it makes no name
		}
		says, known := said[lock]
		if !known {
			says = slices.ContainsFunc(lock.Lock.Entries, func(e *mcp.LockEntry) bool { return e.Place.Apart || len(e.Place.OtherNames) > 0 })
			said[lock] = says
		}
		if !says {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			for _, name := range entry.Place.OtherNames {
				made[name] = lock.Tool
			}
			if key := packageKey(&entry.Target.Identity); entry.Place.Apart && key != "" {
				apart[key] = true
			}
		}
	}
	joined := joints(p)
	if len(made) == 0 && len(apart) == 0 && len(joined) == 0 {
		return
	}
	for _, d := range p.Documents {
		for _, s := range d.Servers {
			tool := made[s.Name]
			if i := slices.IndexFunc(joined, func(lock *mcp.Document) bool { return joinsName(lock, s.Name) }); tool == nil && i >= 0 {
				tool = joined[i].Tool
			}
			if tool != nil {
				s.EnsureExtra().NamedBy = tool
			}
			if apart[packageKey(&s.Identity)] {
				s.EnsureExtra().Apart = true
			}
		}
	}
}

// joints returns the lockfiles of tools that put a package before the name of a
// server.
func joints(p *mcp.Project) []*mcp.Document {
	return slices.DeleteFunc(speaking(p), func(lock *mcp.Document) bool { return lock.Tool.Joint == "" || len(lock.Lock.Packages) == 0 })
}

// joinsName reports whether a name is that of an installed package and that of a
// server.
func joinsName(lock *mcp.Document, name string) bool {
	before, _, found := strings.Cut(name, lock.Tool.Joint)
	return found && slices.ContainsFunc(lock.Lock.Packages, func(p mcp.Package) bool { return p.Name == before })
}

// speaking returns the lockfiles that say something of a project's client files:
// those that govern it, and its own of tools that lock what they installed.
func speaking(p *mcp.Project) []*mcp.Document {
	var locks []*mcp.Document
	if p.GovernedBy != nil {
		for _, d := range p.GovernedBy.Documents {
			if d.Governs() {
				locks = append(locks, d)
			}
		}
	}
	for _, d := range p.Documents {
		if d.Lock != nil && d.Tool.Partial && !d.Tool.PerTool && d.Tool.Of == "" {
			locks = append(locks, d)
		}
	}
	return locks
}
