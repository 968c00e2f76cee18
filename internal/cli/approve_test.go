package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// locked returns a lockfile with one server at one version and a hash of one letter.
func locked(server, letter string) string {
	return fmt.Sprintf(`{"lockfile_version": 1, "servers": {%q: {
  "package_identifier": "@acme/notes-mcp", "registry_type": "npm", "version": "1.4.0",
  "integrity": %q, "config": {"command": "npx", "args": ["-y", "@acme/notes-mcp@1.4.0"]}}}}`, server, hashOf(letter))
}

// hashOf returns a SHA-512 that begins with a letter often.
func hashOf(letter string) string { return "sha512-" + strings.Repeat(letter, 85) + "A==" }

// configured returns a client's file with the locked server.
func configured(server string) string {
	return fmt.Sprintf(`{"mcpServers": {%q: {"command": "npx", "args": ["-y", "@acme/notes-mcp@1.4.0"]}}}`, server)
}

// read returns the text of a file.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(content)
}

// lockedHistory makes a repository whose lockfile has another hash than on main.
func lockedHistory(t *testing.T, settings string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "mcp-tap.lock", locked("notes", "B"))
	write(t, dir, ".mcp.json", configured("notes"))
	if settings != "" {
		write(t, dir, ".mcplumb.yaml", settings)
	}
	commitAll(t, dir, "base")
	git(t, dir, "checkout", "-q", "-b", "change")
	write(t, dir, "mcp-tap.lock", locked("notes", "C"))
	commitAll(t, dir, "change")
	return dir
}

// TestApprove approves a changed hash: the hash is no longer reported, a further change of it
// is, and the old settings stay.
func TestApprove(t *testing.T) {
	dir := lockedHistory(t, "# Agreed on in March.\nrules:\n  config-drift: off # too many\n")
	changed := []string{"mcp-tap.lock integrity-changed"}
	found, said := newSince(t, dir, "--base", "main")
	assert.Equal(t, changed, found)
	assert.Contains(t, said, `error: the hash of "notes" changed from sha512-BBBBBBBBBBBB… to sha512-CCCCCCCCCCCC…, but the version is still 1.4.0`)
	found, _ = newSince(t, dir)
	assert.Empty(t, found, "there is nothing to compare with")

	code, stdout, stderr := run(t, dir, "approve", "notes", "--base", "main", "--reason", "released again: #12")
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, "approved in .mcplumb.yaml:\n  npm:@acme/notes-mcp: "+hashOf("C")+", at the base "+hashOf("B")+"\ncommit the file with the lockfile\n", stdout)
	assert.Equal(t, `# Agreed on in March.
rules:
  config-drift: off # too many
ignore:
  - rule: integrity-changed
    identity: npm:@acme/notes-mcp
    integrity: `+hashOf("C")+`
    reason: "released again: #12"
`, read(t, dir, ".mcplumb.yaml"))
	found, said = newSince(t, dir, "--base", "main", "--severity", "note")
	assert.Empty(t, found)
	assert.Contains(t, said, "1 suppressed")
	assert.Contains(t, said, "integrity-changed is ignored of npm:@acme/notes-mcp with the hash "+hashOf("C"), "a reviewer reads it")

	// Without a base mcplumb cannot tell whether the approval is needed; with one, it is.
	_, said = newSince(t, dir, "--severity", "note")
	assert.NotContains(t, said, "unused-ignore")

	// Nor is it of no use once there is another base, as for the next commit of a branch.
	commitAll(t, dir, "approve")
	write(t, dir, ".mcplumb.yaml", read(t, dir, ".mcplumb.yaml")+"exclude: [vendor]\n")
	found, _ = newSince(t, dir, "--base", "HEAD", "--severity", "note")
	assert.Empty(t, found)

	// An expired approval does not count.
	settings := read(t, dir, ".mcplumb.yaml")
	write(t, dir, ".mcplumb.yaml", strings.Replace(settings, "    reason:", "    until: 1960-01-01\n    reason:", 1))
	code, stdout, _ = run(t, dir, "approve", "notes", "--base", "main", "--reason", "again")
	assert.Equal(t, 0, code)
	assert.Contains(t, stdout, "approved in .mcplumb.yaml:\n")
	found, _ = newSince(t, dir, "--base", "main")
	assert.Empty(t, found)
	write(t, dir, ".mcplumb.yaml", settings)

	// A second time it is already approved, by any of its names.
	code, stdout, _ = run(t, dir, "approve", "npm:@acme/notes-mcp", "--base", "main", "--reason", "again")
	assert.Equal(t, 0, code)
	assert.Equal(t, "the new hash of \"npm:@acme/notes-mcp\" is already approved in .mcplumb.yaml\n", stdout)

	// The approval is one of the hash: under another name it holds, for another hash not.
	write(t, dir, "mcp-tap.lock", locked("memos", "C"))
	write(t, dir, ".mcp.json", configured("memos"))
	found, _ = newSince(t, dir, "--base", "main")
	assert.Empty(t, found)
	write(t, dir, "mcp-tap.lock", locked("memos", "D"))
	found, _ = newSince(t, dir, "--base", "main")
	assert.Equal(t, changed, found)
	// Nor is it one of another package with that hash.
	write(t, dir, "mcp-tap.lock", locked("notes", "C"))
	write(t, dir, ".mcp.json", configured("notes"))
	write(t, dir, ".mcplumb.yaml", strings.ReplaceAll(read(t, dir, ".mcplumb.yaml"), "notes-mcp", "other-mcp"))
	found, _ = newSince(t, dir, "--base", "main", "--severity", "note")
	assert.Equal(t, []string{"mcp-tap.lock integrity-changed", ".mcplumb.yaml unused-ignore"}, found)
}

