package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// autoApproval finds settings of a repository by which the user is not asked before a
// server starts or its tools run.
var autoApproval = &rule.Rule{
	ID:       "auto-approval",
	Title:    "servers or tools that run without asking",
	Severity: rule.Warning,
	// Settings approve, whether or not the servers beside are loaded.
	Reads: reads.Selection{Examples: true, Unread: true, Shared: true},
	Run:   runAutoApproval,
}

func runAutoApproval(p *rule.Pass) {
	for doc := range p.Documents() {
		for _, approval := range doc.Approvals {
			reportApproval(p, doc, approval)
		}
	}
}

// reportApproval reports what goes for every server, or for every tool of one.
// That a list names a server to start, or single tools, is what the list is for; that it
// names a server whose tools may all run is a note.
func reportApproval(p *rule.Pass, doc *mcp.Document, a mcp.Approval) {
	f := rule.Finding{File: doc.File, Span: a.Span, Server: a.Server}
	switch {
	case a.Grant == mcp.StartServer && a.Server != "", a.Tool != "", isSaidToBeWider(p, doc, a):
		return
	case a.Grant == mcp.StartServer:
		instead := "name the servers in enabledMcpjsonServers instead"
		if slices.ContainsFunc(doc.Approvals, func(other mcp.Approval) bool { return other.Grant == mcp.StartServer && other.Server != "" }) {
			instead = "remove this, so that enabledMcpjsonServers counts"
		}
		f.Message = wording.Say("%s starts every server of the project without asking, even those that a later change adds: %s", a.Client.Title, instead)
	case a.Until != "":
		f.Severity = rule.Note
		f.Message = wording.Say("releases of %s before %s run every tool without asking, and later ones do not take this from a project: remove it", a.Client.Title, a.Until)
	case a.Server == "":
		f.Message = wording.Say("%s runs every tool of every server without asking: remove this, or approve only the tools you need", a.Client.Title)
	default:
		f.Message = wording.Say("%s runs every tool of %q without asking, even those that it adds later: remove this, or approve only the tools you need",
			a.Client.Title, a.Server)
		if a.ByName {
			f.Severity = rule.Note
			f.Group = rule.Group{Key: a.Client.ID + "\x00" + a.Server, Message: "approved here, too"}.Within(p.Project.Dir)
		}
	}
	p.Report(f)
}
