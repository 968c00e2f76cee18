package mcp

// The schemas of clients, as they or their sources were in 2026. A kind stands
// here only where the client itself refuses every other.

// claudeCodeSchema: an entry that does not fit is skipped ("Does not adhere to
// MCP server configuration schema"), as one with a number among the variables.
var claudeCodeSchema = &Schema{
	Members: []Member{
		{Name: "alwaysLoad", Kinds: Bools},
		{Name: "args", Kinds: Arrays, Each: Strings, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "env", Kinds: Objects, Each: Strings, For: Programs},
		{Name: "headers", Kinds: Objects, Each: Strings, For: Addresses},
		{Name: "headersHelper", Kinds: Strings, For: Addresses},
		{Name: "oauth", Kinds: Objects, For: Addresses},
		{Name: "request_timeout_ms"}, // of another kind it is passed over
		{Name: "timeout", Kinds: Numbers},
		{Name: "tools"}, // a list of objects; other clients know it as one of names
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	NeedsTarget: true,
	Source:      "claude-code issues 4109 and 35372; types and schema in the Claude Agent SDK 0.3",
}

// clineSchema: a union of zod objects that let other members pass.
var clineSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Strings},
		{Name: "autoApprove", Kinds: Arrays, Each: Strings},
		{Name: "command", Kinds: Strings},
		{Name: "cwd", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "env", Kinds: Objects, Each: Strings},
		{Name: "headers", Kinds: Objects, Each: Strings},
		{Name: "timeout", Kinds: Numbers},
		{Name: "transportType", Kinds: Strings},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings},
	},
	NeedsTarget: true,
	Source:      "cline src/services/mcp/schemas.ts",
}

// codexSchema: serde types; what does not fit is an error of the whole file.
// Files are merged before they are read, so that an entry may say a part.
var codexSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Strings, For: Programs},
		// Refused beside a URL since 0.149 (garrytan/gbrain issue 4574), out of the schema
		// since 0.125, beside a command always.
		{Name: "bearer_token", Instead: "bearer_token_env_var"},
		{Name: "bearer_token_env_var", Kinds: Strings, For: Addresses, IsName: true},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "default_tools_approval_mode", Kinds: Strings},
		{Name: "disabled_tools", Kinds: Arrays, Each: Strings},
		{Name: "enabled", Kinds: Bools},
		{Name: "enabled_tools", Kinds: Arrays, Each: Strings},
		{Name: "env", Kinds: Objects, Each: Strings, For: Programs},
		{Name: "env_http_headers", Kinds: Objects, Each: Strings, For: Addresses},
		{Name: "env_vars", Kinds: Arrays, For: Programs},
		{Name: "experimental_environment"},
		{Name: "http_headers", Kinds: Objects, Each: Strings, For: Addresses},
		{Name: "name"},
		{Name: "oauth", Kinds: Objects, For: Addresses},
		{Name: "oauth_resource", Kinds: Strings, For: Addresses},
		{Name: "required", Kinds: Bools},
		{Name: "scopes", Kinds: Arrays, Each: Strings},
		{Name: "startup_timeout_ms", Kinds: Numbers},
		{Name: "startup_timeout_sec", Kinds: Numbers},
		{Name: "supports_parallel_tool_calls", Kinds: Bools},
		{Name: "tool_timeout_sec", Kinds: Numbers},
		{Name: "tools", Kinds: Objects},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	Apart:  true,
	Source: "openai/codex codex-rs/config/src/mcp_types.rs, RawMcpServerConfig",
}

// opencodeSchema: strict zod objects; what does not fit is an error of the whole
// file. disabled is of version 2.
var opencodeSchema = &Schema{
	Members: []Member{
		{Name: "command", Kinds: Arrays, Each: Strings},
		{Name: "cwd", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "enabled", Kinds: Bools},
		{Name: "environment", Kinds: Objects, Each: Strings},
		{Name: "headers", Kinds: Objects, Each: Strings},
		{Name: "oauth"},
		{Name: "timeout"},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings},
	},
	Closed: true,
	Source: "opencode packages/opencode/src/config/config.ts, McpLocal and McpRemote; opencode.ai/v2/docs",
}

