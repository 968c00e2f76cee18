package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
)

// vulnerablePackage finds exact versions with a published vulnerability.
var vulnerablePackage = &Check{
	ID:       "vulnerable-package",
	Title:    "a pinned version has a published vulnerability",
	Severity: Error,
	Reads:    started,
	Run:      func(p *Pass) { reportPackages(p, judgeVulnerable) },
}

// judgeVulnerable reports a version in the range of an advisory.
func judgeVulnerable(pkg identity.Fetched) *Finding {
	affecting := published(pkg, false)
	if len(affecting) == 0 {
		return nil
	}
	message := say("%s %s is vulnerable: %s", pkg, pkg.Version.Text, nameAdvisories(affecting))
	if v := firstFixed(pkg.Kind, pkg.Name); v != "" {
		message += "; fixed in " + v
	}
	return &Finding{Span: pkg.Version.Span, Message: message}
}

// nameAdvisories lists the numbers of advisories, and says of the first what it
// is. What only the notes of a release say has no number that anybody could
// look up.
func nameAdvisories(list []*advisory) string {
	var names []string
	notes := 0
	for _, a := range list {
		if a.isNote() {
			notes++
			continue
		}
		names = append(names, a.id)
	}
	switch {
	case len(names) == 0 && notes == 1:
		return list[0].summary
	case len(names) == 0:
		return list[0].summary + "; more in the notes of its releases"
	case notes == 1:
		names = append(names, "a note of its releases")
	case notes > 1:
		names = append(names, say("%d notes of its releases", notes))
	}
	if len(list) == 1 {
		return say("%s (%s)", list[0].id, list[0].summary)
	}
	return say("%s (the first: %s)", joinWords(names), list[0].summary)
}
