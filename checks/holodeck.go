package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// isHolodeckList reports whether a document is a list in which HoloDeck allows
// every name and every registry name once.
func isHolodeckList(doc *mcp.Document) bool {
	return doc.Format == "holodeck" || doc.Format == "holodeck-config"
}

// repeatTier says why HoloDeck refuses an entry beside an earlier one, in the
// order in which it looks.
type repeatTier uint8

const (
	noRepeat       repeatTier = iota
	sameRegistry              // both are one server of the registry
	sameShortName             // two servers of the registry under one name
	sameManualName            // one name, and at least one entry is not from the registry
)

func repeatOf(first, again *mcp.Server) repeatTier {
	a, b := first.Extra().Registry.Text, again.Extra().Registry.Text
	switch {
	case a != "" && a == b:
		return sameRegistry
	case first.Name != again.Name:
		return noRepeat
	case a != "" && b != "":
		return sameShortName
	}
	return sameManualName
}

// refusedRepeats returns the entries of a list that HoloDeck refuses, each with
// the first that it repeats.
func refusedRepeats(doc *mcp.Document) map[*mcp.Server]*mcp.Server {
	if !isHolodeckList(doc) {
		return nil
	}
	repeats := map[*mcp.Server]*mcp.Server{}
	names, registry := map[string]*mcp.Server{}, map[string]*mcp.Server{}
	for _, s := range doc.Servers {
		if first := registry[s.Extra().Registry.Text]; first != nil {
			repeats[s] = first
		} else if first := names[s.Name]; first != nil {
			repeats[s] = first
		}
		if names[s.Name] == nil {
			names[s.Name] = s
		}
		if s.Extra().Registry.Text != "" && registry[s.Extra().Registry.Text] == nil {
			registry[s.Extra().Registry.Text] = s
		}
	}
	return repeats
}

// reportRefusedRepeats reports the repeats that are one server, or that nobody
// can tell apart, and returns all of them.
func reportRefusedRepeats(p *Pass, doc *mcp.Document) map[*mcp.Server]*mcp.Server {
	repeats := refusedRepeats(doc)
	for _, s := range doc.Servers {
		first := repeats[s]
		if first == nil {
			continue
		}
		f := at(s)
		f.Severity = Error
		f.Related = []Related{seeAlso(first, "first configured here")}
		switch repeatOf(first, s) {
		case sameRegistry:
			f.Span = s.Extra().Registry.Span
			f.Message = fmt.Sprintf("%s is already configured as %q: HoloDeck refuses it a second time", s.Extra().Registry.Text, first.Name)
		case sameManualName:
			f.Message = fmt.Sprintf("the name %q is taken already, by %s: HoloDeck refuses two tools of one name", s.Name, origin(first))
		default:
			continue // short-name-collision
		}
		p.Report(f)
	}
	return repeats
}

// origin says where an entry is from.
func origin(s *mcp.Server) string {
	if s.Extra().Registry.Text != "" {
		return s.Extra().Registry.Text
	}
	return "an entry written by hand"
}

// reportRegistryCollisions reports servers of the registry that have been given
// the one name their registry names end in.
func reportRegistryCollisions(p *Pass, doc *mcp.Document) {
	repeats := refusedRepeats(doc)
	for _, s := range doc.Servers {
		first := repeats[s]
		if first == nil || repeatOf(first, s) != sameShortName {
			continue
		}
		f := at(s)
		f.Severity = Error
		f.Message = fmt.Sprintf("%s and %s are both called %q, and HoloDeck refuses two tools of one name", s.Extra().Registry.Text, first.Extra().Registry.Text, s.Name)
		if name := ownedName(s.Extra().Registry.Text, s.Name); name != s.Name {
			f.Message += fmt.Sprintf(": call this one %q", name)
		}
		f.Related = []Related{seeAlso(first, "%s has the name", first.Extra().Registry.Text)}
		p.Report(f)
	}
}

// ownedName returns a name with the owner in front that a registry name tells:
// io.github.bob/files is bob_files.
func ownedName(registry, name string) string {
	owner, _, found := strings.Cut(registry, "/")
	if !found {
		return name
	}
	owner = identity.Short(owner[strings.LastIndexByte(owner, '.')+1:])
	if owner == "" {
		return name
	}
	return owner + "_" + name
}

// reportRegistryAliases reports servers of the registry that HoloDeck's settings
// give to an agent which has them already under another name.
func reportRegistryAliases(p *Pass) {
	for agent := range used(p.Project) {
		if agent.Format != "holodeck" {
			continue
		}
		for _, s := range settingsOf(p.Project) {
			i := slices.IndexFunc(agent.Servers, func(own *mcp.Server) bool { return isAlias(own, s) })
			if i < 0 {
				continue
			}
			f := at(s)
			f.Message = driftMessage(s, agent.File.Path, agent.Servers[i].Name)
			f.Related = []Related{seeAlso(agent.Servers[i], "called %q here", agent.Servers[i].Name)}
			p.Report(f)
		}
	}
}

// isAlias reports whether two entries are one server of the registry under two
// names.
func isAlias(a, b *mcp.Server) bool {
	return a.Extra().Registry.Text != "" && a.Extra().Registry.Text == b.Extra().Registry.Text && a.Name != b.Name
}

// settingsOf returns the servers that HoloDeck takes from a project's settings.
func settingsOf(p *mcp.Project) []*mcp.Server {
	var servers []*mcp.Server
	for doc := range used(p) {
		if doc.Format == "holodeck-config" {
			servers = append(servers, doc.Servers...)
		}
	}
	return inEffect(p, servers)
}
