package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/version"
)

// Release returns the version as registries write it, without the marks that
// only some people put before it ("v1.2.3", "=1.2.3"): the text by which two
// versions are compared. It is empty where no single release is named: by a
// range, a word, a digest, a commit, a tag with more than three numbers in it.
func (v Version) Release() string {
	text := strings.TrimPrefix(strings.TrimPrefix(v.Text, "="), "v")
	switch v.Kind {
	case Exact:
		if strings.Contains(text, ".") && version.PyPI.IsExact(text) {
			return text
		}
	case Tag:
		if version.IsSemantic(text) && !strings.ContainsAny(text, "-+") {
			return text
		}
	}
	return ""
}

// System returns how packages of a kind are versioned.
func (k Kind) System() version.System {
	switch k {
	case NPM, JSR:
		return version.NPM
	case PyPI:
		return version.PyPI
	case NuGet:
		return version.NuGet
	case Go:
		return version.Go
	}
	return version.Semantic
}

// VersionOf classifies a version on its own, after "@", in a lockfile or a manifest, as one of a
// package of that kind. Exact is only what its registry accepts as one release, or what names the
// content itself. For a kind without a registry, Exact is a release of three numbers. A word that
// is neither a release nor a range is a Tag.
func VersionOf(kind Kind, w Word) Version {
	switch {
	case w.Text == "":
		return Version{}
	case kind == PyPI:
		return lockedPythonVersion(w)
	case kind == Git:
		return gitVersion(w)
	}
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case kind == OCI && isDigest(w.Text), kind == Go && isSHA(w.Text), kind != OCI && kind.System().IsExact(w.Text):
		v.Kind = Exact
	case kind.System().IsRange(w.Text):
		v.Kind = Range
	}
	return v
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
	w = w.From(len(w.Text) - len(text))
	if w.Text == "" {
		return Version{}
	}
	operator := 0
	for operator < len(w.Text) && strings.IndexByte("=<>!~", w.Text[operator]) >= 0 {
		operator++
	}
	number := strings.TrimLeft(w.Text[operator:], " ")
	exact := strings.HasPrefix(w.Text, "==") && version.PyPI.IsExact(number)
	if !exact {
		return Version{Kind: Range, Text: w.Text, Span: w.Span}
	}
	w = w.From(len(w.Text) - len(number))
	return Version{Kind: Exact, Text: w.Text, Span: w.Span}
}

// pythonAtVersion classifies what comes after "@" in "uvx pkg@1.2": uv accepts one version or
// "latest".
func pythonAtVersion(w Word) Version {
	v := Version{Kind: Tag, Text: w.Text, Span: w.Span}
	switch {
	case w.Text == "":
		return Version{}
	case strings.IndexByte("=<>!~", w.Text[0]) >= 0:
		return pythonVersion(w)
	case version.PyPI.IsExact(w.Text):
		v.Kind = Exact
	case version.PyPI.IsRange(w.Text):
		v.Kind = Range
	}
	return v
}

// lockedPythonVersion classifies a version without an operator. A name or a commit that begins with
// a digit is not a version. In a requirement it could not occur, because uv would not read that at
// all.
func lockedPythonVersion(w Word) Version {
	v := pythonAtVersion(w)
	if _, err := version.PyPI.Parse(v.Text); err != nil && v.Kind == Exact {
		v.Kind = Tag
	}
	return v
}
