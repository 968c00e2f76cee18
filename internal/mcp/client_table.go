package mcp

import (
	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// clients is the table behind Clients, sorted by ID. It is data: a new client
// is one entry here and its formats in package format. Facts that could not be
// verified are left out, so that no rule is built on them.
var clients = []*Client{
	{
		// Several tools began to read this place in 2026, and none documents it as its own, so
		// mcplumb does not judge what a member means.
		ID: "agents", Title: "a client that reads .agents/mcp.json",
		FileFacts: FileFacts{
			Files: []Reading{{
				Format: "agents", Roots: []string{"mcpServers"},
				Dirs: []Dir{{"PWD", ProjectDir}, {"workspaceFolder", ProjectDir}},
			}},
			LoadedTogether: []string{"agents"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}, {Name: "serverUrl"}},
			},
		},
		Source: Source{From: "files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "air", Title: "JetBrains Air",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "air", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"air"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "jetbrains.com/help/air/mcp-servers.html", Seen: "2026-11-21"},
	},
	{
		// Which of its files it loads at once depends on the agent in use.
		ID: "amazon-q", Title: "Amazon Q Developer",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "amazon-q", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "amazon-q-agent", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
			NotLoaded: []NotLoadedFiles{{Format: "amazon-q-mcp", Instead: ".amazonq/mcp.json"}},
		},
		EntryFacts: EntryFacts{
			Fields:    sharedFields,
			SomeTypes: []Type{{"http", "http"}},
			Native:    []string{"http"},
			Schema:    amazonQSchema,
			// tokio's Command, after variables of the environment are filled in.
			NoShell: true,
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		VariableFacts: VariableFacts{
			// In env and headers, and $VAR in the command: client.rs of 2026-04-23, issue 3646.
			Syntaxes: []secret.Syntax{secret.EnvColon},
			Literal:  []secret.Syntax{secret.Braced},
		},
		Source: Source{From: "amazon-q-developer-cli docs/agent-format.md, crates/chat-cli/src/mcp_client/client.rs", Version: "source of 2026-04-23", Seen: "2026-11-28"},
	},
	{
		ID: "amp", Title: "Amp",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "amp", Roots: []string{"amp.mcpServers"}, Flat: true, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"amp"},
		},
		EntryFacts:    EntryFacts{Fields: neighboursFields},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced}},
		Source:        Source{From: "stacklok/toolhive; ampcode.com/manual", Seen: "2026-11-21"},
	},
	{
		ID: "antigravity", Title: "Antigravity",
		FileFacts: FileFacts{
			NotLoaded: []NotLoadedFiles{{Format: "antigravity-mcp", Instead: ".agents/mcp_config.json", Home: "~/.gemini/config/mcp_config.json"}},
			Files: []Reading{
				{Format: "antigravity", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "antigravity-plugin", Roots: []string{"mcpServers"}, Others: true},
			},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "serverUrl"}, {Name: "url"}, {Name: "httpUrl", Transport: "http"}},
			},
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		VariableFacts: VariableFacts{
			// Seen in what servers got, in env and headers: antigravity-cli issue 233,
			// github/github-mcp-server issue 2418. Nothing was tried with ${env:VAR}.
			Literal: []secret.Syntax{secret.Braced, secret.Bare, secret.EnvBraces},
		},
		Source: Source{From: "antigravity.google/docs/mcp; gleanwork/mcp-config-schema; snyk/agent-scan; google-antigravity/antigravity-cli and github/github-mcp-server issues", Seen: "2026-11-22"},
	},
	{
		ID: "auggie", Title: "Auggie",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "auggie", Roots: []string{"mcpServers"}, Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}}}},
			LoadedTogether: []string{"auggie"},
		},
		EntryFacts: EntryFacts{
			Fields: neighboursFields,
			Native: []string{"http", "sse"},
		},
		Source: Source{From: "docs.augmentcode.com/cli/integrations; docs.augmentcode.com/cli/config; dyoshikawa/rulesync src/constants/augmentcode-paths.ts", Seen: "2026-11-22"},
	},
	{
		ID: "claude-code", Title: "Claude Code",
		FileFacts: FileFacts{
			Files: []Reading{
				{
					Format: "claude-code", Roots: []string{"mcpServers"},
					NoCwd: true, // claude-code issues 17565, 42883 and 54786
					// The plugin's variable is here because whether a directory is a
					// plugin does not always show in its .mcp.json.
					Dirs: []Dir{{"CLAUDE_PROJECT_DIR", ProjectDir}, {"PWD", ProjectDir}, {"CLAUDE_PLUGIN_ROOT", ProjectDir}},
					// "Missing environment variables: CLAUDE_PROJECT_DIR" (2.1.330, 2026-11-28).
					Unset: []string{"CLAUDE_PROJECT_DIR"},
					// Skipped with a warning, each tried with 2.1.330 on 2026-11-28 (claude mcp list).
					// "claude mcp add" refuses other characters than [a-zA-Z0-9_-], but a name
					// in the file is loaded with them (normalizeNameForMCP). A plugin's servers
					// are called plugin:PLUGIN:NAME.
					Names: Naming{
						Reserved: []string{
							"Slack sign-in (Claude Code tag)", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
						},
						Folded: []string{
							"Claude_Browser", "Claude_Preview", "Claude_in_Chrome", "ccr-email", "claude-code-remote", "claude-device",
							"claude-in-chrome", "claude_ai", "computer-use", "hearthbot", "remote-devices", "webagent", "workspace",
						},
					},
				},
				{Format: "claude-agent", Roots: []string{"mcpServers"}, Lists: true, Dirs: []Dir{{"CLAUDE_PROJECT_DIR", ProjectDir}, {"PWD", ProjectDir}}},
				{
					// CLAUDE_PROJECT_DIR is another repository there. A project's .mcp.json without a
					// root key is refused as a whole (2.1.330, 2026-11-20).
					Format: "claude-plugin", Roots: []string{"mcpServers"}, Bare: true, BareInPlugin: true,
					Dirs: []Dir{{"CLAUDE_PLUGIN_ROOT", ProjectDir}},
				},
				{Format: "claude-command"},  // names tools
				{Format: "claude-settings"}, // switches; mcpServers is ignored since 2.1.47
				// The file of a home directory: code.claude.com/docs/en/mcp, user scope.
				{Format: "claude-user", Roots: []string{"mcpServers"}, Dirs: []Dir{{"CLAUDE_PROJECT_DIR", ProjectDir}, {"PWD", ProjectDir}}},
			},
			NotLoaded: []NotLoadedFiles{
				{Format: "claude-settings", Instead: ".mcp.json"}, // claude-code issue 24477
				{Format: "claude-legacy", Instead: ".mcp.json"},   // claude-code issues 5037 and 42217
				// code.claude.com/docs/en/plugins-reference, MCP servers
				{Format: "generic", Name: "mcp.json", Plugin: "claude-plugin", Instead: ".mcp.json"},
			},
			LoadedTogether: []string{"claude-code"},
			// code.claude.com/docs/en/settings, November 2026: "applied to every session".
			Environment: []EnvironmentFile{{".claude/settings.json", "env"}, {".claude/settings.local.json", "env"}},
			// Comments make the whole file unreadable: claude-code issue 9906. A BOM did up to
			// some release (issue 69354); 2.1.330 loads the file (2026-11-20).
			Strict: true,
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "claude mcp list", Version: "2.1.330", Seen: "2026-11-28"},
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"streamable-http", "http"}, {"sse", "sse"}, {"ws", "ws"}},
			// The entry fails the schema and is skipped without a word up to 2.1.273:
			// 21st-dev/magic-mcp issue 82, zapier/zapier-mcp pull request 18.
			NeedsType: true,
			// Skipped by 2.1.330 (November 2026), in the list of "claude mcp list".
			Binding: []string{"stdio", "http", "streamable-http", "sse", "ws"},
			Native:  []string{"http", "sse", "ws"},
			Schema:  claudeCodeSchema,
			// claude-code issues 335 and 6028, wallabyjs/console-ninja issue 412: spawn … ENOENT.
			NoShell: true,
			// "Windows requires 'cmd /c' wrapper to execute npx" (2.1.116: claude-code issue 51750,
			// 2026-04-21); before and after also issue 9594 and claude-plugins-official issue 4589.
			NeedsCmd: []string{"npx"},
			// "Leading or trailing whitespace in: command" (2.1.330, 2026-11-28).
			KeepsBlanks: true,
		},
		VariableFacts: VariableFacts{
			Source:   Source{From: "claude mcp list", Version: "2.1.330", Seen: "2026-11-28"},
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.UserConfig},
			NoOthers: true,
			// claude mcp list of 2.1.330, 2026-11-28; nested defaults also issue 25563.
			PlainDefaults: true,
			// claude-code issue 37580.
			KeepsTilde: true,
			// Variables of the environment that it sets, with another meaning in a
			// plugin and in a project.
			Predefined: []string{"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"},
		},
		SwitchFacts: SwitchFacts{
			Source: Source{From: "claude mcp list", Version: "2.1.330", Seen: "2026-11-28"},
			// Switches are lists in its settings: 2.1.330 has an entry with "disabled": true or
			// "enabled": false pending like any other (claude mcp list).
			NoOff: true,
		},
		Lists:  allow.ClaudeCode,
		Source: Source{From: "claude-code CHANGELOG and issues; code.claude.com/docs/en/mcp", Seen: "2026-11-24"},
	},
	{
		ID: "claude-desktop", Title: "Claude Desktop",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "claude-desktop", Roots: []string{"mcpServers"}}},
			LoadedTogether: []string{"claude-desktop"},
			// A BOM empties the list of servers: tradesdontlie/tradingview-mcp issue 406.
			Strict: true, RefusesBOM: true,
		},
		EntryFacts: EntryFacts{
			// An entry with a URL is skipped as invalid: cboxdk/statamic-mcp issue 20.
			// Remote servers are added as connectors, outside this file.
			Fields: Fields{Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}},
		},
		VariableFacts: VariableFacts{
			// Values are handed on as they are written.
			NoOthers: true,
		},
		Source: Source{From: "modelcontextprotocol.io/quickstart/user; gleanwork/mcp-config-schema", Seen: "2026-11-21"},
	},
	{
		ID: "cline", Title: "Cline",
		FileFacts: FileFacts{Files: []Reading{{Format: "cline", Roots: []string{"mcpServers"}}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type", "transportType"},
				URL:    []URLField{{Name: "url"}},
				Within: "transport", // as "cline mcp add" writes it: nestedTransportConfigSchema at 21cb8d25, 2026-08-22
			},
			SomeTypes:  []Type{{"stdio", "stdio"}, {"streamableHttp", "http"}, {"sse", "sse"}},
			WritesType: true, // a URL without a type means SSE
			// Each is a literal in a union of objects: schemas.ts at 1a196376. The client ignores
			// the one of transportType.
			Binding: []string{"stdio", "streamableHttp", "sse"},
			Native:  []string{"http", "sse"},
			Schema:  clineSchema,
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}, SomeTools: "autoApprove"},
		Source:      Source{From: "cline src/services/mcp/schemas.ts", Version: "21cb8d25 of 2026-08-22", Seen: "2026-11-28"},
	},
	{
		ID: "codex", Title: "Codex",
		FileFacts: FileFacts{
			Files: []Reading{
				{
					Format: "codex", Roots: []string{"mcp_servers"}, Dirs: []Dir{{"PWD", ProjectDir}}, Names: codexNames,
					Fatal: true, // codex mcp list of 0.169.0, 2026-11-28, also for a project's file
				},
				{Format: "codex-agent", Roots: []string{"mcp_servers"}, Dirs: []Dir{{"PWD", ProjectDir}}, Names: codexNames},
				// A file that a manifest names may also be the entries alone; a type is
				// dropped, ${CLAUDE_PLUGIN_ROOT} handed on as it is: codex issue 19582.
				{Format: "codex-plugin", Roots: []string{"mcpServers", "mcp_servers"}, Bare: true, Start: ProjectDir, Names: codexNames},
			},
			LoadedTogether: []string{"codex"},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "codex mcp list", Version: "0.169.0", Seen: "2026-11-28"},
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"http_headers"}, URL: []URLField{{Name: "url", Transport: ""}},
			},
			// A URL together with a command, its arguments or its environment is an error.
			OneTarget: true,
			Native:    []string{"http"},
			Schema:    codexSchema,
			NoShell:   true,
		},
		SwitchFacts: SwitchFacts{
			Source:   Source{From: "codex mcp list", Version: "0.169.0", Seen: "2026-11-28"},
			Off:      Off{"enabled", false},
			AllTools: Trust{"default_tools_approval_mode", "approve"},
			EachTool: Trust{"approval_mode", "approve"},
		},
		VariableFacts: VariableFacts{
			Source:   Source{From: "codex mcp list", Version: "0.169.0", Seen: "2026-11-28"},
			NoOthers: true,
			// No variables: members of their own name them.
			EnvBy:     []string{"env_vars"},
			HeadersBy: []string{"env_http_headers", "bearer_token_env_var"},
		},
		Source: Source{From: "openai/codex codex-rs/config/src/mcp_types.rs, core/src/mcp_connection_manager.rs, core-plugins/src/manifest.rs, loader.rs, codex-mcp/src/plugin_config.rs, core/src/config/agent_roles.rs", Seen: "2026-11-24"},
	},
	{
		ID: "continue", Title: "Continue",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "continue", Roots: []string{"mcpServers"}, Lists: true},
				{Format: "continue-config", Roots: []string{"mcpServers"}, Lists: true},
				{
					// Taken over from other clients and never rendered: its converter turns ${VAR}
					// in env into a secret that is no longer looked up
					// (core/context/mcp/json/loadJsonMcpConfigs.ts, config-yaml convertJson.ts,
					// json.ts, June 2026).
					Format: "continue-json", Roots: []string{"mcpServers"},
					Dialect: &Dialect{Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}}, NoOthers: true},
				},
			},
			LoadedTogether: []string{"continue", "continue-json"},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "packages/config-yaml/src/schemas/mcp/index.ts", Version: "0a3f6338", Seen: "2026-11-24"},
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Type: []string{"type"}, URL: []URLField{{Name: "url"}}, Bearer: []string{"apiKey"},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"streamable-http", "http"}, {"sse", "sse"}},
			Binding:   []string{"stdio", "streamable-http", "sse"}, // literals in a union: index.ts at 0a3f6338
			Native:    []string{"http", "sse"},
			Schema:    continueSchema,
			// Through the TypeScript SDK: resolveCommandForPlatform puts cmd.exe before
			// programs of a list alone.
			NoShell: true,
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Secrets, secret.Inputs},
			NoOthers: true,
		},
		Source: Source{From: "continuedev/continue packages/config-yaml/src/schemas/mcp/index.ts, docs/customize/deep-dives/mcp.mdx, core/context/mcp/MCPConnection.ts", Seen: "2026-11-22"},
	},
	{
		ID: "copilot-agent", Title: "GitHub Copilot coding agent",
		FileFacts: FileFacts{Files: []Reading{{Format: "copilot-agent", Roots: []string{"mcp-servers"}}}},
		EntryFacts: EntryFacts{
			Fields: sharedFields,
			// Every entry of its documentation and of github/awesome-copilot has a type.
			SomeTypes:  []Type{{"local", "stdio"}, {"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			WritesType: true,
			Native:     []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.Bare, secret.Secrets, secret.Vars},
			NoOthers: true,
			// Secrets of other names do not reach the agent.
			EnvPrefix: "COPILOT_MCP_",
		},
		Source: Source{From: "github/docs copilot/reference/custom-agents-configuration.md", Seen: "2026-11-21"},
	},
	{
		ID: "copilot-cli", Title: "GitHub Copilot CLI",
		FileFacts: FileFacts{
			Files: []Reading{
				// Names of any characters are taken since 1.0.35 of 2026-04-23; before, others
				// than letters, digits, hyphens and underscores (dots, slashes and @ up to
				// 0.0.419 of 2026-02-27) made it refuse the file: its changelog.md.
				{Format: "claude-code", Roots: []string{"mcpServers"}, Bare: true, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "copilot-cli", Roots: []string{"mcpServers"}, Bare: true, Dirs: []Dir{{"PWD", ProjectDir}}, Unless: "../.mcp.json"},
				{Format: "copilot-cli-user", Roots: []string{"mcpServers"}},
				// Plugins written for Claude Code install in it, and its own have the
				// same .mcp.json (github/awesome-copilot plugins).
				{Format: "claude-plugin", Roots: []string{"mcpServers"}, Bare: true},
				{Format: "copilot-plugin", Roots: []string{"mcpServers", "components.mcpServers"}, Bare: true},
			},
			NotLoaded: []NotLoadedFiles{{ // github/copilot-cli issue 3642
				Format: "copilot-cli-user", Instead: ".github/mcp.json",
				Projects: []string{"agentic-workflow", "claude-code", "copilot-agent", "copilot-cli", "devcontainer", "vscode"},
			}},
			// .github/mcp.json is ignored where .mcp.json exists: never both.
			LoadedTogether: []string{"copilot-cli"},
			// A comment makes it skip the file: github/copilot-cli issue 4323.
			Strict: true,
		},
		SwitchFacts: SwitchFacts{
			Source: Source{From: "github/copilot-cli issue 3582", Version: "1.0.57", Seen: "2026-05"},
			NoOff:  true, // github/copilot-cli issue 3582: 1.0.57 of May 2026
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"}, // since 0.0.408
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			Types:  []Type{{"local", "stdio"}, {"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{
			// "disabled" is ignored: github/copilot-cli issue 3582.
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.Bare},
			// It asks for no inputs: github/copilot-cli issues 1841 and 4042 (open, July 2026).
			// Issue 903 asked for ${env:VAR} and got the three above (1.0.10, April 2026).
			Literal: []secret.Syntax{secret.Input, secret.EnvColon},
		},
		// The coding agent and Visual Studio read none: enterprise-managed-settings.md of github/docs.
		Lists:  allow.Copilot,
		Source: Source{From: "docs.github.com/en/copilot/reference/copilot-cli-reference; github/copilot-cli issues", Seen: "2026-11-21"},
	},
	{
		// Of crush.json and .crush.json the hidden one wins.
		ID: "crush", Title: "Crush",
		FileFacts: FileFacts{Files: []Reading{{Format: "crush", Roots: []string{"mcp"}, Dirs: []Dir{{"PWD", ProjectDir}}}}},
		EntryFacts: EntryFacts{
			Fields:     sharedFields,
			Types:      []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			NeedsType:  true,
			WritesType: true,
			// createTransport in internal/agent/tools/mcp/init.go: "requires a non-empty
			// 'command' field", and the same of the URL (August 2026).
			Binding: []string{"stdio", "http", "sse"},
			Native:  []string{"http", "sse"},
			NoShell: true,
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		VariableFacts: VariableFacts{
			// The shell's own expansion, of commands too.
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.Bare, secret.Command},
			NoOthers: true,
		},
		Source: Source{From: "charmbracelet/crush README, internal/config/config.go", Version: "source of 2026-08-21", Seen: "2026-11-28"},
	},
	{
		ID: "cursor", Title: "Cursor",
		FileFacts: FileFacts{
			Files: []Reading{
				{
					Format: "cursor", Roots: []string{"mcpServers"},
					Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}},
				},
				{Format: "cursor-plugin", Roots: []string{"mcpServers"}, Bare: true, Dirs: []Dir{{"CURSOR_PLUGIN_ROOT", ProjectDir}}, Others: true},
			},
			LoadedTogether: []string{"cursor"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			// The tables of cursor.com/docs/mcp (2026): command, args, env, envFile; url,
			// headers, auth.
			OwnWords: true,
			Native:   []string{"http", "sse"},
		},
		SwitchFacts: SwitchFacts{
			NoOff: true, // cursor/cursor issue 3656
		},
		VariableFacts: VariableFacts{
			Syntaxes:   []secret.Syntax{secret.EnvColon},
			NoOthers:   true,
			Predefined: []string{"userHome", "workspaceFolderBasename", "pathSeparator", "/"},
		},
		Source: Source{From: "cursor.com/docs/context/mcp; gleanwork/mcp-config-schema", Seen: "2026-11-21"},
	},
	{
		// It also reads a project's .mcp.json, which stays the file of Claude Code.
		ID: "deepagents", Title: "Deep Agents Code",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "deepagents", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"deepagents"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type", "transport"}, URL: []URLField{{Name: "url"}},
			},
			Types:  []Type{{"stdio", "stdio"}, {"http", "http"}, {"streamable_http", "http"}, {"streamable-http", "http"}, {"sse", "sse"}},
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault}},
		Source:        Source{From: "docs.langchain.com/oss/deepagents/code/mcp-tools; langchain-ai/deepagents pull request 4681; dyoshikawa/rulesync", Seen: "2026-11-22"},
	},
	{
		// Servers in .devin/config.json are moved into the file of their own when it
		// starts (3000.3).
		ID: "devin", Title: "Devin",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "devin", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "devin-settings", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "serverUrl"}, {Name: "url"}, {Name: "httpUrl", Transport: "http"}},
			},
		},
		Source: Source{From: "docs.devin.ai/cli/extensibility/mcp/configuration; dyoshikawa/rulesync src/features/mcp/devin-mcp.ts", Seen: "2026-11-22"},
	},
	{
		ID: "factory", Title: "Factory Droid",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "factory", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"factory"},
		},
		EntryFacts: EntryFacts{
			Fields:    neighboursFields,
			OwnWords:  true,                                                         // the schema in docs/cli/configuration/mcp.mdx of Factory-AI/factory (June 2026)
			SomeTypes: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}}, // the last by its program, 0.225.2
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		VariableFacts: VariableFacts{
			// In env and headers: an entry with another one that is not set is not started.
			Source:        Source{From: "the released program, npm @factory/cli-linux-x64", Version: "0.225.2", Seen: "2026-11-28"},
			Syntaxes:      []secret.Syntax{secret.Braced, secret.BracedDefault},
			NoOthers:      true,
			PlainDefaults: true,
		},
		Source: Source{From: "stacklok/toolhive; intellectronica/ruler", Seen: "2026-11-21"},
	},
	{
		ID: "fast-agent", Title: "fast-agent",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "fast-agent", Roots: []string{"mcp.servers"}},
				{Format: "fast-agent-secrets", Roots: []string{"mcp.servers"}},
			},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"transport"},
				URL: []URLField{{Name: "url"}}, Bearer: []string{"access_token"},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native:    []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedColon},
			NoOthers: true,
		},
		Source: Source{From: "evalstate/fast-agent src/fast_agent/config.py", Seen: "2026-11-21"},
	},
	{
		ID: "firebase-studio", Title: "Firebase Studio",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "firebase-studio", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"firebase-studio"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "intellectronica/ruler; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "firebender", Title: "Firebender",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "firebender", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"firebender"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "intellectronica/ruler; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "gemini-cli", Title: "Gemini CLI",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "gemini", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}, Names: Naming{Splits: '_'}},
				{
					Format: "gemini-extension", Roots: []string{"mcpServers"}, Start: DocumentDir,
					Dirs:  []Dir{{"extensionPath", DocumentDir}, {"workspacePath", ProjectDir}},
					Names: Naming{Splits: '_'},
				},
			},
			// Names with underscores: a warning in docs/tools/mcp-server.md.
			LoadedTogether: []string{"gemini"},
			// docs/reference/configuration.md of gemini-cli, November 2026.
			Environment: []EnvironmentFile{{Path: ".gemini/.env"}},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "packages/core/src/tools/mcp-client.ts", Version: "source of 2026-08-21", Seen: "2026-11-28"},
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"},
				// httpUrl wins over url. A url without a type is tried as streamable
				// HTTP, then as SSE; releases before that took it as SSE.
				URL: []URLField{{"httpUrl", "http"}, {"url", ""}},
			},
			OwnWords: true,
			Types:    []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native:   []string{"http", "sse"},
			// The TypeScript SDK starts what it is given with shell: false.
			NoShell: true,
		},
		SwitchFacts: SwitchFacts{
			Source: Source{From: "schemas/settings.schema.json; google-gemini/gemini-cli issue 6352", Version: "0027ff71", Seen: "2026-11-24"},
			// MCPServerConfig in schemas/settings.schema.json at 0027ff71 (2026) takes no others.
			NoOff:    true, // mcp.excluded is a list: google-gemini/gemini-cli issue 6352
			AllTools: Trust{"trust", "true"},
		},
		VariableFacts: VariableFacts{
			Source: Source{From: "its settings as it shows them; packages/cli/src/utils/envVarResolver.ts", Version: "0.61.0", Seen: "2026-11-28"},
			// Defaults since pull request 24469 (April 2026).
			Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.Bare, secret.Percent},
			NoOthers: true,
			// As 0.61.0 shows its settings, 2026-11-28.
			PlainDefaults: true,
			// gemini-cli issue 11778.
			KeepsTilde: true,
			Predefined: []string{"/", "pathSeparator"},
		},
		Source: Source{From: "gemini-cli docs/tools/mcp-server.md, docs/extensions/reference.md, docs/reference/configuration.md", Seen: "2026-11-24"},
	},
	{
		ID: "gh-aw", Title: "GitHub Agentic Workflows",
		FileFacts: FileFacts{Files: []Reading{{Format: "agentic-workflow", Roots: []string{"mcp-servers"}}}},
		EntryFacts: EntryFacts{
			Fields:    sharedFields,
			SomeTypes: []Type{{"stdio", "stdio"}, {"local", "stdio"}, {"http", "http"}},
			Native:    []string{"http"},
		},
		VariableFacts: VariableFacts{
			// What GitHub Actions fill in. Nothing was tried with variables of a shell, which
			// what it generates may expand.
			Syntaxes: []secret.Syntax{secret.Secrets, secret.Vars},
			// docs.github.com/en/actions/security-guides/using-secrets-in-github-actions
			Reserved: "GITHUB_",
		},
		Source: Source{From: "githubnext/gh-aw docs/src/content/docs/guides/mcps.md, pkg/parser/schemas/mcp_config_schema.json", Seen: "2026-11-22"},
	},
	{
		ID: "goose", Title: "Goose",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "goose", Roots: []string{"extensions"}},
				// Its extensions have no member "enabled", and others are passed over
				// (crates/goose/src/recipe/recipe_extension_adapter.rs).
				{Format: "goose-recipe", Roots: []string{"extensions"}, Lists: true, NoSwitch: true},
			},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "crates/goose/src/agents/extension.rs, extension_manager.rs", Version: "01cad15f", Seen: "2026-11-24"},
			Fields: Fields{
				Command: []string{"cmd"}, Args: []string{"args"}, Env: []string{"envs"},
				Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "uri"}},
			},
			Types:          []Type{{"stdio", "stdio"}, {"sse", "sse"}, {"streamable_http", "http"}},
			NeedsType:      true,
			NeedsEveryType: true,
			WritesType:     true,
			NeedsArgs:      true,
			// serde's tag: extension.rs at 01cad15f, where that for SSE needs no address.
			Binding: []string{"stdio", "streamable_http"},
			Native:  []string{"http"},
			Schema:  gooseSchema,
			// Command::new(cmd) with the arguments.
			NoShell: true,
		},
		SwitchFacts: SwitchFacts{Off: Off{"enabled", false}},
		Source:      Source{From: "block/goose documentation, crates/goose/src/agents/extension_manager.rs; gleanwork/mcp-config-schema; stacklok/toolhive", Seen: "2026-11-22"},
	},
	{
		ID: "grok", Title: "Grok Build",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "grok", Roots: []string{"mcp_servers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "grok-plugin", Roots: []string{"mcpServers", "mcp_servers"}, Bare: true},
			},
			LoadedTogether: []string{"grok"},
		},
		EntryFacts:  EntryFacts{Fields: neighboursFields},
		SwitchFacts: SwitchFacts{Off: Off{"enabled", false}},
		Source:      Source{From: "neondatabase/add-mcp; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "hermes", Title: "Hermes Agent",
		FileFacts: FileFacts{
			Files: []Reading{{Format: "hermes", Roots: []string{"mcp_servers"}, Dirs: []Dir{{"workspaceFolder", ProjectDir}}}},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			Native: []string{"http", "sse"},
		},
		SwitchFacts: SwitchFacts{Off: Off{"enabled", false}},
		VariableFacts: VariableFacts{
			Syntaxes:   []secret.Syntax{secret.Braced, secret.EnvColon},
			Predefined: []string{"userHome", "workspaceFolderBasename", "pathSeparator", "/"},
		},
		Source: Source{From: "NousResearch/hermes-agent website/docs/reference/mcp-config-reference.md", Seen: "2026-11-22"},
	},
	{
		// The transports it speaks depend on the backend of the agent, so none is listed here; the
		// reader of its files has what it refuses.
		ID: "holodeck", Title: "HoloDeck",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "holodeck", Roots: []string{"tools"}, Lists: true},
				{Format: "holodeck-config", Roots: []string{"mcp_servers"}, Lists: true, Unless: "config.yml"},
			},
			RefusesRepeats: true,
			LoadedTogether: []string{"holodeck", "holodeck-config"},
			MergesByName:   true, // the agent's own go first, for every kind of tool with that name
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"transport"},
				URL: []URLField{{Name: "url"}},
			},
			Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}, {"websocket", "ws"}},
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Braced},
			NoOthers: true,
		},
		Source: Source{From: "justinbarias/holodeck src/holodeck/models/tool.py, config/loader.py", Seen: "2026-11-21"},
	},
	{
		ID: "iflow", Title: "iFlow CLI",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "iflow", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"iflow"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "httpUrl", Transport: "http"}, {Name: "url"}},
			},
		},
		SwitchFacts:   SwitchFacts{AllTools: Trust{"trust", "true"}},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.Bare}},
		Source:        Source{From: "fork of Gemini CLI; iflow-ai/iflow-cli docs_en/configuration/settings.md", Seen: "2026-11-28"},
	},
	{
		// The path is the plugin's own default: llm.mcp.client.project.mcp.json.path
		// in its plugin.xml.
		ID: "jetbrains-ai-assistant", Title: "JetBrains AI Assistant",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "jetbrains-ai-assistant", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"jetbrains-ai-assistant"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "jetbrains.com/help/ai-assistant/mcp.html; dyoshikawa/rulesync src/constants/aiassistant-paths.ts", Seen: "2026-11-22"},
	},
	{
		ID: "junie", Title: "Junie",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "junie", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"junie"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "jetbrains.com/help/junie; gleanwork/mcp-config-schema", Seen: "2026-11-21"},
	},
	{
		ID: "kilo", Title: "Kilo Code",
		FileFacts: FileFacts{Files: []Reading{{Format: "kilo", Roots: []string{"mcp", "mcp.servers"}, Dirs: []Dir{{"PWD", ProjectDir}}}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, CommandKinds: Arrays,
				Env: []string{"environment"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "url"}},
			},
			// The shape of opencode, whose words they are.
			SomeTypes:  []Type{{"local", "stdio"}, {"remote", ""}},
			WritesType: true,
		},
		SwitchFacts: SwitchFacts{
			Off:  Off{"enabled", false},
			Offs: map[string]Off{"servers": {"disabled", true}},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.EnvBraces}},
		Source:        Source{From: "neondatabase/add-mcp; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "kilo-legacy", Title: "Kilo Code (before opencode)",
		FileFacts: FileFacts{
			Source:         Source{From: "the released program; packages/opencode/src/kilocode/mcp-migrator.ts", Version: "7.7.9", Seen: "2026-11-28"},
			Files:          []Reading{{Format: "kilo-legacy", Roots: []string{"mcpServers"}, Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}}}},
			LoadedTogether: []string{"kilo-legacy"},
		},
		EntryFacts: EntryFacts{
			Fields: neighboursFields,
			Types:  []Type{{"stdio", "stdio"}, {"streamable-http", "http"}, {"sse", "sse"}},
			// An error before opencode; what migrates the file since takes no other for an address.
			NeedsType: true,
		},
		SwitchFacts:   SwitchFacts{Off: Off{"disabled", true}, SomeTools: "alwaysAllow"},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.EnvColon}},
		Source:        Source{From: "Kilo-Org/kilocode src/services/mcp/McpHub.ts, packages/opencode/src/kilocode/mcp-migrator.ts", Seen: "2026-11-28"},
	},
	{
		ID: "kimi", Title: "Kimi Code",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "kimi", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"kimi"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native:    []string{"http", "sse"},
		},
		Source: Source{From: "neondatabase/add-mcp; stacklok/toolhive", Seen: "2026-11-21"},
	},
	{
		ID: "kiro", Title: "Kiro",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "kiro", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "kiro-agent", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "kiro-power", Roots: []string{"mcpServers"}},
			},
			LoadedTogether: []string{"kiro"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			Native: []string{"http", "sse"},
		},
		SwitchFacts: SwitchFacts{
			Off:      Off{"disabled", true},
			AllTools: Trust{"autoApprove", "*"}, SomeTools: "autoApprove",
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced}},
		Source:        Source{From: "kiro.dev/docs/mcp/configuration", Seen: "2026-11-21"},
	},
	{
		ID: "librechat", Title: "LibreChat",
		FileFacts: FileFacts{Files: []Reading{{Format: "librechat", Roots: []string{"mcpServers"}}}},
		EntryFacts: EntryFacts{
			Fields:     sharedFields,
			SomeTypes:  []Type{{"stdio", "stdio"}, {"streamable-http", "http"}, {"http", "http"}, {"sse", "sse"}, {"websocket", "ws"}},
			WritesType: true, // a URL without a type means SSE, or a web socket
			NeedsArgs:  true,
			Native:     []string{"http", "sse", "ws"},
			// Through the TypeScript SDK.
			NoShell: true,
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Braced, secret.Mustache},
			NoOthers: true,
		},
		Source: Source{From: "LibreChat packages/data-provider/src/mcp.ts, packages/api/src/mcp/connection.ts", Seen: "2026-11-22"},
	},
	{
		ID: "litellm", Title: "LiteLLM",
		FileFacts: FileFacts{Files: []Reading{{Format: "litellm", Roots: []string{"mcp_servers"}}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"static_headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native:    []string{"http", "sse"},
		},
		Source: Source{From: "docs.litellm.ai/docs/mcp", Seen: "2026-11-28"},
	},
	{
		ID: "lm-studio", Title: "LM Studio",
		FileFacts:  FileFacts{Files: []Reading{{Format: "lm-studio", Roots: []string{"mcpServers"}}}},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "stacklok/toolhive", Seen: "2026-11-21"},
	},
	{
		ID: "mastra", Title: "Mastra Code",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "mastra", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"mastra"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "neondatabase/add-mcp", Seen: "2026-11-21"},
	},
	{
		ID: "mcp-agent", Title: "mcp-agent",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "mcp-agent", Roots: []string{"mcp.servers"}},
				{Format: "mcp-agent-secrets", Roots: []string{"mcp.servers"}},
			},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"streamable_http", "http"}, {"sse", "sse"}, {"websocket", "ws"}},
			Native:    []string{"http", "sse", "ws"},
		},
		Source: Source{From: "lastmile-ai/mcp-agent examples", Seen: "2026-11-21"},
	},
	{
		ID: "mcphub", Title: "mcphub",
		FileFacts:     FileFacts{Files: []Reading{{Format: "mcp-settings", Roots: []string{"mcpServers"}}}},
		EntryFacts:    EntryFacts{Fields: neighboursFields},
		SwitchFacts:   SwitchFacts{Off: Off{"enabled", false}},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced}},
		Source:        Source{From: "samanhappy/mcphub; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "mcphub-nvim", Title: "mcphub.nvim",
		FileFacts: FileFacts{Files: []Reading{{Format: "mcphub-nvim", Roots: []string{"mcpServers", "servers"}}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "url"}},
			},
			Native: []string{"http", "sse"},
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}, AllTools: Trust{"autoApprove", "true"}, SomeTools: "autoApprove"},
		VariableFacts: VariableFacts{
			Syntaxes:   []secret.Syntax{secret.Braced, secret.EnvColon, secret.Input},
			Predefined: []string{"workspaceFolder", "userHome", "pathSeparator", "workspaceFolderBasename", "cwd", "/"},
		},
		Source: Source{From: "ravitemer/mcphub.nvim doc/mcp/servers_json.md", Seen: "2026-11-28"},
	},
	{
		// Other than a relative path of cwd, paths of an entry are as its process finds
		// them: it is started in the directory of the file where no cwd says otherwise.
		ID: "mcporter", Title: "MCPorter",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "mcporter", Roots: []string{"mcpServers"}, Start: DocumentDir, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"mcporter"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command", "executable"}, CommandKinds: Strings | Arrays,
				Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Bearer: []string{"bearerToken", "bearer_token"},
				URL: []URLField{{Name: "baseUrl"}, {Name: "base_url"}, {Name: "url"}, {Name: "serverUrl"}, {Name: "server_url"}},
			},
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault, secret.PowerShell}},
		Source:        Source{From: "npm mcporter dist/config-schema.js, config-normalize.js, env.js", Version: "0.12.3", Seen: "2026-11-23"},
	},
	{
		ID: "oh-my-pi", Title: "oh-my-pi",
		FileFacts: FileFacts{
			Source: Source{From: "the released program", Version: "18.3.4", Seen: "2026-11-28"},
			Files: []Reading{
				{Format: "claude-code", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}, OnlyWith: ".omp"},
				{Format: "generic", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}, OnlyWith: ".omp", At: "mcp.json"},
				{Format: "oh-my-pi", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
			LoadedTogether: []string{"oh-my-pi"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "url"}},
			},
			Types:  []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault}},
		Source:        Source{From: "can1357/oh-my-pi packages/coding-agent/src/discovery/builtin.ts, helpers.ts", Seen: "2026-11-22"},
	},
	{
		ID: "openclaw", Title: "OpenClaw",
		FileFacts: FileFacts{Files: []Reading{{Format: "openclaw", Roots: []string{"mcp.servers"}}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd", "workingDirectory"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			// A command together with a URL is rejected (docs/cli/mcp.md).
			OneTarget: true,
			SomeTypes: []Type{{"streamable-http", "http"}, {"sse", "sse"}},
			Native:    []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced}},
		Source:        Source{From: "npm openclaw src/config/types.mcp.d.ts, docs/cli/mcp.md, docs/gateway/configuration-reference.md", Version: "2026.5.7", Seen: "2026-11-28"},
	},
	{
		// It merges its files by name: one of them replaces an entry of another.
		ID: "opencode", Title: "opencode",
		FileFacts: FileFacts{
			Source: Source{From: "the released program; opencode.ai/v2/docs", Version: "1.18.34", Seen: "2026-11-28"},
			Files: []Reading{
				{
					Format: "opencode", Roots: []string{"mcp", "mcp.servers"}, Dirs: []Dir{{"PWD", ProjectDir}},
					Fatal: true, // "Configuration is invalid": 1.18.33, 2026-11-28
				},
				{Format: "opencode-agent"},
			},
			// anomalyco/opencode issue 13875, packages/opencode/src/config/config.ts
			NotLoaded: []NotLoadedFiles{
				{Format: "opencode-mcp", Instead: "opencode.json"},
				{Format: "opencode-hidden", Instead: "opencode.json"}, // of the program in Go of that name
			},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "opencode debug config", Version: "1.18.33", Seen: "2026-11-28"},
			Fields: Fields{
				Command: []string{"command"},
				Env:     []string{"environment"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "url"}},
			},
			Types:          []Type{{"local", "stdio"}, {"remote", ""}},
			NeedsType:      true,
			NeedsEveryType: true,
			WritesType:     true,
			Binding:        []string{"local", "remote"}, // literals of McpLocal and McpRemote
			Native:         []string{"http", "sse"},
			Schema:         opencodeSchema,
		},
		SwitchFacts: SwitchFacts{
			Source:  Source{From: "opencode debug config", Version: "1.18.33", Seen: "2026-11-28"},
			Off:     Off{"enabled", false},
			AlsoOff: Off{"disabled", true},                         // 1.18.33 shows the entry as enabled: false (run on 2026-11-28)
			Offs:    map[string]Off{"servers": {"disabled", true}}, // version 2
		},
		VariableFacts: VariableFacts{
			Source:   Source{From: "opencode debug config", Version: "1.18.33", Seen: "2026-11-28"},
			Syntaxes: []secret.Syntax{secret.EnvBraces, secret.FileBraces},
			NoOthers: true,
			// The command goes to the SDK's transport as it is, packages/opencode/src/mcp/index.ts
			// (issue 1082 of its fork Science-Discovery/Aether).
			KeepsTilde: true,
		},
		Source: Source{From: "opencode.ai/docs/mcp-servers; opencode.ai/v2/docs", Seen: "2026-11-21"},
	},
	{
		ID: "openhands", Title: "OpenHands",
		FileFacts: FileFacts{
			Files: []Reading{{
				Format: "openhands", Roots: []string{"mcp"}, Lists: true,
				Below: []string{"stdio_servers", "sse_servers", "shttp_servers"},
			}},
			LoadedTogether: []string{"openhands"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				URL: []URLField{{Name: "url"}}, Bearer: []string{"api_key"},
			},
			Native: []string{"http", "sse"},
		},
		Source: Source{From: "intellectronica/ruler; All-Hands-AI/OpenHands config.template.toml", Seen: "2026-11-21"},
	},
	{
		// Pi itself reads no such file: its program holds no "mcp.json" (0.73.1).
		ID: "pi", Title: "an extension of Pi",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "pi", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"pi"},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields},
		Source:     Source{From: "neondatabase/add-mcp; stacklok/toolhive; the released program, which reads no such file", Version: "0.73.1", Seen: "2026-11-28"},
	},
	{
		// Servers of type http are accepted, and their discovery is "not yet
		// supported".
		ID: "pml", Title: "Casys PML",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "pml", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "pml-servers", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			// Without a type an entry is one that has a command.
			Types:       []Type{{"stdio", "stdio"}, {"http", "http"}},
			NeedsType:   true,
			NeedsTarget: true,
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.Braced},
			NoOthers: true,
		},
		Source: Source{From: "Casys-AI/casys-pml packages/pml/src/config.ts, discovery/mcp-discovery.ts", Seen: "2026-11-21"},
	},
	{
		// Its editor reads mcp.json in a home directory; whether it does in a project
		// people say both. Its command line has its servers in the settings.
		ID: "qoder", Title: "Qoder",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "qoder", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "qoder-settings", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
		},
		EntryFacts: EntryFacts{
			Fields: neighboursFields,
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.BracedDefault}},
		Source:        Source{From: "docs.qoder.com/cli/mcp-servers; docs.qoder.com/user-guide/chat/model-context-protocol; stacklok/toolhive", Seen: "2026-11-22"},
	},
	{
		ID: "qwen", Title: "Qwen Code",
		FileFacts: FileFacts{
			Source: Source{From: "the released program; QwenLM/qwen-code issue 5347", Version: "0.24.4", Seen: "2026-11-28"},
			Files: []Reading{
				{
					// Of two entries with one name that of its settings counts; nothing is
					// filled in (0.24.4).
					Format: "claude-code", Roots: []string{"mcpServers"}, OnlyWith: ".qwen",
					Dialect: &Dialect{Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}}, NoOthers: true},
				},
				{Format: "qwen", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{
					Format: "qwen-extension", Roots: []string{"mcpServers"}, Start: DocumentDir,
					Dirs: []Dir{{"extensionPath", DocumentDir}, {"workspacePath", ProjectDir}},
				},
			},
			LoadedTogether: []string{"qwen"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"},
				// httpUrl wins over url. A url without a type is tried as streamable
				// HTTP, then as SSE; releases before that took it as SSE.
				URL: []URLField{{"httpUrl", "http"}, {"url", ""}},
			},
			Types:  []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native: []string{"http", "sse"},
			// Through the TypeScript SDK.
			NoShell: true,
		},
		VariableFacts: VariableFacts{
			Source: Source{From: "its settings as it shows them; envVarResolver.ts", Version: "0.24.4", Seen: "2026-11-28"},
			// No defaults, other than Gemini CLI: npm @qwen-code/qwen-code 0.24.4, envVarResolver.ts.
			Syntaxes:   []secret.Syntax{secret.Braced, secret.Bare, secret.Percent},
			NoOthers:   true,
			Predefined: []string{"/", "pathSeparator"},
		},
		SwitchFacts: SwitchFacts{AllTools: Trust{"trust", "true"}},
		Source:      Source{From: "fork of Gemini CLI; QwenLM/qwen-code packages/core/src/tools/mcp-client.ts; files in public repositories", Seen: "2026-11-22"},
	},
	{
		ID: "roo", Title: "Roo Code",
		FileFacts: FileFacts{
			Files: []Reading{{
				Format: "roo", Roots: []string{"mcpServers"},
				Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}},
			}},
			LoadedTogether: []string{"roo"},
			Strict:         true, // JSON.parse
			RefusesBOM:     true,
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			Types:     []Type{{"stdio", "stdio"}, {"sse", "sse"}, {"streamable-http", "http"}},
			NeedsType: true,
			OneTarget: true,
			Binding:   []string{"stdio", "sse", "streamable-http"}, // validateServerConfig at 022b3b0b (2026)
			Native:    []string{"http", "sse"},
			Schema:    rooSchema,
		},
		SwitchFacts: SwitchFacts{
			Off: Off{"disabled", true},
			// hasWildcard in McpHub.fetchToolsList; other names in the list are tools.
			AllTools: Trust{"alwaysAllow", "*"}, SomeTools: "alwaysAllow",
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.EnvColon},
			NoOthers: true,
		},
		Source: Source{From: "Roo-Code src/services/mcp/McpHub.ts, src/utils/config.ts", Version: "source of 2026-04-14", Seen: "2026-11-28"},
	},
	{
		ID: "rovo-dev", Title: "Rovo Dev",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "rovo-dev", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"rovo-dev"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			SomeTypes: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native:    []string{"http", "sse"},
		},
		Source: Source{From: "support.atlassian.com/rovo/docs/connect-to-an-mcp-server-in-rovo-dev-cli; dyoshikawa/rulesync src/features/mcp/rovodev-mcp.ts", Seen: "2026-11-22"},
	},
	{
		ID: "spring-ai", Title: "Spring AI",
		FileFacts: FileFacts{Files: []Reading{{
			Format: "spring-ai",
			Roots: []string{
				"spring.ai.mcp.client.stdio.connections", "spring.ai.mcp.client.sse.connections",
				"spring.ai.mcp.client.streamable-http.connections",
			},
		}}},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, URL: []URLField{{Name: "url"}},
			},
			Native: []string{"http", "sse"},
		},
		// Spring Boot's placeholders, with a default behind a colon.
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.Braced, secret.BracedColon}},
		Source:        Source{From: "docs.spring.io/spring-ai/reference/api/mcp/mcp-client-boot-starter-docs.html", Seen: "2026-11-28"},
	},
	{
		// The agent in editors and the command line have a file each.
		ID: "tabnine", Title: "Tabnine",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "tabnine", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
				{Format: "tabnine-settings", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			},
		},
		EntryFacts: EntryFacts{Fields: neighboursFields, Native: []string{"http", "sse"}},
		Source:     Source{From: "docs.tabnine.com/main/getting-started/tabnine-agent/mcp-intro-and-setup; …/tabnine-cli/features/mcp-server-config", Seen: "2026-11-29"},
	},
	{
		ID: "trae", Title: "Trae",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "trae", Roots: []string{"mcpServers"}, Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}}}},
			LoadedTogether: []string{"trae"},
		},
		EntryFacts:  EntryFacts{Fields: neighboursFields},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		Source:      Source{From: "stacklok/toolhive; files in public repositories", Seen: "2026-11-21"},
	},
	{
		ID: "vibe", Title: "Mistral Vibe",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "vibe", Roots: []string{"mcp_servers"}, Lists: true, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"vibe"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"transport"}, URL: []URLField{{Name: "url"}},
			},
			SomeTypes:  []Type{{"stdio", "stdio"}, {"streamable-http", "http"}, {"http", "http"}},
			WritesType: true,
			Native:     []string{"http"},
		},
		Source: Source{From: "stacklok/toolhive; intellectronica/ruler", Seen: "2026-11-21"},
	},
	{
		// It also looks into .vscode/mcp.json and .cursor/mcp.json, which stay the
		// files of their own clients.
		ID: "visual-studio", Title: "Visual Studio",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "claude-code", Roots: []string{"servers"}},
				{Format: "visual-studio", Roots: []string{"servers"}},
			},
			LoadedTogether: []string{"visual-studio"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
			},
			Types:  []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			Native: []string{"http", "sse"},
		},
		VariableFacts: VariableFacts{Syntaxes: []secret.Syntax{secret.EnvColon, secret.Input}},
		Source:        Source{From: "visualstudio-docs docs/ide/mcp-servers.md", Seen: "2026-11-21"},
	},
	{
		ID: "vscode", Title: "VS Code",
		FileFacts: FileFacts{
			Files: []Reading{
				{Format: "devcontainer", Roots: []string{"customizations.vscode.mcp.servers"}, Dirs: vscodeDirs},
				{Format: "vscode", Roots: []string{"servers"}, Dirs: vscodeDirs},
				// The old home of the servers; whether current builds still load it is
				// not verified, so it is not part of LoadedTogether.
				{Format: "vscode-settings", Roots: []string{"mcp.servers"}, Dirs: vscodeDirs},
				{Format: "vscode-workspace", Roots: []string{"settings.mcp.servers", "mcp.servers"}, Dirs: vscodeDirs},
			},
			LoadedTogether: []string{"vscode", "vscode-workspace"},
		},
		EntryFacts: EntryFacts{
			Source: Source{From: "src/vs/platform/mcp/common/mcpResourceScannerService.ts; vscode-docs docs/copilot/reference/mcp-configuration.md", Version: "20ba3e6c", Seen: "2026-11-24"},
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
				Headers: []string{"headers"}, Type: []string{"type"},
				URL: []URLField{{Name: "url"}},
				// What installs an entry writes the registry it is from: microsoft/vscode pull
				// request 263708 (August 2025).
				Gallery: "gallery",
			},
			Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
			// Any other word is replaced by what the target says: sanitizeServer in
			// src/vs/platform/mcp/common/mcpResourceScannerService.ts at 20ba3e6c (2026).
			Binding: []string{"stdio", "http"},
			Native:  []string{"http", "sse"},
			Schema:  vscodeSchema,
			// "Will not run in a shell environment": documentation of McpStdioServerDefinition.
			NoShell: true,
		},
		SwitchFacts: SwitchFacts{
			Source: Source{From: "src/vs/platform/mcp/common/mcpPlatformTypes.ts", Version: "20ba3e6c", Seen: "2026-11-24"},
			NoOff:  true, // McpServerConfiguration in mcpPlatformTypes.ts of the same commit has no such member
		},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.EnvColon, secret.Input},
			NoOthers: true,
			Predefined: []string{
				"userHome", "workspaceFolderBasename", "pathSeparator", "/", "cwd", "execPath",
			},
		},
		Lists:  allow.Copilot,
		Source: Source{From: "vscode-docs docs/copilot/reference/mcp-configuration.md", Seen: "2026-11-21"},
	},
	{
		ID: "warp", Title: "Warp",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "warp", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"warp"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"working_directory"},
				Headers: []string{"headers"}, URL: []URLField{{Name: "url"}, {Name: "serverUrl"}, {Name: "httpUrl", Transport: "http"}},
			},
		},
		Source: Source{From: "docs.warp.dev; warpdotdev/warp skill agent-add-mcp", Seen: "2026-11-21"},
	},
	{
		// It reads no file of a project: docs.devin.ai/desktop/cascade/mcp (2026).
		ID: "windsurf", Title: "Windsurf",
		FileFacts: FileFacts{
			Source: Source{From: "docs.devin.ai/desktop/cascade/mcp", Seen: "2026-08"},
			Files:  []Reading{{Format: "windsurf", Roots: []string{"mcpServers"}}},
			NotLoaded: []NotLoadedFiles{{
				Format: "windsurf-mcp", Instead: ".devin/mcp_config.json", Home: "~/.codeium/windsurf/mcp_config.json", Successor: "Devin",
			}},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"},
				URL:     []URLField{{Name: "serverUrl"}, {Name: "url"}},
			},
			OwnWords: true, // docs.windsurf.com/windsurf/cascade/mcp (2026)
			Native:   []string{"http", "sse"},
		},
		SwitchFacts: SwitchFacts{Off: Off{"disabled", true}},
		VariableFacts: VariableFacts{
			Syntaxes: []secret.Syntax{secret.EnvColon, secret.FileColon},
			NoOthers: true,
		},
		Source: Source{From: "docs.windsurf.com; stacklok/toolhive; intellectronica/ruler", Seen: "2026-11-21"},
	},
	{
		ID: "zcode", Title: "ZCode",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "zcode", Roots: []string{"mcp.servers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"zcode"},
		},
		EntryFacts:  EntryFacts{Fields: neighboursFields},
		SwitchFacts: SwitchFacts{Off: Off{"enable", false}},
		Source:      Source{From: "zcode.z.ai/en/docs/mcp-services; files and tools in public repositories", Seen: "2026-11-22"},
	},
	{
		ID: "zed", Title: "Zed",
		FileFacts: FileFacts{
			Files:          []Reading{{Format: "zed", Roots: []string{"context_servers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
			LoadedTogether: []string{"zed"},
		},
		EntryFacts: EntryFacts{
			Fields: Fields{
				Command: []string{"command"},
				Args:    []string{"args"}, Env: []string{"env"},
				Headers: []string{"headers"}, URL: []URLField{{Name: "url"}},
			},
			Native: []string{"http"},
			Schema: zedSchema,
		},
		SwitchFacts: SwitchFacts{Off: Off{"enabled", false}},
		Source:      Source{From: "zed docs/src/ai/mcp.md; stacklok/toolhive", Seen: "2026-11-21"},
	},
}

// codexNames are those that Codex 0.169.0 starts, ^[a-zA-Z0-9_:@/.-]+$, as "codex mcp add" says
// them (2026-11-20). A server of another name is listed and fails to start.
var codexNames = Naming{Others: "-_:@/."}

// vscodeDirs are the path variables of VS Code, from its variables reference.
var vscodeDirs = []Dir{{"workspaceFolder", ProjectDir}, {"workspaceRoot", ProjectDir}, {"PWD", ProjectDir}}

// The members that most clients share.
var (
	// sharedFields are those of a client that reads an address under one name.
	sharedFields = Fields{
		Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
		Headers: []string{"headers"}, Type: []string{"type"}, URL: []URLField{{Name: "url"}},
	}
	// neighboursFields are those of a client without documentation of what it reads:
	// the words of its neighbours are among them, so that none is called wrong.
	neighboursFields = Fields{
		Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
		Headers: []string{"headers"}, Type: []string{"type"},
		URL: []URLField{{Name: "url"}, {Name: "serverUrl"}, {Name: "httpUrl", Transport: "http"}},
	}
)
