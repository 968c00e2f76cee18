package checks

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// vulnerablePackage finds exact versions with a published vulnerability.
func vulnerablePackage() *Check {
	return &Check{
		ID:       "vulnerable-package",
		Title:    "a pinned version has a published vulnerability",
		Severity: Error,
		Run:      func(p *Pass) { reportPackages(p, judgeVulnerable) },
	}
}

// judgeVulnerable reports a version in the range of an advisory.
func judgeVulnerable(pkg identity.Fetched) *Finding {
	affecting := published(pkg, false)
	if len(affecting) == 0 {
		return nil
	}
	message := fmt.Sprintf("%s %s is vulnerable: %s", pkg, pkg.Version.Text, nameAdvisories(affecting))
	if v := firstFixed(pkg.Kind, pkg.Name); v != "" {
		message += "; fixed in " + v
	}
	return &Finding{Span: pkg.Version.Span, Message: message}
}

// nameAdvisories lists the numbers of advisories, and says of the first what it
// is.
func nameAdvisories(list []*advisory) string {
	if len(list) == 1 {
		return fmt.Sprintf("%s (%s)", list[0].id, list[0].summary)
	}
	var ids []string
	for _, a := range list {
		ids = append(ids, a.id)
	}
	last := len(ids) - 1
	return fmt.Sprintf("%s and %s (the first: %s)", strings.Join(ids[:last], ", "), ids[last], list[0].summary)
}
