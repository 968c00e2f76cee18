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
		f.Message = wording.Say("%q (%s) is not in %s: lock it with %s", same[0].Name, wording.Runs(same[0]), lock.File.Path, lock.Tool.Title)
		for _, other := range same[1:] {
			f.Relate(rule.SeeAlso(other, "configured here, too"))
		}
		p.Report(f)
	}
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
					f.Message = wording.Say("%q is not in %s: lock it with %s", s.Name, lock.File.Path, lock.Tool.Title)
					p.Report(f)
				}
			}
		}
	}
}
