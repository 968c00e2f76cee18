package instep

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Aligner finds out how entries are written as they should be. It parses each file once,
// and is not for several goroutines at once.
type Aligner struct {
	index   *format.Index
	targets map[*mcp.GroupFile]*target
}

// target is a file to write into.
type target struct {
	format.Target
	isKnown bool
	// places are those of servers that are missing in the file.
	places map[*mcp.GroupRow]edit.Where
}

// NewAligner returns an aligner for the formats of an index.
func NewAligner(index *format.Index) *Aligner {
	return &Aligner{index: index, targets: map[*mcp.GroupFile]*target{}}
}

// Align returns the changes by which entries of one file are as they should be: those that
// are missing, or one that differs. There are none where they cannot be written.
func (a *Aligner) Align(cells ...*mcp.Cell) []edit.Change {
	t := a.target(cells[0].File)
	if !t.isKnown {
		return nil
	}
	if cells[0].File.Document == nil {
		var entries []format.Entry
		for _, c := range cells {
			if e := t.Entry(alone(c.Row.Server)); e.Value.Kind != syntax.Null {
				entries = append(entries, e)
			}
		}
		return []edit.Change{t.Create(entries...)}
	}
	var changes []edit.Change
	for _, c := range cells {
		e := t.Entry(alone(c.Row.Server))
		switch {
		case e.Value.Kind == syntax.Null:
			return nil
		case c.Server == nil:
			changes = append(changes, t.InsertAt(e, t.places[c.Row])...)
		default:
			changes = append(changes, t.Target.Align(c.Server, e, c.Differences)...)
		}
	}
	return changes
}

// target returns a file to write into, as it is now.
func (a *Aligner) target(file *mcp.GroupFile) *target {
	if known := a.targets[file]; known != nil {
		return known
	}
	t := &target{}
	a.targets[file] = t
	var ok bool
	if t.Target, ok = a.index.OwnTarget(file.Path); !ok {
		return t
	}
	t.isKnown = true
	if file.Document == nil {
		return t
	}
	tree, err := t.Match.Format.Parse(&syntax.Parser{}, file.Document.File)
	if t.isKnown = err == nil; t.isKnown {
		t.Target = t.Within(file.Document.File, tree)
	}
	t.place(file)
	return t
}

// place works out where the missing servers of a file go: behind the nearest one before
// them in the file that they are taken from, else in front of the nearest one behind, so
// that the order in which they are written does not matter.
func (t *target) place(file *mcp.GroupFile) {
	t.places = map[*mcp.GroupRow]edit.Where{}
	cells, sources := map[*mcp.Server]*mcp.Cell{}, map[*mcp.Document]bool{}
	for _, c := range file.Cells {
		cells[c.Row.Server] = c
		sources[c.Row.Server.Document] = true
	}
	for source := range sources {
		where := edit.Where{}
		var before []*mcp.GroupRow // of the first that is there
		for i, s := range source.Servers {
			switch c := cells[s]; {
			case c == nil:
			case c.Server == nil:
				where.Rank = i + 1
				t.places[c.Row] = where
				if where.Place == edit.Last {
					before = append(before, c.Row)
				}
			case c.Server.Document.File == file.Document.File && !c.Server.Shared:
				where = edit.Where{Place: edit.After, Beside: t.Handle(c.Server)}
				for _, row := range before {
					t.places[row] = edit.Where{Place: edit.Before, Beside: where.Beside, Rank: t.places[row].Rank}
				}
				before = nil
			}
		}
	}
}
