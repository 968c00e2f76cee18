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
}

// Merge joins the findings of one rule that are one problem, wherever in the
// repository: the first one stays, the places of the others become related to
// it, and fixes of one title become one. Findings that somebody ignores must be
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
		to := &merged[at]
		to.Related = append(to.Related[:len(to.Related):len(to.Related)],
			Related{File: f.File, Span: f.Span, Message: f.group.message, Secret: f.Secret})
		to.Fixes = mergeFixes(to.Fixes, f.Fixes)
	}
	return merged
}

// mergeFixes returns fixes with those of another finding that is the same
// problem: what has one title is done at both places or at none.
func mergeFixes(fixes, more []Fix) []Fix {
	fixes = slices.Clone(fixes)
	for _, fix := range more {
		at := slices.IndexFunc(fixes, func(f Fix) bool { return f.Title == fix.Title })
		if at < 0 {
			fixes = append(fixes, fix)
			continue
		}
		fixes[at].Safety = max(fixes[at].Safety, fix.Safety)
		fixes[at].Edits = slices.Concat(fixes[at].Edits, fix.Edits)
	}
	return fixes
}
