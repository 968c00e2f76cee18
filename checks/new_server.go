package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// newServer finds servers that a change brings.
var newServer = &rule.Rule{
	ID:        "new-server",
	Title:     "a server that was not started at the base",
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
	programs := programsOf(p, func(s *mcp.Server) bool { return changes.IsNew[s] })
	for s := range p.Servers() {
		if !changes.IsNew[s] {
			continue
		}
		f := rule.At(s)
		f.Message = wording.Say("%q is new: it %s%s", s.Name, whatRuns(&s.Identity, "runs", "connects to"), versionWords(&s.Identity))
		f.Message += givenWords(changes.Given[compare.ByKey(s)]) + fileWords(s) + helperWords(s)
		if reach := hostReach(s); len(reach) > 0 {
			f.Severity = rule.Warning
			f.Message += wording.Say(", in a container that gets at the host: %s", wording.JoinWords(wording.Few(reach)))
		}
		trusted := programs.trust(compare.ByKey(s))
		switch {
		case trusted.byName:
			f.Message += ", and is approved by name already"
		case len(trusted.places) > 0:
			f.Message += ", and is approved already, as every server is"
		}
		for _, place := range trusted.places {
			f.Relate(place)
		}
		f.Group = rule.Group{Key: compare.ByKey(s), Message: wording.Say("%q is started here, too", s.Name)}
		p.Report(f)
	}
}

// versionWords says which version is run, where it is one.
func versionWords(id *identity.Identity) string {
	if id.Kind == identity.URL || id.Version.Kind != identity.Exact {
		return ""
	}
	return wording.Say(" in the version %s", id.Version.Text)
}

// fileWords says which variables a file of them gives a server that decide which code runs.
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
	return wording.Say(", of which %s decides which code that is", wording.JoinWords(wording.Few(names)))
}

// helperWords says which command a client runs to connect.
func helperWords(s *mcp.Server) string {
	for _, l := range s.Launches() {
		if l.Kind == mcp.LaunchHelper {
			return wording.Say(", has its client run %q", wording.Beginning(secret.Mask(l.Value), compare.MaxValue))
		}
	}
	return ""
}

// hostReach returns the options by which a container gets at the host: then it is no wall between
// the server and the machine.
func hostReach(s *mcp.Server) []string {
	var options []string
	for _, l := range s.Launches() {
		if l.Kind == mcp.LaunchReach && identity.IsWide(l.Name, l.Value) {
			options = append(options, wording.Beginning(secret.Mask(strings.TrimSpace(l.Name+" "+l.Value)), compare.MaxValue))
		}
	}
	return options
}

// givenWords says which variables and headers a server gets.
func givenWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return wording.Say(", is given %s", wording.JoinWords(wording.Few(names)))
}
