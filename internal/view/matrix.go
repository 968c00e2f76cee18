package view

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// maxMatrixFiles is how many files are shown side by side.
const maxMatrixFiles = 30

// Matrix are files side by side: which servers they hold, and how far these are the same.
type Matrix struct {
	// IsWanted reports that the settings require these files to be in sync. Otherwise they are
	// the files that clients load in one project.
	IsWanted bool
	// Dir is the directory that the files are of, zero for the root.
	Dir Path
	// Source is the file that the others are compared with, zero if all count the same.
	Source Path
	Files  []MatrixFile
	// MoreFiles counts those that are not shown.
	MoreFiles int
	Rows      []MatrixRow
}

// MatrixFile is a file of a matrix.
type MatrixFile struct {
	Path    Path
	IsThere bool
}

// MatrixRow is a server, with a cell for each file.
type MatrixRow struct {
	Name  Text
	Cells []MatrixCell
}

// MatrixState says how a server is in a file.
type MatrixState uint8

// The states.
const (
	NotCompared MatrixState = iota // among too many to compare
	NotNeeded                      // not there, and need not be
	InStep                         // as it should be, as far as the client can say it
	Differs
	Missing
	Off        // disabled, and otherwise as it should be
	NotSayable // not there, and the client cannot say it
	Extra      // not in the source, which the file must follow
	Excepted   // there, and the settings let it differ
)

// MatrixCell is a server in a file.
type MatrixCell struct {
	State MatrixState
	view  *View
	cell  *mcp.Cell // nil for one that is Extra, NotNeeded or NotCompared
}

// IsOutOfStep reports whether a sync must change the file.
func (c MatrixCell) IsOutOfStep() bool {
	switch c.State {
	case Differs, Missing, Extra:
		return true
	}
	return c.State == Off && c.cell.State == mcp.Differs
}

// Matrices returns the files to show side by side, in the order of the settings, or of
// the repository.
func (v *View) Matrices() []Matrix {
	matrices := make([]Matrix, len(v.run.Groups))
	for i, g := range v.run.Groups {
		matrices[i] = v.matrix(g)
	}
	return matrices
}

func (v *View) matrix(g *mcp.Group) Matrix {
	m := Matrix{IsWanted: !g.IsOfProject, Dir: v.path(g.Dir)}
	if g.Source != nil {
		m.Source = v.path(g.Source.Path)
	}
	shown := g.Files[:min(len(g.Files), maxMatrixFiles)]
	m.MoreFiles = len(g.Files) - len(shown)
	for _, f := range shown {
		m.Files = append(m.Files, MatrixFile{v.path(f.Path), f.Document != nil})
	}
	for _, row := range g.Rows {
		m.Rows = append(m.Rows, MatrixRow{v.text(row.Name), v.matrixCells(row, shown)})
	}
	m.Rows = append(m.Rows, v.extraRows(shown)...)
	for _, row := range g.Excepted {
		m.Rows = append(m.Rows, MatrixRow{v.text(row.Name), v.exceptedCells(row, shown)})
	}
	return m
}

// matrixCells returns the cells of a server in the files that are shown. Those of the row
// are in the order of the files, and some may be missing.
func (v *View) matrixCells(row *mcp.GroupRow, files []*mcp.GroupFile) []MatrixCell {
	cells := make([]MatrixCell, len(files))
	known := row.Cells
	for i, f := range files {
		if len(known) > 0 && known[0].File == f {
			cells[i] = MatrixCell{stateOf(known[0]), v, known[0]}
			known = known[1:]
		}
	}
	return cells
}

// exceptedCells returns the cells of a server that the settings let differ: no file needs
// it.
func (v *View) exceptedCells(row *mcp.GroupRow, files []*mcp.GroupFile) []MatrixCell {
	cells := v.matrixCells(row, files)
	for i := range cells {
		if cells[i].cell == nil {
			cells[i].State = NotNeeded
		}
	}
	return cells
}

// stateOf returns how a server is in a file. Where it is not known which entry is right, all
// of them differ: from one another.
func stateOf(c *mcp.Cell) MatrixState {
	isMore := func(d mcp.Difference) bool { return d.Field != mcp.FieldSwitch }
	switch {
	case c.State == mcp.Missing:
		return Missing
	case c.State == mcp.NotSayable:
		return NotSayable
	case c.State == mcp.Excepted:
		return Excepted
	case c.Server == nil:
		return NotNeeded
	case slices.ContainsFunc(c.Differences, isMore):
		return Differs
	case !c.Server.MayBeStarted():
		return Off
	case c.State == mcp.Differs || c.Row.IsOpen:
		return Differs
	}
	return InStep
}

// extraRows returns the servers that are only in files that must follow the source.
func (v *View) extraRows(files []*mcp.GroupFile) []MatrixRow {
	var rows []MatrixRow
	known := map[string]int{}
	for i, f := range files {
		for _, s := range f.Extra {
			at, isKnown := known[s.Name]
			if !isKnown {
				at = len(rows)
				known[s.Name] = at
				cells := slices.Repeat([]MatrixCell{{State: NotNeeded}}, len(files))
				rows = append(rows, MatrixRow{v.text(s.Name), cells})
			}
			rows[at].Cells[i].State = Extra
		}
	}
	return rows
}

// IsShared reports whether two of the files hold one of the servers.
func (m *Matrix) IsShared() bool {
	holds := func(c MatrixCell) bool { return c.cell != nil && c.cell.Server != nil }
	return slices.ContainsFunc(m.Rows, func(r MatrixRow) bool {
		first := slices.IndexFunc(r.Cells, holds)
		return first >= 0 && slices.ContainsFunc(r.Cells[first+1:], holds)
	})
}

// Words say how the server is not as it should be, or why the file cannot have it, and
// under which other name it is there; none where there is nothing to say.
func (c MatrixCell) Words() []Text {
	if c.cell == nil {
		return nil
	}
	var words []Text
	for _, part := range wording.CellInWords(c.cell) {
		words = append(words, c.view.text(part))
	}
	if s := c.cell.Server; s != nil && s.Name != c.cell.Row.Name {
		words = append(words, c.view.text(`under the name "`+s.Name+`"`))
	}
	return words
}

// Place returns the place of the cell: the first part that differs, or the name. False if the
// file does not have the server.
func (c MatrixCell) Place() (Place, bool) {
	if c.cell == nil || c.cell.Server == nil {
		return Place{}, false
	}
	s := c.cell.Server
	at := s.NameSpan
	if len(c.cell.Differences) > 0 {
		at = c.cell.Differences[0].Span
	}
	return c.view.place(s.Document.File, at), true
}

// HeldTo returns the file whose entry the server is compared with.
func (c MatrixCell) HeldTo() Path { return c.view.path(c.cell.Row.Server.Document.File.Path) }
