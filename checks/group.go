package checks

import "slices"

// group joins findings that are one problem at several places: the same
// credential in every client's file.
type group struct {
	// key is equal for all of them, "" for a finding that stands alone. It may be
	// a secret and is never shown.
	key string
	// place says in words where the token stands, for the fingerprint of a finding
	// whose token cannot be part of it.
	place string
	// message is that of the related place which the finding becomes where it is
	// not the first.
	message string
	// mends reports that the first fixes of all places are one, if the first place has
	// one: what is mended at one of them alone is still there.
	mends bool
}

// within returns a group whose problem is another one elsewhere: in another project
// or file.
func (g group) within(place string) group {
	if g.key != "" {
		g.key += "\x00" + place
	}
	return g
}

// Merge joins the findings of one rule that are one problem, wherever in the
// repository: the first one stays, the places of the others become related to
// it, and fixes of one title become one, or the first of all places. Findings that somebody ignores must be
// gone before, each by itself.
func Merge(findings []Finding) []Finding {
	if !slices.ContainsFunc(findings, func(f Finding) bool { return f.group.key != "" }) {
		return findings
	}
	type key struct {
		rule  *Check
		group string
	}
	first := map[key]int{}
	var merged []Finding
	parts := map[int][]Finding{} // by the place of the first in merged
	for _, f := range findings {
		if f.group.key == "" {
			merged = append(merged, f)
			continue
		}
		k := key{f.Check, f.group.key}
		at, known := first[k]
		if !known {
			first[k] = len(merged)
			merged = append(merged, f)
			continue
		}
		parts[at] = append(parts[at], f)
	}
	for at, others := range parts {
		join(&merged[at], others)
	}
	return merged
}

// join adds others to the first finding of one problem. The lists of both may
// belong to findings that are still shown by themselves.
func join(to *Finding, others []Finding) {
	to.Related = slices.Clone(to.Related)
	fixes := map[string]int{}
	to.Fixes = slices.Clone(to.Fixes)
	for i := range to.Fixes {
		fix := &to.Fixes[i]
		fix.Edits = slices.Clone(fix.Edits)
		fixes[fix.Title] = i
	}
	for _, f := range others {
		to.Related = append(to.Related, Related{File: f.File, Span: f.Span, Message: f.group.message, Secret: f.Secret})
		if f.group.mends {
			if len(to.Fixes) > 0 && len(f.Fixes) > 0 {
				to.Fixes[0].Edits = append(to.Fixes[0].Edits, f.Fixes[0].Edits...)
			}
			continue
		}
		for _, fix := range f.Fixes {
			// What has one title is done at both places or at none.
			at, known := fixes[fix.Title]
			if !known {
				fixes[fix.Title] = len(to.Fixes)
				fix.Edits = slices.Clone(fix.Edits)
				to.Fixes = append(to.Fixes, fix)
				continue
			}
			to.Fixes[at].Safety = max(to.Fixes[at].Safety, fix.Safety)
			to.Fixes[at].Edits = append(to.Fixes[at].Edits, fix.Edits...)
		}
	}
	to.Fixes = slices.DeleteFunc(to.Fixes, func(f Fix) bool { return len(f.Edits) > maxEdits })
}

// maxEdits is how many places one fix may change. Nobody can look at more, and each is
// held against all others.
const maxEdits = 100
