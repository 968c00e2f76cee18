//go:build unix

package source_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestSilentGit checks that mcplumb ends a git that a hostile ignore file keeps busy, still
// lists what git tracks and what a walk finds, and reports this. This git hangs as soon as
// ignore files matter.
func TestSilentGit(t *testing.T) {
	root := onDisk(t, map[string]string{"tracked/settings.json": "", ".gitignore": "tracked/\nignored/\n", "ignored/settings.json": "", "new/settings.json": ""})
	program := filepath.Join(t.TempDir(), "git")
	put(t, filepath.Dir(program), "git", "#!/bin/sh\ncase \"$*\" in\n*--others*) exec sleep 100;;\n*ls-files*) printf 'tracked/settings.json\\0';;\nesac\n")
	require.NoError(t, os.Chmod(program, 0o755))
	tree := source.Disk(root, source.Git{Program: program, Environ: os.Environ(), IdleTimeout: time.Second})
	listing, err := tree.List(t.Context(), []string{""}, wanted)
	require.NoError(t, err)
	assert.Equal(t, []string{"new/settings.json", "tracked/settings.json"}, listing.Paths)
	require.Len(t, listing.Errors, 1)
	assert.Contains(t, listing.Errors[0].Message, "git did not finish listing the files")
}

// TestSilentGitOfARevision checks that no call of git waits forever.
func TestSilentGitOfARevision(t *testing.T) {
	program := filepath.Join(t.TempDir(), "git")
	put(t, filepath.Dir(program), "git", "#!/bin/sh\nexec sleep 100\n")
	require.NoError(t, os.Chmod(program, 0o755))
	slow := source.Git{Program: program, Environ: os.Environ(), IdleTimeout: 100 * time.Millisecond}
	_, err := source.Revision(t.Context(), t.TempDir(), "HEAD", slow)
	assert.ErrorContains(t, err, "git was silent for too long")
	_, err = slow.Changed(t.Context(), t.TempDir())
	assert.ErrorContains(t, err, "git was silent for too long")
	_, err = slow.Head(t.Context(), t.TempDir())
	assert.ErrorContains(t, err, "git was silent for too long")
}

// TestPipes checks that nothing waits for a pipe: not for one in place of a file, nor for one
// in place of an ignore file, for which git waits forever.
func TestPipes(t *testing.T) {
	root := onDisk(t, map[string]string{"settings.json": "", "pipe/x": ""})
	commit(t, root)
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe", "settings.json"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, ".gitignore"), 0o600))
	git := systemGit(t)
	git.IdleTimeout = time.Second
	for name, tree := range map[string]source.Tree{"git": source.Disk(root, git), "walk": source.Disk(root, source.Git{})} {
		listing, err := tree.List(t.Context(), []string{""}, wanted)
		require.NoError(t, err)
		assert.Equal(t, []string{"pipe/settings.json", "settings.json"}, listing.Paths, name)
		_, err = tree.Read(t.Context(), "pipe/settings.json")
		assert.EqualError(t, err, "is not a regular file", name)
	}
}

// TestUnreadableDirectory checks that an unreadable directory is reported in the same words
// with and without git. Root can read everything, so root runs this test as another user.
func TestUnreadableDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		runAsNobody(t)
		return
	}
	root := onDisk(t, map[string]string{"settings.json": "", "a/b/settings.json": ""})
	git(t, root, "init", "-q")
	require.NoError(t, os.Chmod(filepath.Join(root, "a", "b"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "a", "b"), 0o755) })
	for name, tree := range map[string]source.Tree{"git": source.Disk(root, systemGit(t)), "walk": source.Disk(root, source.Git{})} {
		listing, err := tree.List(t.Context(), []string{""}, wanted)
		require.NoError(t, err)
		assert.Equal(t, []string{"settings.json"}, listing.Paths, name)
		assert.Equal(t, []source.FileError{{Path: "a/b", Message: "cannot be read: permission denied"}}, listing.Errors, name)
	}
}

// runAsNobody runs the test in a process of a user who may do nothing, from a copy of
// the test binary that this user may read.
func runAsNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("", "mcplumb-nobody-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	own, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(own)
	require.NoError(t, err)
	binary, home := filepath.Join(dir, "source.test"), filepath.Join(dir, "home")
	require.NoError(t, os.WriteFile(binary, program, 0o755))
	require.NoError(t, os.Mkdir(home, 0o700))
	require.NoError(t, os.Chown(home, nobody, nobody))
	child := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$", "-test.v")
	child.Dir, child.Env = home, append(os.Environ(), "HOME="+home, "TMPDIR="+home)
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// TestWarningsOfGit checks the same with a program that warns as git does, for when the tests
// run as root. Warnings that leave out no file are not reported.
func TestWarningsOfGit(t *testing.T) {
	program := filepath.Join(t.TempDir(), "git")
	put(t, filepath.Dir(program), "git", "#!/bin/sh\nprintf 'settings.json\\0'\necho \"warning: could not open directory 'a/b/': Permission denied\" >&2\necho \"warning: unable to access '.gitattributes': Too many levels of symbolic links\" >&2\n")
	require.NoError(t, os.Chmod(program, 0o755))
	listing, err := source.Disk(t.TempDir(), source.Git{Program: program, Environ: os.Environ()}).List(t.Context(), []string{""}, wanted)
	require.NoError(t, err)
	assert.Equal(t, []source.FileError{{Path: "a/b", Message: "cannot be read: permission denied"}}, listing.Errors)
}

// TestLargeIgnoreFiles checks that the walk reads ignore files only up to a limit, and reports
// this; files that the rest would ignore are then listed.
func TestLargeIgnoreFiles(t *testing.T) {
	root := onDisk(t, map[string]string{
		".gitignore": strings.Repeat("x", 150_000) + "\n", "a/.gitignore": strings.Repeat("y\n", 50_000) + "b\n",
		"a/b/settings.json": "", "a/c/.gitignore": "settings.json\n", "a/c/settings.json": "",
	})
	listing, err := source.Disk(root, source.Git{}).List(t.Context(), []string{""}, wanted)
	require.NoError(t, err)
	assert.Equal(t, []string{"a/b/settings.json"}, listing.Paths)
	assert.Equal(t, []source.FileError{{Path: "a/.gitignore", Message: "was not read: the ignore files up to here have more than 200 kB"}}, listing.Errors)
}

// TestBaseAsksGitLittle holds that the base of a change is known after two calls of
// git: each costs as much as checking a hundred files.
func TestBaseAsksGitLittle(t *testing.T) {
	root := onDisk(t, map[string]string{".mcp.json": "{}"})
	commit(t, root)
	head := git(t, root, "rev-parse", "HEAD")
	program, calls := filepath.Join(t.TempDir(), "git"), filepath.Join(t.TempDir(), "calls")
	put(t, filepath.Dir(program), "git", "#!/bin/sh\necho >>'"+calls+"'\nexec '"+systemGit(t).Program+"' \"$@\"\n")
	require.NoError(t, os.Chmod(program, 0o755))
	counted := systemGit(t)
	counted.Program = program

	base, isShared, err := counted.Base(t.Context(), root, "HEAD", "main")
	require.NoError(t, err)
	assert.True(t, isShared)
	assert.Equal(t, head, base)
	tree, err := source.Revision(t.Context(), root, base, counted)
	require.NoError(t, err)
	defer tree.Close()
	asked, err := os.ReadFile(calls)
	require.NoError(t, err)
	assert.Len(t, string(asked), 2)
}
