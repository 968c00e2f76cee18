// A browser keeps no answers of registries.

//go:build !js

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/registry"
	"github.com/mcplumb/mcplumb/internal/source"
)

// cacheDir is a directory in which answers are kept, one a file.
type cacheDir struct{ dir string }

// openCache makes a directory for answers, and removes those that are too old to be used.
// What is in it is trusted, so it must not be inside the repository: a proposed change
// could bring answers along.
func (w *Workspace) openCache(name string) (*cacheDir, error) {
	dir := w.Absolute(name)
	if _, inside := source.Below(w.Root, RealPath(dir)); inside {
		return nil, errors.New("use a directory outside of the repository, since mcplumb trusts its contents")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, errors.New(source.Explain(errors.Unwrap(err)))
	}
	c := &cacheDir{dir}
	c.prune(w.Env.Now())
	return c, nil
}

// RealPath returns a path with its links resolved, as far as it is there.
func RealPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	above := filepath.Dir(path)
	if above == path {
		return path
	}
	return filepath.Join(RealPath(above), filepath.Base(path))
}

// The names of files of a cache.
const cachePrefix, cacheSuffix = "mcplumb-", ".json"

func (c *cacheDir) path(name string) string {
	return filepath.Join(c.dir, cachePrefix+name+cacheSuffix)
}

// Load returns what was saved under a name.
func (c *cacheDir) Load(name string) ([]byte, error) { return source.ReadFile(c.path(name)) }

// Save replaces what is kept under a name.
func (c *cacheDir) Save(name string, content []byte) error {
	return source.WriteFile("", c.path(name), source.Writing(content))
}

// prune removes files of a cache that are too old to be used. What cannot be removed
// stays, and is not used either.
func (c *cacheDir) prune(now time.Time) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, cachePrefix) || !strings.HasSuffix(name, cacheSuffix) || entry.Type() != fs.FileMode(0) {
			continue
		}
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > registry.LongestKept {
			_ = os.Remove(filepath.Join(c.dir, name)) // another run may have done so
		}
	}
}
