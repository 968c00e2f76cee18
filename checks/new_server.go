package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/consent"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// newServer finds servers that a change adds.
var newServer = &rule.Rule{
	ID:        "new-server",
	Title:     "a change adds a server",
	Severity:  rule.Note,
	NeedsBase: true,
	Reads:     reads.Brought,
	Run:       runNewServer,
}

func runNewServer(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	changes := p.Base.Changes()
	programs := consent.ProgramsOf(p, func(s *mcp.Server) bool { return changes.IsNew[s] })
	for s := range p.Servers() {
		if !changes.IsNew[s] {
			continue
		}
		f := rule.At(s)
		f.Message = wording.Say("new server %q: %s%s", s.Name, whatRuns(&s.Identity, "runs", "connects to"), versionWords(&s.Identity))
		f.Message += givenWords(changes.Given[compare.ByKey(s)]) + fileWords(s) + helperWords(s)
		f.Help = "review the server before you merge the change"
		if reach := hostReach(s); len(reach) > 0 {
			f.Severity = rule.Warning
			f.Message += wording.Say(", in a container with access to the host: %s", wording.JoinWords(wording.Few(reach)))
		}
		trusted := programs.Trust(compare.ByKey(s))
		switch {
		case trusted.ByName:
			f.Message += ", and is already approved by name"
		case len(trusted.Places) > 0:
			f.Message += ", and is already approved, like every server"
		}
		for _, place := range trusted.Places {
			f.Relate(place)
		}
		f.Group = rule.Group{Key: compare.ByKey(s), Message: wording.Say("%q is also started here", s.Name)}
		p.Report(f)
	}
}

// versionWords returns the version that runs, if it is exactly one.
func versionWords(id *identity.Identity) string {
	if id.Kind == identity.URL || id.Version.Kind != identity.Exact {
		return ""
	}
	return wording.Say(" %s", id.Version.Text)
}

// fileWords returns the variables from files that decide which code runs.
func fileWords(s *mcp.Server) string {
	var names []string
	for _, side := range s.Document.Project.Facts.Sides[s] {
		if side.Kind == mcp.SideVariable {
			names = append(names, wording.Say("%s in %s", side.Name, side.File.Path))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return wording.Say(", loads code that %s decides", wording.JoinWords(wording.Few(names)))
}

// helperWords returns the command that a client runs to connect.
func helperWords(s *mcp.Server) string {
	for _, l := range s.Launches() {
		if l.Kind == mcp.LaunchHelper {
			return wording.Say(", lets its client run %q", wording.Beginning(secret.Mask(l.Value), compare.MaxValue))
		}
	}
	return ""
}

// hostReach returns the options that give a container access to the host: it does not separate
// the server from the machine then.
func hostReach(s *mcp.Server) []string {
	var options []string
	for _, l := range s.Launches() {
		if l.Kind == mcp.LaunchReach && identity.IsWide(l.Name, l.Value) {
			options = append(options, wording.Beginning(secret.Mask(strings.TrimSpace(l.Name+" "+l.Value)), compare.MaxValue))
		}
	}
	return options
}

// givenWords returns the variables and headers that a server receives.
func givenWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return wording.Say(", receives %s", wording.JoinWords(wording.Few(names)))
}
