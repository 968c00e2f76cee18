package mcp

import "math"

// The schemas of clients, as they or their sources were in 2026. A kind stands
// here only where the client itself refuses every other.

// What several clients say of values.
var (
	text   = &Member{Kinds: Strings}
	scalar = &Member{Kinds: Scalars}
	// JavaScript has no larger exact integers.
	countInJSON = &Range{From: 1, To: 1<<53 - 1, Whole: true, Said: "a whole number above 0"}
	// The types of Rust: NonZeroUsize, u16, u64, and seconds that it turns into a Duration.
	countInRust   = &Range{From: 1, To: 1 << 63, Whole: true, Plain: true, Said: "a whole number above 0"}
	portInRust    = &Range{To: 1<<16 - 1, Whole: true, Plain: true, Said: "a whole number from 0 to 65535"}
	millisInRust  = &Range{To: 1 << 63, Whole: true, Plain: true, Said: "a whole number from 0"}
	secondsInRust = &Range{To: 1.8e19, Said: "a number of seconds from 0"}
)

// claudeCodeSchema (claude-code issues 4109 and 35372): the client skips an entry that does not
// fit, with a line in "claude mcp list". Each fact was tried with Claude Code 2.1.330 on 2026-11-20
// and 2026-11-28. Each type has its own schema, so the client ignores any member of another type.
var claudeCodeSchema = &Schema{
	Members: []Member{
		{Name: "alwaysLoad", Kinds: Bools},
		{Name: "args", Kinds: Arrays, Each: text, For: Programs},
		{Name: "bareElicitationCapability", Kinds: Bools},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "discoveryCache", Kinds: Bools, For: Addresses, Transports: []string{"http", "sse"}},
		{Name: "displayName"}, // passed over, as "role"
		{Name: "env", Kinds: Objects, Each: text, For: Programs},
		{Name: "headers", Kinds: Objects, Each: text, For: Addresses},
		{Name: "headersHelper", Kinds: Strings, For: Addresses},
		{
			Name: "oauth", Kinds: Objects, For: Addresses, Transports: []string{"http", "sse"},
			Members: []Member{
				{Name: "authServerMetadataUrl", Kinds: Strings, Begins: "https://"},
				{Name: "callbackPort", Kinds: Numbers, Number: countInJSON},
				{Name: "clientId", Kinds: Strings},
				{Name: "scopes", Kinds: Strings, Filled: true},
				{Name: "xaa", Kinds: Bools},
			},
		},
		{Name: "request_timeout_ms"}, // of another kind it is passed over
		{Name: "role"},
		{Name: "timeout", Kinds: Numbers, Number: countInJSON},
		{
			Name: "toolPermissions", Kinds: Objects, For: Addresses, Transports: []string{"http", "sse"},
			Each: &Member{Kinds: Strings, Words: []string{"allow", "ask", "blocked"}},
		},
		{
			// Other clients know it as a list of names.
			Name: "tools", Kinds: Arrays, For: Addresses, Transports: []string{"http", "sse"},
			Each: &Member{Kinds: Objects, Members: []Member{
				{Name: "name", Kinds: Strings, Needed: true},
				{Name: "permission_policy", Kinds: Strings, Words: []string{"always_allow", "always_ask", "always_deny"}},
			}},
		},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	NeedsTarget: true,
	TakesNoNull: true,
	SortByType:  true,
	Source:      Source{From: "claude mcp list", Version: "2.1.330", Seen: "2026-11-28"},
}

// clineSchema: a union of zod objects that let other members pass.
var clineSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: text},
		{Name: "autoApprove", Kinds: Arrays, Each: text},
		{Name: "command", Kinds: Strings},
		{Name: "cwd", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "env", Kinds: Objects, Each: text},
		{Name: "headers", Kinds: Objects, Each: text},
		{Name: "timeout", Kinds: Numbers},
		{Name: "transportType", Kinds: Strings},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings},
	},
	NeedsTarget: true,
	Source:      Source{From: "cline src/services/mcp/schemas.ts", Version: "21cb8d25 of 2026-08-22", Seen: "2026-11-28"},
}

// codexApprovals are the words by which Codex asks about tools.
var codexApprovals = []string{"auto", "prompt", "writes", "approve"}

