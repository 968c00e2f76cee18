package source_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// files are what every tree of the table holds. "a.d" sorts before "a/".
func files() map[string]string {
	return map[string]string{
		".mcp.json":           "one",
		"a/.mcp.json":         "two",
		"a/b/c/.mcp.json":     "three",
		"a.d/mcp.json":        "four",
		"d/.mcp.json/x.txt":   "a directory that is called as a file",
		"r/mcp.json/route.ts": "a route of a web application, which is called as a file, too",
		"e/not-wanted.txt":    "",
		"f/é \"x\"\t.json":    "an odd name",
		"g/big.json":          strings.Repeat("x", syntax.MaxBytes+1),
		"g/just-right.json":   strings.Repeat("x", syntax.MaxBytes),
	}
}

// trees are the implementations, each with the same files.
func trees(t *testing.T) map[string]source.Tree {
	all := map[string]source.Tree{
		"memory":                   source.Memory(files()),
		"overlay over nothing":     source.Overlay(source.Memory(nil), contents(files())),
		"overlay without edits":    source.Overlay(source.Memory(files()), nil),
		"overlay that fixes all":   source.Overlay(source.Memory(others(files())), contents(files())),
		"overlay over an overlay":  source.Overlay(source.Overlay(source.Memory(others(files())), contents(others(files()))), contents(files())),
		"overlay with a deletion":  source.Overlay(source.Memory(with(files(), "old/.mcp.json")), map[string][]byte{"old/.mcp.json": nil}),
		"directory that is walked": source.Disk(onDisk(t, files()), source.Git{}),
	}
	repository := onDisk(t, files())
	commit(t, repository)
	all["git work tree"] = source.Disk(repository, systemGit(t))
	all["revision"] = revision(t, repository, "HEAD")
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, ".", "clone", "-q", "--bare", repository, bare)
	all["revision in a bare repository"] = revision(t, bare, "main")
	return all
}

