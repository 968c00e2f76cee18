package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// plain are the formats that need only the places of their files and one of a few shapes: most
// clients copy one another's. How a client reads such a file is in the table of clients
// (mcp.Clients). A format that needs a reader of its own has its own file instead.
var plain = []*shape.Format{
	// The cross-tool file that several clients began to share.
	standard("agents", mcp.ScopeProject, ".agents/mcp.json"),
	// The file from which AgentSync writes those of the clients (dallay/agentsync).
	tables("agentsync", mcp.ScopeGenerator, ".agents/agentsync.toml"),
	// JetBrains Air in a project (jetbrains.com/help/air).
	standard("air", mcp.ScopeProject, ".air/mcp.json"),
	// Amazon Q Developer in a project: the old file, and that of its plugins for
	// editors (amazon-q-developer-cli docs/agent-format.md).
	standard("amazon-q", mcp.ScopeProject, ".amazonq/mcp.json", ".amazonq/default.json"),
	// A place that looks like Amazon Q's and that it does not read.
	standard("amazon-q-mcp", mcp.ScopeProject, ".q/mcp-config.json", ".q/mcp_config.json", ".q/mcp.json"),
	// Amp's settings of a project. The root key is one key with a dot.
	atHome(settings("amp", mcp.ScopeProject, []string{"amp.mcpServers", "mcpServers"}, ".amp/settings.json", ".amp/settings.jsonc"),
		".config/amp/settings.json", ".config/amp/settings.jsonc"),
	// Where repositories keep Antigravity's servers.
	atHome(standard("antigravity", mcp.ScopeProject,
		".agents/mcp_config.json", ".agent/mcp_config.json", ".antigravitycli/mcp_config.json"),
		".gemini/antigravity/mcp_config.json", ".gemini/antigravity-cli/mcp_config.json", ".gemini/config/mcp_config.json",
		".gemini/mcp_config.json"),
	// A place that looks like Antigravity's and that it does not read.
	standard("antigravity-mcp", mcp.ScopeProject, ".antigravity/mcp_config.json"),
	// Auggie's settings of a project, and the file that overrides them on one machine.
	settings("auggie", mcp.ScopeProject, []string{"mcpServers"}, ".augment/settings.json", ".augment/settings.local.json"),
	// Claude Desktop's settings, committed as a sample, as a copy for each system or
	// in dotfiles.
	standard("claude-desktop", mcp.ScopeUser, "claude_desktop_config.json", "claude_desktop_config_*.json", "claude_desktop_config-*.json"),
	// Places that look like Claude Code's and that it does not read (claude-code
	// issue 5037); MCPorter does.
	standard("claude-legacy", mcp.ScopeProject, ".claude/mcp.json", ".claude/.mcp.json"),
	// Claude Code's state in a home directory, with the servers of every project.
	settings("claude-user", mcp.ScopeUser, []string{"mcpServers"}, ".claude.json"),
	// Cline's file, which it keeps in its home and repositories as a copy.
	standard("cline", mcp.ScopeUser, "cline_mcp_settings.json", ".cline/mcp.json", ".cline/mcp_settings.json"),
	// Codex's settings of a project; those of a home directory may be split into
	// profiles.
	atHome(tables("codex", mcp.ScopeProject, ".codex/config.toml"), ".codex/*.config.toml", "codex/config.toml"),
	// Custom agents of Codex, each a layer of settings: it finds every file below
	// .codex/agents (openai/codex codex-rs/core/src/config/agent_roles.rs, 2026).
	tables("codex-agent", mcp.ScopeAgent, ".codex/agents/*.toml", ".codex/agents/*/*.toml"),
	// Continue's files of servers in a project, each a list.
	withBlocks(yamlFile("continue", mcp.ScopeProject, []string{"mcpServers"}, ".continue/mcpServers/*.yaml", ".continue/mcpServers/*.yml")),
	// Continue's own settings, as dotfiles hold them.
	withBlocks(yamlFile("continue-config", mcp.ScopeUser, []string{"mcpServers"}, ".continue/config.yaml", ".continue/config.yml")),
	// Files of other clients that Continue reads unchanged, from a directory of its own.
	standard("continue-json", mcp.ScopeProject, ".continue/mcpServers/*.json"),
	// GitHub Copilot CLI's own file in a project, read if there is no .mcp.json.
	standard("copilot-cli", mcp.ScopeProject, ".github/mcp.json"),
	// The file that GitHub Copilot CLI reads in a home directory, and nowhere else.
	standard("copilot-cli-user", mcp.ScopeUser, ".copilot/mcp-config.json"),
	// The manifest of a plugin at the places where GitHub Copilot CLI looks first.
	manifest("copilot-plugin", ".plugin/plugin.json", ".github/plugin/plugin.json"),
	// Cursor's file in a project.
	standard("cursor", mcp.ScopeProject, ".cursor/mcp.json"),
	// The file of Deep Agents Code in a project.
	standard("deepagents", mcp.ScopeProject, ".deepagents/.mcp.json"),
	// Devin's file in a project, and the file that overrides it on one machine.
	atHome(standard("devin", mcp.ScopeProject, ".devin/mcp_config.json", ".devin/mcp_config.local.json"), ".config/devin/mcp_config.json"),
	// Devin's settings of a project, where its servers were before.
	settings("devin-settings", mcp.ScopeProject, []string{"mcpServers"}, ".devin/config.json"),
	// Factory Droid's file in a project; .factory/plugins.json is something else.
	standard("factory", mcp.ScopeProject, ".factory/mcp.json"),
	// The settings of fast-agent.
	yamlFile("fast-agent", mcp.ScopeAgent, []string{"servers"}, "fastagent.config.yaml", "fast-agent.yaml"),
	// What fast-agent overrides its settings with, which is not to be committed.
	secretsFile("fast-agent-secrets", "fastagent.secrets.yaml"),
	// Firebase Studio's file in a project.
	standard("firebase-studio", mcp.ScopeProject, ".idx/mcp.json"),
	// Firebender's settings of a project.
	settings("firebender", mcp.ScopeProject, []string{"mcpServers"}, "firebender.json"),
	// The files from which ruler, rulesync, agentsmesh and the like write those of the clients:
	// the place to fix an error in all of them.
	standard("generator", mcp.ScopeGenerator,
		".ruler/mcp.json", ".rulesync/mcp.jsonc", ".rulesync/mcp.json", ".rulesync/.mcp.json", ".agentsmesh/mcp.json"),
	// Grok Build's settings of a project.
	tables("grok", mcp.ScopeProject, ".grok/config.toml"),
	// The manifest of a Grok Build plugin, and the files of servers that it names.
	manifest("grok-plugin", ".grok-plugin/plugin.json"),
	// Hermes Agent's settings of a home directory, and those of its profiles.
	yamlFile("hermes", mcp.ScopeUser, []string{"mcp_servers"}, ".hermes/config.yaml", ".hermes/profiles/*/config.yaml"),
	// JetBrains AI Assistant's file in a project.
	standard("jetbrains-ai-assistant", mcp.ScopeProject, ".ai/mcp/mcp.json"),
	// Junie's file in a project.
	standard("junie", mcp.ScopeProject, ".junie/mcp/mcp.json", ".junie/mcp/.mcp.json"),
	// Kilo Code's file before it adopted opencode's shape, at both places from which it imports
	// the servers (7.7.9).
	standard("kilo-legacy", mcp.ScopeProject, ".kilocode/mcp.json", ".kilo/mcp.json"),
	// Kimi Code's file in a project.
	standard("kimi", mcp.ScopeProject, ".kimi-code/mcp.json", ".kimi/mcp.json"),
	// Kiro's file in a project.
	standard("kiro", mcp.ScopeProject, ".kiro/settings/mcp.json"),
	// The settings of LiteLLM's proxy (docs.litellm.ai/docs/mcp, October 2026).
	yamlFile("litellm", mcp.ScopeAgent, []string{"mcp_servers"},
		"litellm_config.yaml", "litellm_config.yml", "litellm-config.yaml", "litellm-config.yml", "litellm.config.yaml", "litellm.yaml"),
	// LM Studio's file of a home directory, as dotfiles hold it.
	standard("lm-studio", mcp.ScopeUser, ".lmstudio/mcp.json"),
	// Mastra Code's file in a project.
	standard("mastra", mcp.ScopeProject, ".mastracode/mcp.json"),
	// The settings of mcp-agent.
	yamlFile("mcp-agent", mcp.ScopeAgent, []string{"servers"}, "mcp_agent.config.yaml"),
	// What mcp-agent overrides its settings with, which is not to be committed.
	secretsFile("mcp-agent-secrets", "mcp_agent.secrets.yaml"),
	// The file that mcphub.nvim reads in a home directory, and writes there
	// (ravitemer/mcphub.nvim doc/mcp/servers_json.md).
	standard("mcphub-nvim", mcp.ScopeUser, ".config/mcphub/servers.json"),
	// MCPorter's servers in a project.
	settings("mcporter", mcp.ScopeProject, []string{"mcpServers"},
		"config/mcporter.json", "config/mcporter.jsonc", "mcporter.json", "mcporter.jsonc"),
	// oh-my-pi's file in a project.
	standard("oh-my-pi", mcp.ScopeProject, ".omp/mcp.json", ".omp/.mcp.json"),
	// OpenClaw's settings of a home directory. Most are JSON5: mcplumb reports one that is not
	// JSON with comments as not read (docs.openclaw.ai/gateway/configuration-reference).
	unmarked(settings("openclaw", mcp.ScopeUser, []string{"mcp.servers"}, "openclaw.json")),
	// The settings of the program in Go that was called opencode first; opencode reads none.
	settings("opencode-hidden", mcp.ScopeProject, []string{"mcpServers", "mcp"}, ".opencode.json"),
	// A place that looks like opencode's and that it does not read (opencode issue 13875).
	standard("opencode-mcp", mcp.ScopeProject, ".opencode/mcp.json", ".opencode/mcp.jsonc"),
	// Pi's file in a project.
	standard("pi", mcp.ScopeProject, ".pi/mcp.json"),
	// The servers that Casys PML's own gateway starts. They are its own: no client
	// loads them when it opens the project.
	standard("pml-servers", mcp.ScopeAgent, "config/.mcp-servers.json", "config/.mcp-servers.example.json"),
	// Qoder's file: in a home directory for sure, and at the same place in projects.
	atHome(standard("qoder", mcp.ScopeProject, ".qoder/mcp.json"), "SharedClientCache/mcp.json"),
	// The settings of Qoder's command line in a project.
	settings("qoder-settings", mcp.ScopeProject, []string{"mcpServers"}, ".qoder/settings.json", ".qoder/settings.local.json"),
	// Roo Code's file in a project.
	standard("roo", mcp.ScopeProject, ".roo/mcp.json"),
	// Rovo Dev's file in a project.
	standard("rovo-dev", mcp.ScopeProject, ".rovodev/mcp.json"),
	// The settings file of ruler, from which it writes those of clients.
	tables("ruler", mcp.ScopeGenerator, ".ruler/ruler.toml"),
	// Tabnine's file in a project, for its agent in editors (docs.tabnine.com, mcp-intro-and-setup).
	standard("tabnine", mcp.ScopeProject, ".tabnine/mcp_servers.json"),
	// The settings of Tabnine's command line in a project (docs.tabnine.com, mcp-server-config).
	settings("tabnine-settings", mcp.ScopeProject, []string{"mcpServers"}, ".tabnine/agent/settings.json"),
	// Trae's file in a project.
	standard("trae", mcp.ScopeProject, ".trae/mcp.json"),
	// Mistral Vibe's settings of a project: [[mcp_servers]] with names.
	tables("vibe", mcp.ScopeProject, ".vibe/config.toml"),
	// Warp's file in a project.
	standard("warp", mcp.ScopeProject, ".warp/.mcp.json"),
	// Windsurf's file of a home directory, as dotfiles hold it.
	standard("windsurf", mcp.ScopeUser, ".codeium/windsurf/mcp_config.json"),
	// Places in a project that look like Windsurf's and that it does not read.
	standard("windsurf-mcp", mcp.ScopeProject, ".windsurf/mcp_config.json", ".windsurf/mcp.json"),
	// ZCode's settings of a project, with the servers two keys deep.
	{
		Name: "zcode", Scope: mcp.ScopeProject, Paths: []string{".zcode/config.json", "zcode.json"}, Home: []string{".zcode/cli/config.json"},
		Keys: []string{"mcp"}, Roots: []string{},
		Parse: (*syntax.Parser).JSON, Read: shape.ReadServers,
	},
}

