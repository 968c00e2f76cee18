package main

import "strings"

// settingsCases are the cases for Gemini CLI and Qwen Code, whose settings have the same
// shape.
func settingsCases(path string) []testCase {
	var all []testCase
	text := func(id, name, text string) { all = append(all, testCase{ID: id, Path: path, Name: name, Text: text}) }
	entry := func(id, entry string) testCase {
		return testCase{ID: id, Path: path, Name: usual, Text: `{"mcpServers": {"case": ` + entry + `}}`}
	}
	bases := []base{
		{"stdio", []member{{"command", `"npx"`}}}, {"http", []member{{"httpUrl", `"https://mcp.example.com/mcp"`}}}, {"sse", []member{{"url", `"https://mcp.example.com/sse"`}}},
	}
	kinds := []string{`null`, `true`, `5`, `"x"`, `["x"]`, `[5]`, `{}`, `{"a": "x"}`, `{"a": 5}`}
	few := []string{`null`, `5`, `"x"`, `["x"]`}
	for i, keys := range [][]string{{"command", "args", "env", "cwd"}, {"httpUrl", "headers"}, {"url"}} {
		for _, key := range keys {
			for _, value := range kinds {
				all = append(all, entry("member/"+bases[i].id+"."+key+"="+value, object(with(bases[i].members, key, value)...)))
			}
		}
	}
	for _, key := range []string{"timeout", "trust", "type", "includeTools", "excludeTools", "description", "oauth", "disabled", "enabled", "unknown"} {
		for _, value := range few {
			all = append(all, entry("member/stdio."+key+"="+value, object(with(bases[0].members, key, value)...)))
		}
	}
	for _, b := range bases[1:] {
		for _, word := range []string{"http", "sse", "stdio", "ws", ""} {
			all = append(all, entry("type/"+b.id+"="+word, object(with(b.members, "type", quoted(word))...)))
		}
	}
	for _, value := range []string{`null`, `5`, `"x"`, `[]`, `true`, `{}`} {
		all = append(all, entry("entry/"+value, value))
		text("root/mcpServers="+value, usual, `{"mcpServers": `+value+`}`)
	}
	good := `{"mcpServers": {"case": {"command": "npx"}}}`
	for _, key := range []string{"servers", "mcp_servers", "mcp", "mcpservers"} {
		text("root/key="+key, usual, strings.Replace(good, "mcpServers", key, 1))
	}
	text("root/empty-object", usual, `{}`)
	text("root/empty-file", usual, ``)
	text("root/list", usual, `[]`)
	text("encoding/bom", usual, "\ufeff"+good)
	text("encoding/line-comment", usual, "// x\n"+good)
	text("encoding/block-comment", usual, `{/* x */"mcpServers": {"case": {"command": "npx"}}}`)
	text("encoding/trailing-comma", usual, `{"mcpServers": {"case": {"command": "npx"},}}`)
	text("encoding/single-quotes", usual, `{'mcpServers': {'case': {'command': 'npx'}}}`)
	text("encoding/cut-off", usual, good[:len(good)-1])
	text("duplicate/member-bad-good", usual, `{"mcpServers": {"case": {"command": 5, "command": "npx"}}}`)
	text("duplicate/name", usual, `{"mcpServers": {"case": {"command": "uvx"}, "case": {"command": "npx"}}}`)
	for _, name := range names() {
		text("name/"+name, name, `{"mcpServers": {`+quoted(name)+`: {"command": "npx"}}}`)
	}
	all = append(all, variables([]place{
		{"args", `{"command": "npx", "args": ["AT"]}`}, {"env", `{"command": "npx", "env": {"A": "AT"}}`}, {"httpUrl", `{"httpUrl": "https://mcp.example.com/AT"}`},
	}, entry)...)
	return unique(all)
}

