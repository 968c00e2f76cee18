package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Purl returns the package URL of an identity, or "" where there is no purl
// type for it. Only an exact version is part of it: a purl names one thing.
func Purl(id *Identity) string {
	version := ""
	if id.Version.Kind == Exact {
		version = id.Version.Text
	}
	switch id.Kind {
	case NPM:
		return purl("npm", id.Name, strings.TrimLeft(version, "=v"))
	case PyPI:
		return purl("pypi", id.Name, version)
	case NuGet:
		return purl("nuget", id.Name, version)
	case Go:
		return purl("golang", lowerName(id.Name), version)
	case OCI:
		return ociPurl(id, version)
	case Git:
		if repository, ok := strings.CutPrefix(id.Name, "https://github.com/"); ok && strings.Count(repository, "/") == 1 {
			return purl("github", repository, version)
		}
	}
	return ""
}

// purl writes type, namespace and name, and version.
func purl(kind, name, version string) string {
	var b strings.Builder
	b.WriteString("pkg:")
	b.WriteString(kind)
	for _, segment := range strings.Split(name, "/") {
		if segment != "" {
			b.WriteByte('/')
			escape(&b, segment)
		}
	}
	if version != "" {
		b.WriteByte('@')
		escape(&b, version)
	}
	return b.String()
}

// ociPurl writes the last segment of an image as its name and the whole as
// repository_url, as the purl type "oci" wants it.
func ociPurl(id *Identity, version string) string {
	var b strings.Builder
	b.WriteString(purl("oci", baseName(id.Name), version))
	b.WriteString("?repository_url=")
	escape(&b, id.Name)
	if id.Version.Kind == Tag {
		b.WriteString("&tag=")
		escape(&b, id.Version.Text)
	}
	return b.String()
}

// escape percent-encodes all but letters, digits and ".-_~:", as the purl
// specification does.
func escape(b *strings.Builder, text string) {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		if ascii.IsAlphanumeric(c) || strings.IndexByte(".-_~:", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
}

// Ecosystem returns the kind of the packages in an ecosystem of the OSV schema
// (osv.dev), None for one that launchers do not fetch from.
func Ecosystem(name string) Kind {
	switch name {
	case "npm":
		return NPM
	case "PyPI":
		return PyPI
	case "NuGet":
		return NuGet
	case "Go":
		return Go
	}
	return None
}

// EcosystemOf returns what the OSV schema calls the packages of a kind, "" where it has
// no name for them: Ecosystem the other way round.
func EcosystemOf(kind Kind) string {
	switch kind {
	case NPM:
		return "npm"
	case PyPI:
		return "PyPI"
	case NuGet:
		return "NuGet"
	case Go:
		return "Go"
	}
	return ""
}