// TestApproveNone approves that a hash is gone: from an entry that has lost it, then with a
// deleted entry; a new hash after that needs its own approval.
func TestApproveNone(t *testing.T) {
	dir := lockedHistory(t, "rules:\n  missing-integrity: off\n  unlocked-server: off\n")
	check := func() (int, string) {
		code, stdout, _ := run(t, dir, "check", "--base", "main")
		return code, stdout
	}
	write(t, dir, "mcp-tap.lock", strings.Replace(locked("notes", "B"), hashOf("B"), "", 1))
	code, stdout := check()
	require.Equal(t, 1, code)
	require.Contains(t, stdout, `approve that there is none: mcplumb approve notes --base main`)
	_, report, _ := run(t, dir, "check", "--base", "main", "--format", "json")
	require.Contains(t, report, `"newHash": "none"`)
	require.Contains(t, report, `"newIntegrity": "none"`)

	code, stdout, stderr := run(t, dir, "approve", "notes", "--base", "main", "--reason", "mcp-tap is not used any more")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "npm:@acme/notes-mcp: none, at the base "+hashOf("B"))
	code, stdout = check()
	require.Equal(t, 0, code, stdout)

	require.NoError(t, os.Remove(filepath.Join(dir, "mcp-tap.lock")))
	code, stdout = check()
	require.Equal(t, 0, code, stdout)
	commitAll(t, dir, "gone")
	code, stdout, _ = run(t, dir, "check")
	require.Equal(t, 0, code, stdout)

	write(t, dir, "mcp-tap.lock", locked("notes", "C"))
	code, stdout = check()
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "[integrity-changed]")
}

// TestApproveFromOrigin approves without --base in a clone, whose remote has a default
// branch, and without settings.
func TestApproveFromOrigin(t *testing.T) {
	from := lockedHistory(t, "")
	git(t, from, "checkout", "-q", "main")
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, from, "clone", "-q", from, dir)
	git(t, dir, "checkout", "-q", "change")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	code, stdout, stderr := run(t, filepath.Join(dir, "sub"), "approve", "notes", "--reason", "fine")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "approved in ../.mcplumb.yaml:\n")
	assert.Equal(t, "ignore:\n  - rule: integrity-changed\n    identity: npm:@acme/notes-mcp\n    integrity: "+hashOf("C")+"\n    reason: fine\n", read(t, dir, ".mcplumb.yaml"))
}

