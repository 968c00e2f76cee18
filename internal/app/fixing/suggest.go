// A browser has no pull requests, and their client is as large as all rules.

//go:build !js

package fixing

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// Suggest returns what a click could fix in a pull request that changes files. A fix is
// suggested whole or not at all.
func Suggest(ctx context.Context, w *workspace.Workspace, allowed rule.Safety, changed []github.ChangedFile) (*pullrequest.Suggestions, error) {
	m, err := Try(ctx, w, allowed)
	if err != nil {
		return nil, err
	}
	v, after := view.New(w.Viewed(m.Before)), view.New(w.Viewed(m.After))
	s := suggesting{Result: m, out: map[hunkAt]bool{}, hunks: map[string][]view.Hunk{}, diffs: diffsOf(m, changed)}
	s.cut(v)
	for _, f := range m.Files {
		for _, line := range v.Withheld(after, f.Path, f.Old, f.New, s.hunks[f.Path]) {
			s.out[hunkAt{f.Path, line}] = true
		}
	}
	all := s.list(v)
	var unread []string // what could not be checked may be as it was
	for _, e := range m.Before.Errors {
		unread = append(unread, e.Path)
	}
	all.Covers = func(path string) bool {
		return isBelow(w.Options.Targets, path) && (len(unread) == 0 || !isBelow(unread, path))
	}
	return all, nil
}

// maxBetween is how many lines may be between two changes that are one suggestion.
const maxBetween = 6

// cut cuts what changes into hunks, which are suggestions: each as small as it can be, but
// those close to each other that belong together are one.
func (s *suggesting) cut(v *view.View) {
	for _, f := range s.Files {
		s.hunks[f.Path] = view.Changes(string(f.Old), string(f.New))
	}
	_, groups := s.changing(v)
	for _, f := range s.Files {
		var joined []view.Hunk
		group := -1 // of the last one
		for _, h := range s.hunks[f.Path] {
			before, last := group, len(joined)-1
			group = groups[hunkAt{f.Path, h.OldStart}]
			if before == group && h.OldStart-joined[last].OldStart-joined[last].OldCount <= maxBetween {
				joined[last] = view.Join(string(f.Old), joined[last], h)
				continue
			}
			joined = append(joined, h)
		}
		s.hunks[f.Path] = joined
	}
}

// diffsOf returns what a pull request shows of the files that fixes change: nothing of one
// that is not here what it is there, as where the base has changed it, too. A checkout on
// Windows has other line ends.
func diffsOf(m *Result, changed []github.ChangedFile) map[string]pullrequest.Diff {
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
	*Result
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
			suggestion, shown := found[at], fixes[at]
			if len(shown) == 0 {
				shown = fixes[hunkAt{f.Path, anyLine}]
			}
			suggestion.Group = groups[at]
			suggestion.Text = report.Suggestion(shown, size[suggestion.Group])
			all.List = append(all.List, suggestion)
		}
	}
	return all
}

// changing returns the fixes that change something in each hunk, and numbers the hunks: hunks
// have the same number if only together they make a fix. Fixes with an unknown place are under
// any line of their file.
func (s *suggesting) changing(v *view.View) (fixes map[hunkAt][]view.FixResult, groups map[hunkAt]int) {
	fixes, groups = map[hunkAt][]view.FixResult{}, map[hunkAt]int{}
	for _, f := range s.Files {
		for _, h := range s.hunks[f.Path] {
			groups[hunkAt{f.Path, h.OldStart}] = len(groups)
		}
	}
	x := s.search(s.hunks)
	for i := range s.Made {
		made := &s.Made[i]
		all := x.hunksOf(made)
		shown := all
		if slices.ContainsFunc(all, func(at hunkAt) bool { return at.line == anyLine }) {
			all, shown = s.named(all), x.shownAt(made)
		}
		for _, at := range shown {
			fixes[at] = append(fixes[at], v.FixResult(&made.Finding, &made.Fix, made.Brings))
		}
		join(groups, all)
	}
	return fixes, groups
}

// named returns hunks with anyLine replaced by all hunks of its file.
func (s *suggesting) named(hunks []hunkAt) (all []hunkAt) {
	for _, at := range hunks {
		if at.line != anyLine {
			all = append(all, at)
			continue
		}
		for _, h := range s.hunks[at.path] {
			all = append(all, hunkAt{at.path, h.OldStart})
		}
	}
	return all
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

// suggestionOf returns the lines of a hunk that go and come, false where it is not certain
// what a click would write.
func suggestionOf(path string, h view.Hunk) (s pullrequest.Suggestion, ok bool) {
	s = pullrequest.Suggestion{Path: path, First: h.OldStart, Last: h.OldStart + h.OldCount - 1}
	for _, text := range h.Lines {
		line := text.Plain()
		if whole, isWindows := strings.CutSuffix(line, "\r\n"); isWindows {
			line = whole + "\n"
		}
		if line[0] != '+' {
			s.Old += line[1:]
		}
		if line[0] != '-' {
			s.New += line[1:]
		}
	}
	// JSON holds nothing but UTF-8, and whether a click keeps a byte order mark is not known.
	return s, h.OldCount > 0 && utf8.ValidString(s.Old+s.New) && !strings.HasPrefix(s.Old, "\ufeff")
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
