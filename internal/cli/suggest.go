package cli

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// suggest returns what a click could mend in a pull request that changes files. A fix is
// suggested whole or not at all.
func (a *app) suggest(ctx context.Context, w *workspace, r request, allowed checks.Safety, changed []github.ChangedFile) (*pullrequest.Suggestions, error) {
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
	all := s.list(v)
	all.Covers = func(path string) bool { return isBelow(w.options.Targets, path) }
	return all, nil
}

// diffsOf returns what a pull request shows of the files that fixes change: nothing of one
// that is not here what it is there, as where the base has changed it, too. A checkout on
// Windows has other line ends.
func diffsOf(m *mended, changed []github.ChangedFile) map[string]pullrequest.Diff {
	diffs := map[string]pullrequest.Diff{}
	for _, c := range changed {
		for _, f := range m.Files {
			content := strings.ReplaceAll(string(f.Old), "\r\n", "\n")
			// How a click writes line ends of Windows is not known.
			if f.Path == c.Path && !strings.Contains(content, "\r") && pullrequest.IsAt(c, []byte(content)) {
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
func (s *suggesting) list(v *view.View) *pullrequest.Suggestions {
	found := map[hunkAt]pullrequest.Suggestion{}
	for _, f := range s.Files {
		for _, h := range s.hunks[f.Path] {
			at := hunkAt{f.Path, h.OldStart}
			suggestion, ok := suggestionOf(f.Path, h)
			if !ok || !suggestion.Fits() || !s.diffs[f.Path].Shows(suggestion.First, suggestion.Last) {
				s.out[at] = true
			}
			found[at] = suggestion
		}
	}
	all := &pullrequest.Suggestions{Outside: len(s.leftOut(s.out, s.hunks))}
	fixes, groups := s.changing(v)
	size := map[int]int{}
	for at := range found {
		if !s.out[at] {
			size[groups[at]]++
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
			suggestion.Group = groups[at]
			suggestion.Text = report.Suggestion(fixes[of], size[suggestion.Group])
			all.List = append(all.List, suggestion)
		}
	}
	return all
}

// changing returns the fixes that change something in each hunk, and numbers the hunks:
// those have the same that only together make a fix.
func (s *suggesting) changing(v *view.View) (fixes map[hunkAt][]view.Mending, groups map[hunkAt]int) {
	fixes, groups = map[hunkAt][]view.Mending{}, map[hunkAt]int{}
	for _, f := range s.Files {
		for _, h := range s.hunks[f.Path] {
			groups[hunkAt{f.Path, h.OldStart}] = len(groups)
		}
	}
	x := s.search(s.hunks)
	for i := range s.Made {
		var all []hunkAt
		for _, at := range x.hunksOf(&s.Made[i]) {
			fixes[at] = append(fixes[at], v.Mended(&s.Made[i].Finding, &s.Made[i].Fix))
			if at.line != anyLine {
				all = append(all, at)
				continue
			}
			for _, h := range s.hunks[at.path] {
				all = append(all, hunkAt{at.path, h.OldStart})
			}
		}
		join(groups, all)
	}
	return fixes, groups
}

// join gives hunks, and those that belong to them already, one number.
func join(groups map[hunkAt]int, hunks []hunkAt) {
	joined := map[int]bool{}
	for _, at := range hunks {
		joined[groups[at]] = true
	}
	if len(joined) < 2 {
		return
	}
	number := groups[hunks[0]]
	for at, n := range groups {
		if joined[n] {
			groups[at] = number
		}
	}
}

// suggestionOf returns the lines of a hunk that change. Lines that come are suggested in
// place of a line beside them, together with it.
func suggestionOf(path string, h view.Hunk) (s pullrequest.Suggestion, ok bool) {
	isOld := func(line string) bool { return line[0] != '+' }
	lines := make([]string, len(h.Lines))
	first, last, hasOld := -1, -1, false
	for i := range h.Lines {
		lines[i] = h.Lines[i].Plain()
		if whole, isWindows := strings.CutSuffix(lines[i], "\r\n"); isWindows {
			lines[i] = whole + "\n"
		}
		if lines[i][0] != ' ' {
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
	// JSON holds nothing but UTF-8, and whether a click keeps a byte order mark is not known.
	return s, utf8.ValidString(s.Old+s.New) && !strings.HasPrefix(s.Old, "\ufeff")
}

// isBelow reports whether a path from the root is one of others, or below one.
func isBelow(targets []string, name string) bool {
	if len(targets) == 0 {
		return true
	}
	return slices.ContainsFunc(targets, func(target string) bool {
		return target == "" || name == target || strings.HasPrefix(name, target+"/")
	})
}
