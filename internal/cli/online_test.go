package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// registries are all registries in one server on this machine. It says of .mcplumb.yaml
// where they are, and counts what it is asked.
type registries struct {
	*httptest.Server
	asked int
	// pages are what it answers, by path.
	pages map[string]string
}

// newRegistries has notes in three versions, and an image. The newest version is of the day
// before the tests' day (1970-01-01), and the first is deprecated.
func newRegistries(t *testing.T) *registries {
	t.Helper()
	r := &registries{}
	r.pages = map[string]string{
		"/npm/notes": `{"dist-tags": {"latest": "1.2.0"},
			"time": {"1.0.0": "1969-01-02T00:00:00Z", "1.1.0": "1969-02-02T00:00:00Z", "1.2.0": "1969-12-31T00:00:00Z"},
			"versions": {"1.0.0": {"deprecated": "loses notes"}, "1.1.0": {"dist": {"integrity": "sha512-of-1.1.0"}}, "1.2.0": {}}}`,
		"/npm/tagged": `{"dist-tags": {"latest": "1.0.0", "beta": "2.0.0-beta.1", "canary": "2.0.0-beta.2", "gone": "9.0.0"},
			"time": {"1.0.0": "1969-01-02T00:00:00Z", "2.0.0-beta.1": "1969-02-02T00:00:00Z", "2.0.0-beta.2": "1969-12-31T00:00:00Z"},
			"versions": {"1.0.0": {}, "2.0.0-beta.1": {}, "2.0.0-beta.2": {}}}`,
		"/npm/previews":              `{"dist-tags": {"latest": "0.1.0-alpha.1"}, "time": {"0.1.0-alpha.1": "1969-01-02T00:00:00Z"}, "versions": {"0.1.0-alpha.1": {}}}`,
		"/npm/notes/1.0.0":           `{"version": "1.0.0", "deprecated": "loses notes"}`,
		"/npm/notes/1.1.0":           `{"version": "1.1.0", "dist": {"integrity": "sha512-of-1.1.0"}}`,
		"/pypi/notes-mcp/":           `{"files": [{"filename": "notes_mcp-2.0-py3-none-any.whl", "hashes": {}, "upload-time": "1969-01-02T00:00:00Z"}]}`,
		"/v2/acme/notes/manifests/1": `{"schemaVersion": 2}`,
		"/v0.1/servers/io.github.acme/notes/versions/latest": `{"server": {"name": "io.github.acme/notes", "version": "1.0.0"},
			"_meta": {"io.modelcontextprotocol.registry/official": {"status": "deleted", "statusMessage": "it lost notes"}}}`,
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.asked++
		page, found := r.pages[request.URL.Path]
		if request.URL.Path == "/v1/querybatch" {
			page, found = advisory(t, request), true
		}
		if !found {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(r.Close)
	return r
}

// advisory is what OSV knows of one version: something of 1.1.0.
func advisory(t *testing.T, request *http.Request) string {
	t.Helper()
	var asked struct {
		Queries []struct{ Version string }
	}
	require.NoError(t, json.NewDecoder(request.Body).Decode(&asked))
	results := make([]string, len(asked.Queries))
	for i, q := range asked.Queries {
		results[i] = `{}`
		if q.Version == "1.1.0" {
			results[i] = `{"vulns": [{"id": "GHSA-aaaa-bbbb-cccc"}]}`
		}
	}
	return `{"results": [` + strings.Join(results, ", ") + `]}`
}

func (r *registries) settings() string {
	return "registries: {npm: " + r.URL + "/npm, pypi: " + r.URL + "/pypi, osv: " + r.URL + ", mcp: " + r.URL + "}\n"
}

// started returns a client's file with one server.
func started(command string, args ...string) string {
	return `{"mcpServers": {"notes": {"command": "` + command + `", "args": ["` + strings.Join(args, `", "`) + `"]}}}`
}

// TestOnline says of packages what their registries say, and nothing without --online.
func TestOnline(t *testing.T) {
	r := newRegistries(t)
	image := strings.TrimPrefix(r.URL, "http://") + "/acme/notes:1"
	tests := map[string]struct {
		config string
		want   string // part of what is printed
	}{
		"a version to pin to": {started("npx", "-y", "notes"),
			"so each start may run a different one: pin 1.1.0, published on 1969-02-02, the newest that is old enough"},
		"one of PyPI": {started("uvx", "notes-mcp"), ": pin 2.0, published on 1969-01-02, the newest that is old enough"},
		"an image": {started("docker", "run", "-i", image),
			": pin sha256:c5d902c53b4afcf32ad746fd9d696431650d3fbe8f7b10ca10519543fefd772c, which is 1 today"},
		"deprecated":   {started("npx", "-y", "notes@1.0.0"), "warning: npm:notes 1.0.0 is deprecated in its registry (loses notes) [deprecated-server]"},
		"vulnerable":   {started("npx", "-y", "notes@1.1.0"), "see: https://osv.dev/vulnerability/GHSA-aaaa-bbbb-cccc"},
		"no such name": {started("npx", "-y", "nots@1.1.0"), "so the server cannot start, and anyone can claim the name"},
		"private":      {started("npx", "-y", "@acme/notes@1.1.0"), "warning: npm:@acme/notes is not in the registry"},
		"a tag": {started("npx", "-y", "tagged@beta"),
			"the tag beta can move to another version: pin 2.0.0-beta.1, which is beta today"},
		"no such tag":      {started("npx", "-y", "tagged@alpha"), "error: npm:tagged has no tag alpha in the registry"},
		"previews alone":   {started("npx", "-y", "previews"), ": pin 0.1.0-alpha.1, published on 1969-01-02"},
		"an empty range":   {started("npx", "-y", "notes@^9.0.0"), "error: npm:notes has no version within ^9.0.0 in the registry"},
		"one of PyPI, too": {started("uvx", "notes-mcp>=3"), "error: pypi:notes-mcp has no version within >=3 in the registry"},
		"no version":       {started("npx", "-y", "notes@9.9.9"), "error: npm:notes has no version 9.9.9 in the registry"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".mcp.json", test.config)
			write(t, dir, ".mcplumb.yaml", r.settings())
			_, stdout, stderr := run(t, dir, "check", "--online", "--severity", "note")
			require.Contains(t, stdout, test.want)
			require.Empty(t, stderr)

			r.asked = 0
			_, stdout, _ = run(t, dir, "check", "--severity", "note")
			require.NotContains(t, stdout, test.want)
			require.Zero(t, r.asked)
		})
	}
}

