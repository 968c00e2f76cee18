package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// changedServer finds servers that run something else under their old names.
var changedServer = &Check{
	ID:       "changed-server",
	Title:    "a name stands for another server than at the base",
	Severity: Note,
	Since:    true,
	Reads:    brought,
	Run:      runChangedServer,
}

func runChangedServer(p *Pass) {
	if p.Base == nil {
		return
	}
	changes := p.Base.changes()
	stories := storiesOf(p, func(s *mcp.Server) bool { return changes.was[s] != nil })
	isSure := map[string]bool{}
	for key, servers := range stories.servers {
		isSure[key] = len(stories.trust(key)) > 0 && slices.ContainsFunc(servers, func(s *mcp.Server) bool { return isOtherForSure(changes.was[s], s) })
	}
	for s := range p.Servers() {
		if was := changes.was[s]; was != nil {
			key := byKey(s)
			f := swapped(was, s, stories.trust(key))
			if isSure[key] {
				f.Severity = Warning
			}
			f.group = group{key: key + "\x00" + f.Severity.String(), message: say("%q %s here, too", s.Name, whatRuns(&s.Identity, "runs", "connects to"))}
			beside := changes.beside[key]
			for _, other := range beside[:min(len(beside), maxRelated)] {
				f.relate(seeAlso(other, "%q is new and runs it as well", other.Name))
			}
			f.MoreRelated += max(len(beside)-maxRelated, 0)
			p.Report(f)
		}
	}
}

// swapped returns the finding of a server that runs something else than before. Who
// trusts it by its name trusts something that nobody has looked at.
func swapped(was, s *mcp.Server, trusted []Related) Finding {
	f := at(s)
	if !s.Identity.Span.IsZero() {
		f.Span = s.Identity.Span
	}
	f.Message = say("%q %s now, and %s at the base", s.Name, whatRuns(&s.Identity, "runs", "connects to"), whatRuns(&was.Identity, "ran", "connected to"))
	if len(trusted) > 0 {
		f.Message += ", but is still approved by name: look at what it is, and take the approval back until you have"
	}
	for _, place := range trusted {
		f.relate(place)
	}
	return f
}

// whatRuns says what a server runs, or where it is.
func whatRuns(id *identity.Identity, runs, connects string) string {
	if id.Kind == identity.URL {
		return connects + " " + id.Name
	}
	return runs + " " + id.Title()
}
