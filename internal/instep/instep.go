// Package instep works out how far files hold the same servers that are to do so: which
// entries are missing where, and what differs. The files are those of the settings, each
// in the dialect of its client. It reads nothing by itself and words nothing.
package instep

import (
	"errors"
	"slices"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Input is what there is to compare.
type Input struct {
	Repo  *mcp.Repo
	Index *format.Index
	// Groups are what the settings say.
	Groups []mcp.GroupSettings
	// Read returns a file that no document is of, nil where there is none. The error says
	// in a clause why it cannot be read, unless it is ErrSaid.
	Read func(path string) (*syntax.File, error)
}

// ErrSaid is the error of a file of which it is said already what is wrong with it.
var ErrSaid = errors.New("it is said what is wrong with it")

// Problem says why something was not compared, in a clause that follows on the path, from
// the root.
type Problem struct {
	Path, Message string
	// IsNotice reports that nothing is left out: the settings name what is not there.
	IsNotice bool
}

// maxAbsent is how many servers that are not where they are wanted are looked at, in all
// groups together. There may be as many as servers times files.
const maxAbsent = 5_000

// Fill works out the groups of a repository and notes them in it. It returns what could
// not be compared.
func Fill(in Input) []Problem {
	if len(in.Groups) == 0 {
		return nil
	}
	f := &filler{in: in, files: newFiles(in), left: maxAbsent, targets: map[*mcp.GroupFile]format.Target{}}
	for i := range in.Groups {
		groups := f.files.groups(&in.Groups[i])
		for _, g := range groups {
			f.fill(g, newWanted(&in.Groups[i]))
		}
		f.files.noticeVain(&in.Groups[i], groups)
	}
	if f.untold > 0 {
		f.files.wrong("", "the groups of in-step lack more servers than can be looked at: %d are not reported", f.untold)
	}
	return f.files.problems
}

// filler compares.
type filler struct {
	in      Input
	files   *files
	targets map[*mcp.GroupFile]format.Target
	left    int // of maxAbsent
	untold  int
}

// fill compares the files of a group, and notes it in the repository.
func (f *filler) fill(g *mcp.Group, wanted wanted) {
	for _, file := range g.Files {
		if t, ok := f.in.Index.OwnTarget(file.Path); ok && file.Client != nil {
			f.targets[file] = t
		}
	}
	if g.Source != nil {
		f.bySource(g, wanted)
	} else {
		f.byMajority(g, wanted)
	}
	f.in.Repo.Groups = append(f.in.Repo.Groups, g)
	for _, file := range g.Files {
		file.Project.InStep = append(file.Project.InStep, file)
	}
}

// bySource holds every file to the source.
func (f *filler) bySource(g *mcp.Group, wanted wanted) {
	names, known := map[string]bool{}, map[string]bool{}
	for _, s := range wanted.of(g.Source.Document) {
		row := &mcp.GroupRow{Name: s.Name, Server: s}
		if entry := s.Resolved(); entry.Key() != "" && !isOff(s) {
			same := entry.Key() + "\x00" + entry.ConfigKey()
			row.Repeats, known[same] = known[same], true
		}
		row.Cells = []*mcp.Cell{{Row: row, File: g.Source, Server: s}}
		g.Source.Cells = append(g.Source.Cells, row.Cells[0])
		g.Rows = append(g.Rows, row)
		names[s.Name] = true
	}
	for _, file := range g.Files {
		if file == g.Source {
			continue
		}
		there := newHolding(wanted.of(file.Document), names)
		for _, row := range g.Rows {
			there.claim(row.Server)
		}
		for _, row := range f.within(g.Rows, there) {
			f.add(row, file, there.find(row.Server))
		}
		if wanted.settings.ReportsExtra {
			file.Extra = there.rest()
		}
	}
}

// within returns the rows to look for in a file: all, or those of its own names where there
// is no room for servers that are not there.
func (f *filler) within(rows []*mcp.GroupRow, there *holding) []*mcp.GroupRow {
	if f.left > 0 {
		return rows
	}
	var own []*mcp.GroupRow
	for _, row := range rows {
		if there.byName[row.Name] != nil {
			own = append(own, row)
		}
	}
	f.untold += len(rows) - len(own)
	return own
}

// add adds the cell of a server in a file. An entry that is not there is looked at while
// there is room for it.
func (f *filler) add(row *mcp.GroupRow, file *mcp.GroupFile, has *mcp.Server) {
	cell := &mcp.Cell{Row: row, File: file, Server: has}
	switch {
	case has != nil:
		f.compare(cell)
	case isOff(row.Server), row.Repeats: // nobody starts it here either, or under its other name
	case f.left == 0:
		f.untold++
		return
	default:
		f.left--
		cell.State = mcp.Missing
		if !row.IsOpen {
			f.miss(cell)
		}
	}
	row.Cells = append(row.Cells, cell)
	file.Cells = append(file.Cells, cell)
}

// compare holds an entry to what it should be. What its client cannot say does not count
// against it.
func (f *filler) compare(cell *mcp.Cell) {
	should := cell.Row.Server
	if cell.Server == should {
		return
	}
	differing := differences(cell.Server, should, should)
	if len(differing) == 0 {
		return
	}
	if said, losses := f.said(cell.File, should); said != nil {
		differing, cell.Losses = differences(cell.Server, said, should), losses
	} else {
		cell.Losses = losses
	}
	if len(differing) > 0 {
		cell.State, cell.Differences = mcp.Differs, differing
	}
}

// said returns a server as the client of a file says it, nil where it cannot, and what it
// does not say.
func (f *filler) said(file *mcp.GroupFile, s *mcp.Server) (*mcp.Server, []mcp.Loss) {
	t, ok := f.targets[file]
	if !ok {
		return nil, nil
	}
	e := t.Entry(alone(s))
	again := t.Again(e)
	if again != nil {
		again.Document.Project = file.Project
	}
	return again, e.Losses
}

// alone returns a server as its own file says it, whatever other files switch off.
func alone(s *mcp.Server) *mcp.Server {
	own := *s
	own.Disabled = isOff(s)
	return &own
}

// isOff reports whether an entry switches itself off.
func isOff(s *mcp.Server) bool { return len(s.Extra().Off) > 0 && !s.IsStarted() }

// miss works out what a client cannot say of a server that is not there.
func (f *filler) miss(cell *mcp.Cell) {
	t, ok := f.targets[cell.File]
	if !ok {
		return
	}
	cell.Losses = t.Entry(alone(cell.Row.Server)).Losses
	if slices.ContainsFunc(cell.Losses, mcp.Loss.Decides) {
		cell.State = mcp.NotSayable
	}
}

// holding are the servers of one file, by name and by what they run.
type holding struct {
	servers []*mcp.Server
	byName  map[string]*mcp.Server
	byKey   map[string][]*mcp.Server
	claimed map[*mcp.Server]bool
	// names are those of all rows: who has one is not taken for another server.
	names map[string]bool
}

func newHolding(servers []*mcp.Server, names map[string]bool) *holding {
	h := &holding{servers: servers, byName: map[string]*mcp.Server{}, byKey: map[string][]*mcp.Server{}, claimed: map[*mcp.Server]bool{}, names: names}
	for _, s := range servers {
		h.byName[s.Name] = s
		if key := s.Identity.Key(); key != "" && len(h.byKey[key]) < maxTwins {
			h.byKey[key] = append(h.byKey[key], s)
		}
	}
	return h
}

// maxTwins is how many entries of one server are told from each other. Nobody has more in
// one file.
const maxTwins = 16

// claim notes that the entry of a server's name is the server's.
func (h *holding) claim(s *mcp.Server) {
	if has := h.byName[s.Name]; has != nil {
		h.claimed[has] = true
	}
}

// find returns the entry of a server: that of its name, or one that is the same server
// under another name.
func (h *holding) find(s *mcp.Server) *mcp.Server {
	if has := h.byName[s.Name]; has != nil {
		return has
	}
	var twin *mcp.Server
	for _, has := range h.byKey[s.Identity.Key()] {
		switch {
		case !isSameServer(has, s):
		case !h.claimed[has] && !h.names[has.Name]:
			h.claimed[has] = true
			return has
		case twin == nil && len(differences(has, s, s)) == 0:
			twin = has
		}
	}
	return twin
}

// rest returns the servers that are none of the rows.
func (h *holding) rest() []*mcp.Server {
	return slices.DeleteFunc(slices.Clone(h.servers), func(s *mcp.Server) bool { return h.claimed[s] })
}
