package lint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// files are what was read.
type files struct {
	parts    []link.Part
	findings []rule.Finding // of files that do not parse
	errors   []FileError
	count    int // of the files among the targets that have something for mcplumb
	// asked are the files among the targets, by any of their names.
	asked map[string]bool
	// names are what was read, the names of one file together.
	names [][]slot
	// stale are the texts that count for others instead of those that do not parse.
	stale map[*syntax.File]bool
}

// slot is what came of a candidate.
type slot struct {
	candidate
	real     string // the real path of the file, "" if unknown
	document *mcp.Document
	// read is the document as it was read, if it is kept.
	read    *mcp.Document
	finding *rule.Finding
	err     *FileError
	// isBroken reports a link that leads nowhere: there is no file.
	isBroken bool
}

// read reads the candidates and everything they link to. A file that has several
// names is read as each of them: every client opens it by its own.
func read(ctx context.Context, s *scope, candidates []candidate, o *Options) (files, error) {
	r, progress := newReader(s, o), o.Progress
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

func newReader(s *scope, o *Options) *reader {
	return &reader{
		scope: s, kept: o.Kept, edited: o.Edited, byReal: map[string]int{}, followed: map[followed]bool{},
		readers: sync.Pool{New: func() any { return new(format.Reader) }},
	}
}

// reader reads the files of a run.
type reader struct {
	*scope
	kept     *Kept           // of the run before, nil for nothing
	edited   map[string]bool // files that a person is editing
	found    [][]slot        // what was read, the names of one file together, in order
	byReal   map[string]int  // index in found by real path
	followed map[followed]bool
	contents sync.Map  // *syntax.File by real path: all names of a file share it
	readers  sync.Pool // of *format.Reader, one for every file that is being read
}

// followed is a file that documents name, and the name of the format in which.
type followed struct{ path, format string }

// collect keeps what was read. Of the names of one file it keeps those under which a client uses
// it, the file's own name first; a guess from name and content adds nothing to them.
func (r *reader) collect(round []slot) {
	for _, s := range round {
		if s.document == nil && s.finding == nil && s.err == nil {
			continue
		}
		key := cmp.Or(s.real, s.path)
		at, known := r.byReal[key]
		if !known {
			r.byReal[key] = len(r.found)
			r.found = append(r.found, []slot{s})
			continue
		}
		r.found[at] = withName(r.found[at], s)
	}
}

// withName adds one more name of a file to those that are known.
func withName(names []slot, s slot) []slot {
	switch first := names[0]; {
	case s.isGuess() && (!first.isGuess() || s.path != s.real):
		return names
	case first.isGuess():
		return []slot{s}
	case s.path == s.real && !s.linked:
		return append([]slot{s}, names...)
	case s.linked && s.document != nil:
		s.document.IsSecondary = true
	}
	return append(names, s)
}

// files returns what was read.
func (r *reader) files() files {
	all := files{asked: map[string]bool{}, names: r.found, stale: map[*syntax.File]bool{}}
	for _, names := range r.found {
		asked := slices.ContainsFunc(names, func(s slot) bool { return r.asks(s.path) || s.real != "" && r.asks(s.real) })
		if asked {
			all.asked[cmp.Or(names[0].real, names[0].path)] = true
		}
		for _, s := range names {
			if s.document != nil && s.finding != nil {
				all.stale[s.document.File] = true
			}
			if s.document != nil {
				all.parts = append(all.parts, link.Part{Dir: s.match.Dir, Document: s.document})
			}
			if s.finding != nil && (asked || r.all) {
				all.findings = append(all.findings, *s.finding)
			}
			if s.err != nil && (asked || s.match.Format.Scope == mcp.ScopeLock && r.isAbove(s.match.Dir)) {
				all.errors = append(all.errors, *s.err)
			}
		}
		if asked && names[0].err == nil && !names[0].isBroken {
			all.count++
		}
	}
	return all
}

// isGuess reports whether the file was read by its name and content alone.
func (s *slot) isGuess() bool {
	return s.document == nil || s.document.Scope == mcp.ScopeGeneric
}

// file reads one file. If a reader fails on a file, that is reported, and the others go on.
func (r *reader) file(ctx context.Context, c candidate) (s slot) {
	s.candidate = c
	defer func() {
		if problem := recover(); problem != nil {
			s.document = nil
			s.err = &FileError{c.path, fmt.Sprintf("cannot be read because of a mistake in mcplumb: %v", problem)}
		}
	}()
	if c.match.Format.Unopened {
		s.real, s.document = c.path, format.Unread(c.path, c.match)
		s.document.Role = c.role
		return s
	}
	content, err := r.tree.Read(ctx, c.path)
	var nowhere *source.BrokenLink
	switch {
	case errors.As(err, &nowhere) && !c.unknown:
		s.finding, s.isBroken = brokenLink(nowhere, c), true
		return s
	case errors.Is(err, fs.ErrNotExist):
		return s // deleted, and still tracked
	case err != nil:
		s.err = &FileError{c.path, err.Error()}
		return s
	}
	s.real = content.Real
	if s.real != c.path {
		c.match = r.index.Kept(c.match, s.real)
		s.match = c.match
	}
	file := r.content(content)
	if r.kept != nil {
		s.document, s.read, err = r.kept.document(file, c.match, r.document)
		if err != nil && r.edited[s.real] {
			s.read = r.kept.good(file, c.match, r.document)
		}
	} else {
		s.document, err = r.document(file, c.match)
	}
	if s.document == nil && err == nil && c.named {
		s.match, s.document, err = r.byContent(file, c)
	}

	var syntaxError *syntax.Error
	switch {
	case errors.As(err, &syntaxError):
		s.document = nil
		if s.finding = syntaxFinding(file, syntaxError, c); s.finding != nil {
			s.document = s.read.Fresh()
		}
	case err != nil:
		s.document = nil
		s.err = &FileError{s.real, err.Error()}
	case s.document == nil && c.unknown:
		s.err = &FileError{c.path, "contains no MCP configuration that mcplumb knows"}
	}
	if s.document != nil {
		s.document.Role = c.role
	}
	return s
}

// content returns a file that was read, the same for each of its names: a place
// in it is then one place. What has changed between two of them is another file.
func (r *reader) content(read source.File) *syntax.File {
	if r.kept != nil {
		return r.kept.file(read)
	}
	stored, _ := r.contents.LoadOrStore(read.Real, syntax.NewFile(read.Real, read.Content))
	if file := stored.(*syntax.File); bytes.Equal(file.Bytes, read.Content) {
		return file
	}
	return syntax.NewFile(read.Real, read.Content)
}

// brokenLink reports a link to a file that does not exist. It configures nothing in any clone but
// its author's, so no server is lost; its text is its target.
func brokenLink(to *source.BrokenLink, c candidate) *rule.Finding {
	if c.role == mcp.Fixture || c.role == mcp.Aside {
		return nil
	}
	file := syntax.NewFile(c.path, []byte(to.Target))
	return &rule.Finding{
		Rule: checks.SyntaxError, Severity: rule.Note, File: file, Span: syntax.Span{End: len(to.Target)},
		Message: fmt.Sprintf("the file is a link to %q, which does not exist, so clients find no server here", to.Target),
		Help:    "correct or delete the link",
	}
}

// addUnread adds the lockfiles of package managers that cannot be read: one that does not parse is
// a finding as in any other file, any other was not checked.
func (f *files) addUnread(s *scope, unread []installed.Unread) {
	const so = ", so mcplumb cannot tell which packages are installed"
	for _, u := range unread {
		var broken *syntax.Error
		if !errors.As(u.Err, &broken) {
			f.errors = append(f.errors, s.errorsWithin([]FileError{{u.File.Path, u.Err.Error() + so}})...)
			continue
		}
		message, help := broken.Texts(secret.Mask)
		f.findings = append(f.findings, rule.Finding{
			Rule: checks.SyntaxError, Severity: severityOf(broken), File: u.File, Span: broken.Span,
			Message: message + so, Help: help,
		})
	}
}

// severityOf grades a syntax error: an empty file is as good as none.
func severityOf(err *syntax.Error) rule.Severity {
	if err.Empty {
		return rule.Note
	}
	return rule.Error
}

// document reads a file as its format says.
func (r *reader) document(file *syntax.File, match shape.Match) (*mcp.Document, error) {
	reader := r.readers.Get().(*format.Reader)
	defer r.readers.Put(reader)
	return reader.Read(file, match)
}

// byContent reads a file that was named, and in which its own format finds nothing,
// as the first format that finds something: config.toml is a name of many programs.
// Whether it can be read at all is for the format to say that its path or its
// language gives it.
func (r *reader) byContent(file *syntax.File, c candidate) (shape.Match, *mcp.Document, error) {
	for i, match := range r.index.ByContent(c.path) {
		document, err := r.document(file, match)
		if document != nil || err != nil && i == 0 {
			return match, document, err
		}
	}
	return c.match, nil, nil
}

// syntaxFinding reports a file that does not parse; a lockfile with merge conflict markers belongs
// to invalid-lockfile. An empty file is as good as none: no server is lost. Test data may be broken
// on purpose.
func syntaxFinding(file *syntax.File, err *syntax.Error, c candidate) *rule.Finding {
	if c.role == mcp.Fixture || c.role == mcp.Aside {
		return nil
	}
	check := checks.SyntaxError
	if err.Conflict && c.match.Format.Scope == mcp.ScopeLock {
		check = checks.InvalidLockfile
	}
	severity := severityOf(err)
	if c.match.Format.Scope == mcp.ScopeGeneric {
		severity = min(severity, rule.Warning) // no client is known to read it
	}
	message, help := err.Texts(secret.Mask)
	return &rule.Finding{Rule: check, Severity: severity, File: file, Span: err.Span, Message: message, Help: help}
}

// linked returns the files that newly read documents name as part of their configuration. They are
// read as the documents that name them, even if their own name suggests another format, or another
// client also reads them: a plugin for several of them has one file of servers.
func (r *reader) linked(round []slot) []candidate {
	var candidates []candidate
	for _, s := range round {
		if s.document == nil {
			continue
		}
		for _, file := range link.Files(r.index, s.match, s.document) {
			at, known := r.byReal[file.Path]
			isRead := known && !r.found[at][0].isGuess() && readByAll(r.found[at], file.Match.Readers())
			key := followed{file.Path, file.Match.Format.Name}
			if isRead || r.followed[key] || !r.filter.Wants(file.Path) {
				continue
			}
			r.followed[key] = true
			candidates = append(candidates, candidate{path: file.Path, match: file.Match, role: s.role, linked: true})
		}
	}
	return candidates
}

// readByAll reports whether all of the clients read the file by one of its names.
func readByAll(names []slot, clients []*mcp.Client) bool {
	return !slices.ContainsFunc(clients, func(c *mcp.Client) bool {
		return !slices.ContainsFunc(names, func(s slot) bool { return s.document != nil && slices.Contains(s.document.Clients, c) })
	})
}
