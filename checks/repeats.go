package checks

import (
	"cmp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// repeat is an entry that a client refuses beside an earlier one of its file.
type repeat struct {
	client       *mcp.Client
	first, entry *mcp.Server
	why          repeatTier
}

// repeatTier says why a client refuses an entry beside an earlier one, in the
// order in which it looks.
type repeatTier uint8

const (
	sameRegistry   repeatTier = iota // both are one server of the registry
	sameShortName                    // two servers of the registry under one name
	sameManualName                   // one name, and at least one entry is not from the registry
)

// refusedRepeats returns the entries of a document that its client refuses, in
// order, each with the first that it repeats.
func refusedRepeats(doc *mcp.Document) []repeat {
	if len(doc.Clients) == 0 || !doc.Clients[0].RefusesRepeats {
		return nil
	}
	var repeats []repeat
	names, registry := map[string]*mcp.Server{}, map[string]*mcp.Server{}
	for _, s := range doc.Servers {
		published := s.Extra().Registry.Text
		switch {
		case registry[published] != nil:
			repeats = append(repeats, repeat{doc.Clients[0], registry[published], s, sameRegistry})
		case names[s.Name] != nil:
			first := names[s.Name]
			why := sameManualName
			if published != "" && first.Extra().Registry.Text != "" {
				why = sameShortName
			}
			repeats = append(repeats, repeat{doc.Clients[0], first, s, why})
		}
		if names[s.Name] == nil {
			names[s.Name] = s
		}
		if published != "" && registry[published] == nil {
			registry[published] = s
		}
	}
	return repeats
}

// origin says where an entry is from.
func origin(s *mcp.Server) string {
	return cmp.Or(s.Extra().Registry.Text, "an entry written by hand")
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

// isAlias reports whether two entries are one server of the registry under two
// names.
func isAlias(a, b *mcp.Server) bool {
	registry := a.Extra().Registry.Text
	return registry != "" && registry == b.Extra().Registry.Text && a.Name != b.Name
}
