package instep

import (
	"slices"

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
	// isNew reports that the file is not there, or holds nothing.
	isNew bool
	// places are those of servers that are missing in the file.
	places map[*mcp.GroupRow]edit.Where
}

// NewAligner returns an aligner for the formats of an index.
func NewAligner(index *format.Index) *Aligner {
	return &Aligner{index: index, targets: map[*mcp.GroupFile]*target{}}
}

// Align returns the changes by which entries of one file are as they should be: those that
// are missing, or one that differs, and what the entries do not say as they are written.
// There are no changes where they cannot be written, and an entry that would be another
// server is none of those in a new file. A file with nothing in it is written as a new one,
// with all that it lacks.
func (a *Aligner) Align(cells ...*mcp.Cell) (changes []edit.Change, losses []mcp.Loss) {
	t := a.target(cells[0].File)
	if !t.isKnown {
		return nil, nil
	}
	file := cells[0].File
	if t.isNew && file.Document != nil {
		cells = missing(file)
	}
	var entries []format.Entry
	for _, c := range cells {
		to := t.Target
		to.Secrets, to.Has = c.Row.Secrets, c.Server
		e := to.Entry(alone(c.Row.Server))
		if isOfParts(c) {
			e.Losses = slices.DeleteFunc(e.Losses, func(l mcp.Loss) bool { return l.IsFatal() && isOfSetting(l, c.Row.Server) })
		}
		isOther := e.Value.Kind == syntax.Null || slices.ContainsFunc(e.Losses, mcp.Loss.IsFatal)
		if isOther && t.isNew {
			continue
		}
		losses = append(losses, e.Losses...)
		switch {
		case isOther:
			return nil, losses
		case t.isNew:
			entries = append(entries, e)
		case c.Server == nil:
			changes = append(changes, t.InsertAt(e, t.places[c.Row])...)
		default:
			changes = append(changes, rewrite(t.Target, c.Server, e, c.Differences)...)
		}
	}
	if len(entries) > 0 {
		changes = t.created(file, entries)
	}
	return changes, losses
}

// isOfParts reports whether an entry is there and differs in parts of it, which are written
// alone: variables and headers that its client cannot say stay as they are.
func isOfParts(c *mcp.Cell) bool {
	isProgram := func(d mcp.Difference) bool { return d.Field == mcp.FieldProgram }
	return c.Server != nil && c.Server.Launch.IsRemote() == c.Row.Server.Launch.IsRemote() && !slices.ContainsFunc(c.Differences, isProgram)
}

// created returns the change that writes a new file, or one that holds nothing; none where
// its client takes no file that holds servers alone: a recipe of Goose says what is to be
// done.
func (t *target) created(file *mcp.GroupFile, entries []format.Entry) []edit.Change {
	create := t.Create(entries...)
	if file.Document != nil {
		create.File = file.Document.File
	}
	edits, err := edit.Lower([]edit.Change{create})
	if err != nil || len(edits) != 1 {
		return nil
	}
	doc, err := format.Read(syntax.NewFile(t.Path, []byte(edits[0].New)), t.Match)
	if err != nil || doc == nil || len(doc.Servers) == 0 {
		return nil
	}
	return []edit.Change{create}
}

// missing returns the cells of a file whose servers are to be written there.
func missing(file *mcp.GroupFile) []*mcp.Cell {
	isOther := func(c *mcp.Cell) bool { return c.State != mcp.Missing || c.Row.IsOpen }
	return slices.DeleteFunc(slices.Clone(file.Cells), isOther)
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
	t.isKnown, t.isNew = true, file.Document == nil || edit.IsEmpty(file.Document.File)
	if t.isNew {
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
