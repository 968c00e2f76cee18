package instep

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// byMajority holds every file to what most of them say.
func (f *filler) byMajority(g *mcp.Group, wanted wanted) {
	rows := newRows(g, wanted)
	for _, r := range rows.all {
		row := &mcp.GroupRow{Name: r.name}
		f.choose(row, g, r.servers)
		if f.left > 0 {
			for i, file := range g.Files {
				f.add(row, file, r.servers[i])
			}
		} else {
			for _, i := range slices.Sorted(maps.Keys(r.servers)) {
				f.add(row, g.Files[i], r.servers[i])
			}
			f.unreported += len(g.Files) - len(r.servers)
		}
		g.Rows = append(g.Rows, row)
	}
}

// row is a server by the place of the files that have it.
type row struct {
	name    string
	first   *mcp.Server
	servers map[int]*mcp.Server
}

// rows are all servers of a group, in the order in which they are found.
type rows struct {
	all    []*row
	byName map[string]*row
	byKey  map[string][]*row
}

// newRows collects the servers of a group: those of one name, and those that are the same
// server under another name in files that have none of the first.
func newRows(g *mcp.Group, wanted wanted) *rows {
	rows := &rows{byName: map[string]*row{}, byKey: map[string][]*row{}}
	for i, file := range g.Files {
		servers := wanted.of(file.Document)
		var others []*mcp.Server
		for _, s := range servers {
			if known := rows.byName[s.Name]; known != nil {
				known.servers[i] = s
			} else {
				others = append(others, s)
			}
		}
		for _, s := range others {
			rows.addOther(i, s)
		}
	}
	return rows
}

// addOther adds a server of a name that no file before has.
func (rows *rows) addOther(file int, s *mcp.Server) {
	key := s.Identity.Key()
	for _, r := range rows.byKey[key] {
		if r.servers[file] == nil && isSameServer(s, r.first) {
			r.servers[file] = s
			rows.byName[s.Name] = r
			return
		}
	}
	r := &row{name: s.Name, first: s, servers: map[int]*mcp.Server{file: s}}
	rows.all = append(rows.all, r)
	rows.byName[s.Name] = r
	if key != "" && len(rows.byKey[key]) < maxSame {
		rows.byKey[key] = append(rows.byKey[key], r)
	}
}

// choose finds the entry that is right: one that more than half of them agree with. Whether one
// agrees with another depends on what its client can express, so agreement is not symmetric: each
// is tried, and the order of the files does not matter. If as many agree with another one that is
// not in sync with it, it is not known which is right.
func (f *filler) choose(row *mcp.GroupRow, g *mcp.Group, servers map[int]*mcp.Server) {
	var best *mcp.Server
	most, isTie := 0, false
	for _, s := range candidates(servers) {
		row.Server = s
		agreeing, isLikeBest := 0, false
		for i, other := range servers {
			cell := &mcp.Cell{Row: row, File: g.Files[i], Server: other}
			if f.compare(cell); cell.State == mcp.InStep {
				agreeing++
				isLikeBest = isLikeBest || other == best
			}
		}
		switch {
		case agreeing > most:
			best, most, isTie = s, agreeing, false
		case agreeing == most && !isLikeBest:
			isTie = true
		}
	}
	row.Server = best
	row.IsOpen = most < len(servers) && (isTie || 2*most <= len(servers))
	if row.IsOpen {
		row.Server = servers[onFirst(servers)[0]]
	}
}

// onFirst returns the places of the entries, those that are switched off last: what no client
// starts need not be in another file.
func onFirst(servers map[int]*mcp.Server) []int {
	var on, off []int
	for _, i := range slices.Sorted(maps.Keys(servers)) {
		if !isOff(servers[i]) {
			on = append(on, i)
		} else {
			off = append(off, i)
		}
	}
	return append(on, off...)
}

// maxCandidates is how many entries of one server are tried.
const maxCandidates = 8

// candidates returns one of the entries that are written alike, those first that most are
// written like, and that are on: of as many the one whose file comes first by its path.
func candidates(servers map[int]*mcp.Server) []*mcp.Server {
	count, first := map[string]int{}, map[string]*mcp.Server{}
	var keys []string
	path := func(s *mcp.Server) string { return s.Document.File.Path }
	for _, s := range servers {
		key := spelling(s)
		count[key]++
		if known := first[key]; known == nil {
			keys = append(keys, key)
			first[key] = s
		} else if path(s) < path(known) {
			first[key] = s
		}
	}
	slices.SortFunc(keys, func(x, y string) int {
		a, b := first[x], first[y]
		switch {
		case count[x] != count[y]:
			return count[y] - count[x]
		case isOff(a) && !isOff(b):
			return 1
		case isOff(b) && !isOff(a):
			return -1
		}
		return strings.Compare(path(a), path(b))
	})
	var all []*mcp.Server
	for _, key := range keys[:min(len(keys), maxCandidates)] {
		if isOff(first[key]) == isOff(first[keys[0]]) { // what a client cannot switch off agrees with one that is off
			all = append(all, first[key])
		}
	}
	return all
}

// spelling is one key for entries that certainly say the same. It holds secrets: it is
// compared and never shown.
func spelling(s *mcp.Server) string {
	off := ""
	if isOff(s) {
		off = "off"
	}
	return s.Identity.Key() + "\x02" + s.Identity.Version.Text + "\x02" + off + "\x02" + s.Resolved().ConfigKey()
}
