// Package registries_test runs mcplumb against the registries that people use, started on
// this machine: verdaccio for npm, a directory that Python serves for PyPI, and for images
// Debian's docker-registry and that of go-containerregistry.
//
// scripts/registries builds and installs what it needs and passes the paths.
package registries_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	images "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"
)

// program returns the path of something that the script has built or installed.
func program(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	require.NotEmpty(t, path, "run scripts/registries")
	return path
}

// freePort returns an unused port of this machine.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}

// serve starts a server, waits until it answers at an address, and ends it with the
// test.
func serve(t *testing.T, address, dir, command string, args ...string) {
	t.Helper()
	server := exec.CommandContext(t.Context(), command, args...)
	server.Dir = dir
	start(t, server, func() bool { return answers(address) })
}

// answers reports whether something answers at an address.
func answers(address string) bool {
	response, err := http.Get(address)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return true
}

// start starts a server, which was made with the context of the test, waits until it is
// ready, and ends it with the test.
func start(t *testing.T, server *exec.Cmd, isReady func() bool) {
	t.Helper()
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.WaitDelay = 10 * time.Second
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Wait() // it was ended
		if t.Failed() {
			t.Logf("%s said:\n%s", server.Path, log.String())
		}
	})
	require.Eventually(t, isReady, time.Minute, 100*time.Millisecond, "%s does not answer", server.Path)
}

// repository writes files into a new directory.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, content := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
	}
	return dir
}

// finding has the members of a finding in a JSON report that the tests read.
type finding struct{ Rule, Severity, Server, Message string }

// check runs mcplumb with --online in a repository, with additional environment variables.
// It returns the findings of a rule by server, and the message about registries.
func check(t *testing.T, dir, rule string, environment ...string) (found map[string]finding, silent string) {
	t.Helper()
	mcplumb := exec.Command(program(t, "MCPLUMB"), "check", "--online", "--rule", rule, "--format", "json")
	var stdout, stderr bytes.Buffer
	mcplumb.Dir, mcplumb.Stdout, mcplumb.Stderr = dir, &stdout, &stderr
	mcplumb.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, environment...)
	_ = mcplumb.Run() // findings make it fail
	var report struct{ Findings []finding }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report), stderr.String())
	found = map[string]finding{}
	for _, f := range report.Findings {
		if f.Rule == rule {
			found[f.Server] = f
		}
	}
	return found, stderr.String()
}

// locked runs mcplumb lock --online in a repository, and returns the file that it wrote.
func locked(t *testing.T, dir string, environment ...string) string {
	t.Helper()
	mcplumb := exec.Command(program(t, "MCPLUMB"), "lock", "--online")
	mcplumb.Dir, mcplumb.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, environment...)
	_ = mcplumb.Run() // what cannot be locked makes it fail
	content, err := os.ReadFile(filepath.Join(dir, "mcplumb.lock"))
	require.NoError(t, err)
	return string(content)
}

// servers returns a client's file with servers, each a command.
func servers(commands map[string][]string) string {
	entries := map[string]map[string]any{}
	for server, command := range commands {
		entries[server] = map[string]any{"command": command[0], "args": command[1:]}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": entries})
	if err != nil {
		panic(err) // texts are always JSON
	}
	return string(text)
}

// verdaccio starts an npm registry that anyone may publish to, with a scope @private that
// only logged-in users may read. It returns its address and a token.
func verdaccio(t *testing.T) (address, token string) {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	config := "storage: ./storage\nauth: {htpasswd: {file: ./htpasswd, max_users: 10}}\nuplinks: {}\n" +
		"packages:\n  '@private/*': {access: $authenticated, publish: $authenticated}\n  '**': {access: $all, publish: $authenticated}\n" +
		"log: {type: stdout, format: pretty, level: warn}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o644))
	address = "http://127.0.0.1:" + port
	serve(t, address+"/-/ping", dir, "node", program(t, "VERDACCIO"), "--config", "config.yaml", "--listen", "127.0.0.1:"+port)

	user := `{"name": "tester", "password": "a password of a test", "email": "tester@example.com", "type": "user", "roles": []}`
	request, err := http.NewRequest(http.MethodPut, address+"/-/user/org.couchdb.user:tester", strings.NewReader(user))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	var login struct{ Token string }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&login))
	return address, login.Token
}

