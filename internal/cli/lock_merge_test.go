package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// asProgram is the variable with which the program of the tests is mcplumb itself, for git to
// run.
const asProgram = "MCPLUMB_TESTS_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(context.Background(), cli.System()))
	}
	debug.SetGCPercent(400) // a sixth of the time of these tests would go into garbage collection
	os.Exit(m.Run())
}

// withDriver has git merge the lockfiles of a repository as docs/lock.md says.
func withDriver(t *testing.T, dir string) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	git(t, dir, "config", "merge.mcplumb.driver", asProgram+"=1 '"+program+"' lock --merge %O %A %B")
	write(t, dir, ".gitattributes", "mcplumb.lock merge=mcplumb\n")
}

// twoBranches makes a repository with the files of three commits: the base, and two branches
// with their changes, the second of which is checked out. It returns a function that merges
// the first into it.
func twoBranches(t *testing.T, dir string, base, ours, theirs map[string]string) (merge func() (output string, err error)) {
	t.Helper()
	git(t, dir, "init", "-q", "-b", "main")
	commit := func(files map[string]string) {
		for path, content := range files {
			write(t, dir, path, content)
		}
		code, stdout, stderr := run(t, dir, "lock")
		require.Equal(t, 0, code, stdout+stderr)
		commitAll(t, dir, "lock")
	}
	commit(base)
	git(t, dir, "checkout", "-q", "-b", "theirs")
	commit(theirs)
	git(t, dir, "checkout", "-q", "-b", "ours", "main")
	commit(ours)
	return func() (string, error) {
		cmd := exec.Command("git", "-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "merge", "-q", "theirs")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		output, err := cmd.CombinedOutput()
		return string(output), err
	}
}

// TestLockFilesMerge holds that git by itself merges two branches that take one server into
// files on either side of those that have it.
func TestLockFilesMerge(t *testing.T) {
	dir := t.TempDir()
	merge := twoBranches(t, dir, map[string]string{".mcp.json": servers("notes@1.0.0")},
		map[string]string{".cursor/mcp.json": servers("notes@1.0.0")}, map[string]string{".roo/mcp.json": servers("notes@1.0.0")})
	output, err := merge()
	require.NoError(t, err, output)
	require.Contains(t, read(t, dir, "mcplumb.lock"), "files = [\n  '.cursor/mcp.json',\n  '.mcp.json',\n  '.roo/mcp.json',\n]\n")
	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 0, code, stdout)
}

// TestLockMergeDriver holds that git merges with mcplumb what it cannot merge by itself, into
// a lock that is in sync.
func TestLockMergeDriver(t *testing.T) {
	for name, test := range map[string]struct{ base, ours, theirs map[string]string }{
		"one server into two adjacent files": {
			map[string]string{".cursor/mcp.json": servers("notes@1.0.0")},
			map[string]string{".mcp.json": servers("notes@1.0.0")}, map[string]string{".roo/mcp.json": servers("notes@1.0.0")},
		},
		"a new server into two files": {
			map[string]string{".cursor/mcp.json": servers("notes@1.0.0")},
			map[string]string{".mcp.json": servers("tidy@1.0.0")}, map[string]string{".roo/mcp.json": servers("tidy@1.0.0")},
		},
		"two adjacent servers": {
			map[string]string{".cursor/mcp.json": servers("notes@1.0.0")},
			map[string]string{".mcp.json": servers("oil@1.0.0")}, map[string]string{".roo/mcp.json": servers("pen@1.0.0")},
		},
		"a version raised, and the old one in one more file": { // which git merges into something wrong
			map[string]string{".mcp.json": servers("notes@1.0.0")},
			map[string]string{".mcp.json": servers("notes@1.1.0")}, map[string]string{".roo/mcp.json": servers("notes@1.0.0")},
		},
		"no lockfile before": {nil, map[string]string{".mcp.json": servers("oil@1.0.0")}, map[string]string{".roo/mcp.json": servers("pen@1.0.0")}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, isDriven := range []bool{false, true} {
				dir := t.TempDir()
				merge := twoBranches(t, dir, test.base, test.ours, test.theirs)
				if isDriven {
					withDriver(t, dir)
				}
				output, err := merge()
				code, stdout, _ := run(t, dir, "lock", "--check")
				if !isDriven {
					require.True(t, err != nil || code != 0, "git merges it by itself")
					continue
				}
				require.NoError(t, err, output)
				require.Equal(t, 0, code, stdout)
				merged := read(t, dir, "mcplumb.lock")
				run(t, dir, "lock")
				require.Equal(t, merged, read(t, dir, "mcplumb.lock"))
			}
		})
	}
}

