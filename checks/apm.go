package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// lockedSources returns for every server of the files that lockfiles of their
// own speak of (apm.yml) the entry it is locked as.
func lockedSources(p *mcp.Project) map[*mcp.Server]*mcp.LockEntry {
	entries := map[*mcp.Server]*mcp.LockEntry{}
	for _, lock := range lockfiles(p) {
		if lock.Tool.Of == "" {
			continue
		}
		for _, doc := range filesOf(p, lock) {
			for _, pair := range matchLock(lock, doc) {
				entries[pair.server] = pair.entry
			}
		}
	}
	return entries
}

// reportUnlockedSources reports servers of such files that their lockfile does
// not know.
func reportUnlockedSources(p *Pass) {
	locked := lockedSources(p.Project)
	for _, lock := range lockfiles(p.Project) {
		if lock.Tool.Of == "" {
			continue
		}
		for _, doc := range filesOf(p.Project, lock) {
			for _, s := range doc.Servers {
				if locked[s] == nil {
					f := at(s)
					f.Message = fmt.Sprintf("%q is not in %s", s.Name, lock.File.Path)
					p.Report(f)
				}
			}
		}
	}
}

// lastSegment is the name that apm gives a server in the files of most clients;
// Visual Studio Code gets the whole one.
func lastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// shortened reports whether two names differ only in what apm cuts off, and one
// of them stands in the manifest of the project.
func shortened(p *mcp.Project, a, b string) bool {
	if lastSegment(a) != lastSegment(b) {
		return false
	}
	for _, doc := range filesOfFormat(p, "apm") {
		if slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return s.Name == a || s.Name == b }) {
			return true
		}
	}
	return false
}

// reportManifestCollisions reports servers of an apm manifest that get one name
// in the files of clients, where at least one is from the registry. What runs is
// known of the others, and those are judged as in any other file.
func reportManifestCollisions(p *Pass, doc *mcp.Document) {
	if doc.Format != "apm" {
		return
	}
	first := map[string]*mcp.Server{}
	for _, s := range doc.Servers {
		short := lastSegment(s.Name)
		before := first[short]
		switch {
		case short == "":
		case before == nil:
			first[short] = s
		case s.Identity.Kind == identity.None || before.Identity.Kind == identity.None:
			f := at(s)
			f.Message = fmt.Sprintf("%q and %q are both called %q in the files of most clients: apm overwrites one with the other",
				s.Name, before.Name, short)
			f.Related = []Related{seeAlso(before, "called %q, too", short)}
			p.Report(f)
		}
	}
}
