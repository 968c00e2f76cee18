package link

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// programs are the entries of a lockfile that knows servers by what they run, each any
// number of times and under several names (Tool.ByProgram).
type programs struct {
	byProgram, byName map[string][]*mcp.LockEntry
	// in has the files that had each entry.
	in map[entryFile]bool
}

// entryFile is an entry and the path of a file.
type entryFile struct {
	entry *mcp.LockEntry
	path  string
}

// maxAlike is how many entries of one program or name are compared.
const maxAlike = 64

func programsOf(entries []*mcp.LockEntry) *programs {
	p := &programs{map[string][]*mcp.LockEntry{}, map[string][]*mcp.LockEntry{}, map[entryFile]bool{}}
	add := func(to map[string][]*mcp.LockEntry, key string, entry *mcp.LockEntry) {
		if len(to[key]) < maxAlike {
			to[key] = append(to[key], entry)
		}
	}
	for _, entry := range entries {
		add(p.byProgram, programOf(&entry.Target.Identity), entry)
		for _, name := range append([]string{entry.Name}, entry.Place.OtherNames...) {
			add(p.byName, name, entry)
		}
		entry.IndexNames()
		for _, file := range entry.Place.Files {
			p.in[entryFile{entry, file}] = true
		}
	}
	return p
}

// programOf is what a server runs, as such a lockfile writes it down.
func programOf(id *identity.Identity) string {
	return id.String() + "\x00" + strings.Join(id.Selector, "\x00")
}

// match pairs the entries with the servers of one document: with all that run the same under one of
// their names, else with the one that has another name, else with what runs something else under
// one of their names, in a file that had them.
func (p *programs) match(d *mcp.Document) []pair {
	var pairs []pair
	taken := map[*mcp.LockEntry]bool{}
	take := func(entry *mcp.LockEntry, s *mcp.Server) {
		taken[entry] = true
		pairs = append(pairs, pair{entry, s})
	}
	var renamed []pair
	var others []*mcp.Server
	for _, s := range d.Servers {
		switch entry := p.best(s, d.File.Path); {
		case entry == nil:
			others = append(others, s)
		case entry.Named(s.Name):
			take(entry, s)
		default:
			renamed = append(renamed, pair{entry, s})
		}
	}
	for _, r := range renamed {
		if !taken[r.entry] {
			take(r.entry, r.server)
		}
	}
	for _, s := range others {
		named := p.byName[s.Name]
		i := slices.IndexFunc(named, func(e *mcp.LockEntry) bool { return !taken[e] && p.in[entryFile{e, d.File.Path}] })
		if i >= 0 {
			take(named[i], s)
		}
	}
	return pairs
}

// best returns the entry of one program that a server of a file is, nil for none: there may
// be one for each version. The written version counts most, then the file of the server, then its
// name.
func (p *programs) best(s *mcp.Server, path string) *mcp.LockEntry {
	var found *mcp.LockEntry
	rank := -1
	for _, entry := range p.byProgram[programOf(&s.Identity)] {
		r := 0
		if entry.Named(s.Name) {
			r++
		}
		v, locked := s.Identity.Version, entry.Pin.Version.Text
		if locked != "" && (locked == v.Text || locked == v.Release()) {
			r += 4
		}
		if p.in[entryFile{entry, path}] {
			r += 2
		}
		if r > rank {
			found, rank = entry, r
		}
	}
	return found
}
