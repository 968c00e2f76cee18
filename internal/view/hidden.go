package view

import (
	"cmp"
	"slices"

	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// credentials returns the spans that the rule hardcoded-secret calls a credential, in order
// and without overlap. The line of a credential may not show that it is one, because the name
// that makes it one may be several lines above. The search does not depend on which rules have
// run, or on what is ignored, so neither does what is hidden.
func (v *View) credentials() credential.Places {
	if v.declared != nil {
		return v.declared
	}
	v.declared = credential.Places{}
	for _, repo := range []*mcp.Repo{cmp.Or(v.run.Whole, v.run.Repo), v.run.Before} {
		if repo == nil {
			continue
		}
		for _, p := range repo.Projects {
			v.declared.AddCredentials(p)
		}
	}
	for i := range v.run.Findings {
		f := &v.run.Findings[i]
		if f.Secret {
			v.declared[f.File] = append(v.declared[f.File], f.Span)
		}
		for _, r := range f.Related {
			if r.Secret {
				v.declared[r.File] = append(v.declared[r.File], r.Span)
			}
		}
	}
	for file, list := range v.declared {
		v.declared[file] = joined(list, nil)
	}
	return v.declared
}

// isHidden reports whether a part of a file holds something that must not be
// shown.
func (v *View) isHidden(file *syntax.File, span syntax.Span) bool {
	return len(v.hidden(file, span)) > 0
}

// hidden returns the spans that must not be shown and reach into a part of a file,
// in order and without overlap.
func (v *View) hidden(file *syntax.File, part syntax.Span) []syntax.Span {
	found, declared := v.secrets.In(file, part), slices.Concat(secret.Overlapping(v.credentials()[file], part), v.again(file, part))
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
