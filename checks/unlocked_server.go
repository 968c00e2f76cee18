package checks

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// unlockedServer finds a server that the governing lockfile does not know.
var unlockedServer = &Check{
	ID:       "unlocked-server",
	Title:    "a configured server is not in the lockfile",
	Severity: Note,
	Reads:    inUse,
	Run:      runUnlockedServer,
}

// runUnlockedServer reports every server once, at the first file that has it.
func runUnlockedServer(p *Pass) {
	reportUntracked(p)
	reportUnlockedSources(p)
	locks := slices.DeleteFunc(p.Project.Locks(), func(d *mcp.Document) bool { return d.Tool.Partial })
	if len(locks) == 0 {
		return
	}
	files := clientFiles(p.Project)
	left := unlocked(running(files), lockedAs(p.Project, files))
	for _, same := range groupBy(left, func(s *mcp.Server) string { return s.Name + "\x02" + byKey(s) }) {
		f := at(same[0])
		f.Message = fmt.Sprintf("%q (%s) is not in %s", same[0].Name, runs(same[0]), locks[0].File.Path)
		for _, other := range same[1:] {
			f.Related = append(f.Related, seeAlso(other, "configured here, too"))
		}
		p.Report(f)
	}
}
