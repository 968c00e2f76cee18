package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// shadowedServer finds entries that their client ignores, because it uses another file or
// entry instead.
var shadowedServer = &rule.Rule{
	ID:       "shadowed-server",
	Title:    "a client ignores an entry, because another file or entry replaces it",
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
	f.Message = wording.Say("%s ignores this file, because it reads %s instead", doc.Clients[0].Title, by.File.Path)
	f.Help = wording.Say("move these servers to %s, or delete them", by.File.Path)
	f.Related = []rule.Related{{File: by.File, Span: related, Message: "read instead"}}
	p.Report(f)
}

func reportOverridden(p *rule.Pass, s *mcp.Server, by *mcp.Override) {
	f := rule.At(s)
	from, has := "", "a tool with that name"
	if s.Extra().Registry.Text != "" && by.ByHand {
		f.Severity, from, has = rule.Warning, " (from the MCP registry)", "a handwritten tool with that name"
	}
	f.Message = wording.Say("%s ignores %q%s here, because %s has %s", s.Document.Clients[0].Title, s.Name, from, by.Document.File.Path, has)
	f.Help = "rename one of the two, or delete this one"
	f.Related = []rule.Related{{File: by.Document.File, Span: by.Span, Message: "loaded instead"}}
	p.Report(f)
}
