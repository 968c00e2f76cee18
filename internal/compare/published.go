package compare

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
)

// Publishes are the servers that the project's own manifests publish: the name
// of each in the registry, by every package and address it can be had as.
type Publishes map[string]string

// PublishedBy returns what the manifests of a project publish, nil if they publish nothing.
func PublishedBy(p *mcp.Project) Publishes {
	var all Publishes
	for doc := range reads.Used(p) {
		if !doc.Publishes {
			continue
		}
		if all == nil {
			all = Publishes{}
		}
		for _, s := range doc.Servers {
			if s.Identity.Kind != identity.None {
				all[s.Identity.String()] = s.Name
			}
		}
	}
	return all
}

// NameOf returns the name in the registry under which a server is published, or "".
func (m Publishes) NameOf(s *mcp.Server) string { return m[s.Identity.String()] }

// Together reports whether two entries are forms of one published server: its
// package and its address.
func (m Publishes) Together(a, b *mcp.Server) bool {
	name := m.NameOf(a)
	return name != "" && name == m.NameOf(b)
}
