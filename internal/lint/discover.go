package lint

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/source"
)

// candidate is a file to read.
type candidate struct {
	path  string
	match format.Match
	role  mcp.Role
	// named reports that the file was named and no format knows its path: that
	// it holds nothing is then worth saying.
	named bool
}

// discovered are the files to read, sorted by path, and what could not be looked
// into.
type discovered struct {
	candidates []candidate
	errors     []FileError
	// asked counts the candidates that were asked for, excluded are the files that
	// would be candidates but for the settings, sorted.
	asked    int
	excluded []string
}

// Reads returns what tells whether a run over the whole repository reads a file,
// by its path from the root and whatever the settings say.
func Reads() func(path string) bool {
	index := format.NewIndex(format.All())
	return func(path string) bool {
		_, known := index.Lookup(path)
		return known
	}
}

// discover finds the files to read: the named ones, and those below named
// directories whose path a format knows.
func discover(ctx context.Context, s *scope) (found discovered, err error) {
	var dirs []string
	byPath := map[string]candidate{}
	for _, t := range s.targets {
		if t.isDir {
			dirs = append(dirs, t.path)
			continue
		}
		_, known := s.index.Lookup(t.path)
		byPath[t.path] = candidate{path: t.path, match: s.index.Named(t.path), named: !known, role: s.roleOf(t.path)}
	}
	if s.listed {
		dirs = append(dirs, s.around...)
	}
	var excluded struct {
		sync.Mutex
		paths []string
	}
	listing, err := s.tree.List(ctx, dirs, func(path string) bool {
		if _, known := s.index.Lookup(path); !known {
			return false
		}
		wants := s.filter.Wants(path)
		if !wants && s.asks(path) {
			excluded.Lock()
			defer excluded.Unlock()
			excluded.paths = append(excluded.paths, path)
		}
		return wants
	})
	if err != nil {
		return found, err
	}
	for _, failed := range listing.Errors {
		found.errors = append(found.errors, FileError(failed))
	}
	s.add(byPath, listing.Paths)
	if !s.listed {
		s.add(byPath, s.beside(ctx))
	}
	if listing.Ignored {
		states, err := s.states(ctx, dirs, byPath)
		if err != nil {
			return found, err
		}
		s.add(byPath, states)
	}
	slices.Sort(excluded.paths)
	found.excluded = slices.Compact(excluded.paths)
	for path := range byPath {
		if s.asks(path) {
			found.asked++
		}
	}
	found.candidates = slices.SortedFunc(maps.Values(byPath), func(a, b candidate) int { return strings.Compare(a.path, b.path) })
	return found, nil
}

// beside returns what is at the paths that formats name, in the directories above
// the targets. Their files are not listed: a file that was named may lie in
// somebody's home.
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

// add adds files whose path a format knows.
func (s *scope) add(byPath map[string]candidate, paths []string) {
	for _, path := range paths {
		match, _ := s.index.Lookup(path)
		if _, known := byPath[path]; !known {
			byPath[path] = candidate{path: path, match: match, role: s.roleOf(path)}
		}
	}
}

// states returns the files in which tools keep their state out of git, and which
// are therefore in no list: those of the named directories and of the projects
// below them that have another file to read.
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

// isFile reports whether there is a file to read, of which nobody else knows.
func (s *scope) isFile(ctx context.Context, path string) bool {
	kind, err := s.tree.Stat(ctx, path)
	return err == nil && kind == source.Regular
}
