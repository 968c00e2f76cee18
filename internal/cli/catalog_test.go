package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// approved is a repository whose servers are vetted: an address and a program of its own.
func approved(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "acme")
	write(t, dir, ".mcp.json", `{"mcpServers": {
  "wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp", "headers": {"Authorization": "Bearer ${WIKI_TOKEN}"}},
  "own": {"command": "node", "args": ["server.js", "--quiet"]}}}`)
	write(t, dir, ".kiro/settings/mcp.json", `{"mcpServers": {"off": {"command": "node", "args": ["off.js"], "disabled": true}}}`)
	write(t, dir, "off.js", "")
	write(t, dir, "server.js", "hello\n")
	write(t, dir, "read_json.ts", "export default async () => {};")
	write(t, dir, ".mcplumb.yaml", "catalog:\n  namespace: dev.acme\n  code: {acme.tools.fs.read_json: read_json.ts}\n")
	code, stdout, stderr := run(t, dir, "lock")
	require.Equal(t, 0, code, stdout+stderr)
	return dir
}

const (
	ownName  = "pml.mcp.own.server.5891"      // sha256sum server.js
	codeName = "acme.tools.fs.read_json.dc5f" // sha256sum read_json.ts
)

// served is a catalog that is served while a test runs.
type served struct {
	address string
	ticks   chan time.Time
	errs    *bufio.Reader
}

// everywhere is an address that others reach as well.
const everywhere = "0.0.0.0:0"

// serveCatalog serves the catalog of a repository. To listen beyond this machine, args must
// say so.
func serveCatalog(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, toOut := io.Pipe()
	errs, toErrs := io.Pipe()
	s := &served{ticks: make(chan time.Time), errs: bufio.NewReader(errs)}
	ended := make(chan int)
	go func() {
		code := cli.Main(ctx, cli.Env{
			Args: append([]string{"catalog", "serve", "--addr", "127.0.0.1:0"}, args...), Stdin: strings.NewReader(""), Stdout: toOut, Stderr: toErrs,
			Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, Getenv: func(string) string { return "" }, Now: time.Now,
			Dir: dir, IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
			Ticker: func(time.Duration) (<-chan time.Time, func()) { return s.ticks, func() {} },
		})
		_ = toErrs.Close()
		ended <- code
	}()
	t.Cleanup(func() {
		cancel()
		_, _ = io.Copy(io.Discard, s.errs)
		require.Equal(t, 0, <-ended)
	})
	s.saying(t, "off: left out: it is disabled")
	if slices.Contains(args, everywhere) {
		s.saying(t, "no authentication: everyone who can reach")
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, address, found := strings.Cut(strings.TrimSpace(line), " on ")
	require.True(t, found, line)
	s.address = strings.TrimSuffix(address, "/")
	return s
}

// saying waits until standard error says something.
func (s *served) saying(t *testing.T, want string) {
	t.Helper()
	for {
		line, err := s.errs.ReadString('\n')
		require.NoError(t, err)
		if strings.Contains(line, want) {
			return
		}
	}
}

// get asks for a path.
func (s *served) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	return fetched(t, s.address+path)
}

func fetched(t *testing.T, address string) (status int, body string) {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(content)
}

// fullNameOf returns the full name of a server in the catalog.
func (s *served) fullNameOf(t *testing.T, server string) string {
	t.Helper()
	_, body := s.get(t, "/mcp")
	var list struct{ Items []struct{ FQDN string } }
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	for _, item := range list.Items {
		if strings.Contains(item.FQDN, "."+server+".") {
			return item.FQDN
		}
	}
	t.Fatalf("%s is not in %s", server, body)
	return ""
}

