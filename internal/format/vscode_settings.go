package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodeSettings are VS Code's settings of a project, where the servers lived
// before .vscode/mcp.json. Keys of other extensions are not VS Code's to judge.
var vscodeSettings = &Format{
	Name:  "vscode-settings",
	Scope: mcp.ScopeProject,
	Paths: []string{".vscode/settings.json"},
	Keys:  []string{"mcp", "mcp.servers", "mcpServers", "chat.tools.autoApprove", "chat.tools.global.autoApprove"},
	Marks: []string{`"mcp"`, `"mcp.servers"`, `"mcpServers"`, "mcp:", "mcp.servers:", "mcpServers:"},
	Roots: []string{"mcp.servers", "mcp", "mcpServers"},
	Parse: (*syntax.Parser).JSON,
	Read:  readVSCodeSettings,
}

// readVSCodeSettings reads the servers, and the switch that runs every tool
// without asking. Releases since August 2025 do not take it from a project any
// more (CVE-2025-53773).
func readVSCodeSettings(in *Input) *mcp.Document {
	doc := readWithInputs(in)
	for _, key := range []string{"chat.tools.autoApprove", "chat.tools.global.autoApprove"} {
		granted := trusts(in.Tree.Root.Get(key), "true")
		if granted == nil {
			continue
		}
		if doc == nil {
			doc = in.document()
			doc.Scope = mcp.ScopeSettings
		}
		span := syntax.Span{Start: granted.Key.Start, End: granted.Value.End}
		doc.Approvals = append(doc.Approvals, mcp.Approval{Client: mcp.ClientByID("vscode"), Grant: mcp.RunTools, Span: span})
	}
	return doc
}
