package source_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestWriteInside: a path that the repository has chosen leads neither out of it nor into
// what git keeps.
func TestWriteInside(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".git"), 0o755))
	write := func(to io.Writer) error {
		_, err := io.WriteString(to, "x")
		return err
	}
	for _, path := range []string{".git/x", ".GIT/x", ".git", "sub/.git/x", "../x", "/x", "a/../../x", ".git./x", ".git /x", "git~1/x", `.git\x`, ".git::$INDEX_ALLOCATION/x"} {
		require.Error(t, source.WriteInside(root, path, write), path)
	}
	require.NoFileExists(t, filepath.Join(root, "..", "x"))
	require.NoError(t, source.WriteInside(root, ".github.json", write))
	require.FileExists(t, filepath.Join(root, ".github.json"))
}
