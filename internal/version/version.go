// Package version knows how each ecosystem numbers the releases of its packages: what is
// one version and what a range, which of two versions is the higher one, and which are
// in a range. The order is that of deps.dev/util/semver, which nothing else imports.
package version

import (
	"fmt"
	"strings"

	"deps.dev/util/semver"
)

// System is how the packages of an ecosystem are versioned.
type System uint8

// The ecosystems whose versions are known. Semantic is Semantic Versioning, for what is
// in none of them: images, bundles, crates.
const (
	Semantic System = iota
	NPM             // and JSR
	PyPI            // PEP 440
	NuGet
	Go
)

// order returns the system of the library that versions are read and compared by.
func (s System) order() semver.System {
	switch s {
	case NPM:
		return semver.NPM
	case PyPI:
		return semver.PyPI
	case NuGet:
		return semver.NuGet
	case Go:
		return semver.Go
	}
	return semver.DefaultSystem
}

// Version is one version of a package. Those of two systems have no order.
type Version struct {
	system System
	parsed *semver.Version
}

// Parse reads one version, with or without the marks that only some people put before it
// ("v1.2.3", "=1.2.3"). A wildcard is an error.
func (s System) Parse(text string) (*Version, error) {
	text = strings.TrimLeft(text, "=v")
	if s == Go {
		text = "v" + text // Go has no other form, OSV writes none
	}
	parsed, err := s.order().Parse(text)
	if err != nil {
		return nil, err
	}
	if parsed.IsWildcard() {
		return nil, fmt.Errorf("%q is more than one version", text)
	}
	return &Version{s, parsed}, nil
}

// Compare returns -1, 0 or 1 where v is lower than, the same as or higher than another
// version of its system.
func (v *Version) Compare(other *Version) int { return v.parsed.Compare(other.parsed) }

// String returns the version as it was written, without marks except the "v" of Go.
func (v *Version) String() string { return v.parsed.String() }

// Canon returns the one text that all spellings of a release share: PyPI takes 1.0 for
// 1.0.0 (PEP 440), and npm, NuGet and Go drop the text after a plus.
func (v *Version) Canon() string {
	return v.parsed.Canon(v.system == PyPI) // whose local versions are others
}

// IsPreview reports whether the version comes before a release: PyPI has some for those
// who develop it (1.3.0.dev1, PEP 440).
func (v *Version) IsPreview() bool {
	return v.parsed.IsPrerelease() || v.system == PyPI && strings.Contains(v.parsed.Canon(false), "dev")
}

// IsRelease reports whether the version is neither a preview nor a local build.
func (v *Version) IsRelease() bool {
	return !v.IsPreview() && !strings.Contains(v.parsed.Canon(true), "+")
}

// Compare returns -1, 0 or 1 where a version is lower than, the same as or higher than
// another one, both as Parse takes them. A text that is no version is lower than any
// version, and the same as another such text.
func (s System) Compare(a, b string) int {
	v, err := s.Parse(a)
	other, failed := s.Parse(b)
	switch {
	case err != nil && failed != nil:
		return 0
	case err != nil:
		return -1
	case failed != nil:
		return 1
	}
	return v.Compare(other)
}
