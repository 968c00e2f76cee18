package lint

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
)

// candidate is a file to read.
type candidate struct {
	path  string
	match shape.Match
	role  mcp.Role
	// named reports that the file itself was named, unknown that moreover no format
	// knows its path: that it holds nothing is then worth saying.
	named, unknown bool
	// linked reports that another file names this one.
	linked bool
	// isState reports that a tool keeps the file out of git.
	isState bool
	// isLocal reports that git ignores the file, so it is in no list, and that a group of
	// the settings names it. It is only compared with its group.
	isLocal bool
}

// discovered are the files to read, sorted by path, and what could not be looked
// into.
type discovered struct {
	candidates []candidate
	errors     []FileError
	nested     []string // repositories that were not entered
	// asked counts the candidates among the targets; excluded are the files that only the settings
	// keep from being candidates, sorted.
	asked    int
	excluded []string
	// guessed reports that files may be missing because git was not available.
	guessed bool
	// isPersonal reports that the repository is one person's settings.
	isPersonal bool
}

// paths returns the paths of the files to read, and of those that the settings exclude.
func (d *discovered) paths() []string {
	paths := slices.Clone(d.excluded)
	for _, c := range d.candidates {
		paths = append(paths, c.path)
	}
	return paths
}

// Reads returns a function that reports whether a run over the whole repository reads a
// file, by its path from the root, regardless of the settings.
func Reads() func(path string) bool {
	index := format.Known()
	return func(path string) bool {
		_, known := index.Lookup(path)
		return known
	}
}

