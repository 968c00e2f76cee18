package source

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// overlay is a tree with some files replaced.
type overlay struct {
	below Tree
	files map[string][]byte
	dirs  map[string]bool // those that the edits need
}

// Overlay returns a tree with other contents: files by the path that they really
// are at, links resolved. One that is nil is deleted, one that is not in the tree
// below is added. An edit does not change whether a file is listed.
func Overlay(below Tree, files map[string][]byte) Tree {
	written := func(yield func(string) bool) {
		for path, content := range files {
			if content != nil && !yield(path) {
				return
			}
		}
	}
	return &overlay{below: below, files: files, dirs: directoriesOf(written)}
}

func (o *overlay) List(ctx context.Context, dirs []string, want Want) (Listing, error) {
	listing, err := o.below.List(ctx, dirs, want)
	if err != nil {
		return Listing{}, err
	}
	paths := slices.DeleteFunc(slices.Clone(listing.Paths), func(path string) bool {
		content, edited := o.files[path]
		return edited && content == nil
	})
	var added []string
	for _, path := range slices.Sorted(maps.Keys(o.files)) {
		if o.files[path] == nil {
			continue
		}
		_, err := o.below.Stat(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			added = append(added, path)
		}
	}
	listing.Paths = append(paths, pick(slices.Values(added), dirs, want.File).Paths...)
	listing.Paths = sorted(listing.Paths)
	return listing, ctx.Err()
}

func (o *overlay) Read(ctx context.Context, path string) (File, error) {
	if content, edited := o.files[path]; edited {
		return o.edited(ctx, path, content)
	}
	file, err := o.below.Read(ctx, path)
	if content, edited := o.files[file.Real]; err == nil && edited {
		// A link leads to what was edited.
		if content == nil {
			return File{}, &BrokenLink{Target: file.Real}
		}
		return o.edited(ctx, file.Real, content)
	}
	if errors.Is(err, fs.ErrNotExist) && o.dirs[path] {
		err = errDirectory
	}
	return file, err
}

// edited returns a file of the edits.
func (o *overlay) edited(ctx context.Context, path string, content []byte) (File, error) {
	switch {
	case ctx.Err() != nil:
		return File{}, ctx.Err()
	case content == nil:
		return File{}, fs.ErrNotExist
	case len(content) > syntax.MaxBytes:
		return File{}, tooBig(syntax.MaxBytes)
	}
	return File{Real: path, Content: content}, nil
}

func (o *overlay) Stat(ctx context.Context, path string) (Kind, error) {
	if err := ctx.Err(); err != nil {
		return Other, err
	}
	content, edited := o.files[path]
	switch {
	case edited && content == nil:
		return Other, fs.ErrNotExist
	case edited:
		return Regular, nil
	case o.dirs[path]:
		return Directory, nil
	}
	kind, err := o.below.Stat(ctx, path)
	if err == nil && kind == Regular {
		// Reading tells where a link leads.
		var nowhere *BrokenLink
		if _, err := o.Read(ctx, path); errors.As(err, &nowhere) {
			return Other, err
		}
	}
	return kind, err
}

func (o *overlay) Real(ctx context.Context, dir string) (string, error) {
	real, err := o.below.Real(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) && o.dirs[dir] {
		return realDirectory(ctx, o, dir)
	}
	return real, err
}
