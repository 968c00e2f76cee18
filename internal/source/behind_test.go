package source_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// wanted wants settings, and looks behind links whose name begins with a dot or is
// more.
var wanted = source.Want{
	File: func(p string) bool { return path.Base(p) == "settings.json" },
	Link: func(p string) bool { return strings.HasPrefix(path.Base(p), ".") || path.Base(p) == "more" },
}

// TestLinkedDirectories holds that what a client finds through a linked directory
// is found by that name, that no link leads out or round in circles, and that the
// listing itself stays with where files are.
func TestLinkedDirectories(t *testing.T) {
	dir := onDisk(t, map[string]string{
		"root/settings.json": "", "root/c/settings.json": "", "root/c/deep/settings.json": "", "root/other/x/settings.json": "",
		"outside/settings.json": "",
	})
	root := filepath.Join(dir, "root")
	links(t, root, map[string]string{
		".claude": "c", "a/.claude": "../c", "plain": "c", // whose name says nothing
		"c/more": "../other", "other/back": "../c", "other/more": "../c", // from one to the next, and back
		".self": ".", ".out": "../outside", ".nowhere": "none", ".file": "settings.json", ".loop": ".loop",
	})
	commit(t, root)
	through := []string{
		".claude/deep/settings.json", ".claude/more/x/settings.json", ".claude/settings.json",
		".self/c/deep/settings.json", ".self/c/settings.json", ".self/other/x/settings.json", ".self/settings.json",
		"a/.claude/deep/settings.json", "a/.claude/more/x/settings.json", "a/.claude/settings.json",
		"c/more/x/settings.json", "other/more/deep/settings.json", "other/more/settings.json",
	}
	for name, tree := range map[string]source.Tree{
		"walk": source.Disk(root, source.Git{}), "git": source.Disk(root, systemGit(t)), "revision": revision(t, root, "HEAD"),
		"overlay": source.Overlay(source.Disk(root, source.Git{}), nil),
	} {
		t.Run(name, func(t *testing.T) {
			listing, err := tree.List(t.Context(), []string{""}, wanted)
			require.NoError(t, err)
			assert.Empty(t, listing.Errors)
			assert.Equal(t, []string{"c/deep/settings.json", "c/settings.json", "other/x/settings.json", "settings.json"}, listing.Paths)
			for _, link := range []string{".claude", "a/.claude", "c/more", ".self"} {
				assert.Contains(t, listing.Links, link)
			}
			for _, none := range []string{"plain", ".nowhere", ".file", "other/back"} {
				assert.NotContains(t, listing.Links, none)
			}
			behind, err := source.Behind(t.Context(), tree, []string{".claude", "a/.claude", "c/more", "other/more", ".self", ".out", ".nowhere"}, wanted)
			require.NoError(t, err)
			for _, want := range through {
				assert.Contains(t, behind.Paths, want)
			}
			assert.Less(t, len(behind.Paths), 40, "circles end: %q", behind.Paths)
			for _, p := range behind.Paths {
				assert.NotContains(t, p, "outside")
				_, err := tree.Read(t.Context(), p)
				require.NoError(t, err, "every name can be read")
			}
			assert.Equal(t, []source.FileError{{Path: ".out", Message: "is a link out of the repository, which is not followed"}}, behind.Errors)
		})
	}
}

// TestManyLinks checks that hundreds of links to directories of thousands of files are not
// followed forever, and that mcplumb reports this.
func TestManyLinks(t *testing.T) {
	root := onDisk(t, nil)
	for i := range 2000 {
		put(t, root, fmt.Sprintf("files/%d", i), "")
	}
	all := map[string]string{}
	var names []string
	for i := range 600 {
		names = append(names, fmt.Sprintf(".l%d", i))
		all[names[i]] = "files"
	}
	links(t, root, all)
	behind, err := source.Behind(t.Context(), source.Disk(root, source.Git{}), names, wanted)
	require.NoError(t, err)
	assert.Equal(t, []source.FileError{{Message: "links to directories give files more than 1000000 other names: mcplumb did not search for all of them"}}, behind.Errors)
}

// TestNestedRepositories checks that repositories within one are named but not read unless the
// user named them, and that git's own rules hold in them.
func TestNestedRepositories(t *testing.T) {
	module := onDisk(t, map[string]string{"settings.json": "", "sub/settings.json": ""})
	commit(t, module)
	root := onDisk(t, map[string]string{"settings.json": ""})
	commit(t, root)
	git(t, root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module, "libs/module.d")
	git(t, root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module, "gone")
	git(t, root, "commit", "-qm", "modules")
	git(t, root, "submodule", "deinit", "-q", "-f", "gone")
	put(t, root, "untracked/settings.json", "")
	put(t, root, "untracked/.gitignore", "ignored/\n")
	put(t, root, "untracked/ignored/settings.json", "")
	git(t, filepath.Join(root, "untracked"), "init", "-q")
	put(t, root, ".kept/settings.json", "") // tracked, and not declared as a submodule
	commit(t, filepath.Join(root, ".kept"))
	git(t, root, "add", ".kept")

	tree := source.Disk(root, systemGit(t))
	list := func(dirs ...string) source.Listing {
		listing, err := tree.List(t.Context(), dirs, wanted)
		require.NoError(t, err)
		require.Empty(t, listing.Errors)
		return listing
	}
	whole := list("")
	assert.Equal(t, []string{"settings.json"}, whole.Paths)
	assert.Equal(t, []string{".kept", "libs/module.d", "untracked"}, whole.Nested)
	assert.Equal(t, []string{"libs/module.d"}, list("libs").Nested)
	assert.Equal(t, []string{"libs/module.d/settings.json", "libs/module.d/sub/settings.json"}, list("libs/module.d").Paths)
	assert.Equal(t, []string{"libs/module.d/sub/settings.json"}, list("libs/module.d/sub").Paths)
	assert.Equal(t, []string{".kept/settings.json", "untracked/settings.json"}, list("untracked", ".kept").Paths)

	head := revision(t, root, "HEAD")
	listing, err := head.List(t.Context(), []string{""}, wanted)
	require.NoError(t, err)
	assert.Equal(t, []string{"gone", "libs/module.d"}, listing.Nested)
	walked, err := source.Disk(root, source.Git{}).List(t.Context(), []string{""}, wanted)
	require.NoError(t, err)
	assert.Empty(t, walked.Nested)
	assert.Contains(t, walked.Paths, "libs/module.d/settings.json", "without git nothing tells them from the rest")
}

// links makes links in a directory.
func links(t *testing.T, root string, targets map[string]string) {
	t.Helper()
	for link, target := range targets {
		full := filepath.Join(root, filepath.FromSlash(link))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.Symlink(filepath.FromSlash(target), full))
	}
}