// TestCatalogServe answers as a registry and as a page, and follows the repository.
func TestCatalogServe(t *testing.T) {
	dir := approved(t)
	s := serveCatalog(t, dir)
	status, body := s.get(t, "/mcp/"+ownName)
	require.Equal(t, 200, status)
	require.Contains(t, body, `"install":{"command":"node","args":["server.js","--quiet"],"envRequired":[]}`)
	_, body = s.get(t, "/mcp/acme.tools.fs.read_json")
	require.Equal(t, "export default async () => {};", body, "after a redirect")
	status, body = s.get(t, "/v0.1/servers/dev.acme%2Fwiki/versions/latest")
	require.Equal(t, 200, status)
	require.Contains(t, body, `"remotes":[{"type":"streamable-http","url":"https://wiki.acme.dev/mcp","headers":[{"name":"Authorization","isRequired":true,"isSecret":true}]}]`)
	_, body = s.get(t, "/?q=WIKI")
	require.Contains(t, body, "<b>wiki</b>")
	require.NotContains(t, body, "<b>own</b>")

	// A server that no longer matches the lock is no longer offered, until it is locked again.
	write(t, dir, "server.js", "hello, world\n")
	for range 15 { // the program is not among the files that are checked each time
		s.ticks <- time.Time{}
	}
	s.saying(t, "own: left out: mcplumb check finds integrity-changed in mcplumb.lock")
	s.saying(t, "the catalog has changed: 2 servers")
	status, _ = s.get(t, "/mcp/"+ownName)
	require.Equal(t, 404, status)
	run(t, dir, "lock")
	s.ticks <- time.Time{}
	s.saying(t, "the catalog has changed: 3 servers")
	_, body = s.get(t, "/mcp/"+ownName)
	require.Contains(t, body, `"error":"hash_mismatch"`)

	// Where it cannot be made again, the last one stays.
	write(t, dir, ".mcp.json", `{"mcpServers": {`)
	s.ticks <- time.Time{}
	s.saying(t, "the catalog is unchanged: there is no catalog: something cannot be read, see mcplumb check")
	status, _ = s.get(t, "/mcp/"+codeName)
	require.Equal(t, 200, status)
}

// TestCatalogForPML has mcplumb's own client of PML's protocol hold what a project has
// locked against a catalog that is served.
func TestCatalogForPML(t *testing.T) {
	dir := approved(t)
	s := serveCatalog(t, dir)
	wiki := s.fullNameOf(t, "wiki")
	_, body := s.get(t, "/mcp/"+wiki)
	var answer struct{ Integrity string }
	require.NoError(t, json.Unmarshal([]byte(body), &answer))

	project := t.TempDir()
	write(t, project, ".mcplumb.yaml", "registries: {pml: '"+s.address+"'}\n")
	write(t, project, ".pml.json", `{"version": "0.1.0", "mcpServers": {
  "wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp"}, "own": {"command": "node", "args": ["server.js"]}}}`)
	check := func(rule string, entries ...string) (int, string) {
		t.Helper()
		write(t, project, ".pml/mcp.lock", `{"version": 1, "entries": {`+strings.Join(entries, ", ")+`}}`)
		code, stdout, stderr := run(t, project, "check", "--online", "--rule", rule, "--format", "json")
		require.Empty(t, stderr)
		return code, stdout
	}
	locked := func(full, integrity string) string {
		base := full
		if strings.Count(full, ".") == 4 {
			base = full[:strings.LastIndexByte(full, '.')]
		}
		return `"` + base + `": {"fqdn": "` + full + `", "integrity": "` + integrity + `", "fetchedAt": "2026-02-23T10:00:00.000Z", "type": "stdio", "approved": true}`
	}
	own := locked(ownName, "sha256-5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03")
	all := []string{locked(wiki, answer.Integrity), own, locked("acme.tools.fs.read_json", "")}
	for _, rule := range []string{"integrity-changed", "unknown-package", "invalid-integrity", "invalid-lockfile"} {
		code, stdout := check(rule, all...) // fetch, 304 and redirect
		require.Equal(t, 0, code, stdout)
	}
	code, stdout := check("unknown-package", locked("pml.mcp.gone.server.5891", "tool:5891"))
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "has no such tool")

	write(t, dir, "server.js", "another one\n")
	run(t, dir, "lock")
	s.ticks <- time.Time{}
	s.saying(t, "the catalog has changed: 3 servers")
	code, stdout = check("integrity-changed", all...)
	require.Equal(t, 1, code)
	now := s.fullNameOf(t, "own")
	var report struct {
		Findings []struct{ Approval map[string]any }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Len(t, report.Findings, 1)
	approval := report.Findings[0].Approval
	require.Equal(t, true, approval["approvalRequired"])
	require.Equal(t, "integrity", approval["approvalType"])
	require.Equal(t, "pml.mcp.own.server", approval["fqdn"])
	require.Equal(t, "5891", approval["oldHash"])
	require.Equal(t, now[len(now)-4:], approval["newHash"])
	require.Equal(t, "2026-02-23T10:00:00.000Z", approval["oldFetchedAt"])
}

