package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// unlockedServer finds a server that the governing lockfile does not know.
var unlockedServer = &Rule{
	ID:       "unlocked-server",
	Title:    "a configured server is not in the lockfile",
	Severity: Note,
	Reads:    inUse,
	Run:      runUnlockedServer,
}

// runUnlockedServer reports every server once, at the first file that has it.
func runUnlockedServer(p *Pass) {
	reportUnlockedSources(p)
	lock := p.Project.GoverningLock()
	if lock == nil {
		return
	}
	left := unlocked(running(p.Project.ClientFiles()))
	for _, same := range groupBy(left, func(s *mcp.Server) string { return s.Name + "\x02" + byKey(s) }) {
		f := at(same[0])
		f.Message = say("%q (%s) is not in %s: lock it with %s", same[0].Name, runs(same[0]), lock.File.Path, lock.Tool.Title)
		for _, other := range same[1:] {
			f.relate(seeAlso(other, "configured here, too"))
		}
		p.Report(f)
	}
}

// reportUnlockedSources reports servers of files that have a lockfile of their
// own which does not know them.
func reportUnlockedSources(p *Pass) {
	for lock := range p.Lockfiles() {
		if lock.Tool.Of == "" {
			continue
		}
		for _, doc := range lock.Lock.Files {
			for _, s := range doc.Servers {
				if s.Locked == nil {
					f := at(s)
					f.Message = say("%q is not in %s: lock it with %s", s.Name, lock.File.Path, lock.Tool.Title)
					p.Report(f)
				}
			}
		}
	}
}
