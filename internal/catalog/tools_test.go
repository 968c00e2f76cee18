package catalog_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/identity"
)

// at is when the catalogs of tests were changed.
var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

const (
	code     = "export default async () => {};"
	codeHash = "dc5fa83ee8e6d6c96f84fe2a8035923efca7a6e7154c9e0a324cc2d3464e5cff"           // sha256sum
	httpHash = "86af477d67a8ff38e221e861237449fd8737347d13f8a26dcbcfa349edf67bd1"           // sha256sum of the JSON of proxyTo, envRequired and tools
	npmHash  = "c5d6" + "0123456789abcdef0123456789abcdef0123456789abcdef" + "0123456789ab" // of nothing
)

// serena, tavily and readJSON are a server of each type.
func serena() *catalog.Server {
	return &catalog.Server{
		Name: "serena", Names: []string{"serena"}, Files: []string{".mcp.json"}, Kind: identity.PyPI, Package: "serena", Version: "1.2.0",
		Locked: "sha256-" + npmHash, Type: catalog.Stdio, Command: "uvx", Args: []string{"serena==1.2.0", "--quiet"}, Own: []string{"--quiet"},
		Launcher: "uvx", Environment: []string{"SERENA_KEY"},
	}
}

func tavily() *catalog.Server {
	return &catalog.Server{
		Name: "tavily", Names: []string{"tavily"}, Files: []string{".mcp.json"}, Kind: identity.URL, Package: "https://mcp.tavily.com/mcp",
		Locked: "sha256-" + npmHash, Type: catalog.HTTP, Address: "https://mcp.tavily.com/mcp", Transport: "http",
		Environment: []string{"TAVILY_API_KEY"}, Headers: []string{"Authorization"}, Tools: []string{"tavily:search"},
	}
}

func readJSON(name string) *catalog.Server {
	return &catalog.Server{Name: name, Names: []string{name}, Files: []string{"read_json.ts"}, Type: catalog.Deno, Code: []byte(code)}
}

// catalogOf returns the catalog of some servers, with all of them in all lists.
func catalogOf(t *testing.T, servers ...*catalog.Server) *catalog.Catalog {
	t.Helper()
	c, left := catalog.New("acme", at, servers, catalog.Naming{Namespace: "io.github.acme"})
	require.Empty(t, left)
	return c
}

// get asks a catalog for a path with its query, and tells the tag that it has.
func get(t *testing.T, c *catalog.Catalog, address, tag string) catalog.Answer {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return c.Answer(catalog.Request{Method: "GET", Path: u.EscapedPath(), Query: u.Query(), IfNoneMatch: tag})
}