// TestCatalogBuild writes what is served, for the paths at which a file can be.
func TestCatalogBuild(t *testing.T) {
	dir := approved(t)
	code, stdout, stderr := run(t, dir, "catalog", "build", "--out", "site")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "site: 3 servers\n", stdout)
	require.Equal(t, "mcplumb: .kiro/settings/mcp.json: off: left out: it is disabled\n", stderr)

	s := serveCatalog(t, dir)
	site := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "site"))))
	t.Cleanup(site.Close)
	wiki := s.fullNameOf(t, "wiki")
	for _, path := range []string{
		"/mcp/" + ownName, "/api/registry/" + wiki, "/mcp/" + codeName, "/v0.1/servers", "/v0.1/servers/dev.acme%2Fwiki/versions",
		"/v0.1/servers/dev.acme%2Fown/versions/latest", "/v0.1/servers/dev.acme%2Fown/versions/" + url.PathEscape("1.0.0+5891b5b5"),
	} {
		_, want := s.get(t, path)
		status, body := fetched(t, site.URL+path)
		require.Equal(t, 200, status, path)
		require.Equal(t, want, body, path)
	}
	_, page := fetched(t, site.URL+"/")
	require.Contains(t, page, "<b>wiki</b>")
	require.NotContains(t, page, "<form")

	// Again, and without what is gone.
	run(t, dir, "catalog", "build", "--out", "site")
	write(t, dir, ".mcp.json", `{"mcpServers": {"wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp", "headers": {"Authorization": "Bearer ${WIKI_TOKEN}"}}}}`)
	run(t, dir, "lock")
	code, stdout, _ = run(t, dir, "catalog", "build", "--out", "site")
	require.Equal(t, 0, code)
	require.Equal(t, "site: 2 servers\n", stdout)
	require.NoFileExists(t, filepath.Join(dir, "site", "mcp", ownName))
	left, err := filepath.Glob(filepath.Join(dir, ".mcplumb-catalog-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestCatalogTime has the time of the commit in what is built of what is committed, so that
// the same commit gives the same bytes.
func TestCatalogTime(t *testing.T) {
	dir := approved(t)
	git(t, dir, "init", "-q")
	git(t, dir, "remote", "add", "origin", "git@github.com:acme/servers.git")
	write(t, dir, ".mcplumb.yaml", "exclude: [site/**]\n")
	git(t, dir, "add", ".")
	commit := exec.Command("git", "-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "base")
	commit.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_COMMITTER_DATE=2026-03-04T05:06:07Z"}
	require.NoError(t, commit.Run())
	code, _, stderr := run(t, dir, "catalog", "build", "--out", "site")
	require.Equal(t, 0, code, stderr)
	const path = "site/v0.1/servers/io.github.acme/wiki/versions/latest"
	require.Contains(t, read(t, dir, path), `"updatedAt":"2026-03-04T05:06:07Z"`)

	write(t, dir, ".mcplumb.yaml", "exclude: [site/**, x/**]\n")
	run(t, dir, "catalog", "build", "--out", "site")
	require.NotContains(t, read(t, dir, path), `2026-03-04T05:06:07Z`, "what is not committed")
}

// TestCatalogRefuses says why there is no catalog, and leaves what is there.
func TestCatalogRefuses(t *testing.T) {
	t.Run("no lockfile", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.0.0"))
		for _, command := range []string{"build", "serve"} {
			code, stdout, stderr := run(t, dir, "catalog", command)
			require.Equal(t, 3, code)
			require.Empty(t, stdout)
			require.Equal(t, "mcplumb: there is no catalog: there is no mcplumb.lock, and the catalog lists only locked servers: write it with mcplumb lock --online\n", stderr)
		}
	})
	t.Run("a file that does not parse", func(t *testing.T) {
		dir := approved(t)
		write(t, dir, ".cursor/mcp.json", `{"mcpServers": {`)
		code, _, stderr := run(t, dir, "catalog", "build")
		require.Equal(t, 3, code)
		require.Contains(t, stderr, "there is no catalog: something cannot be read, see mcplumb check")
		require.NoDirExists(t, filepath.Join(dir, "mcplumb-catalog"))
	})
	t.Run("a directory of another program", func(t *testing.T) {
		dir := approved(t)
		write(t, dir, "site/index.html", "mine")
		write(t, dir, "file", "mine")
		require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
		require.NoError(t, os.Symlink(filepath.Join(dir, "empty"), filepath.Join(dir, "link")))
		for out, want := range map[string]string{
			"site": "it contains files that mcplumb catalog did not write: name another directory", "file": "it is not a directory", "link": "it is not a directory", "no/where": "no such file or directory",
		} {
			code, _, stderr := run(t, dir, "catalog", "build", "--out", out)
			require.Equal(t, 3, code, out)
			require.Contains(t, stderr, "cannot write "+out+": ")
			require.Contains(t, stderr, want)
		}
		require.Equal(t, "mine", read(t, dir, "site/index.html"))
		code, _, _ := run(t, dir, "catalog", "build", "--out", "empty")
		require.Equal(t, 0, code)
	})
	t.Run("settings", func(t *testing.T) {
		dir := approved(t)
		write(t, dir, ".mcplumb.yaml", "catalog: {code: {acme.tools.fs.gone: gone.ts}, organization: 7up}")
		code, _, stderr := run(t, dir, "catalog", "build")
		require.Equal(t, 2, code)
		require.Equal(t, "mcplumb: .mcplumb.yaml:1:62: organization must be a letter or _ and then letters, digits, _ and -, not \"7up\"\n", stderr)
		write(t, dir, ".mcplumb.yaml", "catalog: {code: {acme.tools.fs.gone: gone.ts}}")
		code, _, stderr = run(t, dir, "catalog", "build")
		require.Equal(t, 0, code)
		require.Contains(t, stderr, "gone.ts: acme.tools.fs.gone: left out: no such file or directory\n")
	})
	t.Run("no address", func(t *testing.T) {
		code, _, stderr := run(t, approved(t), "catalog", "serve", "--addr", "nonsense")
		require.Equal(t, 2, code)
		require.Equal(t, "mcplumb: --addr must be HOST:PORT, not \"nonsense\"\n", stderr)
	})
	t.Run("an address", func(t *testing.T) {
		code, _, stderr := run(t, approved(t), "catalog", "serve", "--addr", "127.0.0.1:99999")
		require.Equal(t, 3, code)
		require.Contains(t, stderr, "mcplumb: cannot listen on 127.0.0.1:99999: address 99999: invalid port\n")
	})
}

// TestCatalogLevel leaves out servers for which check fails, at any level.
func TestCatalogLevel(t *testing.T) {
	dir := approved(t)
	write(t, dir, ".cursor/mcp.json", `{"mcpServers": {"plain": {"type": "http", "url": "http://plain.acme.dev/mcp"}}}`)
	run(t, dir, "lock")
	for args, want := range map[string]string{"": "site: 3 servers\n", "--fail-on error": "site: 4 servers\n", "--fail-on never": "site: 4 servers\n"} {
		_, stdout, stderr := run(t, dir, append([]string{"catalog", "build", "-o", "site"}, strings.Fields(args)...)...)
		require.Equal(t, want, stdout, args)
		require.Equal(t, args == "", strings.Contains(stderr, "left out: mcplumb check finds insecure-url in .cursor/mcp.json"), stderr)
	}
}

// untilServed ends a run once it has said where it listens.
type untilServed struct{ end context.CancelFunc }

func (u untilServed) Write(said []byte) (int, error) {
	u.end()
	return len(said), nil
}

// BenchmarkCatalogServe starts to serve 10,000 servers of 100 files, which are checked and
// compared with mcplumb.lock; that must take less than a second.
func BenchmarkCatalogServe(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		servers := map[string]map[string]string{}
		for j := range 100 {
			servers[fmt.Sprintf("server-%d-%d", i, j)] = map[string]string{"type": "http", "url": fmt.Sprintf("https://s%d-%d.acme.dev/mcp", i, j)}
		}
		content, err := json.Marshal(map[string]any{"mcpServers": servers})
		require.NoError(b, err)
		write(b, dir, fmt.Sprintf("p%d/.mcp.json", i), string(content))
	}
	command := func(args ...string) (code int, stderr string) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		var errs strings.Builder
		return cli.Main(ctx, cli.Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: untilServed{cancel}, Stderr: &errs,
			Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir, IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
		}), errs.String()
	}
	command("lock")
	for b.Loop() {
		if code, stderr := command("catalog", "serve", "--addr", "127.0.0.1:0"); code != 0 || stderr != "" {
			b.Fatal(code, stderr)
		}
	}
}

