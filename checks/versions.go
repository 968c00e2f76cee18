package checks

import (
	"strings"

	"deps.dev/util/semver"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// isSemver reports whether a version has the three numbers of a semantic
// version, with or without a pre-release and build.
func isSemver(version string) bool {
	core, _ := splitSemver(version)
	parts := strings.Split(core, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts {
		if !isNumber(part) {
			return false
		}
	}
	return true
}

// splitSemver returns a version's numbers and its pre-release; what stands
// behind a plus says nothing about the order.
func splitSemver(version string) (core, pre string) {
	version, _, _ = strings.Cut(version, "+")
	core, pre, _ = strings.Cut(version, "-")
	return core, pre
}

// isNumber reports whether a text is a number that a version can have: longer
// ones would not fit.
func isNumber(text string) bool {
	return text != "" && len(text) < 19 && strings.Trim(text, "0123456789") == ""
}

// isOneVersion reports whether a version names one release: exact versions,
// and image tags that are version numbers.
func isOneVersion(v identity.Version) bool {
	return v.Kind == identity.Exact || v.Kind == identity.Tag && isVersionNumber(v.Text)
}

// releaseOf returns a key that the versions of one release share: registries have
// several ways to write one, PyPI takes 1.0 for 1.0.0 (PEP 440), and npm and NuGet
// drop what stands behind a plus.
func releaseOf(kind identity.Kind, v identity.Version) string {
	if kind == identity.Git {
		return v.Text
	}
	parsed, err := parseVersion(kind, v.Text)
	if err != nil {
		return orName(v.Release(), v.Text)
	}
	return parsed.Canon(kind == identity.PyPI) // whose local versions are others
}

// namesRelease reports whether a version is that of a release: a range may be any.
func namesRelease(version string) bool {
	return hasDigit(version) && !strings.ContainsAny(strings.TrimSpace(version), "^~<>*|, ")
}

// plainVersion returns a version as all of its spellings are, where nobody knows the
// registry (releaseOf does where somebody does): without blanks, "v" and "=",
// what stands behind a plus, zeros before a number and numbers that are zero at the end.
func plainVersion(version string) string {
	core, pre := splitSemver(strings.TrimLeft(strings.TrimSpace(version), "=v"))
	numbers := strings.Split(core, ".")
	for i, number := range numbers {
		numbers[i] = strings.TrimLeft(number, "0")
	}
	return strings.TrimRight(strings.Join(numbers, "."), ".") + "-" + pre
}

// isVersionNumber reports whether a text is three numbers, with or without a v.
func isVersionNumber(text string) bool {
	numbers := strings.TrimPrefix(text, "v")
	return isSemver(numbers) && strings.Trim(numbers, "0123456789.") == ""
}

// newer reports whether version a is higher than b; none is lower than any.
func newer(a, b string) bool {
	if a == "" || b == "" {
		return a != "" && b == ""
	}
	return semver.DefaultSystem.Compare(a, b) > 0
}
