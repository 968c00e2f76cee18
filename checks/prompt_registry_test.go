package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/checks"
)

// TestPromptRegistryCases follows prompt-registry's own tests where they have
// an analogue in files. Each case is the servers of .vscode/mcp.json, what is
// tracked, and what is expected as "rule subject". Entries that are equal in
// everything are mcplumb's own duplicates; where only prompt-registry takes two
// for one, that is a note.
//
// Without an analogue, because they watch the tool at work: P13 (the text that
// it writes), P16 (fields that it copies), P18 (a second installation: one name
// twice in a file is duplicate-key) and the installing half of P17 and P19.
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
		servers, tracked m
		want             []string
	}{
		{"P01 arguments count", m{a: node, b: `{"command": "node", "args": ["server.js", "--port", "3001"]}`}, nil, nil},
		{"P01 equal arguments", m{a: node, b: node}, nil, []string{"duplicate-server " + b}},
		{"P02 no arguments", m{a: `{"command": "my-mcp-server"}`, b: `{"command": "my-mcp-server", "args": []}`}, nil, []string{"duplicate-server " + b}},
		{"P03 http and sse", m{a: remote, b: `{"type": "sse", "url": "https://hub.acme.dev/mcp"}`}, nil, []string{"duplicate-server " + b}},
		{"P04 other headers", m{a: remote, b: `{"type": "http", "url": "https://hub.acme.dev/mcp", "headers": {"X-Toolset": "all"}}`}, nil, []string{"duplicate-server " + b}},
		{"P04 other env", m{a: node, b: `{"command": "node", "args": ["server.js", "--port", "3000"], "env": {"A": "b"}}`}, nil, []string{"duplicate-server " + b}},
		{"P05 ours: a URL for a command is that URL", m{a: remote, b: `{"command": "https://hub.acme.dev/mcp"}`}, nil, []string{"duplicate-server " + b}},
		{"P06", m{a: node, b: node}, nil, []string{"duplicate-server " + b}},
		{"P07", m{a: remote, b: remote}, nil, []string{"duplicate-server " + b}},
		{"P08", m{a: node, b: node, c: node}, nil, []string{"duplicate-server " + b, "duplicate-server " + c}},
		{"P09", m{a: node, b: remote}, nil, nil},
		{"P10", m{a: `{"command": "node", "args": ["server.js", "--port", "3000"], "disabled": true}`, b: node}, nil, nil},
		{"P11", nil, nil, nil},
		{"P12 ours: the tracked one is later", m{"mine": node, "prompt-registry:a:s": node}, nil, []string{"duplicate-server " + a}},
		{"P14 no type", m{a: `{"url": "https://hub.acme.dev/mcp"}`, b: remote}, nil, []string{"duplicate-server " + b}},
		{"P14 sockets", m{a: `{"type": "http", "url": "unix:///tmp/a.sock"}`, b: `{"type": "http", "url": "pipe:///a"}`}, nil, nil},
		{"P15 filled in", m{a: `{"type": "http", "url": "https://hub.acme.dev/api/mcp"}`},
			m{a: tracked(`{"type": "http", "url": "https://${env:H}/api/mcp"}`)}, nil},
		{"P15 another URL", m{a: `{"type": "http", "url": "https://hub.acme.dev/mcp"}`},
			m{a: tracked(`{"type": "http", "url": "https://${env:H}/api/mcp"}`)}, []string{"config-changed " + a}},
		{"P17 tracked beside other servers", m{a: node, "mine": remote}, m{a: tracked(node)}, nil},
		{"P17 not tracked", m{a: node, b: remote}, m{a: tracked(node)}, []string{"unlocked-server " + b}},
		{"P19 the other bundle stays", m{b: remote}, m{b: tracked(remote)}, nil},
		{"P19 left in the tracking file", m{b: remote}, m{a: tracked(node), b: tracked(remote)}, []string{"missing-server " + a}},
		{"P20 one runs", m{a: node, b: nodeOff, c: nodeOff}, nil, nil},
		{"P20 the one that ran is gone", m{b: nodeOff, c: nodeOff}, nil, []string{"orphaned-duplicate " + b}},
		{"P20 all are gone", m{}, nil, nil},
	} {
		t.Run(test.id, func(t *testing.T) {
			files := m{".vscode/mcp.json": `{"servers": ` + object(test.servers) + `}`}
			if test.tracked != nil {
				files[".vscode/prompt-registry-mcp-tracking.json"] = `{"managedServers": ` + object(test.tracked) + `}`
			}
			assert.Equal(t, test.want, subjectsOf(lintFiles(t, files),
				"duplicate-server", "config-changed", "unlocked-server", "missing-server", "orphaned-duplicate", "alias-drift", "syntax-error"))
		})
	}
}

// subjectsOf writes the findings of some rules as "rule subject", in order.
func subjectsOf(findings []checks.Finding, rules ...string) []string {
	var list []string
	for _, f := range findings {
		for _, rule := range rules {
			if f.Check.ID == rule {
				list = append(list, rule+" "+f.Server)
			}
		}
	}
	return list
}
