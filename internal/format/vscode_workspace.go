package format

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodeWorkspace is a VS Code workspace: folders and their common settings.
var vscodeWorkspace = &Format{
	Name:  "vscode-workspace",
	Scope: mcp.ScopeProject,
	Paths: []string{"*.code-workspace"},
	Keys:  []string{"mcp", "mcp.servers", "mcpServers"},
	Roots: []string{"settings.mcp.servers", "mcp.servers", "settings.mcp", "settings.mcpServers", "mcp", "mcpServers"},
	Parse: (*syntax.Parser).JSON,
	Read:  readWorkspace,
}

func readWorkspace(in *Input) *mcp.Document {
	if in.context.Vars != nil {
		in.setFolders()
	}
	return readWithInputs(in)
}

// setFolders sets what ${workspaceFolder} stands for: the only folder. Of
// several it depends on the one a server is started for.
func (in *Input) setFolders() {
	folders := in.Tree.Root.Get("folders")
	if folders == nil || len(folders.Nodes) == 0 {
		return
	}
	dir, ok := in.folder(folders.Nodes[0].Get("path"))
	for _, name := range []string{"workspaceFolder", "workspaceRoot"} {
		if ok && len(folders.Nodes) == 1 {
			in.context.Vars[name] = dir
		} else {
			delete(in.context.Vars, name)
		}
	}
}

// folder returns the directory of a workspace folder, if it is in the
// repository.
func (in *Input) folder(n *syntax.Node) (string, bool) {
	if !n.IsString() || path.IsAbs(n.Text) {
		return "", false
	}
	dir := path.Join(in.Match.Dir, n.Text)
	if dir == ".." || len(dir) > 2 && dir[:3] == "../" {
		return "", false
	}
	if dir == "." {
		dir = ""
	}
	return dir, true
}
