package cli

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/view"
)

// hunkAt names a hunk of a patch by its file and its first line there.
type hunkAt struct {
	path string
	line int
}

// withhold takes out of patches, one of each file that changes, what belongs to a hunk
// that is left out because a credential stands in it: half of a fix is none. It returns
// which of the fixes that were made are not in the patches.
func (m *mended) withhold(patches []view.Patch) map[int]bool {
	out, hunks := map[hunkAt]bool{}, map[string][]view.Hunk{}
	for i := range patches {
		f := &m.Files[i]
		hunks[f.Path] = view.Hunks(string(f.Old), string(f.New))
		for _, line := range patches[i].Withheld {
			out[hunkAt{f.Path, line}] = true
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
func (m *mended) leftOut(out map[hunkAt]bool, hunks map[string][]view.Hunk) map[int]bool {
	places := make([][]hunkAt, len(m.Made))
	for i := range m.Made {
		places[i] = m.hunksOf(&m.Made[i], hunks)
	}
	left := map[int]bool{}
	for more := true; more; {
		more = false
		for i := range places {
			if left[i] || !slices.ContainsFunc(places[i], func(at hunkAt) bool { return out[at] }) {
				continue
			}
			left[i], more = true, true
			for _, at := range places[i] {
				out[at] = true
			}
		}
	}
	return left
}

// hunksOf returns the hunks that a fix changes something in. One of a later round is
// laid over what others have changed, so all of its files' hunks count.
func (m *mended) hunksOf(made *fix.Made, hunks map[string][]view.Hunk) []hunkAt {
	var places []hunkAt
	edits, err := edit.Lower(made.Fix.Edits)
	if err != nil {
		return nil // it was made, so its changes can be lowered
	}
	for _, e := range edits {
		i := slices.IndexFunc(m.Files, func(f fix.File) bool { return f.Path == e.File.Path })
		isFirst := i >= 0 && string(m.Files[i].Old) == string(e.File.Bytes)
		for _, h := range hunks[e.File.Path] {
			if old := h.Old(); !isFirst || old.Start <= e.Span.Start && e.Span.Start <= old.End {
				places = append(places, hunkAt{e.File.Path, h.OldStart})
			}
		}
	}
	return places
}

// withoutHunks takes hunks out of a patch. Those behind them begin elsewhere in the new
// file then.
func withoutHunks(p *view.Patch, isOut func(view.Hunk) bool) {
	var kept []view.Hunk
	skipped := 0 // lines that come, less those that go
	for _, h := range p.Hunks {
		if isOut(h) {
			skipped += h.NewCount - h.OldCount
			continue
		}
		h.NewStart -= skipped
		kept = append(kept, h)
	}
	p.Hunks = kept
}
