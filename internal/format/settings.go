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
	return settings("crush", mcp.ScopeProject, []string{"mcp"}, "crush.json", ".crush.json")
}

// firebender are Firebender's settings of a project.
func firebender() *Format {
	return settings("firebender", mcp.ScopeProject, []string{"mcpServers"}, "firebender.json")
}

// zed are Zed's settings of a project. The context_servers of a profile of its
// agent are switches for tools, and an entry without a command is the settings
// of an extension.
func zed() *Format {
	return settings("zed", mcp.ScopeProject, []string{"context_servers", "mcpServers"}, ".zed/settings.json")
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
