// Package clients_test has real clients read the files that mcplumb writes for them:
// each with its own reader of configuration, which prints what it read. No server is
// started.
//
// scripts/clients installs the clients and passes their paths.
package clients_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// source is a file of VS Code with a server of every kind. PROGRAM leaves a trace when
// it is started; nothing listens at the addresses.
const source = `{
  "inputs": [{"type": "promptString", "id": "api-key", "description": "a key", "password": true}],
  "servers": {
    "docs": {"command": "PROGRAM", "args": ["-y", "docs-mcp@1.0.0", "two words", "\"$5\" \\ #x"], "env": {"MODE": "fast"}},
    "filled": {"command": "PROGRAM", "args": ["--level=${env:LEVEL}"], "env": {"TOKEN": "${env:TOKEN}", "CACHE": "${env:HOME}/.cache"}},
    "passed": {"command": "PROGRAM", "env": {"TOKEN": "${env:TOKEN}"}},
    "tools": {"command": "PROGRAM", "args": ["serve.js"], "cwd": "tools"},
    "asked": {"command": "PROGRAM", "env": {"API_KEY": "${input:api-key}"}},
    "old": {"type": "sse", "url": "http://127.0.0.1:9/sse"},
    "open": {"type": "http", "url": "http://127.0.0.1:9/mcp"},
    "hub": {
      "type": "http", "url": "http://127.0.0.1:9/hub",
      "headers": {"Authorization": "Bearer ${env:TOKEN}", "X-Team": "docs", "X-Zone": "${env:ZONE}"}
    },
    "tenant": {"type": "http", "url": "http://127.0.0.1:9/mcp?tenant=${env:TENANT}"}
  }
}`

// variables are the environment of the clients, with a home directory.
func variables(home string) map[string]string {
	return map[string]string{"LEVEL": "high", "TOKEN": "t0", "API_KEY": "k0", "ZONE": "west", "TENANT": "acme", "HOME": home}
}

// server is a server as a client reads it.
type server struct {
	Command, Cwd, URL string
	Transport         string // "" where the client finds out
	Args              []string
	Env, Headers      map[string]string
}

// wanted are the servers of source, with the values of the variables.
func wanted(program, home string) map[string]server {
	return map[string]server{
		"docs":   {Command: program, Args: []string{"-y", "docs-mcp@1.0.0", "two words", `"$5" \ #x`}, Env: map[string]string{"MODE": "fast"}},
		"filled": {Command: program, Args: []string{"--level=high"}, Env: map[string]string{"TOKEN": "t0", "CACHE": home + "/.cache"}},
		"passed": {Command: program, Env: map[string]string{"TOKEN": "t0"}},
		"tools":  {Command: program, Args: []string{"serve.js"}, Cwd: "tools"},
		"asked":  {Command: program, Env: map[string]string{"API_KEY": "k0"}},
		"old":    {URL: "http://127.0.0.1:9/sse", Transport: "sse"},
		"open":   {URL: "http://127.0.0.1:9/mcp", Transport: "http"},
		"hub": {URL: "http://127.0.0.1:9/hub", Transport: "http",
			Headers: map[string]string{"Authorization": "Bearer t0", "X-Team": "docs", "X-Zone": "west"}},
		"tenant": {URL: "http://127.0.0.1:9/mcp?tenant=acme", Transport: "http"},
	}
}

// client is a client that can print the servers that it reads.
type client struct {
	id, path string
	// cannot are the servers that its file cannot express, by the table of package format:
	// they are left out.
	cannot []string
	// read runs the client in a project and returns its servers by name.
	read func(t *testing.T, p project) map[string]server
	// later are the variables that it expands when it starts a server: it prints them as
	// written.
	later *regexp.Regexp
	// masks reports that it prints *** for the values of headers and some variables.
	masks bool
}

