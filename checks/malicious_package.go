package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/version"
)

// maliciousPackage finds packages that are published as malware.
var maliciousPackage = &Rule{
	ID:           "malicious-package",
	Title:        "a package is published as malware",
	Severity:     Error,
	UsesRegistry: true,
	Reads:        Reads{Examples: true, Unread: true, Without: []mcp.Scope{mcp.ScopeRegistry}},
	Run:          runMaliciousPackage,
}

func runMaliciousPackage(p *Pass) {
	reportPackages(p, func(_ *mcp.Server, pkg identity.Fetched, within string) *Finding {
		f := judgeMalicious(pkg, within)
		if ids := advisoriesOf(p.Repo.Registries, pkg, true); f == nil && len(ids) > 0 {
			f = &Finding{Span: pkg.Span, Message: say("%s %s%s is malware (%s): remove it, and revoke every credential it was given", pkg, pkg.Version.Text, within, nameOSV(ids))}
		}
		return f
	})
}

// judgeMalicious reports a version that is malware, and a request for a package
// without a version where the newest one is: malware has no fixed version.
func judgeMalicious(pkg identity.Fetched, within string) *Finding {
	if affecting := published(pkg, true); len(affecting) > 0 {
		return &Finding{Span: pkg.Span, Message: say("%s %s%s is malware (", pkg, pkg.Version.Text, within) + affecting[0].malwareInWords()}
	}
	if isOneVersion(pkg.Version) {
		return nil
	}
	for _, a := range advisoriesFor(pkg.Kind, pkg.Name) {
		if a.malware && a.affectsNewest() && admits(pkg, a) {
			return &Finding{Span: pkg.Span, Message: say("%s is malware%s (", pkg, since(a)) + a.malwareInWords()}
		}
	}
	return nil
}

// malwareInWords ends a message that something is malware: which, and what to do.
func (a *advisory) malwareInWords() string {
	return a.id + ", " + a.summary + "): remove it, and revoke every credential it was given"
}

// admits reports whether a package without one version may be one that is
// malware. A range is if one of the listed versions is in it, or where every
// version is malware.
func admits(pkg identity.Fetched, a *advisory) bool {
	if pkg.Version.Kind != identity.Range || since(a) == "" {
		return true
	}
	return slices.ContainsFunc(a.versions, func(v *version.Version) bool { return pkg.Takes(v.String()) })
}

// since says from which version on a package is malware, or nothing if all
// versions are.
func since(a *advisory) string {
	first := a.ranges[0][0].version
	if first == nil {
		return ""
	}
	return " since " + first.String()
}
