package report

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// noServers is what people read where nothing is listed.
const noServers = "no MCP servers found"

// listColumns returns the headings of a table of servers, and what takes the cells
// out of a row that have none: those which no server has anything for.
func listColumns(servers []view.Server) (headings []string, pick func(cells []string) []string) {
	headings = []string{"Name", "Identity", "Version", "Clients", "Place", "Registry", "Lock", "Integrity", "Source"}
	isFilled := make([]bool, len(headings))
	for i := range headings {
		isFilled[i] = i < len(headings)-len(listRow{}.optional())
	}
	for _, s := range servers {
		optional := rowOf(s).optional()
		for i, cell := range optional {
			isFilled[len(headings)-len(optional)+i] = isFilled[len(headings)-len(optional)+i] || cell != ""
		}
	}
	pick = func(cells []string) []string {
		var picked []string
		for i, cell := range cells {
			if isFilled[i] {
				picked = append(picked, cell)
			}
		}
		return picked
	}
	return pick(headings), pick
}

// listRow is a server in a table, each text as a log may hold it. What is not
// known is empty. The identity names the bridge between it and the client, too.
type listRow struct{ name, identity, version, place, registry, lock, integrity, source string }

// optional returns the last cells of a row, which may be empty in all of them.
func (r listRow) optional() []string { return []string{r.registry, r.lock, r.integrity, r.source} }

func rowOf(s view.Server) listRow {
	id := s.Identity()
	row := listRow{
		name: s.Name().String(), identity: s.Title().String(),
		version: id.Version().String(), place: lineOf(s.Place()), source: s.Repository().String(),
		registry: s.RegistryName().String(),
	}
	switch bridge := id.Bridge().String(); {
	case bridge != "" && row.identity == "":
		row.identity = "through " + bridge
	case bridge != "":
		row.identity += " (through " + bridge + ")"
	}
	if lock, ok := s.Lock(); ok {
		row.lock = lineOf(lock.Place)
		if kind := lock.RegistryType.String(); kind != "" {
			row.lock += " (" + kind + ")"
		}
		row.integrity = shortHash(lock.Integrity.String())
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

// shortHash returns as much of a hash as tells it from others.
func shortHash(hash string) string {
	const digits = 12
	end := strings.IndexAny(hash, "-:") + 1 + digits
	if end >= len(hash) {
		return hash
	}
	return hash[:end] + "…"
}
