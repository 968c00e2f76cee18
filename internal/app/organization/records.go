package organization

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// ReadRecords reads the records below directories, and returns the names of the repositories
// that have several.
func ReadRecords(ctx context.Context, env *workspace.Env, dirs []string) (f *fleet.Fleet, twice []string, err error) {
	var paths []string
	for _, dir := range dirs {
		found, err := recordsIn(env, dir)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s", dir, source.Explain(err))
		}
		paths = append(paths, found...)
	}
	records, unread, err := fleet.Read(ctx, paths, func(path string) (io.ReadCloser, error) { return openRecord(env.Absolute(path)) })
	if err != nil {
		return nil, nil, err
	}
	f, twice = fleet.New(records)
	f.Unread = unread
	return f, twice, nil
}

// openRecord opens a record. The error does not say which.
func openRecord(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.New(plainPathError(err))
	}
	return file, nil
}

// plainPathError is plainError of an error that has a path of its own.
func plainPathError(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return source.Explain(of.Err)
	}
	return source.Explain(err)
}

// recordsIn returns the records below a directory: files that end in .json, without those
// whose names begin with a dot and what links lead to. They are named as the directory is.
func recordsIn(env *workspace.Env, dir string) ([]string, error) {
	top, err := filepath.EvalSymlinks(env.Absolute(dir))
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(top); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, errors.New("it is not a directory"))
	}
	var paths []string
	err = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != top && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case entry.Type().IsRegular() && strings.HasSuffix(entry.Name(), ".json"):
			inside, err := filepath.Rel(top, path)
			if err != nil {
				return err
			}
			paths = append(paths, filepath.Join(dir, inside))
		}
		return nil
	})
	return paths, err
}
