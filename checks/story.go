package checks

import "slices"

// story joins findings that are one story told at several places: the same
// credential in every client's file.
type story struct {
	// same is equal for all of them, "" for a story of its own. It may be a
	// secret and is never shown.
	same string
	// stands says where the token stands, for the fingerprint of a finding whose
	// token cannot be part of it.
	stands string
	// again is the message of the place where it is not the first.
	again string
}

// Merge joins the findings of one rule that tell one story, wherever in the
// repository: the first one stays, the places of the others become related to
// it. Findings that somebody ignores must be gone before, each by itself.
func Merge(findings []Finding) []Finding {
	if !slices.ContainsFunc(findings, func(f Finding) bool { return f.story.same != "" }) {
		return findings
	}
	type key struct {
		rule *Check
		same string
	}
	first := map[key]int{}
	var merged []Finding
	for _, f := range findings {
		if f.story.same == "" {
			merged = append(merged, f)
			continue
		}
		k := key{f.Check, f.story.same}
		at, again := first[k]
		if !again {
			first[k] = len(merged)
			merged = append(merged, f)
			continue
		}
		to := &merged[at]
		to.Related = append(to.Related[:len(to.Related):len(to.Related)],
			Related{File: f.File, Span: f.Span, Message: f.story.again, Secret: f.Secret})
	}
	return merged
}
