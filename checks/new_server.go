package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// newServer finds servers that a change brings.
var newServer = &Rule{
	ID:        "new-server",
	Title:     "a server that was not started at the base",
	Severity:  Note,
	NeedsBase: true,
	Reads:     brought,
	Run:       runNewServer,
}

func runNewServer(p *Pass) {
	if p.Base == nil {
		return
	}
	changes := p.Base.changes()
	stories := storiesOf(p, func(s *mcp.Server) bool { return changes.isNew[s] })
	for s := range p.Servers() {
		if !changes.isNew[s] {
			continue
		}
		f := at(s)
		f.Message = say("%q is new: it %s%s", s.Name, whatRuns(&s.Identity, "runs", "connects to"), versionWords(&s.Identity))
		f.Message += givenWords(changes.given[byKey(s)]) + helperWords(s)
		trusted := stories.trust(byKey(s))
		switch {
		case trusted.byName:
			f.Message += ", and is approved by name already"
		case len(trusted.places) > 0:
			f.Message += ", and is approved already, as every server is"
		}
		for _, place := range trusted.places {
			f.relate(place)
		}
		f.group = group{key: byKey(s), message: say("%q is started here, too", s.Name)}
		p.Report(f)
	}
}

// versionWords says which version is run, where it is one.
func versionWords(id *identity.Identity) string {
	if id.Kind == identity.URL || id.Version.Kind != identity.Exact {
		return ""
	}
	return say(" in the version %s", id.Version.Text)
}

// helperWords says which command a client runs to connect.
func helperWords(s *mcp.Server) string {
	for _, l := range s.Launches() {
		if l.Kind == mcp.LaunchHelper {
			return say(", has its client run %q", Beginning(secret.Mask(l.Value), maxValue))
		}
	}
	return ""
}

// maxGiven is how many variables, headers and packages are named.
const maxGiven = 8

// givenWords says which variables and headers a server gets.
func givenWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return say(", is given %s", joinWords(few(names)))
}

// few returns the first of some words, and how many more there are.
func few(words []string) []string {
	if more := len(words) - maxGiven; more > 0 {
		return append(words[:maxGiven:maxGiven], say("%d more", more))
	}
	return words
}
