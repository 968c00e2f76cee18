package channels_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNPMClients publishes the packages to verdaccio and installs them with each client of
// npm's registry. Each client starts with an empty cache and runs no script of a package.
func TestNPMClients(t *testing.T) {
	address, token := verdaccio(t)
	s := newScene(t, newDouble(t))
	s.write(".npmrc", strings.TrimPrefix(address, "http:")+"/:_authToken="+token+"\n")
	s.env = append(s.env, "npm_config_registry="+address+"/", "GITHUB_ACTIONS=", "ACTIONS_ID_TOKEN_REQUEST_URL=", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=",
		"PNPM_HOME="+filepath.Join(s.home, "pnpm"))
	s.succeeds(s.script("publish-npm"), s.packages(), "--provenance=false")
	pnpm, bun := variable(t, "PNPM"), variable(t, "BUN")

	run := func(name string, command ...string) {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			got := s.run(command[0], command[1:]...)
			t.Logf("the first finding after %.1f s", time.Since(began).Seconds())
			assert.Equal(t, 1, got.code, got.stderr)
			assert.Equal(t, s.direct("check").stdout, got.stdout)
		})
	}
	install := func(name string, command ...string) {
		t.Run(name, func(t *testing.T) {
			app := filepath.Join(s.repository, strings.ReplaceAll(name, " ", "-"))
			require.NoError(t, os.Mkdir(app, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(app, "package.json"), []byte(`{"name": "app", "private": true}`), 0o644))
			inside := *s
			inside.repository = app
			inside.succeeds(command[0], command[1:]...)
			assert.Equal(t, s.direct("check"), s.run(filepath.Join(app, "node_modules", ".bin", "mcplumb"), "check"))
			for _, other := range []string{"darwin-x64", "win32-x64"} {
				assert.NoDirExists(t, filepath.Join(app, "node_modules", "@mcplumb", "cli-"+other))
			}
		})
	}
	run("npx", "npx", "-y", "mcplumb", "check")
	run("pnpm dlx", pnpm, "--silent", "dlx", "mcplumb", "check")
	run("bun x", bun, "x", "--silent", "mcplumb", "check")
	install("npm install", "npm", "install", "--ignore-scripts", "mcplumb")
	install("pnpm add", pnpm, "add", "--ignore-scripts", "mcplumb")
	install("bun add", bun, "add", "--ignore-scripts", "mcplumb")
}

// TestPipx installs the wheel with pipx, which takes pip and its companions from Debian's wheels.
func TestPipx(t *testing.T) {
	d := newDouble(t)
	s := newScene(t, d)
	s.env = append(s.env, "MCPLUMB_PYPI="+d.url, "PIP_INDEX_URL="+d.url+"/simple", "PIP_FIND_LINKS="+variable(t, "WHEELS"),
		"PIPX_HOME="+filepath.Join(s.home, "pipx"), "PIPX_BIN_DIR="+filepath.Join(s.home, "bin"), "USE_EMOJI=0")
	s.succeeds(s.script("publish-pypi"), s.packages())

	got := s.run("pipx", "run", "mcplumb", "check")
	assert.Equal(t, 1, got.code, got.stderr)
	assert.Equal(t, s.direct("check").stdout, got.stdout)

	s.succeeds("pipx", "install", "mcplumb")
	assert.Equal(t, s.direct("check"), s.run(filepath.Join(s.home, "bin", "mcplumb"), "check"))
}

// variable returns an environment variable that scripts/channels sets.
func variable(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	require.NotEmpty(t, value, "scripts/channels sets %s", name)
	return value
}

// verdaccio starts a registry of npm, and returns its address and the token of a user of it.
func verdaccio(t *testing.T) (address, token string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	dir := t.TempDir()
	config := "storage: ./storage\nauth: {htpasswd: {file: ./htpasswd}}\nuplinks: {}\nmax_body_size: 100mb\n" +
		"packages: {'**': {access: $all, publish: $authenticated}}\nlog: {type: stdout, format: pretty, level: warn}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o644))
	command := exec.Command("node", variable(t, "VERDACCIO"), "--config", "config.yaml", "--listen", strings.TrimPrefix(address, "http://"))
	command.Dir, command.Stderr = dir, os.Stderr
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		assert.NoError(t, command.Process.Kill())
		command.Wait() //nolint:errcheck // it was killed
	})
	require.Eventually(t, func() bool {
		response, err := http.Get(address + "/-/ping")
		return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
	}, time.Minute, 50*time.Millisecond)

	user := fmt.Sprintf(`{"name": "tester", "password": %q}`, "a password of a test")
	request, err := http.NewRequest(http.MethodPut, address+"/-/user/org.couchdb.user:tester", strings.NewReader(user))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	var login struct{ Token string }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&login))
	require.NoError(t, response.Body.Close())
	require.NotEmpty(t, login.Token)
	return address, login.Token
}
