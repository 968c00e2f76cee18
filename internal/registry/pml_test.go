package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/registry"
)

// pmlDouble is a registry of Casys PML as its design document describes one, case by case
// (AC1 to AC7 and AC10 of "MCP registry endpoint"). Its list is never asked for.
type pmlDouble struct {
	// path is where its tools are.
	path string
	// current has the full names of today by those without a hash, integrity their hashes.
	current, integrity map[string]string
	// said are the statuses that it answered with, asked what was asked of it.
	said  []int
	asked []*http.Request
}

func newPMLDouble(path string) *pmlDouble {
	d := &pmlDouble{path: path, current: map[string]string{}, integrity: map[string]string{}}
	for full, integrity := range map[string]string{
		"casys.pml.fs.read_json.a7f3":       "sha256-a7f3" + strings.Repeat("0", 60),
		"pml.std.filesystem.read_file.b2c4": "sha256-b2c4" + strings.Repeat("1", 60),
		"pml.mcp.serena.server.c5d6":        "sha256-c5d6" + strings.Repeat("2", 60),
		"pml.mcp.tavily.server.d7e8":        "sha256-d7e8" + strings.Repeat("3", 60),
	} {
		d.current[full[:strings.LastIndexByte(full, '.')]] = full
		d.integrity[full] = integrity
	}
	return d
}

func (d *pmlDouble) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.asked = append(d.asked, r)
	name, isTool := strings.CutPrefix(r.URL.Path, d.path)
	if !isTool { // as a web framework says it
		d.answer(w, http.StatusNotFound, "text/plain", "404 Not Found")
		return
	}
	parts := strings.Split(name, ".")
	base := strings.Join(parts[:4], ".")
	full, isKnown := d.current[base]
	w.Header().Set("Cache-Control", "public, max-age=3600") // AC7
	switch {
	case !isKnown: // AC6
		d.answer(w, http.StatusNotFound, "application/json", fmt.Sprintf(`{"error":"not_found","message":"MCP '%s' not in registry"}`, base))
	case len(parts) == 4: // AC10
		d.said = append(d.said, http.StatusFound)
		w.Header().Set("Location", d.path+full)
		w.WriteHeader(http.StatusFound)
	case name != full: // AC5
		d.answer(w, http.StatusNotFound, "application/json", fmt.Sprintf(
			`{"error":"hash_mismatch","message":"Hash '%s' does not match current hash '%s' for %s","currentFqdn":"%s"}`, parts[4], full[len(full)-4:], base, full))
	default:
		w.Header().Set("ETag", `"`+d.integrity[full]+`"`)
		if r.Header.Get("If-None-Match") == `"`+d.integrity[full]+`"` { // AC7
			d.answer(w, http.StatusNotModified, "", "")
			return
		}
		d.found(w, full)
	}
}

// found sends a tool.
func (d *pmlDouble) found(w http.ResponseWriter, full string) {
	said := map[string]any{"fqdn": full, "description": "A server", "integrity": d.integrity[full], "tools": []string{"server:tool"}}
	switch {
	case strings.HasPrefix(full, "pml.mcp.serena"): // AC3
		said["type"], said["routing"] = "stdio", "client"
		said["install"] = map[string]any{"command": "uvx", "args": []string{"serena"}, "envRequired": []string{}}
		said["warnings"] = map[string]any{"createsDotfiles": []string{".serena/"}}
	case strings.HasPrefix(full, "pml.mcp.tavily"): // AC4
		said["type"], said["routing"] = "http", "server"
		said["proxyTo"], said["envRequired"] = "https://mcp.tavily.example.com", []string{"TAVILY_API_KEY"}
	default: // AC1, AC2
		w.Header().Set("X-PML-Type", "deno")
		w.Header().Set("X-PML-Routing", "client")
		d.answer(w, http.StatusOK, "application/typescript", "export default async () => {};")
		return
	}
	body, _ := json.Marshal(said) // texts are always JSON
	d.answer(w, http.StatusOK, "application/json", string(body))
}

