package checks

import (
	"cmp"
	"slices"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// againstPackages are the rules whose advice is another package or another version, the most
// severe first.
var againstPackages = []*rule.Rule{maliciousPackage, unknownPackage, vulnerablePackage, deprecatedServer, unpinnedPackage}

// WithoutLesser removes the notes against a package if a more severe rule already advises another
// one: following that advice also resolves the notes.
func WithoutLesser(findings []rule.Finding) []rule.Finding {
	type place struct {
		file *syntax.File
		span syntax.Span
	}
	grade := func(f *rule.Finding) int { return slices.Index(againstPackages, f.Rule) }
	gravest := map[place]int{}
	for i := range findings {
		f := &findings[i]
		if at, known := gravest[place{f.File, f.Span}]; grade(f) >= 0 && (!known || grade(f) < at) {
			gravest[place{f.File, f.Span}] = grade(f)
		}
	}
	return slices.DeleteFunc(findings, func(f rule.Finding) bool {
		return cmp.Or(f.Severity, f.Rule.Severity) == rule.Note && grade(&f) > gravest[place{f.File, f.Span}]
	})
}
