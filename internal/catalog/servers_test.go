package catalog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/identity"
)

// serverName is where the MCP registry has a server of the namespace of tests.
const serverName = "/v0.1/servers/io.github.acme%2F"

// TestServer answers with a server as the MCP registry has it.
func TestServer(t *testing.T) {
	s := serena()
	s.Repository, s.Description, s.Integrity = "https://github.com/acme/serena", "Reads code", "sha256-xdYBI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniatN"
	a := get(t, catalogOf(t, s), serverName+"serena/versions/latest", "")
	require.Equal(t, 200, a.Status)
	require.Equal(t, "application/json", header(a, "Content-Type"))
	require.JSONEq(t, `{
		"server": {
			"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
			"name": "io.github.acme/serena", "description": "Reads code", "title": "serena", "version": "1.2.0",
			"repository": {"url": "https://github.com/acme/serena", "source": "github"},
			"packages": [{
				"registryType": "pypi", "identifier": "serena", "version": "1.2.0", "runtimeHint": "uvx", "transport": {"type": "stdio"},
				"packageArguments": [{"type": "positional", "value": "--quiet"}],
				"environmentVariables": [{"name": "SERENA_KEY", "isRequired": true, "isSecret": true}]}],
			"_meta": {"io.modelcontextprotocol.registry/publisher-provided": {
				"identity": "pypi:serena", "version": "1.2.0", "integrity": "sha256-xdYBI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniatN"}}},
		"_meta": {"io.modelcontextprotocol.registry/official": {
			"status": "active", "statusChangedAt": "2026-03-04T05:06:07Z", "publishedAt": "2026-03-04T05:06:07Z", "updatedAt": "2026-03-04T05:06:07Z", "isLatest": true}}
	}`, string(a.Body))
}

// TestServerForms says how the MCP registry has servers of each kind.
func TestServerForms(t *testing.T) {
	of := func(change func(*catalog.Server)) map[string]any {
		s := serena()
		s.Args, s.Own, s.Environment = nil, nil, nil
		change(s)
		var said struct {
			Server map[string]any `json:"server"`
		}
		a := get(t, catalogOf(t, s), serverName+"serena/versions/latest", "")
		require.NoError(t, json.Unmarshal(a.Body, &said), "%s", a.Body)
		return said.Server
	}
	image := of(func(s *catalog.Server) { s.Kind, s.Package, s.Version = identity.OCI, "ghcr.io/acme/serena", "latest" })
	require.Equal(t, "1.0.0+c5d60123", image["version"])
	require.Equal(t, []any{map[string]any{
		"registryType": "oci", "identifier": "ghcr.io/acme/serena:latest@sha256:" + npmHash, "runtimeHint": "docker", "transport": map[string]any{"type": "stdio"},
	}}, image["packages"])

	own := of(func(s *catalog.Server) { s.Kind, s.Package, s.Version = identity.FileKind, "server.js", "" })
	require.Equal(t, "1.0.0+c5d60123", own["version"])
	require.NotContains(t, own, "packages")

	reached := func(address, transport string) any {
		s := of(func(s *catalog.Server) {
			*s = *tavily()
			s.Name, s.Headers, s.Address, s.Transport = "serena", nil, address, transport
		})
		return s["remotes"]
	}
	remote := func(kind, address string) any { return []any{map[string]any{"type": kind, "url": address}} }
	require.Equal(t, remote("streamable-http", "https://acme.dev/mcp"), reached("https://acme.dev/mcp", "http"))
	require.Equal(t, remote("sse", "https://acme.dev/mcp"), reached("https://acme.dev/mcp", "sse"))
	require.Equal(t, remote("sse", "https://acme.dev/sse"), reached("https://acme.dev/sse", ""))
	require.Equal(t, remote("streamable-http", "https://acme.dev/mcp"), reached("https://acme.dev/mcp", ""))
	require.Nil(t, reached("wss://acme.dev/mcp", "ws"))
	require.Nil(t, reached("unix:///tmp/mcp", ""))
	require.Equal(t, []any{map[string]any{"type": "streamable-http", "url": "https://acme.dev/{TENANT}/mcp?k={V2}", "variables": map[string]any{
		"TENANT": map[string]any{"isRequired": true}, "V2": map[string]any{"isRequired": true},
	}}}, reached("https://acme.dev/${TENANT}/mcp?k=${env:2}", "http"))
}

// TestVersions has several versions of one server, and the newest is the latest.
func TestVersions(t *testing.T) {
	older, newer := serena(), serena()
	older.Version, newer.Version = "1.9.0", "1.10.0"
	c := catalogOf(t, older, newer)
	for path, want := range map[string]string{
		"/versions/latest": "1.10.0 latest", "/versions/1.9.0": "1.9.0", "/versions/1.10.0": "1.10.0 latest", "/versions": "1.10.0 latest, 1.9.0", "/versions/2.0.0": "404",
	} {
		require.Equal(t, want, versionsIn(t, get(t, c, serverName+"serena"+path, "")), path)
	}
	require.Equal(t, "404", versionsIn(t, get(t, c, serverName+"nobody/versions", "")))
	require.Equal(t, "404", versionsIn(t, get(t, c, serverName+"serena", "")))
	require.JSONEq(t, `{"error": "Server not found", "title": "Not Found", "status": 404, "detail": "Server not found"}`, string(get(t, c, serverName+"x/versions/latest", "").Body))
}

