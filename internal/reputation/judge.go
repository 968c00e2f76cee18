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

// MalwareHelp is what to do about malware.
const MalwareHelp = "remove it, and revoke every credential it received"

// JudgeMalicious reports a version that is malware, and a package without a version whose newest one
// is: malware has no fixed version.
func JudgeMalicious(pkg identity.Fetched, within string) *rule.Finding {
	if affecting := AdvisoriesAgainst(pkg, true); len(affecting) > 0 {
		return malicious(pkg, wording.Say("%s %s%s", pkg, pkg.Version.Text, within), "", affecting[0])
	}
	if compare.IsOneVersion(pkg.Version) {
		return nil
	}
	for _, a := range advisoriesFor(pkg.Kind, pkg.Name) {
		if a.malware && a.affectsNewest() && admits(pkg, a) {
			return malicious(pkg, pkg.String(), since(a), a)
		}
	}
	return nil
}

// malicious reports what is malware, since which version, and what it does.
func malicious(pkg identity.Fetched, what, since string, a *advisory) *rule.Finding {
	return &rule.Finding{Span: pkg.Span, Message: wording.Say("%s is malware%s: %s (%s)", what, since, a.summary, a.id), Help: MalwareHelp}
}

// admits reports whether a package without one version may be malware. A range may be if one of the
// listed versions is in it, or if every version is malware.
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

// JudgeVulnerable reports a version in the range of an advisory. The same version at other places of
// a project is the same problem, which is reported in full once. Some advisories depend on how the
// package is started; nil is any way.
func JudgeVulnerable(pkg identity.Fetched, within string, l *identity.Launch) *rule.Finding {
	affecting := slices.DeleteFunc(AdvisoriesAgainst(pkg, false), func(a *advisory) bool { return !a.mattersTo(l) })
	if len(affecting) == 0 {
		return nil
	}
	worst, what := nameAdvisory(affecting)
	f := Vulnerable(pkg, wording.Say("%s %s%s is vulnerable to ", pkg, pkg.Version.Text, within)+what)
	f.Help, f.See = remedy(pkg), worst.link
	return f
}

// Vulnerable reports a version at its place.
func Vulnerable(pkg identity.Fetched, message string) *rule.Finding {
	return &rule.Finding{
		Span: pkg.Version.Span, Message: message,
		Group: rule.Group{Key: pkg.String() + "\x00" + pkg.Version.Text, Message: "the same version here"},
	}
}

// nameAdvisory returns the most severe of advisories, and names it: what it is about and, in
// parentheses, its severity, its number and how many more there are. What only the notes of a
// release mention has no number to look up.
func nameAdvisory(list []*advisory) (worst *advisory, text string) {
	worst = slices.MinFunc(list, func(a, b *advisory) int { return cmp.Compare(a.rank(), b.rank()) })
	var details []string
	if worst.severity != "" {
		details = append(details, worst.severity)
	}
	if !worst.isNote() {
		details = append(details, worst.id)
	}
	if more := len(list) - 1; more > 0 {
		details = append(details, wording.Say("and %d more", more))
	}
	if len(details) == 0 {
		return worst, worst.summary
	}
	return worst, worst.summary + " (" + strings.Join(details, ", ") + ")"
}

// remedy names the version to update to.
func remedy(pkg identity.Fetched) string {
	fixed := FixedVersion(pkg)
	if fixed == "" {
		return "use another package, because no version fixes it"
	}
	return wording.Say("update to %s or later", fixed) + NewerThanDates(pkg, fixed)
}

// NewerThanDates continues a sentence that names a version to update to: it says why that is newer
// than one that is a date, "" for any other.
func NewerThanDates(pkg identity.Fetched, fixed string) string {
	if IsDate(pkg.Version.Text) && !IsDate(fixed) {
		return ", which is newer because earlier versions of this package are dates"
	}
	return ""
}

// FixedVersion returns the first version that no known advisory affects, "" without one.
func FixedVersion(pkg identity.Fetched) string {
	v, err := pkg.Kind.System().Parse(pkg.Version.Text)
	if err != nil {
		return ""
	}
	return firstFixed(advisoriesFor(pkg.Kind, pkg.Name), v)
}
