package compare

import (
	"cmp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Repeat is an entry that a client refuses because of an earlier one in its file.
type Repeat struct {
	Client       *mcp.Client
	First, Entry *mcp.Server
	Why          repeatTier
}

// repeatTier says why a client refuses an entry because of an earlier one, in the order of its
// checks.
type repeatTier uint8

const (
	SameRegistry   repeatTier = iota // both are one server of the registry
	SameShortName                    // two servers of the registry under one name
	SameManualName                   // one name, and at least one entry is not from the registry
)

// RefusedRepeats returns the entries of a document that its client refuses, in
// order, each with the first that it repeats.
func RefusedRepeats(doc *mcp.Document) []Repeat {
	if len(doc.Clients) == 0 || !doc.Clients[0].RefusesRepeats {
		return nil
	}
	var repeats []Repeat
	names, registry := map[string]*mcp.Server{}, map[string]*mcp.Server{}
	for _, s := range doc.Servers {
		published := s.Extra().Registry.Text
		switch {
		case registry[published] != nil:
			repeats = append(repeats, Repeat{doc.Clients[0], registry[published], s, SameRegistry})
		case names[s.Name] != nil:
			first := names[s.Name]
			why := SameManualName
			if published != "" && first.Extra().Registry.Text != "" {
				why = SameShortName
			}
			repeats = append(repeats, Repeat{doc.Clients[0], first, s, why})
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

// Origin says where an entry is from.
func Origin(s *mcp.Server) string {
	return cmp.Or(s.Extra().Registry.Text, "an entry written by hand")
}

// OwnedName returns a name with the owner in front that a registry name tells:
// io.github.bob/files is bob_files.
func OwnedName(registry, name string) string {
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

// IsAlias reports whether two entries are one server of the registry under two
// names.
func IsAlias(a, b *mcp.Server) bool {
	registry := a.Extra().Registry.Text
	return registry != "" && registry == b.Extra().Registry.Text && a.Name != b.Name
}
