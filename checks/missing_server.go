package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// missingServer finds a server that is locked and that no file configures.
var missingServer = &rule.Rule{
	ID:       "missing-server",
	Title:    "no client file configures a locked server",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runMissingServer,
}

// runMissingServer is silent if a project has no client file at all: then people keep the
// configuration in their own settings.
func runMissingServer(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		files := lock.Lock.Files
		if len(files) == 0 || lock.Tool.PerTool {
			continue
		}
		missing := missingFrom(lock, files)
		for _, entry := range missing {
			f := rule.AtEntry(entry)
			f.Message = wording.Say("%q is locked, but no file here configures %s", entry.Name, wording.OrName(entry.Target.Identity.InSentence(), entry.Target.Package.Text))
			f.Help = wording.Say("add the server to a client's file, or remove %q from the lockfile", entry.Name)
			if lock.Tool.Of != "" {
				f.Message = wording.Say("%q is locked, but is not in %s", entry.Name, files[0].File.Path)
				f.Help = "add it again, or remove it from the lockfile"
			}
			if len(missing) <= rule.MaxEdits { // each has the client's file parsed
				f.Fixes, f.NoFixReason = repair.FixMissing(entry, files)
			}
			p.Report(f)
		}
	}
}

// missingFrom returns the entries of a lockfile that should be configured in files and are not.
func missingFrom(lock *mcp.Document, files []*mcp.Document) []*mcp.LockEntry {
	var missing []*mcp.LockEntry
	for _, entry := range lock.Lock.Entries {
		if len(entry.Servers) == 0 && !entry.Repeats && !entry.Place.MayBeExternal && hasFileFor(files, entry) {
			missing = append(missing, entry)
		}
	}
	return missing
}

// hasFileFor reports whether there is a file that may have a locked server.
func hasFileFor(files []*mcp.Document, entry *mcp.LockEntry) bool {
	return slices.ContainsFunc(files, func(d *mcp.Document) bool { return entry.Place.Format == "" || entry.Place.Format == d.Format })
}
