package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// publishes are the servers that the project's own manifests publish: the name
// of each in the registry, by every package and address it can be had as.
type publishes map[string]string

// publishedBy returns what the manifests of a project publish, nil if there is
// none.
func publishedBy(p *mcp.Project) publishes {
	var all publishes
	for doc := range used(p) {
		if !doc.Publishes {
			continue
		}
		if all == nil {
			all = publishes{}
		}
		for _, s := range doc.Servers {
			if s.Identity.Kind != identity.None {
				all[s.Identity.String()] = s.Name
			}
		}
	}
	return all
}

// nameOf returns the name in the registry under which a server is published, or "".
func (m publishes) nameOf(s *mcp.Server) string { return m[s.Identity.String()] }

// together reports whether two entries are forms of one published server: its
// package and its address.
func (m publishes) together(a, b *mcp.Server) bool {
	name := m.nameOf(a)
	return name != "" && name == m.nameOf(b)
}

// settle returns which of the names of one server is right: of those that are as
// common as the most common one, the one that it is published under, shortened as
// clients do it, else that of its package, else the first that is no title: with a
// blank a name is for people alone. What others are generated from has the last word.
func (m publishes) settle(one []*mcp.Server, usual string) string {
	published, own, plain := "", "", ""
	count := map[string]int{}
	for _, s := range one {
		if s.Document.Scope == mcp.ScopeGenerator {
			return usual
		}
		count[s.Name]++
		if name := m.nameOf(s); name != "" && identity.Short(s.Name) == identity.Short(name) {
			published = s.Name
		}
	}
	for _, s := range one {
		isOwn := s.Identity.IsPackage() && identity.Short(s.Name) == identity.Short(s.Identity.Name)
		if isOwn && count[s.Name] == count[usual] && own == "" {
			own = s.Name
		}
		if plain == "" && count[s.Name] == count[usual] && !strings.Contains(s.Name, " ") {
			plain = s.Name
		}
	}
	switch {
	case published != "" && count[published] == count[usual]:
		return published
	case own != "":
		return own
	case plain != "":
		return plain
	}
	return usual
}