// TestOnlineAsksForRules asks the catalog for its rule alone, and the registries for others.
func TestOnlineAsksForRules(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	write(t, dir, ".mcplumb.yaml", r.settings()+"catalog: {approved: '"+r.URL+"/catalog'}\n")
	r.pages["/catalog/v0.1/servers"] = `{"servers": [], "metadata": {}}`

	_, stdout, stderr := run(t, dir, "check", "--online", "--rule", "unapproved-server")
	require.Contains(t, stdout, "is not in the approved catalog")
	require.Empty(t, stderr)
	require.Equal(t, 1, r.asked, "the one page of the catalog")

	delete(r.pages, "/catalog/v0.1/servers")
	_, stdout, stderr = run(t, dir, "check", "--online", "--rule", "vulnerable-package")
	require.Contains(t, stdout, "is vulnerable")
	require.Empty(t, stderr, "the catalog is not asked")
}

// TestOnlineRanges holds that a range is not called empty which a launcher finds something
// in, if only a preview, and that neither is what mcplumb cannot read.
func TestOnlineRanges(t *testing.T) {
	r := newRegistries(t)
	for _, server := range []string{
		started("npx", "-y", "notes@1"), started("npx", "-y", "notes@>=1.0.0 <2"), started("npx", "-y", "notes@1 - 2"), started("npx", "-y", "notes@0.x || 1.x"),
		started("npx", "-y", "previews@*"), started("npx", "-y", "previews@^0.1.0-alpha.0"), started("npx", "-y", "previews@>=0.1.0"),
		started("npx", "-y", "tagged@latest"), started("npx", "-y", "tagged@2.x-beta"), started("npx", "-y", "tagged@file:../tagged"),
		started("uvx", "notes-mcp~=2.0"), started("uvx", "notes-mcp==2.*"), started("uvx", "notes-mcp>=1,!=1.5"), started("uvx", "notes-mcp@latest"),
	} {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", server)
		write(t, dir, ".mcplumb.yaml", r.settings())
		_, stdout, stderr := run(t, dir, "check", "--online", "--rule", "unknown-package")
		require.Equal(t, "no problems in 1 server, 1 file\n", stdout, server)
		require.Empty(t, stderr)
	}
}

