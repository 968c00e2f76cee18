package checks

import (
	"slices"
	"strings"
	"time"

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
// is asked for, the registry's latest, or the highest where it names none.
func taken(said *mcp.Published, pkg identity.Fetched) *mcp.Release {
	switch {
	case pkg.Version.Kind == identity.Exact:
		return releaseIn(said, pkg)
	case pkg.Version.Kind == identity.Range:
		return highestRelease(said, func(r *mcp.Release) bool { return pkg.Takes(r.Version) }, pkg.Kind)
	case said.Latest != "":
		return said.Release(said.Latest)
	}
	return highestRelease(said, func(*mcp.Release) bool { return true }, pkg.Kind)
}

// settledRelease returns the release to pin a package to: the highest that it may be,
// that nobody has withdrawn, that nothing is known against, and that was published long
// enough ago for others to have looked at it. Nil if there is none, or if the registry
// does not say when it published what.
func settledRelease(said *mcp.Published, pkg identity.Fetched, settled time.Time) *mcp.Release {
	limit := said.Release(said.Latest) // what is above is a preview of some kind
	return highestRelease(said, func(r *mcp.Release) bool {
		switch {
		case r.IsWithdrawn || r.At.IsZero() || r.At.After(settled) || isKnownBad(pkg, exactly(r.Version)):
			return false
		case pkg.Version.Kind == identity.Range:
			return pkg.Takes(r.Version)
		}
		return limit == nil || !isAbove(pkg.Kind, r.Version, limit.Version)
	}, pkg.Kind)
}

// isAbove reports whether a version is higher than another.
func isAbove(kind identity.Kind, version, than string) bool {
	v, err := parseVersion(kind, version)
	limit, failed := parseVersion(kind, than)
	return err == nil && failed == nil && v.Compare(limit) > 0
}

// highestRelease returns the highest release that may be taken and is no preview, nil
// for none.
func highestRelease(said *mcp.Published, may func(*mcp.Release) bool, kind identity.Kind) *mcp.Release {
	var best *mcp.Release
	for i := range said.Releases {
		r := &said.Releases[i]
		v, err := parseVersion(kind, r.Version)
		if err != nil || !isRelease(v) || !may(r) {
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
