package pml_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// TestPMLCases follows the tests of Casys PML where they have an analogue in
// files: names of tools, integrity, permissions. Each case is the entries of a
// .pml/mcp.lock, the text of a .pml.json ("" for none), and the findings of all
// rules as "rule severity subject".
//
// Without an analogue: what an update does to a hash needs two revisions of a
// file (C05, and the comparison of C06), which is what integrity-changed looks
// for. mcplumb does not check the age of C11: the clock is not a fact of the repository.
func TestPMLCases(t *testing.T) {
	const (
		hash   = "67c3aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		config = `{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"]}}}`
	)
	entry := func(fqdn, integrity, more string) string {
		return `{"fqdn": "` + fqdn + `", "integrity": "` + integrity + `", "type": "stdio", "approved": true` + more + `}`
	}
	good := entry("pml.mcp.fs.read.67c3", hash, "")
	allow := func(lists string) string {
		return strings.TrimSuffix(config, "}") + `, "permissions": ` + lists + `}`
	}
	for _, c := range []struct {
		id      string
		entries map[string]string
		config  string
		want    []string
	}{
		{"C01 no entries", nil, config, nil},
		{"no .pml.json: it is mostly not committed", linttest.Files{"pml.mcp.fs.read": good}, "", nil},
		{"in order", linttest.Files{"pml.mcp.fs.read": good}, config, nil},
		{"a tool of a server that is gone", linttest.Files{"pml.mcp.gone.read": entry("pml.mcp.gone.read.67c3", hash, ""), "pml.mcp.gone.write": entry("pml.mcp.gone.write.67c3", hash, "")},
			config, []string{"missing-server warning gone"}},
		{"code that PML runs itself has no server", linttest.Files{"acme.web.api.get": `{"fqdn": "acme.web.api.get.67c3", "integrity": "` + hash + `", "type": "deno", "approved": true}`}, config, nil},
		{"nor has deno under pml.mcp", linttest.Files{"pml.mcp.gone.get": `{"fqdn": "pml.mcp.gone.get.67c3", "integrity": "` + hash + `", "type": "deno", "approved": true}`}, config, nil},
		{"the hash that npm publishes", linttest.Files{"pml.mcp.fs.server": entry("pml.mcp.fs.server.0123", "sha512-ASNh"+strings.Repeat("YWFh", 20)+"YQ==", "")}, config, nil},
		{"another one that npm publishes", linttest.Files{"pml.mcp.fs.server": entry("pml.mcp.fs.server.67c3", "sha512-ASNh"+strings.Repeat("YWFh", 20)+"YQ==", "")}, config, []string{"invalid-integrity error pml.mcp.fs.server"}},
		{"a name of four parts, as end-to-end tests store it", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read", hash, "")}, config, nil},

		{"C02 five parts are stored under four", linttest.Files{"pml.std.filesystem.read_file": entry("pml.std.filesystem.read_file.67c3", hash, "")}, config, nil},
		{"C03 asked for by five parts", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["pml.mcp.fs.read.67c3"]}`), []string{"stale-lock-entry note pml.mcp.fs.read"}},
		{"C04 a server none of whose tools is locked", linttest.Files{"pml.mcp.fs.read": good}, strings.Replace(config, `"fs":`, `"new": {"command": "node", "args": ["n.js"]}, "fs":`, 1), nil},
		{"C07 approved", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", hash, `, "fetchedAt": "2026-01-01T00:00:00.000Z", "lastValidated": "2026-02-01T00:00:00.000Z"`)}, config, nil},
		{"C10 reported and kept", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": [], "ask": ["git:*"]}`), []string{"stale-lock-entry note pml.mcp.fs.read"}},
		{"C11 old and permitted", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", hash, `, "lastValidated": "2019-01-01T00:00:00.000Z"`)}, allow(`{"allow": ["fs:*"]}`), []string{"auto-approval note fs"}},
		{"C16 names of tools", nil, allow(`{"allow": ["fs:read_json", "api:v2:get_user"]}`), nil},
		{"C16 a blank", nil, allow(`{"allow": ["fs:read json"]}`), []string{"invalid-name warning "}},
		{"C16 signs", nil, allow(`{"deny": ["fs@read", "fs#read", "fs$read", "fs%read", "fs/read", "fs\\\\read", ""]}`), slices.Repeat([]string{"invalid-name warning "}, 7)},
		{"C16 ours: a full name is let pass, dots and all", nil, allow(`{"ask": ["pml.mcp.fs.read"]}`), nil},
		{"C06 no hash in hex", linttest.Files{"pml.mcp.fs.server": entry("pml.mcp.fs.server.d7e8", "sha256-oldHash", "")}, config, []string{"invalid-integrity error pml.mcp.fs.server"}},
		{"C08 rejected", linttest.Files{"pml.mcp.fs.read": `{"fqdn": "pml.mcp.fs.read.67c3", "integrity": "` + hash + `", "type": "stdio", "approved": false}`},
			config, []string{"invalid-lockfile warning pml.mcp.fs.read"}},
		{"an empty hash", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "", "")}, config, []string{"missing-integrity warning pml.mcp.fs.read"}},
		{"a weak hash", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "tool:67c3", "")}, config, []string{"missing-integrity note pml.mcp.fs.read"}},
		{"only weak hashes", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "tool:67c3", ""), "pml.mcp.fs.write": entry("pml.mcp.fs.write.67c4", "tool:67c4", "")},
			config, []string{"missing-integrity note "}},
		{"weak and another", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "capability:67c4", "")},
			config, []string{"invalid-integrity error pml.mcp.fs.read", "missing-integrity note pml.mcp.fs.read"}},
		{"in capitals", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "SHA256-"+strings.ToUpper(hash), "")}, config, nil},
		{"another full hash", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.0000", "sha256-"+hash, "")}, config, []string{"invalid-integrity error pml.mcp.fs.read"}},
		{"five digits", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "tool:67c3a", "")}, config, []string{"invalid-integrity error pml.mcp.fs.read"}},
		{"an unknown kind", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67c3", "md5:67c3", "")}, config, []string{"invalid-integrity error pml.mcp.fs.read"}},

		{"key and name differ", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.write.67c3", hash, "")}, config, []string{"invalid-lockfile error pml.mcp.fs.read"}},
		{"a key of five parts", linttest.Files{"pml.mcp.fs.read.67c3": good}, config, []string{"invalid-lockfile warning pml.mcp.fs.read.67c3"}},
		{"the design document's entry", linttest.Files{"pml.mcp.fs.read.67c3": `{"integrity": "sha256-` + hash + `", "type": "http", "routing": "server"}`},
			config, []string{"invalid-lockfile warning pml.mcp.fs.read.67c3"}},
		{"C12 three parts", linttest.Files{"pml.mcp.fs": entry("pml.mcp.fs", hash, "")}, config, []string{"invalid-lockfile error pml.mcp.fs"}},
		{"C12 six parts", linttest.Files{"a.b.c.d.e.f": entry("a.b.c.d.e.f", hash, "")}, config, []string{"invalid-lockfile error a.b.c.d.e.f"}},
		{"C12 empty", linttest.Files{"": entry("", hash, "")}, config, []string{"invalid-lockfile error "}},
		{"C12 a digit first", linttest.Files{"pml.mcp.123invalid.read": `{"fqdn": "pml.mcp.123invalid.read.67c3", "integrity": "` + hash + `", "type": "deno"}`},
			config, []string{"invalid-lockfile error pml.mcp.123invalid.read"}},
		{"C12 a hash in capitals", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.67C3", hash, "")}, config, []string{"invalid-lockfile error pml.mcp.fs.read"}},
		{"C12 a long hash", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.a7f3aa", hash, "")}, config, []string{"invalid-lockfile error pml.mcp.fs.read"}},
		{"C12 underscores and hyphens", linttest.Files{"_private.my-project.n_s.act": entry("_private.my-project.n_s.act.67c3", hash, "")}, config, nil},
		{"no object", linttest.Files{"pml.mcp.fs.read": "[]"}, config, []string{"invalid-lockfile error pml.mcp.fs.read"}},
		{"wrong kinds", linttest.Files{"pml.mcp.fs.read": `{"fqdn": "pml.mcp.fs.read.67c3", "integrity": "` + hash + `", "type": 1, "approved": "yes"}`},
			config, []string{"invalid-lockfile error pml.mcp.fs.read", "invalid-lockfile error pml.mcp.fs.read"}},

		{"C09 the full name", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["pml.mcp.fs.read"]}`), nil},
		{"C09 another", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["pml.mcp.fs.write"]}`), []string{"stale-lock-entry note pml.mcp.fs.read"}},
		{"C13 everything", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["*"]}`), []string{"auto-approval warning "}},
		{"C13 a namespace", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["fs:*"]}`), []string{"auto-approval note fs"}},
		{"C13 a namespace without a star", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"ask": ["fs"]}`), nil},
		{"C13 exact", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"ask": ["fs:read"]}`), nil},
		{"C13 what is allowed is held to its hash all the same", linttest.Files{"pml.mcp.fs.read": entry("pml.mcp.fs.read.0000", hash, "")}, allow(`{"allow": ["fs:read"]}`), []string{"invalid-integrity error pml.mcp.fs.read"}},
		{"C13 another namespace", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["github:*"]}`), []string{"auto-approval note github", "stale-lock-entry note pml.mcp.fs.read"}},
		{"C13 no prefix of a name", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["f:*", "fs:rea"]}`), []string{"auto-approval note f", "stale-lock-entry note pml.mcp.fs.read"}},
		{"C14 deny goes first", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["*"], "deny": ["fs:*"]}`), []string{"auto-approval warning ", "stale-lock-entry note pml.mcp.fs.read"}},
		{"C14 denied, and nothing else is reported", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": [], "deny": ["fs:*"], "ask": []}`), []string{"stale-lock-entry note pml.mcp.fs.read"}},
		{"C14 unknown: asked for", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": [], "deny": [], "ask": []}`), nil},
		{"C15 no permissions", linttest.Files{"pml.mcp.fs.read": good}, config, nil},
		{"C15 only allow", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": ["fs:*"]}`), []string{"auto-approval note fs"}},
		{"C15 wrong kinds", linttest.Files{"pml.mcp.fs.read": good}, allow(`{"allow": "*", "ask": {}}`), nil},
		{"C15 bad JSON", linttest.Files{"pml.mcp.fs.read": good}, `{`, []string{"syntax-error error "}},

		{"a URL without a type starts nothing", nil, `{"mcpServers": {"docs": {"url": "https://docs.corp.internal/mcp"}}}`, []string{"invalid-server warning docs"}},
		{"PML does not start itself", nil, `{"mcpServers": {"pml": {"type": "nonsense"}}}`, nil},
	} {
		t.Run(c.id, func(t *testing.T) {
			files := linttest.Files{".pml/mcp.lock": `{"version": 1, "entries": ` + linttest.Object(c.entries) + `}`}
			if c.config != "" {
				files[".pml.json"] = c.config
			}
			assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, files)))
		})
	}
}

