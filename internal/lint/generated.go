package lint

import (
	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// atSource moves what one check found in files that a generator wrote to the
// file it wrote them from: mending a copy lasts until the next run of the
// generator. What was said of several copies of a server is then said once, and
// what was said of the source itself not again. A copy that is no longer what
// its source says stays where it is.
func atSource(p *mcp.Project, findings []checks.Finding) []checks.Finding {
	sources := sourceServers(p)
	if len(sources) == 0 {
		return findings
	}
	var kept []checks.Finding
	said := map[*mcp.Server]bool{}
	for _, f := range findings {
		if s := serverAt(p, &f); s != nil && s.Document.Scope == mcp.ScopeGenerator {
			said[s] = true
		}
	}
	for _, f := range findings {
		source := sourceOf(serverAt(p, &f), sources)
		switch {
		case source == nil:
		case said[source]:
			continue
		default:
			said[source] = true
			f.File, f.Span, f.Related, f.Fixes = source.Document.File, source.NameSpan, nil, nil
		}
		kept = append(kept, f)
	}
	return kept
}

// sourceOf returns the server that a server in a client's file is a copy of, or
// nil.
func sourceOf(s *mcp.Server, sources []*mcp.Server) *mcp.Server {
	if s == nil || s.Document.Scope == mcp.ScopeGenerator {
		return nil
	}
	for _, source := range sources {
		if source.Name == s.Name && source.Identity.Version.Text == s.Identity.Version.Text &&
			identity.Compare(&source.Identity, &s.Identity) >= identity.Equivalent {
			return source
		}
	}
	return nil
}

// sourceServers returns the servers that generators copy into client files.
func sourceServers(p *mcp.Project) []*mcp.Server {
	var servers []*mcp.Server
	for _, d := range p.Documents {
		if d.Scope == mcp.ScopeGenerator {
			servers = append(servers, d.Servers...)
		}
	}
	return servers
}

// serverAt returns the server a finding is about, or nil.
func serverAt(p *mcp.Project, f *checks.Finding) *mcp.Server {
	for _, d := range p.Documents {
		if d.File != f.File {
			continue
		}
		for _, s := range d.Servers {
			if s.Name == f.Server && (s.NameSpan.Contains(f.Span) || s.Span.Contains(f.Span)) {
				return s
			}
		}
	}
	return nil
}
