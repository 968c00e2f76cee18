package format

import "github.com/mcplumb/mcplumb/internal/mcp"

// ccpkgArchive are the archives that packages were installed from, where the
// cache is committed.
var ccpkgArchive = &Format{
	Name: "ccpkg-archive", Scope: mcp.ScopeRegistry, Unopened: true,
	Paths: []string{".ccpkg/cache/archives/*.ccpkg"},
}
