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

// deprecatedServer finds servers that are not maintained any more.
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
			severity, message := judgeDeprecated(p.Repo.Registries.Of(pkg), pkg)
			if message == "" || len(reputation.AdvisoriesAgainst(pkg, false)) > 0 { // vulnerable-package has reported it
				continue
			}
			f := rule.At(s)
			f.Span, f.Severity, f.Message = pkg.Span, severity, message
			f.Group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// reportStatus reports a server that the MCP registry has and that should not be taken any
// more.
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
	f.Message = wording.Say("%s is no longer offered by the registry %s (%s): take a server that is maintained",
		name.Text, said.Registry, wording.Beginning(oneLine(said.Releases[0].Reason), maxReason))
	p.Report(f)
}

// judgeDeprecated says of a package that it is no longer maintained, "" if it is or
// it is not known. What is built in says more than its registry, nil for nothing.
func judgeDeprecated(said *mcp.Published, pkg identity.Fetched) (rule.Severity, string) {
	if archived := reputation.ArchivedFor(pkg); archived != nil {
		if archived.Hole != "" {
			return rule.Warning, archived.Message(pkg)
		}
		return rule.Note, archived.Message(pkg)
	}
	if said == nil {
		return rule.Off, ""
	}
	release := compare.TakenRelease(said, pkg)
	if release == nil || !release.IsWithdrawn {
		return rule.Off, ""
	}
	word := "deprecated"
	if pkg.Kind == identity.PyPI {
		word = "yanked"
	}
	text := wording.Say("%s %s is %s in its registry", pkg, release.Version, word)
	if release.Reason != "" {
		text += wording.Say(" (%s)", wording.Beginning(oneLine(release.Reason), maxReason))
	}
	pkg.Version = identity.Version{}
	if other := compare.HighestRelease(said, func(r *mcp.Release) bool { return !r.IsWithdrawn }, pkg.Kind); other != nil {
		return rule.Warning, text + wording.Say(": take another version, such as %s", other.Version)
	}
	return rule.Warning, text + ": take a server that is maintained"
}

// maxReason is how much of what an owner says a message repeats, in code points.
const maxReason = 200

// oneLine writes a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
