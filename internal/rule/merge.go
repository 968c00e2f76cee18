package rule

import (
	"slices"
)

// Group joins findings that are one problem at several places: the same
// credential in every client's file.
type Group struct {
	// Key is equal for all of them, "" for an independent finding. It may be a secret and is never
	// shown.
	Key string
	// Place says in words where the token stands, for the fingerprint of a finding
	// whose token cannot be part of it.
	Place string
	// Message is that of the related place which the finding becomes where it is
	// not the first.
	Message string
	// FixesEach reports that each place is fixed by itself, wherever it can be.
	FixesEach bool
	// Leader is the finding that causes this one, nil for an independent one. If both exist, the
	// problem is reported at the leader's place.
	Leader *Finding
}

// Within returns a group whose problem is another one elsewhere: in another project
// or file.
func (g Group) Within(place string) Group {
	if g.Key != "" {
		g.Key += "\x00" + place
	}
	return g
}

// Merge joins the findings of one rule that are one problem, anywhere in the repository. The first
// one stays, preferably the first that has no leader, and the places of the others become related
// to it. Fixes of one title become one, or those of all places. Ignored findings must be removed
// before, each by itself.
func Merge(findings []Finding) []Finding {
	type key struct {
		rule  *Rule
		group string
	}
	parts := map[key][]int{} // where they are in findings, the one that stays first
	for i := range findings {
		f := &findings[i]
		if f.Group.Key == "" {
			continue
		}
		k := key{f.Rule, f.Group.Key}
		at := append(parts[k], i)
		if first := at[0]; findings[first].Group.Leader != nil && f.Group.Leader == nil {
			at[0], at[len(at)-1] = i, first
		}
		parts[k] = at
	}
	if len(parts) == 0 {
		return findings
	}
	var merged []Finding
	for i, f := range findings {
		at := parts[key{f.Rule, f.Group.Key}]
		switch {
		case f.Group.Key == "" || len(at) == 1:
			merged = append(merged, f)
		case at[0] == i:
			var others []Finding
			for _, other := range slices.Sorted(slices.Values(at[1:])) {
				others = append(others, findings[other])
			}
			join(&f, others)
			merged = append(merged, f)
		}
	}
	return merged
}

// join adds others to the finding of one problem that stays. The lists of both may
// belong to findings that are still shown by themselves.
func join(to *Finding, others []Finding) {
	alone := *to
	to.Related = slices.Clone(to.Related)
	for i := range others {
		f := &others[i]
		to.Related = append(to.Related, Related{File: f.File, Span: f.Span, Message: f.Group.Message, Secret: f.Secret})
	}
	switch {
	case !to.Group.FixesEach:
		joinFixes(to, others)
	case len(others) >= MaxEdits:
		to.Fixes, to.NoFixReason = nil, "it is at more places than a reviewer can check"
	default:
		to.places = append([]Finding{alone}, others...)
		to.Fixes = ofAllPlaces(to.places)
	}
}

// ofAllPlaces returns the first fixes of findings as one, for who makes fixes as they
// are.
func ofAllPlaces(places []Finding) []Fix {
	var all []Fix
	for i := range places {
		switch fixes := places[i].Fixes; {
		case len(fixes) == 0:
		case all == nil:
			all = []Fix{fixes[0]}
			all[0].Edits = slices.Clone(fixes[0].Edits)
		default:
			all[0].Safety = max(all[0].Safety, fixes[0].Safety)
			all[0].Edits = append(all[0].Edits, fixes[0].Edits...)
		}
	}
	return all
}

// joinFixes adds the fixes of others: fixes of one title apply at all places or at none.
func joinFixes(to *Finding, others []Finding) {
	fixes := map[string]int{}
	to.Fixes = slices.Clone(to.Fixes)
	for i := range to.Fixes {
		fix := &to.Fixes[i]
		fix.Edits = slices.Clone(fix.Edits)
		fixes[fix.Title] = i
	}
	for _, f := range others {
		for _, fix := range f.Fixes {
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
	to.Fixes = slices.DeleteFunc(to.Fixes, func(f Fix) bool { return len(f.Edits) > MaxEdits })
}

// MaxEdits is how many places one fix may change. More cannot be reviewed, and each is
// held against all others.
const MaxEdits = 100
