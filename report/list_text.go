package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// listText writes a table. Columns are as wide as their widest cell on screen,
// so that names in any script line up. On a terminal of a known width it has the columns
// that there is room for.
func listText(w io.Writer, v *view.View, o Options) error {
	out := bufio.NewWriter(w)
	rows := textRows(v.Servers())
	if len(rows) == 1 {
		fmt.Fprintln(out, noServers)
		return out.Flush()
	}
	rows, dropped := fitColumns(rows, o.Width)
	writeColumns(out, rows, columnGap)
	if len(dropped) > 0 {
		fmt.Fprintf(out, "for %s: a wider terminal, or --format json\n", strings.ToLower(strings.Join(dropped, ", ")))
	}
	return out.Flush()
}

// minIdentity is what is left of an identity, which says most of a server, before a column is left
// out.
const minIdentity = 32

// fitColumns returns a table as wide as a terminal, 0 for any width: long cells are cut in the
// middle, and columns that say less of a server are left out, whose headings it returns.
func fitColumns(rows [][]string, width int) (fitted [][]string, dropped []string) {
	for _, next := range []string{"", "SOURCE", "REGISTRY", "INTEGRITY", "CLIENTS", "LOCK", "VERSION"} {
		if i := slices.Index(rows[0], next); i >= 0 {
			rows, dropped = withoutColumn(rows, i), append(dropped, next)
		}
		if width == 0 || tableWidth(rows) <= width {
			return rows, dropped
		}
		identity := slices.Index(rows[0], "IDENTITY")
		most := func(room int) [][]string {
			return cutCells(rows, func(column int) int {
				if column == identity {
					return room
				}
				return max(width/4, len("IDENTITY"))
			})
		}
		room := width - tableWidth(most(1)) + len("IDENTITY")
		if fitted = most(max(room, len("IDENTITY"))); room >= minIdentity {
			break
		}
	}
	return fitted, dropped
}

// withoutColumn returns a table without one of its columns.
func withoutColumn(rows [][]string, column int) [][]string {
	var rest [][]string
	for _, row := range rows {
		rest = append(rest, slices.Delete(slices.Clone(row), column, column+1))
	}
	return rest
}

// cutCells returns a table whose cells are as wide as their column may be at most; headings stay.
func cutCells(rows [][]string, most func(column int) int) [][]string {
	all := [][]string{rows[0]}
	for _, row := range rows[1:] {
		row = slices.Clone(row)
		for i, text := range row {
			row[i] = terminal.FitMiddle(text, most(i))
		}
		all = append(all, row)
	}
	return all
}

// tableWidth returns how wide a table is on screen, whose cells fit their columns.
func tableWidth(rows [][]string) int {
	widest := 0
	widths := columnWidths(rows)
	for _, row := range rows {
		line := 0
		for i, text := range row[:len(row)-1] {
			line += max(widths[i], terminal.Width(text)) + columnGap
		}
		widest = max(widest, line+terminal.Width(row[len(row)-1]))
	}
	return widest
}

// maxCell is the width beyond which a cell pushes its own row aside instead of
// widening the column for every other row; columnGap is what is between two columns.
const (
	maxCell   = 60
	columnGap = 2
)

// columnWidths returns how wide the columns of a table are on screen.
func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], min(terminal.Width(text), maxCell))
		}
	}
	return widths
}

// writeColumns writes a table whose rows have as many cells as the first, with so many
// columns between two of them.
func writeColumns(out *bufio.Writer, rows [][]string, gap int) {
	widths := columnWidths(rows)
	for _, row := range rows {
		for i, text := range row {
			out.WriteString(text)
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", max(widths[i]-terminal.Width(text), 0)+gap))
			}
		}
		out.WriteByte('\n')
	}
}

// textRows returns the cells of the table, headings first.
func textRows(servers []view.Server) [][]string {
	headings, pick := listColumns(servers)
	rows := make([][]string, 1, len(servers)+1)
	for _, heading := range headings {
		rows[0] = append(rows[0], strings.ToUpper(heading))
	}
	for _, s := range servers {
		r := rowOf(s)
		var clients []string
		for _, c := range s.Clients() {
			clients = append(clients, c.ID)
		}
		row := pick([]string{r.name, r.identity, r.version, strings.Join(clients, ","), r.place, r.registry, r.lock, r.integrity, r.source})
		for i, text := range row {
			if text == "" && i > 0 {
				row[i] = "-"
			}
		}
		if s.IsOff() {
			row[0] += " (disabled)"
		}
		rows = append(rows, row)
	}
	return rows
}