// TestCatalogPolicy prints settings under which a client loads what the catalog has, and
// nothing that was changed since.
func TestCatalogPolicy(t *testing.T) {
	for _, client := range []string{"claude-code", "copilot"} {
		dir := approved(t)
		code, settings, stderr := run(t, dir, "catalog", "policy", "--client", client, "--relative")
		require.Equal(t, 0, code, stderr)
		require.Contains(t, stderr, "off: left out: it is disabled")
		require.Contains(t, settings, `{"serverCommand":["node","server.js","--quiet"]}`)
		require.Contains(t, settings, `{"serverUrl":"https://wiki.acme.dev/mcp"}`)
		write(t, dir, "managed.json", settings)
		before := read(t, dir, ".mcp.json")
		for from, to := range map[string]string{"": "", "--quiet": "--loud", "wiki.acme.dev/mcp": "wiki.acme.dev/mcp2", "server.js": "off.js", "https:": "http:"} {
			write(t, dir, ".mcp.json", strings.ReplaceAll(before, from, to))
			if from == "" {
				write(t, dir, ".mcp.json", before)
			}
			code, stdout, stderr := run(t, dir, "check", "--rule", "blocked-server", "--policy", client+"=managed.json")
			require.Empty(t, stderr)
			require.Equal(t, from != "", code == 1, "%s: %s", from, stdout)
		}
	}
	// The list of before does not keep a new server out of the next one.
	grown := approved(t)
	write(t, grown, "managed.json", `{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev/mcp"}]}`)
	write(t, grown, ".mcplumb.yaml", read(t, grown, ".mcplumb.yaml")+"policy: [managed.json]\n")
	_, next, said := run(t, grown, "catalog", "policy", "--client", "claude-code", "--relative")
	require.NotContains(t, said, "blocked-server")
	require.Contains(t, next, `{"serverCommand":["node","server.js","--quiet"]}`)

	empty := approved(t)
	write(t, empty, ".mcp.json", `{"mcpServers": {}}`)
	run(t, empty, "lock")
	_, _, said = run(t, empty, "catalog", "policy", "--client", "copilot")
	require.Contains(t, said, "mcplumb: the list is empty, so GitHub Copilot blocks every server\n")
	code, _, stderr := run(t, approved(t), "catalog", "policy")
	require.Equal(t, 2, code)
	require.Equal(t, "mcplumb: --client is missing: claude-code or copilot\n", stderr)
	code, _, stderr = run(t, t.TempDir(), "catalog", "policy", "--client", "copilot")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "there is no catalog: there is no mcplumb.lock")
}

