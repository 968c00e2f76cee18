package checks

import (
	"slices"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// releaseIn returns the release of a registry that a package asks for by an exact
// version, in whatever form that is written; nil if there is none.
func releaseIn(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	want := releaseOf(pkg.Kind, pkg.Version)
	i := slices.IndexFunc(said.Releases, func(r mcp.Release) bool {
		return r.Version == pkg.Version.Text || releaseOf(pkg.Kind, exactly(r.Version)) == want
	})
	if i < 0 {
		return nil
	}
	return &said.Releases[i]
}

// exactly returns a version that stands for itself.
func exactly(version string) identity.Version {
	return identity.Version{Kind: identity.Exact, Text: version}
}

// taken returns the release that a launcher would take of a package today: the one that
// is asked for, the highest or lowest within a range, the registry's latest, or the highest
// where it names none.
func taken(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	switch {
	case pkg.Version.Kind == identity.Exact:
		return releaseIn(said, pkg)
	case pkg.Version.Kind == identity.Range:
		return takenWithin(said, pkg)
	case tagOf(pkg) != "":
		return said.Release(said.Tags[tagOf(pkg)])
	case said.Latest != "":
		return said.Release(said.Latest)
	}
	return highestRelease(said, func(*mcp.Release) bool { return true }, pkg.Kind)
}

// takenWithin returns the release that a launcher would take of a range today, nil for
// none.
func takenWithin(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	asked, err := pkg.Kind.System().ParseRange(pkg.Version.Text)
	if err != nil {
		return nil
	}
	if !asked.TakesLowest() {
		return highestRelease(said, func(r *mcp.Release) bool { return asked.Contains(r.Version) }, pkg.Kind)
	}
	var lowest *mcp.Release
	for i := range said.Releases {
		r := &said.Releases[i]
		isListed := !r.IsWithdrawn || !r.At.IsZero() // dotnet searches, which finds nothing else
		if isListed && asked.Contains(r.Version) && (lowest == nil || isAbove(pkg.Kind, lowest.Version, r.Version)) {
			lowest = r
		}
	}
	return lowest
}

// settledRelease returns the release to pin a package to: what its tag stands for, or the
// highest that it may be, and where there are previews alone the registry's latest. Nobody
// has withdrawn it, nothing is known against it, and it was published long enough ago for
// others to have looked at it. Nil if there is none, or if the registry does not say when
// it published what.
func settledRelease(said *mcp.Published, pkg identity.Fetched, settled time.Time) *mcp.Release {
	mayBe := func(r *mcp.Release) bool {
		isSettled := !r.IsWithdrawn && !r.At.IsZero() && !r.At.After(settled) && !isKnownBad(pkg, exactly(r.Version))
		return isSettled && (pkg.Version.Kind != identity.Range || pkg.Takes(r.Version))
	}
	limit := said.Release(said.Latest) // what is above is a preview of some kind
	best := limit
	if tag := tagOf(pkg); tag != "" {
		best = said.Release(said.Tags[tag])
	} else if highest := highestRelease(said, func(r *mcp.Release) bool {
		isPreview := pkg.Version.Kind != identity.Range && limit != nil && isAbove(pkg.Kind, r.Version, limit.Version)
		return mayBe(r) && !isPreview
	}, pkg.Kind); highest != nil {
		return highest
	}
	if best == nil || !mayBe(best) {
		return nil
	}
	return best
}

// allBad reports whether something is published against every version that a package may
// have.
func allBad(said *mcp.Published, pkg identity.Fetched) bool {
	hasAny := false
	for i := range said.Releases {
		r := &said.Releases[i]
		if r.IsWithdrawn || pkg.Version.Kind == identity.Range && !pkg.Takes(r.Version) {
			continue
		}
		if hasAny = true; !isKnownBad(pkg, exactly(r.Version)) {
			return false
		}
	}
	return hasAny
}

// WhyNoVersion says in a clause why there is no version of a package to take, where its
// registry was asked; "" where it does not say.
func WhyNoVersion(r *mcp.Registries, pkg identity.Fetched) string {
	switch said := r.Of(pkg); {
	case r == nil:
		return ""
	case said == nil:
		return "its registry did not answer"
	case said.IsUnknown:
		return say("it does not exist in the registry %s", said.Registry)
	case allBad(said, pkg):
		return "something is published against every version of it"
	}
	return ""
}

// tagOf returns the tag of npm that a package is asked for by, "" for none and for "latest",
// which is taken anyway. npm reads as a range what begins with a digit.
func tagOf(pkg identity.Fetched) string {
	tag := pkg.Version.Text
	isName := tag != "" && ascii.IsLetter(tag[0]) && ascii.All(tag, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' })
	if pkg.Kind != identity.NPM || pkg.Version.Kind != identity.Tag || !isName || tag == "latest" {
		return ""
	}
	return tag
}

// hasNone reports whether a range takes none of the releases that there are. A preview
// counts as the release that it is one of, since launchers take it where there is nothing
// else.
func hasNone(said *mcp.Published, pkg identity.Fetched) bool {
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

// isAbove reports whether a version is higher than another.
func isAbove(kind identity.Kind, version, than string) bool {
	v, err := kind.System().Parse(version)
	limit, failed := kind.System().Parse(than)
	return err == nil && failed == nil && v.Compare(limit) > 0
}

// highestRelease returns the highest release that may be taken and is no preview, nil
// for none.
func highestRelease(said *mcp.Published, may func(*mcp.Release) bool, kind identity.Kind) *mcp.Release {
	var best *mcp.Release
	for i := range said.Releases {
		r := &said.Releases[i]
		v, err := kind.System().Parse(r.Version)
		if err != nil || !v.IsRelease() || !may(r) {
			continue
		}
		if best == nil || isAbove(kind, r.Version, best.Version) {
			best = r
		}
	}
	return best
}

// advisoriesOf returns what OSV knows of an exact version beside what is built in:
// malware, or vulnerabilities.
func advisoriesOf(r *mcp.Registries, pkg identity.Fetched, malware bool) []string {
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

// nameOSV names advisories by their identifiers, and where they are described.
func nameOSV(ids []string) string {
	text := ids[0]
	if more := len(ids) - 1; more > 0 {
		text = say("%s, and %d more", text, more)
	}
	return say("%s, see https://osv.dev/vulnerability/%s", text, ids[0])
}

// VersionToPin returns the version of a package that its registry says to take, "" where
// nobody was asked or there is none.
func VersionToPin(r *mcp.Registries, pkg identity.Fetched) string {
	said := r.Of(pkg)
	if said == nil || pkg.Kind == identity.OCI {
		return ""
	}
	if release := settledRelease(said, pkg, r.Settled); release != nil {
		return release.Version
	}
	return ""
}

// HashesOf returns the hashes that a registry gives for a version of a package, nil where
// nobody was asked or it gives none.
func HashesOf(r *mcp.Registries, pkg identity.Fetched, version string) []string {
	said := r.Of(pkg)
	if said == nil { // of what is installed only that version was asked for
		pkg.Version = exactly(version)
		said = r.Of(pkg)
	}
	if said == nil {
		return nil
	}
	if pkg.Kind == identity.OCI {
		if release := said.Release(said.Latest); release != nil {
			return release.Hashes
		}
		return nil
	}
	pkg.Version = exactly(version)
	if release := releaseIn(said, pkg); release != nil {
		return release.Hashes
	}
	return nil
}
