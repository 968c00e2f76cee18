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
	spans := slices.Clone(found)
	for _, d := range declared {
		spans = hide(spans, d)
	}
	return spans
}

// hide adds a span to those that are hidden, in order and without overlap.
func hide(spans []syntax.Span, more syntax.Span) []syntax.Span {
	var kept []syntax.Span
	for _, s := range spans {
		if s.End < more.Start || s.Start > more.End {
			kept = append(kept, s)
			continue
		}
		more = syntax.Span{Start: min(more.Start, s.Start), End: max(more.End, s.End)}
	}
	at, _ := slices.BinarySearchFunc(kept, more, func(a, b syntax.Span) int { return a.Start - b.Start })
	return slices.Insert(kept, at, more)
}
