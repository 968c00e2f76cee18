package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
)

// unknownPackage finds packages that no registry has.
var unknownPackage = &Check{
	ID:       "unknown-package",
	Title:    "a package that does not exist",
	Severity: Error,
	Reads:    started,
	Run:      runUnknownPackage,
}

func runUnknownPackage(p *Pass) {
	for s := range p.Servers() {
		if s.Disabled || s.Identity.Installed {
			continue
		}
		for pkg := range s.Identity.Packages() {
			missing := missingFor(pkg)
			source := p.Project.InstalledFor(s, pkg)
			if missing == nil || source != nil && !(source.IsUnknown && missing.severity() == Error) {
				continue
			}
			f := at(s)
			f.Span, f.Severity, f.Message = pkg.Span, missing.severity(), missing.message(pkg)
			f.group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// severity returns an error for a name that somebody looked up. Another one of
// the scope may have been published since.
func (m *missingPackage) severity() Severity {
	if m.Instead == "" {
		return Warning
	}
	return Error
}

// message says what was meant, or how to go on where nobody knows.
func (m *missingPackage) message(pkg identity.Fetched) string {
	switch {
	case m.Instead != "":
		return say("%s does not exist (looked up on %s), so the server cannot start: ", pkg, m.LookedUp) + m.Instead
	case m.Near != "":
		return say("%s was not among the packages of its scope on %s: did you mean %s?", pkg, m.LookedUp, m.Near)
	}
	return say("%s was not among the packages of its scope on %s, so the server cannot start: take a package that exists, or ignore this if it was published since", pkg, m.LookedUp)
}

// oncePerFile makes findings about one package in one file a single one.
func oncePerFile(pkg identity.Fetched, path string) group {
	return group{key: pkg.String() + "\x00" + path, message: "the same package here"}
}
