package fix

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// candidate is a finding with the fixes that may be made, the one to try first. of is
// what it belongs to, where a problem is fixed place by place.
type candidate struct {
	finding *rule.Finding
	of      *rule.Finding
	key     key
	fixes   []*rule.Fix
}

func (c *candidate) attempt() attempt { return attempt{c.key, c.fixes[0].Title} }

// candidates returns the findings that have a fix to try, in their order.
func (m *fixer) candidates() []*candidate {
	var all []*candidate
	for i := range m.result.Findings {
		f := &m.result.Findings[i]
		if len(f.Fixes) == 0 || !m.isWanted(f) {
			continue
		}
		for _, at := range f.Places() {
			if c := m.candidate(f, at); len(c.fixes) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// candidate returns one place of a finding with the fixes to try there.
func (m *fixer) candidate(f, at *rule.Finding) *candidate {
	c := &candidate{finding: at, of: f, key: keyOf(at)}
	c.fixes = slices.DeleteFunc(bySafety(at.Fixes), func(fix *rule.Fix) bool {
		_, refused := m.refused[attempt{c.key, fix.Title}]
		return refused || fix.Safety == rule.NoFix || fix.Safety > m.o.Allow || len(fix.Edits) == 0
	})
	return c
}

// part is the fixes that may depend on each other, because they change files of one project. The
// changes of one part are kept or dropped independent of the others.
type part struct {
	lowerer edit.Lowerer
	// groups are the fixes that are still to be tried together, the next one last.
	groups [][]*candidate
	// taken are those that are kept, trying those that are being tried in addition.
	taken, trying []*candidate
	// contents are the files with what is taken, tried those with what is being
	// tried as well.
	contents, tried map[string][]byte
	// failed are the fixes that were tried in vain.
	failed []attempt
}

// parts returns the candidates in groups that have nothing to do with each other,
// in the order of their first ones, and which part a path belongs to.
func (m *fixer) parts(all []*candidate) ([]*part, func(path string) *part) {
	sets := union{}
	for i, p := range m.result.Repo.Projects {
		for _, d := range p.Documents {
			sets.join(d.File.Path, sets.project(i))
		}
	}
	for _, c := range all {
		for _, fix := range c.fixes {
			for _, e := range fix.Edits {
				sets.join(c.finding.File.Path, e.File.Path)
			}
		}
	}
	var parts []*part
	byRoot := map[string]*part{}
	for _, c := range all {
		root := sets.find(c.finding.File.Path)
		p := byRoot[root]
		if p == nil {
			p = &part{groups: [][]*candidate{nil}}
			byRoot[root] = p
			parts = append(parts, p)
		}
		p.groups[0] = append(p.groups[0], c)
	}
	return parts, func(path string) *part { return byRoot[sets.find(path)] }
}

// union are sets of paths that are joined over time: each path leads to the next one, up to the
// path that represents its set.
type union map[string]string

// project returns the text that represents a project among the paths. No path begins with a line
// break: a file of such a name in the root is not a configuration.
func (union) project(i int) string { return "\n" + strconv.Itoa(i) }

func (u union) find(path string) string {
	root := path
	for u[root] != "" {
		root = u[root]
	}
	for path != root {
		path, u[path] = u[path], root
	}
	return root
}

func (u union) join(a, b string) {
	if a, b = u.find(a), u.find(b); a != b {
		u[a] = b
	}
}

// propose finds the next group of a part whose edits can be made, and reports
// whether there is one.
func (m *fixer) propose(ctx context.Context, p *part) bool {
	for p.trying == nil && len(p.groups) > 0 {
		group := p.groups[len(p.groups)-1]
		p.groups = p.groups[:len(p.groups)-1]
		contents, err := m.lower(ctx, p, slices.Concat(p.taken, group))
		switch {
		case err == nil:
			p.trying, p.tried = group, contents
		case !m.thin(p, group, err):
			m.fail(p, group, err.Error())
		}
	}
	return p.trying != nil
}

// thin divides a group by the fixes that conflict with taken ones, or with earlier ones of the
// group, and reports whether it could. If all of them conflict, all wait for the next round: trying
// fewer of them would show nothing.
func (m *fixer) thin(p *part, group []*candidate, err error) bool {
	var sets [][]edit.Change
	for _, c := range slices.Concat(p.taken, group) {
		sets = append(sets, c.fixes[0].Edits)
	}
	chosen := p.lowerer.Together(sets)[len(p.taken):]
	var first, waiting []*candidate
	for i, c := range group {
		if chosen[i] {
			first = append(first, c)
		} else {
			waiting = append(waiting, c)
		}
	}
	switch {
	case len(waiting) == 0:
		return false
	case len(first) > 0:
		p.groups = append(p.groups, waiting, first)
	default:
		for _, c := range waiting {
			m.reasons[c.attempt()] = err.Error()
			p.failed = append(p.failed, c.attempt())
		}
	}
	return true
}

// fail divides a group that cannot be kept as it is, to find the fix that is the reason. A fix that
// fails together with others waits for the next round; one that fails alone gives way to the next
// one of its finding.
func (m *fixer) fail(p *part, group []*candidate, reason string) {
	if half := len(group) / 2; half > 0 {
		p.groups = append(p.groups, group[half:], group[:half])
		return
	}
	c := group[0]
	m.reasons[c.attempt()] = reason
	p.failed = append(p.failed, c.attempt())
	if len(p.taken) > 0 {
		return
	}
	if c.fixes = c.fixes[1:]; len(c.fixes) > 0 {
		p.groups = append(p.groups, group)
	}
}

// keep takes what was tried.
func (p *part) keep() {
	p.taken, p.contents = append(p.taken, p.trying...), p.tried
	p.trying, p.tried = nil, nil
}

// drop puts back what was tried.
func (m *fixer) drop(p *part, reason string) {
	group := p.trying
	p.trying, p.tried = nil, nil
	m.fail(p, group, reason)
}

// now returns the files of a part in the state to check.
func (p *part) now() map[string][]byte {
	if p.trying != nil {
		return p.tried
	}
	return p.contents
}

// Why the edits of fixes cannot be computed, in addition to the reasons of edit.Refusal.
var (
	errOutside  = errors.New("it is not in the repository")
	errInGit    = errors.New("it is in a directory that git keeps for itself")
	errChanged  = errors.New("the file is not as it was read")
	errTooMany  = errors.New("there are too many fixes of large files to work all of them out")
	errNoChange = errors.New("it would change nothing")
)

// lower returns the files that fixes change, with their new contents.
func (m *fixer) lower(ctx context.Context, p *part, group []*candidate) (map[string][]byte, error) {
	var changes []edit.Change
	files := map[*syntax.File]bool{}
	for _, c := range group {
		changes = append(changes, c.fixes[0].Edits...)
		for _, e := range c.fixes[0].Edits {
			files[e.File] = true
		}
	}
	for file := range files {
		m.lowered += len(file.Bytes)
		if err := m.locate(ctx, file); err != nil {
			return nil, err
		}
	}
	if m.lowered > maxLowered {
		return nil, errTooMany
	}
	edits, err := p.lowerer.Lower(changes)
	if refusal := (*edit.Refusal)(nil); errors.As(err, &refusal) {
		return nil, errors.New(refusal.Reason)
	}
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return nil, errNoChange
	}
	contents := map[string][]byte{}
	for len(edits) > 0 {
		file, n := edits[0].File, 1
		for n < len(edits) && edits[n].File.Path == file.Path {
			n++
		}
		contents[m.real[file]] = edit.Apply(file.Bytes, edits[:n])
		edits = edits[n:]
	}
	return contents, nil
}

// locate finds out where a file really is, makes sure that it is as it was read,
// and remembers what was in it at first.
func (m *fixer) locate(ctx context.Context, file *syntax.File) error {
	if _, known := m.real[file]; known {
		return nil
	}
	if source.IsOutside(file.Path) {
		return errOutside
	}
	read, err := m.now.Read(ctx, file.Path)
	switch isNew := len(file.Bytes) == 0 && errors.Is(err, fs.ErrNotExist); {
	case isNew:
		read = source.File{Real: file.Path}
	case err != nil || string(read.Content) != string(file.Bytes):
		return errChanged
	}
	if source.IsGits(read.Real) {
		return errInGit
	}
	if m.o.Refuses != nil {
		if why := m.o.Refuses(read.Real); why != "" {
			return errors.New(why)
		}
	}
	m.real[file] = read.Real
	if _, known := m.old[read.Real]; !known {
		m.old[read.Real] = read.Content
	}
	return nil
}

// errorsOf returns the errors of a run that another one did not have. A rule that found more than
// there is room for does not count: there are fewer of them each time. Nor does a registry that
// does not answer: a fix is not to blame for a new question, and the error is reported at the end.
func errorsOf(after, before *lint.Result) []lint.FileError {
	return slices.DeleteFunc(slices.Clone(after.Errors), func(e lint.FileError) bool {
		return slices.Contains(before.Errors, e) || slices.Contains(after.Silent, e) || slices.Contains(after.Full, e)
	})
}
