package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unlockedServer finds a server that the governing lockfile does not know.
var unlockedServer = &rule.Rule{
	ID:       "unlocked-server",
	Title:    "a configured server is not in the lockfile",
	Severity: rule.Note,
	Reads:    reads.InUse,
	Run:      runUnlockedServer,
}

// runUnlockedServer reports every server once, at the first file that has it.
func runUnlockedServer(p *rule.Pass) {
	reportUnlockedSources(p)
	lock := p.Project.GoverningLock()
	if lock == nil {
		return
	}
	left := compare.Unlocked(compare.Running(p.Project.ClientFiles()))
	for _, same := range compare.GroupBy(left, func(s *mcp.Server) string { return s.Name + "\x02" + compare.ByKey(s) }) {
		f := rule.At(same[0])
		f.Message = wording.Say("%q runs %s, which is not in %s", same[0].Name, wording.Runs(same[0]), lock.File.Path)
		f.Help = lockWith(lock)
		for _, other := range same[1:] {
			f.Relate(rule.SeeAlso(other, "also configured here"))
		}
		p.Report(f)
	}
}

// lockWith is what to do about a server that a lockfile does not know.
func lockWith(lock *mcp.Document) string {
	if lock.Tool.Refresh != "" { // its tool is a command of mcplumb
		return "run " + lock.Tool.Title
	}
	return wording.Say("lock it with %s", lock.Tool.Title)
}

// reportUnlockedSources reports servers of files that have a lockfile of their
// own which does not know them.
func reportUnlockedSources(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		if lock.Tool.Of == "" {
			continue
		}
		for _, doc := range lock.Lock.Files {
			for _, s := range doc.Servers {
				if s.Locked == nil {
					f := rule.At(s)
					f.Message = wording.Say("%q is not in %s", s.Name, lock.File.Path)
					f.Help = lockWith(lock)
					p.Report(f)
				}
			}
		}
	}
}
