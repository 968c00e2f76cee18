package mcp

// clients is the table behind Clients, sorted by ID. It is data: a new client
// is one entry here and its formats in package format. Facts that could not be
// verified are left out, so that no rule is built on them.
var clients = []*Client{
	{
		// Several tools began to read this place in 2026, none documents it as its
		// own; what a member means is therefore not judged.
		ID: "agents", Title: ".agents/mcp.json convention",
		Files: []Reading{{
			Format: "agents", Roots: []string{"mcpServers"},
			Dirs: []Dir{{"PWD", ProjectDir}, {"workspaceFolder", ProjectDir}},
		}},
		Together: []string{"agents"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}, {Name: "serverUrl"}},
		},
		Source: "files in public repositories",
	},
	{
		ID: "claude-code", Title: "Claude Code",
		Files: []Reading{
			{
				Format: "claude-code", Roots: []string{"mcpServers"},
				// The plugin's variable is here because whether a directory is a
				// plugin does not always show in its .mcp.json.
				Dirs: []Dir{{"CLAUDE_PROJECT_DIR", ProjectDir}, {"PWD", ProjectDir}, {"CLAUDE_PLUGIN_ROOT", ProjectDir}},
			},
			{
				// CLAUDE_PROJECT_DIR is another repository there.
				Format: "claude-plugin", Roots: []string{"mcpServers"}, Bare: true,
				Dirs: []Dir{{"CLAUDE_PLUGIN_ROOT", ProjectDir}},
			},
			{Format: "claude-settings"}, // switches; mcpServers is ignored since 2.1.47
		},
		Together: []string{"claude-code"},
		// Comments and a BOM make the whole file unreadable: claude-code issues
		// 9906 and 69354.
		Strict: true,
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Types: []Type{{"stdio", "stdio"}, {"http", "http"}, {"streamable-http", "http"}, {"sse", "sse"}, {"ws", "ws"}},
		// The entry fails the schema and is skipped without a word up to 2.1.273:
		// 21st-dev/magic-mcp issue 82, zapier/zapier-mcp pull request 18.
		NeedsType: true,
		Native:    []string{"http", "sse", "ws"},
		Syntaxes:  []Syntax{VarBraces, VarDefault, VarUserConfig},
		Source:    "claude-code CHANGELOG and issues; code.claude.com/docs/en/mcp",
	},
	{
		ID: "claude-desktop", Title: "Claude Desktop",
		Files:    []Reading{{Format: "claude-desktop", Roots: []string{"mcpServers"}}},
		Together: []string{"claude-desktop"},
		// A BOM empties the list of servers: tradesdontlie/tradingview-mcp issue 406.
		Strict: true,
		// An entry with a URL is skipped as invalid: cboxdk/statamic-mcp issue 20.
		// Remote servers are added as connectors, outside this file.
		Fields: Fields{Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}},
		Source: "modelcontextprotocol.io/quickstart/user; gleanwork/mcp-config-schema",
	},
	{
		ID: "copilot-cli", Title: "GitHub Copilot CLI",
		Files: []Reading{
			{Format: "claude-code", Roots: []string{"mcpServers"}, Bare: true, Dirs: []Dir{{"PWD", ProjectDir}}},
			{Format: "copilot-cli", Roots: []string{"mcpServers"}, Bare: true, Dirs: []Dir{{"PWD", ProjectDir}}},
			// Plugins written for Claude Code install in it, and its own have the
			// same .mcp.json (github/awesome-copilot plugins).
			{Format: "claude-plugin", Roots: []string{"mcpServers"}, Bare: true},
			{Format: "copilot-plugin", Roots: []string{"mcpServers", "components.mcpServers"}, Bare: true},
		},
		// .github/mcp.json is ignored where .mcp.json exists: never both.
		Together: []string{"copilot-cli"},
		// A comment makes it skip the file: github/copilot-cli issue 4323.
		Strict: true,
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Types:  []Type{{"local", "stdio"}, {"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
		Native: []string{"http", "sse"},
		// "disabled" is ignored: github/copilot-cli issue 3582.
		Syntaxes: []Syntax{VarBraces, VarDefault, VarDollar},
		Source:   "docs.github.com/en/copilot/reference/copilot-cli-reference; github/copilot-cli issues",
	},
	{
		ID: "cursor", Title: "Cursor",
		Files: []Reading{{
			Format: "cursor", Roots: []string{"mcpServers"},
			Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}},
		}},
		Together: []string{"cursor"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Native: []string{"http", "sse"},
		// No switch in the file: cursor/cursor issue 3656.
		Syntaxes:   []Syntax{VarEnv},
		Predefined: []string{"userHome", "workspaceFolderBasename", "pathSeparator", "/"},
		Source:     "cursor.com/docs/context/mcp; gleanwork/mcp-config-schema",
	},
	{
		ID: "gemini-cli", Title: "Gemini CLI",
		Files: []Reading{
			{Format: "gemini", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}},
			{
				Format: "gemini-extension", Roots: []string{"mcpServers"}, Start: DocumentDir,
				Dirs: []Dir{{"extensionPath", DocumentDir}, {"workspacePath", ProjectDir}},
			},
		},
		Together: []string{"gemini"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
			Headers: []string{"headers"}, Type: []string{"type"},
			// httpUrl wins over url. A url without a type is tried as streamable
			// HTTP, then as SSE; releases before that took it as SSE.
			URL: []URLField{{"httpUrl", "http"}, {"url", ""}},
		},
		Types:      []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
		Native:     []string{"http", "sse"},
		Syntaxes:   []Syntax{VarBraces, VarDollar, VarPercent},
		Predefined: []string{"/", "pathSeparator"},
		Source:     "gemini-cli docs/tools/mcp-server.md, docs/extensions/reference.md, packages/core/src/tools/mcp-client.ts",
	},
	{
		ID: "kiro", Title: "Kiro",
		Files:    []Reading{{Format: "kiro", Roots: []string{"mcpServers"}, Dirs: []Dir{{"PWD", ProjectDir}}}},
		Together: []string{"kiro"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Native:   []string{"http", "sse"},
		Off:      Off{"disabled", true},
		Syntaxes: []Syntax{VarBraces},
		Source:   "kiro.dev/docs/mcp/configuration",
	},
	{
		ID: "roo", Title: "Roo Code",
		Files: []Reading{{
			Format: "roo", Roots: []string{"mcpServers"},
			Dirs: []Dir{{"workspaceFolder", ProjectDir}, {"PWD", ProjectDir}},
		}},
		Together: []string{"roo"},
		Strict:   true, // JSON.parse
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Types:     []Type{{"stdio", "stdio"}, {"sse", "sse"}, {"streamable-http", "http"}},
		NeedsType: true,
		OneTarget: true,
		Native:    []string{"http", "sse"},
		Off:       Off{"disabled", true},
		Syntaxes:  []Syntax{VarEnv},
		Source:    "Roo-Code src/services/mcp/McpHub.ts, src/utils/config.ts",
	},
	{
		// It also looks into .vscode/mcp.json and .cursor/mcp.json, which stay the
		// files of their own clients.
		ID: "visual-studio", Title: "Visual Studio",
		Files: []Reading{
			{Format: "claude-code", Roots: []string{"servers"}},
			{Format: "visual-studio", Roots: []string{"servers"}},
		},
		Together: []string{"visual-studio"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Types:    []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
		Native:   []string{"http", "sse"},
		Syntaxes: []Syntax{VarInput},
		Source:   "visualstudio-docs docs/ide/mcp-servers.md",
	},
	{
		ID: "vscode", Title: "VS Code",
		Files: []Reading{
			{Format: "vscode", Roots: []string{"servers"}, Dirs: vscodeDirs},
			// The old home of the servers; whether current builds still load it is
			// not verified, so it is not part of Together.
			{Format: "vscode-settings", Roots: []string{"mcp.servers"}, Dirs: vscodeDirs},
			{Format: "vscode-workspace", Roots: []string{"settings.mcp.servers", "mcp.servers"}, Dirs: vscodeDirs},
		},
		Together: []string{"vscode", "vscode-workspace"},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"}, Cwd: []string{"cwd"},
			Headers: []string{"headers"}, Type: []string{"type"},
			URL: []URLField{{Name: "url"}},
		},
		Types:    []Type{{"stdio", "stdio"}, {"http", "http"}, {"sse", "sse"}},
		Native:   []string{"http", "sse"},
		Syntaxes: []Syntax{VarEnv, VarInput},
		Predefined: []string{
			"userHome", "workspaceFolderBasename", "pathSeparator", "/", "cwd", "execPath",
		},
		Source: "vscode-docs docs/copilot/reference/mcp-configuration.md",
	},
	{
		// No project file is documented; the paths are ones that repositories hold.
		ID: "windsurf", Title: "Windsurf",
		Files: []Reading{{Format: "windsurf", Roots: []string{"mcpServers"}}},
		Fields: Fields{
			Command: []string{"command"}, Args: []string{"args"}, Env: []string{"env"},
			Headers: []string{"headers"},
			URL:     []URLField{{Name: "serverUrl"}, {Name: "url"}},
		},
		Native:   []string{"http", "sse"},
		Off:      Off{"disabled", true},
		Syntaxes: []Syntax{VarEnv, VarFile},
		Source:   "docs.windsurf.com; stacklok/toolhive; intellectronica/ruler",
	},
}

// vscodeDirs are the path variables of VS Code, from its variables reference.
var vscodeDirs = []Dir{{"workspaceFolder", ProjectDir}, {"workspaceRoot", ProjectDir}, {"PWD", ProjectDir}}