// clients are those that a registry of programs has (CONTRIBUTING.md).
var clients = []client{
	{id: "codex", path: ".codex/config.toml", cannot: []string{"filled", "old", "tenant"}, read: readCodex},
	{id: "continue", path: ".continue/mcpServers/servers.yaml", read: byOwnCode, later: regexp.MustCompile(`\$\{\{ secrets\.(\w+) \}\}`)},
	{id: "copilot-cli", path: ".mcp.json", cannot: []string{"tools"}, read: readCopilot, later: regexp.MustCompile(`\$\{(\w+)\}`)},
	{id: "gemini-cli", path: ".gemini/settings.json", read: byOwnCode},
	{id: "librechat", path: "librechat.yaml", cannot: []string{"tools"}, read: byOwnCode, later: regexp.MustCompile(`\$\{(\w+)\}`)},
	{id: "mcporter", path: "config/mcporter.json", read: readMCPorter, later: regexp.MustCompile(`\$\{(\w+)\}`)},
	{id: "opencode", path: "opencode.json", read: readOpencode, masks: true},
	{id: "qwen", path: ".qwen/settings.json", read: byOwnCode},
	{id: "vscode", path: ".vscode/mcp.json", read: byOwnCode, later: regexp.MustCompile(`\$\{(?:env|input):([\w-]+)\}`)},
}

// project is a directory with a client's file, and an empty home directory.
type project struct {
	client     client
	root, home string
}

// TestClients writes the servers into a file of each client and has the client read it.
func TestClients(t *testing.T) {
	for _, c := range clients {
		t.Run(c.id, func(t *testing.T) {
			p := project{client: c, root: t.TempDir(), home: t.TempDir()}
			trace := filepath.Join(t.TempDir(), "started")
			program := filepath.Join(t.TempDir(), "program")
			require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho >"+trace+"\n"), 0o755))
			text, lost := written(t, c, program)
			require.Equal(t, c.cannot, lost, "what %s cannot say", c.id)
			full := filepath.Join(p.root, filepath.FromSlash(c.path))
			require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
			require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
			run(t, p.root, nil, "git", "init", "--quiet")

			got := c.read(t, p)
			for name, want := range wanted(program, p.home) {
				if !slices.Contains(c.cannot, name) {
					p.compare(t, name, want, got[name])
				}
			}
			assert.Len(t, got, len(wanted(program, p.home))-len(c.cannot), "%s reads %v", c.id, slices.Sorted(maps.Keys(got)))
			assert.NoFileExists(t, trace, "%s starts a server", c.id)
		})
	}
}

// compare compares the server that a client read with the expected one, field by field.
func (p project) compare(t *testing.T, name string, want, got server) {
	t.Helper()
	c := p.client
	filled := func(text string) string {
		if c.later == nil {
			return text
		}
		return c.later.ReplaceAllStringFunc(text, func(reference string) string {
			return variables(p.home)[strings.ToUpper(strings.ReplaceAll(c.later.FindStringSubmatch(reference)[1], "-", "_"))]
		})
	}
	values := func(m map[string]string, want map[string]string) map[string]string {
		all := map[string]string{}
		for key, value := range m {
			if all[key] = filled(value); c.masks && value == "***" {
				all[key] = want[key]
			}
		}
		return all
	}
	where := name + " of " + c.id
	assert.Equal(t, want.Command, got.Command, "command of %s", where)
	args := make([]string, len(got.Args))
	for i, arg := range got.Args {
		args[i] = filled(arg)
	}
	assert.Equal(t, append([]string{}, want.Args...), args, "arguments of %s", where)
	assert.Equal(t, values(want.Env, nil), values(got.Env, want.Env), "variables of %s", where)
	assert.Equal(t, want.Cwd, got.Cwd, "directory of %s", where)
	assert.Equal(t, want.URL, filled(got.URL), "address of %s", where)
	assert.Equal(t, values(want.Headers, nil), values(got.Headers, want.Headers), "headers of %s", where)
	if got.Transport != "" {
		assert.Equal(t, want.Transport, got.Transport, "transport of %s", where)
	}
}

// cannotBeSaid are the reasons for leaving a server out: the written entry would be a
// different server.
var cannotBeSaid = []mcp.LossReason{mcp.NoAddress, mcp.NoHeaders, mcp.NoDirectory, mcp.NotSpoken, mcp.NotExpanded, mcp.MayNotExpand}

