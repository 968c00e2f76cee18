package fix

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// tally counts findings. Those that are one problem at several places count each
// by itself: the next run may join others.
type tally map[key]int

func tallyOf(r *lint.Result) tally {
	counts := make(tally, len(r.Unmerged))
	for i := range r.Unmerged {
		counts[keyOf(&r.Unmerged[i])]++
	}
	return counts
}

// blame returns what is wrong with a tree with fixes made, as a reason for each
// part that it is laid to: one that tries something or, at the end of a round, one
// that has taken something. What cannot be laid to a part is laid to nil.
func (r *round) blame(after *lint.Result, atEnd bool) map[*part]string {
	blamed := map[*part]string{}
	lay := func(reason string, paths ...string) {
		for _, path := range paths {
			if p := r.partOf(path); p != nil && (len(p.trying) > 0 || atEnd && len(p.taken) > 0) {
				blamed[p] = reason
				return
			}
		}
		blamed[nil] = reason
	}
	now, fixed, full := tallyOf(after), r.fixed(), r.full()
	for k, n := range fixed {
		if full[k.rule] {
			n = 0 // others like it had been left out
		}
		if now[k] > r.before[k]-n {
			lay("the finding would stay", k.path)
		}
	}
	for _, f := range r.newFindings(after, now, fixed) {
		lay(fmt.Sprintf("it would bring up %s in %s", f.Rule.ID, f.File.Path), pathsOf(f)...)
	}
	for _, l := range slices.Backward(losses(r.result.Whole, after.Whole)) { // the first one is said
		lay(l.reason(), l.path)
	}
	for _, e := range errorsOf(after, r.result) {
		lay("with it a file or a rule could not be checked any more: "+e.Error(), e.Path)
	}
	return blamed
}

// full returns the rules that had found more than there was room for.
func (r *round) full() map[*checks.Rule]bool {
	full := map[*checks.Rule]bool{}
	for _, f := range r.result.Full {
		full[f.Check] = true
	}
	return full
}

// fixed counts the findings that are to go.
func (r *round) fixed() tally {
	fixed := tally{}
	for _, c := range r.chosen() {
		fixed[c.key]++
	}
	return fixed
}

// newFindings returns the findings that count and were not there before.
func (r *round) newFindings(after *lint.Result, now, fixed tally) []*checks.Finding {
	excused := r.allowances(now, fixed)
	var found []*checks.Finding
	seen := tally{}
	for i := range after.Unmerged {
		f := &after.Unmerged[i]
		k := keyOf(f)
		seen[k]++
		if f.Severity >= checks.Warning && seen[k] > r.before[k] && !excused.take(k) {
			found = append(found, f)
		}
	}
	return found
}

// allowances counts the findings that were not there before and are none the less not
// new.
type allowances struct {
	// moved are those of a rule in a part. Where a fix gives a server another name,
	// what is found of it moves along: as many as have gone for no other reason.
	moved map[movedFrom]int
	// behind are those of a rule about a server. Clients stumble over one thing after
	// the other, and a rule says what comes first: as many as are mended may have
	// stood behind what is mended, and were there all along.
	behind map[about]int
	// opened are the files whose servers nobody read before something was mended in
	// them, and how bad that was: what is found of them was there all along.
	opened map[string]checks.Severity
	// full are the rules that had found more than there was room for: what was left out
	// comes up when something is mended.
	full map[*checks.Rule]bool
	// taken are those of a rule in a file that take a server over, as many as the rule
	// finds of it where it is taken from: whoever wants it there wants it as it is.
	taken map[takenOver]int
	// partOf returns the part that a path belongs to, mended are the findings that
	// earlier rounds have mended: none of those comes back.
	partOf func(path string) *part
	mended map[key]bool
}

type takenOver struct {
	rule *checks.Rule
	path string
}

type movedFrom struct {
	rule *checks.Rule
	part *part
}

// about is what a finding is about, and how bad that is.
type about struct {
	rule         *checks.Rule
	severity     checks.Severity
	path, server string
}

func (r *round) allowances(now, fixed tally) *allowances {
	e := &allowances{map[movedFrom]int{}, map[about]int{}, map[string]checks.Severity{}, r.full(), r.takenOver(), r.partOf, r.applied}
	for k, n := range r.before {
		if k.severity < checks.Warning {
			continue
		}
		e.moved[movedFrom{k.rule, r.partOf(k.path)}] += max(n-fixed[k]-now[k], 0)
		if k.server != "" {
			e.behind[k.about()] += fixed[k]
		}
		if k.rule.Blocking && fixed[k] > 0 {
			e.opened[k.path] = max(e.opened[k.path], k.severity)
		}
	}
	return e
}

// takenOver counts what is found of servers where they are taken from, by the files that
// they are written into.
func (r *round) takenOver() map[takenOver]int {
	type place struct {
		path string
		at   syntax.Span
	}
	into := map[place]map[string]bool{} // by the server's name
	for _, c := range r.chosen() {
		if c.finding.Rule != checks.OutOfStep {
			continue
		}
		for _, from := range c.finding.Related {
			at := place{from.File.Path, from.Span}
			if into[at] == nil {
				into[at] = map[string]bool{}
			}
			for _, e := range c.fixes[0].Edits {
				into[at][e.File.Path] = true
			}
		}
	}
	counts := map[takenOver]int{}
	if len(into) == 0 {
		return counts
	}
	names := nameSpans(r.result.Repo)
	for i := range r.result.Unmerged {
		f := &r.result.Unmerged[i]
		if f.Severity < checks.Warning {
			continue
		}
		for path := range into[place{f.File.Path, names[entry{f.File.Path, f.Server}]}] {
			counts[takenOver{f.Rule, path}]++
		}
	}
	return counts
}

// chosen returns what the round has taken or tries.
func (r *round) chosen() []*candidate {
	var all []*candidate
	for _, p := range r.parts {
		all = append(append(all, p.taken...), p.trying...)
	}
	return all
}

// entry is a server in its file.
type entry struct{ path, server string }

// nameSpans returns where the names of servers are written.
func nameSpans(repo *mcp.Repo) map[entry]syntax.Span {
	spans := map[entry]syntax.Span{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				spans[entry{d.File.Path, s.Name}] = s.NameSpan
			}
		}
	}
	return spans
}

// take reports whether one more finding is excused.
func (e *allowances) take(k key) bool {
	if over := (takenOver{k.rule, k.path}); e.taken[over] > 0 && k.rule != checks.OutOfStep {
		e.taken[over]--
		return true
	}
	if (e.full[k.rule] || k.severity <= e.opened[k.path]) && !e.mended[k] {
		return true
	}
	if k.server != "" && !e.mended[k] {
		for a := k.about(); a.severity <= checks.Error; a.severity++ { // no worse than what is mended
			if e.behind[a] > 0 {
				e.behind[a]--
				return true
			}
		}
	}
	from := movedFrom{k.rule, e.partOf(k.path)}
	e.moved[from]--
	return e.moved[from] >= 0
}

// pathsOf returns the paths that a finding may come from.
func pathsOf(f *checks.Finding) []string {
	paths := []string{f.File.Path}
	for _, r := range f.Related {
		paths = append(paths, r.File.Path)
	}
	return paths
}
