package checks

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// autoApproval finds settings of a repository by which nobody is asked before a
// server starts or its tools run.
func autoApproval() *Check {
	return &Check{
		ID:       "auto-approval",
		Title:    "servers or tools that run without asking",
		Severity: Warning,
		Run:      runAutoApproval,
	}
}

// runAutoApproval leaves out copies of somebody's own settings: what they trust
// is their own business.
func runAutoApproval(p *Pass) {
	for _, doc := range p.Project.Documents {
		if doc.Role == mcp.Fixture || doc.Scope == mcp.ScopeUser {
			continue
		}
		for _, approval := range doc.Approvals {
			reportApproval(p, doc, approval)
		}
	}
}

// reportApproval reports what goes for every server, or for every tool of one.
// That a list names a server to start is what the list is for; that it names one
// whose tools may all run is a note.
func reportApproval(p *Pass, doc *mcp.Document, a mcp.Approval) {
	f := Finding{File: doc.File, Span: a.Span, Server: a.Server}
	switch {
	case a.Grant == mcp.StartServer && a.Server != "":
		return
	case a.Grant == mcp.StartServer:
		f.Message = fmt.Sprintf("%s starts every server of the project without asking, also those that a later change adds: "+
			"name the servers in enabledMcpjsonServers", a.Client.Title)
	case a.Server == "":
		f.Message = fmt.Sprintf("%s runs every tool of every server without asking: name the tools that may run", a.Client.Title)
	default:
		f.Message = fmt.Sprintf("%s runs every tool of %q without asking, also those that the server adds later: name the tools that may run",
			a.Client.Title, a.Server)
		if a.ByName {
			f.Severity = Note
		}
	}
	p.Report(f)
}

// approvedAt returns the places where a client that loads a server is told to
// start it, or to run its tools, by its name alone: they hold whatever the name
// stands for.
func approvedAt(project *mcp.Project, s *mcp.Server) []Related {
	var places []Related
	for _, doc := range project.Documents {
		for _, a := range doc.Approvals {
			named := a.Server == s.Name || a.Server == ""
			if named && doc.Role == mcp.InUse && s.Document.Scope == mcp.ScopeProject && isLoadedBy(s.Document, a.Client) {
				places = append(places, Related{File: doc.File, Span: a.Span, Message: "approved here, whatever it runs"})
			}
		}
	}
	return places
}

// isLoadedBy reports whether a client loads the servers of a document.
func isLoadedBy(doc *mcp.Document, client *mcp.Client) bool {
	return slices.Contains(doc.Loaders(), client)
}
