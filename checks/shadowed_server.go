package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// shadowedServer finds entries that their client does not use, because another
// file or entry goes before them.
var shadowedServer = &rule.Rule{
	ID:       "shadowed-server",
	Title:    "an entry that its client will not use",
	Severity: rule.Note,
	Reads:    reads.Present,
	Run:      runShadowedServer,
}

func runShadowedServer(p *rule.Pass) {
	for doc := range p.Documents() {
		switch {
		case len(doc.Servers) == 0:
		case doc.ReadInstead != nil:
			reportShadowedFile(p, doc, doc.ReadInstead)
		default:
			for _, s := range doc.Servers {
				if by := s.Extra().Overridden; by != nil {
					reportOverridden(p, s, by)
				}
			}
		}
	}
}

func reportShadowedFile(p *rule.Pass, doc, by *mcp.Document) {
	f := rule.Finding{File: doc.File, Span: doc.Root}
	related := by.Root
	if doc.Root.IsZero() {
		f.Span = doc.Servers[0].NameSpan
	}
	if related.IsZero() {
		related = syntax.Span{Start: 0, End: 0}
		if len(by.Servers) > 0 {
			related = by.Servers[0].NameSpan
		}
	}
	f.Message = wording.Say("%s reads %s and not this file: move its servers there, or remove them", doc.Clients[0].Title, by.File.Path)
	f.Related = []rule.Related{{File: by.File, Span: related, Message: "read instead"}}
	p.Report(f)
}

func reportOverridden(p *rule.Pass, s *mcp.Server, by *mcp.Override) {
	f := rule.At(s)
	taken := "a tool of that name"
	if s.Extra().Registry.Text != "" && by.ByHand {
		f.Severity, taken = rule.Warning, "a tool of that name written by hand, while this one is from the registry"
	}
	f.Message = wording.Say("%s does not load %q from here, because %s has %s: rename one of them, or remove this one",
		s.Document.Clients[0].Title, s.Name, by.Document.File.Path, taken)
	f.Related = []rule.Related{{File: by.Document.File, Span: by.Span, Message: "loaded instead"}}
	p.Report(f)
}
