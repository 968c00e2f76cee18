// Package apm is what is true of the Agent Package Manager alone.
package apm

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportManifestCollisions reports servers of an apm manifest that get one name
// in the files of clients, where at least one is from the registry. The manifest says what the
// others run, so those are judged as in any other file.
func ReportManifestCollisions(p *rule.Pass) {
	for doc := range p.Documents() {
		if doc.Format != "apm" {
			continue
		}
		first := map[string]*mcp.Server{}
		for _, s := range doc.Servers {
			short := s.Name[strings.LastIndexByte(s.Name, '/')+1:]
			before := first[short]
			switch {
			case short == "":
			case before == nil:
				first[short] = s
			case s.Identity.Kind == identity.None || before.Identity.Kind == identity.None:
				f := rule.At(s)
				f.Message = wording.Say("%q and %q are both called %q in the files of most clients, so apm overwrites one with the other",
					s.Name, before.Name, short)
				f.Help = "keep only one of the two"
				f.Related = []rule.Related{rule.SeeAlso(before, "also called %q", short)}
				p.Report(f)
			}
		}
	}
}
