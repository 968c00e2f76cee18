package cli

import (
	"context"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// suggestions are what can be suggested in a pull request, and how many fixes cannot.
type suggestions struct {
	list []pullrequest.Suggestion
	// outside counts the fixes of lines that the pull request does not show, or that a
	// credential stands in.
	outside int
}

// suggest returns what a click could mend in a pull request that changes files. A fix is
// suggested whole or not at all.
func (a *app) suggest(ctx context.Context, w *workspace, r request, allowed checks.Safety, changed []github.ChangedFile) (*suggestions, error) {
	m, err := a.mend(ctx, w, r, fixFlags{diff: true, allow: &choice{value: allowed.String()}})
	if err != nil {
		return nil, err
	}
	v := view.New(a.viewed(w, m.Before))
	s := suggesting{mended: m, out: map[hunkAt]bool{}, hunks: map[string][]view.Hunk{}, diffs: diffsOf(m, changed)}
	for i, patch := range a.patches(w, v, m) {
		path := m.Files[i].Path
		s.hunks[path] = view.Hunks(string(m.Files[i].Old), string(m.Files[i].New))
		for _, line := range patch.Withheld {
			s.out[hunkAt{path, line}] = true
		}
	}
	return s.list(v), nil
}

// diffsOf returns what a pull request shows of the files that fixes change: nothing of one
// that is not here what it is there, as where the base has changed it, too.
func diffsOf(m *mended, changed []github.ChangedFile) map[string]pullrequest.Diff {
	diffs := map[string]pullrequest.Diff{}
	for _, c := range changed {
		for _, f := range m.Files {
			// How a click writes line ends of Windows is not known.
			if f.Path == c.Path && pullrequest.IsAt(c, f.Old) && !strings.Contains(string(f.Old), "\r") {
				diffs[f.Path] = pullrequest.ReadDiff(c.Patch)
			}
		}
	}
	return diffs
}

// suggesting works out suggestions.
type suggesting struct {
	*mended
	out   map[hunkAt]bool
	hunks map[string][]view.Hunk
	diffs map[string]pullrequest.Diff
}

// list returns the suggestions.
func (s *suggesting) list(v *view.View) *suggestions {
	found := map[hunkAt]pullrequest.Suggestion{}
	for _, f := range s.Files {
		for _, h := range s.hunks[f.Path] {
			at := hunkAt{f.Path, h.OldStart}
			suggestion, ok := suggestionOf(f.Path, h)
			if !ok || !s.diffs[f.Path].Shows(suggestion.First, suggestion.Last) {
				s.out[at] = true
			}
			found[at] = suggestion
		}
	}
	all := &suggestions{}
	left := s.leftOut(s.out, s.hunks)
	all.outside = len(left)
	x := s.search(s.hunks)
	fixes, parts := map[hunkAt][]view.Mending{}, map[hunkAt]int{}
	for i := range s.Made {
		places := x.hunksOf(&s.Made[i])
		for _, at := range places {
			fixes[at] = append(fixes[at], v.Mended(&s.Made[i].Finding, &s.Made[i].Fix))
			parts[at] = max(parts[at], len(places))
		}
	}
	for _, f := range s.Files {
		for _, h := range s.hunks[f.Path] {
			at := hunkAt{f.Path, h.OldStart}
			if s.out[at] {
				continue
			}
			suggestion, of := found[at], at
			if len(fixes[of]) == 0 {
				of.line = anyLine
			}
			suggestion.Text = report.Suggestion(fixes[of], parts[of])
			all.list = append(all.list, suggestion)
		}
	}
	return all
}

// suggestionOf returns the lines of a hunk that change. Lines that come are suggested in
// place of a line beside them, together with it.
func suggestionOf(path string, h view.Hunk) (s pullrequest.Suggestion, ok bool) {
	isOld := func(line string) bool { return line[0] != '+' }
	lines := make([]string, len(h.Lines))
	first, last, hasOld := -1, -1, false
	for i := range h.Lines {
		if lines[i] = h.Lines[i].Plain(); lines[i][0] != ' ' {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return s, false
	}
	for _, line := range lines[first : last+1] {
		hasOld = hasOld || isOld(line)
	}
	switch {
	case hasOld:
	case first > 0:
		first--
	case last+1 < len(lines):
		last++
	default:
		return s, false
	}
	s = pullrequest.Suggestion{Path: path, First: h.OldStart}
	for _, line := range lines[:first] {
		if isOld(line) {
			s.First++
		}
	}
	s.Last = s.First - 1
	for _, line := range lines[first : last+1] {
		if isOld(line) {
			s.Last++
			s.Old += line[1:]
		}
		if line[0] != '-' {
			s.New += line[1:]
		}
	}
	return s, true
}
