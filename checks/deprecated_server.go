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

// deprecatedServer finds servers that are no longer maintained.
var deprecatedServer = &rule.Rule{
	ID:           "deprecated-server",
	Title:        "a server that is no longer maintained",
	Severity:     rule.Note,
	UsesRegistry: true,
	Reads:        reads.Launched,
	Run:          runDeprecatedServer,
}

func runDeprecatedServer(p *rule.Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() {
			continue
		}
		reportStatus(p, s)
		for pkg := range s.Identity.Packages() {
			f := rule.At(s)
			judgeDeprecated(&f, p.Repo.Registries.Of(pkg), pkg)
			if f.Message == "" || len(reputation.AdvisoriesAgainst(pkg, false)) > 0 { // vulnerable-package has reported it
				continue
			}
			f.Span = pkg.Span
			f.Group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// reportStatus reports a server that the MCP registry has and no longer recommends.
func reportStatus(p *rule.Pass, s *mcp.Server) {
	name := s.Extra().Registry
	if p.Repo.Registries == nil || name.Text == "" {
		return
	}
	said := p.Repo.Registries.Servers[name.Text]
	if said == nil || len(said.Releases) == 0 || !said.Releases[0].IsWithdrawn {
		return
	}
	f := rule.At(s)
	f.Span, f.Severity = name.Span, rule.Warning
	f.Message = wording.Say("%s is no longer offered by the registry %s (%s)",
		name.Text, said.Registry, wording.Beginning(oneLine(said.Releases[0].Reason), maxReason))
	f.Help = reputation.MaintainedHelp
	p.Report(f)
}

// judgeDeprecated words a finding about a package that is no longer maintained; it leaves the message
// empty for any other. The built-in table has more details than a registry's answer, nil for none.
func judgeDeprecated(f *rule.Finding, said *mcp.Published, pkg identity.Fetched) {
	if archived := reputation.ArchivedFor(pkg); archived != nil {
		archived.Report(f, pkg)
		return
	}
	if said == nil {
		return
	}
	release := compare.TakenRelease(said, pkg)
	if release == nil || !release.IsWithdrawn {
		return
	}
	word := "deprecated"
	if pkg.Kind == identity.PyPI {
		word = "yanked"
	}
	f.Severity, f.Message, f.Help = rule.Warning, wording.Say("%s %s is %s in its registry", pkg, release.Version, word), reputation.MaintainedHelp
	if release.Reason != "" {
		f.Message += wording.Say(" (%s)", wording.Beginning(oneLine(release.Reason), maxReason))
	}
	if other := compare.HighestRelease(said, func(r *mcp.Release) bool { return !r.IsWithdrawn }, pkg.Kind); other != nil {
		f.Help = wording.Say("use another version, such as %s", other.Version)
	}
}

// maxReason is how much of an owner's reason a message repeats, in code points.
const maxReason = 200

// oneLine writes a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
