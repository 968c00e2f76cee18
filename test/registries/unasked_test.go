package registries_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// trap is an address of this machine that must never receive a connection.
type trap struct {
	net.Listener
	arrived atomic.Int32
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	trap := &trap{Listener: listener}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			trap.arrived.Add(1)
			_ = connection.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return trap
}

// environment sends every request into the trap: those to registries, and through proxies
// those to any other address.
func (tr *trap) environment() []string {
	address := "http://" + tr.Addr().String()
	all := []string{"PATH=" + os.Getenv("PATH")}
	for _, name := range []string{
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
		"npm_config_registry", "PIP_INDEX_URL", "UV_INDEX", "PML_CLOUD_URL", "GITHUB_API_URL", "GITHUB_SERVER_URL",
	} {
		all = append(all, name+"="+address)
	}
	return all
}

// repository is one with something to ask of every registry, at two commits.
func (tr *trap) repository(t *testing.T) string {
	t.Helper()
	host := tr.Addr().String()
	dir := repository(t, map[string]string{
		".mcp.json":     servers(map[string][]string{"notes": {"npx", "-y", "notes-mcp@1.0.0"}}),
		".pml.json":     `{"cloud": {"url": "http://` + host + `"}, "mcpServers": {"files": {"command": "npx", "args": ["-y", "files-mcp@1.0.0"]}}}`,
		".npmrc":        "registry=http://" + host + "/\n",
		"agent.yaml":    "name: a\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Write.}\ntools:\n  - {name: n, type: mcp, description: N, transport: http, url: 'https://notes.example.com', registry_name: io.github.acme/notes}\n",
		".pml/mcp.lock": `{"version": 1, "entries": {"pml.mcp.files.read": {"fqdn": "pml.mcp.files.read.67c3", "integrity": "tool:67c3", "type": "stdio", "approved": true}}}`,
	})
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	for path, content := range map[string]string{
		".mcp.json": servers(map[string][]string{
			"notes": {"npx", "-y", "notes-mcp"}, "fetch": {"uvx", "fetch-mcp==1.0"}, "feed": {"dnx", "Acme.Notes@1.0.0", "--yes"},
			"image": {"docker", "run", "-i", host + "/acme/notes:1"},
		}),
		".pml/mcp.lock": `{"version": 1, "entries": {"pml.mcp.files.read": {"fqdn": "pml.mcp.files.read.91d0", "integrity": "tool:91d0", "type": "stdio", "approved": true}}}`,
		".mcplumb.yaml": "registries: {npm: 'http://" + host + "', pypi: 'http://" + host + "', nuget: 'http://" + host + "', mcp: 'http://" + host + "', osv: 'http://" + host + "', pml: 'http://" + host + "'}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(content), 0o644))
	}
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	return dir
}

// TestNothingIsAsked holds that without --online no server is contacted, whatever the
// settings and the environment name: not one connection arrives, and in a namespace without
// a network every command prints and writes the same as with one.
func TestNothingIsAsked(t *testing.T) {
	trap := newTrap(t)
	type outcome struct {
		said   string
		exit   int
		status string // of the work tree
	}
	run := func(t *testing.T, dir string, within []string, args ...string) outcome {
		t.Helper()
		words := append(append([]string{}, within...), append([]string{program(t, "MCPLUMB")}, args...)...)
		command := exec.Command(words[0], words[1:]...)
		command.Dir, command.Env = dir, append(trap.environment(), "HOME="+t.TempDir())
		var said bytes.Buffer
		command.Stdout, command.Stderr = &said, &said
		err := command.Run()
		var failed *exec.ExitError
		require.True(t, err == nil || errors.As(err, &failed), "%v", err)
		status, err := exec.Command("git", "-C", dir, "diff", "HEAD").Output()
		require.NoError(t, err)
		content, _ := os.ReadFile(filepath.Join(dir, "mcplumb.lock"))
		return outcome{strings.ReplaceAll(said.String(), dir, "DIR"), command.ProcessState.ExitCode(), string(status) + string(content)}
	}
	for _, args := range []string{
		"check", "check --format sarif", "check --base HEAD~1", "check --fix=unsafe", "check --no-ignore --severity note",
		"list --format json", "lock", "lock --check", "explain unknown-package", "init", "baseline", "approve pml.mcp.files.read --base HEAD~1 --reason looked",
	} {
		t.Run(args, func(t *testing.T) {
			repository := func() string {
				dir := trap.repository(t)
				if args == "init" { // it writes none where one is
					require.NoError(t, os.Remove(filepath.Join(dir, ".mcplumb.yaml")))
				}
				return dir
			}
			here := run(t, repository(), nil, strings.Fields(args)...)
			require.Zero(t, trap.arrived.Load())
			require.NotEqual(t, 2, here.exit, "it is no such command: %s", here.said)
			if namespace := strings.Fields(os.Getenv("NAMESPACE")); len(namespace) > 0 {
				require.Equal(t, here, run(t, repository(), namespace, strings.Fields(args)...))
			}
		})
	}
	// The trap works: with --online a request arrives there, and in the namespace none can.
	online := run(t, trap.repository(t), nil, "check", "--online")
	require.Equal(t, 3, online.exit)
	require.NotZero(t, trap.arrived.Load())
	if namespace := strings.Fields(os.Getenv("NAMESPACE")); len(namespace) > 0 {
		trap.arrived.Store(0)
		require.Equal(t, 3, run(t, trap.repository(t), namespace, "check", "--online").exit)
		require.Zero(t, trap.arrived.Load())
	}
}
