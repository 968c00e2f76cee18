package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// noMatrix is what people read where no files are side by side.
const noMatrix = "nothing to compare: no project has two files of clients with servers"

// maxMatrixNotes is how many entries of one matrix are described below it; the others are
// counted.
const maxMatrixNotes = 50

// matrixWidth is how many columns of a terminal a matrix may have with the paths of its
// files above it; a wider one has numbers there.
const matrixWidth = 80

// matrixWord is the text of a cell.
func matrixWord(s view.MatrixState) string {
	switch s {
	case view.InStep:
		return "ok"
	case view.Differs:
		return "differs"
	case view.Missing:
		return "missing"
	case view.Off:
		return "off"
	case view.NotSayable:
		return "n/a"
	case view.Extra:
		return "extra"
	case view.Excepted:
		return "except"
	case view.NotNeeded:
		return "-"
	}
	return "?"
}

// matrixLegend says what the words in cells mean, in the order in which they are listed.
// Those that explain themselves have none.
func matrixLegend() []struct{ word, meaning string } {
	return []struct{ word, meaning string }{
		{matrixWord(view.InStep), "in sync, as far as the client can express it"},
		{matrixWord(view.Differs), "not as in the source or most files; all, where no entry is in most"},
		{matrixWord(view.Missing), "in another file and not in this one"},
		{matrixWord(view.Off), "disabled"},
		{matrixWord(view.NotSayable), "the client of the file cannot have it"},
		{matrixWord(view.Extra), "not in the source that the file must follow"},
		{matrixWord(view.Excepted), "may differ: listed under except in the settings"},
		{matrixWord(view.NotNeeded), "not there, and not needed"},
		{matrixWord(view.NotCompared), "not compared: too many servers are missing"},
	}
}

// legendOf returns the words used in matrices, each with its meaning.
func legendOf(matrices []view.Matrix) (legend [][]string) {
	used := map[string]bool{}
	for _, m := range matrices {
		for _, row := range m.Rows {
			for _, c := range row.Cells {
				used[matrixWord(c.State)] = true
			}
		}
	}
	for _, entry := range matrixLegend() {
		if used[entry.word] {
			legend = append(legend, []string{entry.word, entry.meaning})
		}
	}
	return legend
}

// listMatrix writes for every group of files which servers each of them has, and below it
// what is not the same.
func listMatrix(w io.Writer, v *view.View) error {
	out := bufio.NewWriter(w)
	matrices := v.Matrices()
	if len(matrices) == 0 {
		fmt.Fprintln(out, noMatrix)
	}
	for i := range matrices {
		matrixText(out, &matrices[i])
	}
	if legend := legendOf(matrices); len(legend) > 0 {
		writeColumns(out, legend, columnGap)
	}
	return out.Flush()
}

// matrixText writes one matrix.
func matrixText(out *bufio.Writer, m *view.Matrix) {
	heads := []string{"SERVER"}
	for _, f := range m.Files {
		heads = append(heads, matrixFile(f))
	}
	rows := [][]string{heads}
	for _, row := range m.Rows {
		cells := []string{row.Name.String()}
		for _, c := range row.Cells {
			cells = append(cells, matrixWord(c.State))
		}
		rows = append(rows, cells)
	}
	fmt.Fprintln(out, matrixTitle(m, view.Path.String))
	gap := columnGap
	if columnsWidth(rows) > matrixWidth {
		rows[0], gap = heads[:1:1], 1
		for i, head := range heads[1:] {
			number := strconv.Itoa(i + 1)
			rows[0] = append(rows[0], number)
			fmt.Fprintf(out, "%3s  %s\n", number, head)
		}
	}
	if m.MoreFiles > 0 {
		fmt.Fprintf(out, "     and %s\n", Count(m.MoreFiles, "more file"))
	}
	out.WriteByte('\n')
	writeColumns(out, rows, gap)
	out.WriteByte('\n')
	notes, more := matrixNotes(m)
	for _, n := range notes {
		fmt.Fprintf(out, "%s: %s\n", n.place, n.text(`"`+n.server+`"`, n.heldTo.String(), func(s string) string { return s }))
	}
	if more > 0 {
		fmt.Fprintf(out, "and %d more\n", more)
	}
	if len(notes) > 0 {
		out.WriteByte('\n')
	}
}

// matrixFile names a file.
func matrixFile(f view.MatrixFile) string {
	if !f.IsThere {
		return f.Path.String() + " (not there)"
	}
	return f.Path.String()
}

// matrixTitle says which files are side by side, with paths as the format writes them.
func matrixTitle(m *view.Matrix, path func(view.Path) string) string {
	title := "Client files"
	switch {
	case !m.Source.IsZero():
		return "Files to keep in sync with " + path(m.Source)
	case m.IsWanted:
		title = "Files to keep in sync"
	}
	if !m.Dir.IsZero() {
		title += " of " + path(m.Dir)
	}
	return title
}

// matrixNote is a note about one cell.
type matrixNote struct {
	place  string // of the entry, the file's path without one
	server string
	state  view.MatrixState
	heldTo view.Path
	words  []string
}

// text words the note, with names and paths as the format writes them, and the words of
// each part as plain does.
func (n *matrixNote) text(server, heldTo string, plain func(string) string) string {
	words := plain(strings.Join(n.words, ", "))
	if n.state == view.Differs || n.state == view.Off {
		return fmt.Sprintf("%s is not as in %s: %s", server, heldTo, words)
	}
	return server + ": " + words
}

// matrixNotes returns the notes about the cells of a matrix, and the number of those left out.
func matrixNotes(m *view.Matrix) (notes []matrixNote, more int) {
	for _, row := range m.Rows {
		for i, c := range row.Cells {
			words := c.Words()
			if len(words) == 0 {
				continue
			}
			if len(notes) == maxMatrixNotes {
				more++
				continue
			}
			n := matrixNote{place: m.Files[i].Path.String(), server: row.Name.String(), state: c.State, heldTo: c.HeldTo()}
			if at, isThere := c.Place(); isThere {
				n.place = lineOf(at)
			}
			n.words = matrixWords(words)
			notes = append(notes, n)
		}
	}
	return notes, more
}

// maxMatrixWords is how many parts of one entry are named.
const maxMatrixWords = 4

// matrixWords returns the first of the words said of an entry, as a log may hold them.
func matrixWords(words []view.Text) (shown []string) {
	for _, text := range words[:min(len(words), maxMatrixWords)] {
		shown = append(shown, text.String())
	}
	if more := len(words) - maxMatrixWords; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return shown
}

// columnsWidth returns how many columns a table needs on screen.
func columnsWidth(rows [][]string) int {
	width := -columnGap
	for _, w := range columnWidths(rows) {
		width += w + columnGap
	}
	return width
}

// isOutOfStep reports whether a row has a cell that a sync must change.
func isOutOfStep(row view.MatrixRow) bool {
	return slices.ContainsFunc(row.Cells, view.MatrixCell.IsOutOfStep)
}
