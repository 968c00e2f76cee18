package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unknownPackage finds packages that no registry has.
var unknownPackage = &rule.Rule{
	ID:           "unknown-package",
	Title:        "a package that does not exist",
	Severity:     rule.Error,
	UsesRegistry: true,
	Reads:        reads.Selection{Examples: true, Unread: true, Without: []mcp.Scope{mcp.ScopeRegistry}}, // who copies an entry gets what others claim
	Run:          runUnknownPackage,
}

func runUnknownPackage(p *rule.Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() || s.Identity.Installed {
			continue
		}
		for pkg := range s.Identity.Packages() {
			severity, message := judgeUnknown(p.Repo.Registries.Of(pkg), pkg)
			source := p.Project.InstalledFor(s, pkg)
			if message == "" || source != nil && !(source.IsUnknown && severity == rule.Error) {
				continue
			}
			f := rule.At(s)
			f.Span, f.Severity, f.Message = pkg.Span, severity, message
			f.Group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// judgeUnknown says of a package that it does not exist, "" if it does or that is not known.
// What its registry says today, nil for nothing, counts more than what is built in.
func judgeUnknown(said *mcp.Published, pkg identity.Fetched) (rule.Severity, string) {
	missing := reputation.MissingFor(pkg)
	switch {
	case said == nil && missing == nil:
		return rule.Off, ""
	case said == nil, said.IsUnknown && missing != nil && missing.Instead != "":
		return missing.Severity(), missing.Message(pkg)
	case said.IsUnknown:
		return unregistered(said, pkg)
	case said.IsWhole && pkg.Kind == identity.OCI:
		return rule.Error, wording.Say("%s has no tag %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry)
	case said.IsWhole && pkg.Version.Kind == identity.Exact && compare.ReleaseIn(said, pkg) == nil:
		return rule.Error, wording.Say("%s has no version %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	case said.IsWhole && (pkg.Kind == identity.NPM || pkg.Kind == identity.PyPI) && compare.HasNone(said, pkg):
		return rule.Error, wording.Say("%s has no version within %s in the registry %s, so the server cannot start: take one that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	case said.IsWhole && compare.TagOf(pkg) != "" && said.Latest != "" && said.Tags[compare.TagOf(pkg)] == "":
		return rule.Error, wording.Say("%s has no tag %s in the registry %s, so the server cannot start: take a version that exists", pkg, pkg.Version.Text, said.Registry) + newest(said, pkg)
	}
	return rule.Off, ""
}

// unregistered says what follows where a registry has no such package: of npm's scopes
// and of images it may be private, and then only their owner can claim it.
func unregistered(said *mcp.Published, pkg identity.Fetched) (rule.Severity, string) {
	isOwned := pkg.Kind == identity.OCI || pkg.Kind == identity.NPM && strings.HasPrefix(pkg.Name, "@")
	if isOwned {
		return rule.Warning, wording.Say("%s is not in the registry %s: correct the name, or if it is private let mcplumb see it (a token or a registry of its own)", pkg, said.Registry)
	}
	return rule.Error, wording.Say("%s is not in the registry %s, so the server cannot start, and anyone can claim the name: correct it, or remove the server", pkg, said.Registry)
}

// newest names the version that exists, if one does.
func newest(said *mcp.Published, pkg identity.Fetched) string {
	pkg.Version = identity.Version{}
	r := compare.TakenRelease(said, pkg)
	if r == nil {
		return ""
	}
	return wording.Say(", such as %s", r.Version)
}

// oncePerFile makes findings about one package in one file a single one.
func oncePerFile(pkg identity.Fetched, path string) rule.Group {
	return rule.Group{Key: pkg.String() + "\x00" + path, Message: "the same package here"}
}
