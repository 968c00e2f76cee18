package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// runSince checks a repository and returns the findings that are new since the base. In the
// base it reads and checks only the projects that a change concerns: all others would have
// the same findings as today. The settings are the current ones: nothing is ignored in the
// base.
func runSince(ctx context.Context, o Options) (*Result, error) {
	return compareTrees(ctx, o, newExtent)
}

// compareTrees is runSince with a given function that works out the extent of changes.
func compareTrees(ctx context.Context, o Options, newExtent func(now *gathered, before *discovered, changed []string) *extent) (*Result, error) {
	head, before := o, o
	seen := source.Compare(o.Source, o.Base)
	head.Source, head.manifests, before.manifests = seen, &installed.Beside{}, &installed.Beside{}
	now, err := gather(ctx, head, nil)
	if err != nil {
		return nil, err
	}
	sides := installed.NewSides(seen, head.manifests, o.Base, before.manifests)
	before.Source, before.Base, before.Baseline, before.NoIgnore, before.Listed = o.Base, nil, nil, true, true
	if now.isHurried {
		ctx, before.Ask = now.detached(ctx), nil
	}
	before.Compares = false
	before.all = true // the targets may have been elsewhere
	e := &extent{}
	then, err := gather(ctx, before, func(found *discovered) {
		now.touched = sides.Touched(ctx, now.repo)
		e = newExtent(now, found, seen.Changed())
		found.candidates = slices.DeleteFunc(found.candidates, func(c candidate) bool { return !e.holds(c.match.Dir) })
	})
	if err != nil {
		return nil, err
	}
	if err := sides.Fill(ctx, now.repo, then.repo); err != nil {
		return nil, err
	}
	was, err := judge(ctx, before, then, nil)
	if err != nil {
		return nil, err
	}
	c := comparison{ctx: ctx, head: o.Source, base: o.Base, gone: map[string]bool{}}
	c.mistaken, c.wasMistaken = o.Settings.Mistaken(now.repo, now.found.paths()), o.Settings.Mistaken(then.repo, then.found.paths())
	base := compare.NewBase(then.repo, now.repo, e.holds, c.moved)
	base.Rev = o.BaseRev
	known := c.known(was.Unmerged)
	c.started = startedAnew(base.Changes())
	o.atBase = &policy.AtBase{Settings: o.BaseSettings, Repo: then.repo, IsOther: c.isOfAnother(base.Changes(), known)}
	result, err := judge(ctx, o, now, base)
	if err != nil {
		return nil, err
	}
	var left, old, unknown []rule.Finding
	for _, f := range result.Unmerged {
		isMade := f.Rule == checks.UnusedIgnore && c.mistaken[f.Span] && !c.wasMistaken[f.Span] // the change removed what it names
		switch {
		case f.Rule.NeedsBase && !f.WithoutBase:
			if !now.isState(f.File.Path) {
				left = append(left, f) // it reports a change
			}
		case isMade:
			left = append(left, f)
		case now.isState(f.File.Path) || e.isOutside(f.File.Path) || e.isElsewhere(f.File.Path) && c.isUnchanged(&f) || c.isOld(&f, known):
			old = append(old, f)
		default:
			unknown = append(unknown, f)
		}
	}
	if len(unknown) > 0 {
		renamed := c.touched(then.repo, now.repo, was.Unmerged, known)
		for _, f := range unknown {
			if !c.isStartedAnew(&f) && renamed.isOld(&f) {
				old = append(old, f)
			} else {
				left = append(left, f)
			}
		}
	}
	left = rule.Sort(left)
	result.Findings, result.Old, result.BaseProjects = rule.Merge(left), len(rule.Merge(old)), len(then.repo.Projects)
	result.Change, result.Before = now.summary(base, e, result, len(was.Errors) > 0), then.repo
	if !o.NoIgnore {
		result.Notices = append(result.Notices, policy.LoosenedComments(then.repo, concerned(now.repo, e))...)
	}
	if n := len(was.Errors); n > 0 {
		result.Notices = append(result.Notices, notChecked(n, was.Errors[0]))
	}
	grade(ctx, o, result.Findings)
	return result, annotateMentions(ctx, o, now.scope, result.Findings)
}

// summary returns what a change adds and removes within the targets. It does not count the content
// of a file that cannot be read today as removed.
func (g *gathered) summary(base *compare.Base, e *extent, result *Result, isPartial bool) *compare.Summary {
	isUnread := map[string]bool{}
	for i := range result.Unmerged {
		if f := &result.Unmerged[i]; f.Rule == checks.SyntaxError && f.Severity > rule.Note && !e.isOutside(f.File.Path) {
			isUnread[f.File.Path] = true
		}
	}
	for _, failed := range result.Errors {
		isUnread[failed.Path] = true
	}
	rows := slices.DeleteFunc(base.Brought(), func(b compare.Brought) bool {
		path := b.File.Path
		return g.isState(path) || !result.Covers(path) || b.AtBase && isUnread[path]
	})
	return &compare.Summary{Rows: rows, IsPartial: isPartial || len(isUnread) > 0}
}

