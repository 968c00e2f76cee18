package fix

import (
	"fmt"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
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
	now, fixed := tallyOf(after), r.fixed()
	for k, n := range fixed {
		if now[k] > r.before[k]-n {
			lay("the finding would stay", k.path)
		}
	}
	for _, f := range r.newFindings(after, now, fixed) {
		lay(fmt.Sprintf("it would bring up %s in %s", f.Check.ID, f.File.Path), pathsOf(f)...)
	}
	for _, e := range errorsOf(after, r.result) {
		lay("with it a file or a rule could not be checked any more", e.Path)
	}
	return blamed
}

// fixed counts the findings that are to go.
func (r *round) fixed() tally {
	fixed := tally{}
	for _, p := range r.parts {
		for _, group := range [][]*candidate{p.taken, p.trying} {
			for _, c := range group {
				fixed[c.key]++
			}
		}
	}
	return fixed
}

// newFindings returns the findings that count and were not there before. Where a
// fix gives a server another name, what is found of it moves along: as many
// findings of the same rule as have gone for no other reason are not new.
func (r *round) newFindings(after *lint.Result, now, fixed tally) []*checks.Finding {
	type place struct {
		rule *checks.Check
		part *part
	}
	moved := map[place]int{}
	for k, n := range r.before {
		if k.severity < checks.Warning {
			continue
		}
		moved[place{k.rule, r.partOf(k.path)}] += max(n-fixed[k]-now[k], 0)
	}
	var found []*checks.Finding
	seen := tally{}
	for i := range after.Unmerged {
		f := &after.Unmerged[i]
		k := keyOf(f)
		seen[k]++
		if f.Severity < checks.Warning || seen[k] <= r.before[k] {
			continue
		}
		at := place{k.rule, r.partOf(k.path)}
		if moved[at]--; moved[at] < 0 {
			found = append(found, f)
		}
	}
	return found
}

// pathsOf returns the paths that a finding may come from.
func pathsOf(f *checks.Finding) []string {
	paths := []string{f.File.Path}
	for _, r := range f.Related {
		paths = append(paths, r.File.Path)
	}
	return paths
}