// TestCatalogHosts answers on this machine to names of it and those that were given, so that no
// page of another site reads which servers there are.
func TestCatalogHosts(t *testing.T) {
	s := serveCatalog(t, approved(t), "--host", "catalog.acme.dev")
	for _, test := range []struct {
		host, origin string
		status       int
		readable     string
	}{
		{"", "", 200, ""},
		{"localhost", "http://localhost:3000", 200, "http://localhost:3000"},
		{"catalog.acme.dev", "https://catalog.acme.dev", 200, "https://catalog.acme.dev"},
		{"rebound.evil.example", "", 421, ""},
		{"", "https://evil.example", 403, ""},
	} {
		for _, path := range []string{"/", "/v0.1/servers", "/mcp"} {
			r, err := http.NewRequest("GET", s.address+path, nil)
			require.NoError(t, err)
			r.Host = test.host
			if test.origin != "" {
				r.Header.Set("Origin", test.origin)
			}
			response, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, test.status, response.StatusCode, test)
			require.Equal(t, test.status == 200, strings.Contains(string(body), "wiki"), test)
			require.Equal(t, test.readable, response.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}

// TestCatalogBeyondThisMachine says that others can read it.
func TestCatalogBeyondThisMachine(t *testing.T) {
	s := serveCatalog(t, approved(t), "--addr", everywhere)
	require.Contains(t, s.address, "0.0.0.0", "and no address of IPv6")
}

// TestApproved holds another repository against a catalog: built into a directory of its
// own, served, and served as files.
func TestApproved(t *testing.T) {
	dir := approved(t)
	code, _, stderr := run(t, dir, "catalog", "build", "--out", "site")
	require.Equal(t, 0, code, stderr)
	s := serveCatalog(t, dir)
	files := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "site"))))
	t.Cleanup(files.Close)

	project := filepath.Join(t.TempDir(), "project")
	require.NoError(t, os.CopyFS(filepath.Join(project, "approved"), os.DirFS(filepath.Join(dir, "site"))))
	write(t, project, "server.js", "hello\n")
	write(t, project, ".mcp.json", read(t, dir, ".mcp.json"))
	run(t, project, "lock")
	check := func(place string, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		write(t, project, ".mcplumb.yaml", "catalog: {approved: '"+place+"'}\n")
		return run(t, project, append([]string{"check", "--rule", "unapproved-server", "--format", "concise"}, args...)...)
	}
	for _, change := range []struct{ file, from, to, want string }{
		{"", "", "", ""},
		{".mcp.json", "wiki.acme.dev", "wiki.acme.org", `"wiki" connects to https://wiki.acme.org/mcp, which is not in the approved catalog (HERE): use a server from the catalog, or ask its owner to add this one [unapproved-server]`},
		{".mcp.json", `"own"`, `"renamed"`, ""},
		{"server.js", "hello", "hello, world", `"own" runs ./server.js, but its hash differs from the one in the approved catalog (HERE): restore the approved program, or ask the owner of the catalog to add this one [unapproved-server]`},
	} {
		var before string
		if change.file != "" {
			before = read(t, project, change.file)
			write(t, project, change.file, strings.ReplaceAll(before, change.from, change.to))
			run(t, project, "lock")
		}
		for _, place := range []string{"approved", s.address, files.URL} {
			code, stdout, stderr := check(place, "--online")
			require.Empty(t, stderr, place)
			require.Equal(t, change.want != "", code == 1, "%s at %s: %s", change.want, place, stdout)
			require.Contains(t, stdout, strings.ReplaceAll(change.want, "HERE", place))
		}
		if change.file != "" {
			write(t, project, change.file, before)
			run(t, project, "lock")
		}
	}

	// Catalogs that cannot be queried or read are reported.
	silent := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(silent.Close)
	code, _, stderr = check(silent.URL, "--online")
	require.Equal(t, 3, code)
	require.Equal(t, "mcplumb: the catalog "+silent.URL+" does not say which servers are approved: it is not a catalog: /v0.1/servers is missing\n", stderr)
	// Without --online mcplumb queries no catalog and says so; it still reads a directory.
	code, _, stderr = check("https://catalog.acme.dev/x")
	require.Equal(t, 0, code)
	require.Equal(t, "mcplumb: the catalog https://catalog.acme.dev/x was not queried: --online queries it\n", stderr)
	write(t, project, ".mcp.json", started("npx", "-y", "other@1.0.0"))
	code, _, _ = check("approved")
	require.Equal(t, 1, code)

	// A directory that is no catalog ends the run.
	code, _, stderr = check("gone")
	require.Equal(t, 2, code)
	require.Equal(t, "mcplumb: gone/v0.1/servers/index.html: no such file or directory: mcplumb catalog build writes such a directory\n", stderr)
	write(t, project, "broken/v0.1/servers/index.html", "<html>")
	code, _, stderr = check("broken")
	require.Equal(t, 2, code)
	require.Equal(t, "mcplumb: broken/v0.1/servers/index.html: it is not a list of servers of an MCP registry (v0.1)\n", stderr)
}