// concerned returns the part of a repository that changes concern.
func concerned(repo *mcp.Repo, e *extent) *mcp.Repo {
	isOther := func(p *mcp.Project) bool { return !e.holds(p.Dir) }
	return &mcp.Repo{Projects: slices.DeleteFunc(slices.Clone(repo.Projects), isOther)}
}

// notChecked reports that n files or rules of the base could not be checked.
func notChecked(n int, first FileError) string {
	if n == 1 {
		return fmt.Sprintf("of the base one file or rule could not be checked, and what is found there counts as new: %s", first.Error())
	}
	return fmt.Sprintf("of the base %d files or rules could not be checked, and what is found there counts as new, such as %s", n, first.Error())
}

// comparison tells old findings from new ones.
type comparison struct {
	ctx        context.Context
	head, base source.Tree
	// today and then know the secrets of both revisions; gone reports whether a file of the
	// base no longer exists, by path.
	today, then secret.Spans
	gone        map[string]bool
	// started are the current servers that the base did not start anywhere.
	started map[entryPlace]bool
	// mistaken and wasMistaken are the places where the settings ignore by a name that
	// nothing has, today and in the base.
	mistaken, wasMistaken map[syntax.Span]bool
}

// moved replaces the path of a file of the base that no longer exists: its content may be
// anywhere.
const moved = ""

// names returns the names that the base may have for the file that is now at a path.
func names(path string) []string { return []string{path, moved} }

// name returns the name of a file of the base.
func (c *comparison) name(path string) string {
	gone, known := c.gone[path]
	if !known {
		_, err := c.head.Stat(c.ctx, path)
		gone = errors.Is(err, fs.ErrNotExist)
		c.gone[path] = gone
	}
	if gone {
		return moved
	}
	return path
}

// trace is the key that a finding shares with the same finding of another revision, even if
// it has moved. It includes what the entry runs: another server under an old name is new.
// It is never shown: it contains a credential unmasked, so that a different credential at
// the same place is new.
func trace(f *rule.Finding, hidden *secret.Spans) string {
	trace := f.Trace(hidden) + "\x00" + f.Identity
	if f.Secret {
		trace += "\x00" + string(f.File.Bytes[f.Span.Start:f.Span.End])
	}
	return trace
}

// place is where something was found, in a file that was called name.
func place(name, token string) string { return name + "\x00" + token }

// traceAtBase is the findings of the base with one trace, in files of one name.
type traceAtBase struct {
	count, more int
	severity    rule.Severity
	// places are the places that belong to them, with their messages.
	places map[string]bool
}

// problem is the findings of the base by one rule about one server, at related places. A
// rule may report any of them, such as the second of two: which one it reports may change
// with their order, and so may its messages about the others.
type problem struct {
	severity rule.Severity
	// reported are the reported places, places those and all places related to them, said the
	// messages about these.
	reported, places, said map[string]bool
	findings               []*traceAtBase // the first may already be matched
}

// absorb adds what another one has.
func (p *problem) absorb(other *problem) {
	p.severity = max(p.severity, other.severity)
	maps.Copy(p.reported, other.reported)
	maps.Copy(p.places, other.places)
	maps.Copy(p.said, other.said)
	p.findings = append(p.findings, other.findings...)
}

// baseFindings are the findings of the base, by trace and name, and by rule and server.
type baseFindings struct {
	known map[string]*traceAtBase
	// problems are by the rule, the server and each place.
	problems map[string]*problem
}

// groupKey returns to which problem a finding belongs.
func groupKey(f *rule.Finding) string { return f.Rule.ID + "\x00" + f.Identity }

// known returns the findings of the base.
func (c *comparison) known(findings []rule.Finding) baseFindings {
	all := baseFindings{map[string]*traceAtBase{}, map[string]*problem{}}
	for i := range findings {
		f := &findings[i]
		name := c.name(f.File.Path)
		k := fill(all.known, place(name, trace(f, &c.then)), func() *traceAtBase { return &traceAtBase{places: map[string]bool{}} })
		k.count++
		k.more = max(k.more, f.MoreRelated)
		k.severity = max(k.severity, f.Severity)
		at := place(name, f.Token(&c.then))
		p := &problem{severity: f.Severity, reported: map[string]bool{at: true}, places: map[string]bool{at: true}, said: map[string]bool{}, findings: []*traceAtBase{k}}
		for j := range f.Related {
			r := &f.Related[j]
			at := place(c.name(r.File.Path), r.Token(&c.then))
			k.places[r.Message+"\x00"+at] = true
			p.places[at], p.said[r.Message] = true, true
		}
		all.add(groupKey(f), p)
	}
	return all
}

