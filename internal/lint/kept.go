package lint

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Kept is what runs over nearly the same files leave for the next one, as in an editor: the files
// read, and what rules reported about projects. Only one run at a time may use it. A run with it
// finds what one without it finds; documents of its result may be those of an earlier one.
type Kept struct {
	// files and documents are what was read last, by the real path of a file, and how it is read.
	mutex     sync.Mutex
	files     map[string]*syntax.File
	documents map[readAs]*readOnce
	// tree is what filler reads, and the other facts come from; nil before the first run.
	tree   *turning
	filler *installed.Filler
	// isAhead reports that filler has read files of a run that did not end, and it is unknown what
	// has changed since that run.
	isAhead bool
	// prose are the paths of texts for agents, nil if unknown.
	prose []string
	// comments records for each fix whether it removes a comment, by the first of its changes.
	comments map[*edit.Change]bool
	last     *keptRun
}

// keptRun is the run before.
type keptRun struct {
	gathered *gathered
	outcomes map[string]outcome // by directory
	today    string
}

// readAs is a file, and how it is read.
type readAs struct {
	real  string
	match shape.Match
}

// readOnce is the result of reading a file. The first document is given away: most files of a
// repository are never written while an editor is open. If it is requested again, it is kept, as a
// document that is never linked.
type readOnce struct {
	file     *syntax.File
	document *mcp.Document // nil if it was given away, or the file has nothing for mcplumb
	isNone   bool          // the file has nothing for mcplumb, or err says why not
	err      error
	// good is the previous result for a file that can no longer be read.
	good *readOnce
}

// NewKept returns what keeps nothing yet.
func NewKept() *Kept {
	return &Kept{
		files: map[string]*syntax.File{}, documents: map[readAs]*readOnce{}, comments: map[*edit.Change]bool{},
	}
}

// Forget forgets everything except what depends only on the content of a file: any file may be
// another one, or the settings are.
func (k *Kept) Forget() {
	k.last, k.tree, k.filler, k.prose = nil, nil, nil, nil
}

// file returns the file that was read before if it is the same, so that a place in it stays one.
func (k *Kept) file(read source.File) *syntax.File {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if file := k.files[read.Real]; file != nil && string(file.Bytes) == string(read.Content) {
		return file
	}
	file := syntax.NewFile(read.Real, read.Content)
	k.files[read.Real] = file
	return file
}

// reading reads a file as its format says.
type reading func(*syntax.File, shape.Match) (*mcp.Document, error)

// document returns the document of a file, to be linked, and the kept one, as it was read.
func (k *Kept) document(file *syntax.File, match shape.Match, read reading) (document, kept *mcp.Document, err error) {
	key := readAs{file.Path, match}
	k.mutex.Lock()
	known := k.documents[key]
	k.mutex.Unlock()
	if known != nil && known.file == file {
		kept, err = known.again(match, read)
		return kept.Fresh(), kept, err
	}
	now := &readOnce{file: file}
	document, now.err = read(file, match)
	if now.isNone = document == nil; now.err != nil && known != nil {
		if now.good = known; known.isNone {
			now.good = known.good
		}
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.documents[key] = now
	return document, nil, now.err
}

// again returns the document of a file that is requested again.
func (r *readOnce) again(match shape.Match, read reading) (*mcp.Document, error) {
	if r.document == nil && !r.isNone {
		r.document, r.err = read(r.file, match)
	}
	return r.document, r.err
}

// good returns the last document of a file that can no longer be read, or nil.
func (k *Kept) good(file *syntax.File, match shape.Match, read reading) *mcp.Document {
	k.mutex.Lock()
	known := k.documents[readAs{file.Path, match}]
	k.mutex.Unlock()
	if known == nil || known.good == nil {
		return nil
	}
	document, err := known.good.again(match, read)
	if err != nil {
		return nil
	}
	return document
}

// turning is a tree that can be replaced by another one, and that records what was requested of it.
type turning struct {
	source.Tree
	asked sync.Map // paths
}

func (t *turning) Read(ctx context.Context, path string) (source.File, error) {
	t.asked.Store(path, true)
	file, err := t.Tree.Read(ctx, path)
	t.asked.Store(file.Real, true)
	return file, err
}

func (t *turning) Stat(ctx context.Context, path string) (source.Kind, error) {
	t.asked.Store(path, true)
	return t.Tree.Stat(ctx, path)
}

// hasAsked reports whether one of some paths was requested from the tree.
func (t *turning) hasAsked(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { _, asked := t.asked.Load(path); return asked })
}

