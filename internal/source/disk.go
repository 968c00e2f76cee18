package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// disk is a directory on disk.
type disk struct {
	root string // absolute, links resolved
	git  Git
	// dirs caches where directories really are, since most files share theirs.
	dirs sync.Map
	// within opens files below the root.
	within *root
}

// Disk returns the tree of the files below root, an absolute path without links.
// With a git program, root is the top of a work tree, and git says which files
// there are; else the directories are walked.
func Disk(root string, git Git) Tree {
	return &disk{root: root, git: git, within: newRoot(root)}
}

// List asks git for its files, tracked and untracked but not ignored, and walks
// where git knows nothing. Git cannot hold pipes, devices and directories without
// files, and lists none; a walk does.
func (d *disk) List(ctx context.Context, dirs []string, want Want) (Listing, error) {
	var all Listing
	for top, within := range d.byRepository(dirs) {
		listing, err := d.list(ctx, top, within, want)
		if err != nil {
			return Listing{}, err
		}
		all.Paths, all.Links, all.Nested = append(all.Paths, listing.Paths...), append(all.Links, listing.Links...), append(all.Nested, listing.Nested...)
		all.Errors, all.Ignored = append(all.Errors, listing.Errors...), all.Ignored || listing.Ignored
		all.Guessed = all.Guessed || listing.Guessed
	}
	all.Paths, all.Links, all.Nested = sorted(all.Paths), sorted(all.Links), sorted(all.Nested)
	return all, nil
}

// byRepository returns directories by the repository that they belong to: that in the root, or
// one within it, whose files the outer one does not list.
func (d *disk) byRepository(dirs []string) map[string][]string {
	byTop := map[string][]string{}
	for _, dir := range dirs {
		top := ""
		if d.git.Program != "" {
			full := filepath.Join(d.root, filepath.FromSlash(dir))
			top, _ = Below(d.root, gitTop(full))
		}
		byTop[top] = append(byTop[top], dir)
	}
	return byTop
}

// list lists what is wanted in directories of one repository, whose top is given
// from the root.
func (d *disk) list(ctx context.Context, top string, dirs []string, want Want) (Listing, error) {
	w := walker{ctx: ctx, root: d.root, want: want}
	if d.git.Program != "" {
		var err error
		if dirs, err = d.ask(ctx, top, dirs, &w); err != nil {
			return Listing{}, err
		}
	}
	for _, dir := range dirs {
		if err := w.walk(dir); err != nil {
			return Listing{}, err
		}
	}
	for _, dir := range w.visited {
		d.dirs.Store(dir, dir) // the walk follows no links, so that is where it is
	}
	return Listing{Paths: w.paths, Links: w.links, Nested: w.nested, Errors: w.errors, Ignored: w.ignores, Guessed: w.leftOut}, nil
}

// ask asks git for the files of directories, and returns the directories to walk, because git
// ignores them or cannot be asked.
func (d *disk) ask(ctx context.Context, top string, dirs []string, w *walker) ([]string, error) {
	r := repository{top: top, dir: filepath.Join(d.root, filepath.FromSlash(top)), git: d.git}
	found, seen, err := r.files(ctx, dirs, w.want)
	silent := errors.Is(err, errSilent)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case silent:
		w.errors = append(w.errors, FileError{top, "git did not finish listing the files, which a pattern in a .gitignore can cause: mcplumb searched for them without git"})
		found, err = r.tracked(ctx, dirs, w.want)
	case err != nil:
		w.errors = append(w.errors, FileError{top, fmt.Sprintf(
			"git cannot list the files, which may leave out tracked files in .gitignore: %v", err)})
	}
	if err != nil {
		return dirs, ctx.Err()
	}
	w.paths, w.ignores = append(w.paths, found.paths...), true
	for _, warning := range found.warnings {
		w.errors = append(w.errors, r.warned(warning)...)
	}
	for _, suspect := range found.suspects {
		d.look(suspect, w)
	}
	for _, nested := range append(found.nested, r.modules(ctx)...) {
		if isWithin(dirs, nested) {
			d.lookForRepository(ctx, nested, w)
		}
	}
	if silent {
		return dirs, ctx.Err()
	}
	// A directory that git ignores is still listed if the user named it.
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return dir == top || seen[dir] }), ctx.Err()
}

// look tells what a path is that may be a link to a directory, or a repository.
func (d *disk) look(suspect string, w *walker) {
	full := filepath.Join(d.root, filepath.FromSlash(suspect))
	info, err := os.Lstat(full)
	switch {
	case err != nil:
	case info.IsDir():
		d.lookForRepository(w.ctx, suspect, w)
	case info.Mode().Type() == fs.ModeSymlink:
		if isDirectory(full) {
			w.links = append(w.links, suspect)
		}
	}
}

// lookForRepository notes a repository that has been checked out.
func (d *disk) lookForRepository(ctx context.Context, dir string, w *walker) {
	if kind, err := d.Stat(ctx, path.Join(dir, ".git")); err == nil && kind != Other {
		w.nested = append(w.nested, dir)
	}
}

// Real returns where a directory is.
func (d *disk) Real(ctx context.Context, dir string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	_, real, info, err := d.resolve(dir)
	if err == nil && !info.IsDir() {
		err = errNoDirectory
	}
	return real, err
}

