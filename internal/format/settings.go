package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// settings returns a format of JSON files in which a client keeps its servers
// beside much else; most hold none.
func settings(name string, scope mcp.Scope, keys []string, paths ...string) *Format {
	return &Format{
		Name: name, Scope: scope, Paths: paths, Keys: quoted(keys), Roots: keys,
		Parse: syntax.ParseJSON, Read: readServers,
	}
}

func quoted(keys []string) []string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = `"` + key + `"`
	}
	return list
}

// amp are Amp's settings of a project. The root key is one key with a dot.
func amp() *Format {
	return settings("amp", mcp.ScopeProject, []string{"amp.mcpServers", "mcpServers"}, ".amp/settings.json", ".amp/settings.jsonc")
}

// crush are Crush's settings of a project. Many a crush.json is about something
// else; crushrc is a shell script and not read.
func crush() *Format {
	f := settings("crush", mcp.ScopeProject, []string{"mcp"}, "crush.json", ".crush.json")
	f.Read = readCrush
	return f
}

// readCrush reads the servers, and the tools that may run or are switched off:
// mcp_SERVER_TOOL.
func readCrush(in *Input) *mcp.Document {
	doc := readServers(in)
	if doc == nil {
		return nil
	}
	servers := serverNames(doc)
	for _, list := range []*syntax.Node{in.Tree.Root.At("permissions", "allowed_tools"), in.Tree.Root.At("options", "disabled_tools")} {
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			doc.References = append(doc.References, in.toolNamedAfter(servers, n.Value, n.Text, "mcp_")...)
		}
	}
	return doc
}

// firebender are Firebender's settings of a project.
func firebender() *Format {
	return settings("firebender", mcp.ScopeProject, []string{"mcpServers"}, "firebender.json")
}

// zed are Zed's settings of a project. The context_servers of a profile of its
// agent are switches for tools that name servers, and an entry without a command is the settings
// of an extension.
func zed() *Format {
	f := settings("zed", mcp.ScopeProject, []string{"context_servers", "mcpServers"}, ".zed/settings.json")
	f.Read = readZed
	return f
}

// readZed reads the servers, and their names in the profiles of the agent.
func readZed(in *Input) *mcp.Document {
	doc := readServers(in)
	profiles := in.Tree.Root.At("agent", "profiles")
	if doc == nil || profiles == nil {
		return doc
	}
	for _, profile := range profiles.Nodes {
		if servers := profile.Get("context_servers"); servers != nil && servers.Kind == syntax.Object {
			for _, n := range servers.Nodes {
				doc.References = append(doc.References, in.nameIn(n.Key, n.Name, 0, len(n.Name))...)
			}
		}
	}
	return doc
}

// devcontainer are the servers that a development container brings to VS Code.
func devcontainer() *Format {
	f := settings("devcontainer", mcp.ScopeProject, nil,
		".devcontainer/devcontainer.json", ".devcontainer.json", ".devcontainer/*/devcontainer.json")
	f.Keys = []string{`"mcp"`, `"mcp.servers"`}
	f.Roots = []string{"customizations.vscode.mcp.servers"}
	f.Read = readWithInputs
	return f
}

// mcporter are the servers of MCPorter in a project.
func mcporter() *Format {
	return settings("mcporter", mcp.ScopeProject, []string{"mcpServers"},
		"config/mcporter.json", "config/mcporter.jsonc", "mcporter.json", "mcporter.jsonc")
}
