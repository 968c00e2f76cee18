package instep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// fields and lost are the words of the tests for what differs and what is lost.
var (
	fields = map[mcp.Field]string{
		mcp.FieldProgram: "program", mcp.FieldURL: "url", mcp.FieldTransport: "transport", mcp.FieldVersion: "version", mcp.FieldArgument: "argument",
		mcp.FieldVariable: "variable", mcp.FieldHeader: "header", mcp.FieldEnvFile: "envFile", mcp.FieldDirectory: "directory", mcp.FieldSwitch: "switch", mcp.FieldName: "name",
	}
	lost = map[mcp.LossReason]string{
		mcp.NoAddress: "no address", mcp.NoHeaders: "no header", mcp.NoDirectory: "no directory", mcp.NoSwitch: "no switch", mcp.NoName: "no name", mcp.NotSpoken: "not spoken",
		mcp.NotExpanded: "not expanded", mcp.NoDefault: "no default", mcp.NotSaid: "not said", mcp.Chosen: "chosen", mcp.MayNotExpand: "may not expand", mcp.NoTarget: "no target",
		mcp.OtherStart: "other start", mcp.WouldExpand: "would expand", mcp.NoMember: "no member", mcp.SecretLeftOut: "secret left out", mcp.NotAsked: "not asked", mcp.NoPath: "no path",
	}
)

// cellText writes a cell: whether it is in sync, what differs at which text, and what its client
// cannot express although it decides what the server does.
func cellText(c *mcp.Cell) string {
	parts := []string{map[mcp.CellState]string{
		mcp.InStep: "in step", mcp.Missing: "missing", mcp.Differs: "differs", mcp.NotSayable: "not sayable", mcp.Excepted: "excepted",
	}[c.State]}
	for _, d := range c.Differences {
		text := fields[d.Field]
		if d.Name != "" {
			text += " " + d.Name
		}
		text += map[mcp.DifferenceKind]string{mcp.IsOther: "", mcp.OnlyHere: " only here", mcp.NotHere: " only there"}[d.Kind]
		parts = append(parts, text+" at "+string(c.Server.Document.File.Bytes[d.Span.Start:d.Span.End]))
	}
	for _, l := range c.Losses {
		if !l.IsFatal() {
			continue
		}
		text, known := lost[l.Reason]
		if !known {
			text = fmt.Sprint("loss ", l.Reason)
		}
		parts = append(parts, "("+strings.TrimSpace(text+" "+l.Name)+")")
	}
	return strings.Join(parts, "; ")
}

// compared returns what there is to report about the only server of a source in another file, each
// under its path.
func compared(t *testing.T, sourcePath, source, path, text string) string {
	t.Helper()
	repo, problems := fill(t, map[string]string{sourcePath: source, path: text}, mcp.GroupSettings{Files: []string{sourcePath, path}, Source: sourcePath})
	require.Empty(t, problems)
	require.Len(t, repo.Groups, 1)
	var texts []string
	for _, c := range repo.Groups[0].Files[1].Cells {
		texts = append(texts, cellText(c))
	}
	return strings.Join(texts, " | ")
}

// entry wraps the members of an entry called s under a root key.
func entry(root, members string) string { return `{"` + root + `": {"s": {` + members + `}}}` }