// Read reads a file. Pipes and devices are never opened.
func (d *disk) Read(ctx context.Context, path string) (File, error) {
	if err := ctx.Err(); err != nil {
		return File{}, err
	}
	_, real, info, err := d.resolve(path)
	if err != nil {
		return File{}, err
	}
	content, err := readRegular(func() (*os.File, error) { return d.within.open(real) }, info, syntax.MaxBytes)
	if err == nil && isPointer(content) {
		err = errPointer
	}
	return File{Real: real, Content: content}, err
}

// Stat returns the kind of a path.
func (d *disk) Stat(ctx context.Context, path string) (Kind, error) {
	if err := ctx.Err(); err != nil {
		return Other, err
	}
	_, _, info, err := d.resolve(path)
	switch {
	case err != nil:
		return Other, err
	case info.IsDir():
		return Directory, nil
	case info.Mode().IsRegular():
		return Regular, nil
	}
	return Other, nil
}

// errOutside is the error of a link that leads out of the tree.
var errOutside = errors.New("is a link out of the repository, which is not followed")

// errGits is the error of a link into what is git's own, which can hold a token.
var errGits = errors.New("is a link into .git, which is not followed")

// resolve returns the absolute path of a file with links resolved, that path
// from the root, and what is there.
func (d *disk) resolve(path string) (full, real string, info fs.FileInfo, err error) {
	if path == "" {
		full = d.root
		info, err = os.Lstat(full)
	} else {
		full, info, err = d.follow(path)
	}
	if err != nil {
		return "", "", nil, err
	}
	real, ok := Below(d.root, full)
	switch {
	case !ok:
		return "", "", nil, errOutside
	case !IsGits(path) && IsGits(real):
		return "", "", nil, errGits
	}
	return full, real, info, nil
}

// follow returns where a path leads, which may be out of the tree.
func (d *disk) follow(path string) (string, fs.FileInfo, error) {
	dir, base := filepath.Split(filepath.Join(d.root, filepath.FromSlash(path)))
	realDir, err := d.resolveDir(filepath.Clean(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil, fs.ErrNotExist // git still tracks deleted files
	case err != nil:
		return "", nil, errors.New("is in a directory that cannot be read: " + reason(err))
	}
	full := filepath.Join(realDir, base)
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil, fs.ErrNotExist
	case err != nil:
		return "", nil, errors.New(reason(err))
	case info.Mode().Type() != fs.ModeSymlink:
		return full, info, nil
	}
	link := full
	full, err = filepath.EvalSymlinks(link)
	if err == nil {
		info, err = os.Lstat(full)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target, _ := os.Readlink(link)
		return "", nil, &BrokenLink{Target: filepath.ToSlash(target)}
	case err != nil:
		return "", nil, errors.New("is a link that cannot be followed: " + reason(err))
	}
	return full, info, nil
}

// BrokenLink is the error of a link that leads nowhere.
type BrokenLink struct {
	Target string // as the link has it, "" where that is not known
}

func (*BrokenLink) Error() string { return "is a link to a file that does not exist" }

// resolveDir returns where a directory below the root really is. Each is resolved once: most
// files share the directories above them.
func (d *disk) resolveDir(dir string) (string, error) {
	if dir == d.root || len(dir) <= len(d.root) {
		return d.root, nil
	}
	if real, known := d.dirs.Load(dir); known {
		return real.(string), nil
	}
	above, err := d.resolveDir(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	real := filepath.Join(above, filepath.Base(dir))
	info, err := os.Lstat(real)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", err
	}
	d.dirs.Store(dir, real)
	return real, nil
}

// ReadFile reads a file of at most syntax.MaxBytes anywhere on disk, links
// followed: one that a person named. It fails as Tree.Read does.
func ReadFile(path string) ([]byte, error) {
	// Pipes and devices are links' targets, too.
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, plain(err)
	}
	return readFile(real, syntax.MaxBytes)
}

// ReadStream reads a stream up to one byte more than a file may have: what is too
// big then says so when it is read from a tree.
func ReadStream(stream io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(stream, syntax.MaxBytes+1))
}

// readFile reads a file if it is a regular one.
func readFile(path string, limit int) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, plain(err)
	}
	return readRegular(func() (*os.File, error) { return os.Open(path) }, info, limit)
}

// readRegular reads a regular file of at most limit bytes. What it is and how
// big says info, before it is opened: opening a pipe blocks, and a huge file is
// not worth reading to refuse it.
func readRegular(open func() (*os.File, error), info fs.FileInfo, limit int) ([]byte, error) {
	switch {
	case info.IsDir():
		return nil, errDirectory
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > int64(limit):
		return nil, tooBig(limit)
	}
	f, err := open()
	if err != nil {
		return nil, errors.New(reason(err))
	}
	defer f.Close()
	// One byte more than there should be tells whether the file has grown since.
	content := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, content)
	switch {
	case err == nil:
		return nil, errors.New("changed while it was read")
	case err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New(reason(err))
	}
	return content[:n], nil
}

// The errors of reading a directory, and of listing what is not a directory.
var (
	errDirectory   = errors.New("is a directory, not a file")
	errNoDirectory = errors.New("is not a directory")
)

// plain returns an error without the path, which the message names in its own
// way.
func plain(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	return errors.New(reason(err))
}

// reason says what went wrong, without the path.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}
