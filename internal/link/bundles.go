package link

import "github.com/mcplumb/mcplumb/internal/mcp"

// bundles notes in projects which parts of packages and bundles are installed side
// by side.
func bundles(repo *mcp.Repo) {
	first := map[*mcp.Tool]*mcp.Project{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.BundleName() == "" || d.Role != mcp.InUse {
				continue
			}
			home := p
			if d.Tool != nil && d.Tool.OwnDirectories {
				if first[d.Tool] == nil {
					first[d.Tool] = p
				}
				home = first[d.Tool]
			}
			home.Bundled = append(home.Bundled, d)
		}
	}
}