// TestOnlinePipFiles holds that an index is found where pip looks for its settings.
func TestOnlinePipFiles(t *testing.T) {
	r := newRegistries(t)
	for _, file := range []string{".config/pip/pip.conf", ".pip/pip.conf", "Library/Application Support/pip/pip.conf"} {
		home, dir := t.TempDir(), t.TempDir()
		write(t, home, file, "[global]\nindex-url = "+r.URL+"/pypi\n")
		write(t, dir, ".mcp.json", started("uvx", "notes-mcp"))
		write(t, dir, ".mcplumb.yaml", "registries: {osv: "+r.URL+"}\n")
		var stdout, stderr bytes.Buffer
		cli.Main(t.Context(), cli.Env{
			Args: []string{"check", "--online", "--severity", "note"}, Stdout: &stdout, Stderr: &stderr, Dir: dir,
			Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
			Now:    func() time.Time { return time.Unix(0, 0) }, IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
		})
		require.Contains(t, stdout.String(), "pin 2.0, published on 1969-01-02", file)
		require.Empty(t, stderr.String())
	}
}

// TestOnlineYoungTag checks that for a tag of yesterday's release there is no version to
// write, not even an older release: the tag never meant that one.
func TestOnlineYoungTag(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "tagged@canary"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	_, stdout, stderr := run(t, dir, "check", "--online", "--severity", "note")
	require.Contains(t, stdout, "the tag canary can move to another version: pin an exact version [unpinned-package]")
	require.Empty(t, stderr)
}

// TestOnlineElsewhere checks that nothing is reported about a package that a launch fetches
// from a registry of its own: others may have nothing of that name, or something else.
func TestOnlineElsewhere(t *testing.T) {
	r := newRegistries(t)
	const corp = "https://packages.example.com/simple"
	for _, entry := range []string{
		`"command": "uvx", "args": ["--index-url", "` + corp + `", "corp-notes==1.0"]`,
		`"command": "uvx", "args": ["--index=corp=` + corp + `", "corp-notes==1.0"]`,
		`"command": "uvx", "args": ["--find-links", "./wheels", "corp-notes==1.0"]`,
		`"command": "uvx", "args": ["corp-notes==1.0"], "env": {"UV_EXTRA_INDEX_URL": "` + corp + `"}`,
		`"command": "npx", "args": ["--registry=https://packages.example.com", "-y", "corp-notes@1.0.0"]`,
		`"command": "npx", "args": ["-y", "corp-notes@1.0.0"], "env": {"NPM_CONFIG_REGISTRY": "https://packages.example.com"}`,
		`"command": "npx", "args": ["-y", "@corp/notes@1.0.0"], "env": {"npm_config_@corp:registry": "https://packages.example.com"}`,
		`"command": "dnx", "args": ["Corp.Notes@1.0.0", "--source", "https://packages.example.com/v3/index.json", "--yes"]`,
	} {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", `{"mcpServers": {"notes": {`+entry+`}}}`)
		write(t, dir, ".mcplumb.yaml", r.settings())
		r.asked = 0
		_, stdout, stderr := run(t, dir, "check", "--online", "--severity", "note", "--rule", "unknown-package", "--rule", "unpinned-package")
		require.Empty(t, stderr, entry)
		require.Contains(t, stdout, "no problems", entry)
		require.Zero(t, r.asked, entry)
		run(t, dir, "lock", "--online")
		require.NotContains(t, read(t, dir, "mcplumb.lock"), "integrity", entry)
		require.Zero(t, r.asked, entry)
	}
	for _, entry := range []string{
		`"command": "npx", "args": ["-y", "corp-notes@1.0.0"], "env": {"NPM_CONFIG_REGISTRY": "", "UV_CACHE_DIR": "/tmp"}`,
		`"command": "uvx", "args": ["--index-url", "https://pypi.org/simple/", "corp-notes==1.0"]`,
		`"command": "uvx", "args": ["corp-notes==1.0"], "env": {"UV_DEFAULT_INDEX": "https://pypi.org/simple"}`,
	} {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", `{"mcpServers": {"notes": {`+entry+`}}}`)
		write(t, dir, ".mcplumb.yaml", r.settings())
		_, stdout, _ := run(t, dir, "check", "--online", "--rule", "unknown-package")
		require.Contains(t, stdout, "anyone can claim the name", entry)
	}
}

// TestOnlineStatus says what the MCP registry says of a server.
func TestOnlineStatus(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, "agent.yaml", "name: writer\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Write.}\ntools:\n"+
		"  - {name: notes, type: mcp, description: Notes, registry_name: io.github.acme/notes}\n")
	write(t, dir, ".mcplumb.yaml", r.settings())
	_, stdout, _ := run(t, dir, "check", "--online", "--rule", "deprecated-server")
	require.Contains(t, stdout, "warning: io.github.acme/notes is no longer offered by the registry "+strings.TrimPrefix(r.URL, "http://")+
		" (deleted: it lost notes) [deprecated-server]")
}

