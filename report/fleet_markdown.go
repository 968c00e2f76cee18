package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// How many rows people are shown of a table, and bytes of a cell: a job summary holds
// 1 MiB, and a reader takes in less than a tenth of that.
const (
	maxFleetRows = 15
	maxFleetCell = 160
)

// fleetMarkdown writes the numbers that matter for a job summary; what is more than fits is
// counted.
func fleetMarkdown(w io.Writer, f *fleet.Fleet, _ view.Tool) error {
	m := fleetTables{bufio.NewWriter(w)}
	s := f.Summary()
	fmt.Fprintf(m.out, "### MCP servers of %s\n\n%s\n\n", fleetCount(s.Repositories), fleetAge(f))
	headings := []string{"Repositories", "Not read", "Servers", "Different", "Not pinned", "Errors", "Warnings", "Notes"}
	numbers := []int{s.Repositories, s.Failed + len(f.Unread) + s.Errors, s.Servers, s.Identities, s.Unpinned, s.Findings.Error, s.Findings.Warning, s.Findings.Note}
	if s.Malicious > 0 {
		headings, numbers = append([]string{"Malicious packages"}, headings...), append([]int{s.Malicious}, numbers...)
	}
	m.head(headings...)
	var cells []string
	for _, n := range numbers {
		cells = append(cells, strconv.Itoa(n))
	}
	tableRow(m.out, cells)
	if s.Suppressed > 0 {
		fmt.Fprintf(m.out, "\n%s not shown: repositories hide them themselves.\n", Count(s.Suppressed, "finding")+plural(s.Suppressed, " is", " are"))
	}
	m.notices(f)
	m.gravest(f)
	m.changes(f.Changes)
	for _, rule := range fleet.Rules() {
		m.orgFindings(rule, f.Findings)
	}
	m.usages(f.Usages())
	if len(s.Rules) > 0 {
		m.section("Findings", "Rule", "Severity", "Findings", "Repositories")
		m.rows(len(s.Rules), func(i int) []string {
			r := s.Rules[i]
			return []string{fleetCell(r.Rule), r.Severity, strconv.Itoa(r.Count), strconv.Itoa(r.Repositories)}
		})
	}
	m.failed(f)
	return m.out.Flush()
}

// fleetAge says when what is known was read, and of how many repositories it is older.
func fleetAge(f *fleet.Fleet) string {
	said := "When they were read is not known."
	if day := f.Day(); day != "" {
		said = "Read on " + day + "."
	}
	if newest := f.NewestCommit(); newest != "" {
		said += " The newest commit is of " + newest + "."
	}
	for i, older := range f.Older() {
		switch {
		case i == maxFleetCounts:
			return said + " Others are shown as they were before."
		case older.Text == "":
			said += fmt.Sprintf(" %s shown as known before.", fleetCountAre(older.Repositories))
		default:
			said += fmt.Sprintf(" %s shown as known on %s.", fleetCountAre(older.Repositories), older.Text)
		}
	}
	return said
}

func fleetCountAre(n int) string { return fleetCount(n) + plural(n, " is", " are") }

// fleetCount counts repositories in words.
func fleetCount(n int) string { return strconv.Itoa(n) + " " + plural(n, "repository", "repositories") }

// fleetTables writes tables.
type fleetTables struct{ out *bufio.Writer }

// fleetCell is a hostile text as code in a cell of a table.
func fleetCell(text string) string { return codeCell(shorten(terminal.Escape(text), maxFleetCell)) }

// section begins a section that is a table.
func (m fleetTables) section(title string, headings ...string) {
	fmt.Fprintf(m.out, "\n#### %s\n\n", title)
	m.head(headings...)
}

// part begins a part of a section that is a table.
func (m fleetTables) part(title string, headings ...string) {
	fmt.Fprintf(m.out, "\n##### %s\n\n", title)
	m.head(headings...)
}

func (m fleetTables) head(headings ...string) {
	tableRow(m.out, headings)
	tableRow(m.out, strings.Split(strings.Repeat("---,", len(headings)), ",")[:len(headings)])
}

// rows writes the first rows of a table, and the number of further ones.
func (m fleetTables) rows(n int, row func(i int) []string) {
	for i := range min(n, maxFleetRows) {
		tableRow(m.out, row(i))
	}
	if more := n - maxFleetRows; more > 0 {
		fmt.Fprintf(m.out, "\nand %d more\n", more)
	}
}

// How many of the most severe findings are shown: of malicious packages all that fit in a job
// summary along with the other tables, and of other errors as many as people read.
const (
	maxFleetGrave  = 400_000 // bytes
	maxFleetErrors = 50
)

