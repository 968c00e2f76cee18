package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// stories are what a project says of the servers that are one story, by what they run.
type stories struct {
	project  *mcp.Project
	servers  map[string][]*mcp.Server
	approved approvals
	trusted  map[string]trust
}

// storiesOf returns the stories of those servers of a project that belong to one.
func storiesOf(p *rule.Pass, isOne func(*mcp.Server) bool) *stories {
	x := &stories{project: p.Project, servers: map[string][]*mcp.Server{}, trusted: map[string]trust{}}
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

// trust are the places that approve the servers of a story; byName reports that one of
// them names one.
type trust struct {
	places []rule.Related
	byName bool
}

// trust returns the places that approve the servers of a story.
func (x *stories) trust(key string) trust {
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
