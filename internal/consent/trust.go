// Package consent knows which places of a repository let a server start, or let its tools run,
// without asking the user.
package consent

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Programs are some servers of a project by what they run, and which places approve them.
type Programs struct {
	project  *mcp.Project
	Servers  map[string][]*mcp.Server
	approved Approvals
	trusted  map[string]Trust
}

// ProgramsOf groups some servers of a project by what they run.
func ProgramsOf(p *rule.Pass, isOne func(*mcp.Server) bool) *Programs {
	x := &Programs{project: p.Project, Servers: map[string][]*mcp.Server{}, trusted: map[string]Trust{}}
	for s := range p.Servers() {
		if isOne(s) {
			x.Servers[compare.ProgramKey(s)] = append(x.Servers[compare.ProgramKey(s)], s)
		}
	}
	if len(x.Servers) > 0 {
		x.approved = ApprovalsOf(p.Project)
	}
	return x
}

// Trust are the places that approve the servers of a program; ByName reports that one of
// them names one.
type Trust struct {
	Places []rule.Related
	ByName bool
}

// Trust returns the places that approve the servers of a program.
func (x *Programs) Trust(key string) Trust {
	trusted, known := x.trusted[key]
	if known {
		return trusted
	}
	seen := map[string]bool{}
	for _, s := range x.Servers[key] {
		named := x.approved.trust(x.project, s)
		trusted.ByName = trusted.ByName || len(named) > 0
		for _, place := range append(named, x.approved.trustInAll(s)...) {
			at := fmt.Sprint(place.File.Path, place.Span)
			if !seen[at] && len(trusted.Places) <= rule.MaxRelated {
				seen[at], trusted.Places = true, append(trusted.Places, place)
			}
		}
	}
	x.trusted[key] = trusted
	return trusted
}
