package checks

import (
	"fmt"
	"maps"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// duplicateServer finds a server that one client starts twice.
var duplicateServer = &Check{
	ID:       "duplicate-server",
	Title:    "one client starts the same server twice",
	Severity: Warning,
	Reads:    started,
	Run:      runDuplicateServer,
}

func runDuplicateServer(p *Pass) {
	separate := keptSeparate(p.Project)
	reportBundleTwins(p, separate)
	for _, set := range effectiveSets(p.Project) {
		if !p.looksAt(set[0]) {
			continue
		}
		refused := map[*mcp.Server]*mcp.Server{}
		for _, doc := range set {
			maps.Copy(refused, reportRefusedRepeats(p, doc))
			reportRegistryDuplicates(p, doc)
		}
		servers := running(set)
		if len(set) > 1 {
			servers = inEffect(p.Project, servers)
		}
		for _, group := range equivalent(servers) {
			for _, again := range group[1:] {
				if refused[again] == nil && !isAlias(group[0], again) && !separate[packageKey(&again.Identity)] {
					reportDuplicate(p, group[0], again)
				}
			}
		}
	}
}

func reportDuplicate(p *Pass, first, again *mcp.Server) {
	f := at(again)
	f.Message = fmt.Sprintf("%q starts the same server as %q (%s%s)",
		again.Name, first.Name, runs(again), difference(&first.Identity, &again.Identity))
	f.Related = []Related{seeAlso(first, "first started here")}
	f.Duplicate = duplicateOf(first, again)
	p.Report(f)
}

// duplicateOf says for programs that an entry repeats another.
func duplicateOf(first, again *mcp.Server) *Duplicate {
	return &Duplicate{Of: first.Name, Bundle: packageOf(again), OriginalBundle: packageOf(first)}
}

// packageOf returns the bundle or package that declares an entry, "" if nobody
// knows of one.
func packageOf(s *mcp.Server) string {
	if isManaged(s) {
		return bundleOf(s)
	}
	return s.Document.BundleName()
}

// difference says how two equivalent entries are written differently.
func difference(a, b *identity.Identity) string {
	switch {
	case a.Bridge != nil && b.Bridge != nil && a.Bridge.Name != b.Bridge.Name:
		return fmt.Sprintf(", through %s and %s", a.Bridge.Name, b.Bridge.Name)
	case a.BridgeName() != b.BridgeName():
		return fmt.Sprintf(", once through %s", a.BridgeName()+b.BridgeName())
	case a.Version.Text != b.Version.Text:
		return fmt.Sprintf(", versions %s and %s", versionName(a.Version), versionName(b.Version))
	}
	return ""
}

func versionName(v identity.Version) string {
	if v.Text == "" {
		return "unpinned"
	}
	return v.Text
}
