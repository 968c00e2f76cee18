package checks

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// deprecatedServer finds servers that nobody maintains any more.
var deprecatedServer = &Rule{
	ID:           "deprecated-server",
	Title:        "a server that is no longer maintained",
	Severity:     Note,
	UsesRegistry: true,
	Reads:        launched,
	Run:          runDeprecatedServer,
}

func runDeprecatedServer(p *Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() {
			continue
		}
		reportStatus(p, s)
		for pkg := range s.Identity.Packages() {
			severity, message := judgeDeprecated(p.Repo.Registries.Of(pkg), pkg)
			if message == "" || len(published(pkg, false)) > 0 { // vulnerable-package has told it
				continue
			}
			f := at(s)
			f.Span, f.Severity, f.Message = pkg.Span, severity, message
			f.group = oncePerFile(pkg, f.File.Path)
			p.Report(f)
		}
	}
}

// reportStatus reports a server that the MCP registry has and nobody should take any
// more.
func reportStatus(p *Pass, s *mcp.Server) {
	name := s.Extra().Registry
	if p.Repo.Registries == nil || name.Text == "" {
		return
	}
	said := p.Repo.Registries.Servers[name.Text]
	if said == nil || len(said.Releases) == 0 || !said.Releases[0].IsWithdrawn {
		return
	}
	f := at(s)
	f.Span, f.Severity = name.Span, Warning
	f.Message = say("%s is no longer offered by the registry %s (%s): take a server that is maintained",
		name.Text, said.Registry, Beginning(oneLine(said.Releases[0].Reason), maxReason))
	p.Report(f)
}

// judgeDeprecated says of a package that it is no longer maintained, "" if it is or
// nobody knows. What is built in says more than its registry, nil for nothing.
func judgeDeprecated(said *mcp.Published, pkg identity.Fetched) (Severity, string) {
	if archived := archivedFor(pkg); archived != nil {
		if archived.Hole != "" {
			return Warning, archived.message(pkg)
		}
		return Note, archived.message(pkg)
	}
	if said == nil {
		return Off, ""
	}
	release := taken(said, pkg)
	if release == nil || !release.IsWithdrawn {
		return Off, ""
	}
	word := "deprecated"
	if pkg.Kind == identity.PyPI {
		word = "yanked"
	}
	text := say("%s %s is %s in its registry", pkg, release.Version, word)
	if release.Reason != "" {
		text += say(" (%s)", Beginning(oneLine(release.Reason), maxReason))
	}
	pkg.Version = identity.Version{}
	if other := highestRelease(said, func(r *mcp.Release) bool { return !r.IsWithdrawn }, pkg.Kind); other != nil {
		return Warning, text + say(": take another version, such as %s", other.Version)
	}
	return Warning, text + ": take a server that is maintained"
}

// maxReason is how much of what an owner says a message repeats, in code points.
const maxReason = 200

// oneLine writes a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
