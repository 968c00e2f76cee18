package source

import (
	"context"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// memory is a tree without links.
type memory struct {
	files map[string]string
	paths []string // sorted
	dirs  map[string]bool
}

// Memory returns the tree of files by path. Nothing of it is ignored.
func Memory(files map[string]string) Tree {
	return &memory{files: files, paths: slices.Sorted(maps.Keys(files)), dirs: directoriesOf(maps.Keys(files))}
}

// directoriesOf returns the directories that hold files, the root among them.
func directoriesOf(files iter.Seq[string]) map[string]bool {
	dirs := map[string]bool{"": true}
	for file := range files {
		for dir := path.Dir(file); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}

func (m *memory) List(ctx context.Context, dirs []string, want Want) (Listing, error) {
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	return pick(slices.Values(m.paths), dirs, want.File), nil
}

func (m *memory) Read(ctx context.Context, path string) (File, error) {
	kind, err := m.Stat(ctx, path)
	content := m.files[path]
	switch {
	case err != nil:
		return File{}, err
	case kind == Directory:
		return File{}, errDirectory
	case len(content) > syntax.MaxBytes:
		return File{}, tooBig(syntax.MaxBytes)
	}
	return File{Real: path, Content: []byte(content)}, nil
}

func (m *memory) Stat(ctx context.Context, path string) (Kind, error) {
	if err := ctx.Err(); err != nil {
		return Other, err
	}
	if _, known := m.files[path]; known {
		return Regular, nil
	}
	if m.dirs[path] {
		return Directory, nil
	}
	return Other, fs.ErrNotExist
}

func (m *memory) Real(ctx context.Context, dir string) (string, error) {
	return realDirectory(ctx, m, dir)
}

// realDirectory is Real for a directory that no link leads to.
func realDirectory(ctx context.Context, tree Tree, dir string) (string, error) {
	switch kind, err := tree.Stat(ctx, dir); {
	case err != nil:
		return "", err
	case kind != Directory:
		return "", errNoDirectory
	}
	return dir, nil
}
