package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// ccpkgArchive are the archives that packages were installed from, where the
// cache is committed.
var ccpkgArchive = &shape.Format{
	Name: "ccpkg-archive", Scope: mcp.ScopeRegistry, Unopened: true,
	Paths: []string{".ccpkg/cache/archives/*.ccpkg"},
}