// TestOnlineUnregistered says that the MCP registry has no server of a name, and asks for
// none that it cannot have.
func TestOnlineUnregistered(t *testing.T) {
	r := newRegistries(t)
	agent := func(name string) string {
		return "name: writer\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Write.}\ntools:\n" +
			"  - {name: notes, type: mcp, description: Notes, transport: http, url: 'https://notes.example.com', registry_name: " + name + "}\n"
	}
	for name, want := range map[string]string{
		"io.github.acme/nots": `warning: "io.github.acme/nots" is not in the registry ` + strings.TrimPrefix(r.URL, "http://") + ", from which HoloDeck adds servers by name",
		"'${REGISTRY}/notes'": "no problems",
		"notes":               "",
		"io.github.acme/g" + "hp_" + strings.Repeat("a1B2", 9): "",
	} {
		dir := t.TempDir()
		write(t, dir, "agent.yaml", agent(name))
		write(t, dir, ".mcplumb.yaml", r.settings())
		r.asked = 0
		_, stdout, stderr := run(t, dir, "check", "--online", "--rule", "unknown-package", "--rule", "deprecated-server")
		require.Contains(t, stdout, want)
		require.Empty(t, stderr)
		require.Equal(t, strings.HasPrefix(want, "warning"), r.asked > 0, name)
	}
}

// TestOnlineTools says of locked tools of Casys PML what its registry says (AC5, AC6, AC12
// and AC14 of its design document): of one with another hash both, and when it was fetched.
func TestOnlineTools(t *testing.T) {
	pml := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/mcp/pml.mcp.files.same.67c3":
			w.Header().Set("ETag", `"tool:67c3"`)
			require.Equal(t, `"tool:67c3"`, r.Header.Get("If-None-Match"))
			w.WriteHeader(http.StatusNotModified)
		case "/mcp/pml.mcp.files.updated.d7e8":
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error": "hash_mismatch", "message": "other", "currentFqdn": "pml.mcp.files.updated.f9a0"}`)
		case "/mcp/pml.mcp.files.replaced.d7e8":
			_, _ = io.WriteString(w, `{"fqdn": "pml.mcp.files.replaced.d7e8", "integrity": "sha256-d7e8`+strings.Repeat("9", 60)+`"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error": "not_found", "message": "none"}`)
		}
	}))
	t.Cleanup(pml.Close)
	entry := func(tool, hash, integrity string) string {
		return `"pml.mcp.` + tool + `": {"fqdn": "pml.mcp.` + tool + `.` + hash + `", "integrity": "` + integrity + `", "fetchedAt": "2026-02-23T10:00:00.000Z", "type": "stdio", "approved": true}`
	}
	dir := t.TempDir()
	write(t, dir, ".pml.json", `{"cloud": {"url": "`+pml.URL+`"}, "mcpServers": {"files": {"url": "https://files.example.com", "type": "http"}}}`)
	write(t, dir, ".pml/mcp.lock", `{"version": 1, "entries": {`+strings.Join([]string{
		entry("files.same", "67c3", "tool:67c3"), entry("files.updated", "d7e8", "tool:d7e8"),
		entry("files.replaced", "d7e8", "sha256-d7e8"+strings.Repeat("0", 60)),
		entry("files.gone", "a7f3", "tool:a7f3"), entry("files.never", "a7f3", ""),
	}, ", ")+`}}`)
	write(t, dir, ".mcplumb.yaml", "registries: {osv: "+newRegistries(t).URL+"}\n")
	host := strings.TrimPrefix(pml.URL, "http://")

	_, stdout, stderr := run(t, dir, "check", "--online", "--rule", "integrity-changed", "--rule", "unknown-package")
	require.Empty(t, stderr)
	require.Contains(t, stdout, `error: the hash of "pml.mcp.files.updated" is tool:d7e8 here (fetched 2026-02-23), but the registry `+host+" has f9a0, so this may be an update or an attack [integrity-changed]")
	require.Contains(t, stdout, "  help: find out which before PML fetches it again\n")
	require.Contains(t, stdout, `the registry also has another hash for "pml.mcp.files.replaced"`)
	require.Contains(t, stdout, `warning: "pml.mcp.files.gone" is locked, but the registry `+host+" has no such tool, so PML cannot download it")
	require.NotContains(t, stdout, "files.same")
	require.NotContains(t, stdout, "files.never", "it never came from the registry")

	// A program that asks a person for approval gets the fields of PML's own approval (AC14).
	_, stdout, _ = run(t, dir, "check", "--online", "--rule", "integrity-changed", "--format", "json")
	require.Contains(t, stdout, `"oldHash": "d7e8"`)
	require.Contains(t, stdout, `"newHash": "f9a0"`)
	require.Contains(t, stdout, `"oldFetchedAt": "2026-02-23T10:00:00.000Z"`)

	_, stdout, _ = run(t, dir, "check", "--rule", "integrity-changed", "--rule", "unknown-package")
	require.Contains(t, stdout, "no problems")
}

