// Package source is where files come from: a directory on disk, a revision in
// git, edits laid over another tree, memory. With package cli it alone touches
// the file system and starts programs, and the only program it starts is git.
//
// All paths are slash-separated, from the root of the tree; "" is the root.
package source

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Tree is a directory of files. Its methods may be called at the same time.
type Tree interface {
	// List returns the files below dirs for which keep is true. Its error is that
	// of the context.
	List(ctx context.Context, dirs []string, keep func(path string) bool) (Listing, error)
	// Read returns a file of at most syntax.MaxBytes. Links are followed within
	// the tree only. The error is fs.ErrNotExist if there is no such file;
	// every other one says what is wrong with it, without its path.
	Read(ctx context.Context, path string) (File, error)
	// Stat returns what is at a path, links followed as Read follows them. Its
	// errors are those of Read.
	Stat(ctx context.Context, path string) (Kind, error)
}

// Listing is what a tree holds.
type Listing struct {
	// Paths are sorted, each once. A directory is among them if it bears a name
	// that is looked for: whoever made it will wonder why nothing is read from
	// it.
	Paths []string
	// Errors say what could not be looked into.
	Errors []FileError
	// Ignored reports that files may be missing because the repository ignores
	// them. Read and Stat know them nevertheless.
	Ignored bool
}

// File is the content of a file, and the path it really is at, links resolved.
type File struct {
	Real    string
	Content []byte
}

// FileError says why a file or directory could not be read.
type FileError struct{ Path, Message string }

// Kind is what stands at a path.
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
	slices.Sort(picked)
	return Listing{Paths: slices.Compact(picked)}
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
		if ext := path.Ext(dir); ext != "" && ext != path.Base(dir) && keep(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// tooBig says that a file was not read because it has more than limit bytes.
func tooBig(limit int) error {
	return &syntax.LimitError{Message: fmt.Sprintf("is bigger than %d MB and was not read", limit/1_000_000)}
}
