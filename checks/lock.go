package checks

import (
	"maps"
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// lockPair is a locked entry and the configured server it is about.
type lockPair struct {
	entry  *mcp.LockEntry
	server *mcp.Server
}

// matchLock pairs the entries of a lockfile with the servers of one document,
// each at most once: by name, then by what they run, then as mcp-tap does by
// the package as a word of the command. Names come first for all entries, so
// that none takes a server which another owns by name. A lockfile of tools has
// no entries for servers.
func matchLock(lock, doc *mcp.Document) []lockPair {
	if lock.Tool.PerTool {
		return nil
	}
	var pairs []lockPair
	taken := map[*mcp.Server]bool{}
	matched := map[*mcp.LockEntry]bool{}
	for _, pass := range lockPasses() {
		free := serversByKey(doc, taken, pass.server)
		for _, entry := range lock.Lock.Entries {
			if matched[entry] || entry.Place.Format != "" && entry.Place.Format != doc.Format {
				continue
			}
			if s := firstFree(free, pass.entry(entry), taken); s != nil {
				taken[s], matched[entry] = true, true
				pairs = append(pairs, lockPair{entry, s})
			}
		}
	}
	return pairs
}

// lockPass is one way to tell that an entry is about a server: they have a key
// in common. Keys, not comparisons, because a hostile lockfile may have as many
// entries as its configuration has servers.
type lockPass struct {
	entry  func(*mcp.LockEntry) []string
	server func(*mcp.Server) []string
}

// lockPasses returns the ways in the order in which they are tried.
func lockPasses() []lockPass {
	return []lockPass{
		{
			func(e *mcp.LockEntry) []string { return append([]string{e.Name}, e.Place.OtherNames...) },
			func(s *mcp.Server) []string { return []string{s.Name} },
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
			commandWords,
		},
	}
}

// serversByKey indexes the servers that are not taken yet, each list in the
// order of the document.
func serversByKey(doc *mcp.Document, taken map[*mcp.Server]bool, keys func(*mcp.Server) []string) map[string][]*mcp.Server {
	index := map[string][]*mcp.Server{}
	for _, s := range doc.Servers {
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

// mentionsPackage is mcp-tap's own test: the package is the command, or a whole
// argument. It finds packages behind launchers that nobody knows.
func mentionsPackage(entry *mcp.LockEntry, s *mcp.Server) bool {
	return entry.Target.Package.Text != "" && slices.Contains(commandWords(s), entry.Target.Package.Text)
}

// commandWords returns the command and arguments of a server whose package is
// not known otherwise.
func commandWords(s *mcp.Server) []string {
	if s.Identity.Kind == identity.URL || s.Identity.IsPackage() {
		return nil
	}
	words := []string{s.Launch.Command.Text}
	for _, w := range s.Launch.Args {
		words = append(words, w.Text)
	}
	return words
}

// keptSeparate returns the keys of the packages that lockfiles of a project keep
// apart for every package that brings them: then the same server twice is meant.
func keptSeparate(p *mcp.Project) map[string]bool {
	kept := map[string]bool{}
	for _, lock := range p.Locks() {
		for _, entry := range lock.Lock.Entries {
			if key := packageKey(&entry.Target.Identity); entry.Place.Apart && key != "" {
				kept[key] = true
			}
		}
	}
	return kept
}

// toolNames returns the names that a tool has made up for servers of a project,
// which are nobody's to change.
func toolNames(p *mcp.Project) map[string]bool {
	names := map[string]bool{}
	for _, lock := range p.Locks() {
		for _, entry := range lock.Lock.Entries {
			for _, name := range entry.Place.OtherNames {
				names[name] = true
			}
		}
	}
	return names
}

// filesOf returns the documents that a lockfile of the project speaks of.
func filesOf(p *mcp.Project, lock *mcp.Document) []*mcp.Document {
	if lock.Tool.Of != "" {
		return filesOfFormat(p, lock.Tool.Of)
	}
	if lock.Tool.Partial {
		return clientFiles(p)
	}
	return governedFiles(p)
}

// filesOfFormat returns the documents of a project that have a format and are in
// use.
func filesOfFormat(p *mcp.Project, format string) []*mcp.Document {
	var files []*mcp.Document
	for doc := range used(p) {
		if doc.Format == format {
			files = append(files, doc)
		}
	}
	return files
}

// clientFiles returns the documents of a project that clients load when they
// open it.
func clientFiles(p *mcp.Project) []*mcp.Document {
	var files []*mcp.Document
	for _, doc := range p.Documents {
		if isClientFile(doc) {
			files = append(files, doc)
		}
	}
	return files
}

// governedFiles returns the documents that clients load in the projects which
// a project's lockfiles govern.
func governedFiles(p *mcp.Project) []*mcp.Document {
	var files []*mcp.Document
	for _, governed := range p.Governs {
		files = append(files, clientFiles(governed)...)
	}
	return files
}

// isClientFile reports whether clients load the document when they open the
// project.
func isClientFile(doc *mcp.Document) bool {
	return doc.Lock == nil && doc.Scope == mcp.ScopeProject && inUse.has(doc) && len(doc.Clients) > 0
}

// lockfiles returns the lockfiles of a project itself.
func lockfiles(p *mcp.Project) []*mcp.Document {
	var locks []*mcp.Document
	for doc := range used(p) {
		if doc.Lock != nil {
			locks = append(locks, doc)
		}
	}
	return locks
}

// lockedAs returns for every server of the documents that a lockfile governs
// the entry it is locked as.
func lockedAs(p *mcp.Project, docs []*mcp.Document) map[*mcp.Server]*mcp.LockEntry {
	locks := p.Locks()
	if len(locks) == 0 {
		return nil
	}
	entries := map[*mcp.Server]*mcp.LockEntry{}
	for _, lock := range locks {
		for _, doc := range docs {
			if !isClientFile(doc) {
				continue
			}
			for _, pair := range matchLock(lock, doc) {
				if entries[pair.server] == nil {
					entries[pair.server] = pair.entry
				}
			}
		}
	}
	return entries
}

// Locked returns for every server of a project that a lockfile governs the
// entry it is locked as, nil if no lockfile does.
func Locked(p *mcp.Project) map[*mcp.Server]*mcp.LockEntry {
	locked := lockedSources(p)
	maps.Copy(locked, lockedAs(p, p.Documents))
	return locked
}

// unlocked returns the servers that are not in the map of locked ones.
func unlocked(servers []*mcp.Server, locked map[*mcp.Server]*mcp.LockEntry) []*mcp.Server {
	if len(locked) == 0 {
		return servers
	}
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool { return locked[s] != nil })
}
