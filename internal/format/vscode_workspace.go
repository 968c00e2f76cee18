package format

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscodeWorkspace is a VS Code workspace: folders and their common settings.
var vscodeWorkspace = &shape.Format{
	Name:  "vscode-workspace",
	Scope: mcp.ScopeProject,
	Paths: []string{"*.code-workspace"},
	Keys:  []string{"mcp", "mcp.servers", "mcpServers"},
	Roots: []string{"settings.mcp.servers", "mcp.servers", "settings.mcp", "settings.mcpServers", "mcp", "mcpServers"},
	Parse: (*syntax.Parser).JSON,
	Read:  readWorkspace,
}

func readWorkspace(in *shape.Input) *mcp.Document {
	if in.Context.Vars != nil {
		setFolders(in)
	}
	return shape.ReadWithInputs(in)
}

// setFolders sets the value of ${workspaceFolder}: the only folder. With several folders the
// value depends on the one that a server is started for.
func setFolders(in *shape.Input) {
	folders := in.Tree.Root.Get("folders")
	if folders == nil || len(folders.Nodes) == 0 {
		return
	}
	dir, ok := folderOf(in, folders.Nodes[0].Get("path"))
	for _, name := range []string{"workspaceFolder", "workspaceRoot"} {
		if ok && len(folders.Nodes) == 1 {
			in.Context.Vars[name] = dir
		} else {
			delete(in.Context.Vars, name)
		}
	}
}

// folderOf returns the directory of a workspace folder, if it is in the
// repository.
func folderOf(in *shape.Input, n *syntax.Node) (string, bool) {
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
