package identity

import (
	"strings"

	"github.com/package-url/packageurl-go"
)

// Purl returns the package URL of an identity, or "" if no purl type exists for it. Only an exact
// version is part of it: a purl names one thing.
func Purl(id *Identity) string {
	version := ""
	if id.Version.Kind == Exact {
		version = id.Version.Text
	}
	switch id.Kind {
	case NPM:
		return purl(packageurl.TypeNPM, id.Name, strings.TrimLeft(version, "=v"))
	case PyPI:
		return purl(packageurl.TypePyPi, id.Name, version)
	case NuGet:
		return purl(packageurl.TypeNuget, id.Name, version)
	case Go:
		return purl(packageurl.TypeGolang, lowerName(id.Name), version)
	case OCI:
		return ociPurl(id, version)
	case Git:
		if repository, ok := strings.CutPrefix(id.Name, "https://github.com/"); ok && strings.Count(repository, "/") == 1 {
			return purl(packageurl.TypeGithub, repository, version)
		}
	}
	return ""
}

// purl returns a package URL of a type, a name after its namespace, and a version, which may be "".
// It returns "" without a name.
func purl(kind, name, version string, qualifiers ...packageurl.Qualifier) string {
	name = strings.TrimRight(name, "/")
	if name == "" {
		return ""
	}
	last := strings.LastIndexByte(name, '/') + 1
	return packageurl.NewPackageURL(kind, name[:last], name[last:], version, qualifiers, "").ToString()
}

// ociPurl writes the last segment of an image as its name and the whole as repository_url, as the
// purl type "oci" requires.
func ociPurl(id *Identity, version string) string {
	qualifiers := packageurl.Qualifiers{{Key: "repository_url", Value: id.Name}}
	if id.Version.Kind == Tag {
		qualifiers = append(qualifiers, packageurl.Qualifier{Key: "tag", Value: id.Version.Text})
	}
	return purl(packageurl.TypeOCI, BaseName(id.Name), version, qualifiers...)
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

// EcosystemOf returns the OSV schema's name for the packages of a kind, "" if it has none: the
// reverse of Ecosystem.
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
