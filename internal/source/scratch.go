package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Scratch is a directory for a while, among the temporary files of the machine. It is
// locked as long as it is in use, so that another run knows that it is not left over.
type Scratch struct {
	Path string
	lock *os.File
}

// scratchName is what scratch directories are called, before a number.
const scratchName = "mcplumb-fleet-"

// NewScratch makes an empty directory, which is the caller's to remove.
func NewScratch() (*Scratch, error) {
	for {
		dir, err := os.MkdirTemp("", scratchName)
		if err != nil {
			return nil, err
		}
		top, err := os.OpenRoot(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		locked, _, err := lockScratch(top, filepath.Base(dir))
		top.Close()
		switch {
		case err == nil:
			return &Scratch{dir, locked}, nil
		case !errors.Is(err, errTaken) && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		} // another run has just taken it for left over
	}
}

// errTaken is the error of a directory that another run has locked.
var errTaken = errors.New("another run is using it")

// lockScratch opens a directory and locks it, where the file system has locks.
func lockScratch(top *os.Root, name string) (*os.File, lockState, error) {
	f, err := top.OpenFile(name, os.O_RDONLY|noWaiting, 0)
	if err != nil {
		return nil, notLocked, err
	}
	state := lock(f)
	if state == lockedByOther || !isAt(f, top, name) {
		f.Close()
		return nil, state, errTaken
	}
	return f, state, nil
}

// Remove removes the directory with all that is in it.
func (s *Scratch) Remove() {
	_ = s.lock.Close()
	_ = os.RemoveAll(s.Path)
}

// RemoveScratches removes the directories that runs which were killed have left.
func RemoveScratches() {
	top, err := os.OpenRoot(os.TempDir())
	if err != nil {
		return
	}
	defer top.Close()
	entries, _ := fs.ReadDir(top.FS(), ".")
	for _, e := range entries {
		number, isScratch := strings.CutPrefix(e.Name(), scratchName)
		if !e.IsDir() || !isScratch || strings.Trim(number, "0123456789") != "" {
			continue
		}
		locked, state, err := lockScratch(top, e.Name())
		if err != nil {
			continue
		}
		if state == lockedByUs {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), e.Name()))
		}
		locked.Close()
	}
}
