package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// maxMatrixHeads is how many characters the paths above a matrix may have together; one
// with more has numbers there, so that a page holds it.
const maxMatrixHeads = 100

// listMatrixMarkdown writes what listMatrix does as tables in GitHub's Markdown.
func listMatrixMarkdown(w io.Writer, v *view.View) error {
	matrices := v.Matrices()
	if len(matrices) == 0 {
		_, err := fmt.Fprintln(w, noMatrix)
		return err
	}
	_, err := io.WriteString(w, markdownMatrices(matrices, math.MaxInt))
	return err
}

// markdownMatrices returns matrices with about room bytes at most. What does not fit is
// counted; servers that are in sync are left out first.
func markdownMatrices(matrices []view.Matrix, room int) string {
	var page strings.Builder
	left := 0
	for i := range matrices {
		text := markdownMatrix(&matrices[i], room-page.Len())
		if text == "" {
			left++
			continue
		}
		page.WriteString(text + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&page, "and %s\n\n", Count(left, "more table"))
	}
	var legend []string
	for _, entry := range legendOf(matrices) {
		legend = append(legend, fmt.Sprintf("**%s** %s", entry[0], entry[1]))
	}
	if len(legend) > 0 {
		page.WriteString(strings.Join(legend, " · ") + "\n")
	}
	return page.String()
}

// markdownMatrix returns one matrix, "" where there is no room for it.
func markdownMatrix(m *view.Matrix, room int) string {
	var head, rest strings.Builder
	fmt.Fprintf(&head, "#### %s\n\n", matrixTitle(m, markdownPath))
	head.WriteString(markdownHeads(m))
	notes, moreNotes := matrixNotes(m)
	if len(notes) > 0 {
		rest.WriteByte('\n')
	}
	for _, n := range notes {
		fmt.Fprintf(&rest, "- %s: %s\n", codeSpan(shorten(n.place, maxMarkdownText)),
			n.text(codeSpan(shorten(n.server, maxMarkdownText)), markdownPath(n.heldTo), markdown))
	}
	if moreNotes > 0 {
		fmt.Fprintf(&rest, "- and %d more\n", moreNotes)
	}
	if room -= head.Len() + rest.Len(); room < 0 {
		return ""
	}
	rows, moreRows := fittingRows(m, room)
	if moreRows > 0 {
		rows += fmt.Sprintf("\nand %s\n", Count(moreRows, "more server"))
	}
	return head.String() + rows + rest.String()
}

// markdownHeads returns the head of a table: the paths of the files, or numbers below a
// list of them.
func markdownHeads(m *view.Matrix) string {
	var list strings.Builder
	heads, size := []string{"Server"}, 0
	for _, f := range m.Files {
		path := shorten(f.Path.String(), maxMarkdownText)
		size += len(path)
		suffix := ""
		if !f.IsThere {
			suffix = " (not there)"
		}
		heads = append(heads, codeCell(path)+suffix)
		fmt.Fprintf(&list, "%d. %s%s\n", len(heads)-1, codeSpan(path), suffix)
	}
	if m.MoreFiles > 0 {
		fmt.Fprintf(&list, "\nand %s\n", Count(m.MoreFiles, "more file"))
	}
	var b strings.Builder
	if size > maxMatrixHeads {
		b.WriteString(list.String() + "\n")
		for i := range m.Files {
			heads[i+1] = strconv.Itoa(i + 1)
		}
	}
	out := bufio.NewWriter(&b)
	tableRow(out, heads)
	tableRow(out, append([]string{"---"}, strings.Split(strings.Repeat(":---:,", len(m.Files)), ",")[:len(m.Files)]...))
	out.Flush()
	return b.String()
}

// fittingRows returns the rows of a table that fit, choosing those that are out of sync first,
// in their order, and the number of further rows.
func fittingRows(m *view.Matrix, room int) (text string, more int) {
	rows := make([]string, len(m.Rows))
	for _, isOut := range []bool{true, false} {
		for i, row := range m.Rows {
			if isOutOfStep(row) != isOut {
				continue
			}
			line := markdownMatrixRow(row)
			if room -= len(line); room < 0 {
				more++
				continue
			}
			rows[i] = line
		}
	}
	return strings.Join(rows, ""), more
}

// markdownMatrixRow is one server.
func markdownMatrixRow(row view.MatrixRow) string {
	cells := []string{codeCell(shorten(row.Name.String(), maxMarkdownText))}
	for _, c := range row.Cells {
		word := matrixWord(c.State)
		if c.IsOutOfStep() {
			word = "**" + word + "**"
		}
		cells = append(cells, word)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}
