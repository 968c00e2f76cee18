// Package instep compares files that must have the same servers: which entries are missing where,
// and what differs. The files are those of the settings, each in the dialect of its client. It
// reads no file by itself, and writes no messages.
package instep

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// Input is what there is to compare.
type Input struct {
	Repo  *mcp.Repo
	Index *format.Index
	// Groups are what the settings say.
	Groups []mcp.GroupSettings
	// Read returns a file that has no document, nil if there is no file. The error says in a clause
	// why it cannot be read, unless it is ErrReported.
	Read func(path string) (*syntax.File, error)
	// Repository returns the directory of the repository within this one that a path is
	// in, "" for one in none.
	Repository func(path string) string
}

// ErrReported is the error of a file whose problem is already reported.
var ErrReported = errors.New("already reported")

// Problem says why something was not compared, in a clause that follows on the path, from
// the root.
type Problem struct {
	Path, Message string
	// IsNotice reports that nothing is left out: the settings name what is not there.
	IsNotice bool
	// IsFull reports that there is more than there is room for: once some of it is fixed
	// the rest comes up.
	IsFull bool
}

// How many missing servers are considered, in all groups together. There may be as many as servers
// times files. Many projects with five client files each, one of them filled in, have four for each
// server.
const leastAbsent, absentOfEach, maxAbsent = 5_000, 4, 40_000

// roomFor returns how many missing servers are considered.
func roomFor(repo *mcp.Repo) int {
	servers := 0
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			servers += len(d.Servers)
		}
	}
	return min(max(leastAbsent, absentOfEach*servers), maxAbsent)
}

// Fill computes the groups of a repository and notes them in it. It returns what could not be
// compared.
func Fill(in Input) []Problem {
	if len(in.Groups) == 0 {
		return nil
	}
	f := &filler{in: in, files: newFiles(in), left: roomFor(in.Repo), targets: map[*mcp.GroupFile]writing.Target{}}
	for i := range in.Groups {
		groups := f.files.groups(&in.Groups[i])
		for _, g := range groups {
			f.fill(g, newWanted(&in.Groups[i]))
		}
		f.files.noticeVain(&in.Groups[i], groups)
	}
	f.nameSecrets()
	f.plan()
	if f.unreported > 0 {
		f.files.problems = append(f.files.problems, Problem{IsFull: true,
			Message: fmt.Sprintf("more servers are missing in the files that should be in sync than mcplumb reports: %d are omitted", f.unreported)})
	}
	return f.files.problems
}

// filler compares.
type filler struct {
	in         Input
	files      *files
	targets    map[*mcp.GroupFile]writing.Target
	left       int // of roomFor
	unreported int
}

// fill compares the files of a group, and notes it in the repository.
func (f *filler) fill(g *mcp.Group, wanted wanted) {
	for _, file := range g.Files {
		if t, ok := writing.OwnTarget(f.in.Index, file.Path); ok && file.Client != nil {
			f.targets[file] = t
		}
	}
	if g.Source != nil {
		f.bySource(g, wanted)
	} else {
		f.byMajority(g, wanted)
	}
	g.Excepted = wanted.excepted(g.Files)
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
	instances := instancesIn(g.Source.Document)
	for _, file := range g.Files {
		if file == g.Source {
			continue
		}
		there := newHolding(wanted.of(file.Document), names)
		for _, row := range g.Rows {
			there.claim(row.Server)
		}
		here := instancesIn(file.Document)
		for _, row := range f.within(g.Rows, there) {
			has := there.find(row.Server)
			cell := f.add(row, file, has)
			if key := row.Server.Identity.Key(); has != nil && instances[key] == 1 && here[key] == 1 && !names[has.Name] {
				f.compareNames(cell)
			}
		}
		if wanted.settings.ReportsExtra {
			file.Extra = there.rest()
		}
	}
}

// instancesIn counts the entries of a document by what they run.
func instancesIn(doc *mcp.Document) map[string]int {
	instances := map[string]int{}
	if doc != nil {
		for _, s := range doc.Servers {
			instances[s.Identity.Key()]++
		}
	}
	return instances
}

// compareNames notes that an entry has another name than in the source. Names that a tool
// makes are right, and so is one that a lockfile knows while it does not know the other.
func (f *filler) compareNames(cell *mcp.Cell) {
	has, name := cell.Server, cell.Row.Name
	isAddress := !has.Launch.URL.Span.IsZero() && has.NameSpan == has.Launch.URL.Span // it has no name
	isMade := isAddress || has.Extra().NamedBy != nil || cell.Row.Server.Extra().NamedBy != nil || slices.Contains(has.Extra().WrittenAs, name)
	isLocked := has.Locked != nil && has.Locked.Named(has.Name) && !has.Locked.Named(name)
	if has.Name == name || isMade || isLocked {
		return
	}
	if t, ok := f.targets[cell.File]; !ok || !t.Takes(name) {
		cell.Losses = append(cell.Losses, mcp.Loss{Reason: mcp.NoName, Name: name, Span: cell.Row.Server.NameSpan})
		return
	}
	cell.State = mcp.Differs
	cell.Differences = append([]mcp.Difference{{Field: mcp.FieldName, Name: name, Span: has.NameSpan}}, cell.Differences...)
}

// within returns the rows to look for in a file: all, or those of its own names if there is no room
// for missing servers.
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
	f.unreported += len(rows) - len(own)
	return own
}

