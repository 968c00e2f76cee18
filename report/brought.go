package report

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// How many of the things that a change brings are shown, in a text and in Markdown; the others
// are counted.
const (
	maxBroughtLines = 20
	maxBroughtRows  = 50
)

// Sources say where people can open the files of a report: the beginning of an address that
// ends with the path of a file, "" if there is none.
type Sources struct {
	Now, Base string
}

// broughtHead says what a change brings, by kinds, without an end.
func broughtHead(b *view.Brought) string {
	if b.Len() == 0 {
		if b.IsPartial {
			return "no change to MCP servers in what could be read"
		}
		return "no change to MCP servers"
	}
	var counted []string
	for i := 0; i < b.Len(); {
		kind, n := b.Kind(i), 0
		for ; i < b.Len() && b.Kind(i) == kind; i++ {
			n++
		}
		counted = append(counted, broughtCount(kind, n))
	}
	head := "what this change adds: " + strings.Join(counted, ", ")
	if b.IsPartial {
		head += ", in what could be read"
	}
	return head
}

// broughtCount counts what is of one kind.
func broughtCount(kind string, n int) string {
	switch kind {
	case "approval":
		return Count(n, "wider approval")
	case "lock":
		return Count(n, "changed lock")
	}
	return strconv.Itoa(n) + " " + kind
}

// broughtWhat says what there is of a row, its texts as show has them.
func broughtWhat(row *view.BroughtRow, show func(view.Text) string) string {
	var parts []string
	switch from, to := show(row.From), show(row.To); {
	case from != "" && to != "":
		parts = append(parts, from+" → "+to)
	case from+to != "":
		parts = append(parts, from+to)
	}
	for _, what := range row.What {
		parts = append(parts, show(what))
	}
	return strings.Join(parts, "; ")
}

// brought says what a change brings, in a line each.
func (t textWriter) brought(v *view.View) {
	b := v.Brought()
	if b == nil {
		return
	}
	fmt.Fprintln(t.out, broughtHead(b))
	for _, row := range b.Rows(maxBroughtLines) {
		server := ""
		if row.Server.Plain() != "" {
			server = fmt.Sprintf(" \"%s\"", row.Server)
		}
		t.paragraph(relatedIndent, piece{text: "  "}, piece{sgr: bold, text: row.Place.String()},
			piece{text: fmt.Sprintf(": %s%s: %s%s", row.Kind, server, broughtWhat(&row, view.Text.String), moreBrought(&row))})
	}
	if more := b.Len() - maxBroughtLines; more > 0 {
		fmt.Fprintf(t.out, "  and %d more: --format json has all\n", more)
	}
	fmt.Fprintln(t.out)
}

// moreBrought says how many other places have the same message, and whether the place is one
// of the base.
func moreBrought(row *view.BroughtRow) string {
	words := ""
	if row.More > 0 {
		words = ", and in " + Count(row.More, "more place")
	}
	if row.AtBase {
		words += " (at the base)"
	}
	return words
}

// brought writes what a change brings as a table.
func (m *markdownWriter) brought(b *view.Brought, sources Sources) {
	if b == nil {
		return
	}
	head := broughtHead(b)
	fmt.Fprintf(&m.out, "**%s**\n\n", strings.ToUpper(head[:1])+head[1:])
	if b.Len() == 0 {
		return
	}
	m.out.WriteString("| | server | what | place |\n|---|---|---|---|\n")
	shown := 0
	for _, row := range b.Rows(maxBroughtRows) {
		what := broughtWhat(&row, func(text view.Text) string { return markdownCell(text.String()) })
		line := fmt.Sprintf("| %s | %s | %s%s | %s |\n", row.Kind, codeCell(shorten(row.Server.String(), maxMarkdownText)), what, moreBrought(&row), sources.link(&row))
		if m.out.Len()+len(line) > m.room/2 {
			break // findings need room, too
		}
		m.out.WriteString(line)
		shown++
	}
	m.out.WriteByte('\n')
	if more := b.Len() - shown; more > 0 {
		fmt.Fprintf(&m.out, "and %d more\n\n", more)
	}
}

// link returns the place of a row, with a link to it where there is one.
func (s Sources) link(row *view.BroughtRow) string {
	place := codeCell(shorten(lineOf(row.Place), maxMarkdownText))
	source := s.Now
	if row.AtBase {
		source = s.Base
	}
	if source == "" {
		return place
	}
	var escaped []string
	for _, part := range strings.Split(row.Place.Path().FromRoot().Plain(), "/") {
		escaped = append(escaped, url.PathEscape(part))
	}
	return fmt.Sprintf("[%s](%s#L%d)", place, markdownLink(source+strings.Join(escaped, "/")), row.Place.Line())
}