// written returns the servers of source in a client's file, and the names of those that
// it cannot say.
func written(t *testing.T, c client, program string) (text string, cannot []string) {
	t.Helper()
	ix := format.Known()
	match, ok := ix.Lookup(".vscode/mcp.json")
	require.True(t, ok)
	doc, err := format.Read(syntax.NewFile(".vscode/mcp.json", []byte(strings.ReplaceAll(source, "PROGRAM", program))), match)
	require.NoError(t, err)
	target, ok := writing.TargetOf(ix, c.path, writer(ix, c))
	require.True(t, ok, c.path)
	var entries []writing.Entry
	for _, s := range doc.Servers {
		e := target.Entry(s)
		if slices.ContainsFunc(e.Losses, func(l mcp.Loss) bool { return slices.Contains(cannotBeSaid, l.Reason) }) {
			cannot = append(cannot, s.Name)
			continue
		}
		entries = append(entries, e)
	}
	edits, err := edit.Lower([]edit.Change{target.Create(entries...)})
	require.NoError(t, err)
	return edits[0].New, cannot
}

// writer returns the client in whose syntax a file is written: its first reader. For the
// file that GitHub Copilot CLI also reads, that is Claude Code.
func writer(ix *format.Index, c client) *mcp.Client {
	match, _ := ix.Lookup(c.path)
	return match.Readers()[0]
}

// run runs a program in a directory and returns its output.
func run(t *testing.T, dir string, environment []string, program string, arguments ...string) []byte {
	t.Helper()
	command := exec.Command(program, arguments...)
	var stdout, stderr bytes.Buffer
	command.Dir, command.Stdout, command.Stderr = dir, &stdout, &stderr
	command.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environment...)
	require.NoError(t, command.Run(), "%s %v\n%s\n%s", program, arguments, stdout.String(), stderr.String())
	return stdout.Bytes()
}

// installed returns the path of something that the script has installed.
func installed(t *testing.T, path ...string) string {
	t.Helper()
	root := os.Getenv("CLIENTS")
	require.NotEmpty(t, root, "run scripts/clients")
	matches, err := filepath.Glob(filepath.Join(append([]string{root}, path...)...))
	require.NoError(t, err)
	require.NotEmpty(t, matches, path)
	return matches[0]
}

// suffix is the end of the names of packages with programs for this machine.
func suffix() string {
	return "-linux-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
}

// node returns the Node that the clients run with.
func node(t *testing.T) string {
	t.Helper()
	return installed(t, "node_modules", "node"+suffix(), "bin", "node")
}

// environment returns the variables that a client runs with.
func (p project) environment(more ...string) []string {
	for name, value := range variables(p.home) {
		more = append(more, name+"="+value)
	}
	return more
}

