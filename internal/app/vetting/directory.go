package vetting

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/catalog"
)

// mark is the file by which a directory is known as one that was written here, so
// that what is in it may be replaced.
const mark = ".mcplumb-catalog"

// Write writes the files of the catalog to a directory, which it replaces. They will be served
// at an address, "" if unknown.
func (v *Vetted) Write(dir, address string) error {
	return replaceDirectory(dir, v.Catalog.Files(address))
}

// errNotOurs says why a directory is not written to.
var errNotOurs = errors.New("it contains files that mcplumb catalog did not write: name another directory")

// replaceDirectory writes a new directory next to the target, and moves it there when it is
// complete.
func replaceDirectory(dir string, files []catalog.File) error {
	isThere, err := isReplaceable(dir)
	if err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".mcplumb-catalog-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := writeFiles(fresh, append(files, catalog.File{Path: mark, Content: []byte("mcplumb catalog build writes this directory.\n")})); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil { //nolint:gosec // a web server must read it
		return err
	}
	if !isThere {
		return os.Rename(fresh, dir)
	}
	old := fresh + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// isReplaceable reports whether a directory is there, and refuses one with files that
// mcplumb did not write, and a link to one.
func isReplaceable(dir string) (isThere bool, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, errors.New("it is not a directory")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return true, err
	}
	if info, err := os.Lstat(filepath.Join(dir, mark)); err != nil || !info.Mode().IsRegular() {
		return true, errNotOurs
	}
	return true, nil
}

// writeFiles writes files into an empty directory.
func writeFiles(dir string, files []catalog.File) error {
	made := map[string]bool{}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if parent := filepath.Dir(path); !made[parent] {
			if err := os.MkdirAll(parent, 0o755); err != nil { //nolint:gosec // a web server must read it
				return err
			}
			made[parent] = true
		}
		to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a web server must read it
		if err != nil {
			return err
		}
		_, err = to.Write(f.Content)
		if err := errors.Join(err, to.Close()); err != nil {
			return err
		}
	}
	return nil
}
