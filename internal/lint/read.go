package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// entry is a file to read.
type entry struct {
	path  string
	match format.Match
	role  mcp.Role
	// named reports that the file was named and no format knows its path: that
	// it holds nothing is then worth saying.
	named bool
}

// slot is what came of an entry.
type slot struct {
	entry    entry
	real     string // where the file really is
	document *mcp.Document
	finding  *checks.Finding
	err      *FileError
}

// reader reads the files of a run.
type reader struct {
	source  Source
	filter  filter
	targets []target
	index   *format.Index
	current string // the current directory from the root

	slots    []slot         // what was read, in order
	byPath   map[string]int // index in slots by real path
	followed map[string]bool
	findings []checks.Finding
	errors   []FileError

	memories sync.Pool // of *syntax.Memory, one for every file that is being read
}

func newReader(source Source, filter filter, targets []target) *reader {
	return &reader{
		source: source, filter: filter, targets: targets,
		index:  format.NewIndex(format.All()),
		byPath: map[string]int{}, followed: map[string]bool{},
		memories: sync.Pool{New: func() any { return new(syntax.Memory) }},
	}
}

// discover returns the files to read, sorted by path: the named ones, and those
// below named directories whose path a format knows.
func (r *reader) discover(ctx context.Context) ([]entry, error) {
	var dirs []string
	byPath := map[string]entry{}
	for _, t := range r.targets {
		if t.isDir {
			dirs = append(dirs, t.path)
			continue
		}
		_, known := r.index.Lookup(t.path)
		byPath[t.path] = entry{path: t.path, match: r.index.Named(t.path), named: !known, role: r.roleOf(t.path)}
	}
	paths, failed, err := r.source.List(ctx, dirs, func(path string) bool {
		_, known := r.index.Lookup(path)
		return known && r.filter.wants(path)
	})
	if err != nil {
		return nil, err
	}
	r.errors = append(r.errors, failed...)
	for _, path := range paths {
		match, _ := r.index.Lookup(path)
		byPath[path] = entry{path: path, match: match, role: r.roleOf(path)}
	}
	states, err := r.states(ctx, dirs, byPath)
	if err != nil {
		return nil, err
	}
	for _, path := range states {
		match, _ := r.index.Lookup(path)
		byPath[path] = entry{path: path, match: match, role: r.roleOf(path)}
	}
	entries := make([]entry, 0, len(byPath))
	for _, e := range byPath {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return entries, nil
}

// states returns the files in which tools keep their state out of git, and which
// are therefore in no list: those of the named directories and of the projects
// below them that have another file to read.
func (r *reader) states(ctx context.Context, dirs []string, listed map[string]entry) ([]string, error) {
	if !r.source.LeftOut() {
		return nil, nil
	}
	unique := map[string]bool{}
	for _, dir := range dirs {
		unique[dir] = true
	}
	for _, e := range listed {
		unique[e.match.Dir] = true
	}
	projects := slices.Collect(maps.Keys(unique))
	found := make([][]string, len(projects))
	err := inParallel(ctx, len(projects), func(i int) {
		for _, state := range r.index.States() {
			file := path.Join(projects[i], state)
			_, known := listed[file]
			asked := slices.ContainsFunc(dirs, func(dir string) bool { return within(dir, file) })
			if !known && asked && r.filter.wants(file) && r.source.Has(file) {
				found[i] = append(found[i], file)
			}
		}
	})
	return slices.Concat(found...), err
}

// roleOf says what a file is for, seen from the directory that was named: who
// checks tests/fixtures/x means what is in it.
func (r *reader) roleOf(name string) mcp.Role {
	base, found := "", false
	for _, t := range r.targets {
		if t.isDir && within(t.path, name) && (!found || len(t.path) > len(base)) {
			base, found = t.path, true
		}
	}
	if !found && within(r.current, name) {
		base = r.current
	}
	return format.RoleOf(strings.TrimPrefix(strings.TrimPrefix(name, base), "/"))
}

// readAll reads the entries and everything they link to.
func (r *reader) readAll(ctx context.Context, entries []entry) error {
	for len(entries) > 0 {
		slots := make([]slot, len(entries))
		err := inParallel(ctx, len(entries), func(i int) {
			slots[i] = r.read(entries[i])
		})
		if err != nil {
			return err
		}
		r.collect(slots)
		entries = r.linked(slots)
	}
	for _, s := range r.slots {
		if s.finding != nil {
			r.findings = append(r.findings, *s.finding)
		}
		if s.err != nil {
			r.errors = append(r.errors, *s.err)
		}
	}
	return nil
}

// collect keeps what was read, every file once.
func (r *reader) collect(slots []slot) {
	for _, s := range slots {
		if s.document == nil && s.finding == nil && s.err == nil {
			continue
		}
		key := s.real
		if key == "" {
			key = s.entry.path
		}
		at, known := r.byPath[key]
		switch {
		case !known:
			r.byPath[key] = len(r.slots)
			r.slots = append(r.slots, s)
		case s.rank() > r.slots[at].rank():
			r.slots[at] = s
		}
	}
}

// files counts the files that were read and concern us.
func (r *reader) files() int {
	count := 0
	for _, s := range r.slots {
		if s.err == nil {
			count++
		}
	}
	return count
}

// rank says which of two ways to one file tells more of it: one that a client
// takes goes before a guess from name and content, the file's own name before
// a link.
func (s *slot) rank() int {
	rank := 0
	if !s.isGuess() {
		rank += 2
	}
	if s.entry.path == s.real {
		rank++
	}
	return rank
}

// isGuess reports whether the file was read by its name and content alone.
func (s *slot) isGuess() bool {
	return s.document == nil || s.document.Scope == mcp.ScopeGeneric
}

// read reads one file. A reader that fails on a file says so; the others go on.
func (r *reader) read(e entry) (s slot) {
	s.entry = e
	defer func() {
		if problem := recover(); problem != nil {
			s.document = nil
			s.err = &FileError{e.path, fmt.Sprintf("cannot be read because of a mistake in mcplumb: %v", problem)}
		}
	}()
	if e.match.Format.Opaque {
		s.real, s.document = e.path, format.Unread(e.path, e.match)
		s.document.Role = e.role
		return s
	}
	content, real, err := r.source.Read(e.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s // deleted, and still tracked
	case err != nil:
		s.err = &FileError{e.path, err.Error()}
		return s
	}
	s.real = real
	file := syntax.NewFile(real, content)
	s.document, err = r.document(file, e.match)

	var syntaxError *syntax.Error
	switch {
	case errors.As(err, &syntaxError):
		s.document = nil
		s.finding = syntaxFinding(file, syntaxError, e)
	case err != nil:
		s.document = nil
		s.err = &FileError{real, err.Error()}
	case s.document == nil && e.named:
		s.err = &FileError{e.path, "holds no MCP configuration that mcplumb knows"}
	case s.document != nil:
		s.document.Role = e.role
	}
	return s
}

// document reads a file as its format says. Documents hold nothing of the tree
// that they were read from, so the next file may have its memory.
func (r *reader) document(file *syntax.File, match format.Match) (*mcp.Document, error) {
	memory := r.memories.Get().(*syntax.Memory)
	defer r.memories.Put(memory)
	file.Memory = memory
	defer func() { file.Memory = nil }()
	return format.Read(file, match)
}

// syntaxFinding reports a file that does not parse; a lockfile that a merge has
// left in conflict is a matter of its own. Test data may be broken on purpose.
func syntaxFinding(file *syntax.File, err *syntax.Error, e entry) *checks.Finding {
	if e.role == mcp.Fixture {
		return nil
	}
	check := checks.SyntaxError
	if err.Conflict && e.match.Format.Scope == mcp.ScopeLock {
		check = checks.InvalidLockfile
	}
	return &checks.Finding{Check: check, Severity: check.Severity, File: file, Span: err.Span, Message: err.Message(secret.Mask)}
}

// linked returns the files that newly read documents name as part of their
// configuration. They are read as the documents that name them, even if their
// own name lets guess something else.
func (r *reader) linked(slots []slot) []entry {
	var entries []entry
	for _, s := range slots {
		if s.document == nil {
			continue
		}
		for _, link := range s.document.Links {
			target := path.Clean(link.Path)
			if !fs.ValidPath(target) || r.followed[target] || !r.filter.wants(target) {
				continue
			}
			if at, known := r.byPath[target]; known && !r.slots[at].isGuess() {
				continue
			}
			if match, ok := r.index.Follow(s.entry.match, link); ok {
				r.followed[target] = true
				entries = append(entries, entry{path: target, match: match, role: s.entry.role})
			}
		}
	}
	return entries
}
