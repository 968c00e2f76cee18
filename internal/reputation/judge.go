// Package reputation knows what is published for and against packages: advisories,
// malware, archived and missing ones. It judges the versions of a package and picks the
// one to take.
package reputation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// JudgeMalicious reports a version that is malware, and a request for a package
// without a version where the newest one is: malware has no fixed version.
func JudgeMalicious(pkg identity.Fetched, within string) *rule.Finding {
	if affecting := AdvisoriesAgainst(pkg, true); len(affecting) > 0 {
		return &rule.Finding{Span: pkg.Span, Message: wording.Say("%s %s%s is malware (", pkg, pkg.Version.Text, within) + affecting[0].malwareInWords()}
	}
	if compare.IsOneVersion(pkg.Version) {
		return nil
	}
	for _, a := range advisoriesFor(pkg.Kind, pkg.Name) {
		if a.malware && a.affectsNewest() && admits(pkg, a) {
			return &rule.Finding{Span: pkg.Span, Message: wording.Say("%s is malware%s (", pkg, since(a)) + a.malwareInWords()}
		}
	}
	return nil
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

// JudgeVulnerable reports a version in the range of an advisory. The same version
// at other places of a project is the same problem, which is reported in full once. How the
// package is started decides on some; nil is anyhow.
func JudgeVulnerable(pkg identity.Fetched, within string, l *identity.Launch) *rule.Finding {
	affecting := slices.DeleteFunc(AdvisoriesAgainst(pkg, false), func(a *advisory) bool { return !a.mattersTo(l) })
	if len(affecting) == 0 {
		return nil
	}
	return Vulnerable(pkg, wording.Say("%s %s%s is vulnerable to ", pkg, pkg.Version.Text, within)+nameAdvisory(affecting)+": "+remedy(pkg))
}

// Vulnerable says it of a version, at its place.
func Vulnerable(pkg identity.Fetched, message string) *rule.Finding {
	return &rule.Finding{
		Span: pkg.Version.Span, Message: message,
		Group: rule.Group{Key: pkg.String() + "\x00" + pkg.Version.Text, Message: "the same version here"},
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
		details = append(details, wording.Say("and %d more", more))
	}
	return worst.summary + " (" + strings.Join(append(details, "see "+worst.link), ", ") + ")"
}

// remedy says which version to take, and why it is newer than one that is a date.
func remedy(pkg identity.Fetched) string {
	fixed := FixedVersion(pkg)
	switch {
	case fixed == "":
		return "take another package, because no version fixes it"
	case IsDate(pkg.Version.Text) && !IsDate(fixed):
		return wording.Say("take %s or later, which is newer because the versions of this package were dates once", fixed)
	}
	return wording.Say("take %s or later", fixed)
}

// FixedVersion returns the first version in which nothing that is known of is wrong any
// more, "" if there is none.
func FixedVersion(pkg identity.Fetched) string {
	v, err := pkg.Kind.System().Parse(pkg.Version.Text)
	if err != nil {
		return ""
	}
	return firstFixed(advisoriesFor(pkg.Kind, pkg.Name), v)
}
