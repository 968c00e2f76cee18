package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/source"
)

// runSince checks a repository and returns what is new since the base. Of the base
// only those projects are read and checked that a change concerns: all else would be
// found there as it is here. The settings are those of today: in the base nothing is
// ignored.
func runSince(ctx context.Context, o Options) (*Result, error) {
	return compare(ctx, o, newExtent)
}

// compare is runSince with what works out the extent of changes.
func compare(ctx context.Context, o Options, newExtent func(now *gathered, before []candidate, changed []string) *extent) (*Result, error) {
	head, before := o, o
	seen := source.Compare(o.Source, o.Base)
	head.Source = seen
	now, err := gather(ctx, head, nil)
	if err != nil {
		return nil, err
	}
	before.Source, before.Base, before.Baseline, before.NoIgnore, before.Listed = o.Base, nil, nil, true, true
	e := &extent{}
	then, err := gather(ctx, before, func(all []candidate) []candidate {
		e = newExtent(now, all, seen.Changed())
		return slices.DeleteFunc(all, func(c candidate) bool { return !e.holds(c.match.Dir) })
	})
	if err != nil {
		return nil, err
	}
	was, err := judge(ctx, before, then, nil)
	if err != nil {
		return nil, err
	}
	result, err := judge(ctx, o, now, then.repo)
	if err != nil {
		return nil, err
	}
	c := comparison{ctx: ctx, head: side{tree: o.Source, other: o.Base}, base: side{tree: o.Base, other: o.Source}}
	known := c.known(was.Unmerged)
	var left, old []checks.Finding
	for _, f := range result.Unmerged {
		if now.isState(f.File.Path) || e.isOutside(f.File.Path) || e.isElsewhere(f.File.Path) && c.isUnchanged(&f) || c.isOld(&f, known) {
			old = append(old, f)
		} else {
			left = append(left, f)
		}
	}
	result.All = result.Findings
	result.Unmerged, result.Findings, result.Old = left, checks.Merge(left), len(checks.Merge(old))
	if n := len(was.Errors); n > 0 {
		result.Notices = append(result.Notices, fmt.Sprintf("of the base %d files or rules could not be checked: what they have counts as new", n))
	}
	return result, ctx.Err()
}

// comparison tells old findings from new ones.
type comparison struct {
	ctx        context.Context
	head, base side
}

// side is one of two trees, and what was asked of both.
type side struct {
	tree, other source.Tree
	spans       secret.Spans
	alone       map[string]bool // whether a path is in this tree alone, by path
}

// name returns what a path is called in a comparison: one that is in this tree alone
// has no name, because the file may have another one in the other tree.
func (s *side) name(ctx context.Context, path string) string {
	alone, known := s.alone[path]
	if !known {
		if s.alone == nil {
			s.alone = map[string]bool{}
		}
		_, err := s.other.Stat(ctx, path)
		alone = errors.Is(err, fs.ErrNotExist)
		s.alone[path] = alone
	}
	if alone {
		return ""
	}
	return path
}

// trace is what a finding and one of another revision have in common if they are the
// same, whatever has moved. What the entry runs is in it: another server under an old
// name is new. Nobody sees it: a credential is in it as it is, so that another one in its
// place is new.
func (s *side) trace(ctx context.Context, f *checks.Finding) string {
	trace := f.FingerprintAs(s.name(ctx, f.File.Path), &s.spans) + f.Identity
	if f.Secret {
		trace += string(f.File.Bytes[f.Span.Start:f.Span.End])
	}
	return trace
}

// places returns the same of what belongs to a finding.
func (s *side) places(ctx context.Context, f *checks.Finding) []string {
	var places []string
	for i := range f.Related {
		r := &f.Related[i]
		places = append(places, r.Message+"\x00"+r.Key(s.name(ctx, r.File.Path), &s.spans))
	}
	return places
}

// known is what the base has of findings with one trace.
type known struct {
	count, more int
	severity    checks.Severity
	places      map[string]bool
}

// known returns what the base has, by trace.
func (c *comparison) known(findings []checks.Finding) map[string]*known {
	all := map[string]*known{}
	for i := range findings {
		f := &findings[i]
		trace := c.base.trace(c.ctx, f)
		k := all[trace]
		if k == nil {
			k = &known{places: map[string]bool{}}
			all[trace] = k
		}
		k.count++
		k.more = max(k.more, f.MoreRelated)
		k.severity = max(k.severity, f.Severity)
		for _, place := range c.base.places(c.ctx, f) {
			k.places[place] = true
		}
	}
	return all
}

// isOld reports whether the base has a finding, as often and as bad, and with all of
// its related places.
func (c *comparison) isOld(f *checks.Finding, all map[string]*known) bool {
	if f.Check == checks.UnusedIgnore {
		return c.isUnchanged(f) // what is ignored in the base, nobody has asked
	}
	k := all[c.head.trace(c.ctx, f)]
	if k == nil || k.count == 0 || k.severity < f.Severity {
		return false
	}
	if k.more == 0 {
		for _, place := range c.head.places(c.ctx, f) {
			if !k.places[place] {
				return false
			}
		}
	}
	k.count--
	return true
}

// isUnchanged reports whether the file that a finding is in is the same in the base.
func (c *comparison) isUnchanged(f *checks.Finding) bool {
	then, err := c.base.tree.Read(c.ctx, f.File.Path)
	return err == nil && string(then.Content) == string(f.File.Bytes)
}
