package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// sideBySide are n files with the servers, in sync except for the last file, in which each
// server has another version.
func sideBySide(n int, names ...string) *mcp.Group {
	g := &mcp.Group{}
	for i := range n {
		doc := &mcp.Document{File: syntax.NewFile(fmt.Sprintf(".client-%d/mcp.json", i+1), []byte("{\n}"))}
		g.Files = append(g.Files, &mcp.GroupFile{Path: doc.File.Path, Document: doc})
	}
	for _, name := range names {
		row := &mcp.GroupRow{Name: name}
		for _, f := range g.Files {
			s := server(name)
			s.Document = f.Document
			row.Cells = append(row.Cells, &mcp.Cell{Row: row, File: f, Server: s})
		}
		row.Server = row.Cells[0].Server
		last := row.Cells[n-1]
		last.State, last.Differences = mcp.Differs, []mcp.Difference{{Field: mcp.FieldVersion, Span: last.Server.NameSpan}}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func matrixOf(t *testing.T, write func(*bytes.Buffer, *view.View) error, groups ...*mcp.Group) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, write(&out, view.New(view.Run{Groups: groups})))
	return out.String()
}

func asText(out *bytes.Buffer, v *view.View) error     { return listMatrix(out, v) }
func asMarkdown(out *bytes.Buffer, v *view.View) error { return listMatrixMarkdown(out, v) }

// TestMatrixOfManyFiles: paths are above the columns if they fit in a terminal, or on a page;
// otherwise numbers.
func TestMatrixOfManyFiles(t *testing.T) {
	few := sideBySide(3, "日本語")
	assert.Equal(t, `Files to keep in sync

SERVER  .client-1/mcp.json  .client-2/mcp.json  .client-3/mcp.json
日本語  ok                  ok                  differs

.client-3/mcp.json:1: "日本語" is not as in .client-1/mcp.json: another version

ok       in sync, as far as the client can express it
differs  not as in the source or most files; all, where no entry is in most
`, matrixOf(t, asText, few))
	assert.Contains(t, matrixOf(t, asMarkdown, few), "\n| Server | `.client-1/mcp.json` | `.client-2/mcp.json` | `.client-3/mcp.json` |\n")

	many := sideBySide(12, strings.Repeat("x", 24))
	out := matrixOf(t, asText, many)
	assert.Contains(t, out, "\n 12  .client-12/mcp.json\n\nSERVER ")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, terminal.Width(strings.TrimSuffix(line, "\n")), 120)
	}
	out = matrixOf(t, asMarkdown, many)
	assert.Contains(t, out, "\n12. `.client-12/mcp.json`\n\n| Server | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 |\n")
	assert.Contains(t, out, "` | ok | ok | ok | ok | ok | ok | ok | ok | ok | ok | ok | **differs** |\n")

	tooMany := sideBySide(40, "docs")
	for _, write := range []func(*bytes.Buffer, *view.View) error{asText, asMarkdown} {
		out := matrixOf(t, write, tooMany)
		assert.Contains(t, out, ".client-30/mcp.json")
		assert.NotContains(t, out, ".client-31/mcp.json")
		assert.Contains(t, out, "and 10 more files\n")
	}
}

// TestMatrixIsBounded: what does not fit on a page is counted, and servers that are in sync are
// left out first; notes are bounded, too.
func TestMatrixIsBounded(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprint("server-", i))
	}
	g := sideBySide(2, names...)
	for _, row := range g.Rows[:199] {
		row.Cells[1].State, row.Cells[1].Differences = mcp.InStep, nil
	}
	v := view.New(view.Run{Groups: []*mcp.Group{g, g}})
	out := markdownMatrices(v.Matrices(), 2000)
	assert.LessOrEqual(t, len(out), 2500)
	assert.Contains(t, out, "| `server-0` | ok | ok |\n")
	assert.Contains(t, out, "| `server-199` | ok | **differs** |\n")
	assert.NotContains(t, out, "server-198")
	assert.Contains(t, out, "more servers\n")
	assert.Contains(t, out, "\nand 1 more table\n")

	out = matrixOf(t, asText, sideBySide(2, names...))
	assert.Equal(t, maxMatrixNotes, strings.Count(out, " is not as in "))
	assert.True(t, strings.Contains(out, "\nand 150 more\n"))
	assert.True(t, strings.Contains(matrixOf(t, asMarkdown, sideBySide(2, names...)), "\n- and 150 more\n"))
}

// TestMatrixSaysNoMoreThanIsKnown: a server that was not compared in a file is neither in
// sync nor missing there.
func TestMatrixSaysNoMoreThanIsKnown(t *testing.T) {
	g := sideBySide(3, "docs")
	g.Rows[0].Cells = g.Rows[0].Cells[:1]
	out := matrixOf(t, asText, g)
	assert.Regexp(t, `\ndocs +ok +\? +\?\n`, out)
	assert.Contains(t, out, "\n?   not compared: too many servers are missing\n")
	assert.Equal(t, noMatrix+"\n", matrixOf(t, asText))
	assert.Equal(t, noMatrix+"\n", matrixOf(t, asMarkdown))
}