// TestDifferences shows the differences between an entry of Cursor and the entry of Claude Code
// that it is compared with, and at which text.
func TestDifferences(t *testing.T) {
	const docs = `"command": "npx", "args": ["-y", "docs-mcp@1.0.0"]`
	const url = `"type": "http", "url": "https://hub.acme.dev/mcp"`
	args := func(all ...string) string {
		return `"command": "npx", "args": ["-y", "docs-mcp@1.0.0", ` + strings.Join(all, ", ") + `]`
	}
	for _, test := range []struct{ name, has, should, want string }{
		{"the same", docs, docs, "in step"},

		{"another version", `"command": "npx", "args": ["-y", "docs-mcp@1.0.1"]`, docs, "differs; version at 1.0.1"},
		{"no version", `"command": "npx", "args": ["-y", "docs-mcp"]`, docs, `differs; version at "docs-mcp"`},
		{"the newest, in two ways", `"command": "npx", "args": ["-y", "docs-mcp@latest"]`, `"command": "npx", "args": ["-y", "docs-mcp"]`, "in step"},
		{"a version in two ways", `"command": "npx", "args": ["-y", "docs-mcp@v1.0.0"]`, docs, "in step"},
		{"two ranges", `"command": "npx", "args": ["-y", "docs-mcp@^1.0.0"]`, `"command": "npx", "args": ["-y", "docs-mcp@~1.0.0"]`, "differs; version at ^1.0.0"},
		{"of a package that runs another", `"command": "npx", "args": ["-y", "tsx@4.0.1", "server.ts"]`, `"command": "npx", "args": ["-y", "tsx@4.0.0", "server.ts"]`, `differs; version at "tsx@4.0.1"`},
		{"of another package", `"command": "uvx", "args": ["--with", "b==1.0.1", "a-mcp==1.0.0"]`, `"command": "uvx", "args": ["--with", "b==1.0.0", "a-mcp==1.0.0"]`, `differs; argument at "b==1.0.1"; version at "b==1.0.1"`},
		{"another package only here", `"command": "uvx", "args": ["--with", "b==1.0.1", "a-mcp==1.0.0"]`, `"command": "uvx", "args": ["a-mcp==1.0.0"]`, `differs; argument only here at "--with"; argument only here at "b==1.0.1"`},
		{"another package only there", `"command": "uvx", "args": ["a-mcp==1.0.0"]`, `"command": "uvx", "args": ["--with", "b==1.0.1", "a-mcp==1.0.0"]`, `differs; argument only there at "a-mcp==1.0.0"; argument only there at "a-mcp==1.0.0"`},

		{"another argument", args(`"--a"`), args(`"--b"`), `differs; argument at "--a"`},
		{"an argument more", args(`"--a"`, `"--b"`), args(`"--a"`), `differs; argument only here at "--b"`},
		{"an argument less", args(`"--a"`), args(`"--a"`, `"--b"`), `differs; argument only there at "-y", "docs-mcp@1.0.0", "--a"`},
		{"an argument more in the middle", args(`"--a"`, `"--x"`, `"--b"`), args(`"--a"`, `"--b"`), `differs; argument only here at "--x"`},
		{"an argument less in the middle", args(`"--a"`, `"--b"`), args(`"--a"`, `"--x"`, `"--b"`), `differs; argument only there at "-y", "docs-mcp@1.0.0", "--a", "--b"`},
		{"two of three others", args(`"--a"`, `"--x"`, `"--y"`, `"--b"`), args(`"--a"`, `"--z"`, `"--b"`), `differs; argument at "--x"`},
		{"one that is there twice", args(`"--a"`, `"--a"`), args(`"--a"`), `differs; argument only here at "--a"`},
		{"arguments only there", `"command": "serve"`, `"command": "serve", "args": ["--a"]`, `differs; argument only there at "serve"`},
		{"another tool of one package", args(`"docs"`), args(`"web"`), `differs; argument at "docs"`},

		{"another program", `"command": "serve", "args": ["--a"]`, `"command": "start", "args": ["--a"]`, `differs; program at "serve"`},
		{"another package", `"command": "npx", "args": ["-y", "other-mcp@1.0.0"]`, docs, `differs; program at "other-mcp@1.0.0"`},
		{"another package, and another setting", `"command": "npx", "args": ["-y", "other-mcp@1.0.0"], "env": {"MODE": "a"}`, docs, `differs; program at "other-mcp@1.0.0"; variable MODE only here at "MODE"`},
		{"a package less", `"command": "uvx"`, `"command": "uvx", "args": ["a-mcp"]`, `differs; program at "uvx"`},
		{"a program for an address", docs, url, `differs; program at "npx"`},
		{"an address for a program", url, docs, `differs; program at "https://hub.acme.dev/mcp"`},
		{"a placeholder", `"command": "<your server>"`, docs, "in step"},

		{"another value", docs + `, "env": {"MODE": "a"}`, docs + `, "env": {"MODE": "b"}`, `differs; variable MODE at "MODE"`},
		{"a variable more", docs + `, "env": {"MODE": "a"}`, docs, `differs; variable MODE only here at "MODE"`},
		{"a variable less", docs, docs + `, "env": {"MODE": "a"}`, `differs; variable MODE only there at "s"`},
		{"an empty value", docs + `, "env": {"MODE": ""}`, docs + `, "env": {"MODE": "b"}`, "in step"}, // a person must fill it in
		{"variables that are there in another order", docs + `, "env": {"A": "1", "B": "2"}`, docs + `, "env": {"B": "2", "A": "1"}`, "in step"},
		{"variables less, in their order", docs + `, "env": {"M": "1"}`, docs + `, "env": {"Z": "1", "M": "2", "B": "3", "A": "4"}`,
			`differs; variable Z only there at "s"; variable B only there at "s"; variable M at "M"; variable A only there at "s"`},
		{"one that a person supplies here", docs + `, "env": {"MODE": "<your mode>"}`, docs + `, "env": {"MODE": "b"}`, "in step"},
		{"one that a person supplies there", docs + `, "env": {"MODE": "b"}`, docs + `, "env": {"MODE": "<your mode>"}`, "in step"},
		{"one more that a person supplies", docs + `, "env": {"MODE": "<your mode>"}`, docs, "in step"},
		{"one less that a person supplies", docs, docs + `, "env": {"MODE": "<your mode>"}`, "in step"},
		{"one variable in two spellings", docs + `, "env": {"MODE": "${env:A}"}`, docs + `, "env": {"MODE": "${A}"}`, "in step"},
		{"another variable", docs + `, "env": {"MODE": "${env:A}"}`, docs + `, "env": {"MODE": "${B}"}`, `differs; variable MODE at "MODE"`},
		{"a credential, and a variable for it", docs + `, "env": {"API_TOKEN": "${env:API_TOKEN}"}`, docs + `, "env": {"API_TOKEN": "` + token + `"}`, "in step"},
		{"two credentials", docs + `, "env": {"API_TOKEN": "x` + token + `"}`, docs + `, "env": {"API_TOKEN": "` + token + `"}`, "in step"}, // each may be that of its client
		{"a credential in the place of a variable", docs + `, "env": {"API_TOKEN": "` + token + `"}`, docs + `, "env": {"API_TOKEN": "${API_TOKEN}"}`, `differs; variable API_TOKEN at "API_TOKEN"`},
		{"a default that one client has no word for", docs + `, "env": {"MODE": "${env:A}"}`, docs + `, "env": {"MODE": "${A:-x}"}`, "in step"},

		{"another address", `"type": "http", "url": "https://hub.acme.dev/v2"`, url, `differs; url at "https://hub.acme.dev/v2"`},
		{"a plain address", `"type": "http", "url": "http://hub.acme.dev/mcp"`, url, `differs; url at "http://hub.acme.dev/mcp"`},
		{"another address and header", `"url": "https://hub.acme.dev/v2", "headers": {"X-Mode": "a"}`, url, `differs; url at "https://hub.acme.dev/v2"; header X-Mode only here at "X-Mode"`},
		{"a transport that is not written", `"url": "https://hub.acme.dev/mcp"`, url, "in step"},
		{"another header", url + `, "headers": {"X-Mode": "a"}`, url + `, "headers": {"X-Mode": "b"}`, `differs; header X-Mode at "X-Mode"`},
		{"a header more", url + `, "headers": {"X-Mode": "a"}`, url, `differs; header X-Mode only here at "X-Mode"`},
		{"a header less", url, url + `, "headers": {"X-Mode": "a"}`, `differs; header X-Mode only there at "s"`},
		{"headers less, in their order", url, url + `, "headers": {"X-B": "1", "X-A": "2"}`, `differs; header X-B only there at "s"; header X-A only there at "s"`},
		{"a header in another case", url + `, "headers": {"x-mode": "a"}`, url + `, "headers": {"X-Mode": "a"}`, "in step"},
		{"a header in another case, and another value", url + `, "headers": {"x-mode": "a"}`, url + `, "headers": {"X-Mode": "b"}`, `differs; header x-mode at "x-mode"`},
		{"the scheme of a token in another case", url + `, "headers": {"Authorization": "bearer ${env:T}"}`, url + `, "headers": {"Authorization": "Bearer ${T}"}`, "in step"},
		{"another scheme", url + `, "headers": {"Authorization": "Basic ${env:T}"}`, url + `, "headers": {"Authorization": "Bearer ${T}"}`, `differs; header Authorization at "Authorization"`},
		{"the scheme of another header", url + `, "headers": {"X-Mode": "bearer a"}`, url + `, "headers": {"X-Mode": "Bearer a"}`, `differs; header X-Mode at "X-Mode"`},
		{"variables of a URL do not count", url + `, "env": {"MODE": "a"}`, url, "in step"},

		{"over a bridge", `"command": "npx", "args": ["-y", "mcp-remote", "https://hub.acme.dev/mcp"]`, url, "in step"},
		{"over a bridge, with another header", `"command": "npx", "args": ["-y", "mcp-remote", "https://hub.acme.dev/mcp", "--header", "X-Mode: a"]`, url + `, "headers": {"X-Mode": "b"}`, `differs; header x-mode at "X-Mode: a"`},

		{"an option of the launcher", `"command": "npx", "args": ["-y", "--node-options=--x", "docs-mcp@1.0.0"]`, docs, `differs; argument only here at "--node-options=--x"`},
		{"an option of the launcher only there", docs, `"command": "npx", "args": ["-y", "--node-options=--x", "docs-mcp@1.0.0"]`, `differs; argument only there at "-y", "docs-mcp@1.0.0"`},
		{"another value of it", `"command": "npx", "args": ["-y", "--node-options=--y", "docs-mcp@1.0.0"]`, `"command": "npx", "args": ["-y", "--node-options=--x", "docs-mcp@1.0.0"]`, `differs; argument at --y`},
		{"another launcher", `"command": "bunx", "args": ["docs-mcp@1.0.0"]`, docs, "in step"},

		{"a container's variable", `"command": "docker", "args": ["run", "-i", "-e", "MODE", "acme/docs"], "env": {"MODE": "a"}`, `"command": "docker", "args": ["run", "-i", "acme/docs"], "env": {"MODE": "a"}`, `differs; variable MODE only here at "MODE"`},
		{"a container without it", `"command": "docker", "args": ["run", "-i", "acme/docs"], "env": {"MODE": "a"}`, `"command": "docker", "args": ["run", "-i", "-e", "MODE", "acme/docs"], "env": {"MODE": "a"}`, `differs; variable MODE only there at "run", "-i", "acme/docs"`},
		{"a container's variable with a value", `"command": "docker", "args": ["run", "-i", "-e", "MODE=a", "acme/docs"]`, `"command": "docker", "args": ["run", "-i", "-e", "MODE=b", "acme/docs"]`, `differs; variable MODE at "MODE=a"`},
	} {
		got := compared(t, ".mcp.json", entry("mcpServers", test.should), ".cursor/mcp.json", entry("mcpServers", test.has))
		assert.Equal(t, test.want, got, test.name)
	}
}

