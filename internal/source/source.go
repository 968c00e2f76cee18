// Package source is where files come from: a directory on disk, a revision in
// git, edits over another tree, memory. With package cli it alone touches
// the file system and starts programs, and the only program it starts is git.
//
// All paths are slash-separated, from the root of the tree; "" is the root.
package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Tree is a directory of files. Its methods may be called at the same time.
type Tree interface {
	// List returns what is wanted below dirs. Its error is that of the context.
	List(ctx context.Context, dirs []string, want Want) (Listing, error)
	// Read returns a file of at most syntax.MaxBytes. Links are followed within
	// the tree only. The error is fs.ErrNotExist if there is no such file;
	// every other one says what is wrong with it, without its path.
	Read(ctx context.Context, path string) (File, error)
	// Stat returns what is at a path, links followed as Read follows them. Its
	// errors are those of Read.
	Stat(ctx context.Context, path string) (Kind, error)
	// Real returns the path that a directory is really at, links resolved. Its
	// errors are those of Read.
	Real(ctx context.Context, dir string) (string, error)
}

// Want says what is looked for, by path. Both may be called at the same time.
type Want struct {
	// File reports whether a file is wanted.
	File func(path string) bool
	// Link reports whether a directory of this name must be read even if it is a link to
	// another; nil is never. Its last element has no dot but at its beginning.
	Link func(path string) bool
	// Alone has a Comparison list its own tree and not the other one, which the caller lists as well.
	Alone bool
}

// isLink reports whether a path may be a link to a wanted directory. Most paths have an
// extension and cost no more than that.
func (w Want) isLink(file string) bool {
	if w.Link == nil {
		return false
	}
	base := file[strings.LastIndexByte(file, '/')+1:]
	return strings.LastIndexByte(base, '.') <= 0 && w.Link(file)
}

// Listing is what a tree holds.
type Listing struct {
	// Paths are sorted, each once. A directory is among them if it bears a name
	// that is looked for: its author will wonder why nothing is read from
	// it.
	Paths []string
	// Links are those to directories that are wanted, sorted. They are not read: Behind does
	// that.
	Links []string
	// Nested are the repositories within this one that have been checked out, sorted. They are
	// not read either.
	Nested []string
	// Errors say what could not be read.
	Errors []FileError
	// Ignored reports that files may be missing because the repository ignores
	// them. Read and Stat know them nevertheless.
	Ignored bool
	// Guessed reports that ignore files left something out without asking git: it may still be
	// tracked.
	Guessed bool
}

// File is the content of a file, and the path it really is at, links resolved.
type File struct {
	Real    string
	Content []byte
}

// FileError says why a file or directory could not be read.
type FileError struct{ Path, Message string }

// Kind is what is at a path.
type Kind uint8

// The kinds.
const (
	Other     Kind = iota // a pipe, a device: never opened
	Regular               // a file
	Directory             // a directory
)

// Within reports whether a path is dir or below it.
func Within(dir, path string) bool {
	return dir == "" || path == dir || strings.HasPrefix(path, dir+"/")
}

// IsOutside reports whether a path, clean and as seen from the root, is that of a file
// outside of it: on a command line such can be named. On another volume it is "".
func IsOutside(path string) bool {
	return path == "" || path == ".." || strings.HasPrefix(path, "../")
}

// isWithin reports whether a path is in one of the directories.
func isWithin(dirs []string, path string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return Within(dir, path) })
}

// pick returns the listing of a tree all of whose files are known.
func pick(paths iter.Seq[string], dirs []string, keep func(string) bool) Listing {
	var picked []string
	for p := range paths {
		if !isWithin(dirs, p) {
			continue
		}
		if keep(p) {
			picked = append(picked, p)
		}
		picked = append(picked, directoriesLikeFiles(p, keep)...)
	}
	return Listing{Paths: sorted(picked)}
}

// sorted returns paths sorted, each once.
func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// directoriesLikeFiles returns the directories on the way to a file that bear
// the name of a file that is looked for. Only those with an extension can.
func directoriesLikeFiles(file string, keep func(string) bool) []string {
	var dirs []string
	for i := 0; i < len(file); i++ {
		if file[i] != '/' {
			continue
		}
		dir := file[:i]
		if ext := path.Ext(dir); ext != "" && ext != path.Base(dir) && isOfClients(dir) && keep(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// isOfClients reports whether nothing but a client has a use for a path: .mcp.json and
// .cursor/mcp.json, but not mcp.json, as web applications call the directory of the
// route that answers there.
func isOfClients(name string) bool {
	parent := path.Base(path.Dir(name))
	return strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(parent, ".") && parent != "."
}

// errPointer is the error of a file whose content is not in git.
var errPointer = errors.New("is a pointer of Git LFS, and what it points to is not here")

// isPointer reports whether a file only says where Git LFS has its content (docs/spec.md of
// git-lfs).
func isPointer(content []byte) bool {
	return len(content) < 1024 && bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/")) && bytes.Contains(content, []byte("\noid "))
}

// tooBig says that a file was not read because it has more than limit bytes.
func tooBig(limit int) error {
	return &syntax.LimitError{Message: fmt.Sprintf("is bigger than %d MB and was not read", limit/1_000_000)}
}