// codexSchema: serde types (codex-rs/config/src/mcp_types.rs, RawMcpServerConfig); with what
// does not fit Codex does not start. Files are merged before they are read, so that an entry
// may say a part. Each fact was tried with Codex 0.169.0 on 2026-11-20 and 2026-11-28.
var codexSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: text, For: Programs},
		// For an enterprise, one file other than the project's must say all.
		{Name: "auth", Kinds: Strings, For: Addresses, Words: []string{"oauth", "chatgpt", "ema_auth"}, HomeOnly: []string{"ema_auth"}},
		// Refused together with a URL since 0.149 (garrytan/gbrain issue 4574), not in the schema
		// since 0.125, and always refused together with a command.
		{Name: "bearer_token", Instead: "bearer_token_env_var"},
		{Name: "bearer_token_env_var", Kinds: Strings, For: Addresses, IsName: true},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "default_tools_approval_mode", Kinds: Strings, Words: codexApprovals},
		{Name: "disabled_tools", Kinds: Arrays, Each: text},
		{Name: "enabled", Kinds: Bools},
		{Name: "enabled_tools", Kinds: Arrays, Each: text},
		{Name: "env", Kinds: Objects, Each: text, For: Programs},
		{Name: "env_http_headers", Kinds: Objects, Each: text, For: Addresses},
		{
			Name: "env_vars", Kinds: Arrays, For: Programs,
			Each: &Member{Kinds: Strings | Objects, Closed: true, Members: []Member{
				{Name: "name", Kinds: Strings, Needed: true},
				{Name: "source", Kinds: Strings, Words: []string{"local", "remote"}},
			}},
		},
		{Name: "environment_id", Kinds: Strings},
		{Name: "experimental_environment"},
		{Name: "http_headers", Kinds: Objects, Each: text, For: Addresses},
		{Name: "http_headers_helper", Kinds: Strings, For: Addresses, Filled: true, Without: "environment_id"},
		{Name: "name", Kinds: Strings},
		{
			Name: "oauth", Kinds: Objects, For: Addresses,
			Members: []Member{
				{Name: "authorization_server_issuer", Kinds: Strings, Needs: Condition{"auth", "ema_auth"}},
				{Name: "callback_port", Kinds: Numbers, Number: portInRust},
				{Name: "callback_url", Kinds: Strings},
				{Name: "client_id", Kinds: Strings},
				{Name: "client_secret", Kinds: Strings, Filled: true, Needs: Condition{Name: "client_id"}},
				{
					Name: "token_endpoint_auth_method", Kinds: Strings, Words: []string{"client_secret_basic", "client_secret_post"},
					Needs: Condition{"auth", "ema_auth"},
				},
			},
		},
		{Name: "oauth_resource", Kinds: Strings, For: Addresses},
		{Name: "omit_tools_from", Kinds: Arrays, Each: &Member{Kinds: Strings, Words: []string{"code_mode", "deferred", "direct"}}},
		{Name: "required", Kinds: Bools},
		{Name: "scopes", Kinds: Arrays, Each: text},
		{Name: "startup_readiness", Kinds: Strings, Words: []string{"connection", "catalog"}},
		{Name: "startup_timeout_ms", Kinds: Numbers, Number: millisInRust},
		{Name: "startup_timeout_sec", Kinds: Numbers, Number: secondsInRust},
		{Name: "supports_parallel_tool_calls", Kinds: Bools},
		{Name: "tool_input_schema_max_bytes", Kinds: Numbers, Number: countInRust},
		{Name: "tool_timeout_sec", Kinds: Numbers, Number: secondsInRust},
		{
			Name: "tools", Kinds: Objects,
			Each: &Member{Kinds: Objects, Members: []Member{
				{Name: "approval_mode", Kinds: Strings, Words: codexApprovals},
				{Name: "output_token_limit", Kinds: Numbers, Number: countInRust},
			}},
		},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	Apart:  true,
	Source: Source{From: "codex mcp list", Version: "0.169.0", Seen: "2026-11-28"},
}

// opencodeSchema (packages/opencode/src/config/config.ts, McpLocal and McpRemote): with what
// does not fit opencode does not start; other members are passed over. Each fact was tried with
// opencode 1.18.33 on 2026-11-28. disabled is of version 2.
var opencodeSchema = &Schema{
	Members: []Member{
		{Name: "command", Kinds: Arrays, Each: text, For: Programs},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "disabled"},
		{Name: "enabled", Kinds: Bools},
		{Name: "environment", Kinds: Objects, Each: text, For: Programs},
		{Name: "headers", Kinds: Objects, Each: text, For: Addresses},
		{
			Name: "oauth", Kinds: Bools | Objects, Words: []string{"false"}, For: Addresses,
			Members: []Member{{Name: "clientId", Kinds: Strings}, {Name: "clientSecret", Kinds: Strings}, {Name: "scope", Kinds: Strings}},
		},
		{Name: "timeout", Kinds: Numbers | Objects, Number: &Range{From: math.SmallestNonzeroFloat64, To: math.Inf(1), Said: "a number above 0"}},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	TakesNoNull: true,
	SortByType:  true,
	Source:      Source{From: "opencode debug config", Version: "1.18.33", Seen: "2026-11-28"},
}

