package reputation

import (
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// SettledRelease returns the release to pin a package to: the release of its tag, or the
// highest in its range, and if there are only previews the registry's latest. It is not
// withdrawn, nothing is known against it, and it was published long enough ago for others to
// have reviewed it. Nil without such a release, or if the registry does not say when it
// published each.
func SettledRelease(said *mcp.Published, pkg identity.Fetched, settled time.Time) *mcp.Release {
	mayBe := func(r *mcp.Release) bool {
		isSettled := !r.IsWithdrawn && !r.At.IsZero() && !r.At.After(settled) && !IsKnownBad(pkg, compare.Exactly(r.Version))
		return isSettled && (pkg.Version.Kind != identity.Range || pkg.Takes(r.Version))
	}
	limit := said.Release(said.Latest) // what is above is a preview of some kind
	best := limit
	if tag := compare.TagOf(pkg); tag != "" {
		best = said.Release(said.Tags[tag])
	} else if highest := compare.HighestRelease(said, func(r *mcp.Release) bool {
		isPreview := pkg.Version.Kind != identity.Range && limit != nil && compare.IsAbove(pkg.Kind, r.Version, limit.Version)
		return mayBe(r) && !isPreview
	}, pkg.Kind); highest != nil {
		return highest
	}
	if best == nil || !mayBe(best) {
		return nil
	}
	return best
}

// AllBad reports whether advisories affect every version that a package may have.
func AllBad(said *mcp.Published, pkg identity.Fetched) bool {
	hasAny := false
	for i := range said.Releases {
		r := &said.Releases[i]
		if r.IsWithdrawn || pkg.Version.Kind == identity.Range && !pkg.Takes(r.Version) {
			continue
		}
		if hasAny = true; !IsKnownBad(pkg, compare.Exactly(r.Version)) {
			return false
		}
	}
	return hasAny
}

// WhyNoVersion returns in a clause why there is no version of a package to use, if its registry was
// queried; "" if the answer does not tell.
func WhyNoVersion(r *mcp.Registries, pkg identity.Fetched) string {
	switch said := r.Of(pkg); {
	case r == nil:
		return ""
	case said == nil:
		return "its registry did not answer"
	case said.IsUnknown:
		return wording.Say("it does not exist in the registry %s", said.Registry)
	case AllBad(said, pkg):
		return "advisories affect every version of it"
	}
	return ""
}

// VersionToPin returns the version of a package to pin according to its registry, "" if no
// registry was queried or there is no such version.
func VersionToPin(r *mcp.Registries, pkg identity.Fetched) string {
	said := r.Of(pkg)
	if said == nil || pkg.Kind == identity.OCI {
		return ""
	}
	if release := SettledRelease(said, pkg, r.Settled); release != nil {
		return release.Version
	}
	return ""
}

// IsKnownBad reports whether an advisory affects a version of a package, so that it should not be
// proposed.
func IsKnownBad(pkg identity.Fetched, version identity.Version) bool {
	pkg.Version = version
	return JudgeVulnerable(pkg, "", nil) != nil || JudgeMalicious(pkg, "") != nil
}

// IsDate reports whether a version begins with a year, as in 2025.3.28.
func IsDate(version string) bool {
	year, _, found := strings.Cut(strings.TrimLeft(version, "=v"), ".")
	return found && len(year) == 4 && strings.HasPrefix(year, "20") && strings.Trim(year, "0123456789") == ""
}
