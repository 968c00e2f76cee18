package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestRevisionOfAnyName reads files whose names are no text, or that git quotes where it is
// not configured otherwise, as they are read on disk. Other systems have no such names.
func TestRevisionOfAnyName(t *testing.T) {
	texts := map[string]string{}
	for _, dir := range []string{"latin\xe9", "\xff\xfe", "new\nline", "tab\tx", `quote"x`, `back\x`, "ends with \n"} {
		texts[dir+"/.mcp.json"] = dir
	}
	texts["unrelated\xff"] = "x"
	root := t.TempDir()
	for p, text := range texts {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, p), []byte(text), 0o644))
	}
	git(t, root, "init", "-q", "-b", "main")
	commit(t, root)
	require.NoError(t, os.Symlink("latin\xe9", filepath.Join(root, "link")))
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "a link to such a name")
	delete(texts, "unrelated\xff")
	read := revision(t, root, "HEAD")
	assert.Equal(t, texts, all(t, read))
	assert.Equal(t, texts, all(t, source.Disk(root, systemGit(t))))
	file, err := read.Read(t.Context(), "link/.mcp.json")
	require.NoError(t, err)
	assert.Equal(t, source.File{Real: "latin\xe9/.mcp.json", Content: []byte("latin\xe9")}, file)
	compared := source.Compare(source.Disk(root, systemGit(t)), read)
	_, err = compared.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	_ = all(t, compared)
	assert.Empty(t, compared.Changed())
}
