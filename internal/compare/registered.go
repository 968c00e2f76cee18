package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReleaseIn returns the release in a registry that a package names by an exact version, in any
// spelling; nil if there is none.
func ReleaseIn(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	want := ReleaseOf(pkg.Kind, pkg.Version)
	i := slices.IndexFunc(said.Releases, func(r mcp.Release) bool {
		return r.Version == pkg.Version.Text || ReleaseOf(pkg.Kind, Exactly(r.Version)) == want
	})
	if i < 0 {
		return nil
	}
	return &said.Releases[i]
}

// Exactly returns an exact version.
func Exactly(version string) identity.Version {
	return identity.Version{Kind: identity.Exact, Text: version}
}

// TakenRelease returns the release of a package that a launcher would take today: the exact one in
// the launch, the highest or lowest within a range, the registry's latest, or the highest if the
// registry names no latest.
func TakenRelease(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	switch {
	case pkg.Version.Kind == identity.Exact:
		return ReleaseIn(said, pkg)
	case pkg.Version.Kind == identity.Range:
		return takenWithin(said, pkg)
	case TagOf(pkg) != "":
		return said.Release(said.Tags[TagOf(pkg)])
	case said.Latest != "":
		return said.Release(said.Latest)
	}
	return HighestRelease(said, func(*mcp.Release) bool { return true }, pkg.Kind)
}

// takenWithin returns the release that a launcher would take of a range today, nil for
// none.
func takenWithin(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	asked, err := pkg.Kind.System().ParseRange(pkg.Version.Text)
	if err != nil {
		return nil
	}
	if !asked.TakesLowest() {
		return HighestRelease(said, func(r *mcp.Release) bool { return asked.Contains(r.Version) }, pkg.Kind)
	}
	var lowest *mcp.Release
	for i := range said.Releases {
		r := &said.Releases[i]
		isListed := !r.IsWithdrawn || !r.At.IsZero() // dotnet searches, which finds nothing else
		if isListed && asked.Contains(r.Version) && (lowest == nil || IsAbove(pkg.Kind, lowest.Version, r.Version)) {
			lowest = r
		}
	}
	return lowest
}

// TagOf returns the npm tag in the launch of a package, "" for none and for "latest", which is the
// default. npm reads a text that begins with a digit as a range.
func TagOf(pkg identity.Fetched) string {
	tag := pkg.Version.Text
	isName := tag != "" && ascii.IsLetter(tag[0]) && ascii.All(tag, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' })
	if pkg.Kind != identity.NPM || pkg.Version.Kind != identity.Tag || !isName || tag == "latest" {
		return ""
	}
	return tag
}

// HasNone reports whether a range takes none of the releases that there are. A preview
// counts as the release that it is one of, since launchers take it where there is nothing
// else.
func HasNone(said *mcp.Published, pkg identity.Fetched) bool {
	if _, err := pkg.Kind.System().ParseRange(pkg.Version.Text); err != nil || pkg.Version.Kind != identity.Range || len(said.Releases) == 0 {
		return false
	}
	return !slices.ContainsFunc(said.Releases, func(r mcp.Release) bool {
		core := r.Version
		if i := strings.IndexFunc(core, func(c rune) bool { return !strings.ContainsRune("0123456789.!", c) }); i > 0 {
			core = strings.TrimRight(core[:i], ".")
		}
		return pkg.Takes(r.Version) || pkg.Takes(core)
	})
}

// IsAbove reports whether a version is higher than another.
func IsAbove(kind identity.Kind, version, than string) bool {
	v, err := kind.System().Parse(version)
	limit, failed := kind.System().Parse(than)
	return err == nil && failed == nil && v.Compare(limit) > 0
}

// HighestRelease returns the highest release that may be taken and is no preview, nil
// for none.
func HighestRelease(said *mcp.Published, may func(*mcp.Release) bool, kind identity.Kind) *mcp.Release {
	var best *mcp.Release
	for i := range said.Releases {
		r := &said.Releases[i]
		v, err := kind.System().Parse(r.Version)
		if err != nil || !v.IsRelease() || !may(r) {
			continue
		}
		if best == nil || IsAbove(kind, r.Version, best.Version) {
			best = r
		}
	}
	return best
}

// AdvisoriesOf returns what OSV reports about an exact version in addition to the built-in
// advisories: malware, or vulnerabilities.
func AdvisoriesOf(r *mcp.Registries, pkg identity.Fetched, malware bool) []string {
	if r == nil {
		return nil
	}
	w, ok := mcp.WantedOf(pkg)
	if !ok || w.Version == "" {
		return nil
	}
	var ids []string
	for _, id := range r.Advisories[w] {
		if strings.HasPrefix(id, "MAL-") == malware {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// NameOSV names advisories by their identifiers, and returns the page that describes the first.
func NameOSV(ids []string) (text, see string) {
	text = ids[0]
	if more := len(ids) - 1; more > 0 {
		text = wording.Say("%s, and %d more", text, more)
	}
	return text, wording.Say("https://osv.dev/vulnerability/%s", ids[0])
}

// SaidOf returns what a registry says about a package that runs at a version, nil if it was not
// asked or did not answer.
func SaidOf(r *mcp.Registries, pkg identity.Fetched, version string) *mcp.Published {
	said := r.Of(pkg)
	if said == nil && version != "" { // for an installed package, only that version was asked for
		pkg.Version = Exactly(version)
		said = r.Of(pkg)
	}
	return said
}

// HashesOf returns the hashes that a registry gives for a version of a package, nil where
// it was not asked or gives none.
func HashesOf(r *mcp.Registries, pkg identity.Fetched, version string) []string {
	said := SaidOf(r, pkg, version)
	if said == nil {
		return nil
	}
	if pkg.Kind == identity.OCI {
		if release := said.Release(said.Latest); release != nil {
			return release.Hashes
		}
		return nil
	}
	pkg.Version = Exactly(version)
	if release := ReleaseIn(said, pkg); release != nil {
		return release.Hashes
	}
	return nil
}
