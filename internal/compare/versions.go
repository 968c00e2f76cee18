package compare

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// IsOneVersion reports whether a version names one release: exact versions,
// and image tags that are version numbers.
func IsOneVersion(v identity.Version) bool {
	return v.Kind == identity.Exact || v.Kind == identity.Tag && IsVersionNumber(v.Text)
}

// ReleaseOf returns a key that the versions of one release share: registries have
// several ways to write one.
func ReleaseOf(kind identity.Kind, v identity.Version) string {
	if kind == identity.Git {
		return v.Text
	}
	parsed, err := kind.System().Parse(v.Text)
	if err != nil {
		return wording.OrName(v.Release(), v.Text)
	}
	return parsed.Canon()
}

// NamesRelease reports whether a version is that of a release: a range may be any.
func NamesRelease(version string) bool {
	return hasDigit(version) && !strings.ContainsAny(strings.TrimSpace(version), "^~<>*|, ")
}

// PlainVersion returns a version as all of its spellings are, without regard to the registry
// (ReleaseOf considers it): without blanks, "v" and "=", what follows a plus, zeros before a number
// and numbers that are zero at the end.
func PlainVersion(text string) string {
	core, pre := version.Split(strings.TrimLeft(strings.TrimSpace(text), "=v"))
	numbers := strings.Split(core, ".")
	for i, number := range numbers {
		numbers[i] = strings.TrimLeft(number, "0")
	}
	return strings.TrimRight(strings.Join(numbers, "."), ".") + "-" + pre
}

// IsVersionNumber reports whether a text is three numbers, with or without a v.
func IsVersionNumber(text string) bool {
	numbers := strings.TrimPrefix(text, "v")
	return version.IsSemantic(numbers) && strings.Trim(numbers, "0123456789.") == ""
}