// fill fills the facts of some projects, as installed.Fill does.
func (k *Kept) fill(ctx context.Context, o *Options, repo *mcp.Repo, isAsked func(*mcp.Project) bool) ([]installed.Unread, error) {
	if k.filler != nil && (k.isAhead || k.tree.hasAsked(o.Changed) || !k.filler.IsWhole()) {
		k.filler = nil
	}
	k.isAhead = true
	if k.filler == nil {
		k.tree = &turning{}
		k.filler = installed.NewFiller(context.WithoutCancel(ctx), k.tree)
	}
	k.tree.Tree = o.Source
	unread, err := k.filler.Fill(ctx, repo, isAsked)
	if err != nil {
		k.filler = nil // something may have ended in the middle
	}
	return slices.Clone(unread), err
}

// keep keeps what a run has come to.
func (k *Kept) keep(o *Options, g *gathered) {
	k.last, k.isAhead = &keptRun{g, g.outcomes, o.Today}, false
	k.mutex.Lock()
	defer k.mutex.Unlock()
	read := map[string]bool{}
	for _, c := range g.found.candidates {
		read[c.path] = true
	}
	for _, names := range g.files.names {
		for _, s := range names {
			read[s.real] = true
		}
	}
	if len(k.comments) > 2*maxFindings {
		clear(k.comments) // most of them are of fixes that no longer exist
	}
	maps.DeleteFunc(k.files, func(real string, _ *syntax.File) bool { return !read[real] })
	maps.DeleteFunc(k.documents, func(key readAs, _ *readOnce) bool { return !read[key.real] })
}

// hasLast reports whether the previous run was over the files of this one, except those that
// changed.
func (k *Kept) hasLast(o *Options) bool {
	return k.last != nil && o.Changed != nil && k.last.today == o.Today && o.Ask == nil
}

// again gathers a repository in which only entries in files of clients have changed, or returns nil
// if more has. It links all documents anew in the projects that the entries concern; those of the
// other projects stay as they are.
func (k *Kept) again(ctx context.Context, o *Options) (*gathered, error) {
	if !k.hasLast(o) || len(o.Settings.InStep) > 0 || k.tree == nil || k.isAhead || k.tree.hasAsked(o.Changed) || k.filler == nil || !k.filler.IsWhole() {
		return nil, nil
	}
	last := k.last.gathered
	scope := *last.scope
	scope.tree = o.Source
	g := &gathered{scope: &scope, found: last.found, notices: last.notices, full: last.full}
	r := newReader(&scope, o)
	r.found = slices.Clone(last.files.names)
	m := newMarks()
	for _, changed := range o.Changed {
		i := slices.IndexFunc(r.found, func(names []slot) bool {
			return slices.ContainsFunc(names, func(s slot) bool { return s.path == changed || s.real == changed })
		})
		if i < 0 {
			if g.candidate(changed).path != "" || scope.isKnown(changed) {
				return nil, nil // it is a file now that was none
			}
			continue
		}
		was := r.found[i][0]
		c := g.candidate(changed)
		if len(r.found[i]) > 1 || was.path != changed || was.real != changed || was.linked || c.path == "" {
			return nil, nil
		}
		now := r.file(ctx, c)
		if now.real != was.real || now.err != nil || !isAlike(was.document, now.document) || now.document == nil && now.finding == nil {
			return nil, nil
		}
		r.found[i] = []slot{now}
		if now.document != nil {
			m.addFile(c)
		}
	}
	held := m.closure(last.repo.Projects)
	var parts []link.Part
	for i, names := range r.found {
		fresh := slices.Clone(names)
		for j := range fresh {
			s := &fresh[j]
			if s.document == nil || !held[s.match.Dir] || s.document.Project == nil {
				continue
			}
			if s.read == nil && !s.match.Format.Unopened && s.finding == nil {
				_, s.read, _ = k.document(s.document.File, s.match, r.document)
			}
			if s.read == nil {
				return nil, nil
			}
			s.document = s.again()
		}
		r.found[i] = fresh
	}
	g.files = r.files()
	for _, part := range g.files.parts {
		if held[part.Dir] {
			part.Document.IsPersonal = part.Document.Scope == mcp.ScopeUser || g.found.isPersonal
			parts = append(parts, part)
		}
	}
	some := link.Repo(parts)
	g.repo = &mcp.Repo{Policies: o.Policies, Approved: o.Approved, StaleBefore: staleBefore(*o)}
	for _, p := range last.repo.Projects {
		if held[p.Dir] {
			i, found := slices.BinarySearchFunc(some.Projects, p.Dir, func(p *mcp.Project, dir string) int { return strings.Compare(p.Dir, dir) })
			if !found {
				return nil, nil
			}
			p = some.Projects[i]
		}
		g.repo.Projects = append(g.repo.Projects, p)
	}
	if len(some.Projects) != len(held) {
		return nil, nil
	}
	isHeld := func(p *mcp.Project) bool { return held[p.Dir] }
	unread, err := k.fill(ctx, o, g.repo, isHeld)
	if err != nil {
		return nil, err
	}
	g.files.addUnread(&scope, unread)
	g.known = k.known(isHeld)
	return g, g.readMentions(ctx, *o, isHeld)
}

