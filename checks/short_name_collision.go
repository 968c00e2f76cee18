package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// shortNameCollision finds two servers of one file whose names become one when
// a client shortens them.
var shortNameCollision = &Check{
	ID:       "short-name-collision",
	Title:    "two servers want one short name",
	Severity: Warning,
	Reads:    started,
	Run:      runShortNameCollision,
}

func runShortNameCollision(p *Pass) {
	for doc := range p.Documents() {
		for _, r := range refusedRepeats(doc) {
			reportRefusedCollision(p, r)
		}
		short := func(s *mcp.Server) string { return identity.Short(s.Name) }
		for _, group := range sharing(withNames(running([]*mcp.Document{doc})), short) {
			name := short(group[0])
			if name == "" {
				continue
			}
			for _, s := range group[1:] {
				reportCollision(p, name, group[0], s)
			}
		}
	}
}

// reportRefusedCollision reports two servers of the registry that have been given
// the one name their registry names end in, where the client refuses that.
func reportRefusedCollision(p *Pass, r repeat) {
	if r.why != sameShortName {
		return
	}
	first, later := r.first.Extra().Registry.Text, r.entry.Extra().Registry.Text
	f := at(r.entry)
	f.Severity = Error
	f.Message = say("%s and %s are both called %q, and %s refuses two tools of one name", later, first, r.entry.Name, r.client.Title)
	if name := ownedName(later, r.entry.Name); name != r.entry.Name {
		f.Message += say(": call this one %q", name)
	} else {
		f.Message += ": give one of them another name"
	}
	f.Related = []Related{seeAlso(r.first, "%s has the name", first)}
	p.Report(f)
}

func reportCollision(p *Pass, short string, first, later *mcp.Server) {
	if first.Name == later.Name || identity.Compare(first.Resolved(), later.Resolved()) >= identity.Equivalent {
		return
	}
	f := at(later)
	if saysNothing(short) {
		f.Severity = Note
	}
	f.Message = say("%q and %q are different servers with the same short name, %q, and a client that shortens names keeps only one: rename one of them",
		later.Name, first.Name, short)
	f.Related = []Related{seeAlso(first, "%s has the short name %q, too", runs(first), short)}
	p.Report(f)
}

// saysNothing reports whether a short name is a word that registry names end
// in by habit (com.stripe/mcp, com.notion/mcp): clients fall back to the full
// name for these.
func saysNothing(short string) bool {
	switch short {
	case "mcp", "server", "mcp_server":
		return true
	}
	return false
}
