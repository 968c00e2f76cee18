package installed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

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
				p.Facts.Scripts = map[*mcp.LockEntry]string{}
			}
			sum := sha256.Sum256(read.Content)
			p.Facts.Scripts[entry] = "sha256:" + hex.EncodeToString(sum[:])
		}
	}
}

// isOwnFile reports whether the path of an identity is one below the root of the repository.
func isOwnFile(name string) bool {
	return !source.IsOutside(name) && !source.IsGits(name) && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") && !strings.HasPrefix(name, "$")
}
