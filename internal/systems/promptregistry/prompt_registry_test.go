package promptregistry_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// TestPromptRegistryCases follows prompt-registry's own tests where they have
// an analogue in files. Each case is the servers of .vscode/mcp.json, what is
// tracked, and what is expected as "rule subject". Entries that are equal in
// everything are mcplumb's own duplicates; where only prompt-registry takes two
// for one, that is a note.
//
// Without an analogue, because they watch the tool at work: the installing half
// of P17 and P19. P18 is in TestPromptRegistryRepeatedKey.
func TestPromptRegistryCases(t *testing.T) {
	const (
		a, b, c = "prompt-registry:a:s", "prompt-registry:b:s", "prompt-registry:c:s"
		node    = `{"command": "node", "args": ["server.js", "--port", "3000"]}`
		remote  = `{"type": "http", "url": "https://hub.acme.dev/mcp"}`
		off     = `"disabled": true, "description": "Duplicate of prompt-registry:a:s (from bundle a)"`
		nodeOff = `{"command": "node", "args": ["server.js", "--port", "3000"], ` + off + `}`
	)
	tracked := func(config string) string {
		return `{"bundleId": "a", "bundleVersion": "1.0.0", "originalConfig": ` + config + `}`
	}
	for _, test := range []struct {
		id               string
		servers, tracked linttest.Files
		want             []string
	}{
		{"P01 arguments count", linttest.Files{a: node, b: `{"command": "node", "args": ["server.js", "--port", "3001"]}`}, nil, nil},
		{"P01 equal arguments", linttest.Files{a: node, b: node}, nil, []string{"duplicate-server " + b}},
		{"P01 another order", linttest.Files{a: node, b: `{"command": "node", "args": ["--port", "3000", "server.js"]}`}, nil, nil},
		{"P02 no arguments", linttest.Files{a: `{"command": "my-mcp-server"}`, b: `{"command": "my-mcp-server", "args": []}`}, nil, []string{"duplicate-server " + b}},
		{"P02 the type stdio", linttest.Files{a: node, b: `{"type": "stdio", "command": "node", "args": ["server.js", "--port", "3000"]}`}, nil, []string{"duplicate-server " + b}},
		{"P03 http and sse", linttest.Files{a: remote, b: `{"type": "sse", "url": "https://hub.acme.dev/mcp"}`}, nil, []string{"duplicate-server " + b}},
		{"P04 other headers", linttest.Files{a: remote, b: `{"type": "http", "url": "https://hub.acme.dev/mcp", "headers": {"X-Toolset": "all"}}`}, nil, []string{"duplicate-server " + b}},
		{"P04 other env", linttest.Files{a: node, b: `{"command": "node", "args": ["server.js", "--port", "3000"], "env": {"A": "b"}}`}, nil, []string{"duplicate-server " + b}},
		{"P04 ours: what people wrote themselves does not concern it", linttest.Files{a: remote, "mine": `{"command": "node", "args": ["s.js"], "env": {"A": "b"}}`, "other": `{"command": "node", "args": ["s.js"], "env": {"A": "c"}}`}, nil, nil},
		{"P05 ours: a URL for a command is not started", linttest.Files{a: remote, b: `{"command": "https://hub.acme.dev/mcp"}`}, nil, nil},
		{"P06", linttest.Files{a: node, b: node}, nil, []string{"duplicate-server " + b}},
		{"P07", linttest.Files{a: remote, b: remote}, nil, []string{"duplicate-server " + b}},
		{"P08", linttest.Files{a: node, b: node, c: node}, nil, []string{"duplicate-server " + b, "duplicate-server " + c}},
		{"P09", linttest.Files{a: node, b: remote}, nil, nil},
		{"P10", linttest.Files{a: `{"command": "node", "args": ["server.js", "--port", "3000"], "disabled": true}`, b: node}, nil, nil},
		{"P11", nil, nil, nil},
		{"P12 ours: the tracked one is later", linttest.Files{"mine": node, "prompt-registry:a:s": node}, nil, []string{"duplicate-server " + a}},
		{"P13 read back", linttest.Files{b: nodeOff}, nil, []string{"orphaned-duplicate " + b}},
		{"P13 about something else", linttest.Files{b: `{"command": "node", "args": ["b.js"], "disabled": true, "description": "A duplicate of the docs"}`}, nil, nil},
		{"P14 no type", linttest.Files{a: `{"url": "https://hub.acme.dev/mcp"}`, b: remote}, nil, []string{"duplicate-server " + b}},
		{"P14 a URL and a command that it does not use", linttest.Files{a: `{"type": "http", "url": "https://hub.acme.dev/mcp"}`, b: `{"type": "http", "command": "x", "url": "https://hub.acme.dev/mcp", "headers": {"A": "b"}}`}, nil, []string{"duplicate-server " + b}},
		{"P14 the same over sse", linttest.Files{a: `{"type": "sse", "url": "https://hub.acme.dev/mcp"}`, b: `{"type": "sse", "command": "x", "url": "https://hub.acme.dev/mcp", "headers": {"A": "b"}}`}, nil, []string{"duplicate-server " + b}},
		{"P14 sockets", linttest.Files{a: `{"type": "http", "url": "unix:///tmp/a.sock"}`, b: `{"type": "http", "url": "pipe:///a"}`}, nil, nil},
		{"P15 filled in", linttest.Files{a: `{"type": "http", "url": "https://hub.acme.dev/api/mcp"}`},
			linttest.Files{a: tracked(`{"type": "http", "url": "https://${env:H}/api/mcp"}`)}, nil},
		{"P15 another URL", linttest.Files{a: `{"type": "http", "url": "https://hub.acme.dev/mcp"}`},
			linttest.Files{a: tracked(`{"type": "http", "url": "https://${env:H}/api/mcp"}`)}, []string{"config-changed " + a}},
		{"P15 one server once both are filled in", linttest.Files{a: remote, b: remote},
			linttest.Files{a: tracked(`{"type": "http", "url": "https://${env:H}/mcp"}`), b: tracked(`{"type": "http", "url": "${env:HUB}/mcp"}`)}, []string{"duplicate-server " + b}},
		{"P16 off on a remote server", linttest.Files{a: remote, b: `{"type": "http", "url": "https://hub.acme.dev/mcp", ` + off + `}`}, nil, nil},
		{"P16 the other is gone", linttest.Files{b: `{"type": "http", "url": "https://hub.acme.dev/mcp", ` + off + `}`}, nil, []string{"orphaned-duplicate " + b}},
		{"P17 into an empty file", linttest.Files{a: node}, linttest.Files{a: tracked(node)}, nil},
		{"P17 tracked next to other servers", linttest.Files{a: node, "mine": remote}, linttest.Files{a: tracked(node)}, nil},
		{"P17 not tracked", linttest.Files{a: node, b: remote}, linttest.Files{a: tracked(node)}, []string{"unlocked-server " + b}},
		{"P19 the other bundle stays", linttest.Files{b: remote}, linttest.Files{b: tracked(remote)}, nil},
		{"P19 left in the tracking file", linttest.Files{b: remote}, linttest.Files{a: tracked(node), b: tracked(remote)}, []string{"missing-server " + a}},
		{"P20 one runs", linttest.Files{a: node, b: nodeOff, c: nodeOff}, nil, nil},
		{"P20 the one that ran is gone", linttest.Files{b: nodeOff, c: nodeOff}, nil, []string{"orphaned-duplicate " + b}},
		{"P20 all are gone", linttest.Files{}, nil, nil},
	} {
		t.Run(test.id, func(t *testing.T) {
			files := linttest.Files{".vscode/mcp.json": `{"servers": ` + linttest.Object(test.servers) + `}`}
			if test.tracked != nil {
				files[".vscode/prompt-registry-mcp-tracking.json"] = `{"managedServers": ` + linttest.Object(test.tracked) + `}`
			}
			assert.Equal(t, test.want, linttest.SubjectsOf(linttest.LintFiles(t, files),
				"duplicate-server", "config-changed", "unlocked-server", "missing-server", "orphaned-duplicate", "alias-drift", "syntax-error"))
		})
	}
}

