package main

import "strings"

// claudeFile is a project's file of Claude Code with an entry.
func claudeFile(id, name, entry string) testCase {
	return testCase{ID: id, Path: ".mcp.json", Name: name, Text: `{"mcpServers": {` + quoted(name) + ": " + entry + "}}"}
}

// claudeEntry is an entry whose name does not matter.
func claudeEntry(id, entry string) testCase {
	c := claudeFile(id, usual, entry)
	c.Entry = entry
	return c
}

// claudeText is a file that is special as a whole.
func claudeText(id, text string) testCase {
	return testCase{ID: id, Path: ".mcp.json", Name: usual, Text: text}
}

// claudeCases are the cases for Claude Code.
func claudeCases() []testCase {
	program := base{"stdio", []member{{"command", `"npx"`}}}
	remote := base{"http", []member{{"type", `"http"`}, {"url", `"https://mcp.example.com/mcp"`}}}
	stream := base{"sse", []member{{"type", `"sse"`}, {"url", `"https://mcp.example.com/mcp"`}}}
	socket := base{"ws", []member{{"type", `"ws"`}, {"url", `"wss://mcp.example.com/mcp"`}}}
	kinds := []string{`null`, `true`, `5`, `""`, `"x"`, `[]`, `["x"]`, `[5]`, `[null]`, `{}`, `{"a": "x"}`, `{"a": 5}`, `{"a": null}`}
	few := []string{`null`, `true`, `0`, `5`, `"x"`, `["x"]`, `{}`}

	var all []testCase
	try := func(b base, key string, values ...string) {
		for _, value := range values {
			all = append(all, claudeEntry("member/"+b.id+"."+key+"="+value, object(with(b.members, key, value)...)))
		}
	}
	for _, key := range []string{"command", "args", "env", "type"} {
		try(program, key, kinds...)
	}
	for _, key := range []string{"type", "url", "headers", "headersHelper", "oauth"} {
		try(remote, key, kinds...)
	}
	for _, b := range []base{program, remote} {
		for _, key := range []string{
			"alwaysLoad", "timeout", "request_timeout_ms", "tools", "toolPermissions", "displayName", "role", "discoveryCache", "bareElicitationCapability",
			"disabled", "enabled", "cwd", "unknown",
		} {
			try(b, key, few...)
		}
		try(b, "timeout", `-1`, `1.5`, `1e3`, `100000000000000000`, `9007199254740991`, `9007199254740992`)
	}
	for _, key := range []string{"command", "args", "env", "cwd"} {
		try(remote, key, `"x"`, `5`)
	}
	for _, key := range []string{"headers", "headersHelper", "oauth"} {
		try(program, key, `"x"`, `5`)
		try(socket, key, `"x"`, `5`, `{}`)
	}
	for _, b := range []base{program, remote, stream, socket} {
		try(b, "tools", `["*"]`, `[]`, `[{"name": "x", "permission_policy": "always_allow"}]`, `[{"name": "x", "permission_policy": "always_ask"}]`,
			`[{"name": "x", "permission_policy": "always_deny"}]`, `[{"name": "x", "permission_policy": "allow"}]`, `[{"name": "x"}]`, `[{"permission_policy": "always_ask"}]`)
		try(b, "toolPermissions", `{"x": "allow"}`, `{"x": "ask"}`, `{"x": "blocked"}`, `{"x": "deny"}`, `{"x": 5}`, `{"x": null}`, `[]`)
	}
	for _, b := range []base{remote, stream} {
		try(b, "oauth", `{"clientId": "x"}`, `{"clientId": ""}`, `{"clientId": 5}`, `{"scopes": "a b"}`, `{"scopes": ""}`, `{"scopes": ["a"]}`,
			`{"callbackPort": 8080}`, `{"callbackPort": 0}`, `{"callbackPort": "8080"}`, `{"callbackPort": 1.5}`, `{"callbackPort": 70000}`,
			`{"authServerMetadataUrl": "https://x.example.com"}`, `{"authServerMetadataUrl": "http://x.example.com"}`, `{"authServerMetadataUrl": "x"}`,
			`{"xaa": true}`, `{"xaa": "true"}`, `{"xaa": null}`, `{"unknown": 5}`)
	}

	// A type next to each of the targets: Claude Code's own values and those of other
	// clients.
	targets := []base{
		{"none", nil}, {"command", []member{{"command", `"npx"`}}}, {"url", []member{{"url", `"https://mcp.example.com/mcp"`}}},
		{"both", []member{{"command", `"npx"`}, {"url", `"https://mcp.example.com/mcp"`}}},
	}
	for _, b := range targets {
		all = append(all, claudeEntry("type/"+b.id+"=absent", object(b.members...)))
		for _, word := range words() {
			all = append(all, claudeEntry("type/"+b.id+"="+word, object(with(b.members, "type", quoted(word))...)))
		}
	}
	all = append(all,
		claudeEntry("type/empty-command-beside-url", `{"command": "", "url": "https://mcp.example.com/mcp"}`),
		claudeEntry("type/blank-command", `{"command": " "}`),
		claudeEntry("type/url-of-others=serverUrl", `{"serverUrl": "https://mcp.example.com/mcp"}`),
		claudeEntry("type/url-of-others=httpUrl", `{"httpUrl": "https://mcp.example.com/mcp"}`),
		claudeEntry("type/command-list", `{"command": ["npx", "-y", "x"]}`),
		claudeEntry("type/nested-transport", `{"transport": {"type": "stdio", "command": "npx"}}`),
	)
	for _, url := range []string{"x", "mcp.example.com", "ftp://mcp.example.com", "wss://mcp.example.com", "https://mcp.example.com:99999", "http://", "//mcp.example.com", "localhost:3000"} {
		try(remote, "url", quoted(url))
	}

	for _, value := range []string{`null`, `5`, `"x"`, `[]`, `true`, `{}`} {
		all = append(all, claudeFile("entry/"+value, usual, value))
		all = append(all, claudeText("root/mcpServers="+value, `{"mcpServers": `+value+`}`))
	}
	for _, key := range []string{"servers", "mcp_servers", "mcpservers", "MCPServers", "mcp", "mcp-servers", "context_servers"} {
		all = append(all, claudeText("root/key="+key, `{"`+key+`": {"case": {"command": "npx"}}}`))
	}
	good := `{"mcpServers": {"case": {"command": "npx"}}}`
	all = append(all,
		claudeText("root/bare", `{"case": {"command": "npx"}}`),
		claudeText("root/bare-url", `{"case": {"type": "http", "url": "https://mcp.example.com/mcp"}}`),
		claudeText("root/empty-object", `{}`),
		claudeText("root/empty-file", ``),
		claudeText("root/blank-file", " \n"),
		claudeText("root/list", `[]`),
		claudeText("root/null", `null`),
		claudeText("root/other-key-beside", `{"inputs": [], "mcpServers": {"case": {"command": "npx"}}}`),
		claudeText("root/schema-beside", `{"$schema": "x", "mcpServers": {"case": {"command": "npx"}}}`),
		claudeText("encoding/bom", "\ufeff"+good),
		claudeText("encoding/crlf", strings.ReplaceAll(good, " ", "\r\n")),
		claudeText("encoding/line-comment", "// x\n"+good),
		claudeText("encoding/block-comment", `{/* x */"mcpServers": {"case": {"command": "npx"}}}`),
		claudeText("encoding/trailing-comma", `{"mcpServers": {"case": {"command": "npx"},}}`),
		claudeText("encoding/single-quotes", `{'mcpServers': {'case': {'command': 'npx'}}}`),
		claudeText("encoding/unquoted-key", `{mcpServers: {"case": {"command": "npx"}}}`),
		claudeText("encoding/text-after", good+"\nx"),
		claudeText("encoding/two-values", good+good),
		claudeText("encoding/cut-off", good[:len(good)-1]),
		claudeText("encoding/tab-in-string", "{\"mcpServers\": {\"case\": {\"command\": \"n\tx\"}}}"),
		claudeText("encoding/escaped", `{"mcpServers": {"\u0063ase": {"\u0063ommand": "npx"}}}`),
		claudeText("duplicate/member-good-good", `{"mcpServers": {"case": {"command": "npx", "command": "uvx"}}}`),
		claudeText("duplicate/member-bad-good", `{"mcpServers": {"case": {"command": 5, "command": "npx"}}}`),
		claudeText("duplicate/member-good-bad", `{"mcpServers": {"case": {"command": "npx", "command": 5}}}`),
		claudeText("duplicate/name-good-good", `{"mcpServers": {"case": {"command": "npx"}, "case": {"command": "uvx"}}}`),
		claudeText("duplicate/name-bad-good", `{"mcpServers": {"case": {"command": 5}, "case": {"command": "npx"}}}`),
		claudeText("duplicate/name-good-bad", `{"mcpServers": {"case": {"command": "npx"}, "case": {"command": 5}}}`),
		claudeText("duplicate/root", `{"mcpServers": {}, "mcpServers": {"case": {"command": "npx"}}}`),
		claudeText("duplicate/root-empty-last", `{"mcpServers": {"case": {"command": "npx"}}, "mcpServers": {}}`),
		claudeEntry("switch/disabled=true", `{"command": "npx", "disabled": true}`),
		claudeEntry("switch/enabled=false", `{"command": "npx", "enabled": false}`),
		claudeEntry("switch/disabled=true-http", `{"type": "http", "url": "https://mcp.example.com/mcp", "disabled": true}`),
		claudeEntry("switch/enabled=false-http", `{"type": "http", "url": "https://mcp.example.com/mcp", "enabled": false}`),
		claudeEntry("switch/off-and-bad", `{"command": 5, "disabled": true}`),
		claudeEntry("blanks/command", `{"command": " npx"}`),
		claudeEntry("blanks/args", `{"command": "npx", "args": ["x "]}`),
		claudeEntry("blanks/env-value", `{"command": "npx", "env": {"A": " x"}}`),
		claudeEntry("blanks/env-name", `{"command": "npx", "env": {"A ": "x"}}`),
		claudeEntry("blanks/url", `{"type": "http", "url": "https://mcp.example.com/mcp "}`),
		claudeEntry("blanks/header", `{"type": "http", "url": "https://mcp.example.com/mcp", "headers": {"A": "x\n"}}`),
	)

	for _, name := range names() {
		all = append(all, claudeFile("name/"+name, name, `{"command": "npx"}`))
	}
	for _, name := range []string{
		"workspace", "claude-in-chrome", "computer-use", "Claude Preview", "Claude Browser", "Claude in Chrome", "webagent", "remote-devices",
		"claude-code-remote", "hearthbot", "claude_ai", "ccr-email", "claude-device", "Slack sign-in (Claude Code tag)", "__proto__", "__defineGetter__",
		"__lookupSetter__", "claude.ai", "claude ai", "Claude_Preview", "Claude.Preview", "Claude_Browser", "Claude_in_Chrome", "workspace_", "workspace ",
		"Workspace", "Claude-in-Chrome", "computer_use", "remote_devices", "widgets", "hasOwnProperty", "prototype", "claude-preview", "claude", "work space",
	} {
		all = append(all, claudeFile("reserved/"+name, name, `{"command": "npx"}`))
	}

	all = append(all, variables([]place{
		{"args", `{"command": "npx", "args": ["AT"]}`},
		{"command", `{"command": "AT"}`},
		{"env", `{"command": "npx", "env": {"A": "AT"}}`},
		{"url", `{"type": "http", "url": "https://mcp.example.com/AT"}`},
		{"headers", `{"type": "http", "url": "https://mcp.example.com/mcp", "headers": {"A": "AT"}}`},
	}, claudeEntry)...)
	for _, p := range []place{
		{"env-name", `{"command": "npx", "env": {"AT": "x"}}`},
		{"header-name", `{"type": "http", "url": "https://mcp.example.com/mcp", "headers": {"AT": "x"}}`},
		{"type", `{"type": "AT", "url": "https://mcp.example.com/mcp"}`},
		{"timeout", `{"command": "npx", "timeout": "AT"}`},
		{"headersHelper", `{"type": "http", "url": "https://mcp.example.com/mcp", "headersHelper": "AT"}`},
		{"oauth", `{"type": "http", "url": "https://mcp.example.com/mcp", "oauth": {"clientId": "AT"}}`},
	} {
		c := claudeEntry("variable/"+p.id+"=braced-unset", strings.Replace(p.entry, "AT", "${UNSET}", 1))
		c.Written, c.Wanted = "${UNSET}", ""
		all = append(all, c)
	}
	return unique(all)
}
