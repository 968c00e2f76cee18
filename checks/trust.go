package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// programs are some servers of a project by what they run, and which places approve them.
type programs struct {
	project  *mcp.Project
	servers  map[string][]*mcp.Server
	approved approvals
	trusted  map[string]trust
}

// programsOf groups some servers of a project by what they run.
func programsOf(p *rule.Pass, isOne func(*mcp.Server) bool) *programs {
	x := &programs{project: p.Project, servers: map[string][]*mcp.Server{}, trusted: map[string]trust{}}
	for s := range p.Servers() {
		if isOne(s) {
			x.servers[compare.ProgramKey(s)] = append(x.servers[compare.ProgramKey(s)], s)
		}
	}
	if len(x.servers) > 0 {
		x.approved = approvalsOf(p.Project)
	}
	return x
}

// trust are the places that approve the servers of a program; byName reports that one of
// them names one.
type trust struct {
	places []rule.Related
	byName bool
}

// trust returns the places that approve the servers of a program.
func (x *programs) trust(key string) trust {
	trusted, known := x.trusted[key]
	if known {
		return trusted
	}
	seen := map[string]bool{}
	for _, s := range x.servers[key] {
		named := x.approved.trust(x.project, s)
		trusted.byName = trusted.byName || len(named) > 0
		for _, place := range append(named, x.approved.trustInAll(s)...) {
			at := fmt.Sprint(place.File.Path, place.Span)
			if !seen[at] && len(trusted.places) <= rule.MaxRelated {
				seen[at], trusted.places = true, append(trusted.places, place)
			}
		}
	}
	x.trusted[key] = trusted
	return trusted
}
