package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// shadowedServer finds entries that their client does not use, because another
// file or entry goes before them.
var shadowedServer = &Check{
	ID:       "shadowed-server",
	Title:    "an entry that its client will not use",
	Severity: Note,
	Reads:    inUse,
	Run:      runShadowedServer,
}

func runShadowedServer(p *Pass) {
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

func reportShadowedFile(p *Pass, doc, by *mcp.Document) {
	f := Finding{File: doc.File, Span: doc.Root}
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
	f.Message = say("%s does not read this file: it reads %s instead", doc.Clients[0].Title, by.File.Path)
	f.Related = []Related{{File: by.File, Span: related, Message: "read instead"}}
	p.Report(f)
}

func reportOverridden(p *Pass, s *mcp.Server, by *mcp.Override) {
	f := at(s)
	f.Message = say("%s does not load %q from here: %s has a tool of that name", s.Document.Clients[0].Title, s.Name, by.Document.File.Path)
	if s.Extra().Registry.Text != "" && by.ByHand {
		f.Severity = Warning
		f.Message += ", written by hand, and this one is from the registry"
	}
	f.Related = []Related{{File: by.Document.File, Span: by.Span, Message: "loaded instead"}}
	p.Report(f)
}

// inEffect returns the servers that their clients load.
func inEffect(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		return s.Document.ReadInstead != nil || s.Extra().Overridden != nil
	})
}
