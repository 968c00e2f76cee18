package installed

import (
	"context"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

// scripts notes the hashes that the programs of the repository have today which lockfiles have an
// entry of. What is not there, or cannot be read, has none.
func scripts(ctx context.Context, tree source.Tree, p *mcp.Project) {
	for _, d := range p.Documents {
		if d.Lock == nil {
			continue
		}
		for _, entry := range d.Lock.Entries {
			id := &entry.Target.Identity
			if id.Kind != identity.FileKind || !d.Tool.ByProgram || !isOwnFile(id.Name) {
				continue
			}
			read, err := tree.Read(ctx, id.Name)
			if err != nil {
				continue
			}
			if p.Facts.Scripts == nil {
				p.Facts.Scripts = map[*mcp.LockEntry]map[string]string{}
			}
			p.Facts.Scripts[entry] = compare.DigestsOf(read.Content)
		}
	}
}

// isOwnFile reports whether the path of an identity is one below the root of the repository.
func isOwnFile(name string) bool {
	return !source.IsOutside(name) && !source.IsGits(name) && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") && !strings.HasPrefix(name, "$")
}
