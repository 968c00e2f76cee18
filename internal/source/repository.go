package source

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repository is one that git is asked about. All paths are from the root of the
// tree, in which it may be nested.
type repository struct {
	top string // from the root of the tree
	dir string // absolute
	git Git
}

// fromRoot returns a path that git says, from the root of the tree.
func (r *repository) fromRoot(file string) string {
	if r.top == "" {
		return file
	}
	return path.Join(r.top, file)
}

// fromTop returns paths from the root of the tree as git has them.
func (r *repository) fromTop(dirs []string) []string {
	within := make([]string, len(dirs))
	for i, dir := range dirs {
		within[i] = strings.TrimPrefix(strings.TrimPrefix(dir, r.top), "/")
	}
	return within
}

// files returns what git knows below dirs, and in which of these it knows a file.
func (r *repository) files(ctx context.Context, dirs []string, want Want) (found listed, seen map[string]bool, err error) {
	seen = map[string]bool{}
	unseen := slices.Clone(dirs) // mostly one directory, which the first file is in
	found, err = r.git.files(ctx, r.dir, r.fromTop(dirs), r.want(want, func(file string) {
		unseen = slices.DeleteFunc(unseen, func(dir string) bool {
			seen[dir] = seen[dir] || Within(dir, file)
			return seen[dir]
		})
	}))
	return r.rebased(found), seen, err
}

// tracked returns what git tracks below dirs.
func (r *repository) tracked(ctx context.Context, dirs []string, want Want) (listed, error) {
	found, err := r.git.tracked(ctx, r.dir, r.fromTop(dirs), r.want(want, func(string) {}))
	return r.rebased(found), err
}

// want returns what is wanted by the names that git has, and shows every file to
// see.
func (r *repository) want(want Want, see func(file string)) Want {
	return Want{
		File: func(file string) bool {
			file = r.fromRoot(file)
			see(file)
			return want.File(file)
		},
		Link: func(link string) bool { return want.isLink(r.fromRoot(link)) },
	}
}

// rebased returns what git lists with paths from the root of the tree.
func (r *repository) rebased(found listed) listed {
	if r.top == "" {
		return found
	}
	for _, paths := range [][]string{found.paths, found.suspects, found.nested} {
		for i := range paths {
			paths[i] = r.fromRoot(paths[i])
		}
	}
	return found
}

// modules returns where .gitmodules says that submodules belong. Where it cannot
// be read git would say so.
func (r *repository) modules(ctx context.Context) []string {
	info, err := os.Lstat(filepath.Join(r.dir, ".gitmodules"))
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	paths, _ := r.git.modules(ctx, r.dir)
	return r.rebased(listed{paths: paths}).paths
}

// warned returns what git could not read, according to a warning. Other warnings are about
// settings and ignore files that git goes on without: no file is missing.
func (r *repository) warned(line string) []FileError {
	rest, ok := strings.CutPrefix(line, "warning: could not open directory '")
	if !ok {
		return nil
	}
	dir, why, _ := strings.Cut(rest, "': ")
	return []FileError{{r.fromRoot(strings.TrimSuffix(dir, "/")), "cannot be read: " + strings.ToLower(why)}}
}
