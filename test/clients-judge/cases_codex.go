package main

import "strings"

// codexText is a project's file of Codex.
func codexText(id, name, text string) testCase {
	return testCase{ID: id, Path: ".codex/config.toml", Name: name, Text: text}
}

// table writes members as a table of TOML under the usual name.
func table(members ...member) string {
	text := "[mcp_servers.case]\n"
	for _, m := range members {
		text += m.key + " = " + m.value + "\n"
	}
	return text
}

// codexCases are the cases for Codex: each in a file of its own, because one bad member
// stops it.
func codexCases() []testCase {
	program := base{"stdio", []member{{"command", `"npx"`}}}
	remote := base{"http", []member{{"url", `"https://mcp.example.com/mcp"`}}}
	kinds := []string{`true`, `5`, `1.5`, `""`, `"x"`, `[]`, `["x"]`, `[5]`, `{}`, `{a = "x"}`, `{a = 5}`, `1979-05-27`}

	var all []testCase
	add := func(id, text string) { all = append(all, codexText(id, usual, text)) }
	try := func(b base, key string, values ...string) {
		for _, value := range values {
			add("member/"+b.id+"."+key+"="+value, table(with(b.members, key, value)...))
		}
	}
	for _, key := range []string{
		"command", "args", "env", "env_vars", "cwd", "enabled", "required", "enabled_tools", "disabled_tools", "startup_timeout_sec", "startup_timeout_ms",
		"tool_timeout_sec", "default_tools_approval_mode", "tools", "supports_parallel_tool_calls", "startup_readiness", "omit_tools_from",
		"tool_input_schema_max_bytes", "environment_id", "experimental_environment", "name", "type", "unknown",
	} {
		try(program, key, kinds...)
	}
	for _, key := range []string{
		"url", "bearer_token_env_var", "http_headers", "env_http_headers", "http_headers_helper", "oauth", "oauth_resource", "scopes", "auth",
	} {
		try(remote, key, kinds...)
	}
	// Next to the other kind of server.
	for _, m := range []member{
		{"args", `["x"]`}, {"env", `{A = "x"}`}, {"env_vars", `["A"]`}, {"cwd", `"x"`}, {"command", `"npx"`}, {"environment_id", `"x"`}, {"type", `"http"`}, {"type", `"stdio"`},
		{"headers", `{A = "x"}`}, {"bearer_token", `"x"`}, {"startup_readiness", `"catalog"`}, {"enabled_tools", `["x"]`},
	} {
		try(remote, m.key, m.value)
	}
	for _, m := range []member{
		{"http_headers", `{A = "x"}`}, {"env_http_headers", `{A = "B"}`}, {"http_headers_helper", `"x"`}, {"bearer_token_env_var", `"A"`}, {"oauth", `{client_id = "x"}`},
		{"oauth_resource", `"x"`}, {"scopes", `["x"]`}, {"auth", `"oauth"`}, {"auth", `"chatgpt"`}, {"auth", `"ema_auth"`}, {"url", `"https://mcp.example.com/mcp"`},
		{"headers", `{A = "x"}`}, {"bearer_token", `"x"`}, {"environment", `{A = "x"}`}, {"working_directory", `"x"`},
	} {
		try(program, m.key, m.value)
	}

	// Values of its enumerations and others.
	for _, word := range []string{"oauth", "chatgpt", "ema_auth", "OAuth", "none", "bearer", ""} {
		try(remote, "auth", quoted(word))
	}
	for _, word := range []string{"auto", "prompt", "writes", "approve", "never", "always", "Approve", "", "ask", "allow"} {
		try(program, "default_tools_approval_mode", quoted(word))
		add("tools/approval_mode="+word, table(program.members...)+"[mcp_servers.case.tools.x]\napproval_mode = "+quoted(word)+"\n")
	}
	for _, word := range []string{"connection", "catalog", "none", "Catalog", ""} {
		try(program, "startup_readiness", quoted(word))
		try(remote, "startup_readiness", quoted(word))
	}
	try(program, "omit_tools_from", `["code_mode"]`, `["deferred", "direct"]`, `["direct", "direct"]`, `["all"]`, `["Direct"]`, `"direct"`)
	try(program, "tool_input_schema_max_bytes", `0`, `1`, `-1`, `"1"`, `1.0`, `100000000000`)
	try(remote, "http_headers_helper", `"./x"`, `" "`, `["x"]`)
	add("member/http.http_headers_helper-environment_id", table(with(with(remote.members, "http_headers_helper", `"x"`), "environment_id", `"x"`)...))
	try(program, "env_vars", `["A"]`, `[""]`, `["A", 5]`, `[{name = "A"}]`, `[{name = "A", source = "local"}]`, `[{name = "A", source = "remote"}]`, `[{name = "A", source = "nope"}]`,
		`[{name = "A", source = "Local"}]`, `[{source = "local"}]`, `[{name = "A", value = "x"}]`, `[{name = 5}]`, `{A = "x"}`, `"A"`, `[["A"]]`)
	for _, key := range []string{"startup_timeout_sec", "tool_timeout_sec", "startup_timeout_ms"} {
		try(program, key, `0`, `-1`, `-0.5`, `inf`, `-inf`, `nan`, `1e20`, `10.0`, `"10"`, `100000000000`)
	}
	for _, value := range []string{
		`{client_id = "x"}`, `{client_id = 5}`, `{client_id = ""}`, `{client_id = "x", client_secret = "y"}`, `{client_secret = "y"}`, `{client_id = "x", client_secret = ""}`,
		`{callback_port = 8080}`, `{callback_port = "8080"}`, `{callback_port = -1}`, `{callback_port = 0}`, `{callback_port = 65536}`,
		`{token_endpoint_auth_method = "none"}`, `{authorization_server_issuer = "https://x.example.com"}`, `{unknown = 5}`, `{callback_url = 5}`, `{callback_url = "x"}`,
	} {
		try(remote, "oauth", value)
	}
	for _, value := range []string{
		`{x = 5}`, `{x = "y"}`, `{x = {}}`, `{x = {enabled = false}}`, `{x = {output_token_limit = 5}}`, `{x = {output_token_limit = -1}}`,
		`{x = {output_token_limit = "5"}}`, `{x = {unknown = 5}}`, `[{name = "x"}]`, `{x = []}`,
	} {
		try(program, "tools", value)
	}
	for _, url := range []string{"http://localhost:3000", "ftp://mcp.example.com", "wss://mcp.example.com", "https://mcp.example.com:99999", "an address", "x", "${SET}", "https://mcp.example.com/sse"} {
		try(remote, "url", quoted(url))
	}

	// The shape.
	for _, value := range []string{`"x"`, `5`, `["x"]`, `true`, `{}`, `[]`} {
		add("shape/entry="+value, "[mcp_servers]\ncase = "+value+"\n")
		add("shape/mcp_servers="+value, "mcp_servers = "+value+"\n")
	}
	add("shape/array-of-tables", "[[mcp_servers.case]]\ncommand = \"npx\"\n")
	add("shape/unquoted-dot", "[mcp_servers.case.b]\ncommand = \"npx\"\n")
	add("shape/unquoted-dot-beside", "[mcp_servers.case]\ncommand = \"npx\"\n[mcp_servers.case.b]\ncommand = \"npx\"\n")
	add("shape/inline", "mcp_servers = {case = {command = \"npx\"}}\n")
	add("shape/dotted-keys", "mcp_servers.case.command = \"npx\"\n")
	add("shape/Command", "[mcp_servers.case]\nCommand = \"npx\"\n")
	add("shape/URL", "[mcp_servers.case]\nURL = \"https://mcp.example.com/mcp\"\n")
	add("shape/only-type", "[mcp_servers.case]\ntype = \"stdio\"\n")
	add("shape/only-args", "[mcp_servers.case]\nargs = [\"x\"]\n")
	add("shape/only-enabled", "[mcp_servers.case]\nenabled = true\n")
	add("shape/empty-entry", "[mcp_servers.case]\n")
	add("shape/command-list", "[mcp_servers.case]\ncommand = [\"npx\", \"-y\"]\n")
	good := table(program.members...)
	for _, key := range []string{"mcp-servers", "mcp_server", "servers", "mcpservers", "MCP_SERVERS", "mcp.servers", "mcpServers", "mcp"} {
		add("root/key="+key, strings.Replace(good, "mcp_servers", key, 1))
	}
	add("root/empty-file", "")
	add("encoding/bom", "\ufeff"+good)
	add("encoding/crlf", strings.ReplaceAll(good, "\n", "\r\n"))
	add("encoding/comment", "# x\n"+good)
	add("encoding/slashes", "// x\n"+good)
	add("encoding/json", `{"mcp_servers": {"case": {"command": "npx"}}}`)
	add("encoding/no-quotes", "[mcp_servers.case]\ncommand = npx\n")
	add("encoding/colon", "[mcp_servers.case]\ncommand: \"npx\"\n")
	add("encoding/cut-off", "[mcp_servers.case\ncommand = \"npx\"\n")
	add("encoding/literal-string", "[mcp_servers.case]\ncommand = 'npx'\n")
	add("encoding/long-string", "[mcp_servers.case]\ncommand = \"\"\"npx\"\"\"\n")
	add("encoding/trailing-comma", "[mcp_servers.case]\ncommand = \"npx\"\nargs = [\"x\",]\n")
	add("encoding/windows-path", "[mcp_servers.case]\ncommand = \"C:\\Users\\x\"\n")
	add("duplicate/table", good+good)
	add("duplicate/member", good+"command = \"uvx\"\n")
	add("duplicate/member-bad-good", "[mcp_servers.case]\ncommand = 5\ncommand = \"npx\"\n")
	add("duplicate/root", "[mcp_servers]\n"+good+"[mcp_servers]\n")
	add("duplicate/inline-and-table", "mcp_servers = {}\n"+good)

	// Switches, with a bad member after them.
	for _, m := range []member{{"enabled", `false`}, {"disabled", `true`}, {"enabled", `"false"`}, {"disabled", `"true"`}, {"enabled", `0`}} {
		add("switch/"+m.key+"="+m.value, table(with(program.members, m.key, m.value)...))
		add("switch/"+m.key+"="+m.value+"-http", table(with(remote.members, m.key, m.value)...))
	}
	add("switch/off-args", table(with(with(program.members, "enabled", `false`), "args", `"x"`)...))
	add("switch/off-both", table(with(with(program.members, "enabled", `false`), "url", `"https://mcp.example.com/mcp"`)...))
	add("switch/off-nothing-else", "[mcp_servers.case]\nenabled = false\n")
	all = append(all, codexText("switch/off-name", "a b", "[mcp_servers.\"a b\"]\ncommand = \"npx\"\nenabled = false\n"))

	for _, name := range names() {
		all = append(all, codexText("name/"+name, name, "[mcp_servers."+quoted(name)+"]\ncommand = \"npx\"\n"))
	}
	all = append(all, variables([]place{
		{"args", `command = "npx"` + "\n" + `args = ["AT"]`},
		{"command", `command = "AT"`},
		{"env", `command = "npx"` + "\n" + `env = {A = "AT"}`},
		{"cwd", `command = "npx"` + "\n" + `cwd = "AT"`},
		{"url", `url = "https://mcp.example.com/AT"`},
		{"http_headers", `url = "https://mcp.example.com/mcp"` + "\n" + `http_headers = {A = "AT"}`},
		{"bearer_token_env_var", `url = "https://mcp.example.com/mcp"` + "\n" + `bearer_token_env_var = "AT"`},
	}, func(id, entry string) testCase { return codexText(id, usual, "[mcp_servers.case]\n"+entry+"\n") })...)
	return unique(all)
}
