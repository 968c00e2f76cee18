//go:build oracle

// Package jsonc_test compares the JSON scanner with jsonc-parser, the parser of
// VS Code, on random documents.
package jsonc_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const documents = 2_000

func TestSpansAgreeWithJSONCParser(t *testing.T) {
	writer := &writer{rand: rand.New(rand.NewPCG(1, 2))}
	texts := make([]string, documents)
	for i := range texts {
		texts[i] = writer.document()
	}
	showVariety(t, texts)
	for i, want := range oracle(t, texts) {
		tree, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(texts[i])))
		require.NoError(t, err, "%q", texts[i])
		var got []string
		flatten(t, tree.Root, []any{}, &got)
		require.Equal(t, want, got, "%q", texts[i])
	}
}

// Both refuse the same documents with a character dropped, doubled, or replaced.
func TestErrorsAgreeWithJSONCParser(t *testing.T) {
	writer := &writer{rand: rand.New(rand.NewPCG(3, 4))}
	texts := make([]string, documents)
	for i := range texts {
		texts[i] = writer.broken(writer.document())
	}
	refused := 0
	for i, want := range oracle(t, texts) {
		_, err := syntax.ParseJSON(syntax.NewFile("a.json", []byte(texts[i])))
		if want == nil {
			refused++
			require.Error(t, err, "%q", texts[i])
			continue
		}
		require.NoError(t, err, "%q", texts[i])
	}
	assert.Greater(t, refused, documents/4)
	assert.Less(t, refused, documents)
}

// showVariety fails if the documents do not contain the constructs to compare.
func showVariety(t *testing.T, texts []string) {
	t.Helper()
	all := strings.Join(texts, "\n")
	for _, want := range []string{"\r\n", "//", "/*", "\\u", "\\n", "名", "🔌", "\ufeff", "{}", "[]", "e+"} {
		assert.Contains(t, all, want)
	}
	assert.Regexp(t, `,\s*[}\]]`, all, "trailing commas")
}

// oracle returns what jsonc-parser finds in each text, a line per value in the
// form of flatten, or nil if it refuses the text.
func oracle(t *testing.T, texts []string) [][]string {
	t.Helper()
	var input bytes.Buffer
	encoder := json.NewEncoder(&input)
	for _, text := range texts {
		require.NoError(t, encoder.Encode(map[string]string{"text": text}))
	}
	command := exec.Command("node", "oracle.js")
	command.Stdin, command.Stderr = &input, os.Stderr
	output, err := command.Output()
	require.NoError(t, err)

	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	require.Len(t, lines, len(texts))
	found := make([][]string, len(texts))
	for i, line := range lines {
		if strings.HasPrefix(line, "{") {
			continue // {"errors": …}
		}
		var rows []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(line), &rows), line)
		for _, row := range rows {
			found[i] = append(found[i], normal(t, row))
		}
	}
	return found
}

// normal converts JSON into the form that json.Marshal writes.
func normal(t *testing.T, row []byte) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(row, &value))
	written, err := json.Marshal(value)
	require.NoError(t, err)
	return string(written)
}

// flatten appends [path, keyOffset, keyLength, offset, length, type] of node and of all
// nodes below it.
func flatten(t *testing.T, node *syntax.Node, path []any, rows *[]string) {
	t.Helper()
	key := node.Key
	if key.IsZero() {
		key = syntax.Span{Start: -1, End: -1}
	}
	row, err := json.Marshal([]any{
		path, key.Start, key.End - key.Start, node.Value.Start, node.Value.End - node.Value.Start, node.Kind.String(),
	})
	require.NoError(t, err)
	*rows = append(*rows, string(row))
	for i, child := range node.Nodes {
		step := any(i)
		if node.Kind == syntax.Object {
			step = child.Name
		}
		flatten(t, child, append(slices.Clip(path), step), rows)
	}
}

// writer writes random documents.
type writer struct {
	rand *rand.Rand
	text strings.Builder
}

func (w *writer) document() string {
	w.text.Reset()
	if w.chance(20) {
		w.text.WriteString("\ufeff")
	}
	w.space()
	w.value(0)
	w.space()
	return w.text.String()
}

// chance is true once in n times.
func (w *writer) chance(n int) bool { return w.rand.IntN(n) == 0 }

func (w *writer) pick(from ...string) string { return from[w.rand.IntN(len(from))] }

func (w *writer) value(depth int) {
	kind := w.rand.IntN(8)
	switch {
	case depth == 0 && kind > 0, depth < 5 && kind < 2:
		w.container("{", "}", func() {
			w.string()
			w.space()
			w.text.WriteString(":")
			w.space()
			w.value(depth + 1)
		})
	case depth < 5 && kind < 4:
		w.container("[", "]", func() { w.value(depth + 1) })
	case kind < 6:
		w.string()
	case kind < 7:
		w.text.WriteString(w.pick("true", "false", "null"))
	default:
		w.text.WriteString(w.pick("", "-") + w.pick("0", "7", "120") + w.pick("", ".5", ".00") + w.pick("", "e1", "E-2", "e+03"))
	}
}

func (w *writer) container(opening, closing string, child func()) {
	w.text.WriteString(opening)
	count := w.rand.IntN(6)
	for i := range count {
		w.space()
		child()
		w.space()
		if i < count-1 || w.chance(3) {
			w.text.WriteString(",")
		}
	}
	if w.chance(2) {
		w.space()
	}
	w.text.WriteString(closing)
}

func (w *writer) string() {
	w.text.WriteString(`"`)
	for range w.rand.IntN(6) {
		w.text.WriteString(w.pick("a", "command", "-y", " ", "ä", "名前", "🔌", "e\u0301", "\u2028", "\u200d", "/*", "//", "{", "]", ",", ":", "'", "#",
			`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u00e4`, `\u540D`, `\ud83d\udd0c`, `\u0000`))
	}
	w.text.WriteString(`"`)
}

func (w *writer) space() {
	for range w.rand.IntN(3) {
		w.text.WriteString(w.pick(" ", "  ", "\t", "\n", "\r\n", "\r", "\n    ",
			"// a 名 \" { *"+w.pick("\n", "\r\n", "\r"), "//\n", "/* 🔌 \r\n // ] */", "/**/", "/***/"))
	}
}

// broken drops, doubles or replaces a character.
func (w *writer) broken(text string) string {
	characters := strings.Split(text, "")
	at := w.rand.IntN(len(characters))
	switch w.rand.IntN(3) {
	case 0:
		characters[at] = ""
	case 1:
		characters[at] += characters[at]
	case 2:
		characters[at] = w.pick(`"`, "'", `\`, "/", "*", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "t", "#", "\n", "\t", " ", "名")
	}
	return strings.Join(characters, "")
}
