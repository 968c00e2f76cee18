package checks

import (
	"slices"
	"sort"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// secretVariables are the variables that are to hold the credentials of entries, by the
// values in which these stand.
type secretVariables map[*mcp.Server]map[syntax.Span][]mcp.SecretVariable

// hold notes the variable that is to hold a credential: the one that a fix writes in its
// place, or would if the place took one.
func (x *secretSearch) hold(p *secretPlace) {
	if p.entry == nil || p.own != "" || p.entry.Document.Scope == mcp.ScopeGenerator || len(p.entry.Document.Loaders()) == 0 {
		return
	}
	if x.variables == nil {
		x.variables = secretVariables{}
	}
	values := x.variables[p.entry]
	if values == nil {
		values = map[syntax.Span][]mcp.SecretVariable{}
		x.variables[p.entry] = values
	}
	at := p.value.word.Span
	held := values[at] // in their order, none of which overlap
	i := sort.Search(len(held), func(i int) bool { return held[i].End > p.start })
	if i == len(held) || held[i].Start >= p.end {
		values[at] = slices.Insert(held, i, mcp.SecretVariable{Start: p.start, End: p.end, Name: p.variable()})
	}
}

// Secrets are the credentials of projects, each of which is looked at once somebody asks.
type Secrets map[*mcp.Project][]*secretSearch

// Variables returns the variables that are to hold the credentials of an entry, by the
// values in which these stand, as hardcoded-secret names them: whether a file is mended
// first or others are made like it, they name the same ones.
func (all Secrets) Variables(s *mcp.Server) map[syntax.Span][]mcp.SecretVariable {
	project := s.Document.Project
	searches, known := all[project]
	if !known && project != nil {
		searches = searchProject(project)
		all[project] = searches
	}
	for _, x := range searches {
		if values := x.variables[s]; values != nil {
			return values
		}
	}
	return nil
}
