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
	Reads:        reads.Selection{Examples: true, Unread: true, Without: []mcp.Scope{mcp.ScopeRegistry}}, // a copied entry runs what others may claim
	Run:          runUnknownPackage,
}

func runUnknownPackage(p *rule.Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() || s.Identity.Installed {
			continue
		}
		for pkg := range s.Identity.Packages() {
			severity, message, help := judgeUnknown(p.Repo.Registries.Of(pkg), pkg)
			source := p.Project.InstalledFor(s, pkg)
			if message == "" || source != nil && !(source.IsUnknown && severity == rule.Error) {
				continue
			}
			f := rule.At(s)
			f.Span, f.Severity, f.Message, f.Help = pkg.Span, severity, message, help
			f.Group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// judgeUnknown returns the message for a package that does not exist, or "", and what to do. A
// registry's answer (nil if not queried) overrides the built-in list.
func judgeUnknown(said *mcp.Published, pkg identity.Fetched) (severity rule.Severity, message, help string) {
	missing := reputation.MissingFor(pkg)
	switch {
	case said == nil && missing == nil:
		return rule.Off, "", ""
	case said == nil, said.IsUnknown && missing != nil && missing.Instead != "":
		message, help = missing.Texts(pkg)
		return missing.Severity(), message, help
	case said.IsUnknown:
		return unregistered(said, pkg)
	case said.IsWhole && pkg.Kind == identity.OCI:
		return rule.Error, wording.Say("%s has no tag %s in the registry %s, so the server cannot start", pkg, pkg.Version.Text, said.Registry), "use a tag that exists"
	case said.IsWhole && pkg.Version.Kind == identity.Exact && compare.ReleaseIn(said, pkg) == nil:
		return rule.Error, wording.Say("%s has no version %s in the registry %s, so the server cannot start", pkg, pkg.Version.Text, said.Registry), existing(said, pkg)
	case said.IsWhole && (pkg.Kind == identity.NPM || pkg.Kind == identity.PyPI) && compare.HasNone(said, pkg):
		return rule.Error, wording.Say("%s has no version within %s in the registry %s, so the server cannot start", pkg, pkg.Version.Text, said.Registry), existing(said, pkg)
	case said.IsWhole && compare.TagOf(pkg) != "" && said.Latest != "" && said.Tags[compare.TagOf(pkg)] == "":
		return rule.Error, wording.Say("%s has no tag %s in the registry %s, so the server cannot start", pkg, pkg.Version.Text, said.Registry), existing(said, pkg)
	}
	return rule.Off, "", ""
}

// unregistered words a finding about a package that a registry does not have: in npm's scopes, and
// of images, it may be private, and then only the owner can claim it.
func unregistered(said *mcp.Published, pkg identity.Fetched) (severity rule.Severity, message, help string) {
	isOwned := pkg.Kind == identity.OCI || pkg.Kind == identity.NPM && strings.HasPrefix(pkg.Name, "@")
	if isOwned {
		return rule.Warning, wording.Say("%s is not in the registry %s, so the server cannot start unless the package is private", pkg, said.Registry),
			"correct the name, or give mcplumb access to the private package (a token, or a registry of its own)"
	}
	return rule.Error, wording.Say("%s is not in the registry %s, so the server cannot start, and anyone can claim the name", pkg, said.Registry),
		"correct the name, or remove the server"
}

// existing says to use a version that exists, and names one.
func existing(said *mcp.Published, pkg identity.Fetched) string {
	pkg.Version = identity.Version{}
	r := compare.TakenRelease(said, pkg)
	if r == nil {
		return "use a version that exists"
	}
	return wording.Say("use a version that exists, such as %s", r.Version)
}

// oncePerFile makes findings about one package in one file a single one.
func oncePerFile(pkg identity.Fetched, path string) rule.Group {
	return rule.Group{Key: pkg.String() + "\x00" + path, Message: "the same package here"}
}
