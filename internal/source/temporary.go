package source

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
)

// lockState is the outcome of locking a file.
type lockState uint8

const (
	notLocked lockState = iota // the file system has no locks
	lockedByUs
	lockedByOther
)

// temporary is a file that takes another one's name once it is whole.
type temporary struct {
	*os.File
	dir  *os.Root
	name string
}

// temporaryName is how temporary files are called, and nothing else.
const temporaryName = `^\.mcplumb-[0-9a-f]{16}\.tmp$`

// createTemporary creates an empty file in a directory. Unlike os.CreateTemp it
// leaves the mode to the umask, as for any file people make. The file is locked as
// long as it is open, so that another run knows that it is not left over.
func createTemporary(dir *os.Root) (*temporary, error) {
	for {
		name := fmt.Sprintf(".mcplumb-%016x.tmp", rand.Uint64())
		f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if lock(f) != lockedByOther && isAt(f, dir, name) {
			return &temporary{f, dir, name}, nil
		}
		f.Close() // another run has just taken it for left over
	}
}

// isAt reports whether a file that is open is the one of a name.
func isAt(f *os.File, dir *os.Root, name string) bool {
	named, err := dir.Lstat(name)
	if err != nil {
		return false
	}
	opened, err := f.Stat()
	return err == nil && os.SameFile(named, opened)
}

// rename gives a file that has been written the name of another. Where files can be
// locked it is open until then.
func (t *temporary) rename(base string) error {
	if !canLock {
		if err := t.Close(); err != nil {
			return err
		}
	}
	return t.dir.Rename(t.name, base)
}

// discard removes the file, which is not needed.
func (t *temporary) discard() error {
	return errors.Join(ignoreClosed(t.Close()), t.dir.Remove(t.name))
}

func ignoreClosed(err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// RemoveLeftovers removes the temporary files that runs which were killed have left
// in directories of a repository, given from its root. It follows no links and
// keeps what another run is writing; what cannot be removed stays.
func RemoveLeftovers(root string, dirs []string) {
	top, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer top.Close()
	for _, name := range dirs {
		dir, err := openPlain(top, name)
		if err != nil {
			continue
		}
		removeLeftovers(dir)
		dir.Close()
	}
}

func removeLeftovers(dir *os.Root) {
	isOurs := regexp.MustCompile(temporaryName)
	entries, _ := fs.ReadDir(dir.FS(), ".")
	for _, e := range entries {
		if !e.Type().IsRegular() || !isOurs.MatchString(e.Name()) {
			continue
		}
		f, err := dir.OpenFile(e.Name(), os.O_RDONLY|noWaiting, 0)
		if err != nil {
			continue
		}
		if isAt(f, dir, e.Name()) && lock(f) == lockedByUs {
			_ = dir.Remove(e.Name())
		}
		f.Close()
	}
}
