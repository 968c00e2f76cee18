package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
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
		if len(doc.Servers) == 0 {
			continue
		}
		if by := shadowingFile(p.Project, doc); by != nil {
			reportShadowedFile(p, doc, by)
			continue
		}
		for _, s := range doc.Servers {
			if by, name := overridden(p.Project, s); by != nil {
				reportOverridden(p, s, by, name)
			}
		}
	}
}

// shadowingFile returns the document that keeps all clients of another from
// reading it, or nil.
func shadowingFile(p *mcp.Project, doc *mcp.Document) *mcp.Document {
	for other := range used(p) {
		switch {
		case doc.Format == "copilot-cli" && other.Format == "claude-code" && path.Base(other.File.Path) == ".mcp.json",
			doc.Format == "holodeck-config" && other.Format == doc.Format && other.File.Path == twin(doc.File.Path):
			return other
		}
	}
	return nil
}

// twin returns the config.yml beside a config.yaml: HoloDeck reads the first it
// finds.
func twin(file string) string {
	if before, ok := strings.CutSuffix(file, ".yaml"); ok {
		return before + ".yml"
	}
	return ""
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
	f.Message = fmt.Sprintf("%s does not read this file: it reads %s instead", doc.Clients[0].Title, by.File.Path)
	f.Related = []Related{{File: by.File, Span: related, Message: "read instead"}}
	p.Report(f)
}

// overridden returns the agent that has a tool of the name of a server in
// HoloDeck's settings, with the place of the tool's name, or nil: the agent's
// own goes first, whatever kind of tool it is.
func overridden(p *mcp.Project, s *mcp.Server) (*mcp.Document, identity.Word) {
	if s.Document.Format != "holodeck-config" {
		return nil, identity.Word{}
	}
	for doc := range used(p) {
		if doc.Format != "holodeck" {
			continue
		}
		for _, own := range doc.Servers {
			if own.Name == s.Name {
				return doc, identity.Word{Text: own.Extra().Registry.Text, Span: own.NameSpan}
			}
		}
		i := slices.IndexFunc(doc.Taken, func(w identity.Word) bool { return w.Text == s.Name })
		if i >= 0 {
			return doc, identity.Word{Span: doc.Taken[i].Span}
		}
	}
	return nil, identity.Word{}
}

func reportOverridden(p *Pass, s *mcp.Server, agent *mcp.Document, own identity.Word) {
	f := at(s)
	f.Message = fmt.Sprintf("%s does not load %q from here: %s has a tool of that name", s.Document.Clients[0].Title, s.Name, agent.File.Path)
	if s.Extra().Registry.Text != "" && own.Text == "" {
		f.Severity = Warning
		f.Message += ", written by hand, and this one is from the registry"
	}
	f.Related = []Related{{File: agent.File, Span: own.Span, Message: "loaded instead"}}
	p.Report(f)
}

// inEffect returns the servers of a project's documents that are not shadowed.
func inEffect(p *mcp.Project, servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		if shadowingFile(p, s.Document) != nil {
			return true
		}
		by, _ := overridden(p, s)
		return by != nil
	})
}
