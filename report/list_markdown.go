package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// listMarkdown writes a table in GitHub's Markdown.
func listMarkdown(w io.Writer, list *List, o Options) error {
	rows, locked := listRows(list.Repo, o)
	out := bufio.NewWriter(w)
	if len(rows) == 0 {
		fmt.Fprintln(out, noServers)
		return out.Flush()
	}
	headings := listHeadings()
	if !locked {
		headings = headings[:len(headings)-1]
	}
	markdownRow(out, headings)
	markdownRow(out, strings.Split(strings.Repeat("---,", len(headings)), ",")[:len(headings)])
	for _, r := range rows {
		var clients []string
		for _, c := range r.clients {
			clients = append(clients, c.Title)
		}
		cells := []string{
			codeCell(r.name), codeCell(r.identity), codeCell(r.version),
			strings.Join(clients, ", "), codeCell(r.place), codeCell(r.lock),
		}
		if r.disabled {
			cells[0] += " (disabled)"
		}
		markdownRow(out, cells[:len(headings)])
	}
	return out.Flush()
}

func markdownRow(out *bufio.Writer, cells []string) {
	out.WriteString("| ")
	out.WriteString(strings.Join(cells, " | "))
	out.WriteString(" |\n")
}

// codeCell returns text as a code span in a cell of a table, "" for none.
// Nothing in a code span is a link, a mention, a number of an issue or HTML.
// What Escape spells out is spelled out.
func codeCell(text string) string {
	return codeSpan(withoutBars(Escape(text)))
}

// withoutBars escapes what divides the cells of a table, even in a code span.
// After a backslash the escaping itself would be read as an escaped backslash
// and a divider, so there the bar is spelled out.
func withoutBars(text string) string {
	if !strings.Contains(text, "|") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '|':
			b.WriteByte(text[i])
		case i > 0 && text[i-1] == '\\':
			b.WriteString(`\x7c`)
		default:
			b.WriteString(`\|`)
		}
	}
	return b.String()
}

// longestRun returns how often a character follows itself at most.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