// rooSchema: a union of zod objects. Each refuses the members for the other sort of server.
var rooSchema = &Schema{
	Members: []Member{
		{Name: "alwaysAllow", Kinds: Arrays, Each: text},
		{Name: "args", Kinds: Arrays, Each: text, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "disabledTools", Kinds: Arrays, Each: text},
		{Name: "env", Kinds: Objects, Each: text, For: Programs},
		{Name: "headers", Kinds: Objects, Each: text, For: Addresses},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
		{Name: "watchPaths", Kinds: Arrays, Each: text},
	},
	Apart:       true,
	NeedsTarget: true,
	Source:      Source{From: "Roo-Code src/services/mcp/McpHub.ts, ServerConfigSchema", Version: "source of 2026-04-14", Seen: "2026-11-28"},
}

// vscodeSchema: the editor underlines what does not fit; only where the server
// cannot be started either, a kind stands here.
var vscodeSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: scalar, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "dev"},
		{Name: "env", Kinds: Objects, Each: scalar, For: Programs},
		{Name: "envFile", Kinds: Strings, For: Programs},
		{Name: "gallery"},
		{Name: "headers", Kinds: Objects, Each: scalar, For: Addresses},
		{Name: "oauth", For: Addresses},
		{Name: "sandbox"},
		{Name: "sandboxEnabled"},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
		{Name: "version"},
	},
	NeedsTarget: true,
	Source:      Source{From: "microsoft/vscode src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts, mcpServerSchema", Seen: "2026-11-22"},
}

// amazonQSchema: serde types, as the published schema has them.
var amazonQSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: text},
		{Name: "autoApprove"},
		{Name: "command", Kinds: Strings},
		{Name: "disabled", Kinds: Bools},
		{Name: "disabledTools"},
		{Name: "env", Kinds: Objects, Each: text},
		{Name: "headers", Kinds: Objects, Each: text},
		{Name: "oauth"},
		{Name: "oauthScopes"},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings},
	},
	Source: Source{From: "aws/amazon-q-developer-cli schemas/agent-v1.json", Seen: "2026-11-22"},
}

// continueSchema: a union of zod objects that let other members pass.
var continueSchema = &Schema{
	Members: []Member{
		{Name: "apiKey"},
		{Name: "args", Kinds: Arrays, Each: text, For: Programs},
		{Name: "command", Kinds: Strings, For: Programs},
		{Name: "connectionTimeout", Kinds: Numbers},
		{Name: "cwd", Kinds: Strings, For: Programs},
		{Name: "env", Kinds: Objects, Each: text, For: Programs},
		{Name: "faviconUrl", Kinds: Strings},
		{Name: "name", Kinds: Strings},
		{Name: "requestOptions", Kinds: Objects, For: Addresses},
		{Name: "serverName", Kinds: Strings},
		{Name: "sourceFile"},
		{Name: "type", Kinds: Strings},
		{Name: "url", Kinds: Strings, For: Addresses},
	},
	Source: Source{From: "continuedev/continue packages/config-yaml/src/schemas/mcp/index.ts", Version: "0a3f6338", Seen: "2026-11-24"},
}

// gooseSchema: an enumeration of serde types that the type tells apart.
var gooseSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: text, For: Programs},
		{Name: "available_tools", Kinds: Arrays, Each: text},
		{Name: "bundled", Kinds: Bools},
		{Name: "cmd", Kinds: Strings, For: Programs},
		{Name: "description"},
		{Name: "display_name"},
		{Name: "enabled", Kinds: Bools},
		{Name: "env_keys", Kinds: Arrays, Each: text},
		{Name: "envs", Kinds: Objects, Each: text},
		{Name: "headers", Kinds: Objects, Each: text, For: Addresses},
		{Name: "name"},
		{Name: "timeout", Kinds: Numbers},
		{Name: "type", Kinds: Strings},
		{Name: "uri", Kinds: Strings, For: Addresses},
	},
	Source: Source{From: "block/goose crates/goose/src/agents/extension.rs, ExtensionConfig", Version: "01cad15f", Seen: "2026-11-24"},
}

// zedSchema: serde types. The client ignores several of them if they do not fit; the object is the
// command of old releases.
var zedSchema = &Schema{
	Members: []Member{
		{Name: "args", Kinds: Arrays, Each: scalar},
		{Name: "command", Kinds: Strings | Objects},
		{Name: "enabled"},
		{Name: "env", Kinds: Objects, Each: scalar},
		{Name: "headers", Kinds: Objects, Each: scalar},
		{Name: "oauth"},
		{Name: "remote"},
		{Name: "settings"},
		{Name: "source"},
		{Name: "timeout"},
		{Name: "url", Kinds: Strings},
	},
	Source: Source{From: "zed crates/settings_content/src/project.rs, ContextServerSettingsContent", Seen: "2026-11-22"},
}
