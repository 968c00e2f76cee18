package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// autoApproval finds settings of a repository that let a server start or its tools run
// without asking the user.
var autoApproval = &rule.Rule{
	ID:       "auto-approval",
	Title:    "servers start or tools run without asking",
	Severity: rule.Warning,
	// Settings approve even where the servers in the same file are not loaded.
	Reads: reads.Selection{Examples: true, Unread: true, Shared: true},
	Run:   runAutoApproval,
}

// allowFewer is the help for an entry in which all tools are approved.
const allowFewer = "remove this setting, or allow only the tools you need"

func runAutoApproval(p *rule.Pass) {
	for doc := range p.Documents() {
		for _, approval := range doc.Approvals {
			reportApproval(p, doc, approval)
		}
	}
}

// reportApproval reports an approval of every server, or of every tool of one. A list may name
// servers to start, or single tools: that is its purpose. A server whose tools may all run is
// a note.
func reportApproval(p *rule.Pass, doc *mcp.Document, a mcp.Approval) {
	f := rule.Finding{File: doc.File, Span: a.Span, Server: a.Server}
	switch {
	case a.Grant == mcp.StartServer && a.Server != "", a.Tool != "", isSaidToBeWider(p, doc, a):
		return
	case a.Grant == mcp.StartServer:
		f.Help = `remove this setting, and list the servers you trust in "enabledMcpjsonServers"`
		if slices.ContainsFunc(doc.Approvals, func(other mcp.Approval) bool { return other.Grant == mcp.StartServer && other.Server != "" }) {
			f.Help = `remove this setting, so that "enabledMcpjsonServers" counts`
		}
		f.Message = wording.Say("%s starts every server in this project without asking, including servers added later", a.Client.Title)
	case a.Until != "":
		f.Severity = rule.Note
		f.Message = wording.Say("this setting makes %s before %s run every tool without asking, but newer versions ignore it in a project", a.Client.Title, a.Until)
		f.Help = "remove the setting"
	case a.Server == "":
		f.Message = wording.Say("%s runs every tool of every server without asking, including tools added later", a.Client.Title)
		f.Help = allowFewer
	default:
		f.Message = wording.Say("%s runs every tool of %q without asking, including tools the server adds later", a.Client.Title, a.Server)
		f.Help = allowFewer
		if a.ByName {
			f.Severity = rule.Note
			f.Group = rule.Group{Key: a.Client.ID + "\x00" + a.Server, Message: "also approved here"}.Within(p.Project.Dir)
		}
	}
	p.Report(f)
}
