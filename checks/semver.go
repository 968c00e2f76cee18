package checks

import "strings"

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