// unmarked returns a format of files in a language that mcplumb parses only in part, so that a
// file which does not parse is not reported.
func unmarked(f *shape.Format) *shape.Format {
	f.Keys, f.Marks, f.JSON5 = []string{"servers"}, []string{}, true
	return f
}

// atHome returns a format with the places that its files have in a home
// directory.
func atHome(f *shape.Format, paths ...string) *shape.Format {
	f.Home = paths
	return f
}

// withBlocks returns a format of Continue's in which an entry may name a block of
// its hub, which is defined there (blockItemWrapperSchema).
// A file needs a name and a version (baseConfigYamlSchema).
func withBlocks(f *shape.Format) *shape.Format {
	f.Begin = beginContinue
	f.Skip = func(entry *syntax.Node) bool { return !shape.IsServer(entry) && entry.Get("uses") != nil }
	return f
}

// beginContinue returns a file's own name as the name, and the version and the schema of
// every example (docs.continue.dev/customize/deep-dives/mcp).
func beginContinue(file string) []edit.Member {
	name := path.Base(file)
	return []edit.Member{
		{Name: "name", Value: edit.String(strings.TrimSuffix(name, path.Ext(name)))},
		{Name: "version", Value: edit.String("0.0.1")},
		{Name: "schema", Value: edit.String("v1")},
	}
}

