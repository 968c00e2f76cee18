package source_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

func isMCP(p string) bool { return strings.HasSuffix(p, "mcp.json") }

// TestRevisions reads several revisions of one repository: each shows its own files,
// independent of the work tree and the index.
func TestRevisions(t *testing.T) {
	root := onDisk(t, map[string]string{"a/.mcp.json": "first", "gone/.mcp.json": "x", ".gitattributes": "*.json text eol=crlf ident\n"})
	commit(t, root)
	git(t, root, "tag", "-a", "-m", "v1", "v1")
	put(t, root, "a/.mcp.json", "second\n$Id$\n")
	git(t, root, "rm", "-q", "-r", "gone")
	git(t, root, "commit", "-q", "-am", "change")
	put(t, root, "a/.mcp.json", "third, not committed")
	put(t, root, "new/.mcp.json", "not committed")
	git(t, root, "add", "-A")

	for rev, want := range map[string]map[string]string{
		"HEAD":   {"a/.mcp.json": "second\n$Id$\n"},
		"main":   {"a/.mcp.json": "second\n$Id$\n"},
		"HEAD^1": {"a/.mcp.json": "first", "gone/.mcp.json": "x"},
		"v1":     {"a/.mcp.json": "first", "gone/.mcp.json": "x"},
	} {
		assert.Equal(t, want, all(t, revision(t, root, rev)), rev)
	}
	for _, rev := range []string{"", "nothing", "HEAD:a", "HEAD:a/.mcp.json", "--all", "-h", "v1 HEAD", "HEAD..v1", "HEAD\n"} {
		_, err := source.Revision(t.Context(), root, rev, systemGit(t))
		assert.Error(t, err, rev)
	}
	_, err := source.Revision(t.Context(), t.TempDir(), "HEAD", systemGit(t))
	assert.ErrorContains(t, err, "git does not know the revision HEAD: fatal: not a git repository")
	_, err = source.Revision(t.Context(), root, "HEAD", source.Git{})
	assert.ErrorIs(t, err, source.ErrNoGit)
}

// all returns the MCP files of a tree.
func all(t *testing.T, tree source.Tree) map[string]string {
	t.Helper()
	listing, err := tree.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	require.Empty(t, listing.Errors)
	found := map[string]string{}
	for _, p := range listing.Paths {
		file, err := tree.Read(t.Context(), p)
		require.NoError(t, err, p)
		found[p] = string(file.Content)
	}
	return found
}

// TestRevisionStartsNoProgram holds that nothing a repository configures is run
// and no network reached, not even where objects are missing: every program that
// could be started would leave a file behind.
func TestRevisionStartsNoProgram(t *testing.T) {
	root := onDisk(t, map[string]string{
		".mcp.json": "kept", "missing/mcp.json": "missing", ".gitattributes": "* filter=x diff=x merge=x ident\n"})
	commit(t, root)
	missing := git(t, root, "rev-parse", "HEAD:missing/mcp.json")
	require.NoError(t, os.Remove(filepath.Join(root, ".git", "objects", missing[:2], missing[2:])))
	canary := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "script")
	put(t, filepath.Dir(script), "script", "#!/bin/sh\ntouch '"+canary+"'\n")
	require.NoError(t, os.Chmod(script, 0o755))
	settings := []string{
		"core.fsmonitor", "core.pager", "pager.cat-file", "pager.ls-tree", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass",
		"core.alternateRefsCommand", "credential.helper", "diff.external", "diff.x.textconv", "diff.x.command", "merge.x.driver",
		"filter.x.process", "filter.x.clean", "filter.x.smudge", "gpg.program", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
	}
	for _, key := range settings {
		git(t, root, "config", key, script)
	}
	for key, value := range map[string]string{
		"alias.cat-file": "!" + script, "alias.ls-tree": "!" + script, "alias.rev-parse": "!" + script, "core.hooksPath": filepath.Dir(script),
		"extensions.partialClone": "origin", "remote.origin.promisor": "true", "core.repositoryFormatVersion": "1", "protocol.allow": "always",
		"protocol.ext.allow": "always", "filter.x.required": "true",
	} {
		git(t, root, "config", key, value)
	}
	for _, hook := range []string{"post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman", "query-watchman"} {
		require.NoError(t, os.Symlink(script, filepath.Join(root, ".git", "hooks", hook)))
	}
	for _, url := range []string{"ext::" + script + " %S", "ssh://example.invalid/x", "file://" + root, "x::" + script} {
		git(t, root, "config", "remote.origin.url", url)
		tree := revision(t, root, "HEAD")
		for range 2 {
			_, err := tree.Read(t.Context(), "missing/mcp.json")
			assert.Error(t, err, url)
			file, err := tree.Read(t.Context(), ".mcp.json")
			require.NoError(t, err, url)
			assert.Equal(t, "kept", string(file.Content))
		}
		assert.NoFileExists(t, canary, url)
	}
}

