package source

import (
	"context"
	"errors"
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
	keep   func(path string) bool
	paths  []string
	errors []FileError
	// visited are the directories that were looked into, absolute; ignores
	// reports that a file said what to leave out.
	visited []string
	ignores bool
}

// maxIgnoreBytes is the size up to which a .gitignore is read.
const maxIgnoreBytes = 1_000_000

// walk lists the files below dir. The .gitignore files above it count, but dir
// itself is looked into even if they name it.
func (w *walker) walk(dir string) error {
	ignores := w.load(nil, "", ".git/info/exclude")
	above := ""
	for _, name := range strings.Split(dir, "/") {
		if path.Join(above, name) != dir {
			ignores = w.load(ignores, above, ".gitignore")
		}
		above = path.Join(above, name)
	}
	return w.directory(dir, ignores)
}

// directory lists the files of a directory, then those of the directories in
// it, of which each processor takes one at a time.
func (w *walker) directory(dir string, ignores []*gitignore.Matcher) error {
	below, ignores, err := w.look(dir, ignores)
	if err != nil {
		return err
	}
	parts := make([]walker, len(below))
	failed := make([]error, len(below))
	err = parallel.For(w.ctx, len(below), func(i int) {
		parts[i] = walker{ctx: w.ctx, root: w.root, keep: w.keep}
		failed[i] = parts[i].deep(below[i], ignores)
	})
	for i := range parts {
		w.paths = append(w.paths, parts[i].paths...)
		w.errors = append(w.errors, parts[i].errors...)
		w.visited = append(w.visited, parts[i].visited...)
		w.ignores = w.ignores || parts[i].ignores
	}
	return errors.Join(append(failed, err)...)
}

// deep lists the files of a directory and of everything below it.
func (w *walker) deep(dir string, ignores []*gitignore.Matcher) error {
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

// look lists the files of one directory, and returns the directories in it that
// are to be looked into and the ignore files that count there.
func (w *walker) look(dir string, ignores []*gitignore.Matcher) ([]string, []*gitignore.Matcher, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, nil, err
	}
	full := filepath.Join(w.root, filepath.FromSlash(dir))
	entries, err := os.ReadDir(full)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.errors = append(w.errors, FileError{dir, "cannot be looked into: " + reason(err)})
		}
		return nil, nil, nil
	}
	w.visited = append(w.visited, full)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		ignores = w.load(ignores, dir, ".gitignore")
	}
	var below []string
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if isIgnored(ignores, name, entry.IsDir()) {
			continue
		}
		// A directory can bear the name of a file that is looked for.
		if w.keep(name) {
			w.paths = append(w.paths, name)
		}
		if entry.IsDir() && !isSkipped(entry.Name()) {
			below = append(below, name)
		}
	}
	return below, ignores, nil
}

// isSkipped reports whether a directory holds what others wrote.
func isSkipped(name string) bool {
	return name == ".git" || name == "node_modules" || name == "vendor"
}

// load returns ignores with the patterns of one more file. It is a list from
// the outermost file to the innermost; the slice given is left alone, because
// sibling directories share it.
func (w *walker) load(ignores []*gitignore.Matcher, dir, name string) []*gitignore.Matcher {
	full := filepath.Join(w.root, filepath.FromSlash(dir), filepath.FromSlash(name))
	if info, err := os.Lstat(full); err != nil || !info.Mode().IsRegular() {
		return ignores // as git does: a link is none of its ignore files
	}
	content, err := readFile(full, maxIgnoreBytes)
	if err != nil {
		w.errors = append(w.errors, FileError{path.Join(dir, name), err.Error()})
		return ignores
	}
	w.ignores = true
	matcher := gitignore.New("")
	matcher.AddPatterns(content, dir)
	return append(ignores[:len(ignores):len(ignores)], matcher)
}

// isIgnored asks the innermost file first: it has the last word.
func isIgnored(ignores []*gitignore.Matcher, name string, isDir bool) bool {
	if isDir {
		name += "/"
	}
	for i := len(ignores) - 1; i >= 0; i-- {
		if m := ignores[i].MatchDetail(name); m.Matched {
			return m.Ignored
		}
	}
	return false
}
