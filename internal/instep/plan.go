package instep

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// plan computes how to write the entries of all files as they should be.
func (f *filler) plan() {
	for _, g := range f.in.Repo.Groups {
		for _, file := range g.Files {
			t, ok := f.targets[file]
			if !ok || !slices.ContainsFunc(file.Cells, isWritten) {
				continue
			}
			p := &planner{Target: t, file: file}
			if file.Document == nil || edit.IsEmpty(file.Document.File) {
				p.create()
			} else if tree, err := t.Match.Format.Parse(&syntax.Parser{}, file.Document.File); err == nil {
				p.Target = t.Within(file.Document.File, tree)
				p.change()
			}
		}
	}
}

// isWritten reports whether an entry must be written, and how is known.
func isWritten(c *mcp.Cell) bool {
	return (c.State == mcp.Missing || c.State == mcp.Differs) && !c.Row.IsOpen
}

// planner plans what is written into a file.
type planner struct {
	writing.Target
	file *mcp.GroupFile
	// places are those of servers that are missing in the file.
	places map[*mcp.GroupRow]edit.Where
}

// create plans a new file with all servers that are missing in it, except those that would be other
// servers there. An empty file is written as a new one.
func (p *planner) create() {
	plan := &p.file.Plan
	var entries []writing.Entry
	for _, c := range p.file.Cells {
		if !isWritten(c) {
			continue
		}
		if e := p.entry(c); e.Value.Kind != syntax.Null && !slices.ContainsFunc(e.Losses, mcp.Loss.IsFatal) {
			entries, plan.Losses = append(entries, e), append(plan.Losses, e.Losses...)
		}
	}
	plan.Changes = p.created(entries)
	if p.file.Document != nil {
		for _, c := range p.file.Cells {
			c.Plan = *plan
		}
	}
}

// created returns the change that writes a new file, none if its client accepts no file with only
// servers: a recipe of Goose needs instructions.
func (p *planner) created(entries []writing.Entry) []edit.Change {
	create := p.Create(entries...)
	if p.file.Document != nil {
		create.File = p.file.Document.File
	}
	edits, err := edit.Lower([]edit.Change{create})
	if err != nil || len(edits) != 1 {
		return nil
	}
	doc, err := format.Read(syntax.NewFile(p.Path, []byte(edits[0].New)), p.Match)
	if err != nil || doc == nil || len(doc.Servers) == 0 {
		return nil
	}
	return []edit.Change{create}
}

// change plans each entry by itself: one that is missing, or the parts of one that differ.
// One that would be another server is not written.
func (p *planner) change() {
	p.place()
	for _, c := range p.file.Cells {
		if !isWritten(c) {
			continue
		}
		e := p.entry(c)
		c.Plan.Losses = e.Losses
		switch {
		case e.Value.Kind == syntax.Null || slices.ContainsFunc(e.Losses, mcp.Loss.IsFatal):
		case c.Server == nil:
			c.Plan.Changes = p.InsertAt(e, p.places[c.Row])
		default:
			isName := func(d mcp.Difference) bool { return d.Field == mcp.FieldName }
			c.Plan.Changes = rewrite(p.Target, c.Server, e, slices.DeleteFunc(slices.Clone(c.Differences), isName))
		}
	}
}

// entry returns the entry of a cell as it should be. Variables and headers that its client
// cannot say stay as they are where only parts of it are written.
func (p *planner) entry(c *mcp.Cell) writing.Entry {
	to := p.Target
	to.Secrets, to.Has = c.Row.Secrets, c.Server
	e := to.Entry(alone(c.Row.Server))
	if isOfParts(c) {
		e.Losses = slices.DeleteFunc(e.Losses, func(l mcp.Loss) bool { return l.IsFatal() && isOfSetting(l, c.Row.Server) })
	}
	return e
}

// isOfParts reports whether an entry is there and differs in parts of it.
func isOfParts(c *mcp.Cell) bool {
	isProgram := func(d mcp.Difference) bool { return d.Field == mcp.FieldProgram }
	return c.Server != nil && c.Server.Launch.IsRemote() == c.Row.Server.Launch.IsRemote() && !slices.ContainsFunc(c.Differences, isProgram)
}

// place computes where the missing servers of a file go: after the nearest one before them in the
// file that they come from, else before the nearest one after them, so that the order of writing
// does not matter.
func (p *planner) place() {
	p.places = map[*mcp.GroupRow]edit.Where{}
	cells, sources := map[*mcp.Server]*mcp.Cell{}, map[*mcp.Document]bool{}
	for _, c := range p.file.Cells {
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
				p.places[c.Row] = where
				if where.Place == edit.Last {
					before = append(before, c.Row)
				}
			case c.Server.Document.File == p.file.Document.File && !c.Server.Shared:
				where = edit.Where{Place: edit.After, Beside: p.Handle(c.Server)}
				for _, row := range before {
					p.places[row] = edit.Where{Place: edit.Before, Beside: where.Beside, Rank: p.places[row].Rank}
				}
				before = nil
			}
		}
	}
}
