package registry_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/registry"
)

// TestApproved reads every page of a catalog: what mcplumb's catalog adds to the form of the
// MCP registry, else packages and addresses.
func TestApproved(t *testing.T) {
	server := pages(t, map[string]string{
		"/x/v0.1/servers?limit=100": `{"servers": [{"server": {"name": "dev.acme/notes", "packages": [{"registryType": "npm", "identifier": "other", "version": "1.0.0"}],
			"_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"identity": "npm:notes", "selector": ["mcp"], "version": "1.2.0", "integrity": "sha512-ab"}}}}],
			"metadata": {"nextCursor": "dev.acme/notes:1.2.0"}}`,
		"/x/v0.1/servers?cursor=dev.acme%2Fnotes%3A1.2.0&limit=100": `{"servers": [
			{"server": {"name": "dev.acme/a", "packages": [{"registryType": "pypi", "identifier": "Acme_Notes", "version": "1.0"}, {"registryType": "mcpb", "identifier": "x"}, {"registryType": "npm"}]}},
			{"server": {"name": "dev.acme/b", "remotes": [{"url": "https://wiki.acme.dev/mcp/?team=a"}, {"url": "no address"}]}},
			{"server": {"name": "dev.acme/c", "remotes": [{"url": "https://gone.acme.dev/mcp"}]}, "_meta": {"io.modelcontextprotocol.registry/official": {"status": "deleted"}}}], "metadata": {}}`,
	})
	got, err := clientOf(registry.Sources{}).Approved(context.Background(), server.URL+"/x/")
	require.NoError(t, err)
	require.Equal(t, &mcp.Approved{Source: server.URL + "/x", Servers: map[string][]mcp.ApprovedServer{
		"npm:notes":                     {{Name: "dev.acme/notes", Selector: []string{"mcp"}, KnowsSelector: true, Version: "1.2.0", Integrity: "sha512-ab"}},
		"pypi:acme-notes":               {{Name: "dev.acme/a", Version: "1.0"}},
		"url:https://wiki.acme.dev/mcp": {{Name: "dev.acme/b", Selector: []string{"team=a"}, KnowsSelector: true}},
	}}, got)
}

// TestApprovedRefuses accepts nothing as a catalog that is not one, or that does not end.
func TestApprovedRefuses(t *testing.T) {
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("another host is asked") })
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"nothing there":  {http.NotFound, "it is not a catalog: /v0.1/servers is missing"},
		"a page of HTML": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "its answer is not valid for such a registry"},
		"something else": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"packages": []}`) }, "its answer is not valid for such a registry"},
		"another host":   {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, "its answer points to another host, which mcplumb does not query"},
		"a login":        {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, "it refuses access (403): mcplumb has no token for it"},
		"the same page again": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"servers": [], "metadata": {"nextCursor": "a"}}`)
		}, "its pages of servers do not end"},
		"pages without end": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `{"servers": [], "metadata": {"nextCursor": "%sa"}}`, r.URL.Query().Get("cursor"))
		}, "it has more than 200 pages of servers"},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, test.handler)
			_, err := clientOf(registry.Sources{}).Approved(context.Background(), server.URL)
			require.EqualError(t, err, strings.TrimPrefix(server.URL, "http://")+": "+test.want)
		})
	}
}
