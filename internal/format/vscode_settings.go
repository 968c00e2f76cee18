package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodeSettings are VS Code's settings of a project, where the servers lived
// before .vscode/mcp.json. Keys of other extensions are not VS Code's to judge.
var vscodeSettings = &shape.Format{
	Name:  "vscode-settings",
	Scope: mcp.ScopeProject,
	Paths: []string{".vscode/settings.json"},
	Keys:  []string{"mcp", "mcp.servers", "mcpServers", "chat.tools.autoApprove"},
	Marks: []string{`"mcp"`, `"mcp.servers"`, `"mcpServers"`, "mcp:", "mcp.servers:", "mcpServers:"},
	Roots: []string{"mcp.servers", "mcp", "mcpServers"},
	Parse: (*syntax.Parser).JSON,
	Read:  readVSCodeSettings,
}

// readVSCodeSettings reads the servers, and the switch that runs every tool without asking.
// Releases since August 2025 no longer read it from a project (CVE-2025-53773), and none ever
// read its successor, chat.tools.global.autoApprove, from one: it is registered for applications
// and machines.
func readVSCodeSettings(in *shape.Input) *mcp.Document {
	doc := shape.ReadWithInputs(in)
	if granted := shape.Trusts(in.Tree.Root.Get("chat.tools.autoApprove"), "true"); granted != nil {
		doc = withApproval(in, doc, mcp.Approval{Client: mcp.ClientByID("vscode"), Grant: mcp.RunTools, Until: "August 2025", Span: memberSpan(granted)})
	}
	return doc
}

// withApproval adds an approval to the document of a settings file, which may be nil.
func withApproval(in *shape.Input, doc *mcp.Document, a mcp.Approval) *mcp.Document {
	if doc == nil {
		doc = in.Document()
		doc.Scope = mcp.ScopeSettings
	}
	doc.Approvals = append(doc.Approvals, a)
	return doc
}

// memberSpan returns the span of a member with its key.
func memberSpan(m *syntax.Node) syntax.Span { return syntax.Span{Start: m.Key.Start, End: m.Value.End} }