// TestTrees holds that all trees behave as one.
func TestTrees(t *testing.T) {
	isJSON := source.Want{File: func(p string) bool { return strings.HasSuffix(p, ".json") }}
	for name, tree := range trees(t) {
		t.Run(name, func(t *testing.T) {
			for _, test := range []struct {
				dirs []string
				want []string
			}{
				{nil, nil},
				{[]string{""}, []string{
					".mcp.json", "a.d/mcp.json", "a/.mcp.json", "a/b/c/.mcp.json", "d/.mcp.json", "f/é \"x\"\t.json", "g/big.json", "g/just-right.json"}},
				{[]string{"a"}, []string{"a/.mcp.json", "a/b/c/.mcp.json"}},
				{[]string{"a/b", "a", "a/b/c"}, []string{"a/.mcp.json", "a/b/c/.mcp.json"}},
				{[]string{"a/b", "a.d"}, []string{"a.d/mcp.json", "a/b/c/.mcp.json"}},
				{[]string{"e"}, nil},
				{[]string{"nowhere"}, nil},
			} {
				listing, err := tree.List(t.Context(), test.dirs, isJSON)
				require.NoError(t, err)
				assert.Empty(t, listing.Errors)
				assert.Equal(t, test.want, listing.Paths, "%q", test.dirs)
			}

			for p, want := range files() {
				if len(want) > syntax.MaxBytes {
					continue
				}
				file, err := tree.Read(t.Context(), p)
				require.NoError(t, err, p)
				assert.Equal(t, p, file.Real)
				assert.True(t, want == string(file.Content), p)
				kind, err := tree.Stat(t.Context(), p)
				require.NoError(t, err)
				assert.Equal(t, source.Regular, kind, p)
			}

			for _, dir := range []string{"", "a", "a/b", "d/.mcp.json"} {
				kind, err := tree.Stat(t.Context(), dir)
				require.NoError(t, err, dir)
				assert.Equal(t, source.Directory, kind, dir)
				_, err = tree.Read(t.Context(), dir)
				assert.EqualError(t, err, "is a directory, not a file", dir)
			}

			for _, p := range []string{"b", "a/b/x.json", "nowhere/.mcp.json", ".mcp.json/x", "old/.mcp.json"} {
				_, err := tree.Read(t.Context(), p)
				assert.ErrorIs(t, err, fs.ErrNotExist, p)
				_, err = tree.Stat(t.Context(), p)
				assert.ErrorIs(t, err, fs.ErrNotExist, p)
			}

			_, err := tree.Read(t.Context(), "g/big.json")
			assert.EqualError(t, err, "is bigger than 10 MB and was not read")
			file, err := tree.Read(t.Context(), ".mcp.json") // what was refused has left nothing behind
			require.NoError(t, err)
			assert.Equal(t, "one", string(file.Content))

			ended, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = tree.List(ended, []string{""}, isJSON)
			assert.ErrorIs(t, err, context.Canceled)
			_, err = tree.Read(ended, ".mcp.json")
			assert.ErrorIs(t, err, context.Canceled)
			_, err = tree.Stat(ended, ".mcp.json")
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
}

// TestLinks holds that links are followed within the tree and never out of it.
func TestLinks(t *testing.T) {
	dir := onDisk(t, map[string]string{"root/real/a.json": "a", "root/x/y/.keep": "", "outside/secret.json": "s"})
	root := filepath.Join(dir, "root")
	for link, target := range map[string]string{
		"file.json": "real/a.json", "dir": "real", "x/y/up.json": "../../real/a.json", "twice.json": "x/y/up.json",
		"odd.json": "./x//../real/./a.json", "nowhere.json": "real/none.json", "loop.json": "loop2.json", "loop2.json": "loop.json",
		"out.json": "../outside/secret.json", "absolute.json": filepath.Join(dir, "outside", "secret.json"), "outdir": "../outside",
		"to-dir.json": "real", "root.json": ".", "through.json": "real/a.json/b", "same-out.json": "../root/real/a.json",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(root, filepath.FromSlash(link))))
	}
	commit(t, root)
	const a = "real/a.json"
	const out = "is a link out of the repository, which is not followed"
	const nowhere = "is a link to a file that does not exist"
	for name, tree := range map[string]source.Tree{
		"disk": source.Disk(root, source.Git{}), "git work tree": source.Disk(root, systemGit(t)),
		"revision": revision(t, root, "HEAD"), "overlay": source.Overlay(source.Disk(root, source.Git{}), nil),
	} {
		t.Run(name, func(t *testing.T) {
			for p, want := range map[string]string{
				"file.json": a, "dir/a.json": a, "x/y/up.json": a, "twice.json": a, "odd.json": a,
				"out.json": out, "absolute.json": out, "outdir/secret.json": out, "nowhere.json": nowhere,
				"to-dir.json": "is a directory, not a file", "root.json": "is a directory, not a file",
			} {
				file, err := tree.Read(t.Context(), p)
				if err != nil {
					assert.Equal(t, want, err.Error(), p)
					continue
				}
				assert.Equal(t, source.File{Real: want, Content: []byte("a")}, file, p)
			}
			for _, p := range []string{"loop.json", "through.json"} {
				_, err := tree.Read(t.Context(), p)
				assert.ErrorContains(t, err, "is a link ", p)
			}
			for p, want := range map[string]source.Kind{"file.json": source.Regular, "dir": source.Directory, "root.json": source.Directory} {
				kind, err := tree.Stat(t.Context(), p)
				require.NoError(t, err, p)
				assert.Equal(t, want, kind, p)
			}
			_, err := tree.Stat(t.Context(), "out.json")
			assert.EqualError(t, err, out)
			listing, err := tree.List(t.Context(), []string{""}, source.Want{File: func(p string) bool { return path.Base(p) == "a.json" }})
			require.NoError(t, err)
			assert.Equal(t, []string{a}, listing.Paths, "a link to a directory is not looked into")
		})
	}
}

// TestLinksIntoGit checks that no link leads into git's own directory, which can contain a
// token, and that mcplumb does not follow such a link.
func TestLinksIntoGit(t *testing.T) {
	root := onDisk(t, map[string]string{"a.json": "a"})
	commit(t, root)
	for link, target := range map[string]string{"config.json": ".git/config", "git": ".git", "twice.json": "git/config"} {
		require.NoError(t, os.Symlink(target, filepath.Join(root, link)))
	}
	const refused = "is a link into .git, which is not followed"
	for name, tree := range map[string]source.Tree{"disk": source.Disk(root, source.Git{}), "git work tree": source.Disk(root, systemGit(t))} {
		for _, p := range []string{"config.json", "twice.json", "git/config"} {
			_, err := tree.Read(t.Context(), p)
			assert.EqualError(t, err, refused, "%s: %s", name, p)
		}
		_, err := tree.Real(t.Context(), "git")
		assert.EqualError(t, err, refused, name)
	}
}

// TestOtherWorkTree checks that the files are those of the named directory, even if the
// configuration of its repository names another work tree: a file .git may lead to a
// repository whose configuration anyone could have written.
func TestOtherWorkTree(t *testing.T) {
	dir := onDisk(t, map[string]string{"root/a.json": "a", "root/.git": "gitdir: ../repository\n", "other/b.json": "b"})
	root := filepath.Join(dir, "root")
	git(t, dir, "init", "-q", "made")
	require.NoError(t, os.Rename(filepath.Join(dir, "made", ".git"), filepath.Join(dir, "repository")))
	git(t, dir, "config", "-f", filepath.Join(dir, "repository", "config"), "core.worktree", filepath.Join(dir, "other"))
	listing, err := source.Disk(root, systemGit(t)).List(t.Context(), []string{""}, source.Want{File: func(p string) bool { return path.Ext(p) == ".json" }})
	require.NoError(t, err)
	assert.Equal(t, []string{"a.json"}, listing.Paths)
	assert.Empty(t, listing.Errors)
}

// TestEditsOfLinkedFiles holds that an edit of a file reaches those who read it
// through a link.
func TestEditsOfLinkedFiles(t *testing.T) {
	root := onDisk(t, map[string]string{"a.json": "old", "b.json": "old"})
	for link, target := range map[string]string{"to-a.json": "a.json", "to-b.json": "b.json"} {
		require.NoError(t, os.Symlink(target, filepath.Join(root, link)))
	}
	tree := source.Overlay(source.Disk(root, source.Git{}), map[string][]byte{"a.json": []byte("new"), "b.json": nil})
	file, err := tree.Read(t.Context(), "to-a.json")
	require.NoError(t, err)
	assert.Equal(t, source.File{Real: "a.json", Content: []byte("new")}, file)
	_, err = tree.Read(t.Context(), "to-b.json")
	assert.EqualError(t, err, "is a link to a file that does not exist")
	_, err = tree.Stat(t.Context(), "to-b.json")
	assert.EqualError(t, err, "is a link to a file that does not exist")
}

// TestIgnored holds that what git ignores is not listed, and that the listing
// says so; an edit does not change it. A revision ignores nothing. Who walks does not know
// whether what is left out is tracked.
func TestIgnored(t *testing.T) {
	root := onDisk(t, map[string]string{".gitignore": "ignored.json\n", "a.json": "", "tracked/b.json": ""})
	commit(t, root)
	put(t, root, "ignored.json", "state")
	put(t, root, "untracked.json", "")
	require.NoError(t, os.Remove(filepath.Join(root, "tracked", "b.json")))
	isJSON := source.Want{File: func(p string) bool { return strings.HasSuffix(p, ".json") }}
	for name, test := range map[string]struct {
		tree    source.Tree
		want    []string
		ignored bool
		guessed bool
	}{
		"git":     {source.Disk(root, systemGit(t)), []string{"a.json", "tracked/b.json", "untracked.json"}, true, false},
		"walk":    {source.Disk(root, source.Git{}), []string{"a.json", "untracked.json"}, true, true},
		"HEAD":    {revision(t, root, "HEAD"), []string{"a.json", "tracked/b.json"}, false, false},
		"overlay": {source.Overlay(source.Disk(root, source.Git{}), contents(map[string]string{"ignored.json": "x", "new.json": "x"})), []string{"a.json", "new.json", "untracked.json"}, true, true},
	} {
		listing, err := test.tree.List(t.Context(), []string{""}, isJSON)
		require.NoError(t, err, name)
		assert.Equal(t, source.Listing{Paths: test.want, Ignored: test.ignored, Guessed: test.guessed}, listing, name)
	}
	kind, err := source.Disk(root, systemGit(t)).Stat(t.Context(), "ignored.json")
	require.NoError(t, err)
	assert.Equal(t, source.Regular, kind)
}

// contents returns texts as edits.
func contents(texts map[string]string) map[string][]byte {
	all := map[string][]byte{}
	for p, text := range texts {
		all[p] = []byte(text)
	}
	return all
}

// others returns files of the same names with another content.
func others(texts map[string]string) map[string]string {
	all := map[string]string{}
	for p := range texts {
		all[p] = "old"
	}
	return all
}

// with returns the files with one more.
func with(texts map[string]string, p string) map[string]string {
	texts[p] = "more"
	return texts
}

// onDisk writes files into a new directory and returns it, links resolved.
func onDisk(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for p, text := range texts {
		put(t, dir, p, text)
	}
	return dir
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

// systemGit returns the git that is installed.
func systemGit(t *testing.T) source.Git {
	t.Helper()
	program, err := exec.LookPath("git")
	require.NoError(t, err)
	return source.Git{Program: program, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}}
}

// git runs git and returns what it prints.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	system := systemGit(t)
	cmd := exec.Command(system.Program, append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Env = system.Environ
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %q: %s", args, out)
	return strings.TrimSpace(string(out))
}

// commit makes a repository of a directory, with all of it in one commit on main.
func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A", "-f")
	git(t, dir, "commit", "-q", "-m", "all")
}

// revision opens a revision until the test ends.
func revision(t *testing.T, root, rev string) source.Tree {
	t.Helper()
	// The context of a test ends before its cleanup.
	tree, err := source.Revision(t.Context(), root, rev, systemGit(t))
	require.NoError(t, err)
	t.Cleanup(tree.Close)
	return tree
}