// atHome writes a file of the home directory.
func (p project) atHome(t *testing.T, path, content string) {
	t.Helper()
	full := filepath.Join(p.home, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

// entry is an entry as clients that copy one another's shape have it.
type entry struct {
	Type, Command, Cwd, URL, HTTPURL string
	Args                             []string
	Env, Headers                     map[string]string
	RequestOptions                   struct{ Headers map[string]string }
}

// server returns the server of an entry.
func (e entry) server() server {
	s := server{Command: e.Command, Args: e.Args, Env: e.Env, Cwd: e.Cwd, URL: e.URL, Headers: e.Headers}
	if e.HTTPURL != "" {
		s.URL, s.Transport = e.HTTPURL, "http"
	}
	if e.RequestOptions.Headers != nil {
		s.Headers = e.RequestOptions.Headers
	}
	switch e.Type {
	case "http", "streamable-http":
		s.Transport = "http"
	case "sse":
		s.Transport = "sse"
	}
	return s
}

// servers returns the servers of entries in JSON.
func servers(t *testing.T, text []byte) map[string]server {
	t.Helper()
	var entries map[string]entry
	require.NoError(t, json.Unmarshal(text, &entries), string(text))
	all := map[string]server{}
	for name, e := range entries {
		all[name] = e.server()
	}
	return all
}

// byOwnCode has a client's own code read the file (npm/read.mjs).
func byOwnCode(t *testing.T, p project) map[string]server {
	t.Helper()
	return servers(t, run(t, p.root, p.environment("GEMINI_CLI_TRUST_WORKSPACE=true"), node(t),
		installed(t, "read.mjs"), p.client.id, filepath.Join(p.root, filepath.FromSlash(p.client.path))))
}

// readCodex has Codex list its servers. It reads a project's file where the project is
// trusted.
func readCodex(t *testing.T, p project) map[string]server {
	t.Helper()
	p.atHome(t, ".codex/config.toml", "[projects.\""+p.root+"\"]\ntrust_level = \"trusted\"\n")
	codex := installed(t, "node_modules", "@openai", "codex"+suffix(), "vendor", "*", "bin", "codex")
	out := run(t, p.root, p.environment("CODEX_HOME="+filepath.Join(p.home, ".codex")), codex, "mcp", "list", "--json")
	var list []struct {
		Name      string
		Transport struct {
			Type, Command, Cwd, URL string
			Args                    []string
			Env                     map[string]string
			EnvVars                 []string          `json:"env_vars"`
			Bearer                  string            `json:"bearer_token_env_var"`
			Headers                 map[string]string `json:"http_headers"`
			EnvHeaders              map[string]string `json:"env_http_headers"`
		}
	}
	require.NoError(t, json.Unmarshal(out, &list), string(out))
	all := map[string]server{}
	for _, l := range list {
		s := server{Command: l.Transport.Command, Cwd: l.Transport.Cwd, URL: l.Transport.URL, Args: l.Transport.Args,
			Env: map[string]string{}, Headers: map[string]string{}}
		maps.Copy(s.Env, l.Transport.Env)
		maps.Copy(s.Headers, l.Transport.Headers)
		for _, name := range l.Transport.EnvVars {
			s.Env[name] = variables(p.home)[name]
		}
		for header, name := range l.Transport.EnvHeaders {
			s.Headers[header] = variables(p.home)[name]
		}
		if l.Transport.Bearer != "" {
			s.Headers["Authorization"] = "Bearer " + variables(p.home)[l.Transport.Bearer]
		}
		if l.Transport.Type == "streamable_http" {
			s.Transport = "http"
		}
		all[l.Name] = s
	}
	return all
}

// readCopilot has GitHub Copilot CLI list its servers. It reads a project's file where
// the project is trusted.
func readCopilot(t *testing.T, p project) map[string]server {
	t.Helper()
	p.atHome(t, ".copilot/config.json", `{"trusted_folders": ["`+p.root+`"]}`)
	out := run(t, p.root, p.environment("COPILOT_AUTO_UPDATE=false"), installed(t, "node_modules", "@github", "copilot"+suffix(), "copilot"), "mcp", "list", "--json")
	var list struct{ MCPServers json.RawMessage }
	require.NoError(t, json.Unmarshal(out, &list), string(out))
	return servers(t, list.MCPServers)
}

// readMCPorter has MCPorter list its servers. MCPorter adds a header of its own, and the
// directory that it is started in.
func readMCPorter(t *testing.T, p project) map[string]server {
	t.Helper()
	out := run(t, p.root, p.environment(), node(t), installed(t, "node_modules", "mcporter", "dist", "cli.js"), "config", "list", "--json")
	var list struct {
		Servers []struct {
			entry
			Name, BaseURL string
		}
	}
	require.NoError(t, json.Unmarshal(out, &list), string(out))
	all := map[string]server{}
	for _, l := range list.Servers {
		s := l.server()
		s.URL = l.BaseURL
		delete(s.Headers, "accept")
		if s.Command != "" {
			way, err := filepath.Rel(p.root, s.Cwd)
			require.NoError(t, err)
			if s.Cwd = way; way == "config" { // the directory of the file goes without saying
				s.Cwd = ""
			}
		}
		all[l.Name] = s
	}
	return all
}

// readOpencode has opencode print its configuration.
func readOpencode(t *testing.T, p project) map[string]server {
	t.Helper()
	out := run(t, p.root, p.environment("XDG_CONFIG_HOME="+p.home, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"),
		installed(t, "node_modules", "opencode"+suffix(), "bin", "opencode"), "debug", "config")
	var config struct {
		MCP map[string]struct {
			Command     []string
			Environment map[string]string
			Cwd, URL    string
			Headers     map[string]string
		}
	}
	require.NoError(t, json.Unmarshal(out, &config), string(out))
	all := map[string]server{}
	for name, e := range config.MCP {
		s := server{Cwd: e.Cwd, URL: e.URL, Env: e.Environment, Headers: e.Headers}
		if len(e.Command) > 0 {
			s.Command, s.Args = e.Command[0], e.Command[1:]
		}
		all[name] = s
	}
	return all
}