// graveFinding is one of the most severe findings.
type graveFinding struct {
	record  *fleet.Record
	finding *fleet.Finding
	isNew   bool
	score   string // of the rule, as GitHub has it, "" of one that is not about security
}

// gravest writes the places of malicious packages and of errors, the new ones first.
func (m fleetTables) gravest(f *fleet.Fleet) {
	var malicious, others []graveFinding
	scores := map[string]string{}
	for _, r := range f.Repositories {
		for i := range r.Findings {
			found := &r.Findings[i]
			score, known := scores[found.Rule]
			if rule := checks.ByID(found.Rule); !known && rule != nil {
				score = rule.Meta().SecuritySeverity
				scores[found.Rule] = score
			}
			grave := graveFinding{r, found, f.Changes.IsNew(found), score}
			if found.IsMalicious() {
				malicious = append(malicious, grave)
			} else if found.Severity == "error" {
				others = append(others, grave)
			}
		}
	}
	room := maxFleetGrave
	m.graveTable("Malicious packages", malicious, len(malicious), &room)
	m.graveTable("Errors", others, maxFleetErrors, &room)
}

// graveTable writes as many findings as are wanted and there is room for, and counts the
// others.
func (m fleetTables) graveTable(title string, all []graveFinding, most int, room *int) {
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b graveFinding) int {
		return cmp.Or(trueFirst(a.isNew, b.isNew), cmp.Compare(b.score, a.score))
	})
	m.section(title, "Repository", "Place", "Server", "Rule", "Finding")
	left, fresh := 0, 0
	for i, g := range all {
		found := g.finding
		text := markdownCell(terminal.Escape(found.Message))
		if g.isNew {
			text = "**New**: " + text
		}
		row := []string{fleetCell(g.record.Repository), fleetPlace(g.record, "", found.Path, found.Line), fleetCell(found.Server), fleetCell(found.Rule), text}
		for _, cell := range row {
			*room -= len(cell) + 3
		}
		if i < most && *room > 0 {
			tableRow(m.out, row)
			continue
		}
		left++
		if g.isNew {
			fresh++
		}
	}
	if left > 0 {
		more := ""
		if fresh > 0 {
			more = fmt.Sprintf(" (%d of them new)", fresh)
		}
		fmt.Fprintf(m.out, "\n**and %d more**%s, which the other formats have\n", left, more)
	}
}

// maxFleetLink is how many bytes of a link are written.
const maxFleetLink = 2000

// fleetPlace is a line of a file with a text before it, as a link to the line at the commit.
func fleetPlace(r *fleet.Record, before, path string, line int) string {
	text := before + path
	if line > 0 {
		text += ":" + strconv.Itoa(line)
	}
	cell := fleetCell(text)
	if link := r.Link(path, line); link != "" && len(link) <= maxFleetLink {
		return "[" + cell + "](" + markdownLink(link) + ")"
	}
	return cell
}

// changes writes what is new and gone.
func (m fleetTables) changes(c *fleet.Changes) {
	if c == nil {
		return
	}
	fmt.Fprintf(m.out, "\n#### New and gone\n\nSince the previous report: %s new, %d gone, %d at another version; %s new, %d gone; %s new, %d gone.\n",
		Count(len(c.New), "server"), len(c.Gone), len(c.Versions), fleetCount(len(c.NewRepositories)), len(c.GoneRepositories), Count(c.NewFindings, "finding"), c.GoneFindings)
	if c.UpdatedFrom != "" {
		fmt.Fprintf(m.out, "Most previous records are of mcplumb %s: findings may be new since the rules are.\n", fleetCell(c.UpdatedFrom))
	}
	m.repositoriesOf("New repositories", c.NewRepositories)
	m.repositoriesOf("Gone repositories", c.GoneRepositories)
	var first, others []fleet.Change
	for _, change := range c.New {
		if change.IsFirst {
			first = append(first, change)
		} else {
			others = append(others, change)
		}
	}
	m.changed("New servers that no repository had", first, "Version")
	m.changed("Other new servers", others, "Version")
	m.changed("Servers at another version", c.Versions, "Before", "Version")
	m.changed("Gone servers", c.Gone, "Version")
}

// repositoriesOf names as many repositories as a table has rows.
func (m fleetTables) repositoriesOf(title string, names []string) {
	if len(names) == 0 {
		return
	}
	m.part(title, "Repository")
	m.rows(len(names), func(i int) []string { return []string{fleetCell(names[i])} })
}

