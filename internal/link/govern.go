package link

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// govern links every project to the lockfile that governs it: its own, or that
// of the nearest directory above which has one.
func govern(repo *mcp.Repo) {
	byDir := make(map[string]*mcp.Project)
	for _, p := range repo.Projects {
		if slices.ContainsFunc(p.Documents, (*mcp.Document).Governs) {
			byDir[p.Dir] = p
		}
	}
	if len(byDir) == 0 {
		return
	}
	for _, p := range repo.Projects {
		for dir := p.Dir; ; dir = mcp.Parent(dir) {
			if locked := byDir[dir]; locked != nil {
				locked.Governs = append(locked.Governs, p)
				p.GovernedBy = locked
				break
			}
			if dir == "" {
				break
			}
		}
	}
}
