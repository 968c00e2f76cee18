package checks

import (
	"cmp"
	"strconv"
	"strings"
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

// compareSemver compares two semantic versions as semver.org says.
func compareSemver(a, b string) int {
	coreA, preA := splitSemver(a)
	coreB, preB := splitSemver(b)
	if c := compareParts(coreA, coreB); c != 0 {
		return c
	}
	switch {
	case preA == preB:
		return 0
	case preA == "":
		return 1 // the release is higher than what came before it
	case preB == "":
		return -1
	}
	return compareParts(preA, preB)
}

// compareParts compares texts part by part: numbers by value and before words,
// fewer parts before more.
func compareParts(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		var c int
		switch {
		case isNumber(x[i]) && isNumber(y[i]):
			m, _ := strconv.ParseInt(x[i], 10, 64)
			n, _ := strconv.ParseInt(y[i], 10, 64)
			c = cmp.Compare(m, n)
		case isNumber(x[i]) != isNumber(y[i]):
			c = 1
			if isNumber(x[i]) {
				c = -1
			}
		default:
			c = strings.Compare(x[i], y[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}
