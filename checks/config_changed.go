package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/consent"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// configChanged finds a server that is not started the way it was locked.
var configChanged = &rule.Rule{
	ID:       "config-changed",
	Title:    "a server is not started the way it was locked",
	Severity: rule.Warning,
	Reads:    reads.InUse,
	Run:      runConfigChanged,
}

func runConfigChanged(p *rule.Pass) {
	var approved consent.Approvals
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			for _, s := range entry.Servers {
				if approved == nil {
					approved = consent.ApprovalsOf(p.Project)
				}
				reportChange(p, entry, s, approved)
			}
		}
	}
}

func reportChange(p *rule.Pass, entry *mcp.LockEntry, s *mcp.Server, approved consent.Approvals) {
	span, what, locked := compare.ChangeFromLock(entry, s)
	if what == "" {
		return
	}
	f := rule.At(s)
	f.Span = span
	f.Message = wording.Say("%q %s", entry.Name, what)
	f.Help = wording.Say("restore %s, or update the lockfile with %s", locked, entry.Document.Tool.Title)
	f.Related = []rule.Related{rule.SeeLock(entry, "locked here")}
	approved.Relate(&f, s)
	p.Report(f)
}