// opencodeCases are the cases for opencode.
func opencodeCases() []testCase {
	const path = "opencode.json"
	var all []testCase
	text := func(id, name, text string) { all = append(all, testCase{ID: id, Path: path, Name: name, Text: text}) }
	named := func(id, name, entry string) testCase {
		c := testCase{ID: id, Path: path, Name: name, Text: `{"mcp": {` + quoted(name) + `: ` + entry + `}}`, Entry: entry}
		if strings.Contains(entry, "{file:") { // it makes it refuse the file that they share
			c.Entry = ""
		}
		return c
	}
	entry := func(id, entry string) testCase { return named(id, usual, entry) }
	local := base{"local", []member{{"type", `"local"`}, {"command", `["npx"]`}}}
	remote := base{"remote", []member{{"type", `"remote"`}, {"url", `"https://mcp.example.com/mcp"`}}}
	kinds := []string{`null`, `true`, `5`, `"x"`, `["x"]`, `[5]`, `{}`, `{"a": "x"}`, `{"a": 5}`}
	few := []string{`null`, `true`, `5`, `-1`, `"x"`, `{}`}
	for _, key := range []string{"command", "environment"} {
		for _, value := range kinds {
			all = append(all, entry("member/local."+key+"="+value, object(with(local.members, key, value)...)))
		}
	}
	for _, key := range []string{"url", "headers"} {
		for _, value := range kinds {
			all = append(all, entry("member/remote."+key+"="+value, object(with(remote.members, key, value)...)))
		}
	}
	for _, b := range []base{local, remote} {
		for _, key := range []string{"enabled", "timeout", "cwd", "oauth", "args", "env", "disabled", "unknown"} {
			for _, value := range few {
				all = append(all, entry("member/"+b.id+"."+key+"="+value, object(with(b.members, key, value)...)))
			}
		}
		for _, word := range words() {
			all = append(all, entry("type/"+b.id+"="+word, object(with(b.members, "type", quoted(word))...)))
		}
		all = append(all, entry("type/"+b.id+"=absent", object(b.members[1:]...)))
		all = append(all, entry("switch/"+b.id+".enabled=false", object(with(b.members, "enabled", "false")...)))
	}
	for _, value := range []string{`{"clientId": "x"}`, `{"clientId": 5}`, `{"scope": "a"}`, `{"unknown": 5}`, `false`} {
		all = append(all, entry("member/remote.oauth="+value, object(with(remote.members, "oauth", value)...)))
	}
	all = append(all, entry("entry/only-enabled", `{"enabled": false}`), entry("entry/command-string-args", `{"type": "local", "command": "npx", "args": ["x"]}`))
	for _, value := range []string{`null`, `5`, `"x"`, `[]`, `true`, `{}`} {
		all = append(all, entry("entry/"+value, value))
		text("root/mcp="+value, usual, `{"mcp": `+value+`}`)
	}
	good := `{"mcp": {"case": {"type": "local", "command": ["npx"]}}}`
	for _, key := range []string{"mcpServers", "servers", "mcp_servers", "MCP"} {
		text("root/key="+key, usual, strings.Replace(good, "mcp", key, 1))
	}
	text("root/empty-object", usual, `{}`)
	text("root/empty-file", usual, ``)
	text("root/list", usual, `[]`)
	text("root/unknown-beside", usual, `{"unknown": 5, "mcp": {"case": {"type": "local", "command": ["npx"]}}}`)
	text("encoding/bom", usual, "\ufeff"+good)
	text("encoding/line-comment", usual, "// x\n"+good)
	text("encoding/block-comment", usual, `{/* x */"mcp": {"case": {"type": "local", "command": ["npx"]}}}`)
	text("encoding/trailing-comma", usual, `{"mcp": {"case": {"type": "local", "command": ["npx"]},}}`)
	text("encoding/single-quotes", usual, `{'mcp': {}}`)
	text("encoding/cut-off", usual, good[:len(good)-1])
	text("duplicate/member-bad-good", usual, `{"mcp": {"case": {"type": "local", "command": 5, "command": ["npx"]}}}`)
	text("duplicate/name", usual, `{"mcp": {"case": {"type": "local", "command": ["uvx"]}, "case": {"type": "local", "command": ["npx"]}}}`)
	for _, name := range []string{"a.b", "@acme/mcp", "a b", "", "é", "a:b"} {
		all = append(all, named("name/"+name, name, `{"type": "local", "command": ["npx"]}`))
	}
	all = append(all, variables([]place{
		{"command", `{"type": "local", "command": ["npx", "AT"]}`}, {"environment", `{"type": "local", "command": ["npx"], "environment": {"A": "AT"}}`},
		{"url", `{"type": "remote", "url": "https://mcp.example.com/AT"}`},
	}, entry)...)
	return unique(all)
}
