package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// fleetCSV writes a row for each server (RFC 4180: lines end with CR LF, quotes are
// doubled). Every text is quoted.
func fleetCSV(w io.Writer, f *fleet.Fleet, _ view.Tool) error {
	out := bufio.NewWriter(w)
	csvRow(out, "repository", "name", "identity", "kind", "selector", "version", "pinned", "clients", "scope", "disabled", "rules", "path", "line", "commit", "time", "read", "url")
	for _, r := range f.Repositories {
		rules := rulesOf(r)
		for i := range r.Servers {
			s := &r.Servers[i]
			csvRow(out, r.Repository, s.Name, s.Identity, s.Kind, strings.Join(s.Selector, " "), s.Version, s.Pinned(), strings.Join(s.Clients, " "), s.Scope,
				strconv.FormatBool(s.Disabled), strings.Join(rules[[2]string{s.Path, s.Name}], " "), s.Path, strconv.Itoa(s.Line), r.Commit, r.Time, r.Read, r.Link(s.Path, s.Line))
		}
	}
	return out.Flush()
}

func csvRow(out *bufio.Writer, cells ...string) {
	for i, cell := range cells {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('"')
		out.WriteString(strings.ReplaceAll(csvText(cell), `"`, `""`))
		out.WriteByte('"')
	}
	out.WriteString("\r\n")
}

// csvText returns a text that no spreadsheet takes for a formula: one that begins as such
// gets an apostrophe before it (OWASP, CSV Injection), behind a semicolon, too, which
// divides the cells where the comma is that of numbers. What is invisible is spelled out.
func csvText(text string) string {
	text = terminal.Escape(text)
	var b strings.Builder
	begins := true
	for _, c := range text {
		if begins && strings.ContainsRune("=+-@＝＋－＠", c) {
			b.WriteByte('\'')
		}
		begins = c == ';' || begins && (c == ' ' || c == '"')
		b.WriteRune(c)
	}
	return b.String()
}
