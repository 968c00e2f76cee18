package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-pkgs/gitignore"

	"github.com/mcplumb/mcplumb/internal/parallel"
)

// walker lists files without git, as git would list them.
type walker struct {
	ctx    context.Context
	root   string
	want   Want
	paths  []string
	links  []string
	nested []string
	errors []FileError
	// visited are the directories that were listed, absolute; ignores reports that a file said
	// what to leave out.
	visited []string
	ignores bool
	// leftOut reports that something was left out that a file may be wanted of.
	leftOut bool
}

// What keeps hostile ignore files from costing time: how many bytes of them count
// for one directory, and how deep. What is left out of them leaves out no file.
const maxIgnoreBytes, maxIgnoreDepth = 200_000, 64

// ignoreRules are the ignore files that count in a directory.
type ignoreRules struct {
	matchers []*gitignore.Matcher // from the outermost file to the innermost
	bytes    int                  // of all of them
}

// walk lists the files below dir. The .gitignore files above it count, but dir itself is
// listed even if they name it.
func (w *walker) walk(dir string) error {
	ignores := w.load(ignoreRules{}, "", ".git/info/exclude")
	above := ""
	for _, name := range strings.Split(dir, "/") {
		if path.Join(above, name) != dir {
			ignores = w.load(ignores, above, ".gitignore")
		}
		above = path.Join(above, name)
	}
	return w.directory(dir, ignores)
}

// directory lists the files of a directory, then those of its subdirectories, one at a time on
// each processor.
func (w *walker) directory(dir string, ignores ignoreRules) error {
	below, ignores, err := w.look(dir, ignores)
	if err != nil {
		return err
	}
	parts := make([]walker, len(below))
	err = parallel.For(w.ctx, len(below), func(i int) {
		parts[i] = walker{ctx: w.ctx, root: w.root, want: w.want}
		_ = parts[i].deep(below[i], ignores) // it fails where the context ends, and so does this
	})
	for i := range parts {
		w.paths, w.links = append(w.paths, parts[i].paths...), append(w.links, parts[i].links...)
		w.errors = append(w.errors, parts[i].errors...)
		w.visited = append(w.visited, parts[i].visited...)
		w.ignores, w.leftOut = w.ignores || parts[i].ignores, w.leftOut || parts[i].leftOut
	}
	return err
}

// deep lists the files of a directory and of everything below it.
func (w *walker) deep(dir string, ignores ignoreRules) error {
	below, ignores, err := w.look(dir, ignores)
	if err != nil {
		return err
	}
	for _, sub := range below {
		if err := w.deep(sub, ignores); err != nil {
			return err
		}
	}
	return nil
}

// look lists the files of one directory, and returns the subdirectories to list and the ignore
// files that apply there.
func (w *walker) look(dir string, ignores ignoreRules) ([]string, ignoreRules, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, ignores, err
	}
	full := filepath.Join(w.root, filepath.FromSlash(dir))
	entries, err := os.ReadDir(full)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.errors = append(w.errors, FileError{dir, "cannot be read: " + reason(err)})
		}
		return nil, ignores, nil
	}
	w.visited = append(w.visited, full)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		ignores = w.load(ignores, dir, ".gitignore")
	}
	var below []string
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if isIgnored(ignores, name, entry.IsDir()) {
			w.leftOut = w.leftOut || w.want.File(name) || entry.IsDir() && !isSkipped(entry.Name())
			continue
		}
		switch {
		case w.want.File(name) && (!entry.IsDir() || isOfClients(name)): // a directory can bear the name of a file
			w.paths = append(w.paths, name)
		case entry.Type() == fs.ModeSymlink && w.want.isLink(name) && isDirectory(filepath.Join(full, entry.Name())):
			w.links = append(w.links, name)
		}
		if entry.IsDir() && !isSkipped(entry.Name()) {
			below = append(below, name)
		}
	}
	return below, ignores, nil
}

// isDirectory reports whether a path leads to a directory, through links.
func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isSkipped reports whether a directory holds what others wrote.
func isSkipped(name string) bool {
	return name == ".git" || name == "node_modules" || name == "vendor"
}

// load returns ignores with the patterns of one more file. The rules given are left
// alone, because sibling directories share them.
func (w *walker) load(ignores ignoreRules, dir, name string) ignoreRules {
	full := filepath.Join(w.root, filepath.FromSlash(dir), filepath.FromSlash(name))
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() {
		return ignores // as git does: it does not read a link as an ignore file
	}
	if ignores.bytes+int(min(info.Size(), maxIgnoreBytes+1)) > maxIgnoreBytes {
		w.errors = append(w.errors, FileError{path.Join(dir, name), fmt.Sprintf(
			"was not read: the ignore files up to here have more than %d kB", maxIgnoreBytes/1000)})
		return ignores
	}
	content, err := readFile(full, maxIgnoreBytes)
	if err != nil {
		w.errors = append(w.errors, FileError{path.Join(dir, name), err.Error()})
		return ignores
	}
	w.ignores = true
	matcher := gitignore.New("")
	matcher.AddPatterns(content, dir)
	of := ignores.matchers
	return ignoreRules{append(of[:len(of):len(of)], matcher), ignores.bytes + len(content)}
}

// isIgnored asks the innermost file first: it has the last word.
func isIgnored(ignores ignoreRules, name string, isDir bool) bool {
	if len(ignores.matchers) == 0 || strings.Count(name, "/") > maxIgnoreDepth {
		return false
	}
	if isDir {
		name += "/"
	}
	for _, matcher := range slices.Backward(ignores.matchers) {
		if m := matcher.MatchDetail(name); m.Matched {
			return m.Ignored
		}
	}
	return false
}
