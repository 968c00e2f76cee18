package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// listText writes a table. Columns are as wide as their widest cell on screen,
// so that names in any script line up.
func listText(w io.Writer, v *view.View) error {
	out := bufio.NewWriter(w)
	rows := textRows(v.Servers())
	if len(rows) == 1 {
		fmt.Fprintln(out, noServers)
		return out.Flush()
	}
	writeColumns(out, rows, columnGap)
	return out.Flush()
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
		row := pick([]string{r.name, r.identity, r.version, strings.Join(clients, ","), r.place, r.lock, r.source})
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