func (d *pmlDouble) answer(w http.ResponseWriter, status int, kind, body string) {
	d.said = append(d.said, status)
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// TestPML follows the cases of the design document, at both paths: its own, and that of
// the releases, which is found because a web server has nothing at the first.
func TestPML(t *testing.T) {
	integrity := newPMLDouble("").integrity
	for id, test := range map[string]struct {
		asked mcp.WantedTool
		want  mcp.PublishedTool
		said  []int
	}{
		"AC1": {mcp.WantedTool{Name: "casys.pml.fs.read_json", Hash: "a7f3"},
			mcp.PublishedTool{Hash: "a7f3", Integrity: integrity["casys.pml.fs.read_json.a7f3"]}, []int{200}},
		"AC2": {mcp.WantedTool{Name: "pml.std.filesystem.read_file", Hash: "b2c4"},
			mcp.PublishedTool{Hash: "b2c4", Integrity: integrity["pml.std.filesystem.read_file.b2c4"]}, []int{200}},
		"AC3": {mcp.WantedTool{Name: "pml.mcp.serena.server", Hash: "c5d6"},
			mcp.PublishedTool{Hash: "c5d6", Integrity: integrity["pml.mcp.serena.server.c5d6"]}, []int{200}},
		"AC4": {mcp.WantedTool{Name: "pml.mcp.tavily.server", Hash: "d7e8"},
			mcp.PublishedTool{Hash: "d7e8", Integrity: integrity["pml.mcp.tavily.server.d7e8"]}, []int{200}},
		"AC5": {mcp.WantedTool{Name: "pml.std.filesystem.read_file", Hash: "a7f3"}, mcp.PublishedTool{Hash: "b2c4", Integrity: integrity["pml.std.filesystem.read_file.b2c4"]}, []int{404, 200}},
		"AC6": {mcp.WantedTool{Name: "pml.mcp.nobody.server", Hash: "a7f3"}, mcp.PublishedTool{IsUnknown: true}, []int{404}},
		"AC7": {mcp.WantedTool{Name: "pml.mcp.serena.server", Hash: "c5d6", Integrity: integrity["pml.mcp.serena.server.c5d6"]},
			mcp.PublishedTool{Hash: "c5d6", Integrity: integrity["pml.mcp.serena.server.c5d6"]}, []int{304}},
		"AC7, another integrity": {mcp.WantedTool{Name: "pml.mcp.serena.server", Hash: "c5d6", Integrity: "tool:c5d6"},
			mcp.PublishedTool{Hash: "c5d6", Integrity: integrity["pml.mcp.serena.server.c5d6"]}, []int{200}},
		"AC10": {mcp.WantedTool{Name: "pml.mcp.tavily.server"},
			mcp.PublishedTool{Hash: "d7e8", Integrity: integrity["pml.mcp.tavily.server.d7e8"]}, []int{302, 200}},
		"AC10, code": {mcp.WantedTool{Name: "casys.pml.fs.read_json"},
			mcp.PublishedTool{Hash: "a7f3", Integrity: integrity["casys.pml.fs.read_json.a7f3"]}, []int{302, 200}},
	} {
		for _, path := range []string{"/mcp/", "/api/registry/"} {
			t.Run(id+" "+path, func(t *testing.T) {
				double := newPMLDouble(path)
				server := serve(t, double.ServeHTTP)
				test.asked.Cloud = server.URL
				said, err := clientOf(registry.Sources{}).Tool(context.Background(), test.asked)
				require.NoError(t, err)
				test.want.Registry = strings.TrimPrefix(server.URL, "http://")
				require.Equal(t, &test.want, said)
				require.Equal(t, test.said, double.said[len(double.said)-len(test.said):])
			})
		}
	}
}

// TestPMLCurrent holds that a registry which gives another name for every name is asked
// twice, and that its first answer counts.
func TestPMLCurrent(t *testing.T) {
	asked := 0
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, `{"error": "hash_mismatch", "currentFqdn": "pml.mcp.notes.read.%04x"}`, asked)
	})
	said, err := clientOf(registry.Sources{}).Tool(context.Background(), mcp.WantedTool{Cloud: server.URL, Name: "pml.mcp.notes.read", Hash: "a7f3"})
	require.NoError(t, err)
	require.Equal(t, "0001", said.Hash)
	require.Empty(t, said.Integrity)
	require.Equal(t, 2, asked)
}