// token looks like a credential.
const token = "k3Vt9QzLw7" + "XpR2mB8sYd"

// TestDifferencesOfClients shows the same for files of other clients, with words of their own
// for what an entry says.
func TestDifferencesOfClients(t *testing.T) {
	const url = `"type": "http", "url": "https://hub.acme.dev/mcp"`
	servers := func(members string) string { return entry("servers", members) }
	mcpServers := func(members string) string { return entry("mcpServers", members) }
	settings := func(members string) string { return `{"mcp": ` + servers(members) + `}` }
	const code, codeSettings = ".vscode/mcp.json", ".vscode/settings.json"
	for _, test := range []struct{ name, sourcePath, source, path, text, want string }{
		{"another way to reach it", ".mcp.json", mcpServers(url), code, servers(`"type": "sse", "url": "https://hub.acme.dev/mcp"`), `differs; transport at "sse"`},
		{"another address, and another way", ".mcp.json", mcpServers(url), code, servers(`"type": "sse", "url": "https://hub.acme.dev/v2"`), `differs; url at "https://hub.acme.dev/v2"; transport at "sse"`},
		{"the only way of a client", ".mcp.json", mcpServers(url), ".codex/config.toml", "[mcp_servers.s]\nurl = \"https://hub.acme.dev/mcp\"\n", "in step"},
		{"not the only way of a client", ".mcp.json", mcpServers(`"type": "sse", "url": "https://hub.acme.dev/mcp"`), ".codex/config.toml", "[mcp_servers.s]\nurl = \"https://hub.acme.dev/mcp\"\n", "in step; (not spoken sse)"},

		{"another directory", code, servers(`"command": "serve", "cwd": "${workspaceFolder}/a"`), codeSettings, settings(`"command": "serve", "cwd": "${workspaceFolder}/b"`), `differs; directory at "${workspaceFolder}/b"`},
		{"a directory more", code, servers(`"command": "serve"`), codeSettings, settings(`"command": "serve", "cwd": "${workspaceFolder}/b"`), `differs; directory only here at "${workspaceFolder}/b"`},
		{"a directory less", code, servers(`"command": "serve", "cwd": "${workspaceFolder}/a"`), codeSettings, settings(`"command": "serve"`), `differs; directory only there at "s"`},
		{"a script in another directory", code, servers(`"command": "node", "args": ["server.js"], "cwd": "${workspaceFolder}/a"`), codeSettings, settings(`"command": "node", "args": ["server.js"], "cwd": "${workspaceFolder}/b"`), `differs; directory at "${workspaceFolder}/b"`},
		{"a package in another directory", code, servers(`"command": "npx", "args": ["docs-mcp"], "cwd": "${workspaceFolder}/a"`), codeSettings, settings(`"command": "npx", "args": ["docs-mcp"], "cwd": "${workspaceFolder}/b"`), `differs; directory at "${workspaceFolder}/b"`},
		{"a package in a directory", code, servers(`"command": "npx", "args": ["docs-mcp"]`), codeSettings, settings(`"command": "npx", "args": ["docs-mcp"], "cwd": "${workspaceFolder}/b"`), `differs; directory only here at "${workspaceFolder}/b"`},
		{"a package in no directory", code, servers(`"command": "npx", "args": ["docs-mcp"], "cwd": "${workspaceFolder}/a"`), codeSettings, settings(`"command": "npx", "args": ["docs-mcp"]`), `differs; directory only there at "s"`},
		{"a package in a directory that the other client has no word for", ".cursor/mcp.json", mcpServers(`"command": "npx", "args": ["docs-mcp"]`), code, servers(`"command": "npx", "args": ["docs-mcp"], "cwd": "${workspaceFolder}/b"`), "in step"},
		{"a file of variables that the other client has no word for", ".cursor/mcp.json", mcpServers(`"command": "serve"`), code, servers(`"command": "serve", "envFile": "${workspaceFolder}/b.env"`), "in step"},
		{"a directory that the client has no word for", code, servers(`"command": "serve", "cwd": "${workspaceFolder}/b"`), ".cursor/mcp.json", mcpServers(`"command": "serve"`), "in step; (no directory)"},

		{"another file of variables", code, servers(`"command": "serve", "envFile": "${workspaceFolder}/.env"`), codeSettings, settings(`"command": "serve", "envFile": "${workspaceFolder}/b.env"`), `differs; envFile at "${workspaceFolder}/b.env"`},
		{"a file of variables more", code, servers(`"command": "serve"`), codeSettings, settings(`"command": "serve", "envFile": "${workspaceFolder}/b.env"`), `differs; envFile only here at "${workspaceFolder}/b.env"`},
		{"a file of variables less", code, servers(`"command": "serve", "envFile": "${workspaceFolder}/.env"`), codeSettings, settings(`"command": "serve"`), `differs; envFile only there at "s"`},

		{"switched off only here", ".mcp.json", mcpServers(`"command": "serve"`), ".roo/mcp.json", mcpServers(`"command": "serve", "disabled": true`), `differs; switch only here at "s"`},
		{"switched off only there", ".roo/mcp.json", mcpServers(`"command": "serve", "disabled": true`), ".cursor/mcp.json", mcpServers(`"command": "serve"`), `in step; (no switch)`},
		{"switched off only there, and it can be", ".roo/mcp.json", mcpServers(`"command": "serve", "disabled": true`), ".kilocode/mcp.json", mcpServers(`"command": "serve"`), `differs; switch only there at "s"`},
		{"switched off in both", ".roo/mcp.json", mcpServers(`"command": "serve", "disabled": true`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenabled = false\n", "in step"},

		{"a variable that is handed on", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}"}`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\n", `differs; variable MODE only there at s`},
		{"and is in the entry", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}"}`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv_vars = [\"MODE\"]\n", "in step"},
		{"one that was handed on there", ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv_vars = [\"MODE\"]\n", ".cursor/mcp.json", mcpServers(`"command": "serve"`), `differs; variable MODE only there at "s"`},
		{"one that has a default there", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-a}"}`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv = { MODE = \"a\" }\n", "in step"},
		{"one that is another variable there", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${OTHER}"}`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\n", "in step; (not expanded OTHER)"},
		{"another value for it", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}"}`), ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv = { MODE = \"a\" }\n", `differs; variable MODE only here at MODE`}, // a variable that is passed on is not an entry of env
		{"a default of another", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-a}"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-b}"}`), `differs; variable MODE at "MODE"`},
		{"a default more", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-b}"}`), "in step"},
		{"a default less", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-b}"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}"}`), "in step"},
		{"a default for the same value", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "a"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-a}"}`), "in step"},
		{"a default for another value", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "a"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-b}"}`), `differs; variable MODE at "MODE"`},
		{"the value of a default", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-a}"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "a"}`), "in step"},
		{"not the value of a default", ".mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-a}"}`), ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "b"}`), `differs; variable MODE at "MODE"`},
		{"a default for what is handed on there", ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv_vars = [\"MODE\"]\n", ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE:-b}"}`), "in step"},
		{"another variable with a default", ".codex/config.toml", "[mcp_servers.s]\ncommand = \"serve\"\nenv_vars = [\"MODE\"]\n", ".gemini/settings.json", mcpServers(`"command": "serve", "env": {"MODE": "${MODE}", "OTHER": "${OTHER:-b}"}`), `differs; variable OTHER only here at "OTHER"`},

		{"a program for an address that the client cannot take", ".mcp.json", mcpServers(url), "claude_desktop_config.json", mcpServers(`"command": "serve"`), `differs; program at "serve"; (no address)`},
		{"a bridge to an address that the client cannot take", ".mcp.json", mcpServers(url), "claude_desktop_config.json", mcpServers(`"command": "npx", "args": ["mcp-remote", "https://hub.acme.dev/mcp"]`), "in step"},
		{"a bridge to another address", ".mcp.json", mcpServers(url), "claude_desktop_config.json", mcpServers(`"command": "npx", "args": ["mcp-remote", "https://hub.acme.dev/v2"]`), `differs; program at "npx"; (no address)`},
		{"a person is asked there", code, `{"inputs": [{"id": "mode", "type": "promptString"}], "servers": {"s": {"command": "serve", "env": {"MODE": "${input:mode}"}}}}`, ".cursor/mcp.json", mcpServers(`"command": "serve", "env": {"MODE": "b"}`), "in step"},
		{"a header from a variable", ".mcp.json", mcpServers(url + `, "headers": {"X-Mode": "${MODE}"}`), ".codex/config.toml", "[mcp_servers.s]\nurl = \"https://hub.acme.dev/mcp\"\nenv_http_headers = { X-Mode = \"MODE\" }\n", "in step"},
		{"a header from another variable", ".mcp.json", mcpServers(url + `, "headers": {"X-Mode": "${MODE}"}`), ".codex/config.toml", "[mcp_servers.s]\nurl = \"https://hub.acme.dev/mcp\"\nenv_http_headers = { X-Mode = \"OTHER\" }\n", `differs; header X-Mode at X-Mode`},
	} {
		assert.Equal(t, test.want, compared(t, test.sourcePath, test.source, test.path, test.text), test.name)
	}
}
