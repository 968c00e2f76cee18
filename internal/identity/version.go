package identity

import (
	"strings"

	"deps.dev/util/semver"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Release returns the version as registries write it, without the marks that
// only some people put before it ("v1.2.3", "=1.2.3"): the text by which two
// versions are compared. It is empty where no single release is named: by a
// range, a word, a digest, a commit, a tag with more than three numbers in it.
func (v Version) Release() string {
	text := strings.TrimPrefix(strings.TrimPrefix(v.Text, "="), "v")
	switch v.Kind {
	case Exact:
		if strings.Contains(text, ".") && isPythonVersion(text) {
			return text
		}
	case Tag:
		if isSemver(text) && !strings.ContainsAny(text, "-+") {
			return text
		}
	}
	return ""
}

// VersionOf classifies a version that stands by itself, in a lockfile or a manifest, as
// one of a package of that kind: Exact is only what its registry takes for one release,
// or what names the content itself. Of what has no registry it is a release of three
// numbers.
func VersionOf(kind Kind, w Word) Version {
	switch kind {
	case NPM, JSR:
		return npmVersion(w)
	case PyPI:
		return lockedPythonVersion(w)
	case NuGet:
		return nugetVersion(w)
	case Go:
		return goVersion(w)
	case Git:
		return gitVersion(w)
	}
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case kind == OCI && isDigest(w.Text), kind != OCI && isSemver(w.Text):
		v.Kind = Exact
	}
	return v
}

// npmVersion classifies what stands after "@" in an npm spec: only a full
// x.y.z pins, a range is what npm's semver would take as one, and every other
// word is a dist-tag.
func npmVersion(w Word) Version {
	v := Version{Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case isSemver(w.Text):
		v.Kind = Exact
	case isRange(w.Text):
		v.Kind = Range
	default:
		v.Kind = Tag
	}
	return v
}

// isSemver reports whether text is one full version: 1.2.3, v1.2.3,
// 1.2.3-beta.1+build, =1.2.3.
func isSemver(text string) bool {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "="), "v")
	core := text
	if i := strings.IndexAny(text, "-+"); i >= 0 {
		if i+1 == len(text) || !ascii.All(text[i:], isVersionByte) {
			return false
		}
		core = text[:i]
	}
	dots := 0
	for i := 0; i < len(core); i++ {
		switch {
		case core[i] == '.' && i > 0 && core[i-1] != '.':
			dots++
		case !ascii.IsDigit(core[i]):
			return false
		}
	}
	return dots == 2 && core[len(core)-1] != '.'
}

// isRange reports whether text is a version range: it begins with an operator,
// or is made of numbers and wildcards, or joins such parts.
func isRange(text string) bool {
	if strings.ContainsAny(text[:1], "^~<>=*") || strings.ContainsAny(text, " |,") {
		return true
	}
	text = strings.TrimPrefix(text, "v")
	return text == "x" || text == "X" || text != "" && ascii.IsDigit(text[0]) &&
		ascii.All(text, func(c byte) bool { return ascii.IsDigit(c) || c == '.' || c == 'x' || c == 'X' || c == '*' })
}

// gitVersion classifies a git reference: only a full SHA pins.
func gitVersion(w Word) Version {
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case isSHA(w.Text):
		v.Kind = Exact
	case strings.HasPrefix(w.Text, "semver:"):
		v.Kind = Range
	}
	return v
}

// isSHA reports whether text is a full git object name, SHA-1 or SHA-256.
func isSHA(text string) bool {
	return (len(text) == 40 || len(text) == 64) &&
		ascii.All(text, func(c byte) bool { return ascii.IsDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' })
}

// pythonVersion classifies a version specifier ("==1.2", ">=1,<2", "===1.2");
// only one "==" without a wildcard pins.
func pythonVersion(w Word) Version {
	text := strings.TrimLeft(w.Text, " ")
	w = tail(w, len(w.Text)-len(text))
	if w.Text == "" {
		return Version{}
	}
	operator := 0
	for operator < len(w.Text) && strings.IndexByte("=<>!~", w.Text[operator]) >= 0 {
		operator++
	}
	number := strings.TrimLeft(w.Text[operator:], " ")
	exact := strings.HasPrefix(w.Text, "==") && isPythonVersion(number)
	if !exact {
		return Version{Kind: Range, Text: w.Text, Span: w.Span}
	}
	w = tail(w, len(w.Text)-len(number))
	return Version{Kind: Exact, Text: w.Text, Span: w.Span}
}

// isPythonVersion reports whether text is one version of PEP 440: 1.2, v1.2,
// 1!2.0rc1, 1.2.post1+local.
func isPythonVersion(text string) bool {
	if epoch, rest, ok := strings.Cut(text, "!"); ok {
		if epoch == "" || !ascii.All(epoch, ascii.IsDigit) {
			return false
		}
		text = rest
	}
	text = strings.TrimPrefix(text, "v")
	return text != "" && ascii.IsDigit(text[0]) && ascii.All(text, func(c byte) bool { return isVersionByte(c) || c == '_' })
}

// isVersionByte reports whether c may stand in a version after its first
// numbers.
func isVersionByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '.' || c == '-' || c == '+' }

// pythonAtVersion classifies what stands after "@" in "uvx pkg@1.2": uv takes
// one version or "latest".
func pythonAtVersion(w Word) Version {
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case strings.IndexByte("=<>!~", w.Text[0]) >= 0:
		return pythonVersion(w)
	case isPythonVersion(w.Text):
		v.Kind = Exact
	case ascii.IsDigit(w.Text[0]):
		v.Kind = Range
	}
	return v
}

// lockedPythonVersion classifies a version without an operator. A name or a commit that
// begins with a digit is none, other than in a requirement, which would not be read
// at all.
func lockedPythonVersion(w Word) Version {
	v := pythonAtVersion(w)
	if _, err := semver.PyPI.Parse(v.Text); err != nil && v.Kind == Exact {
		v.Kind = Tag
	}
	return v
}

// nugetVersion classifies a NuGet version: "1.2.3" and "1.2.3.4" pin, "1.*"
// and "[1.0,2.0)" are ranges.
func nugetVersion(w Word) Version {
	v := Version{Kind: Range, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case strings.ContainsAny(w.Text, "*[](), "):
	case ascii.IsDigit(w.Text[0]) && ascii.All(w.Text, isVersionByte):
		v.Kind = Exact
	default:
		v.Kind = Tag
	}
	return v
}

// goVersion classifies what stands after "@" of a Go package: a full version,
// pseudo-version or commit pins, "latest", "v1" or a branch does not.
func goVersion(w Word) Version {
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case strings.HasPrefix(w.Text, "v") && isSemver(w.Text), isSHA(w.Text):
		v.Kind = Exact
	case strings.HasPrefix(w.Text, "v") && isRange(w.Text):
		v.Kind = Range
	}
	return v
}
