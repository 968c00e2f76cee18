package checks

import (
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
