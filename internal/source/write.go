package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WriteFile replaces a file in one step: readers see the old content or the new, never a part.
// Mode and links of an old file are kept; pipes and devices are written to as they are.
//
// A person may name a file anywhere. Links in the repository are another matter: none may lead
// out of root, the root of the repository, or into git's own directory.
func WriteFile(root, target string, write func(io.Writer) error) error {
	dir, base, err := openPlace(root, target)
	if err != nil {
		return err
	}
	defer dir.Close()
	info, statErr := dir.Lstat(base)
	if statErr == nil && info.Mode().Type() == fs.ModeSymlink {
		// The file system finds no target: the link leads to a stream of this process, as
		// /dev/stdout does, or to nothing, and is replaced.
		info, statErr = os.Stat(target)
	}
	switch {
	case statErr == nil && info.IsDir():
		return errors.New("is a directory")
	case statErr == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if statErr != nil {
		info = nil
	}
	return replace(dir, base, info, write)
}

// WriteInside writes a file as WriteFile does whose path from the root the repository
// itself has chosen: it leads neither out of the repository nor into what git keeps there,
// whether by its name or by links.
func WriteInside(root, path string, write func(io.Writer) error) error {
	local := filepath.FromSlash(path)
	switch {
	case !filepath.IsLocal(local):
		return errNamedOutside
	case IsGits(path):
		return errNamedGits
	}
	return WriteFile(root, filepath.Join(root, local), write)
}

// The errors of a path that the repository has chosen.
var (
	errNamedOutside = errors.New("it is not in the repository")
	errNamedGits    = errors.New("it is in a directory that git keeps for itself")
)

// The errors of a name that links lead astray.
var (
	errWrittenOutside = errors.New("a link leads out of the repository")
	errWrittenToGit   = errors.New("a link leads into .git")
)

// openPlace opens the directory that a file will be written to, links resolved, and returns
// the name in it. What becomes a link after that is not followed.
func openPlace(root, target string) (dir *os.Root, base string, err error) {
	real, err := filepath.EvalSymlinks(target)
	if err != nil {
		if real, err = filepath.EvalSymlinks(filepath.Dir(target)); err != nil {
			return nil, "", err
		}
		real = filepath.Join(real, filepath.Base(target))
	}
	base = filepath.Base(real)
	named, isNamed := within(root, target)
	if !isNamed {
		dir, err = os.OpenRoot(filepath.Dir(real))
		return dir, base, err
	}
	place, inside := Below(root, real)
	switch {
	case !inside:
		return nil, "", errWrittenOutside
	case IsGits(place) && !IsGits(named):
		return nil, "", errWrittenToGit
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, "", err
	}
	defer top.Close()
	dir, err = top.OpenRoot(filepath.Dir(filepath.FromSlash(place)))
	return dir, base, err
}

// within returns the rest of a path, as it was written, that goes through a
// directory, and whether it does. The directory is absolute, links resolved.
func within(dir, path string) (string, bool) {
	if dir == "" {
		return "", false
	}
	for above := filepath.Dir(path); ; above = filepath.Dir(above) {
		if real, err := filepath.EvalSymlinks(above); err == nil && real == dir {
			return Below(above, path)
		}
		if above == filepath.Dir(above) {
			return "", false
		}
	}
}

// IsGits reports whether a path is in a directory that git keeps for itself, on any
// system: Windows takes more names for it (git's own is_ntfs_dotgit, path.c of 2.50).
func IsGits(path string) bool {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return slices.ContainsFunc(parts, func(name string) bool {
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimRight(name, " .")
		return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
	})
}

// replace writes a new file and gives it the name of the old one, with the old one's mode;
// info is nil without an old one.
func replace(dir *os.Root, base string, info fs.FileInfo, write func(io.Writer) error) (err error) {
	t, err := createTemporary(dir)
	if err != nil {
		return err
	}
	if info != nil {
		err = t.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = write(t)
	}
	if err == nil {
		err = t.Sync()
	}
	if err == nil {
		err = t.rename(base)
	}
	if err != nil {
		return errors.Join(err, t.discard())
	}
	return ignoreClosed(t.Close())
}
