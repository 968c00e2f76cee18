package checks

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// ignoredSwitch finds entries that are switched off by a member which a client of their
// file does not read.
var ignoredSwitch = &Rule{
	ID:       "ignored-switch",
	Title:    "a server is started although its entry says that it is off",
	Severity: Warning,
	Reads:    launched,
	Run:      runIgnoredSwitch,
}

func runIgnoredSwitch(p *Pass) {
	for s := range p.Servers() {
		if !s.IsOff() {
			continue
		}
		if by := s.StartedBy(); len(by) > 0 {
			p.Report(ignoredBy(s, by))
		}
	}
}

// ignoredBy is the finding for an entry that clients start although it says that it is off.
func ignoredBy(s *mcp.Server, clients []*mcp.Client) Finding {
	member := s.Extra().Off[0]
	f := at(s)
	f.Span = member.Span
	f.Message = say("%s %s not read %q and %s %q all the same: %s",
		clientTitles(clients), does(clients), member.Key, plural(clients, "starts", "start"), s.Name, offInstead(s, clients))
	return f
}

// offInstead says how the clients that ignore a member can be kept from starting its
// server.
func offInstead(s *mcp.Server, clients []*mcp.Client) string {
	off, _ := s.SwitchFor(clients[0])
	for _, c := range clients {
		if other, _ := s.SwitchFor(c); other != off || off.Key == "" {
			return "remove the entry, or switch it off in the client itself"
		}
	}
	if path.Ext(s.Document.File.Path) == ".toml" {
		return say("write %s = %t instead", off.Key, off.Value)
	}
	return say("write %q: %t instead", off.Key, off.Value)
}
