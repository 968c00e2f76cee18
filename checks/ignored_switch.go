package checks

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ignoredSwitch finds entries that are switched off by a member which a client of their
// file does not read.
var ignoredSwitch = &rule.Rule{
	ID:       "ignored-switch",
	Title:    "a server is started although its entry says that it is off",
	Severity: rule.Warning,
	Reads:    reads.Launched,
	Run:      runIgnoredSwitch,
}

func runIgnoredSwitch(p *rule.Pass) {
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
func ignoredBy(s *mcp.Server, clients []*mcp.Client) rule.Finding {
	member := s.Extra().Off[0]
	f := rule.At(s)
	f.Span = member.Span
	f.Message = wording.Say("%s %s not read %q and %s %q all the same: %s",
		wording.ClientTitles(clients), wording.Does(clients), member.Key, wording.Plural(clients, "starts", "start"), s.Name, offInstead(s, clients))
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
		return wording.Say("write %s = %t instead", off.Key, off.Value)
	}
	return wording.Say("write %q: %t instead", off.Key, off.Value)
}
