package registries_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// vetted is a repository with a server of each kind that the MCP registry knows, and one
// that it has no word for.
func vetted(t *testing.T) string {
	t.Helper()
	return repository(t, map[string]string{
		".mcp.json": `{"mcpServers": {
  "notes": {"command": "npx", "args": ["-y", "notes-mcp@1.2.0", "--root", "docs"], "env": {"NOTES_KEY": "${NOTES_KEY}"}},
  "fetch": {"command": "uvx", "args": ["--python", "3.12", "--index-url", "https://pypi.acme.dev/simple", "fetch-mcp==0.3.1"]},
  "box": {"command": "docker", "args": ["run", "-i", "--rm", "-v", "/data:/data", "ghcr.io/acme/box:2.0.0"]},
  "wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp", "headers": {"Authorization": "Bearer ${WIKI_TOKEN}"}},
  "events": {"type": "sse", "url": "https://events.acme.dev/${TENANT}/sse"},
  "own": {"command": "node", "args": ["server.js"]}}}`,
		"server.js":     "hello\n",
		".mcplumb.yaml": "catalog: {namespace: dev.acme}\nrules: {unresolved-variable: off}\n",
		"mcplumb.lock": `version = 1
[[server]]
identity = 'npm:notes-mcp'
names = ['notes']
files = ['.mcp.json']
version = '1.2.0'
integrity = 'sha512-` + strings.Repeat("A", 86) + `=='
[[server]]
identity = 'pypi:fetch-mcp'
names = ['fetch']
files = ['.mcp.json']
version = '0.3.1'
integrity = 'sha256:` + strings.Repeat("5b", 32) + `'
[[server]]
identity = 'oci:ghcr.io/acme/box'
names = ['box']
files = ['.mcp.json']
version = '2.0.0'
integrity = 'sha256:` + strings.Repeat("6c", 32) + `'
`,
	})
}

// serveVetted has mcplumb serve the catalog of a repository, and returns its address.
func serveVetted(t *testing.T, dir string) string {
	t.Helper()
	mcplumb := program(t, "MCPLUMB")
	lock := exec.Command(mcplumb, "lock")
	lock.Dir = dir
	out, err := lock.CombinedOutput()
	require.NoError(t, err, "%s", out)
	port := freePort(t)
	address := "http://127.0.0.1:" + port
	serve(t, address, dir, mcplumb, "catalog", "serve", "--addr", "127.0.0.1:"+port)
	return address
}

// ask returns the decoded JSON at an address.
func ask(t *testing.T, address string, status int) map[string]any {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, status, response.StatusCode, "%s: %s", address, body)
	var said map[string]any
	require.NoError(t, json.Unmarshal(body, &said))
	return said
}

// described compiles the descriptions of the MCP registry's API and of server.json, as the
// module of its server has them.
func described(t *testing.T) (answer func(name string) *jsonschema.Schema, server *jsonschema.Schema) {
	t.Helper()
	module := program(t, "MCP_REGISTRY_SOURCE")
	text, err := os.ReadFile(filepath.Join(module, "docs/reference/api/openapi.yaml"))
	require.NoError(t, err)
	var api any
	require.NoError(t, yaml.Unmarshal(text, &api))
	text, err = json.Marshal(api)
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	delete(document.(map[string]any), "$id")
	delete(document.(map[string]any), "jsonSchemaDialect")
	require.NoError(t, compiler.AddResource("api.json", document))
	text, err = os.ReadFile(filepath.Join(module, "internal/validators/schemas/2025-12-11.json"))
	require.NoError(t, err)
	document, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	delete(document.(map[string]any), "$id")
	require.NoError(t, compiler.AddResource("server.json", document))
	server, err = compiler.Compile("server.json")
	require.NoError(t, err)
	return func(name string) *jsonschema.Schema {
		schema, err := compiler.Compile("api.json#/components/schemas/" + name)
		require.NoError(t, err)
		return schema
	}, server
}

// TestCatalog compares the answers of mcplumb catalog serve with the description of the MCP
// registry's API, that of server.json, and the registry's own server: it accepts every
// server, and its answers have the same members.
func TestCatalog(t *testing.T) {
	catalog, official := serveVetted(t, vetted(t)), startMCPRegistry(t)
	answer, server := described(t)

	list := ask(t, catalog+"/v0.1/servers", 200)
	require.NoError(t, answer("ServerList").Validate(list))
	servers := list["servers"].([]any)
	require.Len(t, servers, 6)
	for _, listed := range servers {
		detail := listed.(map[string]any)["server"].(map[string]any)
		name := detail["name"].(string)
		require.NoError(t, server.Validate(detail), name)
		var judged struct {
			Valid  bool `json:"valid"`
			Issues []any
		}
		require.NoError(t, json.Unmarshal(official.send(t, http.MethodPost, "/v0.1/validate", detail), &judged))
		require.True(t, judged.Valid, "%s: %v", name, judged.Issues)

		below := catalog + "/v0.1/servers/" + url.PathEscape(name) + "/versions"
		require.NoError(t, answer("ServerList").Validate(ask(t, below, 200)))
		for _, version := range []string{"latest", url.PathEscape(detail["version"].(string))} {
			one := ask(t, below+"/"+version, 200)
			require.NoError(t, answer("ServerResponse").Validate(one))
			require.Equal(t, listed, any(one))
		}
	}

	const space = "io.modelcontextprotocol.anonymous/"
	official.publish(t, space+"notes", "1.2.0", "active", "")
	for ours, theirs := range map[string]string{
		"/v0.1/servers?search=notes":                                    "/v0.1/servers?search=notes",
		"/v0.1/servers/dev.acme%2Fnotes/versions":                       "/v0.1/servers/" + url.PathEscape(space+"notes") + "/versions",
		"/v0.1/servers/dev.acme%2Fnotes/versions/latest":                "/v0.1/servers/" + url.PathEscape(space+"notes") + "/versions/latest",
		"/v0.1/servers?search=notes&version=latest&limit=1":             "/v0.1/servers?search=notes&version=latest&limit=1",
		"/v0.1/servers?search=notes&updated_since=2000-01-01T00:00:00Z": "/v0.1/servers?search=notes&updated_since=2000-01-01T00:00:00Z",
	} {
		require.Empty(t, missing(ask(t, official.address+theirs, 200), ask(t, catalog+ours, 200)), ours)
	}
	for path, status := range map[string]int{
		"/v0.1/servers/dev.acme%2Fnobody/versions/latest": 404, "/v0.1/servers/dev.acme%2Fnobody/versions": 404,
		"/v0.1/servers?updated_since=yesterday": 400, "/v0.1/servers?limit=101": 422, "/v0.1/servers?limit=0": 422,
	} {
		ask(t, official.address+path, status)
		ask(t, catalog+path, status)
	}
}

// missing returns the members of an answer that another answer does not have, including
// those within members and first elements of lists.
func missing(theirs, ours any) (paths []string) {
	switch theirs := theirs.(type) {
	case map[string]any:
		members, _ := ours.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(theirs)) {
			mine, isThere := members[name]
			if !isThere && name != "nextCursor" {
				paths = append(paths, name)
				continue
			}
			for _, path := range missing(theirs[name], mine) {
				paths = append(paths, name+"."+path)
			}
		}
	case []any:
		if list, _ := ours.([]any); len(theirs) > 0 && len(list) > 0 {
			return missing(theirs[0], list[0])
		}
	}
	return paths
}
