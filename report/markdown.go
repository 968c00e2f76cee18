package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// maxMarkdown is how many bytes of findings a report holds. GitHub refuses a
// comment of more than 65,536 characters and drops a job summary of more than
// 1 MiB, so the same report fits both, with room for what a caller adds.
const maxMarkdown = 50_000

// maxProblems is how many of the files that could not be checked are listed.
const maxProblems = 10

// WriteMarkdown writes GitHub Flavored Markdown for a comment or a job summary: what the
// change brings, the counts, a table for every file, and the notes folded. The most severe
// findings come first; those that do not fit are counted.
func WriteMarkdown(w io.Writer, v *view.View, o Options) error {
	return writeFindings(w, v, o, maxMarkdown)
}

// writeFindings writes a report with room for so many bytes of findings.
func writeFindings(w io.Writer, v *view.View, o Options, room int) error {
	m := markdownWriter{room: room}
	sorted := gravestFirst(v.Findings(o.Severity))
	grave, notes := sorted, []view.Finding(nil)
	if i := slices.IndexFunc(sorted, func(f view.Finding) bool { return f.Severity() == rule.Note }); i >= 0 {
		grave, notes = sorted[:i], sorted[i:]
	}
	m.out.WriteString("### mcplumb\n\n")
	m.brought(v.Brought(), o.Sources)
	fmt.Fprintf(&m.out, "%s\n", markdownSummary(v, o))
	m.problems(v.Problems())
	m.room -= m.out.Len()
	m.tables(m.fitting(grave))
	if notes := m.fitting(notes); len(notes) > 0 {
		fmt.Fprintf(&m.out, "\n<details>\n<summary>%s</summary>\n", Count(len(notes), rule.Note.String()))
		m.tables(notes)
		m.out.WriteString("\n</details>\n")
	}
	m.rest()
	m.links()
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdownWriter struct {
	out  strings.Builder
	room int                 // bytes left for findings
	left [rule.Error + 1]int // findings left out, by severity
	// rules are those that rows link to, in the order of their first row.
	rules []*rule.Rule
}

// fileRow is a row of a table, and the file whose table it is.
type fileRow struct {
	file view.Path
	text string
}

// problems lists what could not be checked.
func (m *markdownWriter) problems(problems []view.Problem) {
	if len(problems) == 0 {
		return
	}
	m.out.WriteString("\nNot checked:\n\n")
	for _, p := range problems[:min(len(problems), maxProblems)] {
		text := markdown(p.Message.String())
		if !p.Path.IsZero() {
			text = markdownPath(p.Path) + ": " + text
		}
		fmt.Fprintf(&m.out, "- %s\n", text)
	}
	if more := len(problems) - maxProblems; more > 0 {
		fmt.Fprintf(&m.out, "- and %d more\n", more)
	}
}

// fitting returns the rows of the findings as long as there is room for them,
// and counts the others.
func (m *markdownWriter) fitting(findings []view.Finding) []fileRow {
	var rows []fileRow
	seen := map[view.Path]bool{}
	for i, f := range findings {
		row := fileRow{f.Place().Path(), markdownRow(f)}
		size := len(row.text)
		if !seen[row.file] {
			seen[row.file] = true
			size += len(tableHead(row.file))
		}
		if m.room -= size; m.room < 0 {
			for _, f := range findings[i:] {
				m.left[f.Severity()]++
			}
			break
		}
		rows = append(rows, row)
		if !slices.Contains(m.rules, f.Rule()) {
			m.rules = append(m.rules, f.Rule())
		}
	}
	return rows
}

// tables writes a table for every file, in the order of their first rows.
func (m *markdownWriter) tables(rows []fileRow) {
	var files []view.Path
	byFile := map[view.Path][]string{}
	for _, row := range rows {
		if byFile[row.file] == nil {
			files = append(files, row.file)
		}
		byFile[row.file] = append(byFile[row.file], row.text)
	}
	for _, file := range files {
		m.out.WriteString(tableHead(file) + strings.Join(byFile[file], ""))
	}
}

// tableHead begins the table of a file.
func tableHead(file view.Path) string {
	return "\n#### " + markdownPath(file) + "\n\n| | place | what | rule |\n|---|---|---|---|\n"
}

// markdownRow is one finding with its related places.
func markdownRow(f view.Finding) string {
	lines := []string{markdownCell(f.ProblemHere().String())}
	related, more := f.Related(maxRelated)
	for _, r := range related {
		at := r.Place.Start(view.CodePoints)
		place := fmt.Sprintf("%s:%d:%d", shorten(r.Place.Path().String(), maxMarkdownText), at.Line, at.Column)
		lines = append(lines, codeCell(place)+": "+markdownCell(r.MessageHere.String()))
	}
	if more > 0 {
		lines = append(lines, "and "+Count(more, "more place"))
	}
	for _, line := range remedy(f) {
		lines = append(lines, markdownCell(line))
	}
	at := f.Place().Start(view.CodePoints)
	return fmt.Sprintf("| %s | %d:%d | %s | [%s] [(wrong?)](%s) |\n",
		f.Severity(), at.Line, at.Column, strings.Join(lines, "<br>"), f.Rule().ID, f.Rule().WrongURL(f.Fingerprint()))
}

// rest says how much was left out.
func (m *markdownWriter) rest() {
	total := 0
	var parts []string
	for severity := rule.Error; severity >= rule.Note; severity-- {
		if n := m.left[severity]; n > 0 {
			total += n
			parts = append(parts, Count(n, severity.String()))
		}
	}
	if total > 0 {
		fmt.Fprintf(&m.out, "\n**%s left out** (%s): all of them would be too long to show here.\n", Count(total, "finding"), strings.Join(parts, ", "))
	}
}

// links defines the links of the rules.
func (m *markdownWriter) links() {
	if len(m.rules) > 0 {
		m.out.WriteByte('\n')
	}
	for _, c := range m.rules {
		fmt.Fprintf(&m.out, "[%s]: %s\n", c.ID, c.URL())
	}
}
