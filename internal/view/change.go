package view

import "github.com/mcplumb/mcplumb/internal/compare"

// Brought is what a change brings: compare.Summary.
type Brought struct {
	view *View
	rows []compare.Brought
	// IsPartial reports that not all could be read of what the change concerns.
	IsPartial bool
}

// BroughtRow is one thing that a change brings: compare.Brought.
type BroughtRow struct {
	// Kind is one of "new", "changed", "gone", "approval" and "lock".
	Kind   string
	Server Text // empty for all servers
	Place  Place
	// AtBase reports that the place is one of the base.
	AtBase   bool
	From, To Text
	What     []Text
	// More counts the other places with the same message.
	More int
}

// Brought returns what a change brings, nil where nothing was compared.
func (v *View) Brought() *Brought {
	if v.run.Change == nil {
		return nil
	}
	return &Brought{v, v.run.Change.Rows, v.run.Change.IsPartial}
}

// Len returns the number of rows, Kind the kind of one row. Rows of one kind are adjacent.
func (b *Brought) Len() int          { return len(b.rows) }
func (b *Brought) Kind(i int) string { return string(b.rows[i].Kind) }

// Rows returns the first things, at most limit of them.
func (b *Brought) Rows(limit int) []BroughtRow {
	rows := make([]BroughtRow, min(len(b.rows), limit))
	for i := range rows {
		rows[i] = b.view.broughtRow(&b.rows[i])
	}
	return rows
}

func (v *View) broughtRow(b *compare.Brought) BroughtRow {
	row := BroughtRow{
		Kind: string(b.Kind), Server: v.nameText(b.Server), Place: v.place(b.File, b.Span), AtBase: b.AtBase,
		From: v.text(b.From), To: v.text(b.To), More: b.More,
	}
	for _, what := range b.What {
		row.What = append(row.What, v.text(what))
	}
	return row
}
