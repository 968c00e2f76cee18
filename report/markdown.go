package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxMarkdown is how many bytes of findings a report holds. GitHub refuses a
// comment of more than 65,536 characters and drops a job summary of more than
// 1 MiB, so the same report fits both, with room for what a caller adds.
const maxMarkdown = 50_000

// maxMarkdownText is how many UTF-16 code units of one text are shown.
const maxMarkdownText = 500

// maxProblems is how many of the files that could not be checked are listed.
const maxProblems = 10

// writeMarkdown writes GitHub Flavored Markdown for a comment or a job summary:
// the counts, a table for every file, and the notes folded. The gravest findings
// come first; what is too much is counted.
func writeMarkdown(w io.Writer, r *Report, o Options) error {
	m := markdownWriter{o: o, room: cmp.Or(o.Room, maxMarkdown)}
	var grave, notes []*checks.Finding
	for _, f := range gravestFirst(r.Findings) {
		switch {
		case f.Severity < o.Severity:
		case f.Severity == checks.Note:
			notes = append(notes, f)
		default:
			grave = append(grave, f)
		}
	}
	fmt.Fprintf(&m.out, "### mcplumb\n\n%s\n", markdown(plainSummary(r, o)))
	m.problems(r.Errors)
	m.room -= m.out.Len()
	m.tables(m.fitting(grave))
	if notes := m.fitting(notes); len(notes) > 0 {
		fmt.Fprintf(&m.out, "\n<details>\n<summary>%s</summary>\n", count(len(notes), checks.Note.String()))
		m.tables(notes)
		m.out.WriteString("\n</details>\n")
	}
	m.rest()
	m.links()
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdownWriter struct {
	o    Options
	out  strings.Builder
	room int                   // bytes left for findings
	left [checks.Error + 1]int // findings left out, by severity
	// rules are those that rows link to, in the order of their first row.
	rules []*checks.Check
}

// fileRow is a row of a table, and the file whose table it is.
type fileRow struct {
	file *syntax.File
	text string
}

// problems lists what could not be checked.
func (m *markdownWriter) problems(problems []Error) {
	if len(problems) == 0 {
		return
	}
	m.out.WriteString("\nNot checked:\n\n")
	for _, e := range problems[:min(len(problems), maxProblems)] {
		text := markdown(e.Message)
		if e.Path != "" {
			text = m.path(e.Path) + ": " + text
		}
		fmt.Fprintf(&m.out, "- %s\n", text)
	}
	if more := len(problems) - maxProblems; more > 0 {
		fmt.Fprintf(&m.out, "- and %d more\n", more)
	}
}

// fitting returns the rows of the findings as long as there is room for them,
// and counts the others.
func (m *markdownWriter) fitting(findings []*checks.Finding) []fileRow {
	var rows []fileRow
	seen := map[*syntax.File]bool{}
	for i, f := range findings {
		row := fileRow{f.File, m.row(f)}
		size := len(row.text)
		if !seen[f.File] {
			seen[f.File] = true
			size += len(m.head(f.File))
		}
		if m.room -= size; m.room < 0 {
			for _, f := range findings[i:] {
				m.left[f.Severity]++
			}
			break
		}
		rows = append(rows, row)
		if !slices.Contains(m.rules, f.Check) {
			m.rules = append(m.rules, f.Check)
		}
	}
	return rows
}

// tables writes a table for every file, in the order of their first rows.
func (m *markdownWriter) tables(rows []fileRow) {
	var files []*syntax.File
	byFile := map[*syntax.File][]string{}
	for _, row := range rows {
		if byFile[row.file] == nil {
			files = append(files, row.file)
		}
		byFile[row.file] = append(byFile[row.file], row.text)
	}
	for _, file := range files {
		m.out.WriteString(m.head(file) + strings.Join(byFile[file], ""))
	}
}

// head begins the table of a file.
func (m *markdownWriter) head(file *syntax.File) string {
	return "\n#### " + m.path(file.Path) + "\n\n| | place | what | rule |\n|---|---|---|---|\n"
}

// row is one finding with its related places.
func (m *markdownWriter) row(f *checks.Finding) string {
	lines := []string{markdownCell(f.Message)}
	for _, related := range f.Related[:min(len(f.Related), maxRelated)] {
		p := related.File.Position(related.Span.Start, syntax.CodePoints)
		place := fmt.Sprintf("%s:%d:%d", shorten(m.o.show(related.File.Path), maxMarkdownText), p.Line, p.Column)
		lines = append(lines, codeCell(place)+": "+markdownCell(related.Message))
	}
	if more := len(f.Related) - maxRelated; more > 0 {
		lines = append(lines, "and "+count(more, "more place"))
	}
	if len(f.Fixes) > 0 {
		lines = append(lines, "fix: "+markdownCell(fixTitle(f.Fixes[0])))
	}
	p := f.File.Position(f.Span.Start, syntax.CodePoints)
	return fmt.Sprintf("| %s | %d:%d | %s | [%s] |\n", f.Severity, p.Line, p.Column, strings.Join(lines, "<br>"), f.Check.ID)
}

// rest says how much was left out.
func (m *markdownWriter) rest() {
	total := 0
	var parts []string
	for severity := checks.Error; severity >= checks.Note; severity-- {
		if n := m.left[severity]; n > 0 {
			total += n
			parts = append(parts, count(n, severity.String()))
		}
	}
	if total > 0 {
		fmt.Fprintf(&m.out, "\n**%s left out** (%s): all of them would be too long to show here.\n", count(total, "finding"), strings.Join(parts, ", "))
	}
}

// links defines the links of the rules.
func (m *markdownWriter) links() {
	if len(m.rules) > 0 {
		m.out.WriteByte('\n')
	}
	for _, c := range m.rules {
		fmt.Fprintf(&m.out, "[%s]: %s\n", c.ID, ruleURL(c))
	}
}

func (m *markdownWriter) path(path string) string {
	return codeSpan(shorten(m.o.show(path), maxMarkdownText))
}

// markdown returns a text of the repository as Markdown that shows just that.
// What is more than a plain word becomes code: there Markdown, HTML, mentions,
// issue numbers and addresses mean nothing, neither to the parser nor to what
// GitHub and GitLab do afterwards. A backslash would stop only the parser.
func markdown(text string) string {
	words := strings.Split(shorten(Escape(secret.Mask(text)), maxMarkdownText), " ")
	for i, word := range words {
		before, core, after := trimPunctuation(word)
		if !isPlainWord(core) || isNumber(core) && after != "" { // "1." begins a list
			words[i] = before + codeSpan(core) + after
		}
	}
	return strings.Join(words, " ")
}

// markdownCell is markdown for the cell of a table.
func markdownCell(text string) string { return withoutBars(markdown(text)) }

// trimPunctuation splits a word from the marks of a sentence around it.
func trimPunctuation(word string) (before, core, after string) {
	core = strings.TrimLeft(word, `"'(`)
	before = word[:len(word)-len(core)]
	trimmed := strings.TrimRight(core, `"').,:;?…`)
	return before, trimmed, core[len(trimmed):]
}

// isPlainWord reports whether a word means nothing to anyone but people: letters
// with hyphens between them, or a small number. GH-12 is an issue, and seven
// hexadecimal digits in a row may be a commit.
func isPlainWord(word string) bool {
	hexadecimal := 0
	for i, r := range word {
		if hexadecimal++; !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') {
			hexadecimal = 0
		}
		if hexadecimal == 7 || !unicode.IsLetter(r) && (i == 0 || r != '-' && r != '\'') && !isNumber(word) {
			return false
		}
	}
	return true
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// codeSpan returns text as code, nothing if there is none. The fence is longer
// than any run of backticks within it (CommonMark, "Code spans").
func codeSpan(text string) string {
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	// One space at both ends is not shown, and keeps backticks apart.
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}
