package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// deprecatedServer finds servers that nobody maintains any more.
var deprecatedServer = &Check{
	ID:       "deprecated-server",
	Title:    "a server that is no longer maintained",
	Severity: Note,
	Reads:    started,
	Run:      runDeprecatedServer,
}

func runDeprecatedServer(p *Pass) {
	for s := range p.Servers() {
		if s.Disabled {
			continue
		}
		for pkg := range s.Identity.Packages() {
			archived := archivedFor(pkg)
			if archived == nil || len(published(pkg, false)) > 0 { // vulnerable-package has told it
				continue
			}
			f := at(s)
			f.Span, f.Message = pkg.Span, archived.message(pkg)
			if archived.Hole != "" {
				f.Severity = Warning
			}
			f.group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// message says since when, what is wrong with it, and what to do.
func (a *archivedPackage) message(pkg identity.Fetched) string {
	text := fmt.Sprintf("%s was archived on %s and gets no more fixes", pkg, a.Since)
	if a.Hole != "" {
		text = fmt.Sprintf("%s was archived on %s with a vulnerability that stays open (%s, see %s)", pkg, a.Since, a.Hole, a.HoleSource)
	}
	switch {
	case a.Instead != "":
		return text + ": take " + a.Instead
	case a.Until != "":
		return text + ": take another server, and until then " + a.Until
	}
	return text + ": take a server that is maintained"
}