// add adds a problem, and joins it with those that share a place with it: the smaller with the
// larger, so that one with many places is not gone through again for each.
func (all *baseFindings) add(group string, p *problem) {
	own := slices.Collect(maps.Keys(p.places))
	for _, at := range own {
		other := all.problems[group+"\x00"+at]
		if other == nil || other == p {
			continue
		}
		if len(other.places) > len(p.places) {
			p, other = other, p
		}
		p.absorb(other)
		for shared := range other.places {
			all.problems[group+"\x00"+shared] = p
		}
	}
	for _, at := range own {
		all.problems[group+"\x00"+at] = p
	}
}

// fill returns the value of a map at a key, and builds it first if it is missing.
func fill[T any](all map[string]*T, key string, build func() *T) *T {
	if all[key] == nil {
		all[key] = build()
	}
	return all[key]
}

// isOld reports whether the base has a finding, as often and as bad, and with all of
// its related places.
func (c *comparison) isOld(f *rule.Finding, all baseFindings) bool {
	if f.Rule == checks.UnusedIgnore {
		return c.isUnchanged(f) // the base was checked without ignores
	}
	if c.isStartedAnew(f) {
		return false
	}
	same := trace(f, &c.today)
	for _, name := range names(f.File.Path) {
		if k := all.known[place(name, same)]; k != nil && c.isIn(k, f) {
			k.count--
			return true
		}
	}
	return c.isRestatement(f, all.problems)
}

// isIn reports whether a finding is among those that the base has with its trace.
func (c *comparison) isIn(k *traceAtBase, f *rule.Finding) bool {
	if k.count == 0 || k.severity < f.Severity {
		return false
	}
	return k.more > 0 || c.areIn(f, func(r *rule.Related, at string) bool { return k.places[r.Message+"\x00"+at] })
}

// isRestatement reports whether a finding repeats one of the base about the same places, at
// another of them or with only some of them.
func (c *comparison) isRestatement(f *rule.Finding, problems map[string]*problem) bool {
	if len(f.Related) == 0 || f.MoreRelated > 0 || f.Secret {
		return false
	}
	token := f.Token(&c.today)
	for _, name := range names(f.File.Path) {
		p := problems[groupKey(f)+"\x00"+place(name, token)]
		if p == nil || p.severity < f.Severity ||
			!c.areIn(f, func(r *rule.Related, at string) bool { return p.reported[at] || p.places[at] && p.said[r.Message] }) {
			continue
		}
		for len(p.findings) > 0 && p.findings[0].count == 0 {
			p.findings = p.findings[1:]
		}
		if len(p.findings) > 0 {
			p.findings[0].count--
			return true
		}
	}
	return false
}

// areIn reports whether everything that belongs to a finding was there. Places in the
// policy do not count: the base was checked without it.
func (c *comparison) areIn(f *rule.Finding, was func(r *rule.Related, at string) bool) bool {
	for i := range f.Related {
		r := &f.Related[i]
		token := r.Token(&c.today)
		if !r.Aside && !slices.ContainsFunc(names(r.File.Path), func(name string) bool { return was(r, place(name, token)) }) {
			return false
		}
	}
	return true
}

// isUnchanged reports whether the file that a finding is in is the same in the base.
func (c *comparison) isUnchanged(f *rule.Finding) bool {
	then, err := c.base.Read(c.ctx, f.File.Path)
	return err == nil && string(then.Content) == string(f.File.Bytes)
}

// manifests are the files by which the directory of a program is known again.
var manifests = []string{"package.json", "pyproject.toml", "go.mod", "Cargo.toml", "Makefile", "justfile", "Taskfile.yml", "deno.json"}

// moved reports whether a file has moved from one path to another unchanged and no longer
// exists at the first; for a directory, whether its manifest has.
func (c *comparison) moved(from, to string) bool {
	if c.name(from) != moved {
		return false
	}
	if c.isCopied(from, to) {
		return true
	}
	return slices.ContainsFunc(manifests, func(name string) bool { return c.isCopied(path.Join(from, name), path.Join(to, name)) })
}

// isCopied reports whether a file of the base is at a path of today.
func (c *comparison) isCopied(from, to string) bool {
	then, err := c.base.Read(c.ctx, from)
	if err != nil {
		return false
	}
	now, err := c.head.Read(c.ctx, to)
	return err == nil && bytes.Equal(then.Content, now.Content)
}