// TestOnlinePins writes the version that a registry names, unless something is known of
// it.
func TestOnlinePins(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", r.settings()+"min-age: 0\n")
	run(t, dir, "check", "--online", "--fix=unsafe")
	require.Equal(t, started("npx", "-y", "notes@1.2.0"), read(t, dir, ".mcp.json"))

	// What would be the next one to take is vulnerable, so it is not written.
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	_, stdout, _ := run(t, dir, "check", "--online", "--fix=unsafe")
	require.Equal(t, started("npx", "-y", "notes"), read(t, dir, ".mcp.json"))
	require.Contains(t, stdout, "would cause")
}

// TestOnlinePinsInSilence: if no source answers about the version to write, the fix is still
// made, and the silent registry is reported.
func TestOnlinePinsInSilence(t *testing.T) {
	r := newRegistries(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	dir := t.TempDir()
	for _, flags := range [][]string{{"--fix=unsafe", "--diff"}, {"--fix=unsafe"}} {
		write(t, dir, ".mcp.json", `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes"]}, "other": {"command": "uvx", "args": ["other-mcp"]}}}`)
		write(t, dir, ".mcplumb.yaml", "registries: {npm: "+r.URL+"/npm, pypi: "+gone.URL+", osv: "+gone.URL+"}\n")
		code, stdout, stderr := run(t, dir, append([]string{"check", "--online"}, flags...)...)
		require.Equal(t, 3, code)
		require.Contains(t, stderr, "mcplumb: the registry "+strings.TrimPrefix(gone.URL, "http://")+" gives no answer about ")
		if len(flags) == 1 {
			require.Contains(t, stdout, "fixed: pin notes to 1.1.0")
			require.Contains(t, stdout, `not fixed: line 1 ("other") [unpinned-package]: its registry did not answer`)
			require.Contains(t, read(t, dir, ".mcp.json"), `"notes@1.1.0"`)
			require.Contains(t, stderr, "gives no answer about other-mcp and 1 more")
		} else {
			require.Contains(t, stdout, `"notes@1.1.0"`)
		}
	}
}

// TestOnlinePatchInSilence: a silent registry is also reported for a patch, although the only
// query was about the version that the patch writes.
func TestOnlinePatchInSilence(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", strings.Replace(r.settings(), "osv: "+r.URL, "osv: "+r.URL+"/none", 1))
	code, stdout, stderr := run(t, dir, "check", "--online", "--fix=unsafe", "--diff")
	require.Equal(t, 3, code)
	require.Contains(t, stdout, `"notes@1.1.0"`)
	require.Contains(t, stderr, "gives no answer about advisories")
}

// TestOnlineNothingToPin says why no version is named: each of them is vulnerable, or there
// is no such package. lock counts neither as locked.
func TestOnlineNothingToPin(t *testing.T) {
	r := newRegistries(t)
	r.pages["/pypi/mcp-server-git/"] = `{"files": [{"filename": "mcp_server_git-2025.9.25-py3-none-any.whl", "hashes": {}, "upload-time": "1969-01-02T00:00:00Z"}]}`
	dir := t.TempDir()
	write(t, dir, ".mcp.json", `{"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}, "nots": {"command": "npx", "args": ["-y", "nots"]}, "notes": {"command": "npx", "args": ["-y", "notes"]}}}`)
	write(t, dir, ".mcplumb.yaml", r.settings())
	_, stdout, _ := run(t, dir, "check", "--online", "--severity", "note")
	require.Contains(t, stdout, "pypi:mcp-server-git has no version, so each start may run a different one (today 2025.9.25, which an advisory affects): use another package, because advisories affect every version of this one [unpinned-package]")
	require.Contains(t, stdout, "npm:nots is not in the registry")
	require.NotContains(t, stdout, "npm:nots has no version")

	_, stdout, _ = run(t, dir, "lock", "--online")
	host := strings.TrimPrefix(r.URL, "http://")
	require.Equal(t, `.mcp.json: git: something is published against every version of it, so there is nothing to lock
.mcp.json: nots: it does not exist in the registry `+host+`, so there is nothing to lock
mcplumb.lock: 1 server locked, 2 not locked, 3 changes
`, stdout)
	_, stdout, _ = run(t, dir, "lock", "--online")
	require.Contains(t, stdout, "mcplumb.lock is in sync: 1 server, 2 not locked\n")
}

// TestOnlineSilence checks that a registry that does not answer is reported once, makes the
// run incomplete, and is not a finding.
func TestOnlineSilence(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	dir := t.TempDir()
	write(t, dir, ".mcp.json", `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "notes@1.0.0"]}, "b": {"command": "npx", "args": ["-y", "other@1.0.0"]}}}`)
	write(t, dir, ".mcplumb.yaml", "registries: {npm: "+gone.URL+", osv: "+newRegistries(t).URL+"/none}\n")
	code, stdout, stderr := run(t, dir, "check", "--online", "--severity", "note")
	require.Equal(t, 3, code)
	host := strings.TrimPrefix(gone.URL, "http://")
	require.Contains(t, stderr, "mcplumb: the registry "+host+" gives no answer about notes and 1 more: connect: connection refused\n")
	require.Equal(t, 1, strings.Count(stderr, host))
	require.Contains(t, stdout, "no problems in 2 servers, 1 file; incomplete: 2 files, rules or registries could not be checked")
}

// TestOnlineStopped checks that a user who stops the run sees what was found so far.
func TestOnlineStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}))
	t.Cleanup(slow.Close)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", "registries: {npm: "+slow.URL+"}\n")
	code, stdout, stderr := runUntil(ctx, dir, "check", "--online", "--severity", "note")
	require.Equal(t, 3, code)
	require.Contains(t, stdout, "npm:notes has no version")
	require.Contains(t, stderr, "mcplumb: stopped before all registries had answered: what they would say is not reported\n")

	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	code, stdout, stderr = runUntil(ctx, dir, "lock", "--online")
	require.Equal(t, 3, code)
	require.Empty(t, stdout)
	require.Equal(t, "mcplumb: stopped before all registries had answered: what they would say is not reported\n"+
		"mcplumb: mcplumb.lock was not read: stopped before the end\n", stderr)
	require.NoFileExists(t, filepath.Join(dir, "mcplumb.lock"))
}