// discover finds the files to read: the named ones, and those below named
// directories whose path a format knows.
func discover(ctx context.Context, s *scope) (found discovered, err error) {
	byPath := map[string]candidate{}
	for _, t := range s.targets {
		if t.isDir {
			continue
		}
		_, known := s.index.Lookup(t.path)
		byPath[t.path] = candidate{path: t.path, match: s.index.Named(t.path), named: true, unknown: !known, role: s.roleOf(t.path)}
	}
	dirs := s.searched(s.listed || slices.ContainsFunc(s.groups, isAnywhere))
	var excluded excluded
	var signs homeSigns
	listing, err := s.list(ctx, dirs, &excluded, &signs)
	if err != nil {
		return found, err
	}
	for _, failed := range listing.Errors {
		found.errors = append(found.errors, FileError(failed))
	}
	found.nested, found.guessed, found.isPersonal = listing.Nested, listing.Guessed, signs.isPersonal()
	s.add(byPath, listing.Paths)
	if s.listed {
		s.add(byPath, s.unheld(ctx, dirs))
	} else {
		s.add(byPath, s.beside(ctx))
	}
	s.addLocal(ctx, byPath)
	if listing.Ignored {
		states, err := s.states(ctx, dirs, byPath)
		if err != nil {
			return found, err
		}
		s.add(byPath, states)
		for _, path := range states {
			c := byPath[path]
			c.isState = true
			byPath[path] = c
		}
	}
	found.excluded = excluded.sorted()
	for path := range byPath {
		if s.asks(path) {
			found.asked++
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		c := byPath[path]
		if c.match, err = s.withReaders(ctx, c); err != nil {
			return found, err
		}
		found.candidates = append(found.candidates, c)
	}
	return found, nil
}

// withReaders adds the clients that read a file in addition to those of its format: the
// project has the directory of these clients, and a file in it.
func (s *scope) withReaders(ctx context.Context, c candidate) (shape.Match, error) {
	match := c.match
	for _, dir := range match.Beside(c.path) {
		own := path.Join(match.Dir, dir)
		if kind, err := s.tree.Stat(ctx, own); err != nil || kind != source.Directory {
			continue
		}
		listing, err := s.tree.List(ctx, []string{own}, source.Want{File: func(string) bool { return true }})
		if err != nil {
			return match, err
		}
		if len(listing.Paths) > 0 {
			match = match.With(dir)
		}
	}
	return match, nil
}

// list lists the files below directories whose path a format knows, including those that
// clients find through a linked directory.
func (s *scope) list(ctx context.Context, dirs []string, excluded *excluded, signs *homeSigns) (source.Listing, error) {
	want := source.Want{
		File: func(path string) bool {
			signs.see(path)
			s.manifests.See(path)
			if _, known := s.index.Lookup(path); !known {
				return false
			}
			wants := s.filter.Wants(path)
			if !wants && s.asks(path) {
				excluded.add(path)
			}
			return wants
		},
		Link: func(path string) bool { return s.index.IsDirectory(path) && s.filter.Wants(path) },
		// Of a base the same is listed, and newExtent compares the two.
		Alone: true,
	}
	listing, err := s.tree.List(ctx, dirs, want)
	if err != nil || len(listing.Links) == 0 {
		return listing, err
	}
	links := map[string]bool{}
	for _, link := range listing.Links {
		links[link] = true
	}
	behind, err := source.Behind(ctx, s.tree, listing.Links, source.Want{
		File: func(path string) bool { return want.File(path) && s.isThrough(links, path) }, Link: want.Link,
	})
	listing.Paths = append(listing.Paths, behind.Paths...)
	listing.Errors = append(listing.Errors, behind.Errors...)
	return listing, err
}

// excluded are the paths that the settings exclude, found by several at once.
type excluded struct {
	mutex sync.Mutex
	paths []string
}

func (e *excluded) add(path string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.paths = append(e.paths, path)
}

// sorted returns the paths, each once.
func (e *excluded) sorted() []string {
	slices.Sort(e.paths)
	return slices.Compact(e.paths)
}

// isThrough reports whether a link is among the directories that a format names of
// a path. Without it the file is known by where it really is.
func (s *scope) isThrough(links map[string]bool, file string) bool {
	match, _ := s.index.Lookup(file)
	for dir := path.Dir(file); dir != match.Dir && dir != "."; dir = path.Dir(dir) {
		if links[dir] {
			return true
		}
	}
	return false
}

// beside returns the files at the paths that formats name, in the directories above the
// targets. It does not list those directories: a named file may be in a home directory.
func (s *scope) beside(ctx context.Context) []string {
	dirs := map[string]bool{}
	for _, t := range s.targets {
		for dir, home := t.path, s.home(t); dir != home && dir != ""; {
			if dir = path.Dir(dir); dir == "." {
				dir = ""
			}
			dirs[dir] = true
		}
	}
	var found []string
	for dir := range dirs {
		for _, known := range s.index.Literal() {
			file := path.Join(dir, known)
			if s.filter.Wants(file) && s.isFile(ctx, file) {
				found = append(found, file)
			}
		}
	}
	return found
}

// addLocal adds the files that groups name and that are in no list.
func (s *scope) addLocal(ctx context.Context, byPath map[string]candidate) {
	looked := map[string]bool{}
	for i := range s.groups {
		g := &s.groups[i]
		for _, dir := range basesOf(g, byPath) {
			for _, name := range append([]string{g.Source}, g.Files...) {
				file := path.Join(dir, name)
				match, known := s.index.Lookup(file)
				if _, listed := byPath[file]; !known || listed || looked[file] || !g.Literal && !glob.IsPlain(name) {
					continue
				}
				looked[file] = true
				if s.filter.Wants(file) && s.isFile(ctx, file) {
					byPath[file] = candidate{path: file, match: match, role: s.roleOf(file), isLocal: s.listed}
				}
			}
		}
	}
}

// basesOf returns the directories that the paths of a group start from, as far as listed
// files tell.
func basesOf(g *mcp.GroupSettings, listed map[string]candidate) []string {
	if !g.PerProject {
		return []string{""}
	}
	bases := map[string]bool{}
	for file := range listed {
		for _, name := range append([]string{g.Source}, g.Files...) {
			if rest, ok := strings.CutSuffix("/"+file, "/"+name); ok && name != "" && glob.IsPlain(name) {
				bases[strings.TrimPrefix(rest, "/")] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(bases))
}

// isAnywhere reports whether files of a group may be anywhere, so that all files must be
// listed.
func isAnywhere(g mcp.GroupSettings) bool {
	return g.PerProject || slices.ContainsFunc(g.Files, func(file string) bool { return !glob.IsPlain(file) })
}

// unheld returns the paths that formats name in the directories and that are in no list
// because git cannot hold them: a pipe, a directory without files. Reading them reports an
// error.
func (s *scope) unheld(ctx context.Context, dirs []string) []string {
	var found []string
	for _, dir := range dirs {
		for _, known := range s.index.Literal() {
			file := path.Join(dir, known)
			if !s.filter.Wants(file) || slices.Contains(s.index.States(), known) {
				continue // git may ignore state, of any kind
			}
			if kind, err := s.tree.Stat(ctx, file); err == nil && kind != source.Regular {
				found = append(found, file)
			}
		}
	}
	return found
}

// add adds files whose path a format knows.
func (s *scope) add(byPath map[string]candidate, paths []string) {
	for _, path := range paths {
		match, _ := s.index.Lookup(path)
		if _, known := byPath[path]; !known {
			byPath[path] = candidate{path: path, match: match, role: s.roleOf(path)}
		}
	}
}

// states returns the files in which tools keep their state out of git, and which are
// therefore in no list. It looks in the named directories, and in the projects below them
// that have another file to read.
func (s *scope) states(ctx context.Context, dirs []string, listed map[string]candidate) ([]string, error) {
	unique := map[string]bool{}
	for _, dir := range dirs {
		unique[dir] = true
	}
	for _, c := range listed {
		unique[c.match.Dir] = true
	}
	projects := slices.Collect(maps.Keys(unique))
	found := make([][]string, len(projects))
	err := parallel.For(ctx, len(projects), func(i int) {
		for _, state := range s.index.States() {
			file := path.Join(projects[i], state)
			_, known := listed[file]
			asked := slices.ContainsFunc(dirs, func(dir string) bool { return source.Within(dir, file) })
			if !known && asked && s.filter.Wants(file) && s.isFile(ctx, file) {
				found[i] = append(found[i], file)
			}
		}
	})
	return slices.Concat(found...), err
}

// isFile reports whether there is a file to read, which git does not list.
func (s *scope) isFile(ctx context.Context, path string) bool {
	kind, err := s.tree.Stat(ctx, path)
	return err == nil && kind == source.Regular
}
