package report

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/view"
)

// noServers is what people read where nothing is listed.
const noServers = "no MCP servers found"

// listColumns returns the headings of a table of servers, and what takes the cells
// out of a row that have none: those of locks and of source repositories, where
// nothing is locked or no repository known.
func listColumns(servers []view.Server) (headings []string, pick func(cells []string) []string) {
	isLocked := func(s view.Server) bool { _, ok := s.Lock(); return ok }
	hasSource := func(s view.Server) bool { return s.Repository().Plain() != "" }
	locks, sources := slices.ContainsFunc(servers, isLocked), slices.ContainsFunc(servers, hasSource)
	pick = func(cells []string) []string {
		lock, source := cells[len(cells)-2], cells[len(cells)-1]
		cells = cells[:len(cells)-2]
		if locks {
			cells = append(cells, lock)
		}
		if sources {
			cells = append(cells, source)
		}
		return cells
	}
	return pick([]string{"Name", "Identity", "Version", "Clients", "Place", "Lock", "Source"}), pick
}

// listRow is a server in a table, each text as a log may hold it. What is not
// known is empty. The identity names the bridge between it and the client, too.
type listRow struct{ name, identity, version, place, lock, source string }

func rowOf(s view.Server) listRow {
	id := s.Identity()
	row := listRow{
		name: s.Name().String(), identity: s.Title().String(),
		version: id.Version().String(), place: lineOf(s.Place()), source: s.Repository().String(),
	}
	switch bridge := id.Bridge().String(); {
	case bridge != "" && row.identity == "":
		row.identity = "through " + bridge
	case bridge != "":
		row.identity += " (through " + bridge + ")"
	}
	if lock, ok := s.Lock(); ok {
		row.lock = lineOf(lock.Place)
	}
	return row
}

// plain returns texts for a format that escapes them itself.
func plain(texts []view.Text) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t.Plain())
	}
	return out
}

// clientIDs names the clients that load a server.
func clientIDs(s view.Server) []string {
	var ids []string
	for _, c := range s.Clients() {
		ids = append(ids, c.ID)
	}
	return ids
}
