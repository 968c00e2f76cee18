package syntax_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
)

// writer writes a random document, and notes where everything in it is.
type writer struct {
	random   *rand.Rand
	text     strings.Builder
	newline  string
	comments []syntax.Span
	names    int
}

func newWriter(seed uint64, newlines ...string) *writer {
	w := &writer{random: rand.New(rand.NewPCG(seed, 1))}
	w.newline = newlines[w.random.IntN(len(newlines))]
	return w
}

func (w *writer) at() int { return w.text.Len() }

// put writes a text and returns where it is.
func (w *writer) put(text string) syntax.Span {
	start := w.at()
	w.text.WriteString(text)
	return syntax.Span{Start: start, End: w.at()}
}

// one returns a random number below n.
func (w *writer) one(n int) int { return w.random.IntN(n) }

// chance reports true once in n times.
func (w *writer) chance(n int) bool { return w.one(n) == 0 }

func (w *writer) pick(texts ...string) string { return texts[w.one(len(texts))] }

// blanks writes up to n spaces or tabs.
func (w *writer) blanks(n int) {
	for range w.one(n + 1) {
		w.put(w.pick(" ", " ", "\t"))
	}
}

// comment writes a comment up to the end of the line.
func (w *writer) comment() {
	w.comments = append(w.comments, w.put("#"+w.pick("", " ", " a: [b # \"c' größe 名前 🔌", " \\\t]}", "!")))
}

// name returns a word that no other call returns.
func (w *writer) name() string {
	w.names++
	return fmt.Sprintf("%s%d", w.pick("k", "key-", "größe", "名前", "K_"), w.names)
}

// content returns the content of a string.
func (w *writer) content() string {
	var b strings.Builder
	for range w.one(8) {
		b.WriteString(w.pick("a", "b c", "-y", "größe", "名前", "🔌", `"`, "'", `\`, "#", " # ", ": ", ",", "[", "}", "{", "]", "=", "%", "\t", "@acme/x@1.2.3", "https://h:80/p?q=${A}#f"))
	}
	return b.String()
}

// requireNode checks a node, and all below it, against what was written.
func requireNode(t *testing.T, text string, want, got *syntax.Node) {
	t.Helper()
	require.NotNil(t, got)
	about := func(n *syntax.Node) string {
		return fmt.Sprintf("%s, shared %v, %q: %q in %q", n.Kind, n.Shared, cut(text, n.Key), n.Text, cut(text, n.Value))
	}
	isSame := want.Kind == got.Kind && want.Name == got.Name && want.Text == got.Text && want.Shared == got.Shared &&
		want.Key == got.Key && want.Value == got.Value && len(want.Nodes) == len(got.Nodes)
	if !isSame {
		t.Fatalf("want %s\n got %s\n%s", about(want), about(got), text)
	}
	for i := range want.Nodes {
		requireNode(t, text, want.Nodes[i], got.Nodes[i])
	}
}
