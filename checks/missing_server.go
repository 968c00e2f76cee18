package checks

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// missingServer finds a server that is locked and configured nowhere.
var missingServer = &Check{
	ID:       "missing-server",
	Title:    "a locked server is configured nowhere",
	Severity: Warning,
	Reads:    inUse,
	Run:      runMissingServer,
}

// runMissingServer is silent where a project has no client file at all: then
// people keep the configuration in their own settings.
func runMissingServer(p *Pass) {
	for lock := range p.Lockfiles() {
		files := lock.Lock.Files
		if len(files) == 0 || lock.Tool.PerTool {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			if len(entry.Servers) > 0 || entry.Place.Elsewhere || !hasFileFor(files, entry) {
				continue
			}
			f := atEntry(entry)
			f.Message = fmt.Sprintf("%q is in the lockfile, but not in client config: no file here configures %s",
				entry.Name, orName(entry.Target.Identity.Title(), entry.Target.Package.Text))
			if lock.Tool.Of != "" {
				f.Message = fmt.Sprintf("%q is in the lockfile, but not in %s", entry.Name, files[0].File.Path)
			}
			p.Report(f)
		}
	}
}

// hasFileFor reports whether there is a file that a locked server may stand in.
func hasFileFor(files []*mcp.Document, entry *mcp.LockEntry) bool {
	return slices.ContainsFunc(files, func(d *mcp.Document) bool { return entry.Place.Format == "" || entry.Place.Format == d.Format })
}

// hasServer reports whether a document of the project that is in use configures
// a server of that name.
func hasServer(p *mcp.Project, name string) bool {
	for doc := range used(p) {
		// A package's template declares a server and configures none.
		if doc.BundleName() != "" {
			continue
		}
		if slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return s.Name == name }) {
			return true
		}
	}
	return false
}
