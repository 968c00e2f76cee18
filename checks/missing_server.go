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
	reportMissingTracked(p)
	for _, lock := range lockfiles(p.Project) {
		files := filesOf(p.Project, lock)
		if len(files) == 0 {
			continue
		}
		if lock.Tool.PerTool {
			reportMissingTools(p, lock, files)
			continue
		}
		found := map[*mcp.LockEntry]bool{}
		for _, doc := range files {
			for _, pair := range matchLock(lock, doc) {
				found[pair.entry] = true
			}
		}
		for _, entry := range lock.Lock.Entries {
			if found[entry] || entry.Place.Elsewhere || !hasFileFor(files, entry) {
				continue
			}
			f := atEntry(entry)
			f.Message = fmt.Sprintf("%q is in the lockfile, but not in client config: no file here configures %s",
				entry.Name, orName(entry.Target.Identity.Shown(), entry.Target.Package.Text))
			if lock.Tool.Of != "" {
				f.Message = fmt.Sprintf("%q is in the lockfile, but not in %s", entry.Name, files[0].File.Path)
			}
			p.Report(f)
		}
		reportMissingMerged(p, lock, files)
	}
}

// hasFileFor reports whether there is a file that a locked server may stand in.
func hasFileFor(files []*mcp.Document, entry *mcp.LockEntry) bool {
	return slices.ContainsFunc(files, func(d *mcp.Document) bool { return entry.Place.Format == "" || entry.Place.Format == d.Format })
}

// reportMissingTools reports every server once whose tools are locked, at the
// first of them. Only the tool's own file lists all servers that it starts;
// where that one is not committed, nothing is known.
func reportMissingTools(p *Pass, lock *mcp.Document, files []*mcp.Document) {
	if !slices.ContainsFunc(files, func(d *mcp.Document) bool { return d.Format == "pml" }) {
		return
	}
	seen := map[string]bool{"": true} // code that the tool runs itself has no server
	for _, entry := range lock.Lock.Entries {
		if seen[entry.Tools.Server] || hasServer(p.Project, entry.Tools.Server) {
			continue
		}
		seen[entry.Tools.Server] = true
		f := atEntry(entry)
		f.Server = entry.Tools.Server
		f.Message = fmt.Sprintf("%q is in the lockfile, but not in client config: no file here configures the server %q",
			entry.Name, entry.Tools.Server)
		p.Report(f)
	}
}

// reportMissingMerged reports servers that a package has brought into client
// files and that are in none of them.
func reportMissingMerged(p *Pass, lock *mcp.Document, files []*mcp.Document) {
	for _, pkg := range lock.Lock.Packages {
		for _, merged := range pkg.Merged {
			shared := slices.ContainsFunc(lock.Lock.Entries, func(e *mcp.LockEntry) bool { return e.Named(merged.Name) })
			if shared || hasServer(p.Project, merged.Name) {
				continue
			}
			p.Report(Finding{
				File: lock.File, Span: merged.Span, Server: merged.Name,
				Message: fmt.Sprintf("%q was installed with a package, but is not in client config: no file here configures it", merged.Name),
			})
		}
	}
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
