package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestSwappedDirectory holds that a directory which becomes a link out of the tree after it
// was checked leads nowhere.
func TestSwappedDirectory(t *testing.T) {
	dir := onDisk(t, map[string]string{"root/a/x.json": "inside", "root/a/y.json": "inside", "outside/y.json": "outside"})
	root := filepath.Join(dir, "root")
	tree := source.Disk(root, source.Git{})
	_, err := tree.Read(t.Context(), "a/x.json")
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(root, "a"), filepath.Join(root, "b")))
	links(t, root, map[string]string{"a": "../outside"})
	file, err := tree.Read(t.Context(), "a/y.json")
	require.Error(t, err, "%s", file.Content)
	assert.Empty(t, file.Content)
}

// TestMovedDirectory holds that a directory which becomes a link within the tree after it was
// checked is still read: the files stayed readable.
func TestMovedDirectory(t *testing.T) {
	root := onDisk(t, map[string]string{"a/x.json": "first", "a/y.json": "second"})
	tree := source.Disk(root, source.Git{})
	_, err := tree.Read(t.Context(), "a/x.json")
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(root, "a"), filepath.Join(root, "b")))
	links(t, root, map[string]string{"a": "b"})
	file, err := tree.Read(t.Context(), "a/y.json")
	require.NoError(t, err)
	assert.Equal(t, "second", string(file.Content))
}