// TestOnlineSettings checks that addresses are validated before any request.
func TestOnlineSettings(t *testing.T) {
	for written, want := range map[string]string{
		"registries: {npm: npm.example.com}":                 ".mcplumb.yaml:1:19: the address of a registry must be one like https://npm.example.com",
		"registries: {npm: 'https://me:pw@npm.example.com'}": ".mcplumb.yaml:1:19: the address of a registry contains a user or password: remove them, and log in as its own client does",
		"registries: {nmp: 'https://npm.example.com'}":       `.mcplumb.yaml:1:14: unknown key "nmp": did you mean "npm"?`,
		"min-age: soon": ".mcplumb.yaml:1:10: min-age must be a number of days like 3",
	} {
		dir := t.TempDir()
		write(t, dir, filepath.Join(".mcp.json"), started("npx", "-y", "notes"))
		write(t, dir, ".mcplumb.yaml", written)
		code, _, stderr := run(t, dir, "check")
		require.Equal(t, 2, code, written)
		require.Contains(t, stderr, want)
	}
}

// TestOnlineIgnoreStays checks that offline, no fix removes an ignore that hides what only a
// registry can report, and that online, one that hides nothing is reported.
func TestOnlineIgnoreStays(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.0.0"))
	settings := r.settings() + "ignore:\n  - {rule: deprecated-server, server: notes, reason: we keep few notes}\n"
	write(t, dir, ".mcplumb.yaml", settings)
	for _, command := range [][]string{{"check", "--severity", "note", "--online"}, {"check", "--severity", "note", "--fix"}} {
		_, stdout, _ := run(t, dir, command...)
		require.NotContains(t, stdout, "unused-ignore")
		require.Equal(t, settings, read(t, dir, ".mcplumb.yaml"))
	}
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	_, stdout, _ := run(t, dir, "check", "--severity", "note", "--online")
	require.Contains(t, stdout, "[unused-ignore]")
}
