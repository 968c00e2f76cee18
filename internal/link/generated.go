package link

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// SourceOf returns the one of the sources that a server in a client's file is a
// copy of, or nil. What is no longer what its source says is no copy.
func SourceOf(s *mcp.Server, sources []*mcp.Server) *mcp.Server {
	if s == nil || s.Document.Scope == mcp.ScopeGenerator {
		return nil
	}
	for _, source := range sources {
		if source.Name == s.Name && source.Identity.Version.Text == s.Identity.Version.Text &&
			identity.Compare(source.Resolved(), s.Resolved()) >= identity.Equivalent {
			return source
		}
	}
	return nil
}

// GeneratorServers returns the servers that generators copy into client files.
func GeneratorServers(p *mcp.Project) []*mcp.Server {
	var servers []*mcp.Server
	for _, d := range p.Documents {
		if d.Scope == mcp.ScopeGenerator {
			servers = append(servers, d.Servers...)
		}
	}
	return servers
}
