package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// listMarkdown writes a table in GitHub's Markdown.
func listMarkdown(w io.Writer, v *view.View) error {
	servers := v.Servers()
	out := bufio.NewWriter(w)
	if len(servers) == 0 {
		fmt.Fprintln(out, noServers)
		return out.Flush()
	}
	headings, pick := listColumns(servers)
	tableRow(out, headings)
	tableRow(out, strings.Split(strings.Repeat("---,", len(headings)), ",")[:len(headings)])
	for _, s := range servers {
		row := rowOf(s)
		var clients []string
		for _, c := range s.Clients() {
			clients = append(clients, c.Title)
		}
		cells := []string{
			codeCell(row.name), codeCell(row.identity), codeCell(row.version),
			strings.Join(clients, ", "), codeCell(row.place), codeCell(row.registry), codeCell(row.lock), codeCell(row.integrity), codeCell(row.source),
		}
		if s.IsOff() {
			cells[0] += " (disabled)"
		}
		tableRow(out, pick(cells))
	}
	return out.Flush()
}

func tableRow(out *bufio.Writer, cells []string) {
	out.WriteString("| ")
	out.WriteString(strings.Join(cells, " | "))
	out.WriteString(" |\n")
}