// TestVersionsOfImages has two tags of an image, whose order is that of their numbers.
func TestVersionsOfImages(t *testing.T) {
	older, newer := serena(), serena()
	for s, tag := range map[*catalog.Server]string{older: "v1.9.0", newer: "v1.10.0"} {
		s.Kind, s.Package, s.Version = identity.OCI, "ghcr.io/acme/serena", tag
	}
	c := catalogOf(t, older, newer)
	require.Equal(t, "v1.10.0 latest", versionsIn(t, get(t, c, serverName+"serena/versions/latest", "")))
}

// versionsIn returns the versions in an answer, or its status.
func versionsIn(t *testing.T, a catalog.Answer) string {
	t.Helper()
	if a.Status != 200 {
		return fmt.Sprint(a.Status)
	}
	type one struct {
		Server struct{ Name, Version string }
		Meta   map[string]struct{ IsLatest bool } `json:"_meta"`
	}
	var said struct {
		one
		Servers []one
	}
	require.NoError(t, json.Unmarshal(a.Body, &said))
	if said.Servers == nil {
		said.Servers = []one{said.one}
	}
	var all []string
	for _, s := range said.Servers {
		text := s.Server.Version
		if s.Meta["io.modelcontextprotocol.registry/official"].IsLatest {
			text += " latest"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// TestPages goes through all servers, page by page, and looks for some.
func TestPages(t *testing.T) {
	var servers []*catalog.Server
	for i := range 75 {
		s := serena()
		s.Name = fmt.Sprintf("server%02d", i)
		s.Package, s.Version = s.Name, fmt.Sprintf("1.0.%d", i)
		servers = append(servers, s)
	}
	c := catalogOf(t, servers...)
	var page struct {
		Servers  []struct{ Server struct{ Name string } }
		Metadata struct {
			NextCursor string
			Count      int
		}
	}
	names := map[string]bool{}
	for _, want := range []int{30, 30, 15} {
		query := "?cursor=" + page.Metadata.NextCursor
		page.Metadata.NextCursor = ""
		require.NoError(t, json.Unmarshal(get(t, c, "/v0.1/servers"+query, "").Body, &page))
		require.Equal(t, want, page.Metadata.Count)
		for _, s := range page.Servers {
			names[s.Server.Name] = true
		}
	}
	require.Empty(t, page.Metadata.NextCursor)
	require.Len(t, names, 75)

	for query, want := range map[string]string{
		"?limit=2":                               "1.0.0 latest, 1.0.1 latest",
		"?search=ER1&limit=3":                    "1.0.10 latest, 1.0.11 latest, 1.0.12 latest",
		"?search=nothing":                        "",
		"?version=1.0.3":                         "1.0.3 latest",
		"?version=latest&limit=1":                "1.0.0 latest",
		"?cursor=io.github.acme/server73:1.0.73": "1.0.74 latest",
		"?cursor=zzz":                            "",
		"?updated_since=" + at.Format(time.RFC3339) + "&limit=1": "1.0.0 latest",
		"?updated_since=" + at.Add(1e9).Format(time.RFC3339):     "",
		"?updated_since=yesterday":                               "400",
		"?limit=0":                                               "422",
		"?limit=101":                                             "422",
		"?include_deleted=true&limit=1":                          "1.0.0 latest",
		"?include_deleted=perhaps":                               "422",
	} {
		require.Equal(t, want, versionsIn(t, get(t, c, "/v0.1/servers"+query, "")), query)
	}
	all := get(t, c, "/v0.1/servers", "")
	require.Equal(t, 304, get(t, c, "/v0.1/servers", header(all, "ETag")).Status)
}

// TestRegisteredNames says what servers are called in the MCP registry, and which have no
// name there.
func TestRegisteredNames(t *testing.T) {
	named := func(name, program string) *catalog.Server {
		s := serena()
		s.Name, s.Package = name, program
		return s
	}
	c, left := catalog.New("acme", at, []*catalog.Server{
		named("io.github.upstash/context7", "a"), named("My Notes", "b"), named("@acme/wiki", "c"), named("published", "d"),
		named("???", "e"), named("a b", "f"), named("a-b", "g"), named(strings.Repeat("x", 200), "h"),
	}, catalog.Naming{Namespace: "io.github.acme", Published: map[string]string{"pypi:d\x00": "dev.acme/notes"}})
	var list struct {
		Servers []struct{ Server struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal(get(t, c, "/v0.1/servers", "").Body, &list))
	var names []string
	for _, s := range list.Servers {
		names = append(names, s.Server.Name)
	}
	require.Equal(t, []string{"dev.acme/notes", "io.github.acme/My-Notes", "io.github.acme/wiki", "io.github.upstash/context7"}, names)
	var said []string
	for _, l := range left {
		if l.From == "the list of the MCP registry" {
			said = append(said, l.Server[:min(len(l.Server), 3)]+": "+l.Why)
		}
	}
	const none = ": no name of at most 200 letters, digits, dots, hyphens and underscores can be made of its own"
	require.Equal(t, []string{"???" + none, "xxx" + none, "a b: 2 servers would be called io.github.acme/a-b", "a-b: 2 servers would be called io.github.acme/a-b"}, said)
}
