package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestRemember checks that a file is read once, by any of its names, until it is forgotten.
func TestRemember(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write := func(content string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte(content), 0o644))
	}
	write("1")
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "b")))
	tree := source.Remember(source.Disk(dir, source.Git{}))
	read := func(name string) string {
		file, err := tree.Read(t.Context(), name)
		require.NoError(t, err)
		return string(file.Content)
	}
	assert.Equal(t, "11", read("a")+read("b"))
	write("2")
	assert.Equal(t, "11", read("a")+read("b"))
	tree.Forget("a")
	assert.Equal(t, "22", read("a")+read("b"))
	_, err = tree.Stat(t.Context(), "c")
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), nil, 0o644))
	_, err = tree.Stat(t.Context(), "c")
	require.Error(t, err)
	tree.Forget("c")
	_, err = tree.Stat(t.Context(), "c")
	require.NoError(t, err)
}
