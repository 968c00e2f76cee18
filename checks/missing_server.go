package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// missingServer finds a server that is locked and configured nowhere.
func missingServer() *Check {
	return &Check{
		ID:       "missing-server",
		Title:    "a locked server is configured nowhere",
		Severity: Warning,
		Run:      runMissingServer,
	}
}

// runMissingServer is silent where a project has no client file at all: then
// people keep the configuration in their own settings.
func runMissingServer(p *Pass) {
	files := governedFiles(p.Project)
	if len(files) == 0 {
		return
	}
	for _, lock := range lockfiles(p.Project) {
		found := map[*mcp.LockEntry]bool{}
		for _, doc := range files {
			for _, pair := range matchLock(lock.Lock, doc) {
				found[pair.entry] = true
			}
		}
		for _, entry := range lock.Lock.Entries {
			if found[entry] {
				continue
			}
			f := atEntry(entry)
			f.Message = fmt.Sprintf("%q is in the lockfile, but not in client config: no file here configures %s",
				entry.Name, orName(entry.Identity.String(), entry.Package.Text))
			p.Report(f)
		}
	}
}

// orName returns the first of its arguments that says something.
func orName(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "it"
}
