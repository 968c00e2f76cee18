package version

import (
	"strings"

	"deps.dev/util/semver"
)

// Range is the versions that a requirement allows.
type Range struct {
	system     System
	constraint *semver.Constraint
}

// ParseRange reads a range in the syntax of the ecosystem: npm's ^1.2.3, PyPI's >=1.2,<2, NuGet's
// [1.2,2) and 1.*, and Go's v1.2, which is any v1.2.x. One version is also a range: for NuGet,
// 1.2.3 is that version and all later ones.
func (s System) ParseRange(text string) (Range, error) {
	constraint, err := s.ranges().ParseConstraint(text)
	return Range{s, constraint}, err
}

// ranges returns the system of the library that reads the ranges. In Go, a range is the least
// version that a go.mod asks for; go run accepts a query, the beginning of a version, and so does
// npm.
func (s System) ranges() semver.System {
	if s == Go {
		return semver.NPM
	}
	return s.order()
}

// Contains reports whether a version is in the range. A text that is no version is not.
func (r Range) Contains(text string) bool {
	v, err := r.system.Parse(text)
	if err != nil {
		return false
	}
	if r.system == NuGet && strings.Contains(r.constraint.String(), "*") && !floatsTo(r.constraint.String(), v) {
		return false
	}
	return r.constraint.Match(v.String())
}

// TakesLowest reports whether a launcher takes the lowest version of the range that there
// is, not the highest: dotnet does, unless the range floats (VersionRange.FindBestMatch
// of NuGet.Versioning).
func (r Range) TakesLowest() bool {
	return r.system == NuGet && !strings.Contains(r.constraint.String(), "*")
}

// floatsTo reports whether a floating version of NuGet matches a version: 1.* for 1.4.0,
// 1.2.3-beta* for 1.2.3-beta2 and 1.2.3. If none matches, NuGet itself falls back on a higher one
// (FloatRange.Satisfies of NuGet.Versioning).
func floatsTo(floating string, v *Version) bool {
	numbers, preview, hasPreview := strings.Cut(floating, "-")
	of, previewOf, isPreview := strings.Cut(v.Canon(), "-")
	if isPreview && (!hasPreview || !strings.HasPrefix(previewOf, strings.ToLower(strings.TrimSuffix(preview, "*")))) {
		return false
	}
	if begin, isOpen := strings.CutSuffix(numbers, "*"); isOpen {
		return strings.HasPrefix(of+".", begin)
	}
	return NuGet.Compare(of, numbers) == 0
}