// add adds the cell of a server in a file and returns it. A missing entry gets a cell while there
// is room for it, and none after that.
func (f *filler) add(row *mcp.GroupRow, file *mcp.GroupFile, has *mcp.Server) *mcp.Cell {
	cell := &mcp.Cell{Row: row, File: file, Server: has}
	switch {
	case has != nil:
		f.compare(cell)
	case isOff(row.Server), row.Repeats: // it is not started here either, or under its other name
	case f.left == 0:
		f.unreported++
		return nil
	default:
		f.left--
		cell.State = mcp.Missing
		if !row.IsOpen {
			f.miss(cell)
		}
	}
	row.Cells = append(row.Cells, cell)
	file.Cells = append(file.Cells, cell)
	return cell
}

// compare holds an entry to what it should be. What its client cannot say does not count
// against it.
func (f *filler) compare(cell *mcp.Cell) {
	should := cell.Row.Server
	if cell.Server == should {
		return
	}
	differing := differences(cell.Server, should, should)
	if len(differing) == 0 && should.Extra().HeadersHelper.Text == "" {
		return
	}
	if said, losses := f.said(cell, should); said != nil {
		differing, cell.Losses = differences(cell.Server, said, should), losses
	} else {
		cell.Losses = losses
		isTransport := func(d mcp.Difference) bool { return d.Field == mcp.FieldTransport }
		if slices.ContainsFunc(losses, func(l mcp.Loss) bool { return l.Reason == mcp.NotSpoken }) {
			differing = slices.DeleteFunc(differing, isTransport)
		}
	}
	differing = slices.DeleteFunc(differing, func(d mcp.Difference) bool { return isLost(cell.Losses, d, should) })
	if len(differing) > 0 {
		cell.State, cell.Differences = mcp.Differs, differing
	}
}

// isLost reports whether a difference is that of a variable or header whose value the client
// cannot say as the server does.
func isLost(losses []mcp.Loss, d mcp.Difference, s *mcp.Server) bool {
	return slices.ContainsFunc(pairsOf(s, d.Field), func(p identity.Pair) bool {
		isOfIt := func(l mcp.Loss) bool { return l.IsFatal() && isOfValue(l, p) }
		return ascii.EqualFold(p.Name.Text, d.Name) && slices.ContainsFunc(losses, isOfIt)
	})
}

// isOfSetting reports whether a loss is of the value of a variable or header.
func isOfSetting(l mcp.Loss, s *mcp.Server) bool {
	return slices.ContainsFunc(slices.Concat(s.Launch.Env, s.Launch.Headers), func(p identity.Pair) bool { return isOfValue(l, p) })
}

func isOfValue(l mcp.Loss, p identity.Pair) bool { return !l.Span.IsZero() && l.Span == p.Value.Span }

// said returns a server as the client of a cell's file expresses it, nil if it cannot, and the
// losses. Credentials become the variables that the cell's entry has for them: it is not known
// whether these hold them.
func (f *filler) said(cell *mcp.Cell, s *mcp.Server) (*mcp.Server, []mcp.Loss) {
	t, ok := f.targets[cell.File]
	if !ok {
		return nil, nil
	}
	t.Has = cell.Server
	e := t.Entry(alone(s))
	again := t.Again(e)
	if again != nil {
		again.Document.Project = cell.File.Project
	}
	return again, e.Losses
}

// alone returns a server as its own file has it, without regard to what other files disable.
func alone(s *mcp.Server) *mcp.Server {
	own := *s
	if !isOff(s) {
		own.ForgetSwitch()
	}
	return &own
}

// isOff reports whether the file of an entry disables it: in the entry itself, or in a list
// (mcp.excluded of Gemini CLI). The entry counts also if a client of the file ignores it: it shows
// what people intend. What other files disable is one person's choice.
func isOff(s *mcp.Server) bool {
	d := s.Document
	isListed := len(d.Clients) > 0 && len(d.Switches) > 0 && d.Switches[0].Client == d.Clients[0]
	return s.IsOffByItself() || s.IsOff() && isListed
}

// nameSecrets names the variables for the credentials in what will be written, which not every
// client can name. It runs when all groups are known: a variable that a file has instead of a
// credential keeps its name.
func (f *filler) nameSecrets() {
	secrets := credential.Secrets{}
	for _, g := range f.in.Repo.Groups {
		for _, row := range g.Rows {
			if !slices.ContainsFunc(row.Cells, isWritten) {
				continue
			}
			if row.Secrets = secrets.Variables(row.Server); row.Secrets == nil {
				continue
			}
			for _, cell := range row.Cells {
				if cell.State == mcp.Missing {
					f.miss(cell)
				}
			}
		}
	}
}

// miss computes what a client cannot express about a missing server.
func (f *filler) miss(cell *mcp.Cell) {
	t, ok := f.targets[cell.File]
	if !ok {
		return
	}
	t.Secrets = cell.Row.Secrets
	cell.Losses = t.Entry(alone(cell.Row.Server)).Losses
	if slices.ContainsFunc(cell.Losses, mcp.Loss.IsFatal) {
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
		if key := s.Identity.Key(); key != "" && len(h.byKey[key]) < maxSame {
			h.byKey[key] = append(h.byKey[key], s)
		}
	}
	return h
}

// maxSame is how many entries of one server are distinguished. A person has fewer in one file.
const maxSame = 16

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

// rest returns the servers that are in no row.
func (h *holding) rest() []*mcp.Server {
	return slices.DeleteFunc(slices.Clone(h.servers), func(s *mcp.Server) bool { return h.claimed[s] })
}