// TestApproveOnline approves the hash that a registry has today, as a whole: then the registry
// is no finding, nor is the lockfile that has fetched it.
func TestApproveOnline(t *testing.T) {
	old, current := "sha256-d7e8"+strings.Repeat("0", 60), "sha256-f9a0"+strings.Repeat("9", 60)
	pml := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/mcp/pml.mcp.files.read.f9a0":
			_, _ = io.WriteString(w, `{"fqdn": "pml.mcp.files.read.f9a0", "integrity": "`+current+`"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error": "hash_mismatch", "message": "other", "currentFqdn": "pml.mcp.files.read.f9a0"}`)
		}
	}))
	t.Cleanup(pml.Close)
	lockedTool := func(integrity string) string {
		return `{"version": 1, "entries": {"pml.mcp.files.read": {"fqdn": "pml.mcp.files.read.` + integrity[7:11] + `", "integrity": "` + integrity + `", "type": "stdio", "approved": true}}}`
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".pml.json", `{"cloud": {"url": "`+pml.URL+`"}, "mcpServers": {"files": {"command": "files-mcp"}}}`)
	write(t, dir, ".pml/mcp.lock", lockedTool(old))
	commitAll(t, dir, "base")

	_, stdout, _ := run(t, dir, "check", "--online", "--rule", "integrity-changed", "--format", "json")
	assert.Contains(t, stdout, `"newIntegrity": "`+current+`"`)
	assert.Contains(t, stdout, `"newHash": "f9a0"`)

	code, _, stderr := run(t, dir, "approve", "other", "--online", "--reason", "an update")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, `no registry has a hash of "other" other than the locked one`)
	code, _, stderr = run(t, dir, "approve", "pml.mcp.files.read", "--base", "HEAD", "--reason", "an update")
	assert.Equal(t, 2, code, "no one was asked")
	assert.Contains(t, stderr, "no hash has changed since HEAD")

	code, stdout, stderr = run(t, dir, "approve", "pml.mcp.files.read", "--online", "--reason", "an update")
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, "approved in .mcplumb.yaml:\n  pml.mcp.files.read: "+current+", locked is "+old+"\ncommit the file with the lockfile\n", stdout)
	assert.Contains(t, read(t, dir, ".mcplumb.yaml"), "    integrity: "+current+"\n")

	code, stdout, _ = run(t, dir, "check", "--online", "--rule", "integrity-changed")
	assert.Equal(t, 0, code, stdout)
	write(t, dir, ".pml/mcp.lock", lockedTool(current))
	code, stdout, _ = run(t, dir, "check", "--base", "main", "--rule", "integrity-changed")
	assert.Equal(t, 0, code, stdout)
	write(t, dir, ".pml/mcp.lock", lockedTool("sha256-f9a0"+strings.Repeat("8", 60)))
	code, _, _ = run(t, dir, "check", "--base", "main", "--rule", "integrity-changed")
	assert.Equal(t, 1, code, "the first digits alone are no approval")
	write(t, dir, ".pml/mcp.lock", lockedTool(current))
	code, _, stderr = run(t, dir, "approve", "pml.mcp.files.read", "--online", "--reason", "an update")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, `no registry has a hash other than the locked one, so "pml.mcp.files.read" has none to approve`)
}

// TestApproveRefuses checks the errors for wrong arguments, and that nothing is written then.
func TestApproveRefuses(t *testing.T) {
	dir := lockedHistory(t, "")
	token := "ghp_" + strings.Repeat("a1Z9", 9)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"notes", "--base", "main"}, "approve needs a reason: pass --reason WHY"},
		{[]string{"notes", "--base", "main", "--reason", "WHY"}, "approve needs a reason: pass --reason WHY"},
		{[]string{"notes", "--base", "main", "--reason", " "}, "approve needs a reason"},
		{[]string{"notes", "--base", "main", "--reason", "it was " + token}, "the reason contains a credential"},
		{[]string{"--base", "main", "--reason", "x"}, "approve needs the name of one server"},
		{[]string{"note", "--base", "main", "--reason", "x"}, `no hash of "note" has changed since main: did you mean "notes"?`},
		{[]string{"notes", "--base", "HEAD", "--reason", "x"}, `no hash has changed since HEAD, so "notes" has none to approve`},
		{[]string{"notes", "--base", "mian", "--reason", "x"}, "--base: git does not know the revision mian"},
		{[]string{"notes", "--reason", "x"}, "origin/HEAD is not in this clone: name the revision to compare the hash with, such as --base main"},
		{[]string{"notes", "--base", strings.Repeat("0", 40), "--reason", "x"}, "there is nothing to compare with: there was no commit before: name the revision"},
	} {
		code, stdout, stderr := run(t, dir, append([]string{"approve"}, test.args...)...)
		assert.Equal(t, 2, code, test.want)
		assert.Contains(t, stderr, test.want)
		assert.NotContains(t, stdout+stderr, token)
		assert.NoFileExists(t, filepath.Join(dir, ".mcplumb.yaml"), test.want)
	}

	// By its name alone no hash is approved.
	write(t, dir, ".mcplumb.yaml", "ignore:\n  - {rule: integrity-changed, server: notes, reason: fine}\n")
	code, _, stderr := run(t, dir, "check", "--base", "main")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, ".mcplumb.yaml:2:5: this ignore has no identity, so it approves no hash: mcplumb approve writes one that does")
}

