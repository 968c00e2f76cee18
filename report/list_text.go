package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// noServers is what people read where nothing is listed.
const noServers = "no MCP servers found"

// listText writes a table. Columns are as wide as their widest cell on screen,
// so that names in any script line up.
func listText(w io.Writer, list *List, o Options) error {
	out := bufio.NewWriter(w)
	rows := textRows(list, o)
	if len(rows) == 1 {
		fmt.Fprintln(out, noServers)
		return out.Flush()
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], min(Width(text), maxCell))
		}
	}
	for _, row := range rows {
		for i, text := range row {
			out.WriteString(text)
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", max(widths[i]-Width(text), 0)+2))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// maxCell is the width beyond which a cell pushes its own row aside instead of
// widening the column for every other row.
const maxCell = 60

// textRows returns the escaped cells of the table, headings first.
func textRows(list *List, o Options) [][]string {
	servers, locked := listRows(list.Repo, o)
	headings := listHeadings()
	for i, heading := range headings {
		headings[i] = strings.ToUpper(heading)
	}
	rows := [][]string{headings}
	for _, s := range servers {
		var clients []string
		for _, c := range s.clients {
			clients = append(clients, c.ID)
		}
		row := []string{s.name, s.identity, s.version, strings.Join(clients, ","), s.place, s.lock}
		for i, text := range row {
			row[i] = Escape(text)
			if text == "" && i > 0 {
				row[i] = "-"
			}
		}
		if s.disabled {
			row[0] += " (disabled)"
		}
		rows = append(rows, row)
	}
	if !locked {
		for i, row := range rows {
			rows[i] = row[:len(row)-1]
		}
	}
	return rows
}