// standard returns a format of the shape that most clients share: a JSON file
// of its own with the servers as a map under one root key.
func standard(name string, scope mcp.Scope, paths ...string) *shape.Format {
	return &shape.Format{Name: name, Scope: scope, Paths: paths, Dedicated: true, Parse: (*syntax.Parser).JSON, Read: shape.ReadServers}
}

// settings returns a format of JSON files in which a client keeps its servers among many other
// settings; most have no servers.
func settings(name string, scope mcp.Scope, roots []string, paths ...string) *shape.Format {
	return &shape.Format{
		Name: name, Scope: scope, Paths: paths, Keys: roots, Roots: roots,
		Parse: (*syntax.Parser).JSON, Read: shape.ReadServers,
	}
}

// tables returns a format of TOML files with servers under mcp_servers: a table
// of tables ([mcp_servers.NAME]), or an array of them ([[mcp_servers]]).
func tables(name string, scope mcp.Scope, paths ...string) *shape.Format {
	return &shape.Format{
		Name: name, Scope: scope, Paths: paths, Keys: []string{"mcp", "MCP"}, Marks: []string{"mcp_servers", "mcpServers"},
		Roots: []string{"mcp_servers", "mcpServers", "mcp-servers", "mcp.servers", "mcp"},
		Parse: (*syntax.Parser).TOML, Read: shape.ReadServers,
	}
}

