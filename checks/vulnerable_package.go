package checks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// vulnerablePackage finds exact versions with a published vulnerability.
var vulnerablePackage = &Rule{
	ID:           "vulnerable-package",
	Title:        "a pinned version has a published vulnerability",
	Severity:     Error,
	UsesRegistry: true,
	Fix:          Unsafe,
	Reads:        launched,
	Run:          runVulnerablePackage,
}

// runVulnerablePackage offers the version to take where it is written, but no version
// of a lockfile: its tool has to fetch and lock that.
func runVulnerablePackage(p *Pass) {
	copies := &copies{project: p.Project}
	reportPackages(p, func(s *mcp.Server, pkg identity.Fetched, within string) *Finding {
		f := judgeVulnerable(pkg, within)
		if ids := advisoriesOf(p.Repo.Registries, pkg, false); f == nil && len(ids) > 0 {
			return vulnerable(pkg, say("%s %s%s is vulnerable (%s): take a version that none is known of", pkg, pkg.Version.Text, within, nameOSV(ids)))
		}
		if f != nil && within == "" && s != nil && s.Locked == nil {
			f.Fixes, f.NoFixReason = fixVulnerable(s, copies, pkg)
		}
		return f
	})
}

// fixVulnerable raises the version of a package in an entry and its copies, if it
// stands in all of them as it is; otherwise it says why not.
func fixVulnerable(s *mcp.Server, copies *copies, pkg identity.Fetched) (fixes []Fix, unmended string) {
	version := fixedVersion(pkg)
	if version == "" {
		return nil, ""
	}
	if reason := keptBecause(s); reason != "" {
		return nil, reason
	}
	edits, ok := writeVersion(copies.with(s), pkg, version)
	if !ok {
		return nil, notWrittenPlainly
	}
	return []Fix{{Title: say("raise %s to %s", pkg.Name, version), Safety: Unsafe, Edits: edits}}, ""
}

// judgeVulnerable reports a version in the range of an advisory. The same version
// at other places of a project is the same problem, which is told in full once.
func judgeVulnerable(pkg identity.Fetched, within string) *Finding {
	affecting := published(pkg, false)
	if len(affecting) == 0 {
		return nil
	}
	return vulnerable(pkg, say("%s %s%s is vulnerable to ", pkg, pkg.Version.Text, within)+nameAdvisory(affecting)+": "+remedy(pkg))
}

// vulnerable says it of a version, at its place.
func vulnerable(pkg identity.Fetched, message string) *Finding {
	return &Finding{
		Span: pkg.Version.Span, Message: message,
		group: group{key: pkg.String() + "\x00" + pkg.Version.Text, message: "the same version here"},
	}
}

// nameAdvisory says what the gravest of advisories is and, in parentheses, its number,
// how many there are beside it and where more is said. What only the notes of a release
// say has no number that anybody could look up.
func nameAdvisory(list []*advisory) string {
	worst := slices.MinFunc(list, func(a, b *advisory) int { return cmp.Compare(a.rank(), b.rank()) })
	var details []string
	if !worst.isNote() {
		details = append(details, worst.id)
	}
	if worst.severity != "" {
		details = append(details, worst.severity)
	}
	if more := len(list) - 1; more > 0 {
		details = append(details, say("and %d more", more))
	}
	return worst.summary + " (" + strings.Join(append(details, "see "+worst.link), ", ") + ")"
}

// rank orders advisories, the gravest first: what is not graded comes after all
// that is, what has no number last.
func (a *advisory) rank() int {
	grades := []string{"critical", "high", "medium", "low"}
	switch at := slices.Index(grades, a.severity); {
	case a.isNote():
		return len(grades) + 1
	case at < 0:
		return len(grades)
	default:
		return at
	}
}

// remedy says which version to take, and why it is newer than one that is a date.
func remedy(pkg identity.Fetched) string {
	fixed := fixedVersion(pkg)
	switch {
	case fixed == "":
		return "take another package, because no version fixes it"
	case isDate(pkg.Version.Text) && !isDate(fixed):
		return say("take %s or later, which is newer because the versions of this package were dates once", fixed)
	}
	return say("take %s or later", fixed)
}

// fixedVersion returns the first version in which nothing that is known of is wrong any
// more, "" if there is none.
func fixedVersion(pkg identity.Fetched) string {
	v, err := pkg.Kind.System().Parse(pkg.Version.Text)
	if err != nil {
		return ""
	}
	return firstFixed(advisoriesFor(pkg.Kind, pkg.Name), v)
}

// isDate reports whether a version begins with a year, as in 2025.3.28.
func isDate(version string) bool {
	year, _, found := strings.Cut(strings.TrimLeft(version, "=v"), ".")
	return found && len(year) == 4 && strings.HasPrefix(year, "20") && strings.Trim(year, "0123456789") == ""
}
