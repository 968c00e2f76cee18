// Package fix applies the fixes of findings. It chooses fixes, overlays the tree with their
// edits, has it linted again, and keeps the fixes that do what they promise, in rounds, until
// none is left. It writes nothing: it returns contents.
//
// A round takes the findings in their order, and of each the first fix that is
// allowed, a safe one before an unsafe one. Those that exclude one already taken
// wait for the next round, where the place may look different. A fix is dropped, with a
// reason, if it cannot be applied, if the finding stays, or if a file has an error more
// (round.reject). A rule that reports one problem of a server at a time finds the next one
// then, which the next round fixes.
package fix

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Options say what to fix.
type Options struct {
	// Source is where files come from.
	Source source.Tree
	// Lint checks a tree: Source, or Source with edits. Findings that
	// it does not return, because they are ignored or were not asked for, are not fixed.
	Lint func(context.Context, source.Tree) (*lint.Result, error)
	// Refuses says in a clause why a file must not be changed, by its real path, "" for a file that
	// may be changed; a nil function refuses nothing.
	Refuses func(path string) string
	// Fixes reports whether findings of a rule are fixed; a nil function means all. Findings of
	// other rules count when a fix is judged.
	Fixes func(*rule.Rule) bool
	// Allow is rule.Safe, or rule.Unsafe for those that are not safe as well.
	Allow rule.Safety
}

// Outcome is what came of it.
type Outcome struct {
	// Files are those that change, sorted by path.
	Files []File
	// Made are the fixes, in the order of the rounds and of the findings in them.
	Made []Made
	// Left are the findings that have fixes and stay, in their order.
	Left []Left
	// Rounds is how many rounds changed something.
	Rounds int
	// Before and After are what was found in Source, and what is found with all
	// changes made. They are the same where nothing changes.
	Before, After *lint.Result
}

// File is a file that changes.
type File struct {
	// Path is where it really is, links resolved, from the root.
	Path string
	// Old is the content that was read, nil if the file is new; New is the content to write.
	Old, New []byte
}

// Made is a fix that was made. The finding is as it was before.
type Made struct {
	Finding rule.Finding
	Fix     rule.Fix
	// Brings are the rules that warn more than before in a file that the fix changes or
	// because of it, each once. Of several fixes that change it, this is the one of the same
	// server, or the first.
	Brings []*rule.Rule
}

// Left is a finding, or one place of it, that could be fixed and was not.
type Left struct {
	// Finding is one of Outcome.After.
	Finding *rule.Finding
	// At is the place, the finding itself where it is fixed as a whole.
	At *rule.Finding
	// Fix is the one that would come first, without a title if there is none.
	Fix rule.Fix
	// Reason is a clause that says why it was not made, "" if it is only not
	// allowed: it is unsafe.
	Reason string
}

// isWanted reports whether a finding is one to fix.
func (m *fixer) isWanted(f *rule.Finding) bool { return m.o.Fixes == nil || m.o.Fixes(f.Rule) }

// NeedsUnsafe reports whether nothing is in the way but that the fix is unsafe.
func (l *Left) NeedsUnsafe() bool { return l.Reason == "" }

// The limits of a run, so that it ends for any repository.
const (
	maxRounds = 10
	// maxLints is how often a tree is checked to find out which fixes can be made. A
	// run without mishaps checks it once a round.
	maxLints = 60
	// maxLowered is how much is read to compute edits, in bytes.
	maxLowered = 1 << 30
)

// Run fixes a tree. The error is that of Lint.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	before, err := o.Lint(ctx, o.Source)
	if err != nil {
		return nil, err
	}
	m := &fixer{o: o, result: before, old: map[string][]byte{}, contents: map[string][]byte{}, applied: map[key]bool{}, refused: map[attempt]string{}, reasons: map[attempt]string{}, touched: map[*rule.Finding]bool{}}
	rounds := 0
	for rounds < maxRounds {
		changed, err := m.round(ctx)
		if err != nil {
			return nil, err
		}
		if !changed {
			break
		}
		rounds++
	}
	m.result = m.withNotFixed(ctx)
	addBrings(m.made, before, m.result)
	return &Outcome{
		Files: m.files(), Made: m.made, Left: m.left(), Rounds: rounds, Before: before, After: m.result,
	}, nil
}

// fixer is one run.
type fixer struct {
	o Options
	// result is what is found in the tree as it is now.
	result *lint.Result
	lints  int // in addition to the first
	// lowered counts bytes that were read to compute edits.
	lowered int
	// contents are the files that have changed, old what was in them, nil for those
	// that are new.
	contents, old map[string][]byte
	// now is the tree as this round finds it, real says where its files really are.
	now  source.Tree
	real map[*syntax.File]string
	made []Made
	// fixed are the findings whose fixes were made in earlier rounds.
	applied map[key]bool
	// refused are the fixes that are not tried again, reasons says of all that were
	// not made what was in the way when they were last tried.
	refused, reasons map[attempt]string
	// notFixed are the places without a fix of findings in touched whose other places were fixed.
	notFixed []*rule.Finding
	touched  map[*rule.Finding]bool
}

