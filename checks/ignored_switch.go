package checks

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ignoredSwitch finds entries that are disabled by a key which a client of their file does
// not read.
var ignoredSwitch = &rule.Rule{
	ID:       "ignored-switch",
	Title:    "a client starts a server that its entry disables",
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

// ignoredBy is the finding for an entry that clients start although it is disabled.
func ignoredBy(s *mcp.Server, clients []*mcp.Client) rule.Finding {
	member := s.Extra().Off[0]
	f := rule.At(s)
	f.Span = member.Span
	f.Message = wording.Say("%s %s %q and still %s %q", wording.ClientTitles(clients), wording.Plural(clients, "ignores", "ignore"),
		member.Key, wording.Plural(clients, "starts", "start"), s.Name)
	f.Help = offInstead(s, clients)
	return f
}

// offInstead returns how to keep the clients that ignore a key from starting its server.
func offInstead(s *mcp.Server, clients []*mcp.Client) string {
	off, _ := s.SwitchFor(clients[0])
	for _, c := range clients {
		if other, _ := s.SwitchFor(c); other != off || off.Key == "" {
			return "remove the entry, or disable the server in the client itself"
		}
	}
	if path.Ext(s.Document.File.Path) == ".toml" {
		return wording.Say("write %s = %t instead", off.Key, off.Value)
	}
	return wording.Say("write %q: %t instead", off.Key, off.Value)
}
