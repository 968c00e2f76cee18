package lsp

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// samples calls do with every sample of a file in one of the syntaxes that parses.
func samples(t testing.TB, do func(n notation, file *syntax.File, root *syntax.Node)) {
	parse := map[string]func(*syntax.File) (*syntax.Tree, error){".json": syntax.ParseJSON, ".toml": syntax.ParseTOML, ".yaml": syntax.ParseYAML, ".yml": syntax.ParseYAML}
	notations := map[string]notation{".toml": inTOML, ".yaml": inYAML, ".yml": inYAML}
	require.NoError(t, filepath.WalkDir("../../testdata/formats", func(path string, d fs.DirEntry, err error) error {
		if err != nil || parse[filepath.Ext(path)] == nil {
			return err
		}
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		file := syntax.NewFile(path, content)
		if tree, err := parse[filepath.Ext(path)](file); err == nil && tree.Root != nil && len(tree.Rest) == 0 {
			do(notations[filepath.Ext(path)], file, tree.Root)
		}
		return nil
	}))
}

// eachMember calls do with every member, and the keys to the object that it is in.
func eachMember(n *syntax.Node, keys []string, do func(m *syntax.Node, keys []string)) {
	for _, m := range n.Nodes {
		if n.Kind == syntax.Object {
			do(m, keys)
		}
		eachMember(m, append(slices.Clip(keys), m.Name), do)
	}
}

// TestCursorAgreesWithParser checks in every sample that the cursor on a key, and on a value, is in
// the object that the parser finds it in, even if the text ends there.
func TestCursorAgreesWithParser(t *testing.T) {
	count := map[notation]int{}
	samples(t, func(n notation, file *syntax.File, root *syntax.Node) {
		text := file.Text()
		eachMember(root, nil, func(m *syntax.Node, keys []string) {
			key := strings.Trim(text[m.Key.Start:m.Key.End], `"'`)
			if key != m.Name || strings.ContainsAny(key, "\\\n<") {
				return
			}
			count[n]++
			at := m.Key.Start + 1
			for what, text := range map[string]string{"whole": text, "up to there": text[:at]} {
				c := n.cursor(text, at)
				if assert.NotNil(t, c, "%s: %s, key %s", file.Path, what, key) {
					assert.True(t, c.isKey, "%s: %s, key %s", file.Path, what, key)
					assert.Equal(t, keys, c.keys, "%s: %s, key %s", file.Path, what, key)
				}
			}
			written := text[m.Value.Start:m.Value.End]
			if m.Kind == syntax.Array || m.Kind == syntax.Object || written == "" || m.Value.Start < m.Key.End || strings.ContainsAny(written, "\n") || strings.HasPrefix(written, `"""`) {
				return
			}
			at = m.Value.Start
			for what, text := range map[string]string{"whole": text, "up to there": text[:at]} {
				c := n.cursor(text, at)
				if assert.NotNil(t, c, "%s: %s, value of %s", file.Path, what, key) {
					assert.False(t, c.isKey, "%s: %s, value of %s", file.Path, what, key)
					assert.Equal(t, key, c.key, file.Path)
					assert.Equal(t, keys, c.keys, "%s: %s, value of %s", file.Path, what, key)
				}
			}
		})
	})
	for _, n := range []notation{inJSON, inTOML, inYAML} {
		assert.Greater(t, count[n], 100, n.file())
	}
}

// FuzzCursor checks that in any text a cursor has a word on one line, and is at that word.
func FuzzCursor(f *testing.F) {
	for _, text := range []string{`{"a": [{"b": "c"}, // d`, "[a.b]\nc = [\"d\", {e = 1}]\n[[f]]\n", "a:\n  - b: {c: [d, \"e\n  # f\n- |\n  g"} {
		f.Add(text, len(text)/2)
	}
	f.Add("{\"a\\\n\"b\"", 5) // an escape at the end of a line
	f.Add("\r\n", 1)          // within a line break
	f.Fuzz(func(t *testing.T, text string, at int) {
		if at < 0 || at > len(text) {
			return
		}
		for _, n := range []notation{inJSON, inTOML, inYAML} {
			holdCursor(t, n, text, at)
		}
	})
}

// TestCursorInBrokenTexts does so for samples with a part missing.
func TestCursorInBrokenTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	samples(t, func(n notation, file *syntax.File, _ *syntax.Node) {
		text := file.Text()
		for range 20 {
			start := random.IntN(len(text) + 1)
			end := min(start+random.IntN(40), len(text))
			holdCursor(t, n, text[:start]+text[end:], start)
			holdCursor(t, n, text[:start]+text[end:], random.IntN(len(text)-end+start+1))
		}
	})
}

func holdCursor(t *testing.T, n notation, text string, at int) {
	t.Helper()
	c := n.cursor(text, at)
	if c == nil {
		return
	}
	if c.word.Start > at || at > c.word.End || c.word.End > len(text) || strings.Contains(text[c.word.Start:c.word.End], "\n") {
		t.Errorf("%s: the word at %d is %v in %q", n.file(), at, c.word, text)
	}
	if c.isElement && len(c.keys) == 0 {
		t.Errorf("%s: an element of nothing at %d in %q", n.file(), at, text)
	}
}