// TestPMLLockfiles holds what is no lockfile. PML itself throws away every pin
// of a file that it cannot parse, and says nothing.
func TestPMLLockfiles(t *testing.T) {
	for _, c := range []struct {
		id, lock string
		want     []string
	}{
		{"C01 empty", "", []string{"invalid-lockfile warning "}},
		{"C01 blanks", " \n", []string{"invalid-lockfile warning "}},
		{"no JSON", `{"entries": `, []string{"syntax-error error "}},
		{"a conflict", "{\n<<<<<<< HEAD\n\"version\": 1\n=======\n\"version\": 2\n>>>>>>> main\n}", []string{"invalid-lockfile error "}},
		{"a list", "[]", []string{"invalid-lockfile error "}},
		{"entries in a list", `{"entries": []}`, []string{"invalid-lockfile error "}},
		{"PML does not look at the version", `{"version": 7, "entries": {}}`, nil},
	} {
		t.Run(c.id, func(t *testing.T) {
			assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, linttest.Files{".pml/mcp.lock": c.lock})))
		})
	}
}

// TestPMLLockGovernsNothing: a server that mcp-tap locks stays locked below a
// lockfile of tools, and PML's locks no server.
func TestPMLLockGovernsNothing(t *testing.T) {
	files := linttest.Files{
		"mcp-tap.lock":      `{"lockfile_version": 1, "servers": {}}`,
		"app/.pml/mcp.lock": `{"version": 1, "entries": {}}`,
		"app/.mcp.json":     `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`,
	}
	assert.Equal(t, []string{"unlocked-server note time"}, linttest.Graded(linttest.LintFiles(t, files)))
	delete(files, "mcp-tap.lock")
	assert.Empty(t, linttest.LintFiles(t, files))
}

// TestPMLNameWithToken checks that a part of a tool's name is not shown where the
// whole is a credential: by itself it no longer looks like one.
func TestPMLNameWithToken(t *testing.T) {
	rest := strings.Repeat("Kq7ZxWv3", 5)
	for _, f := range linttest.LintFiles(t, map[string]string{
		".pml/mcp.lock": `{"version": 1, "entries": {"pml.mcp.fs.read": {"fqdn": "pml.mcp.fs.SG.` + rest + `", "integrity": "", "type": "stdio", "approved": true}}}`,
	}) {
		assert.NotContains(t, secret.Mask(f.Text()), rest[:20], f.Rule.ID)
	}
}