// TestRevisionWithSubmodules holds that a submodule is left out, and that a link
// into one leads nowhere.
func TestRevisionWithSubmodules(t *testing.T) {
	root := onDisk(t, map[string]string{".mcp.json": "x", "sub/.mcp.json": "y"})
	commit(t, filepath.Join(root, "sub"))
	require.NoError(t, os.Symlink("sub/.mcp.json", filepath.Join(root, "mcp.json")))
	commit(t, root)
	tree := revision(t, root, "HEAD")
	listing, err := tree.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	assert.Equal(t, []string{".mcp.json", "mcp.json"}, listing.Paths)
	_, err = tree.Stat(t.Context(), "sub")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = tree.Read(t.Context(), "mcp.json")
	assert.EqualError(t, err, "is a link to a file that does not exist")
}

// TestPointer says that the content of a file is not in git, and takes no other text for
// that.
func TestPointer(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 12345\n"
	root := onDisk(t, map[string]string{".mcp.json": pointer, "notes": "version https://git-lfs.github.com/spec/v1 is what\na pointer begins with\n"})
	commit(t, root)
	for _, tree := range []source.Tree{source.Disk(root, systemGit(t)), revision(t, root, "HEAD")} {
		_, err := tree.Read(t.Context(), ".mcp.json")
		assert.EqualError(t, err, "is a pointer of Git LFS, and what it points to is not here")
		_, err = tree.Read(t.Context(), "notes")
		assert.NoError(t, err)
	}
}

