package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Objects is the tree of a revision, read from git's objects. Nothing is checked out, and no
// filter, attribute or setting of the repository changes a byte. Submodules are not read.
// Where git does not have an object, as in a partial clone, the file is an error and nothing
// is fetched.
type Objects struct {
	entries []object          // sorted by path
	links   map[string]string // the ids of those that are links, by path
	nested  []string          // where other repositories belong
	errors  []FileError
	batch   *batch
	size    int // bytes of all names
}

// What keeps a hostile tree from filling the memory: ten trees that each name the next a
// hundred times are as many files as there is no memory for.
const maxFiles, maxNameBytes = 2_000_000, 256 << 20

// What keeps such a tree from filling it with files that are wanted: how many are listed,
// how many of those that cannot be are named, and how long a name may be. No system opens a
// longer one.
const maxListed, maxRefused, maxName = 20_000, 100, 4096

// object is a file or link of a tree.
type object struct {
	path, id   string
	link       bool
	executable bool
}

// Revision returns the tree of a revision ("main", "HEAD^1", a commit) of the
// repository in root, the top of a work tree or a bare repository. It must be
// closed, and cannot be read once the context has ended.
func Revision(ctx context.Context, root, rev string, git Git) (*Objects, error) {
	if rev == "" {
		return nil, errors.New("a revision is empty")
	}
	tree := rev
	if !isObjectID(rev) {
		id, err := git.output(ctx, root, "rev-parse", "--verify", "--end-of-options", rev+"^{tree}")
		if errors.Is(err, ErrNoGit) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("git does not know the revision %s: %w", rev, err)
		}
		tree = strings.TrimSpace(id)
	}
	o := &Objects{batch: newBatch(ctx, root, git), links: map[string]string{}}
	list := []string{"ls-tree", "-r", "-z", "--full-tree", tree}
	limited, stop := context.WithCancel(ctx)
	defer stop()
	most, isTooMuch := cmp.Or(git.MaxFiles, maxFiles), false
	_, err := git.each(limited, root, list, func(line string) {
		if o.size += len(line); len(o.entries) >= most || o.size > maxNameBytes {
			isTooMuch = true
			stop()
			return
		}
		o.add(line)
	})
	if isTooMuch {
		err = fmt.Errorf("they are more than %d, or their names more than %d MB", most, maxNameBytes>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("git cannot list the files of the revision %s: %w", rev, err)
	}
	// Git sorts them, but does not hold others to it.
	byPath := func(a, b object) int { return strings.Compare(a.path, b.path) }
	if !slices.IsSortedFunc(o.entries, byPath) {
		slices.SortStableFunc(o.entries, byPath)
	}
	return o, nil
}

// add adds a line of ls-tree: "100644 blob 1a2b…<tab>path".
func (o *Objects) add(line string) {
	head, name, _ := strings.Cut(line, "\t")
	mode, rest, _ := strings.Cut(head, " ")
	kind, id, _ := strings.Cut(rest, " ")
	switch {
	case kind == "commit":
		o.nested = append(o.nested, name)
	case kind != "blob" || len(name) > maxName:
	case !isCheckedOut(name):
		o.errors = append(o.errors, FileError{name, "has a name that git checks out nowhere"})
	default:
		isLink := mode == "120000"
		o.entries = append(o.entries, object{path: name, id: id, link: isLink, executable: mode == "100755"})
		if isLink {
			o.links[name] = id
		}
	}
}

