package source

import (
	"os"
	"path/filepath"
	"sync"
)

// root opens files below a directory, and nothing outside it, even if a path has become a link
// since it was checked. It is open from the first file on.
type root struct {
	opened func() (*openRoot, error)
}

// openRoot is a directory twice: the second handle is for calls that os.Root has
// not.
type openRoot struct {
	*os.Root
	dir *os.File
}

func newRoot(path string) *root {
	return &root{sync.OnceValues(func() (*openRoot, error) {
		inside, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		dir, err := inside.Open(".")
		return &openRoot{inside, dir}, err
	})}
}

// open opens a file by its path from the root, in which there are no links. os.Root
// opens one directory after the other; where the system does all of it in one call,
// that is tried first.
func (r *root) open(path string) (*os.File, error) {
	opened, err := r.opened()
	if err != nil {
		return nil, err
	}
	if f, ok := openAtOnce(opened.dir, path); ok {
		return f, nil
	}
	return opened.OpenFile(filepath.FromSlash(path), os.O_RDONLY|noWaiting, 0)
}
