package instep

import (
	"maps"
	"slices"

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
			f.untold += len(g.Files) - len(r.servers)
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
	if key != "" && len(rows.byKey[key]) < maxTwins {
		rows.byKey[key] = append(rows.byKey[key], r)
	}
}

// choose finds the entry that is right: one that more than half of them agree with.
func (f *filler) choose(row *mcp.GroupRow, g *mcp.Group, servers map[int]*mcp.Server) {
	row.Server = mostCommon(servers)
	agreeing := 0
	for i, s := range servers {
		cell := &mcp.Cell{Row: row, File: g.Files[i], Server: s}
		if f.compare(cell); cell.State == mcp.InStep {
			agreeing++
		}
	}
	row.IsOpen = agreeing < len(servers) && 2*agreeing <= len(servers)
	if row.IsOpen {
		row.Server = servers[onFirst(servers)[0]]
	}
}

// onFirst returns the places of the entries, those that are switched off last: what nobody
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

// mostCommon returns the first of the entries that most are written like, of as many one
// that is on.
func mostCommon(servers map[int]*mcp.Server) *mcp.Server {
	count, first := map[string]int{}, map[string]*mcp.Server{}
	best := ""
	for _, i := range onFirst(servers) {
		key := spelling(servers[i])
		if count[key]++; first[key] == nil {
			first[key] = servers[i]
		}
		if count[key] > count[best] {
			best = key
		}
	}
	return first[best]
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
