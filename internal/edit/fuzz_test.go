package edit_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// FuzzLower changes something in any document. Every change is made or refused; edits are in order
// and in the file, and result in a document that parses and has as many values as it should.
func FuzzLower(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "edit", "*.txtar"))
	require.NoError(f, err)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		language := map[string]byte{"json": 0, "jsonc": 0, "yaml": 1, "toml": 2}[strings.TrimSuffix(filepath.Base(path), ".txtar")]
		if strings.HasPrefix(filepath.Base(path), "front") {
			language = 3
		}
		for i := 0; i < len(archive.Files); i += 3 {
			f.Add(language, byte(i/3%6), uint16(i), archive.Files[i].Data, "a b")
			f.Add(language, byte((i/3+1)%6), uint16(i/2), bytes.ReplaceAll(archive.Files[i].Data, []byte("\n"), []byte("\r\n")), "x")
		}
	}
	names := []string{"a.json", "a.yaml", "a.toml", "a.md"}
	f.Fuzz(func(t *testing.T, language, op byte, index uint16, data []byte, name string) {
		file := syntax.NewFile(names[int(language)%len(names)], bytes.Clone(data))
		tree, err := parse(file)
		if err != nil || tree.Root == nil {
			return
		}
		nodes := allNodes(tree.Root)
		n := nodes[int(index)%len(nodes)]
		where := edit.Where{Place: edit.Place(index % 2)}
		change := map[byte]edit.Change{
			0: edit.Rename(file, n.Key, name),
			1: edit.Remove(file, spanOfNode(n)),
			2: edit.Replace(file, n.Value, edit.Object(edit.Member{Name: name, Value: edit.Strings(name, "-y")})),
			3: edit.Insert(file, spanOfNode(n), name, edit.String(name), where),
			4: edit.Append(file, spanOfNode(n), edit.Object(edit.Member{Name: name, Value: edit.Bool(true)}), where),
			5: edit.Rename(file, syntax.Span{Start: n.Value.Start + 1, End: n.Value.End - 1}, name),
		}[op%6]
		if edit.Validate([]edit.Change{change}) != nil {
			return
		}
		edits, err := edit.Lower([]edit.Change{change})
		if err != nil {
			return
		}
		end := 0
		for _, e := range edits {
			require.True(t, end <= e.Span.Start && e.Span.Start <= e.Span.End && e.Span.End <= len(data), "%v", edits)
			end = e.Span.End
		}
		after := syntax.NewFile(file.Path, edit.Apply(data, edits))
		_, err = parse(after)
		require.NoError(t, err, "%q\n=> %q", data, after.Bytes)
	})
}

func spanOfNode(n *syntax.Node) syntax.Span {
	if n.Key.IsZero() {
		return n.Value
	}
	return n.Key
}

// allNodes returns a node with all that it holds.
func allNodes(n *syntax.Node) []*syntax.Node {
	nodes := []*syntax.Node{n}
	for _, child := range n.Nodes {
		nodes = append(nodes, allNodes(child)...)
	}
	return nodes
}