// TestPMLOther holds what is no answer of such a registry, and what is one about another
// tool, with which a locked one cannot be compared.
func TestPMLOther(t *testing.T) {
	asked := mcp.WantedTool{Name: "pml.mcp.notes.read", Hash: "a7f3"}
	for name, test := range map[string]struct {
		page  string
		other bool
	}{
		"a page for people": {page: "<!DOCTYPE html><title>Sign in</title>"},
		"JSON of others":    {page: `[1]`},
		"another tool":      {page: `{"fqdn": "local.default.notes.read.b2c4", "integrity": "capability:b2c4"}`, other: true},
		"no hash":           {page: `{"fqdn": "pml.mcp.notes.read", "integrity": "tool:b2c4"}`, other: true},
		"an invalid hash":   {page: `{"fqdn": "pml.mcp.notes.read.\u001b[2J", "integrity": "tool:b2c4"}`, other: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if strings.HasPrefix(test.page, "<") {
					w.Header().Set("Content-Type", "text/html")
				} else {
					w.Header().Set("Content-Type", "application/json")
				}
				_, _ = w.Write([]byte(test.page))
			})
			asked.Cloud = server.URL
			said, err := clientOf(registry.Sources{}).Tool(context.Background(), asked)
			if !test.other {
				require.ErrorContains(t, err, "it is not a registry of Casys PML")
				return
			}
			require.NoError(t, err)
			require.Equal(t, &mcp.PublishedTool{Registry: strings.TrimPrefix(server.URL, "http://")}, said)
		})
	}
}

// TestPMLPlaces asks the registry that the settings, PML's own variable or the project name,
// and none if none of them names one. The key goes to the cloud that its user names, and to no
// other that a repository names, nor to one that it points to.
func TestPMLPlaces(t *testing.T) {
	named, elsewhere := newPMLDouble("/mcp/"), newPMLDouble("/mcp/")
	there := serve(t, elsewhere.ServeHTTP)
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "tavily.server") {
			http.Redirect(w, r, there.URL+r.URL.Path, http.StatusFound)
			return
		}
		named.ServeHTTP(w, r)
	})
	key := "pml_" + strings.Repeat("a1B2", 8)
	environment := func(cloud string) func(string) string {
		return func(name string) string { return map[string]string{"PML_CLOUD_URL": cloud, "PML_API_KEY": key}[name] }
	}
	ask := func(s registry.Sources, cloud, name string) *mcp.PublishedTool {
		t.Helper()
		said, err := clientOf(s).Tool(context.Background(), mcp.WantedTool{Cloud: cloud, Name: name})
		require.NoError(t, err)
		return said
	}
	keyOf := func(d *pmlDouble) string { return d.asked[len(d.asked)-1].Header.Get("X-Api-Key") }

	require.Nil(t, ask(registry.Sources{}, "", "pml.mcp.serena.server"), "no address")

	ask(registry.Sources{Environment: environment(here.URL)}, there.URL, "pml.mcp.serena.server")
	require.Equal(t, key, keyOf(named), "the user names the cloud")
	require.Empty(t, elsewhere.asked)

	ask(registry.Sources{Environment: environment(here.URL)}, "", "pml.mcp.tavily.server")
	require.Empty(t, keyOf(elsewhere), "to another host")

	ask(registry.Sources{Environment: environment("")}, here.URL, "pml.mcp.serena.server")
	require.Empty(t, keyOf(named), "the repository names the cloud")

	ask(registry.Sources{Environment: environment(there.URL), Named: registry.Named{PML: here.URL}}, "", "pml.mcp.serena.server")
	require.Empty(t, keyOf(named), "the settings name another one")
}
