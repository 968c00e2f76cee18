package fix

import (
	"context"
	"maps"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// round makes all fixes that can be made at once, and reports whether there were
// any.
func (m *fixer) round(ctx context.Context) (bool, error) {
	m.now, m.real = m.tree(m.contents), map[*syntax.File]string{}
	parts, partOf := m.parts(m.candidates())
	r := &round{fixer: m, parts: parts, partOf: partOf, before: tallyOf(m.result)}
	for {
		isDone, err := r.try(ctx)
		if err != nil {
			return false, err
		}
		if isDone {
			return r.close(), nil
		}
	}
}

// round is what is done at once.
type round struct {
	*fixer
	parts  []*part
	partOf func(path string) *part
	before tally
	// after is what is found with everything that is taken, nil while that is not known.
	after *lint.Result
	// oneByOne tries the parts one at a time, because something went wrong that
	// belonged to none of them.
	oneByOne bool
}

// try checks the next groups of all parts, and reports whether none were left.
func (r *round) try(ctx context.Context) (isDone bool, err error) {
	if r.lints >= maxLints {
		r.giveUp()
	}
	trying := r.propose(ctx)
	isDone = len(trying) == 0
	if isDone && (r.after != nil || !r.hasTaken()) {
		return true, nil
	}
	r.lints++
	after, err := r.o.Lint(ctx, r.tree(r.contentsNow()))
	if err != nil {
		return false, err
	}
	blamed := r.reject(after, len(trying) == 0)
	r.after = nil
	if len(blamed) == 0 {
		r.after = after
	}
	r.judge(trying, blamed)
	return isDone && r.after != nil, nil
}

// propose returns the parts with something to try.
func (r *round) propose(ctx context.Context) []*part {
	var trying []*part
	for _, p := range r.parts {
		if r.oneByOne && len(trying) > 0 {
			break
		}
		if r.fixer.propose(ctx, p) {
			trying = append(trying, p)
		}
	}
	return trying
}

// judge keeps what the parts tried, except for rejected parts.
func (r *round) judge(trying []*part, blamed map[*part]string) {
	unclear, isUnclear := blamed[nil]
	for _, p := range trying {
		reason, isBlamed := blamed[p]
		switch {
		case isBlamed:
			r.drop(p, reason)
		case isUnclear && len(trying) == 1:
			r.drop(p, unclear)
		case isUnclear:
			p.groups, p.trying, p.tried = append(p.groups, p.trying), nil, nil
			r.oneByOne = true
		default:
			p.keep()
		}
	}
	if len(trying) == 0 {
		r.undo(blamed)
	}
}

// undo takes back what the blamed parts have taken: each of them was all right, and
// all of them are not.
func (r *round) undo(blamed map[*part]string) {
	for _, p := range r.parts {
		reason, isBlamed := blamed[p]
		if unclear, all := blamed[nil]; all {
			reason, isBlamed = unclear, true
		}
		if !isBlamed {
			continue
		}
		for _, c := range p.taken {
			r.reasons[c.attempt()] = reason
			p.failed = append(p.failed, c.attempt())
		}
		p.taken, p.contents = nil, nil
	}
}

// giveUp leaves everything that has not been tried.
func (r *round) giveUp() {
	for _, p := range r.parts {
		for _, group := range p.groups {
			for _, c := range group {
				r.reasons[c.attempt()] = "too many fixes had to be tried one by one"
			}
		}
		p.groups = nil
	}
}

func (r *round) hasTaken() bool {
	for _, p := range r.parts {
		if len(p.taken) > 0 {
			return true
		}
	}
	return false
}

// contentsNow returns the files with all that is taken and being tried.
func (r *round) contentsNow() map[string][]byte {
	contents := maps.Clone(r.contents)
	for _, p := range r.parts {
		maps.Copy(contents, p.now())
	}
	return contents
}

// close ends the round: taken fixes are made, and fixes that failed while nothing was taken are not
// tried again.
func (r *round) close() bool {
	hasChanged := r.hasTaken()
	if hasChanged {
		r.contents, r.result = r.contentsNow(), r.after
	}
	for _, p := range r.parts {
		for _, c := range p.taken {
			r.made = append(r.made, Made{Finding: *c.finding, Fix: *c.fixes[0]})
			r.applied[c.key] = true
			r.noteNotFixed(c.of)
		}
		for _, failed := range p.failed {
			if len(p.taken) == 0 {
				r.refused[failed] = r.reasons[failed]
			}
		}
	}
	return hasChanged
}
