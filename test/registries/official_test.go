package registries_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// postgres starts a database that only the test uses, and returns its address. PostgreSQL
// does not run as root, so root starts it as a user without rights.
func postgres(t *testing.T) string {
	t.Helper()
	programs, dir, port := program(t, "POSTGRES"), t.TempDir(), freePort(t)
	data := filepath.Join(dir, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		as.Credential = someone(t)
		require.NoError(t, os.Chown(data, int(as.Credential.Uid), int(as.Credential.Gid)))
		// The test's directory is below one that only its user may enter.
		require.NoError(t, os.Chmod(dir, 0o755))
		require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), filepath.Join(programs, name), args...)
		c.Dir, c.SysProcAttr, c.Env = "/", as, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		return c
	}
	out, err := command("initdb", "--pgdata", data, "--username", "tester", "--auth", "trust", "--no-sync").CombinedOutput()
	require.NoError(t, err, "%s", out)
	server := command("postgres", "-D", data, "-F", "-h", "127.0.0.1", "-p", port, "-c", "unix_socket_directories=")
	start(t, server, func() bool { return command("pg_isready", "-h", "127.0.0.1", "-p", port).Run() == nil })
	return "postgres://tester@127.0.0.1:" + port + "/postgres?sslmode=disable"
}

// someone is a user without rights, whom the system has.
func someone(t *testing.T) *syscall.Credential {
	t.Helper()
	nobody, err := user.Lookup("nobody")
	require.NoError(t, err)
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	require.NoError(t, err)
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	require.NoError(t, err)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// mcpRegistry is the MCP registry's own server, with the token of a user who may publish
// there.
type mcpRegistry struct{ address, token string }

func startMCPRegistry(t *testing.T) *mcpRegistry {
	t.Helper()
	port := freePort(t)
	r := &mcpRegistry{address: "http://127.0.0.1:" + port}
	server := exec.CommandContext(t.Context(), program(t, "MCP_REGISTRY"))
	server.Env = []string{
		"MCP_REGISTRY_DATABASE_URL=" + postgres(t), "MCP_REGISTRY_SERVER_ADDRESS=127.0.0.1:" + port,
		"MCP_REGISTRY_JWT_PRIVATE_KEY=" + strings.Repeat("5a", 32), "MCP_REGISTRY_ENABLE_ANONYMOUS_AUTH=true",
		"MCP_REGISTRY_ENABLE_REGISTRY_VALIDATION=false", "MCP_REGISTRY_DATABASE_MIN_CONNECTIONS=1",
	}
	start(t, server, func() bool { return answers(r.address + "/v0.1/ping") })
	var login struct {
		Token string `json:"registry_token"`
	}
	require.NoError(t, json.Unmarshal(r.send(t, http.MethodPost, "/v0/auth/none", nil), &login))
	r.token = login.Token
	return r
}

// send tells the registry something, and returns its answer.
func (r *mcpRegistry) send(t *testing.T, method, path string, what any) []byte {
	t.Helper()
	body, err := json.Marshal(what)
	require.NoError(t, err)
	request, err := http.NewRequest(method, r.address+path, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s %s: %s", method, path, answer)
	return answer
}

// publish publishes a version of a server, and gives it a status.
func (r *mcpRegistry) publish(t *testing.T, name, version, status, message string) {
	t.Helper()
	r.send(t, http.MethodPost, "/v0/publish", map[string]any{
		"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":    name, "description": "Keeps notes", "version": version,
		"packages": []any{map[string]any{"registryType": "npm", "identifier": "notes-mcp", "version": version, "transport": map[string]string{"type": "stdio"}}},
	})
	if status != "active" {
		r.send(t, http.MethodPatch, "/v0.1/servers/"+url.PathEscape(name)+"/versions/"+version+"/status",
			map[string]string{"status": status, "statusMessage": message})
	}
}

// TestMCPRegistry reads the answers of the MCP registry's own server about servers whose
// owners have removed them, or never published them.
func TestMCPRegistry(t *testing.T) {
	const space = "io.modelcontextprotocol.anonymous/"
	r := startMCPRegistry(t)
	r.publish(t, space+"active", "1.0.0", "active", "")
	r.publish(t, space+"old", "1.0.0", "deprecated", "take active\nin its place")
	r.publish(t, space+"gone", "1.0.0", "deleted", "it lost notes")
	// Using the newest version gives one that works.
	r.publish(t, space+"fixed", "1.0.0", "deprecated", "loses notes")
	r.publish(t, space+"fixed", "1.1.0", "active", "")
	// The newest is deleted, so the registry offers the one before it.
	r.publish(t, space+"restored", "1.0.0", "active", "")
	r.publish(t, space+"restored", "1.1.0", "deleted", "published by mistake")

	agent := "name: writer\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Write.}\ntools:\n"
	for _, name := range []string{"active", "old", "gone", "fixed", "restored", "nobody"} {
		agent += "  - {name: " + name + ", type: mcp, description: Notes, transport: http, url: 'https://" + name + ".example.com/mcp', registry_name: " + space + name + "}\n"
	}
	dir := repository(t, map[string]string{
		"agent.yaml": agent,
		// apm also gets servers from the registry, but not always from this one.
		"apm.yml":       "name: shop\nversion: 1.0.0\ndependencies:\n  mcp: [" + space + "active, " + space + "old, " + space + "nobody]\n",
		".mcplumb.yaml": "registries: {mcp: '" + r.address + "', osv: '" + quiet(t) + "'}\n",
	})
	host := strings.TrimPrefix(r.address, "http://")

	deprecated, silent := check(t, dir, "deprecated-server")
	require.Empty(t, silent)
	require.Len(t, deprecated, 3)
	require.Equal(t, finding{
		Rule: "deprecated-server", Severity: "warning", Server: "old",
		Message: space + "old is no longer offered by the registry " + host + " (deprecated: take active in its place): switch to a server that is maintained",
	}, deprecated["old"])
	require.Contains(t, deprecated["gone"].Message, space+"gone is no longer offered by the registry "+host+" (deleted: it lost notes)")

	require.Contains(t, deprecated[space+"old"].Message, "(deprecated: take active in its place)", "of apm")

	unknown, silent := check(t, dir, "unknown-package")
	require.Empty(t, silent)
	require.Len(t, unknown, 1)
	require.Contains(t, unknown["nobody"].Message, `"`+space+`nobody" is not in the registry `+host)
}