// TestRevisionOfMany reads trees that are at many places, so that a few objects are more
// files, longer names or more bytes than there is room for.
func TestRevisionOfMany(t *testing.T) {
	root := onDisk(t, map[string]string{"d/.mcp.json": "0123456789"})
	commit(t, root)
	nest := func(tree, name string, names int) string {
		var of strings.Builder
		for i := range names {
			fmt.Fprintf(&of, "040000 tree %s\t%s%03d\n", tree, name, i)
		}
		cmd := exec.Command("git", "-C", root, "mktree")
		cmd.Stdin = strings.NewReader(of.String())
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	tree := git(t, root, "rev-parse", "HEAD:d")
	many := revision(t, root, nest(nest(tree, "d", 150), "d", 150))
	listing, err := many.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	assert.Len(t, listing.Paths, 20_000)
	assert.Equal(t, []source.FileError{{Message: "has more than 20000 files to check: 2500 were not read"}}, listing.Errors)

	held := many.(*source.Objects)
	held.Hold(25)
	for _, want := range []string{"", "", "was not read: the files to check have more than 0 MB"} {
		_, err = many.Read(t.Context(), "d000/d000/.mcp.json")
		assert.Equal(t, want, message(err))
	}
	assert.Empty(t, held.Lacking())
	_, err = many.Read(t.Context(), "d000/d000/.mcp.json")
	assert.NoError(t, err)

	deep := tree
	for range 17 {
		deep = nest(deep, strings.Repeat("d", 250), 1)
	}
	listing, err = revision(t, root, deep).List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	assert.Empty(t, listing.Paths, "no system opens a file of so long a name")
}

// TestRevisionOfTooManyFiles reads a commit of as many files as there may be, and none of one more.
func TestRevisionOfTooManyFiles(t *testing.T) {
	root := onDisk(t, map[string]string{"a": "", "b/a": "", "c/.mcp.json": "{}"})
	commit(t, root)
	limited := systemGit(t)
	limited.MaxFiles = 3
	tree, err := source.Revision(t.Context(), root, "HEAD", limited)
	require.NoError(t, err)
	t.Cleanup(tree.Close)
	listing, err := tree.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	assert.Equal(t, []string{"c/.mcp.json"}, listing.Paths)

	put(t, root, "d", "")
	commit(t, root)
	_, err = source.Revision(t.Context(), root, "HEAD", limited)
	assert.EqualError(t, err, "git cannot list the files of the revision HEAD: they are more than 3, or their names more than 256 MB")
	assert.Equal(t, 2_000_000, source.MaxFiles, "as docs/threat-model.md says")
}

// message returns what an error says, "" of none.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestHostileObjects reads a tree that git would not write: names that lead out
// of it, and a link that is no path at all.
func TestHostileObjects(t *testing.T) {
	root := onDisk(t, map[string]string{"x": strings.Repeat("a/", 3000) + "b"})
	commit(t, root)
	blob := git(t, root, "rev-parse", "HEAD:x")
	tree := filepath.Join(t.TempDir(), "tree")
	var content strings.Builder
	id := make([]byte, len(blob)/2)
	for i := range id {
		_, err := fmt.Sscanf(blob[2*i:2*i+2], "%02x", &id[i])
		require.NoError(t, err)
	}
	for _, entry := range []string{"100644 ../mcp.json", "100644 z/../mcp.json", "100644 .Git/mcp.json", "100644 a//mcp.json", "100644 mcp.json", "120000 a.mcp.json"} {
		content.WriteString(entry + "\x00" + string(id))
	}
	require.NoError(t, os.WriteFile(tree, []byte(content.String()), 0o644))
	hostile := git(t, root, "hash-object", "-t", "tree", "--literally", "-w", tree)

	read := revision(t, root, hostile)
	listing, err := read.List(t.Context(), []string{""}, source.Want{File: isMCP})
	require.NoError(t, err)
	assert.Equal(t, []string{"a.mcp.json", "mcp.json"}, listing.Paths)
	assert.Equal(t, []source.FileError{
		{Path: "../mcp.json", Message: "has a name that git checks out nowhere"},
		{Path: "z/../mcp.json", Message: "has a name that git checks out nowhere"},
		{Path: ".Git/mcp.json", Message: "has a name that git checks out nowhere"},
		{Path: "a//mcp.json", Message: "has a name that git checks out nowhere"},
	}, listing.Errors)
	_, err = read.Read(t.Context(), "mcp.json")
	assert.NoError(t, err)
	_, err = read.Read(t.Context(), "a.mcp.json")
	assert.EqualError(t, err, "is a link that cannot be followed: file name too long")
}

// TestRevisionIsReadTogether holds that many readers at once get each their own file, and that
// none waits forever once the run is stopped.
func TestRevisionIsReadTogether(t *testing.T) {
	texts := map[string]string{}
	for i := range 200 {
		texts[fmt.Sprintf("p%d/.mcp.json", i)] = strings.Repeat(fmt.Sprint(i), i*10)
	}
	root := onDisk(t, texts)
	commit(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tree, err := source.Revision(ctx, root, "HEAD", systemGit(t))
	require.NoError(t, err)
	defer tree.Close()
	var wg sync.WaitGroup
	for p, want := range texts {
		wg.Go(func() {
			file, err := tree.Read(ctx, p)
			if assert.NoError(t, err, p) {
				assert.Equal(t, want, string(file.Content), p)
			}
		})
	}
	wg.Wait()
	cancel()
	_, err = tree.Read(t.Context(), "p1/.mcp.json")
	assert.ErrorIs(t, err, context.Canceled)
}

// TestCompare asks a work tree for files, and says what the revision had of another
// content, another kind or not at all.
func TestCompare(t *testing.T) {
	root := onDisk(t, map[string]string{"same/.mcp.json": "x", "other/.mcp.json": "1", "file/.mcp.json": "x", "gone/.mcp.json": "x", "asked/package.json": "{}"})
	require.NoError(t, os.Symlink("same", filepath.Join(root, "link")))
	commit(t, root)
	put(t, root, "other/.mcp.json", "2")
	put(t, root, "new/.mcp.json", "x")
	git(t, root, "rm", "-q", "-r", "file", "gone")
	put(t, root, "file", "x")

	c := source.Compare(source.Disk(root, systemGit(t)), revision(t, root, "HEAD"))
	for _, file := range []string{"same/.mcp.json", "other/.mcp.json", "new/.mcp.json", "link/.mcp.json", "none/.mcp.json", "same"} {
		_, _ = c.Read(t.Context(), file)
	}
	for _, file := range []string{"file", "gone", "asked/package.json", "asked/yarn.lock", "link"} {
		_, _ = c.Stat(t.Context(), file)
	}
	assert.Equal(t, []string{"file", "gone", "new/.mcp.json", "other/.mcp.json"}, c.Changed())
}