// npm runs npm against a registry, as a logged-in user.
func npm(t *testing.T, dir, address, token string, args ...string) string {
	t.Helper()
	home := t.TempDir()
	npmrc := "registry=" + address + "/\n" + strings.TrimPrefix(address, "http:") + "/:_authToken=" + token + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(home, ".npmrc"), []byte(npmrc), 0o600))
	command := exec.Command("npm", args...)
	command.Dir, command.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	out, err := command.Output()
	require.NoError(t, err, "npm %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

func publish(t *testing.T, address, token, packageName, version string) {
	t.Helper()
	dir := repository(t, map[string]string{"package.json": fmt.Sprintf(`{"name": %q, "version": %q}`, packageName, version)})
	npm(t, dir, address, token, "publish", "--access", "public")
}

// TestNPM compares mcplumb's findings with the packages that npm itself published.
func TestNPM(t *testing.T) {
	address, token := verdaccio(t)
	publish(t, address, token, "notes-mcp", "1.0.0")
	publish(t, address, token, "notes-mcp", "1.1.0")
	publish(t, address, token, "@private/notes-mcp", "2.0.0")
	npm(t, t.TempDir(), address, token, "deprecate", "notes-mcp@1.0.0", "loses notes")
	config := servers(map[string][]string{
		"deprecated": {"npx", "-y", "notes-mcp@1.0.0"},
		"fine":       {"npx", "-y", "notes-mcp@1.1.0"},
		"floating":   {"npx", "-y", "notes-mcp"},
		"private":    {"npx", "-y", "@private/notes-mcp@2.0.0"},
		"unclaimed":  {"npx", "-y", "nots-mcp@1.0.0"},
		"unreleased": {"npx", "-y", "notes-mcp@9.9.9"},
	})
	settings := "min-age: 0\nregistries: {npm: '" + address + "', osv: '" + quiet(t) + "'}\n"
	dir := repository(t, map[string]string{".mcp.json": config, ".mcplumb.yaml": settings})

	unknown, silent := check(t, dir, "unknown-package")
	require.Contains(t, unknown["unclaimed"].Message, "anyone can claim the name")
	require.Equal(t, "error", unknown["unclaimed"].Severity)
	require.Contains(t, unknown["unreleased"].Message, "npm:notes-mcp has no version 9.9.9")
	require.NotContains(t, unknown, "private", "who may not look knows nothing")
	require.Contains(t, silent, "it refuses access")
	require.Len(t, unknown, 2)

	deprecated, _ := check(t, dir, "deprecated-server")
	require.Len(t, deprecated, 1)
	require.Contains(t, deprecated["deprecated"].Message, "npm:notes-mcp 1.0.0 is deprecated in its registry (loses notes): use another version, such as 1.1.0")

	unpinned, _ := check(t, dir, "unpinned-package")
	require.Contains(t, unpinned["floating"].Message, "pin 1.1.0, published on ")

	// With the token of the user's own .npmrc the private package is there.
	npmrc := strings.TrimPrefix(address, "http:") + "/:_authToken=" + token + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "user.npmrc"), []byte(npmrc), 0o600))
	unknown, silent = check(t, dir, "unknown-package", "NPM_CONFIG_USERCONFIG="+filepath.Join(dir, "user.npmrc"))
	require.Len(t, unknown, 2)
	require.Empty(t, silent)
	require.NotContains(t, silent, token)

	// The lock has the hash that npm itself gets.
	for _, version := range []string{"notes-mcp@1.1.0", "@private/notes-mcp@2.0.0"} {
		integrity := npm(t, t.TempDir(), address, token, "view", version, "dist.integrity")
		require.Contains(t, integrity, "sha512-")
		require.Contains(t, locked(t, dir, "NPM_CONFIG_USERCONFIG="+filepath.Join(dir, "user.npmrc")), "integrity = '"+integrity+"'")
	}
}

// quiet is an OSV without advisories. It returns its address.
func quiet(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Queries []json.RawMessage }
		if json.NewDecoder(r.Body).Decode(&asked) != nil || len(asked.Queries) == 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"results": [`+strings.TrimSuffix(strings.Repeat("{},", len(asked.Queries)), ",")+`]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestPyPI reads an index of files that Python serves, as companies have them.