// TestApproveOneOfAName refuses a name that is that of several servers of a repository,
// and takes what one of them runs.
func TestApproveOneOfAName(t *testing.T) {
	dir := lockedHistory(t, "")
	other := func(letter string) {
		write(t, dir, "b/mcp-tap.lock", strings.ReplaceAll(locked("notes", letter), "@acme/", "@other/"))
	}
	git(t, dir, "checkout", "-q", "main")
	other("B")
	write(t, dir, "b/.mcp.json", strings.ReplaceAll(configured("notes"), "@acme/", "@other/"))
	commitAll(t, dir, "another")
	other("C")
	write(t, dir, "mcp-tap.lock", locked("notes", "C"))

	code, _, stderr := run(t, dir, "approve", "notes", "--base", "main", "--reason", "released again")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, `"notes" are 2 different servers: npm:@other/notes-mcp in b/mcp-tap.lock, npm:@acme/notes-mcp in mcp-tap.lock: choose one, as in mcplumb approve npm:@other/notes-mcp`)
	assert.NoFileExists(t, filepath.Join(dir, ".mcplumb.yaml"))

	code, _, stderr = run(t, dir, "approve", "npm:@other/notes-mcp", "--base", "main", "--reason", "released again")
	require.Equal(t, 0, code, stderr)
	assert.NotContains(t, read(t, dir, ".mcplumb.yaml"), "@acme")
}

// TestApprovalAsJSON checks the object with which programs ask a person.
func TestApprovalAsJSON(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	entry := `{"version": 1, "entries": {"pml.mcp.tavily.server": {"fqdn": "pml.mcp.tavily.server.%s", "integrity": "sha256-%[1]s%s", "fetchedAt": "2026-02-23T10:00:00.000Z", "type": "stdio", "approved": true}}}`
	write(t, dir, ".pml/mcp.lock", fmt.Sprintf(entry, "d7e8", strings.Repeat("0", 60)))
	commitAll(t, dir, "base")
	write(t, dir, ".pml/mcp.lock", fmt.Sprintf(entry, "f9a0", strings.Repeat("0", 60)))
	f := approvalOf(t, dir)
	assert.Equal(t, map[string]any{
		"approvalRequired": true, "approvalType": "integrity", "fqdn": "pml.mcp.tavily.server", "oldHash": "d7e8", "newHash": "f9a0",
		"oldIntegrity": "sha256-d7e8" + strings.Repeat("0", 60), "newIntegrity": "sha256-f9a0" + strings.Repeat("0", 60),
		"oldFetchedAt": "2026-02-23T10:00:00.000Z", "description": f.Message, "workflowId": f.Fingerprint,
	}, f.Approval)

	write(t, dir, ".pml/mcp.lock", fmt.Sprintf(entry, "aaaa", strings.Repeat("0", 60)))
	assert.NotEqual(t, f.Fingerprint, approvalOf(t, dir).Fingerprint, "another hash is another alert")
}

// changedHash is a finding as programs read it.
type changedHash struct {
	Message, Fingerprint string
	Approval             map[string]any
}

// approvalOf returns the only changed hash of a repository, out of a report that is as
// its schema says.
func approvalOf(t *testing.T, dir string) changedHash {
	t.Helper()
	_, stdout, _ := run(t, dir, "check", "--base", "HEAD", "--format", "json", "--rule", "integrity-changed")
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(moduleRoot(t), "docs", "report.schema.json"))
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(document))
	var report struct{ Findings []changedHash }
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Len(t, report.Findings, 1)
	return report.Findings[0]
}

// TestNoCredentialIsApproved checks that a credential instead of a hash is not a changed hash,
// and is in no output of the two commands.
func TestNoCredentialIsApproved(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "mcp-tap.lock", locked("notes", "B"))
	commitAll(t, dir, "base")
	for _, token := range leakTokens() {
		write(t, dir, "mcp-tap.lock", strings.ReplaceAll(locked("notes", "B"), hashOf("B"), token))
		_, stdout, stderr := run(t, dir, "check", "--base", "HEAD", "--rule", "integrity-changed", "--format", "json")
		assert.Equal(t, strings.Count(stdout, `"newIntegrity": `), strings.Count(stdout, `"newIntegrity": "none"`), token[:4]) // the hash is lost
		assert.NotContains(t, stdout+stderr, token[len(token)/2:])
	}
}

