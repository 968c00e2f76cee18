package report

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/view"
)

// noServers is what people read where nothing is listed.
const noServers = "no MCP servers found"

// listHeadings returns the columns of a table of servers; the last is only there
// where something is locked.
func listHeadings(servers []view.Server) []string {
	headings := []string{"Name", "Identity", "Version", "Clients", "Place", "Lock"}
	isLocked := func(s view.Server) bool { _, ok := s.Lock(); return ok }
	if !slices.ContainsFunc(servers, isLocked) {
		headings = headings[:len(headings)-1]
	}
	return headings
}

// listRow is a server in a table, each text as a log may hold it. What is not
// known is empty. The identity names the bridge between it and the client, too.
type listRow struct{ name, identity, version, place, lock string }

func rowOf(s view.Server) listRow {
	id := s.Identity()
	row := listRow{
		name: s.Name().String(), identity: s.Title().String(),
		version: id.Version().String(), place: lineOf(s.Place()),
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
