package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/parallel"
)

// Replacement is a file of a repository that gets new content.
type Replacement struct {
	// Path is where it really is, links resolved, from the root.
	Path string
	// Old is what was read from it, nil if Replace creates the file; New is its new content.
	Old, New []byte
}

// Replace writes files of a repository, each in one step: after any failure, a file has either
// its old or its new content. Modes are kept. A file that changed since it was read is left
// alone, as is one that is read-only or behind a path that has become a link. The errors are
// those of single files, in their order; the others are written. When the context ends no
// further file is begun.
func Replace(ctx context.Context, root string, files []Replacement) []FileError {
	top, err := os.OpenRoot(root)
	results := make([]error, len(files))
	if err == nil {
		defer top.Close()
		stopped := parallel.For(ctx, len(files), func(i int) {
			if results[i] = files[i].write(top); results[i] == nil || errors.Is(results[i], errSame) {
				results[i] = errWritten
			}
		})
		err = stopped
	}
	var failed []FileError
	for i, result := range results {
		switch {
		case errors.Is(result, errWritten):
		case result != nil:
			failed = append(failed, FileError{files[i].Path, "was not written: " + reason(result)})
		default:
			failed = append(failed, FileError{files[i].Path, "was not written: " + reason(err)})
		}
	}
	return failed
}

// errWritten tells a file that was written from one that was not begun.
var errWritten = errors.New("written")

// The errors of files that are not what was read.
var (
	errNotAsRead = errors.New("it has changed since it was read")
	errLinkedNow = errors.New("a part of its path has become a link since it was read")
	errInGit     = errors.New("it is in a directory that git keeps for itself")
	errNoFile    = errors.New("it is no longer a regular file")
	errGone      = errors.New("it is gone since it was read")
	errSame      = errors.New("another program has written it") // there is nothing to do
)

// write writes one file.
func (r *Replacement) write(top *os.Root) error {
	if IsGits(r.Path) {
		return errInGit
	}
	name, base := path.Split(r.Path)
	if r.Old == nil && name != "" {
		if err := top.MkdirAll(strings.TrimSuffix(name, "/"), 0o777); err != nil {
			return err
		}
	}
	dir, err := openPlain(top, strings.TrimSuffix(name, "/"))
	if err != nil {
		return err
	}
	defer dir.Close()
	mode, err := r.check(dir, base)
	if err != nil {
		return err
	}
	return r.replace(dir, base, mode)
}

// replace writes the new content to a file next to the old one, and renames it over that if
// the old one is still as it was read.
func (r *Replacement) replace(dir *os.Root, base string, mode fs.FileMode) (err error) {
	t, err := createTemporary(dir)
	if err != nil {
		return err
	}
	isRenamed := false
	defer func() {
		if !isRenamed {
			_ = t.discard() // what is wrong with the file says more
			return
		}
		_ = t.Close() // it is synced
	}()
	if r.Old != nil {
		if err := t.Chmod(mode); err != nil {
			return err
		}
	}
	if _, err := t.Write(r.New); err != nil {
		return err
	}
	if err := t.Sync(); err != nil {
		return err
	}
	if _, err := r.check(dir, base); err != nil {
		return err
	}
	err = t.rename(base)
	isRenamed = err == nil
	return err
}

// check makes sure that the file is as it was read and may be written, and returns
// its mode.
func (r *Replacement) check(dir *os.Root, base string) (fs.FileMode, error) {
	info, err := dir.Lstat(base)
	switch {
	case r.Old == nil && errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case r.Old == nil && err == nil:
		return 0, errNotAsRead
	case errors.Is(err, fs.ErrNotExist):
		return 0, errGone
	case err != nil:
		return 0, err
	case info.Mode().Type() == fs.ModeSymlink:
		return 0, errLinkedNow
	case !info.Mode().IsRegular():
		return 0, errNoFile
	}
	f, err := dir.OpenFile(base, os.O_RDWR|noWaiting, 0) // one that is read-only does not open
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if !isAt(f, dir, base) {
		return 0, errNotAsRead
	}
	content, err := io.ReadAll(io.LimitReader(f, int64(max(len(r.Old), len(r.New)))+1))
	switch {
	case err != nil:
	case bytes.Equal(content, r.New):
		err = errSame
	case !bytes.Equal(content, r.Old):
		err = errNotAsRead
	}
	return info.Mode().Perm(), err
}

// openPlain opens a directory of a repository with no link on the way.
func openPlain(top *os.Root, name string) (*os.Root, error) {
	dir, err := top.OpenRoot(".")
	if err != nil || name == "" {
		return dir, err
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := openNext(dir, part)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

func openNext(dir *os.Root, name string) (*os.Root, error) {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, errLinkedNow
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) {
		next.Close()
		return nil, errLinkedNow
	}
	return next, nil
}