// known returns what rules reported about projects in the previous run, except those for which
// isHeld is true.
func (k *Kept) known(isHeld func(*mcp.Project) bool) map[string]outcome {
	known := map[string]outcome{}
	for _, p := range k.last.gathered.repo.Projects {
		if said, ok := k.last.outcomes[p.Dir]; ok && !isHeld(p) {
			known[p.Dir] = said
		}
	}
	return known
}

// knownAfter does so if any file may have changed and the changed files are known: it determines
// what the changes concern as for a base.
func (k *Kept) knownAfter(o *Options, g *gathered) map[string]outcome {
	if !k.hasLast(o) {
		return nil
	}
	changed := slices.Clone(o.Changed)
	for _, names := range g.files.names {
		if slices.ContainsFunc(names, func(s slot) bool { return slices.Contains(o.Changed, s.real) }) {
			for _, s := range names {
				changed = append(changed, s.path)
			}
		}
	}
	slices.Sort(changed)
	e := newExtent(g, &k.last.gathered.found, slices.Compact(changed))
	return k.known(func(p *mcp.Project) bool { return e.holds(p.Dir) })
}

// isAlike reports whether only entries changed between two documents of a file, and only the
// clients of one project read them.
func isAlike(a, b *mcp.Document) bool {
	if a == nil || b == nil {
		return a == b
	}
	isPlain := func(d *mcp.Document) bool {
		return d.Lock == nil && d.Bundle == nil && d.Manifest == nil && d.Tool == nil && len(d.Links) == 0 && len(d.Tracked) == 0
	}
	return isPlain(a) && isPlain(b) && a.Scope == b.Scope && a.Format == b.Format
}

// again returns the document of a slot for another repository.
func (s *slot) again() *mcp.Document {
	fresh := s.read.Fresh()
	fresh.Role, fresh.IsSecondary = s.document.Role, s.document.IsSecondary
	return fresh
}

// isKnown reports whether a run reads a file because of its path.
func (s *scope) isKnown(path string) bool {
	_, known := s.index.Lookup(path)
	return known && s.filter.Wants(path)
}

func newMarks() marks {
	return marks{dirs: map[string]bool{}, trees: map[string]bool{}, above: map[string]bool{}, aboveFiles: map[string]bool{}}
}

// closure returns the directories of the projects that are concerned, and of all that share with
// one of these what is linked across projects: a lockfile, a set of bundles.
func (m *marks) closure(projects []*mcp.Project) map[string]bool {
	held := map[string]bool{}
	if len(m.dirs)+len(m.trees) == 0 {
		return held
	}
	e := &extent{projects: map[string]bool{}}
	for count := -1; len(held) != count; {
		count = len(held)
		e.mark(projects, *m)
		for _, p := range projects {
			if e.projects[p.Dir] {
				held[p.Dir] = true
				m.dirs[p.Dir] = true
			}
		}
	}
	return held
}

// own returns findings whose fixes and related places may be changed: those that are kept stay as
// they are.
func own(findings []rule.Finding) []rule.Finding {
	for i := range findings {
		f := &findings[i]
		f.Related = slices.Clip(f.Related)
		f.Fixes = slices.Clone(f.Fixes)
	}
	return findings
}

// isStale reports whether a file is an older text of one that does not parse.
func (f *files) isStale(file *syntax.File) bool { return f.stale[file] }

// withoutStale takes from findings what is at places of older texts, and fixes that would change
// one.
func (f *files) withoutStale(findings []rule.Finding) []rule.Finding {
	if len(f.stale) == 0 {
		return findings
	}
	findings = slices.DeleteFunc(findings, func(found rule.Finding) bool { return f.isStale(found.File) })
	for i := range findings {
		found := &findings[i]
		found.Related = slices.DeleteFunc(slices.Clone(found.Related), func(r rule.Related) bool { return f.isStale(r.File) })
		found.Fixes = slices.DeleteFunc(slices.Clone(found.Fixes), func(fix rule.Fix) bool {
			return slices.ContainsFunc(fix.Edits, func(c edit.Change) bool { return f.isStale(c.File) })
		})
	}
	return findings
}

// removesComment reports whether changes of a fix remove a comment, as the lowerer says; of those
// that are kept it is asked once. k may be nil.
func (k *Kept) removesComment(l *edit.Lowerer, changes []edit.Change) bool {
	if k == nil || len(changes) == 0 {
		return l.RemovesComment(changes)
	}
	removes, known := k.comments[&changes[0]]
	if !known {
		removes = l.RemovesComment(changes)
		k.comments[&changes[0]] = removes
	}
	return removes
}
