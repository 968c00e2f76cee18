package apm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// apmFiles are the manifest with a list of servers, the lockfile with a map of
// them, both as lines of YAML, and other files.
func apmFiles(servers, locked string, others linttest.Files) linttest.Files {
	files := linttest.Files{"apm.yml": "name: shop\nversion: 1.0.0\ndependencies:\n  mcp:\n" + indent(servers, "    ")}
	if locked != "" {
		files["apm.lock.yaml"] = "lockfile_version: '1'\n" + locked
	}
	for name, content := range others {
		files[name] = content
	}
	return files
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(text, "\n")) {
		b.WriteString(by + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// TestAPMManifest holds every refusal of apm's own reader against entries that
// it takes.
func TestAPMManifest(t *testing.T) {
	for _, test := range []struct{ id, entry, want string }{
		{"a name of the registry", `- io.github.acme/notes`, ""},
		{"overlays", `- {name: io.github.acme/notes, env: {A: "${A}"}, args: {port: 80}, tools: ["*"], version: 1.0.0, package: npm}`, ""},
		{"another registry", `- {name: acme/notes, registry: "https://registry.corp.internal"}`, ""},
		{"a command", `- {name: a, registry: false, transport: stdio, command: ./bin/server, args: [--port, 80]}`, ""},
		{"the old word", `- {name: a, registry: false, type: sse, url: "https://a.corp.internal/sse"}`, ""},
		{"false in YAML 1.1", `- {name: a, registry: no, transport: http, url: "https://a.corp.internal/mcp"}`, ""},
		{"a path with blanks, and arguments", `- {name: a, registry: false, transport: stdio, command: /opt/my app/server, args: []}`, ""},
		{"more members", `- {name: a, registry: false, transport: http, url: "https://a.corp.internal/mcp", oauth: {clientId: x}}`, ""},
		{"a variable for the host", `- {name: a, registry: false, transport: http, url: "${HOST}/mcp"}`, ""},
		{"a number", `- 12`, ""},

		{"no name", `- {registry: false, transport: stdio, command: x}`, `error : apm rejects this entry: "name" is missing`},
		{"a blank in the name", `- my server`, `error my server: apm rejects "my server": its name must begin with`},
		{"a name that climbs", `- a/../b`, `error a/../b: apm rejects "a/../b": its name must begin with`},
		{"a web socket", `- {name: a, registry: false, transport: http, url: "wss://a.corp.internal"}`, `error a: apm rejects "a": "url" must begin with`},
		{"a list for a command", `- {name: a, registry: false, transport: stdio, command: [npx, x]}`, `error a: apm rejects "a": "command" must be a string, not an array`},
		{"a command that climbs", `- {name: a, registry: false, transport: stdio, command: ../x}`, `error a: apm rejects "a": the path in "command" must not contain ".."`},
		{"a command line", `- {name: a, registry: false, transport: stdio, command: npx -y x}`, `error a: apm rejects "a": "command" must be the program without arguments`},
		{"no transport", `- {name: a, registry: false, command: x}`, `error a: apm rejects "a": "transport" is missing`},
		{"an unknown transport", `- {name: a, registry: false, transport: ws, url: "https://a.corp.internal"}`, `error a: apm rejects "a": "transport" must be`},
		{"no url", `- {name: a, registry: false, transport: http}`, `error a: apm rejects "a": the transport "http" needs a "url"`},
		{"no command", `- {name: a, registry: false, transport: stdio, url: "https://a.corp.internal"}`, `error a: apm rejects "a": the transport "stdio" needs a "command"`},
		{"a url that is not used", `- {name: a, transport: http, url: "https://a.corp.internal"}`, `warning a: apm looks up "a" in its registry and ignores "url": add registry: false`},
		{"a command that is not used", `- {name: a, command: x}`, `warning a: apm looks up "a" in its registry and ignores "command": add registry: false`},
		{"false in quotes", `- {name: a, registry: "false", transport: stdio, command: x}`, `warning a: apm looks up "a" in its registry and ignores "command": add registry: false`},
		{"a name twice", "- acme/a\n- {name: acme/a, tools: [x]}", `warning acme/a: apm installs only the first "acme/a" of this list`},
	} {
		t.Run(test.id, func(t *testing.T) {
			findings := linttest.LintFiles(t, apmFiles(test.entry, "", nil))
			if test.want == "" {
				assert.Empty(t, linttest.ShowAll(findings))
				return
			}
			if assert.Len(t, findings, 1) {
				f := findings[0]
				assert.Equal(t, "invalid-server", f.Rule.ID)
				assert.True(t, strings.HasPrefix(f.Severity.String()+" "+f.Server+": "+f.Text(), test.want), f.Text())
			}
		})
	}
}

// TestAPMLock compares manifests with lockfiles and with what apm wrote into
// client files.
func TestAPMLock(t *testing.T) {
	const (
		fetch       = "- {name: fetch, registry: false, transport: stdio, command: uvx, args: [mcp-server-fetch]}"
		fetchLocked = "mcp_configs:\n  fetch: {name: fetch, transport: stdio, registry: false, command: uvx, args: [mcp-server-fetch]}\n"
		alone       = "dependencies: []\n"
	)
	for _, test := range []struct {
		id, servers, locked string
		others              linttest.Files
		want                []string
	}{
		{"in step", fetch, alone + fetchLocked, nil, nil},
		{"no lockfile", fetch, "", nil, nil},
		{"a lockfile without servers", fetch, alone, nil, nil},
		{"a lockfile that has names alone", fetch, alone + "mcp_servers: [fetch]\n", nil, nil},
		{"the registry's", "- io.github.acme/notes", alone + "mcp_configs: {io.github.acme/notes: {name: io.github.acme/notes}}\n", nil, nil},
		{"wrong types", fetch, alone + "mcp_servers: {fetch: 1}\nmcp_configs: [fetch]\n", nil, nil},
		{"added", fetch + "\n- acme/notes", alone + fetchLocked, nil, []string{"unlocked-server note acme/notes"}},
		{"removed", "- acme/notes", alone + "mcp_servers: [acme/notes, old]\n", nil, []string{"missing-server warning old"}},
		{"the last one removed", "", alone + fetchLocked, nil, []string{"missing-server warning fetch"}},
		{"removed, or from a package", "- acme/notes", "dependencies: [{repo_url: acme/rules}]\nmcp_servers: [acme/notes, old]\n", nil, nil},
		{"from a package that it names", "- acme/notes", alone + "mcp_servers: [acme/notes, old]\nmcp_config_provenance: {old: rules}\n", nil, nil},
		{"other arguments", strings.Replace(fetch, "mcp-server-fetch", "mcp-server-fetch, --debug", 1), alone + fetchLocked, nil,
			[]string{"config-changed warning fetch"}},
		{"another version", strings.Replace(fetch, "mcp-server-fetch", "mcp-server-fetch==2.0.0", 1),
			alone + strings.Replace(fetchLocked, "mcp-server-fetch", "mcp-server-fetch==1.0.0", 1), nil, []string{"version-conflict warning fetch"}},
		{"another name", strings.Replace(fetch, "name: fetch", "name: get", 1), alone + fetchLocked, nil, []string{"alias-drift warning get"}},
		{"a client's own server", fetch, alone + fetchLocked,
			linttest.Files{".mcp.json": `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`}, nil},
		{"nothing written for a client", fetch, alone + fetchLocked, linttest.Files{".mcp.json": `{"mcpServers": {}}`}, nil},
		{"a client file that differs", fetch, alone + fetchLocked,
			linttest.Files{".mcp.json": `{"mcpServers": {"fetch": {"command": "npx", "args": ["-y", "fetch-mcp"]}}}`}, []string{"name-conflict warning fetch"}},
		{"names as apm writes them", "- acme/notes", "", linttest.Files{
			".mcp.json":        `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`,
			".vscode/mcp.json": `{"servers": {"acme/notes": {"type": "stdio", "command": "npx", "args": ["-y", "notes-mcp"]}}}`}, nil},
		{"one name for two", "- io.github.acme/notes\n- io.github.bob/notes", "", nil, []string{"short-name-collision warning io.github.bob/notes"}},
		{"one name for two, the first of the registry", "- io.github.acme/notes\n- {name: bob/notes, registry: false, transport: stdio, command: bob-notes}", "", nil,
			[]string{"short-name-collision warning bob/notes"}},
		{"one name for two, the second of the registry", "- {name: bob/notes, registry: false, transport: stdio, command: bob-notes}\n- io.github.acme/notes", "", nil,
			[]string{"short-name-collision warning io.github.acme/notes"}},
		{"an installed package", "- my server", "", linttest.Files{"apm_modules/acme/rules/apm.yml": "dependencies: {mcp: [my server]}\n"},
			[]string{"invalid-server error my server"}},
		{"an example", fetch, "", linttest.Files{"examples/apm.yml": "dependencies: {mcp: [io.github.acme/notes]}\n", "examples/apm.lock.yaml": alone + "mcp_servers: [old]\n"}, nil},
		{"a copy that is behind", strings.Replace(fetch, "mcp-server-fetch", "mcp-server-fetch==2.0.0", 1), "",
			linttest.Files{".mcp.json": `{"mcpServers": {"fetch": {"command": "uvx", "args": ["mcp-server-fetch==1.0.0"]}}}`}, []string{"version-conflict warning fetch"}},
	} {
		t.Run(test.id, func(t *testing.T) {
			assert.Equal(t, test.want, linttest.Graded(linttest.LintFiles(t, apmFiles(test.servers, test.locked, test.others))))
		})
	}
}