// TestLockMergeConflict holds that what both sides have changed in different ways is left with
// the marks of a merge, and the rest is merged: git sees a conflict, and so does mcplumb lock.
func TestLockMergeConflict(t *testing.T) {
	side := func(name, hash string) string {
		return "\n[[server]]\nidentity = 'npm:" + name + "'\nnames = ['" + name + "']\nfiles = [\n  '.mcp.json',\n]\nversion = '1.0.0'\nintegrity = '" + hash + "'\n"
	}
	const head = "# What the MCP servers of this repository are. mcplumb lock writes this file: do not edit it.\nversion = 1\n"
	both := servers("notes@1.0.0", "oil@1.0.0", "pen@1.0.0")
	dir := t.TempDir()
	merge := twoBranches(t, dir, map[string]string{".mcp.json": both, "mcplumb.lock": head},
		map[string]string{"mcplumb.lock": head + side("notes", publishedSHA512) + side("oil", publishedSHA512)},
		map[string]string{"mcplumb.lock": head + side("notes", otherSHA512) + side("pen", otherSHA512)})
	withDriver(t, dir)
	output, err := merge()
	require.Error(t, err)
	require.Contains(t, output, "mcplumb: mcplumb.lock: npm:notes 1.0.0: the two sides have different hashes of it\n")
	require.Contains(t, output, "CONFLICT")
	conflicted := head + "\n<<<<<<< ours\n" + side("notes", publishedSHA512)[1:] + "=======\n" + side("notes", otherSHA512)[1:] + ">>>>>>> theirs\n" + side("oil", publishedSHA512) + side("pen", otherSHA512)
	require.Equal(t, conflicted, read(t, dir, "mcplumb.lock"))
	code, _, stderr := run(t, dir, "lock")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "its two sides have different hashes of npm:notes 1.0.0: find out which is right, and keep that one\n")
	// After a decision, the lock is in sync.
	write(t, dir, "mcplumb.lock", head+side("notes", publishedSHA512)+side("oil", publishedSHA512)+side("pen", otherSHA512))
	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 0, code, stdout)
}

// TestLockMergeRefuses holds that what cannot be read is not merged: our file stays as it is,
// and git gets an error.
func TestLockMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	own := ownLock("npm:tidy", "integrity = '"+publishedSHA512+"'")
	for name, content := range map[string]string{"own": own, "broken": "version = [", "newer": "version = 2\n", "marked": "version = 1\n<<<<<<< a\n" + strings.TrimPrefix(own, "version = 1\n") + "=======\n>>>>>>> b\n", "empty": ""} {
		write(t, dir, name, content)
	}
	for _, test := range []struct {
		files []string
		code  int
		want  string
	}{
		{[]string{"own", "own", "broken"}, 3, "mcplumb.lock was not merged, and our side is unchanged: their side: mcplumb.lock:1: mcplumb has not written this"},
		{[]string{"own", "broken", "own"}, 3, "our side: mcplumb.lock:1: mcplumb has not written this"},
		{[]string{"own", "own", "newer"}, 3, "their side: mcplumb.lock has the version 2, and this mcplumb reads 1"},
		{[]string{"broken", "own", "own"}, 3, "the ancestor: mcplumb.lock:1: mcplumb has not written this"},
		{[]string{"own", "own", "empty"}, 3, "their side: mcplumb.lock: mcplumb has not written this (it has no version)"},
		{[]string{"own", "marked", "own"}, 3, "our side: mcplumb.lock:2: mcplumb has not written this"},
		{[]string{"own", "own", "gone"}, 3, "their side: no such file or directory"},
		{[]string{"own", "own"}, 2, "accepts 3 arg(s), received 2"},
		{[]string{"own", "own", "own", "--online"}, 2, "--merge merges three files and reads nothing else: leave out the other flags"},
		{[]string{"empty", "own", "own"}, 0, ""},
		{[]string{"marked", "own", "own"}, 0, ""}, // the ancestors of two branches that were merged before
	} {
		before := read(t, dir, test.files[1])
		code, stdout, stderr := run(t, dir, append([]string{"lock", "--merge"}, test.files...)...)
		require.Equal(t, test.code, code, stderr)
		require.Empty(t, stdout)
		require.Contains(t, stderr, test.want)
		if code != 0 {
			require.Equal(t, before, read(t, dir, test.files[1]))
		}
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, entries, 5, "no temporary file is left: %s", strings.Join(entries, " "))
}
