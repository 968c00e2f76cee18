package lint

import (
	"context"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/mention"
)

// readMentions finds out which of several names for a server texts for agents use, where
// that decides which one is right, in the projects that isAsked selects. It searches and
// reads texts only then. The error is that of the context.
func (g *gathered) readMentions(ctx context.Context, o Options, isAsked func(*mcp.Project) bool) error {
	if !slices.Contains(rulesOf(o), checks.ByID("alias-drift")) {
		return nil
	}
	tied, asked := map[*mcp.Project][]string{}, map[string]bool{}
	p := newProse()
	for _, project := range g.repo.Projects {
		if !isAsked(project) {
			continue
		}
		names := checks.TiedNames(project)
		if len(names) == 0 {
			continue
		}
		tied[project] = names
		p.add(project.Dir)
		for _, name := range names {
			asked[name] = true
		}
	}
	if len(asked) == 0 {
		return nil
	}
	p.names = mention.NewNames(asked)
	if err := p.search(ctx, o.Source, g.scope); err != nil || p.isCut {
		return err
	}
	for project, names := range tied {
		project.Facts.Mentioned = map[string]bool{}
		for _, name := range names {
			_, project.Facts.Mentioned[name] = p.of(project.Dir, name)
		}
	}
	return nil
}