// yamlFile returns a format of YAML files with the servers under one of the
// root keys. marks are the words without which a file has no such key.
func yamlFile(name string, scope mcp.Scope, marks []string, paths ...string) *shape.Format {
	return &shape.Format{
		Name: name, Scope: scope, Paths: paths, Keys: marks, Marks: marks, Roots: []string{},
		Parse: (*syntax.Parser).YAML, Read: shape.ReadServers,
	}
}

// secretsFile returns a format of YAML files that override an agent's settings: keys of
// providers, and values for the settings' servers. An entry without a server adds to one of the
// settings.
func secretsFile(name string, paths ...string) *shape.Format {
	f := yamlFile(name, mcp.ScopeAgent, []string{"servers"}, paths...)
	f.Keys, f.Read, f.ReadOnly = []string{":"}, readSecrets, true
	f.Skip = func(entry *syntax.Node) bool { return !shape.IsServer(entry) }
	return f
}

// readSecrets reads all declared secrets, and the servers that are complete.
func readSecrets(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		doc = in.Document()
	}
	doc.SecretMembers = shape.TextMembers(nil, in.Tree.Root, func(string) bool { return true })
	if len(doc.Servers) == 0 && len(doc.SecretMembers) == 0 {
		return nil
	}
	return doc
}

// manifest returns a format of plugin manifests.
func manifest(name string, paths ...string) *shape.Format {
	return &shape.Format{
		Name: name, Scope: mcp.ScopePlugin, Paths: paths, Dedicated: true,
		Parse: (*syntax.Parser).JSON, Read: readPlugin,
	}
}