// TestOnlyTheChange makes one change among two hundred old findings, in every syntax: a
// hash that is another one, a server under another name, a new server. Nothing else is
// reported; what is approved is silent, and a further change of it is not.
func TestOnlyTheChange(t *testing.T) {
	lock := func(letter string, more ...string) string {
		var entries []string
		for _, name := range append([]string{"notes", "mail"}, more...) {
			entries = append(entries, fmt.Sprintf(`%q: {"package_identifier": "@acme/%[1]s", "registry_type": "npm", "version": "1.0.0", "integrity": %q, "config": {"command": "npx", "args": ["-y", "@acme/%[1]s@1.0.0"]}}`,
				name, hashOf(letter)))
			letter = "E"
		}
		return `{"lockfile_version": 1, "servers": {` + strings.Join(entries, ",\n") + `}}`
	}
	type entry struct{ name, pkg string }
	for path, syntax := range map[string]struct{ head, remote, local, between, end string }{
		".mcp.json":                     {`{"mcpServers": {`, `"%s": {"type": "http", "url": "http://%[1]s.acme.dev/mcp"}`, `"%s": {"command": "npx", "args": ["-y", "@acme/%s@1.0.0"]}`, ",\n", "}}\n"},
		".codex/config.toml":            {"", "[mcp_servers.%s]\nurl = \"http://%[1]s.acme.dev/mcp\"\n", "[mcp_servers.%s]\ncommand = \"npx\"\nargs = [\"-y\", \"@acme/%s@1.0.0\"]\n", "\n", ""},
		".continue/mcpServers/all.yaml": {"name: all\nversion: 0.0.1\nschema: v1\nmcpServers:\n", "  - {name: %s, type: streamable-http, url: \"http://%[1]s.acme.dev/mcp\"}\n", "  - name: %s\n    command: npx\n    args: [-y, \"@acme/%s@1.0.0\"]\n", "", ""},
	} {
		t.Run(path, func(t *testing.T) {
			config := func(servers ...entry) string {
				var all []string
				for i := range 200 {
					all = append(all, fmt.Sprintf(syntax.remote, fmt.Sprint("old", i)))
				}
				for _, s := range servers {
					all = append(all, fmt.Sprintf(syntax.local, s.name, s.pkg))
				}
				return syntax.head + strings.Join(all, syntax.between) + syntax.end
			}
			dir := t.TempDir()
			git(t, dir, "init", "-q", "-b", "main")
			write(t, dir, "mcp-tap.lock", lock("B"))
			write(t, dir, path, config(entry{"notes", "notes"}, entry{"mail", "mail"}))
			commitAll(t, dir, "base")
			write(t, dir, "mcp-tap.lock", lock("C", "wiki"))
			write(t, dir, path, config(entry{"wiki", "wiki"}, entry{"notes", "notes"}, entry{"post", "mail"}))
			renamed, changed, added := path+" alias-drift", "mcp-tap.lock integrity-changed", path+" new-server"
			found, said := newSince(t, dir, "--base", "HEAD", "--severity", "note")
			assert.Equal(t, []string{changed, renamed, added}, found)
			assert.Contains(t, said, `new server "wiki": runs npm:@acme/wiki 1.0.0`)

			code, _, stderr := run(t, dir, "approve", "notes", "--base", "HEAD", "--reason", "built again")
			require.Equal(t, 0, code, stderr)
			found, _ = newSince(t, dir, "--base", "HEAD", "--severity", "note")
			assert.Equal(t, []string{renamed, added}, found)
			write(t, dir, "mcp-tap.lock", lock("D", "wiki"))
			found, _ = newSince(t, dir, "--base", "HEAD")
			assert.Equal(t, []string{changed, renamed}, found)
		})
	}
}

// TestNewServersFailNothing checks that mcplumb reports the servers that a change adds, and
// that they fail no run.
func TestNewServersFailNothing(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".mcp.json", configured("notes"))
	commitAll(t, dir, "base")
	write(t, dir, ".mcp.json", strings.ReplaceAll(configured("notes"), "@acme", "@others"))
	write(t, dir, ".cursor/mcp.json", strings.ReplaceAll(configured("wiki"), "notes-mcp", "wiki-mcp"))
	code, stdout, _ := run(t, dir, "check", "--base", "HEAD", "--severity", "note")
	assert.Equal(t, 0, code)
	assert.Contains(t, stdout, "[new-server]")
	assert.Contains(t, stdout, "[changed-server]")
	write(t, dir, ".claude/settings.json", `{"enabledMcpjsonServers": ["notes"]}`)
	code, stdout, _ = run(t, dir, "check", "--base", "HEAD")
	assert.Equal(t, 1, code)
	assert.Contains(t, stdout, `.mcp.json:1:60: warning: "notes" now runs npm:@others/notes-mcp instead of npm:@acme/notes-mcp, and is still approved by name`)
}
