package rule

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Sort sorts findings by path, place, rule and message, and drops duplicates.
func Sort(findings []Finding) []Finding {
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := &findings[i], &findings[j]
		return cmp.Or(
			strings.Compare(a.File.Path, b.File.Path),
			cmp.Compare(a.Span.Start, b.Span.Start),
			strings.Compare(a.Rule.ID, b.Rule.ID),
			strings.Compare(a.Text(), b.Text()),
			cmp.Compare(a.Span.End, b.Span.End),
		) < 0
	})
	return slices.CompactFunc(findings, func(a, b Finding) bool {
		return a.File.Path == b.File.Path && a.Span == b.Span && a.Rule.ID == b.Rule.ID && a.Text() == b.Text()
	})
}
