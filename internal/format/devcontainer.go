package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// devcontainer are the servers that a development container adds to VS Code.
var devcontainer = &shape.Format{
	Name: "devcontainer", Scope: mcp.ScopeProject,
	Paths: []string{".devcontainer/devcontainer.json", ".devcontainer.json", ".devcontainer/*/devcontainer.json"},
	Keys:  []string{"mcp", "mcp.servers", autoApprove}, Roots: []string{"customizations.vscode.mcp.servers"},
	Parse: (*syntax.Parser).JSON, Read: readDevcontainer,
}

// autoApprove is VS Code's setting by which every tool runs without asking.
const autoApprove = "chat.tools.global.autoApprove"

// readDevcontainer reads the servers, and the settings: VS Code treats these as settings of the
// machine that the container is, so they may contain settings that a project may not set. Source:
// containers.dev/supporting, "customizations".
func readDevcontainer(in *shape.Input) *mcp.Document {
	doc := shape.ReadWithInputs(in)
	nodes := shape.Lookup(in.Tree.Root, "customizations.vscode.settings", nil)
	if nodes == nil {
		return doc
	}
	if granted := shape.Trusts(nodes[len(nodes)-1].Get(autoApprove), "true"); granted != nil {
		doc = withApproval(in, doc, mcp.Approval{Client: mcp.ClientByID("vscode"), Grant: mcp.RunTools, Span: memberSpan(granted)})
	}
	return doc
}
