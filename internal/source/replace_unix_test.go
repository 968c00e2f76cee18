//go:build unix

package source_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestReplaceReadOnly checks that read-only files stay as they are. Root can write everything,
// so root runs this test as another user.
func TestReplaceReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		runAsNobody(t)
		return
	}
	root := onDisk(t, map[string]string{"a.json": "old", "dir/b.json": "old", "c.json": "old"})
	require.NoError(t, os.Chmod(filepath.Join(root, "a.json"), 0o444))
	require.NoError(t, os.Chmod(filepath.Join(root, "dir"), 0o555))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "dir"), 0o755) })
	var files []source.Replacement
	for _, name := range []string{"a.json", "dir/b.json", "c.json"} {
		files = append(files, source.Replacement{Path: name, Old: []byte("old"), New: []byte("new")})
	}
	assert.Equal(t, []source.FileError{
		{Path: "a.json", Message: "was not written: permission denied"}, {Path: "dir/b.json", Message: "was not written: permission denied"},
	}, source.Replace(t.Context(), root, files))
	assert.Equal(t, "old old new", strings.Join([]string{content(t, root, "a.json"), content(t, root, "dir/b.json"), content(t, root, "c.json")}, " "))
}

// childRoot is the variable with the tree that a process of this test writes.
const childRoot = "MCPLUMB_TEST_ROOT"

// child runs this test again in a process of its own.
func child(t *testing.T, root string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childRoot+"="+root)
	return cmd
}

// TestReplaceOnFullDisk holds that a file which does not fit stays as it was, and
// that the others are written. The disk of this process has room for files of 1,000
// bytes.
func TestReplaceOnFullDisk(t *testing.T) {
	root := os.Getenv(childRoot)
	if root == "" {
		root = onDisk(t, map[string]string{"a.json": "old", "b.json": "old"})
		out, err := child(t, root).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: "+t.Name())
		assert.Equal(t, []string{"a.json", "b.json"}, names(t, root))
		return
	}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1_000, Max: 1_000}))
	assert.Equal(t, []source.FileError{{Path: "a.json", Message: "was not written: file too large"}}, source.Replace(t.Context(), root, []source.Replacement{
		{Path: "a.json", Old: []byte("old"), New: make([]byte, 2_000)}, {Path: "b.json", Old: []byte("old"), New: []byte("new")},
	}))
	assert.Equal(t, "old", content(t, root, "a.json"))
	assert.Equal(t, "new", content(t, root, "b.json"))
}

// TestKilledWhileReplacing kills a process at random moments while it writes: every
// file is whole, and the next run leaves nothing of it. MCPLUMB_TEST_KILLS says how
// often.
func TestKilledWhileReplacing(t *testing.T) {
	const many = 50
	old, new := strings.Repeat("old\n", 5_000), strings.Repeat("new\n", 5_000)
	if root := os.Getenv(childRoot); root != "" {
		for i := range many {
			fmt.Println("begin", i)
			file := source.Replacement{Path: fmt.Sprintf("%d.json", i), Old: []byte(old), New: []byte(new)}
			assert.Empty(t, source.Replace(t.Context(), root, []source.Replacement{file}))
		}
		return
	}
	kills, err := strconv.Atoi(os.Getenv("MCPLUMB_TEST_KILLS"))
	if err != nil {
		kills = 5
	}
	files, leftovers := map[string]string{}, 0
	for i := range many {
		files[fmt.Sprintf("%d.json", i)] = old
	}
	for range kills {
		root := onDisk(t, files)
		cmd := child(t, root)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for n := rand.IntN(many); n >= 0 && lines.Scan(); n-- {
		}
		for range rand.IntN(20_000) { // a random moment of one of the files
		}
		require.NoError(t, cmd.Process.Kill())
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		leftovers += len(names(t, root)) - many
		source.RemoveLeftovers(root, []string{""})
		require.Len(t, names(t, root), many)
		for name := range files {
			if text := content(t, root, name); text != old {
				require.Equal(t, new, text, name)
			}
		}
		require.NoError(t, os.RemoveAll(root))
	}
	t.Logf("%d temporary files were left by %d processes", leftovers, kills)
}
