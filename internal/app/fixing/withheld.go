package fixing

import (
	"maps"
	"path"
	"slices"
	"sort"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
)

// hunkAt names a hunk of a patch by its file and its first line there.
type hunkAt struct {
	path string
	line int
}

// anyLine instead of a line names any hunk of a file: one of them is left out, or a fix may
// change each of them.
const anyLine = -1

// withhold removes from patches, one for each file that changes, the hunks that belong to one
// that is left out because it contains a credential: half of a fix is not a fix. It returns
// which of the fixes that were made are not in the patches.
func (m *Result) withhold(patches []view.Patch) map[int]bool {
	out, hunks := map[hunkAt]bool{}, map[string][]view.Hunk{}
	for i := range patches {
		f := &m.Files[i]
		hunks[f.Path] = patches[i].All()
		for _, h := range patches[i].Withheld {
			out[hunkAt{f.Path, h.OldStart}] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	left := m.leftOut(out, hunks)
	for i := range patches {
		withoutHunks(&patches[i], func(h view.Hunk) bool { return out[hunkAt{m.Files[i].Path, h.OldStart}] })
	}
	return left
}

// leftOut returns which fixes change something in hunks that are out, and notes the
// other hunks that they change.
func (m *Result) leftOut(out map[hunkAt]bool, hunks map[string][]view.Hunk) map[int]bool {
	x := m.search(hunks)
	places, changing := make([][]hunkAt, len(m.Made)), map[hunkAt][]int{}
	for i := range m.Made {
		var laidOver []hunkAt
		places[i], laidOver = x.ownHunksOf(&m.Made[i])
		for _, at := range slices.Concat(places[i], laidOver) {
			changing[at] = append(changing[at], i)
		}
	}
	left := map[int]bool{}
	next := slices.Collect(maps.Keys(out))
	add := func(all ...hunkAt) {
		for _, at := range all {
			if !out[at] {
				out[at], next = true, append(next, at)
			}
		}
	}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		add(hunkAt{at.path, anyLine})
		for _, i := range changing[at] {
			if left[i] {
				continue
			}
			left[i] = true
			for _, other := range places[i] {
				if other.line == anyLine {
					add(x.wholeFile(other.path)...)
				} else {
					add(other)
				}
			}
		}
	}
	return left
}

// search returns what finds the hunks that fixes change something in.
func (m *Result) search(hunks map[string][]view.Hunk) *hunkSearch {
	x := &hunkSearch{Result: m, hunks: hunks, files: map[string]*fix.File{}, isFirst: map[*syntax.File]bool{}, before: map[*syntax.File][]view.Hunk{}, wholes: map[string]bool{}}
	for i := range m.Files {
		x.files[m.Files[i].Path] = &m.Files[i]
	}
	return x
}

// hunkSearch finds the hunks that fixes change something in.
type hunkSearch struct {
	*Result
	hunks map[string][]view.Hunk
	files map[string]*fix.File
	// isFirst says of files whether they are as they were before the first round.
	isFirst map[*syntax.File]bool
	// before is what had changed in files of later rounds.
	before map[*syntax.File][]view.Hunk
	// wholes are the files with all hunks left out.
	wholes map[string]bool
	// lowered counts the bytes of files that were read to work out edits.
	lowered int
}

// maxLowered is how many bytes are read to tell which hunks a fix changes: for each fix
// that is all of its files.
const maxLowered = 2 << 20

// hunksOf returns the hunks that a fix changes something in. One of a later round is
// applied on top of what others have changed, so all of its files' hunks count if it is not known
// which of them it needs; and so do they where there are too many fixes of large files to
// work all of them out.
func (x *hunkSearch) hunksOf(made *fix.Made) []hunkAt {
	if x.isOfFirstRound(made) {
		return x.shownAt(made)
	}
	needed := x.behindWhat(made)
	if len(needed) == 0 || !x.isOfFirstRound(needed[0]) {
		return anyHunk(made)
	}
	places := x.shownAt(made)
	for _, other := range needed {
		places = append(places, x.shownAt(other)...)
	}
	return places
}

// ownHunksOf returns the hunks that go with a fix that is left out, and those without which
// it is left out itself: what it is applied to needs nothing of it.
func (x *hunkSearch) ownHunksOf(made *fix.Made) (own, laidOver []hunkAt) {
	all := x.hunksOf(made)
	if slices.ContainsFunc(all, func(at hunkAt) bool { return at.line == anyLine }) && !x.isOfFirstRound(made) {
		return x.shownAt(made), all
	}
	return all, nil
}

// behindWhat returns the fixes that were made before another by its rule of its server: it
// depends on them. What else it may need is unknown.
func (x *hunkSearch) behindWhat(made *fix.Made) (before []*fix.Made) {
	f := &made.Finding
	for i := range x.Made {
		other := &x.Made[i]
		if other == made || f.Server == "" {
			break
		}
		if o := &other.Finding; o.Rule == f.Rule && o.Server == f.Server && o.File.Path == f.File.Path {
			before = append(before, other)
		}
	}
	return before
}

// isOfFirstRound reports whether a fix was made in files as they were before.
func (x *hunkSearch) isOfFirstRound(made *fix.Made) bool {
	return !slices.ContainsFunc(made.Fix.Edits, func(c edit.Change) bool { return !x.isAsBefore(c.File) })
}

// spansOf returns where a fix changes something, false if that takes too long to say.
func (x *hunkSearch) spansOf(made *fix.Made) (spans []syntax.Edit, ok bool) {
	if spans, ok = replacedSpans(made.Fix.Edits); ok {
		return spans, true
	}
	for _, c := range made.Fix.Edits {
		x.lowered += len(c.File.Bytes)
	}
	if x.lowered > maxLowered {
		return nil, false
	}
	spans, err := edit.Lower(made.Fix.Edits)
	return spans, err == nil // it was made, so its changes can be lowered
}

// placesAt returns the hunks at the spans of a fix.
func (x *hunkSearch) placesAt(made *fix.Made, spans []syntax.Edit) []hunkAt {
	var places []hunkAt
	for _, e := range spans {
		found := hunksAt(x.hunks[e.File.Path], e.Span)
		if len(found) == 0 {
			return anyHunk(made) // the diff shows it elsewhere, as among lines that read the same
		}
		for _, h := range found {
			if at := (hunkAt{e.File.Path, h.OldStart}); !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return places
}

// shownAt returns the hunks in which the changes of a fix are seen. Those of a later round
// are counted in the files that it was applied to.
func (x *hunkSearch) shownAt(made *fix.Made) []hunkAt {
	spans, ok := x.spansOf(made)
	if !ok {
		return anyHunk(made)
	}
	for i, e := range spans {
		if x.isAsBefore(e.File) {
			continue
		}
		before, ok := x.changesBefore(e.File)
		if !ok {
			return anyHunk(made)
		}
		spans[i].Span = syntax.Span{Start: view.OldOffset(before, e.Span.Start), End: view.OldOffset(before, e.Span.End)}
	}
	return x.placesAt(made, spans)
}

// changesBefore returns what earlier rounds have changed in a file that fixes were laid
// over, false if that takes too long to say.
func (x *hunkSearch) changesBefore(file *syntax.File) (hunks []view.Hunk, ok bool) {
	if hunks, ok = x.before[file]; ok {
		return hunks, true
	}
	f := x.files[file.Path]
	x.lowered += len(file.Bytes)
	if f == nil || x.lowered > maxLowered {
		return nil, false
	}
	hunks = view.Changes(string(f.Old), string(file.Bytes))
	x.before[file] = hunks
	return hunks, true
}

// hunksAt returns the hunks that a span of the old file reaches into, or those that it
// touches if there are none.
func hunksAt(hunks []view.Hunk, span syntax.Span) []view.Hunk {
	first := sort.Search(len(hunks), func(i int) bool { return hunks[i].Old().End >= span.Start })
	var into, touched []view.Hunk
	for _, h := range hunks[first:] {
		old := h.Old()
		if old.Start > span.End {
			break
		}
		touched = append(touched, h)
		if span.Start < old.End && (span.End > old.Start || span.Start == old.Start) {
			into = append(into, h)
		}
	}
	if len(into) > 0 {
		return into
	}
	return touched
}

// isAsBefore reports whether a file is as it was before any fix.
func (x *hunkSearch) isAsBefore(file *syntax.File) bool {
	is, known := x.isFirst[file]
	if !known {
		f := x.files[file.Path]
		is = f != nil && string(f.Old) == string(file.Bytes)
		x.isFirst[file] = is
	}
	return is
}

// anyHunk returns the files that a fix changes, in any hunks.
func anyHunk(made *fix.Made) []hunkAt {
	var places []hunkAt
	for _, c := range made.Fix.Edits {
		if at := (hunkAt{c.File.Path, anyLine}); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places
}

// wholeFile returns the hunks of a file, and computes them on the first call.
func (x *hunkSearch) wholeFile(name string) []hunkAt {
	if x.wholes[name] {
		return nil
	}
	x.wholes[name] = true
	var places []hunkAt
	for _, h := range x.hunks[name] {
		places = append(places, hunkAt{name, h.OldStart})
	}
	return places
}

// replacedSpans returns where changes change something if that is known without applying them:
// texts of JSON and YAML are replaced in place.
func replacedSpans(changes []edit.Change) (spans []syntax.Edit, ok bool) {
	for _, c := range changes {
		isText := c.Op == edit.OpRename || c.Op == edit.OpReplace && c.Value.Kind == syntax.String
		if !isText || path.Ext(c.File.Path) == ".toml" || path.Ext(c.File.Path) == ".md" {
			return nil, false
		}
		spans = append(spans, syntax.Edit{File: c.File, Span: c.At})
	}
	return spans, true
}

// withoutHunks takes hunks out of a patch. Those behind them begin elsewhere in the new
// file then.
func withoutHunks(p *view.Patch, isOut func(view.Hunk) bool) {
	var kept []view.Hunk
	skipped := 0 // lines that come, less those that go
	for _, h := range p.Hunks {
		if isOut(h) {
			skipped += h.NewCount - h.OldCount
			p.Withheld = append(p.Withheld, h)
			continue
		}
		h.NewStart -= skipped
		kept = append(kept, h)
	}
	p.Hunks = kept
}
