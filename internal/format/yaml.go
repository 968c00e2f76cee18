package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// yamlFile returns a format of YAML files with the servers under one of the
// root keys. marks are the words without which a file has no such key.
func yamlFile(name string, scope mcp.Scope, marks []string, paths ...string) *Format {
	return &Format{
		Name: name, Scope: scope, Paths: paths, Keys: marks, Marks: marks, Roots: []string{},
		Parse: syntax.ParseYAML, Read: readServers,
	}
}

// continueYAML are Continue's files of servers in a project, each a list.
func continueYAML() *Format {
	return yamlFile("continue", mcp.ScopeProject, []string{"mcpServers"},
		".continue/mcpServers/*.yaml", ".continue/mcpServers/*.yml")
}

// continueJSON are files of other clients that Continue takes as they are, from
// the same directory.
func continueJSON() *Format {
	return standard("continue-json", mcp.ScopeProject, ".continue/mcpServers/*.json")
}

// continueConfig are Continue's own settings, as dotfiles hold them.
func continueConfig() *Format {
	return yamlFile("continue-config", mcp.ScopeUser, []string{"mcpServers"}, ".continue/config.yaml", ".continue/config.yml")
}

// fastAgent are the settings of fast-agent.
func fastAgent() *Format {
	return yamlFile("fast-agent", mcp.ScopeAgent, []string{"servers"},
		"fastagent.config.yaml", "fastagent.secrets.yaml", "fast-agent.yaml")
}

// mcpAgent are the settings of mcp-agent.
func mcpAgent() *Format {
	return yamlFile("mcp-agent", mcp.ScopeAgent, []string{"servers"},
		"mcp_agent.config.yaml", "mcp_agent.secrets.yaml")
}

// librechat is LibreChat's configuration. Only the root key at the top holds
// servers; interface.mcpServers are rights of its users.
func librechat() *Format {
	f := yamlFile("librechat", mcp.ScopeAgent, []string{"mcpServers"},
		"librechat.yaml", "librechat.yml", "librechat.*.yaml", "librechat.*.yml")
	f.Read = readLibreChat
	return f
}

// readLibreChat reads the servers, and their names in the presets of models.
func readLibreChat(in *Input) *mcp.Document {
	doc := readServers(in)
	specs := in.Tree.Root.At("modelSpecs", "list")
	if doc == nil || specs == nil {
		return doc
	}
	for _, spec := range specs.Nodes {
		list := spec.Get("mcpServers")
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			if n.IsString() {
				doc.References = append(doc.References, in.nameIn(n.Value, n.Text, 0, len(n.Text))...)
			}
		}
	}
	return doc
}

// goose are Goose's settings, as dotfiles and a few projects hold them.
func goose() *Format {
	f := yamlFile("goose", mcp.ScopeUser, []string{"extensions"},
		".goose/config.yaml", ".config/goose/config.yaml", "dot_config/goose/config.yaml", "dot_config/goose/private_config.yaml")
	f.Skip = isGooseBuiltin
	return f
}

// gooseRecipe are recipes: an agent with its extensions as a list.
func gooseRecipe() *Format {
	f := yamlFile("goose-recipe", mcp.ScopeAgent, []string{"extensions"},
		"recipe.yaml", "recipe.yml", ".goose/recipes/*.yaml", ".goose/recipes/*.yml", "goose-recipe*.yaml", "goose-recipe.yaml")
	f.Skip = isGooseBuiltin
	return f
}

// isGooseBuiltin reports whether an extension is part of Goose and no server,
// whatever else it says.
func isGooseBuiltin(entry *syntax.Node) bool {
	if word := entry.Get("type"); word.IsString() {
		switch word.Text {
		case "builtin", "platform", "frontend", "inline_python":
			return true
		}
	}
	return false
}

// genericYAML are YAML files whose name says MCP, or that are known to have
// mcp_servers among other things. They are read by their content alone.
func genericYAML() *Format {
	f := yamlFile("generic-yaml", mcp.ScopeGeneric, []string{"mcp_servers", "mcpServers", "mcp-servers", "mcp:"},
		"mcp.yaml", "mcp.yml", ".mcp.yaml", ".mcp.yml", "mcp_config.yaml", "mcp-config.yaml", "mcp_config.yml", "mcp-config.yml",
		"mcp_servers.yaml", "mcp-servers.yaml", "mcp_servers.yml", "mcp-servers.yml", "mcpServers.yaml",
		"crewbase.yaml", "crew.yaml")
	f.Roots = []string{"mcpServers", "mcp_servers", "mcp-servers", "mcp.servers"}
	return f
}

// genericTOML are the same in TOML.
func genericTOML() *Format {
	return &Format{
		Name: "generic-toml", Scope: mcp.ScopeGeneric,
		Paths: []string{"mcp.toml", ".mcp.toml", "mcp_config.toml", "mcp-config.toml", "mcp_servers.toml", "mcp-servers.toml"},
		Keys:  []string{"mcp_servers", "mcpServers", "mcp-servers"}, Marks: []string{"[mcp_servers", "[mcpServers", "[mcp-servers"},
		Roots: []string{"mcpServers", "mcp_servers", "mcp-servers"},
		Parse: syntax.ParseTOML, Read: readServers,
	}
}
