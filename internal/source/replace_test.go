package source_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// content reads a file of a tree on disk.
func content(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// names returns what is in a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestReplace shows what is written and what is left as it is: any file that changed since it
// was read.
func TestReplace(t *testing.T) {
	root := onDisk(t, map[string]string{
		"root/a.json": "old", "root/sub/b.json": "old", "root/changed.json": "new from elsewhere", "root/same.json": "new", "root/swapped.json": "old",
		"root/dir/c.json": "old", "root/there.json": "", "root/.git/config": "old", "outside/c.json": "old", "outside/d.json": "old",
	})
	top := filepath.Join(root, "root")
	require.NoError(t, os.Chmod(filepath.Join(top, "a.json"), 0o640))
	require.NoError(t, os.Remove(filepath.Join(top, "swapped.json")))
	require.NoError(t, os.Remove(filepath.Join(top, "dir", "c.json")))
	require.NoError(t, os.Remove(filepath.Join(top, "dir")))
	links(t, top, map[string]string{"swapped.json": "../outside/d.json", "dir": "../outside"})
	var files []source.Replacement
	for _, name := range []string{"a.json", "sub/b.json", "same.json", "changed.json", "swapped.json", "dir/c.json", "gone.json", ".git/config", "sub"} {
		files = append(files, source.Replacement{Path: name, Old: []byte("old"), New: []byte("new")})
	}
	for _, name := range []string{"made/for/it.json", "there.json", "../outside/made.json"} {
		files = append(files, source.Replacement{Path: name, New: []byte("new")})
	}
	assert.Equal(t, []source.FileError{
		{Path: "changed.json", Message: "was not written: it has changed since it was read"},
		{Path: "swapped.json", Message: "was not written: a part of its path has become a link since it was read"},
		{Path: "dir/c.json", Message: "was not written: a part of its path has become a link since it was read"},
		{Path: "gone.json", Message: "was not written: it is gone since it was read"},
		{Path: ".git/config", Message: "was not written: it is in a directory that git keeps for itself"},
		{Path: "sub", Message: "was not written: it is no longer a regular file"},
		{Path: "there.json", Message: "was not written: it has changed since it was read"},
		{Path: "../outside/made.json", Message: "was not written: path escapes from parent"},
	}, source.Replace(t.Context(), top, files))
	for name, want := range map[string]string{
		"root/a.json": "new", "root/sub/b.json": "new", "root/changed.json": "new from elsewhere", "root/same.json": "new", "root/made/for/it.json": "new",
		"root/.git/config": "old", "outside/c.json": "old", "outside/d.json": "old",
	} {
		assert.Equal(t, want, content(t, root, name), name)
	}
	info, err := os.Stat(filepath.Join(top, "a.json"))
	require.NoError(t, err)
	assert.Equal(t, "-rw-r-----", info.Mode().String())
	assert.Equal(t, []string{"b.json"}, names(t, filepath.Join(top, "sub")))
	assert.Equal(t, []string{"c.json", "d.json"}, names(t, filepath.Join(root, "outside")))
	assert.Equal(t, []string{".git", "a.json", "changed.json", "dir", "made", "same.json", "sub", "swapped.json", "there.json"}, names(t, top))
}

// TestReplaceStopped holds that no file is begun once a run is stopped.
func TestReplaceStopped(t *testing.T) {
	root := onDisk(t, map[string]string{"a.json": "old"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	failed := source.Replace(ctx, root, []source.Replacement{{Path: "a.json", Old: []byte("old"), New: []byte("new")}})
	assert.Equal(t, []source.FileError{{Path: "a.json", Message: "was not written: context canceled"}}, failed)
	assert.Equal(t, "old", content(t, root, "a.json"))
}

// TestReplaceAtOnce has several runs write the same files: each is what one of them wrote, and
// no temporary file is left next to them.
func TestReplaceAtOnce(t *testing.T) {
	const runs, many = 4, 40
	old := bytes.Repeat([]byte("old"), 10_000)
	files := map[string]string{}
	for i := range many {
		files[fmt.Sprintf("%d.json", i)] = string(old)
	}
	root := onDisk(t, files)
	var wg sync.WaitGroup
	for run := range runs {
		wg.Go(func() {
			source.RemoveLeftovers(root, []string{""})
			var all []source.Replacement
			for i := range many {
				all = append(all, source.Replacement{Path: fmt.Sprintf("%d.json", i), Old: old, New: bytes.Repeat([]byte{byte('0' + run)}, 20_000)})
			}
			for _, failed := range source.Replace(t.Context(), root, all) {
				assert.Equal(t, "was not written: it has changed since it was read", failed.Message)
			}
			source.RemoveLeftovers(root, []string{""})
		})
	}
	wg.Wait()
	assert.Len(t, names(t, root), many)
	for name := range files {
		text := content(t, root, name)
		assert.Equal(t, strings.Repeat(text[:1], 20_000), text, name)
	}
}

// TestRemoveLeftovers holds that of what a killed run has left nothing stays, and of
// what only looks alike everything does.
func TestRemoveLeftovers(t *testing.T) {
	const leftover = ".mcplumb-0123456789abcdef.tmp"
	kept := []string{".mcplumb-0123.tmp", "x.mcplumb-0123456789abcdef.tmp", ".mcplumb-0123456789abcdef.tmp.json", ".mcplumb-0123456789ABCDEF.tmp"}
	files := map[string]string{"outside/" + leftover: "", "root/sub/" + leftover: "", "root/other/" + leftover: "", "root/dir/" + leftover + "/x": "", "root/" + leftover: ""}
	for _, name := range kept {
		files["root/"+name] = ""
	}
	root := onDisk(t, files)
	links(t, filepath.Join(root, "root"), map[string]string{"link": "../outside", "sub/.mcplumb-1111111111111111.tmp": "../../outside/" + leftover})
	source.RemoveLeftovers(filepath.Join(root, "root"), []string{"", "sub", "dir", "link", "gone", "../outside"})
	assert.NoFileExists(t, filepath.Join(root, "root", leftover))
	assert.Equal(t, []string{".mcplumb-1111111111111111.tmp"}, names(t, filepath.Join(root, "root", "sub")), "a link is not a temporary file of mcplumb")
	assert.Equal(t, []string{leftover}, names(t, filepath.Join(root, "root", "other")), "it was not asked for")
	assert.Equal(t, []string{leftover}, names(t, filepath.Join(root, "root", "dir")), "a directory is not a temporary file of mcplumb")
	assert.Equal(t, []string{leftover}, names(t, filepath.Join(root, "outside")))
	for _, name := range kept {
		assert.FileExists(t, filepath.Join(root, "root", name))
	}
}