// header returns a header of an answer, "" for none.
func header(a catalog.Answer, name string) string {
	for _, h := range a.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// TestPML follows the cases of the design document of PML's registry ("MCP registry
// endpoint"), at its own path and at that of PML's releases.
func TestPML(t *testing.T) {
	c := catalogOf(t, serena(), tavily(), readJSON("casys.pml.fs.read_json"), readJSON("pml.std.filesystem.read_file"))
	tavilyName := "pml.mcp.tavily.server." + httpHash[:4]
	codeName := "casys.pml.fs.read_json." + codeHash[:4]
	toolName := "pml.std.filesystem.read_file." + codeHash[:4]
	for id, test := range map[string]struct {
		path, tag string
		status    int
		body      string
		headers   map[string]string
	}{
		"AC1": {codeName, "", 200, code, map[string]string{
			"Content-Type": "application/typescript", "X-PML-Type": "deno", "X-PML-Routing": "client", "ETag": `"sha256-` + codeHash + `"`}},
		"AC2": {toolName, "", 200, code, map[string]string{
			"Content-Type": "application/typescript", "X-PML-Type": "deno", "X-PML-Routing": "client", "ETag": `"sha256-` + codeHash + `"`}},
		"AC3": {"pml.mcp.serena.server.c5d6", "", 200, `{"fqdn":"pml.mcp.serena.server.c5d6","type":"stdio","description":"pypi:serena 1.2.0","routing":"client",` +
			`"install":{"command":"uvx","args":["serena==1.2.0","--quiet"],"envRequired":["SERENA_KEY"]},"integrity":"sha256-` + npmHash + `","tools":[],"warnings":{"createsDotfiles":[]}}`,
			map[string]string{"Content-Type": "application/json", "ETag": `"sha256-` + npmHash + `"`}},
		"AC4": {tavilyName, "", 200, `{"fqdn":"` + tavilyName + `","type":"http","description":"url:https://mcp.tavily.com/mcp","routing":"server",` +
			`"proxyTo":"https://mcp.tavily.com/mcp","envRequired":["TAVILY_API_KEY"],"integrity":"sha256-` + httpHash + `","tools":["tavily:search"]}`,
			map[string]string{"Content-Type": "application/json", "ETag": `"sha256-` + httpHash + `"`}},
		"AC5": {"pml.mcp.serena.server.a7f3", "", 404,
			`{"error":"hash_mismatch","message":"Hash 'a7f3' does not match current hash 'c5d6' for pml.mcp.serena.server","currentFqdn":"pml.mcp.serena.server.c5d6"}`,
			map[string]string{"Content-Type": "application/json"}},
		"AC6": {"pml.mcp.nobody.server.a7f3", "", 404, `{"error":"not_found","message":"MCP 'pml.mcp.nobody.server' not in registry"}`,
			map[string]string{"Content-Type": "application/json"}},
		"AC6, no parts":     {"../../etc/passwd", "", 404, `{"error":"not_found","message":"MCP '../../etc/passwd' not in registry"}`, nil},
		"AC6, no full name": {"serena", "", 404, `{"error":"not_found","message":"MCP 'serena' not in registry"}`, nil},
		"AC7":               {"pml.mcp.serena.server.c5d6", `"sha256-` + npmHash + `"`, 304, "", map[string]string{"ETag": `"sha256-` + npmHash + `"`}},
		"AC7, one of two":   {"pml.mcp.serena.server.c5d6", `"x", W/"sha256-` + npmHash + `"`, 304, "", nil},
		"AC7, code":         {codeName, `"sha256-` + codeHash + `"`, 304, "", map[string]string{"Content-Type": ""}},
		"AC7, another one":  {codeName, `"sha256-` + npmHash + `"`, 200, code, nil},
		"AC10":              {"pml.mcp.tavily.server", "", 302, "", map[string]string{"Location": "ROOT/" + tavilyName}},
	} {
		for _, root := range []string{"/mcp", "/api/registry"} {
			t.Run(id+" "+root, func(t *testing.T) {
				a := get(t, c, root+"/"+test.path, test.tag)
				require.Equal(t, test.status, a.Status)
				require.Equal(t, test.body, string(a.Body))
				require.Equal(t, "public, max-age=3600", header(a, "Cache-Control"), "AC7")
				for name, value := range test.headers {
					require.Equal(t, strings.Replace(value, "ROOT", root, 1), header(a, name))
				}
			})
		}
	}
}

// TestPMLList follows the cases of the list: pages, and servers of one type.
func TestPMLList(t *testing.T) {
	c := catalogOf(t, serena(), tavily(), readJSON("casys.pml.fs.read_json"))
	items := []string{
		`{"fqdn":"casys.pml.fs.read_json.` + codeHash[:4] + `","type":"deno","routing":"client"}`,
		`{"fqdn":"pml.mcp.serena.server.c5d6","type":"stdio","routing":"client"}`,
		`{"fqdn":"pml.mcp.tavily.server.` + httpHash[:4] + `","type":"http","routing":"server"}`,
	}
	for query, test := range map[string]struct {
		status int
		want   string
	}{
		"":                         {200, `{"items":[` + strings.Join(items, ",") + `],"total":3,"page":1,"limit":50}`}, // AC8
		"?page=2&limit=2":          {200, `{"items":[` + items[2] + `],"total":3,"page":2,"limit":2}`},
		"?page=3&limit=2":          {200, `{"items":[],"total":3,"page":3,"limit":2}`},
		"?type=stdio":              {200, `{"items":[` + items[1] + `],"total":1,"page":1,"limit":50}`}, // AC9
		"?type=http":               {200, `{"items":[` + items[2] + `],"total":1,"page":1,"limit":50}`},
		"?type=deno&limit=1":       {200, `{"items":[` + items[0] + `],"total":1,"page":1,"limit":1}`},
		"?type=ftp":                {400, `{"error":"bad_request","message":"type must be deno, stdio or http"}`},
		"?page=0":                  {400, `{"error":"bad_request","message":"page must be a number from 1 to 1000000"}`},
		"?limit=many":              {400, `{"error":"bad_request","message":"limit must be a number from 1 to 1000"}`},
		"?limit=99999999999999999": {400, `{"error":"bad_request","message":"limit must be a number from 1 to 1000"}`},
	} {
		a := get(t, c, "/mcp"+query, "")
		require.Equal(t, test.status, a.Status, query)
		require.Equal(t, test.want, string(a.Body), query)
		require.Equal(t, a.Body, get(t, c, "/api/registry"+query, "").Body)
		if test.status == 200 {
			require.Equal(t, 304, get(t, c, "/mcp"+query, header(a, "ETag")).Status)
		}
	}
}

// TestToolNames says which servers PML has no name for, and which of several it gets.
func TestToolNames(t *testing.T) {
	named := func(name, program, version string) *catalog.Server {
		s := serena()
		s.Name, s.Package, s.Version = name, program, version
		return s
	}
	c, left := catalog.New("acme", at, []*catalog.Server{
		named("my notes", "a", "1.0.0"), named("7zip", "b", "1.0.0"), named("io.github.acme/notes", "c", "1.0.0"),
		named("twice", "d", "1.0.0"), named("twice", "e", "1.0.0"),
		named("raised", "f", "1.9.0"), named("raised", "f", "1.10.0"), named("raised", "f", "1.10.0rc1"),
	}, catalog.Naming{Namespace: "io.github.acme", Organization: "acme", Project: "tools"})
	require.Equal(t, `{"items":[{"fqdn":"acme.tools.raised.server.c5d6","type":"stdio","routing":"client"}],"total":1,"page":1,"limit":50}`, string(get(t, c, "/mcp", "").Body))
	require.Contains(t, string(get(t, c, "/mcp/acme.tools.raised.server.c5d6", "").Body), `"description":"pypi:f 1.10.0"`)
	var said []string
	for _, l := range left {
		if l.From == "the list of PML" {
			said = append(said, l.Server+": "+l.Why)
		}
	}
	part := ": its name cannot be a part of a full name, which is a letter or _ and then letters, digits, _ and -"
	two := "twice: 2 servers are called that, and a full name has one"
	require.Equal(t, []string{"7zip" + part, "io.github.acme/notes" + part, "my notes" + part, two, two}, said)
}

// TestAnswerRefuses says what is no request, or asks for what is not there.
func TestAnswerRefuses(t *testing.T) {
	c := catalogOf(t, serena())
	for _, path := range []string{"/nothing", "/mcpx", "/index.html", "/../etc/passwd", "/mcp/../..", "", "*", "/v0/servers", "/v0.1"} {
		a := c.Answer(catalog.Request{Method: "GET", Path: path})
		require.Equal(t, 404, a.Status, path)
		require.Equal(t, "application/json", header(a, "Content-Type"))
		require.Equal(t, "nosniff", header(a, "X-Content-Type-Options"))
	}
	require.Equal(t, 400, c.Answer(catalog.Request{Method: "GET", Path: "/mcp/%zz"}).Status)
	post := c.Answer(catalog.Request{Method: "POST", Path: "/mcp"})
	require.Equal(t, 405, post.Status)
	require.Equal(t, "GET, HEAD, OPTIONS", header(post, "Allow"))
	before := c.Answer(catalog.Request{Method: "OPTIONS", Path: "/v0.1/servers"})
	require.Equal(t, 204, before.Status)
	require.Equal(t, "GET, OPTIONS", header(before, "Access-Control-Allow-Methods"))
	require.Equal(t, "Authorization, Content-Type", header(before, "Access-Control-Allow-Headers"))
}
