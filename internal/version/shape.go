package version

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// maxDigits is how many digits a number of a version may have: more would not fit.
const maxDigits = 18

// IsSemantic reports whether a text is one version of Semantic Versioning: three numbers,
// with or without a pre-release and a build. It has no mark before it.
func IsSemantic(text string) bool {
	core := text
	if i := strings.IndexAny(text, "-+"); i >= 0 {
		if i+1 == len(text) || !ascii.All(text[i:], isVersionByte) {
			return false
		}
		core = text[:i]
	}
	numbers := strings.Split(core, ".")
	if len(numbers) != 3 {
		return false
	}
	for _, number := range numbers {
		if number == "" || len(number) > maxDigits || !ascii.All(number, ascii.IsDigit) {
			return false
		}
	}
	return true
}

// Split returns the numbers of a version and its pre-release. The text after a plus says nothing
// about the order.
func Split(text string) (numbers, pre string) {
	text, _, _ = strings.Cut(text, "+")
	numbers, pre, _ = strings.Cut(text, "-")
	return numbers, pre
}

// IsExact reports whether a text has the form of one version of the ecosystem: a launcher
// that is given it takes that release and no other.
func (s System) IsExact(text string) bool {
	switch s {
	case PyPI:
		return isPEP440(text)
	case NuGet: // also 1.2 and 1.2.3.4; as a requirement of a package it would be a range
		return text != "" && ascii.IsDigit(text[0]) && ascii.All(text, isVersionByte)
	case Go:
		return strings.HasPrefix(text, "v") && IsSemantic(text[1:])
	}
	return IsSemantic(withoutMarks(text))
}

// IsRange reports whether a text has the form of a range of the ecosystem: several versions, one of
// which a launcher chooses. It is false for one version and for words.
func (s System) IsRange(text string) bool {
	if text == "" || s.IsExact(text) {
		return false
	}
	switch s {
	case NPM:
		return isRange(text)
	case PyPI:
		return strings.IndexByte("=<>!~", text[0]) >= 0 || ascii.IsDigit(text[0])
	case NuGet:
		return strings.ContainsAny(text, "*[](), ")
	case Go:
		return strings.HasPrefix(text, "v") && isRange(text)
	}
	return false
}

// withoutMarks returns a version without the marks that only some people put before it.
func withoutMarks(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, "="), "v")
}

// isRange reports whether a text is what npm takes for a range: it begins with an operator, or
// consists of numbers and wildcards, or joins such parts.
func isRange(text string) bool {
	if strings.ContainsAny(text[:1], "^~<>=*") || strings.ContainsAny(text, " |,") {
		return true
	}
	text = strings.TrimPrefix(text, "v")
	return text == "x" || text == "X" || text != "" && ascii.IsDigit(text[0]) &&
		ascii.All(text, func(c byte) bool { return ascii.IsDigit(c) || c == '.' || c == 'x' || c == 'X' || c == '*' })
}

// isPEP440 reports whether a text has the form of one version of PEP 440: 1.2, v1.2,
// 1!2.0rc1, 1.2.post1+local.
func isPEP440(text string) bool {
	if epoch, rest, ok := strings.Cut(text, "!"); ok {
		if epoch == "" || !ascii.All(epoch, ascii.IsDigit) {
			return false
		}
		text = rest
	}
	text = strings.TrimPrefix(text, "v")
	return text != "" && ascii.IsDigit(text[0]) && ascii.All(text, func(c byte) bool { return isVersionByte(c) || c == '_' })
}

// isVersionByte reports whether c may occur in a version after its first numbers.
func isVersionByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '.' || c == '-' || c == '+' }