// TestPromptRegistryDifferences checks what is reported for entries that only prompt-registry
// treats as the same: how they differ.
func TestPromptRegistryDifferences(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"command": "node", "args": ["a|b"]}`, `{"command": "node", "args": ["a", "b"]}`, "only in where one argument ends,"},
		{`{"command": "node", "args": ["a"], "env": {"A": "1"}}`, `{"command": "node", "args": ["a"]}`, "only in variables or headers,"},
		{`{"command": "node", "args": ["a"], "cwd": "x"}`, `{"command": "node", "args": ["a"], "cwd": "y"}`, "only in the working directory,"},
	} {
		var messages []string
		for _, f := range linttest.LintFiles(t, linttest.Files{".vscode/mcp.json": `{"servers": {"prompt-registry:a:s": ` + c.a + `, "prompt-registry:b:s": ` + c.b + `}}`}) {
			if f.Rule.ID == "duplicate-server" {
				messages = append(messages, f.Text())
			}
		}
		if assert.Len(t, messages, 1, "%s and %s", c.a, c.b) {
			assert.Contains(t, messages[0], c.want)
		}
	}
}

// TestPromptRegistryOthersNames: an entry that ccpkg has named in the file is not one of
// prompt-registry's, and is not missing in what prompt-registry tracks.
func TestPromptRegistryOthersNames(t *testing.T) {
	pkg := `{"version": "1.0.0", "scope": "project", "source": "https://dl.acme.dev/b.ccpkg", "linked": false, "checksum": "sha256:` + strings.Repeat("0a", 32) + `"}`
	assert.Empty(t, linttest.LintFiles(t, linttest.Files{
		".ccpkg/ccpkg-lock.json":                    `{"lockfile_version": 1, "packages": {"b": ` + pkg + `}}`,
		".vscode/mcp.json":                          `{"servers": {"b::s": {"command": "node", "args": ["s.js"]}}}`,
		".vscode/prompt-registry-mcp-tracking.json": `{"managedServers": {}}`,
	}))
}

// TestPromptRegistryRepeatedKey is P18: the tool refuses a second installation
// under one name, a person or a merge does not. Without .vscode/mcp.json, which
// local-only mode keeps out of the repository, a tracking file says nothing.
func TestPromptRegistryRepeatedKey(t *testing.T) {
	const server = `"prompt-registry:a:s": {"command": "node", "args": ["s.js"]}`
	assert.Equal(t, []string{"duplicate-key error "}, linttest.Graded(linttest.LintFiles(t, linttest.Files{".vscode/mcp.json": `{"servers": {` + server + `, ` + server + `}}`})))
	assert.Empty(t, linttest.LintFiles(t, linttest.Files{".vscode/prompt-registry-mcp-tracking.json": `{"managedServers": {"prompt-registry:a:s": {"bundleId": "a"}}}`}))
}

// TestPromptRegistryLockfiles holds the lockfile of bundles against its schema,
// as far as every release keeps to it: fields are added, and sources of new
// types.
func TestPromptRegistryLockfiles(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	file := func(more string) string { return `{"path": ".github/prompts/a.prompt.md"` + more + `}` }
	whole := file(`, "checksum": "` + sum + `"`)
	bundle := func(files string) string {
		return `{"version": "1.0.0", "sourceId": "github-1", "sourceType": "github", "installedAt": "2026-02-03T08:05:00.000Z", "files": [` + files + `]}`
	}
	for _, c := range []struct {
		id, version, bundles string
		want                 []string
	}{
		{"in order", `"2.0.0"`, `{"a": ` + bundle(whole+","+whole) + `}`, nil},
		{"an older version", `"1.0.0"`, `{"a": ` + bundle(whole) + `}`, nil},
		{"a newer one with new fields", `"2.1.0"`, `{"a": ` + bundle(file(`, "checksum": "`+sum+`", "installedFingerprint": "`+sum+`", "sizeInBytes": 4`)) + `}`, nil},
		{"a bundle that is known by its hash", `"2.0.0"`, `{"a": ` + strings.Replace(bundle(whole), `"1.0.0"`, `"hash:`+sum+`"`, 1) + `}`, nil},
		{"no bundles", `"2.0.0"`, `{}`, nil},
		{"an invalid version", `2`, `{}`, []string{"invalid-lockfile error "}},
		{"a version of two numbers", `"2.0"`, `{}`, []string{"invalid-lockfile error "}},
		{"a list of bundles", `"2.0.0"`, `[]`, []string{"invalid-lockfile error "}},
		{"an invalid bundle", `"2.0.0"`, `{"a": "1.0.0"}`, []string{"invalid-lockfile error "}},
		{"a bundle without a version", `"2.0.0"`, `{"a": {"sourceId": "x", "sourceType": "github", "files": []}}`, []string{"invalid-lockfile error "}},
		{"invalid files", `"2.0.0"`, `{"a": ` + strings.Replace(bundle(""), "[]", "{}", 1) + `}`, []string{"invalid-lockfile error "}},
		{"a file without a path", `"2.0.0"`, `{"a": ` + bundle(`{"checksum": "`+sum+`"}`) + `}`, []string{"invalid-lockfile error "}},
		{"one file without a checksum", `"2.0.0"`, `{"a": ` + bundle(whole+","+file("")) + `}`, []string{"missing-integrity warning "}},
		{"null and empty", `"2.0.0"`, `{"a": ` + bundle(whole+","+file(`, "checksum": null`)+","+file(`, "checksum": ""`)) + `}`,
			[]string{"missing-integrity warning ", "missing-integrity warning "}},
		{"none has a checksum", `"2.0.0"`, `{"a": ` + bundle(file("")+","+file("")) + `, "b": ` + bundle(file("")) + `}`, []string{"missing-integrity warning "}},
		{"an algorithm before it", `"2.0.0"`, `{"a": ` + bundle(file(`, "checksum": "sha256:`+sum+`"`)) + `}`, []string{"invalid-integrity error "}},
		{"too short", `"2.0.0"`, `{"a": ` + bundle(file(`, "checksum": "`+sum[1:]+`"`)) + `}`, []string{"invalid-integrity error "}},
		{"in capitals", `"2.0.0"`, `{"a": ` + bundle(file(`, "checksum": "`+strings.ToUpper(sum)+`"`)) + `}`, []string{"invalid-integrity error "}},
	} {
		for _, path := range []string{"prompt-registry.lock.json", "prompt-registry.local.lock.json"} {
			t.Run(c.id+" "+path, func(t *testing.T) {
				assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, linttest.Files{path: `{"version": ` + c.version + `, "bundles": ` + c.bundles + `, "sources": {}}`})))
			})
		}
	}
}
