package view

import (
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// declaredSecrets returns the spans that rules call a credential, sorted. One that
// is so because of a name several lines above cannot be told from its line.
func declaredSecrets(findings []checks.Finding) map[*syntax.File][]syntax.Span {
	spans := map[*syntax.File][]syntax.Span{}
	for i := range findings {
		f := &findings[i]
		if f.Secret {
			spans[f.File] = append(spans[f.File], f.Span)
		}
		for _, r := range f.Related {
			if r.Secret {
				spans[r.File] = append(spans[r.File], r.Span)
			}
		}
	}
	for _, list := range spans {
		slices.SortFunc(list, func(a, b syntax.Span) int { return a.Start - b.Start })
	}
	return spans
}

// isHidden reports whether a part of a file holds something that must not be
// shown.
func (v *View) isHidden(file *syntax.File, span syntax.Span) bool {
	return len(v.hidden(file, span)) > 0
}

// hidden returns the spans that must not be shown and reach into a part of a file,
// in order and without overlap.
func (v *View) hidden(file *syntax.File, part syntax.Span) []syntax.Span {
	found, declared := v.secrets.In(file, part), slices.Concat(secret.Overlapping(v.declared[file], part), v.again(file, part))
	if len(declared) == 0 {
		return found
	}
	return joined(found, declared)
}

// joined returns spans and those that are declared, which join what they touch, in order
// and without overlap.
func joined(spans, declared []syntax.Span) []syntax.Span {
	type hiding struct {
		syntax.Span
		joins bool
	}
	var all []hiding
	for _, s := range spans {
		all = append(all, hiding{s, false})
	}
	for _, s := range declared {
		all = append(all, hiding{s, true})
	}
	slices.SortStableFunc(all, func(a, b hiding) int { return a.Start - b.Start })
	kept := all[:0]
	for _, h := range all {
		if len(kept) == 0 {
			kept = append(kept, h)
			continue
		}
		last := &kept[len(kept)-1]
		if h.Start > last.End || h.Start == last.End && !h.joins && !last.joins {
			kept = append(kept, h)
			continue
		}
		last.End, last.joins = max(last.End, h.End), last.joins || h.joins
	}
	hidden := make([]syntax.Span, len(kept))
	for i, h := range kept {
		hidden[i] = h.Span
	}
	return hidden
}