// isCheckedOut reports whether git would write a file of this name to a work tree. The
// bytes of a name need not be UTF-8.
func isCheckedOut(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// Mode returns the mode that git has for a file, "100644" for one that is not there.
func (o *Objects) Mode(path string) string {
	if o.find(path).executable {
		return "100755"
	}
	return "100644"
}

// Close ends git.
func (o *Objects) Close() { o.batch.close() }

// Hold keeps what is read until Lacking is asked to a number of bytes: files that many trees
// share are small where they are kept, and not where they are read.
func (o *Objects) Hold(bytes int) { o.batch.room = bytes }

// Lacking returns the ids of the objects that were requested since the last call and are
// missing, each once.
func (o *Objects) Lacking() []string {
	o.batch.mutex.Lock()
	defer o.batch.mutex.Unlock()
	ids := sorted(o.batch.lacking)
	o.batch.lacking, o.batch.taken = nil, 0
	return ids
}

// List returns files and links.
func (o *Objects) List(ctx context.Context, dirs []string, want Want) (Listing, error) {
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	var links []string
	listing := pick(func(yield func(string) bool) {
		for i := range o.entries {
			e := &o.entries[i]
			if e.link && isWithin(dirs, e.path) && want.isLink(e.path) && o.leadsToDirectory(ctx, e.path) {
				links = append(links, e.path)
			}
			if !yield(e.path) {
				return
			}
		}
	}, dirs, want.File)
	listing.Links = links
	for _, nested := range o.nested {
		if isWithin(dirs, nested) {
			listing.Nested = append(listing.Nested, nested)
		}
	}
	for _, e := range o.errors {
		if isWithin(dirs, e.Path) && want.File(e.Path) {
			listing.Errors = append(listing.Errors, e)
		}
	}
	if more := len(listing.Errors) - maxRefused; more > 0 {
		listing.Errors = append(listing.Errors[:maxRefused], FileError{"", fmt.Sprintf("has %d more files with a name that git checks out nowhere", more)})
	}
	if more := len(listing.Paths) - maxListed; more > 0 {
		listing.Paths = listing.Paths[:maxListed]
		listing.Errors = append(listing.Errors, FileError{"", fmt.Sprintf("has more than %d files to check: %d were not read", maxListed, more)})
	}
	return listing, ctx.Err()
}

// leadsToDirectory reports whether a link leads to a directory, or out of the tree,
// where its kind is not looked up.
func (o *Objects) leadsToDirectory(ctx context.Context, link string) bool {
	kind, err := o.Stat(ctx, link)
	return err == nil && kind == Directory || errors.Is(err, errOutside)
}

// Real returns where a directory is.
func (o *Objects) Real(ctx context.Context, dir string) (string, error) {
	found, kind, err := o.resolve(ctx, dir)
	if err == nil && kind != Directory {
		err = errNoDirectory
	}
	return found.path, err
}

// Read reads a file.
func (o *Objects) Read(ctx context.Context, path string) (File, error) {
	found, kind, err := o.resolve(ctx, path)
	switch {
	case err != nil:
		return File{}, err
	case kind == Directory:
		return File{}, errDirectory
	}
	content, err := o.batch.read(ctx, found.id, syntax.MaxBytes)
	if err == nil && isPointer(content) {
		err = errPointer
	}
	return File{Real: found.path, Content: content}, err
}

// Stat returns the kind of a path.
func (o *Objects) Stat(ctx context.Context, path string) (Kind, error) {
	_, kind, err := o.resolve(ctx, path)
	return kind, err
}

// What keeps a hostile link from costing time: how often links lead to links,
// and how long what they say may be.
const maxLinks, maxTarget = 40, 4096

// resolve follows the links on the way to a path and at its end.
func (o *Objects) resolve(ctx context.Context, name string) (found object, kind Kind, err error) {
	if err := ctx.Err(); err != nil {
		return object{}, Other, err
	}
	at := name
	if o.leadsOn(name) {
		if at, err = o.follow(ctx, name); err != nil {
			return object{}, Other, err
		}
	}
	link, isLink := o.links[name] // the path itself, not one on the way
	found = o.find(at)
	switch {
	case found.id != "":
		return found, Regular, nil
	case o.isDirectory(at):
		return object{path: at}, Directory, nil
	case isLink:
		target, err := o.batch.read(ctx, link, maxTarget)
		if err != nil {
			return object{}, Other, err
		}
		return object{}, Other, &BrokenLink{Target: string(target)}
	}
	return object{}, Other, fs.ErrNotExist
}

// leadsOn reports whether a path may not be where it says: it is a link, or behind
// one. Most are neither, and there is nothing to follow.
func (o *Objects) leadsOn(name string) bool {
	if !isCheckedOut(name) {
		return true
	}
	_, isLink := o.links[name]
	for dir := range above(name) {
		_, isBehind := o.links[dir]
		isLink = isLink || isBehind
	}
	return isLink
}

// follow returns where a path is, links resolved. Nothing needs to be there.
func (o *Objects) follow(ctx context.Context, name string) (string, error) {
	at, links := "", 0
	for rest := name; rest != ""; {
		var next string
		next, rest, _ = strings.Cut(rest, "/")
		if next == ".." && at == "" {
			return "", errOutside
		}
		above := at
		at = strings.TrimPrefix(path.Join("/", at, next), "/")
		id, isLink := o.links[at]
		if !isLink {
			continue
		}
		if links++; links > maxLinks {
			return "", errors.New("is a link that cannot be followed: too many links")
		}
		target, err := o.batch.read(ctx, id, syntax.MaxBytes)
		switch {
		case err != nil:
			return "", err
		case len(target) > maxTarget:
			return "", errors.New("is a link that cannot be followed: file name too long")
		case path.IsAbs(string(target)):
			return "", errOutside
		}
		at, rest = above, strings.TrimSuffix(string(target)+"/"+rest, "/")
	}
	return at, nil
}

// find returns the object at a path, which is zero if there is none.
func (o *Objects) find(name string) object {
	i, known := slices.BinarySearchFunc(o.entries, name, func(e object, name string) int { return strings.Compare(e.path, name) })
	if !known {
		return object{}
	}
	return o.entries[i]
}

// isDirectory reports whether there are files below a path.
func (o *Objects) isDirectory(name string) bool {
	if name == "" {
		return true
	}
	below := name + "/"
	i, _ := slices.BinarySearchFunc(o.entries, below, func(e object, below string) int { return strings.Compare(e.path, below) })
	return i < len(o.entries) && strings.HasPrefix(o.entries[i].path, below)
}
