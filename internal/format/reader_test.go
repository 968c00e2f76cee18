package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestDocumentsHoldNothingOfTheTree reads every sample twice: with a reader of its
// own, and with one for all that overwrites each tree as soon as its document is
// made, as the next file would. A document that keeps a node is then another one.
func TestDocumentsHoldNothingOfTheTree(t *testing.T) {
	ix := NewIndex(All())
	spoilt := 0
	reader := Reader{spoil: func(tree *syntax.Tree) {
		spoilt++
		spoil(tree.Root)
		for _, root := range tree.Rest {
			spoil(root)
		}
		for _, d := range tree.Duplicates {
			spoil(d.First)
			spoil(d.Again)
		}
	}}
	for path, content := range sampleFiles(t) {
		match, known := ix.Lookup(path)
		if !known {
			match = ix.Named(path)
		}
		want, err := Read(syntax.NewFile(path, content), match)
		require.NoError(t, err, path)
		got, err := reader.Read(syntax.NewFile(path, content), match)
		require.NoError(t, err, path)
		assert.True(t, reflect.DeepEqual(want, got), path)
	}
	assert.Greater(t, spoilt, 60)
}

// spoil overwrites a node and everything below it.
func spoil(n *syntax.Node) {
	if n == nil {
		return
	}
	for i, child := range n.Nodes {
		spoil(child)
		n.Nodes[i] = nil
	}
	*n = syntax.Node{
		Kind: syntax.Bool, Key: syntax.Span{Start: -1, End: -1}, Value: syntax.Span{Start: -1, End: -1},
		Name: "spoilt", Text: "spoilt",
	}
}

// sampleFiles returns the samples of all formats and of the systems by the path
// they are read at, so far as they parse.
func sampleFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(t, err)
		files[s.path] = content
	}
	systems := filepath.Join(testdata, "..", "systems")
	require.NoError(t, filepath.WalkDir(systems, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) == ".md" || filepath.Ext(file) == ".txt" {
			return err
		}
		path, _ := filepath.Rel(systems, file)
		files[filepath.ToSlash(path)], err = os.ReadFile(file)
		return err
	}))
	return files
}