// rooSchema: a union of zod objects, each of which refuses what is for the
// other sort of server.
var rooSchema = &Schema{
	Members: []Member{
		{Name: "alwaysAllow", Kinds: Arrays, Each: Strings},
		{Name: "args", Kinds: Arrays, Each: Strings, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "disabledTools", Kinds: Arrays, Each: Strings},
		{Name: "env", Kinds: Objects, Each: Strings, For: Programs},
		{Name: "headers", Kinds: Objects, Each: Strings, For: Addresses},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
		{Name: "watchPaths", Kinds: Arrays, Each: Strings},
	},
	Apart:       true,
	NeedsTarget: true,
	Source:      "Roo-Code src/services/mcp/McpHub.ts, ServerConfigSchema",
}

// vscodeSchema: the editor underlines what does not fit; only where the server
// cannot be started either, a kind stands here.
var vscodeSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Scalars, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "dev"},
		{Name: "env", Kinds: Objects, Each: Scalars, For: Programs},
		{Name: "envFile", Kinds: Strings, For: Programs},
		{Name: "gallery"},
		{Name: "headers", Kinds: Objects, Each: Scalars, For: Addresses},
		{Name: "oauth", For: Addresses},
		{Name: "sandbox"},
		{Name: "sandboxEnabled"},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
		{Name: "version"},
	},
	NeedsTarget: true,
	Source:      "microsoft/vscode src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts, mcpServerSchema",
}

// amazonQSchema: serde types, as the published schema has them.
var amazonQSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Strings},
		{Name: "autoApprove"},
		{Name: "command", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "disabledTools"},
		{Name: "env", Kinds: Objects, Each: Strings},
		{Name: "headers", Kinds: Objects, Each: Strings},
		{Name: "oauth"},
		{Name: "oauthScopes"},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings},
	},
	Source: "aws/amazon-q-developer-cli schemas/agent-v1.json",
}

// continueSchema: a union of zod objects that let other members pass.
var continueSchema = &Schema{
	Members: []Member{
		{Name: "apiKey"},
		{Name: "args", Kinds: Arrays, Each: Strings, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "connectionTimeout", Kinds: Numbers},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "env", Kinds: Objects, Each: Strings, For: Programs},
		{Name: "faviconUrl", Kinds: Strings},
		{Name: "name", Kinds: Strings},
		{Name: "requestOptions", Kinds: Objects, For: Addresses},
		{Name: "serverName", Kinds: Strings},
		{Name: "sourceFile"},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	Source: "continuedev/continue packages/config-yaml/src/schemas/mcp/index.ts",
}

// gooseSchema: an enumeration of serde types that the type tells apart.
var gooseSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Strings, For: Programs},
		{Name: "available_tools", Kinds: Arrays, Each: Strings},
		{Name: "bundled", Kinds: Bools},
		{Name: "cmd", Kinds: Strings, For: Programs},
		{Name: "description"},
		{Name: "display_name"},
		{Name: "enabled", Kinds: Bools},
		{Name: "env_keys", Kinds: Arrays, Each: Strings},
		{Name: "envs", Kinds: Objects, Each: Strings},
		{Name: "headers", Kinds: Objects, Each: Strings, For: Addresses},
		{Name: "name"},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "uri", Kinds: Strings, For: Addresses},
	},
	Source: "block/goose crates/goose/src/agents/extension.rs, ExtensionConfig",
}

// zedSchema: serde types, several of which are passed over where they do not
// fit; the object is the command of old releases.
var zedSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: Scalars},
		{Name: "command", Kinds: Strings | Objects},
		{Name: "enabled"},
		{Name: "env", Kinds: Objects, Each: Scalars},
		{Name: "headers", Kinds: Objects, Each: Scalars},
		{Name: "oauth"},
		{Name: "remote"},
		{Name: "settings"},
		{Name: "source"},
		{Name: "timeout"},
		{Name: "url", Kinds: Strings},
	},
	Source: "zed crates/settings_content/src/project.rs, ContextServerSettingsContent",
}
