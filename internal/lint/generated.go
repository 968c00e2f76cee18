package lint

import (
	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// atSource moves findings from files that a generator wrote to the file it
// wrote them from: mending a copy lasts until the next run of the generator.
// What was said of several copies is then said once, by sortFindings. A server
// is a copy if the source has one of that name which runs the same.
func atSource(p *mcp.Project, findings []checks.Finding) []checks.Finding {
	sources := sourceServers(p)
	if len(sources) == 0 {
		return findings
	}
	for i := range findings {
		f := &findings[i]
		copied := serverAt(p, f)
		if copied == nil || copied.Document.Scope == mcp.ScopeGenerator {
			continue
		}
		for _, s := range sources {
			if s.Name == copied.Name && s.Identity.Key() == copied.Identity.Key() {
				f.Related = nil
				f.Fixes = nil
				f.File, f.Span = s.Document.File, s.NameSpan
				break
			}
		}
	}
	return findings
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