// attempt is a fix of a finding, in any round.
type attempt struct {
	key   key
	title string
}

// tree returns the tree with contents instead of its files.
func (m *fixer) tree(contents map[string][]byte) source.Tree {
	if len(contents) == 0 {
		return m.o.Source
	}
	return source.Overlay(m.o.Source, contents)
}

// files returns what has changed.
func (m *fixer) files() []File {
	var files []File
	for _, path := range slices.Sorted(maps.Keys(m.contents)) {
		if m.old[path] == nil || string(m.contents[path]) != string(m.old[path]) {
			files = append(files, File{path, m.old[path], m.contents[path]})
		}
	}
	return files
}

// left returns the findings that remain although they have a fix, or although others like them have one.
func (m *fixer) left() []Left {
	var left []Left
	for i := range m.result.Findings {
		f := &m.result.Findings[i]
		if !m.isWanted(f) {
			continue
		}
		for _, at := range f.Places() {
			if l := (Left{Finding: f, At: at}); m.isLeft(&l) {
				left = append(left, l)
			}
		}
	}
	return left
}

// isLeft computes why a place stays as it is, and reports whether there is anything to report.
func (m *fixer) isLeft(l *Left) bool {
	if len(l.At.Fixes) == 0 {
		l.Reason = l.At.NoFixReason
		return l.Reason != "" && l.At.Rule.Fix != rule.NoFix && l.At.Rule.Fix <= m.o.Allow
	}
	if len(l.Finding.Fixes) == 0 {
		return false
	}
	best := bySafety(l.At.Fixes)[0]
	if l.Fix = *best; best.Safety <= m.o.Allow {
		l.Reason = m.reasons[attempt{keyOf(l.At), best.Title}]
		if l.Reason == "" {
			l.Reason = "other fixes came first, and there was no end of them"
		}
	}
	return true
}

// noteNotFixed remembers the places without a fix of a finding that is fixed at others:
// a rule may find it only together with those.
func (m *fixer) noteNotFixed(f *rule.Finding) {
	if m.touched[f] {
		return
	}
	m.touched[f] = true
	for _, at := range f.Places() {
		if len(at.Fixes) == 0 && at.NoFixReason != "" {
			m.notFixed = append(m.notFixed, at)
		}
	}
}

// withNotFixed adds to the final findings the places that were found only because of others, which
// are fixed: they are unchanged, and would no longer be reported.
func (m *fixer) withNotFixed(ctx context.Context) *lint.Result {
	now, after := tallyOf(m.result), *m.result
	reported := map[spot]bool{}
	for i := range m.result.Unmerged {
		reported[spotOf(&m.result.Unmerged[i])] = true
	}
	type text struct{ path, token string }
	from := map[text]int{}
	var more []rule.Finding
	for _, at := range m.notFixed {
		key := text{at.File.Path, string(at.File.Bytes[at.Span.Start:at.Span.End])}
		file, err := m.tree(m.contents).Read(ctx, key.path)
		if now[keyOf(at)] > 0 || err != nil {
			continue
		}
		start := strings.Index(string(file.Content[from[key]:]), key.token)
		if start < 0 {
			continue
		}
		start += from[key]
		from[key] = start + len(key.token)
		f := *at
		f.File, f.Span, f.Related = syntax.NewFile(key.path, file.Content), syntax.Span{Start: start, End: from[key]}, nil
		if !reported[spotOf(&f)] { // else its entry has gone, and another has the text
			more = append(more, f)
		}
	}
	if len(more) == 0 {
		return m.result
	}
	after.Findings, after.Unmerged = rule.Sort(slices.Concat(after.Findings, more)), rule.Sort(slices.Concat(after.Unmerged, more))
	return &after
}

// spot is where a rule has something to say.
type spot struct {
	rule *rule.Rule
	path string
	at   syntax.Span
}

func spotOf(f *rule.Finding) spot { return spot{f.Rule, f.File.Path, f.Span} }

// bySafety returns the fixes of a finding, safe ones first.
func bySafety(fixes []rule.Fix) []*rule.Fix {
	sorted := make([]*rule.Fix, len(fixes))
	for i := range fixes {
		sorted[i] = &fixes[i]
	}
	slices.SortStableFunc(sorted, func(a, b *rule.Fix) int { return int(a.Safety) - int(b.Safety) })
	return sorted
}

// key tells a finding from others, also where lines have moved: as a baseline does, but by
// the text itself, since it is never shown.
type key struct {
	rule                *rule.Rule
	severity            rule.Severity
	path, server, token string
}

// maxToken is how much of a token tells a finding from others, in bytes.
const maxToken = 500

func (k key) inFile() ruleInFile { return ruleInFile{k.rule, k.severity, k.path} }

func keyOf(f *rule.Finding) key {
	token := f.File.Bytes[f.Span.Start:min(f.Span.End, f.Span.Start+maxToken)]
	return key{f.Rule, f.Severity, f.File.Path, f.Server, strings.Join(strings.Fields(string(token)), " ")}
}
