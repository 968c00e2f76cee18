package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// unknownPackage finds packages that no registry has.
var unknownPackage = &Rule{
	ID:           "unknown-package",
	Title:        "a package that does not exist",
	Severity:     Error,
	UsesRegistry: true,
	Reads:        launched,
	Run:          runUnknownPackage,
}

func runUnknownPackage(p *Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() || s.Identity.Installed {
			continue
		}
		for pkg := range s.Identity.Packages() {
			severity, message := judgeUnknown(p.Repo.Registries.Of(pkg), pkg)
			source := p.Project.InstalledFor(s, pkg)
			if message == "" || source != nil && !(source.IsUnknown && severity == Error) {
				continue
			}
			f := at(s)
			f.Span, f.Severity, f.Message = pkg.Span, severity, message
			f.group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// judgeUnknown says of a package that it does not exist, "" if it does or nobody knows.
// What its registry says today, nil for nothing, counts more than what is built in.
func judgeUnknown(said *mcp.Published, pkg identity.Fetched) (Severity, string) {
	missing := missingFor(pkg)
	switch {
	case said == nil && missing == nil:
		return Off, ""
	case said == nil, said.IsUnknown && missing != nil && missing.Instead != "":
		return missing.severity(), missing.message(pkg)
	case said.IsUnknown:
		return unregistered(said, pkg)
	case said.IsWhole && pkg.Kind == identity.OCI:
		return Error, say("%s has no tag %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry)
	case said.IsWhole && pkg.Version.Kind == identity.Exact && releaseIn(said, pkg) == nil:
		return Error, say("%s has no version %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	case said.IsWhole && (pkg.Kind == identity.NPM || pkg.Kind == identity.PyPI) && hasNone(said, pkg):
		return Error, say("%s has no version within %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	case said.IsWhole && tagOf(pkg) != "" && said.Latest != "" && said.Tags[tagOf(pkg)] == "":
		return Error, say("%s has no tag %s in the registry %s, so the server cannot start: take a version that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	}
	return Off, ""
}

// unregistered says what follows where a registry has no such package: of npm's scopes
// and of images it may be private, and then only their owner can claim it.
func unregistered(said *mcp.Published, pkg identity.Fetched) (Severity, string) {
	isOwned := pkg.Kind == identity.OCI || pkg.Kind == identity.NPM && strings.HasPrefix(pkg.Name, "@")
	if isOwned {
		return Warning, say("%s is not in the registry %s: correct the name, or if it is private let mcplumb see it (a token or a registry of its own)", pkg, said.Registry)
	}
	return Error, say("%s is not in the registry %s, so the server cannot start, and anyone can claim the name: correct it, or remove the server", pkg, said.Registry)
}

// newest names the version that exists, if one does.
func newest(said *mcp.Published, pkg identity.Fetched) string {
	pkg.Version = identity.Version{}
	r := taken(said, pkg)
	if r == nil {
		return ""
	}
	return say(", such as %s", r.Version)
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