// changed writes servers that came, went or changed their version, with the headings of
// their versions: once for a repository, however many of its files have the same. One that
// went is linked where it was.
func (m fleetTables) changed(title string, all []fleet.Change, versions ...string) {
	if len(all) == 0 {
		return
	}
	type entry struct{ repository, runs, before, version, name string }
	var first []*fleet.Change
	places := map[entry]int{}
	entryOf := func(c *fleet.Change) entry {
		return entry{c.Record.Repository, c.Server.Title(), c.Before, c.Server.Version, c.Server.Name}
	}
	for i := range all {
		e := entryOf(&all[i])
		if places[e]++; places[e] == 1 {
			first = append(first, &all[i])
		}
	}
	m.part(title, append(append([]string{"Server"}, versions...), "Name", "Place")...)
	m.rows(len(first), func(i int) []string {
		c := first[i]
		s := c.Server
		row := []string{fleetCell(s.Title())}
		if len(versions) > 1 {
			row = append(row, fleetCell(c.Before))
		}
		place := fleetPlace(c.Record, c.Record.Repository+"/", s.Path, s.Line)
		if more := places[entryOf(c)] - 1; more > 0 {
			place += fmt.Sprintf(" and %s more", Count(more, "place"))
		}
		return append(row, fleetCell(s.Version), fleetCell(s.Name), place)
	})
}

// orgFindings writes what a rule over the fleet has found.
func (m fleetTables) orgFindings(rule *fleet.Rule, all []fleet.OrgFinding) {
	var found []fleet.OrgFinding
	for _, f := range all {
		if f.Rule == rule.ID {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return
	}
	m.section(strings.ToUpper(rule.Title[:1])+rule.Title[1:]+" (`"+rule.ID+"`)", "Finding", "Repositories", "First place")
	m.rows(len(found), func(i int) []string {
		first := found[i].Places[0]
		return []string{markdownCell(terminal.Escape(found[i].Message)), strconv.Itoa(found[i].Repositories),
			fleetPlace(first.Record, first.Record.Repository+"/", first.Server.Path, first.Server.Line)}
	})
}

// usages writes who runs what.
func (m fleetTables) usages(all []fleet.Usage) {
	if len(all) == 0 {
		return
	}
	m.section("Servers by repositories", "Server", "Repositories", "Names", "Versions", "Not pinned in")
	m.rows(len(all), func(i int) []string {
		u := all[i]
		unpinned := ""
		if u.Unpinned > 0 {
			unpinned = strconv.Itoa(u.Unpinned)
		}
		return []string{fleetCell(u.Identity), strconv.Itoa(u.Repositories), fleetCounts(u.Names), fleetCounts(u.Versions), unpinned}
	})
}

// maxFleetCounts is how many texts of a cell are named.
const maxFleetCounts = 3

// fleetCounts returns texts with the numbers of repositories.
func fleetCounts(counts []fleet.Count) string {
	var cells []string
	for _, c := range counts[:min(len(counts), maxFleetCounts)] {
		cells = append(cells, fmt.Sprintf("%s ×%d", fleetCell(c.Text), c.Repositories))
	}
	if more := len(counts) - maxFleetCounts; more > 0 {
		cells = append(cells, fmt.Sprintf("%d more", more))
	}
	return strings.Join(cells, ", ")
}

// notices writes what settings keep from being found.
func (m fleetTables) notices(f *fleet.Fleet) {
	var rows [][]string
	for _, r := range f.Repositories {
		for _, notice := range r.Notices {
			rows = append(rows, []string{fleetCell(r.Repository), markdownCell(terminal.Escape(notice))})
		}
	}
	if len(rows) > 0 {
		m.section("Kept from being found", "Repository", "What")
		m.rows(len(rows), func(i int) []string { return rows[i] })
	}
}

// failed writes what could not be read: records, repositories, and files of those that were.
func (m fleetTables) failed(f *fleet.Fleet) {
	var rows [][]string
	for _, p := range f.Unread {
		rows = append(rows, []string{fleetCell(p.Path), markdownCell(terminal.Escape(p.Message)), "nothing"})
	}
	for _, r := range f.Repositories {
		if r.Failed != "" {
			rows = append(rows, []string{fleetCell(r.Repository), markdownCell(terminal.Escape(r.Failed)), carriedFrom(r)})
		}
	}
	for _, r := range f.Repositories {
		for _, p := range r.Errors {
			why := markdownCell(terminal.Escape(p.Message))
			if p.Path != "" {
				why = fleetPlace(r, "", p.Path, 0) + ": " + why
			}
			rows = append(rows, []string{fleetCell(r.Repository), why, ""})
		}
	}
	if len(rows) == 0 {
		return
	}
	m.section("Not read", "Repository", "Why", "Shown")
	m.rows(len(rows), func(i int) []string { return rows[i] })
}

// carriedFrom says what is shown of a repository that could not be read.
func carriedFrom(r *fleet.Record) string {
	switch {
	case !r.IsCarried():
		return "nothing"
	case r.Read != "":
		return "as known on " + r.Read
	}
	return "as known before"
}
