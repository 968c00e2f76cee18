package cli_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// epoch is the day of all tests.
var epoch = time.Unix(0, 0)

// TestCache asks no registry twice about a package, where a directory for its answers is
// named, and says what it finds there and cannot use.
func TestCache(t *testing.T) {
	r := newPublishers(t)
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "answers")
	write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512))
	write(t, dir, ".mcplumb.yaml", r.settings())
	check := func(more ...string) (asked int, stdout, stderr string) {
		r.asked = 0
		_, stdout, stderr = run(t, dir, append([]string{"check", "--online", "--cache", cache}, more...)...)
		return r.asked - 1, stdout, stderr // one is OSV's
	}
	asked, first, _ := check()
	require.Equal(t, 1, asked)
	require.Contains(t, first, "[integrity-changed]")
	info, err := os.Stat(cache)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	asked, again, stderr := check("-v")
	require.Zero(t, asked)
	require.Equal(t, first, again)
	require.NotContains(t, stderr, "cache ")
	code, _, _ := run(t, dir, "lock", "--online", "--cache", cache)
	require.Equal(t, 0, code)
	require.Contains(t, read(t, dir, "mcplumb.lock"), publishedSHA512)

	files, err := filepath.Glob(filepath.Join(cache, "mcplumb-*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.WriteFile(files[0], []byte("no JSON"), 0o600))
	asked, again, stderr = check("-v")
	require.Equal(t, 1, asked)
	require.Contains(t, again, "[integrity-changed]")
	require.Contains(t, stderr, "cache        the stored answer of tidy is not used, and fetched again: the file is not one that mcplumb wrote\n")

	// What is too old is removed, and nothing else.
	require.NoError(t, os.Chtimes(files[0], epoch, epoch.AddDate(0, 0, -2)))
	write(t, cache, "mcplumb-notes.txt", "mine")
	require.NoError(t, os.Chtimes(filepath.Join(cache, "mcplumb-notes.txt"), epoch, epoch.AddDate(0, 0, -2)))
	asked, _, stderr = check("-v")
	require.Equal(t, 1, asked)
	require.NotContains(t, stderr, "cache ")
	require.Equal(t, "mine", read(t, cache, "mcplumb-notes.txt"))
}

// TestCacheRefuses checks that no one who can write to the repository can supply answers, and
// that a cache is accepted only where there is something to keep.
func TestCacheRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	outside := t.TempDir()
	require.NoError(t, os.Symlink(dir, filepath.Join(outside, "link")))
	write(t, outside, "file", "")
	for cache, want := range map[string]string{
		"answers":                        "--cache answers: use a directory outside of the repository, since mcplumb trusts its contents",
		filepath.Join(outside, "link/a"): "use a directory outside of the repository",
		filepath.Join(outside, "file"):   "file: not a directory",
		"":                               "the value is empty",
	} {
		code, _, stderr := run(t, dir, "check", "--online", "--cache", cache)
		require.Equal(t, 2, code, cache)
		require.Contains(t, stderr, want)
	}
	for _, command := range []string{"check", "lock"} {
		code, _, stderr := run(t, dir, command, "--cache", outside)
		require.Equal(t, 2, code)
		require.Contains(t, stderr, "--cache stores answers of registries, so it needs --online")
	}
}
