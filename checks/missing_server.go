package checks

import (
	"maps"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// missingServer finds a server that is locked and configured nowhere.
var missingServer = &Rule{
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
			if len(entry.Servers) > 0 || entry.Repeats || entry.Place.MayBeExternal || !hasFileFor(files, entry) {
				continue
			}
			f := atEntry(entry)
			f.Message = say("%q is in the lockfile, but not in client config (no file here configures %s): configure it again, or remove it from the lockfile",
				entry.Name, orName(entry.Target.Identity.Title(), entry.Target.Package.Text))
			if lock.Tool.Of != "" {
				f.Message = say("%q is in the lockfile, but not in %s: add it again, or remove it from the lockfile", entry.Name, files[0].File.Path)
			}
			p.Report(f)
		}
	}
}

// hasFileFor reports whether there is a file that a locked server may stand in.
func hasFileFor(files []*mcp.Document, entry *mcp.LockEntry) bool {
	return slices.ContainsFunc(files, func(d *mcp.Document) bool { return entry.Place.Format == "" || entry.Place.Format == d.Format })
}

// configured returns the names of the servers that documents of the project in use
// configure.
func configured(p *mcp.Project) map[string]bool {
	names := map[string]bool{}
	for doc := range used(p) {
		// A package's template declares a server and configures none.
		if doc.BundleName() == "" {
			maps.Copy(names, namesOf(doc, nil))
		}
	}
	return names
}