func TestPyPI(t *testing.T) {
	wheel := []byte("what pip would install")
	sum := sha256.Sum256(wheel)
	dir := repository(t, map[string]string{
		"simple/notes-mcp/index.html": `<!DOCTYPE html><html><body>
<a href="../../notes_mcp-1.0.0-py3-none-any.whl#sha256=` + hex.EncodeToString(sum[:]) + `" data-yanked="leaks">notes_mcp-1.0.0-py3-none-any.whl</a><br/>
<a href="../../notes_mcp-1.1.0-py3-none-any.whl#sha256=` + hex.EncodeToString(sum[:]) + `">notes_mcp-1.1.0-py3-none-any.whl</a><br/></body></html>`,
		"notes_mcp-1.0.0-py3-none-any.whl": string(wheel),
	})
	port := freePort(t)
	address := "http://127.0.0.1:" + port
	serve(t, address, dir, "python3", "-m", "http.server", port, "--bind", "127.0.0.1")
	config := servers(map[string][]string{
		"yanked":     {"uvx", "notes-mcp==1.0"},
		"fine":       {"uvx", "notes-mcp==1.1.0"},
		"unclaimed":  {"uvx", "nots-mcp==1.0"},
		"unreleased": {"uvx", "notes-mcp==2.0"},
	})
	repo := repository(t, map[string]string{".mcp.json": config, ".mcplumb.yaml": "registries: {osv: '" + quiet(t) + "'}\n"})
	index := "PIP_INDEX_URL=" + address + "/simple"

	unknown, silent := check(t, repo, "unknown-package", index)
	require.Empty(t, silent)
	require.Len(t, unknown, 2)
	require.Contains(t, unknown["unclaimed"].Message, "anyone can claim the name")
	require.Contains(t, unknown["unreleased"].Message, "pypi:notes-mcp has no version 2.0")

	deprecated, _ := check(t, repo, "deprecated-server", index)
	require.Len(t, deprecated, 1)
	require.Contains(t, deprecated["yanked"].Message, "pypi:notes-mcp 1.0.0 is yanked in its registry (leaks): use another version, such as 1.1.0")
	require.Contains(t, locked(t, repo, index), "version = '1.1.0'\nintegrity = 'sha256:"+hex.EncodeToString(sum[:])+"'")
}

// TestImages takes the digest that the pusher of an image knows, of an index and of a
// single manifest.
func TestImages(t *testing.T) {
	registries := map[string]func(*testing.T) string{
		"docker-registry": func(t *testing.T) string {
			dir, port := t.TempDir(), freePort(t)
			config := "version: 0.1\nstorage: {filesystem: {rootdirectory: " + dir + "}}\nhttp: {addr: '127.0.0.1:" + port + "'}\nlog: {level: error}\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "config.yml"), []byte(config), 0o644))
			serve(t, "http://127.0.0.1:"+port+"/v2/", dir, "docker-registry", "serve", filepath.Join(dir, "config.yml"))
			return "127.0.0.1:" + port
		},
		"go-containerregistry": func(t *testing.T) string {
			server := httptest.NewServer(images.New())
			t.Cleanup(server.Close)
			return strings.TrimPrefix(server.URL, "http://")
		},
	}
	for registry, start := range registries {
		t.Run(registry, func(t *testing.T) {
			host := start(t)
			index, err := random.Index(64, 1, 2)
			require.NoError(t, err)
			single, err := random.Image(64, 1)
			require.NoError(t, err)
			require.NoError(t, remote.WriteIndex(tag(t, host+"/acme/notes:1.0"), index))
			require.NoError(t, remote.Write(tag(t, host+"/acme/single:latest"), single))
			dir := repository(t, map[string]string{".mcp.json": servers(map[string][]string{
				"index":    {"docker", "run", "-i", host + "/acme/notes:1.0"},
				"single":   {"docker", "run", "-i", host + "/acme/single"},
				"untagged": {"docker", "run", "-i", host + "/acme/notes:2.0"},
				"unknown":  {"docker", "run", "-i", host + "/acme/nothing:1.0"},
			})})

			unpinned, silent := check(t, dir, "unpinned-package")
			require.Empty(t, silent)
			require.Contains(t, unpinned["index"].Message, "pin "+digest(t, index)+", which is 1.0 today")
			require.Contains(t, unpinned["single"].Message, "pin "+digest(t, single)+", which is latest today")

			lock := locked(t, dir)
			require.Contains(t, lock, "version = '1.0'\nintegrity = '"+digest(t, index)+"'")
			require.Contains(t, lock, "integrity = '"+digest(t, single)+"'")

			unknown, _ := check(t, dir, "unknown-package")
			require.Len(t, unknown, 2)
			require.Contains(t, unknown["untagged"].Message, "has no tag 2.0")
			require.Contains(t, unknown["unknown"].Message, "is not in the registry "+host)
		})
	}
}

func tag(t *testing.T, text string) name.Tag {
	t.Helper()
	tag, err := name.NewTag(text)
	require.NoError(t, err)
	return tag
}

func digest(t *testing.T, of interface{ Digest() (v1.Hash, error) }) string {
	t.Helper()
	hash, err := of.Digest()
	require.NoError(t, err)
	return hash.String()
}
