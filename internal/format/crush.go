package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// crush are Crush's settings of a project. Many a crush.json is about something
// else; crushrc has a format of its own.
var crush = &shape.Format{
	Name: "crush", Scope: mcp.ScopeProject, Paths: []string{"crush.json", ".crush.json"}, Home: []string{".config/crush/crush.json"},
	Keys: []string{"MCP", "MCp", "McP", "Mcp", "mCP", "mCp", "mcP", "mcp"}, Marks: []string{`"mcp"`, "mcp:"}, Roots: []string{"mcp"},
	Parse: parseCrush, Read: readCrush,
}

// crushMembers are the keys that Crush knows at the top of its settings and in an entry
// (internal/config/config.go, MCPConfig), sorted.
var crushMembers = []string{
	"args", "command", "disabled", "disabled_tools", "enabled_tools", "env", "headers", "mcp", "options", "permissions", "timeout", "type", "url",
}

// parseCrush reads keys as Crush does, which decodes with encoding/json: without regard to letter
// case, and the last one of a name counts (internal/config/load.go, LoadReader).
func parseCrush(p *syntax.Parser, file *syntax.File) (*syntax.Tree, error) {
	tree, err := p.JSON(file)
	if err != nil || tree.Root == nil {
		return tree, err
	}
	foldKeys(tree, tree.Root)
	for _, m := range tree.Root.Nodes {
		if m.Name == "mcp" {
			for _, entry := range m.Nodes {
				foldKeys(tree, entry)
			}
		}
	}
	slices.SortFunc(tree.Duplicates, func(a, b syntax.Duplicate) int { return a.Again.Key.Start - b.Again.Key.Start })
	return tree, nil
}

// foldKeys gives the members of an object that Crush knows the names that it knows them by. Two
// that become the same are one key that is written twice.
func foldKeys(tree *syntax.Tree, object *syntax.Node) {
	first := map[string]*syntax.Node{}
	for _, m := range object.Nodes {
		known := slices.IndexFunc(crushMembers, func(name string) bool { return strings.EqualFold(name, m.Name) })
		if object.Kind != syntax.Object || known < 0 {
			continue
		}
		isOther := m.Name != crushMembers[known]
		m.Name = crushMembers[known]
		if before := first[m.Name]; before == nil {
			first[m.Name] = m
		} else if isOther {
			tree.Duplicates = append(tree.Duplicates, syntax.Duplicate{First: before, Again: m, Object: object.Value})
		}
	}
}

// readCrush reads the servers, and the tools that may run or are disabled: mcp_SERVER_TOOL.
func readCrush(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		return nil
	}
	servers := shape.ServerNames(doc)
	for i, list := range []*syntax.Node{in.Tree.Root.At("permissions", "allowed_tools"), in.Tree.Root.At("options", "disabled_tools")} {
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			refs := in.ToolNamedAfter(servers, n.Value, n.Text, "mcp_")
			doc.References = append(doc.References, refs...)
			if len(refs) > 0 && i == 0 {
				doc.Approvals = append(doc.Approvals, mcp.Approval{
					Client: mcp.ClientByID("crush"), Grant: mcp.RunTools, Server: refs[0].Name, ByName: true, Span: n.Value,
					Tool: strings.TrimPrefix(n.Text, "mcp_"+refs[0].Name+"_"),
				})
			}
		}
	}
	return doc
}
