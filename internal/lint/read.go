package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// files are what was read.
type files struct {
	parts    []link.Part
	findings []checks.Finding // of files that do not parse
	errors   []FileError
	count    int // of the files that concern us
}

// slot is what came of a candidate.
type slot struct {
	candidate
	real     string // where the file really is
	document *mcp.Document
	finding  *checks.Finding
	err      *FileError
}

// read reads the candidates and everything they link to, every file once.
func read(ctx context.Context, s *scope, candidates []candidate, progress *Progress) (files, error) {
	r := reader{
		scope: s, byPath: map[string]int{}, followed: map[string]bool{},
		readers: sync.Pool{New: func() any { return new(format.Reader) }},
	}
	for len(candidates) > 0 {
		round := make([]slot, len(candidates))
		progress.begin(stepRead, len(candidates))
		err := parallel.For(ctx, len(candidates), func(i int) {
			round[i] = r.file(ctx, candidates[i])
			progress.advance()
		})
		if err != nil {
			return files{}, err
		}
		r.collect(round)
		candidates = r.linked(round)
	}
	return r.files(), nil
}

// reader reads the files of a run.
type reader struct {
	*scope
	slots    []slot          // what was read, in order
	byPath   map[string]int  // index in slots by real path
	followed map[string]bool // what documents link to
	readers  sync.Pool       // of *format.Reader, one for every file that is being read
}

// collect keeps what was read, every file once.
func (r *reader) collect(round []slot) {
	for _, s := range round {
		if s.document == nil && s.finding == nil && s.err == nil {
			continue
		}
		key := s.real
		if key == "" {
			key = s.path
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

// files returns what was read.
func (r *reader) files() files {
	var all files
	for _, s := range r.slots {
		if s.document != nil {
			all.parts = append(all.parts, link.Part{Dir: s.match.Dir, Document: s.document})
		}
		if s.finding != nil {
			all.findings = append(all.findings, *s.finding)
		}
		if s.err != nil {
			all.errors = append(all.errors, *s.err)
		} else {
			all.count++
		}
	}
	return all
}

// rank says which of two ways to one file tells more of it: one that a client
// takes goes before a guess from name and content, the file's own name before
// a link.
func (s *slot) rank() int {
	rank := 0
	if !s.isGuess() {
		rank += 2
	}
	if s.path == s.real {
		rank++
	}
	return rank
}

// isGuess reports whether the file was read by its name and content alone.
func (s *slot) isGuess() bool {
	return s.document == nil || s.document.Scope == mcp.ScopeGeneric
}

// file reads one file. A reader that fails on a file says so; the others go on.
func (r *reader) file(ctx context.Context, c candidate) (s slot) {
	s.candidate = c
	defer func() {
		if problem := recover(); problem != nil {
			s.document = nil
			s.err = &FileError{c.path, fmt.Sprintf("cannot be read because of a mistake in mcplumb: %v", problem)}
		}
	}()
	if c.match.Format.Opaque {
		s.real, s.document = c.path, format.Unread(c.path, c.match)
		s.document.Role = c.role
		return s
	}
	content, err := r.tree.Read(ctx, c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s // deleted, and still tracked
	case err != nil:
		s.err = &FileError{c.path, err.Error()}
		return s
	}
	s.real = content.Real
	file := syntax.NewFile(content.Real, content.Content)
	s.document, err = r.document(file, c.match)

	var syntaxError *syntax.Error
	switch {
	case errors.As(err, &syntaxError):
		s.document = nil
		s.finding = syntaxFinding(file, syntaxError, c)
	case err != nil:
		s.document = nil
		s.err = &FileError{s.real, err.Error()}
	case s.document == nil && c.named:
		s.err = &FileError{c.path, "holds no MCP configuration that mcplumb knows"}
	case s.document != nil:
		s.document.Role = c.role
	}
	return s
}

// document reads a file as its format says.
func (r *reader) document(file *syntax.File, match format.Match) (*mcp.Document, error) {
	reader := r.readers.Get().(*format.Reader)
	defer r.readers.Put(reader)
	return reader.Read(file, match)
}

// syntaxFinding reports a file that does not parse; a lockfile that a merge has
// left in conflict is a matter of its own. A file that holds nothing is as good
// as none: no server is lost. Test data may be broken on purpose.
func syntaxFinding(file *syntax.File, err *syntax.Error, c candidate) *checks.Finding {
	if c.role == mcp.Fixture {
		return nil
	}
	check := checks.SyntaxError
	if err.Conflict && c.match.Format.Scope == mcp.ScopeLock {
		check = checks.InvalidLockfile
	}
	severity := check.Severity
	if err.Empty {
		severity = checks.Note
	}
	return &checks.Finding{Check: check, Severity: severity, File: file, Span: err.Span, Message: err.Message(secret.Mask)}
}

// linked returns the files that newly read documents name as part of their
// configuration. They are read as the documents that name them, even if their
// own name lets guess something else.
func (r *reader) linked(round []slot) []candidate {
	var candidates []candidate
	for _, s := range round {
		if s.document == nil {
			continue
		}
		for _, file := range link.Files(r.index, s.match, s.document) {
			at, known := r.byPath[file.Path]
			isRead := known && !r.slots[at].isGuess()
			if isRead || r.followed[file.Path] || !r.filter.Wants(file.Path) {
				continue
			}
			r.followed[file.Path] = true
			candidates = append(candidates, candidate{path: file.Path, match: file.Match, role: s.role})
		}
	}
	return candidates
}
