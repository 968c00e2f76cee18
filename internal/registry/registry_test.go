package registry_test

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http/httpproxy"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/registry"
)

// pages serves texts by their paths, in JSON.
func pages(t *testing.T, byPath map[string]string) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		page, found := byPath[r.URL.EscapedPath()]
		if r.URL.RawQuery != "" && !found {
			page, found = byPath[r.URL.EscapedPath()+"?"+r.URL.RawQuery]
		}
		if !found {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, strings.ReplaceAll(page, "HERE", "http://"+r.Host))
	})
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// clientOf asks with these settings and an empty environment, without pauses.
func clientOf(s registry.Sources) *registry.Client {
	if s.Environment == nil {
		s.Environment = func(string) string { return "" }
	}
	proxy := (&httpproxy.Config{HTTPProxy: s.Environment("HTTP_PROXY")}).ProxyFunc()
	return registry.New(registry.Options{
		Proxy:  proxy,
		Places: registry.NewPlaces(s), Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Agent: "mcplumb/test",
	})
}

func ask(t *testing.T, c *registry.Client, kind identity.Kind, name, version string) *mcp.Published {
	t.Helper()
	published, err := c.Ask(context.Background(), mcp.Wanted{Kind: kind, Name: name, Version: version})
	require.NoError(t, err)
	return published
}

func at(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

const packument = `{
	"dist-tags": {"latest": "1.1.0"},
	"time": {"created": "2026-01-01T00:00:00.000Z", "1.0.0": "2026-01-02T00:00:00.000Z", "1.1.0": "2026-02-02T00:00:00.000Z"},
	"versions": {
		"1.1.0": {"version": "1.1.0", "dist": {"integrity": "sha512-bbbb"}},
		"1.0.0": {"version": "1.0.0", "deprecated": "take 1.1.0", "dist": {"integrity": "sha512-aaaa"}}}}`

// TestLongAnswers takes a long answer of a registry that the user names, and none of one
// that the repository alone names: its author may want the memory of this machine.
func TestLongAnswers(t *testing.T) {
	server := pages(t, map[string]string{"/notes": strings.Repeat(" ", 9<<20) + packument})
	own := clientOf(registry.Sources{Environment: func(name string) string {
		if name == "npm_config_registry" {
			return server.URL
		}
		return ""
	}})
	require.Len(t, ask(t, own, identity.NPM, "notes", "").Releases, 2)
	for _, foreign := range []registry.Sources{
		{Named: registry.Named{NPM: server.URL}}, {ProjectNPM: []byte("registry=" + server.URL)},
	} {
		_, err := clientOf(foreign).Ask(t.Context(), mcp.Wanted{Kind: identity.NPM, Name: "notes"})
		require.ErrorContains(t, err, "its answer is longer than 8 MB")
	}
}

// TestNPM asks for all versions of a package, and for one.
func TestNPM(t *testing.T) {
	server := pages(t, map[string]string{
		"/@acme%2Fnotes":       packument,
		"/@acme%2Fnotes/1.0.0": `{"version": "1.0.0", "deprecated": "take 1.1.0", "dist": {"integrity": "sha512-aaaa"}}`,
		"/@acme%2Fnotes/1.1.0": `{"version": "1.1.0", "dist": {"integrity": "sha512-bbbb"}}`,
		"/empty":               `{"name": "empty", "time": {"unpublished": {"time": "2026-01-02T00:00:00.000Z"}}}`,
	})
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL + "/"}})
	old := mcp.Release{Version: "1.0.0", Hashes: []string{"sha512-aaaa"}, IsWithdrawn: true, Reason: "take 1.1.0"}

	one := ask(t, c, identity.NPM, "@acme/notes", "1.1.0")
	require.Equal(t, []mcp.Release{{Version: "1.1.0", Hashes: []string{"sha512-bbbb"}}}, one.Releases)

	// Of one that is deprecated the others are returned, too.
	require.Len(t, ask(t, c, identity.NPM, "@acme/notes", "1.0.0").Releases, 2)

	all := ask(t, c, identity.NPM, "@acme/notes", "")
	old.At = at("2026-01-02T00:00:00Z")
	require.Equal(t, "1.1.0", all.Latest)
	require.True(t, all.IsWhole)
	require.Equal(t, []mcp.Release{old, {Version: "1.1.0", At: at("2026-02-02T00:00:00Z"), Hashes: []string{"sha512-bbbb"}}}, all.Releases)

	// A version that is not there, of a package that is.
	absent := ask(t, c, identity.NPM, "@acme/notes", "9.9.9")
	require.True(t, absent.IsWhole)
	require.False(t, absent.IsUnknown)
	require.Nil(t, absent.Release("9.9.9"))

	require.True(t, ask(t, c, identity.NPM, "@acme/nobody-has-this", "1.0.0").IsUnknown)
	require.True(t, ask(t, c, identity.NPM, "empty", "").IsUnknown, "all its versions were taken away")
}

// TestNPMDeprecated knows the forms in which registries say that a version is
// deprecated, or not.
func TestNPMDeprecated(t *testing.T) {
	for written, want := range map[string]bool{`"old"`: true, `true`: true, `false`: false, `""`: false, `null`: false} {
		server := pages(t, map[string]string{
			"/notes/1.0.0": `{"version": "1.0.0", "deprecated": ` + written + `}`,
			"/notes":       `{"versions": {"1.0.0": {"deprecated": ` + written + `}}}`,
		})
		c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL}})
		require.Equal(t, want, ask(t, c, identity.NPM, "notes", "1.0.0").Releases[0].IsWithdrawn, written)
	}
}

// TestPyPI reads an index in JSON and one in HTML alike.
func TestPyPI(t *testing.T) {
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	forms := map[string]string{
		"application/vnd.pypi.simple.v1+json": `{"files": [
			{"filename": "mcp_notes-1.0.0-py3-none-any.whl", "hashes": {"sha256": "` + two + `"}, "yanked": "leaks"},
			{"filename": "mcp-notes-1.0.0.tar.gz", "hashes": {"sha256": "` + one + `"}, "yanked": "leaks"},
			{"filename": "mcp_notes-1.1.0.tar.gz", "hashes": {"sha256": "` + one + `"}, "yanked": false},
			{"filename": "mcp_notes-1.1.0.exe", "hashes": {}}]}`,
		"text/html; charset=utf-8": `<!DOCTYPE html><html><body>
			<a href="../../files/mcp_notes-1.0.0-py3-none-any.whl#sha256=` + two + `" data-yanked="leaks">a</a>
			<a data-yanked="leaks" href="../../files/mcp-notes-1.0.0.tar.gz#sha256=` + one + `">b</a><br/>
			<a href="mcp_notes-1.1.0.tar.gz#sha256=` + one + `">c</a></body></html>`,
	}
	for form, page := range forms {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/simple/mcp-notes/" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			w.Header().Set("Content-Type", form)
			_, _ = io.WriteString(w, page)
		})
		c := clientOf(registry.Sources{Environment: func(name string) string {
			if name == "PIP_INDEX_URL" {
				return server.URL + "/simple/"
			}
			return ""
		}})
		require.Equal(t, []mcp.Release{
			{Version: "1.0.0", Hashes: []string{"sha256:" + one, "sha256:" + two}, IsWithdrawn: true, Reason: "leaks"},
			{Version: "1.1.0", Hashes: []string{"sha256:" + one}},
		}, ask(t, c, identity.PyPI, "mcp-notes", "").Releases, form)
		require.True(t, ask(t, c, identity.PyPI, "nobody-has-this", "").IsUnknown)
	}
}

// TestPyPIIndexes searches every index that pip and uv would search: what the first one does
// not have may be there, and further versions of what it has.
func TestPyPIIndexes(t *testing.T) {
	page := func(version string) string {
		return `{"files": [{"filename": "notes-` + version + `.tar.gz", "hashes": {}}]}`
	}
	public := pages(t, map[string]string{"/notes/": page("1.0")})
	own := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("me:secret")):
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/simple/notes/", r.URL.Path == "/simple/corp-notes/":
			_, _ = io.WriteString(w, strings.ReplaceAll(page("2.0"), "notes-", r.URL.Path[len("/simple/"):len(r.URL.Path)-1]+"-"))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	netrc := []byte("machine 127.0.0.1\n  login me\n  password secret\ndefault login x password y\n")
	environment := func(name, value string) func(string) string {
		return func(asked string) string { return map[string]string{"PIP_INDEX_URL": public.URL, name: value}[asked] }
	}
	for said, sources := range map[string]registry.Sources{
		"PIP_EXTRA_INDEX_URL": {Environment: environment("PIP_EXTRA_INDEX_URL", own.URL+"/simple/")},
		"UV_INDEX":            {Environment: environment("UV_INDEX", "corp="+own.URL+"/simple")},
		"pip.conf":            {Pip: []byte("[global]\nindex-url = " + public.URL + "\nextra_index_url =\n    " + own.URL + "/simple\n[install]\nextra-index-url = http://127.0.0.1:1\n")},
		"uv.toml": {UV: []byte("[[index]]\nurl = '" + own.URL + "/simple'\n[[index]]\nurl = '" + public.URL + "'\ndefault = true\n" +
			"[[index]]\nurl = 'http://127.0.0.1:1'\nexplicit = true\n")},
	} {
		t.Run(said, func(t *testing.T) {
			sources.Netrc = netrc
			c := clientOf(sources)
			require.Equal(t, []mcp.Release{{Version: "1.0"}, {Version: "2.0"}}, ask(t, c, identity.PyPI, "notes", "").Releases)
			require.Equal(t, []mcp.Release{{Version: "2.0"}}, ask(t, c, identity.PyPI, "corp-notes", "").Releases)
			require.True(t, ask(t, c, identity.PyPI, "nobody-has-this", "").IsUnknown)
		})
	}

	// The settings name the one place that counts.
	c := clientOf(registry.Sources{Named: registry.Named{PyPI: public.URL}, Environment: environment("UV_INDEX", "http://127.0.0.1:1")})
	require.True(t, ask(t, c, identity.PyPI, "corp-notes", "").IsUnknown)
}

// TestPyPITimes takes the first file of a version as the time at which it was published.
func TestPyPITimes(t *testing.T) {
	server := pages(t, map[string]string{"/notes/": `{"files": [
		{"filename": "notes-1.0-py3-none-any.whl", "hashes": {}, "upload-time": "2026-03-02T10:00:00.5Z"},
		{"filename": "notes-1.0.tar.gz", "hashes": {}, "upload-time": "2026-03-01T10:00:00Z"}]}`})
	c := clientOf(registry.Sources{Named: registry.Named{PyPI: server.URL}})
	require.Equal(t, at("2026-03-01T10:00:00Z"), ask(t, c, identity.PyPI, "notes", "").Releases[0].At)
}

// TestNuGet reads registrations, whose hashes are in other documents.
func TestNuGet(t *testing.T) {
	hash := base64.StdEncoding.EncodeToString([]byte("what the package holds"))
	server := pages(t, map[string]string{
		"/v3/index.json": `{"resources": [{"@id": "HERE/old/", "@type": "RegistrationsBaseUrl"}, {"@id": "HERE/all/", "@type": "RegistrationsBaseUrl/3.6.0"}]}`,
		"/all/acme.notes/index.json": `{"items": [
			{"@id": "HERE/page1", "items": [{"catalogEntry": {"@id": "HERE/1.0.0", "id": "Acme.Notes", "version": "1.0.0+build", "published": "2026-01-02T00:00:00Z", "deprecation": {"message": "use 2"}}}]},
			{"@id": "HERE/page2"}]}`,
		"/page2": `{"items": [{"catalogEntry": {"@id": "HERE/2.0.0", "version": "2.0.0", "published": "1900-01-01T00:00:00Z", "listed": false}}]}`,
		"/1.0.0": `{"packageHash": "` + hash + `", "packageHashAlgorithm": "SHA512"}`,
	})
	c := clientOf(registry.Sources{Named: registry.Named{NuGet: server.URL + "/v3/index.json"}})
	require.Equal(t, []mcp.Release{
		{Version: "1.0.0", At: at("2026-01-02T00:00:00Z"), Hashes: []string{"sha512-" + hash}, IsWithdrawn: true, Reason: "use 2"},
		{Version: "2.0.0", IsWithdrawn: true},
	}, ask(t, c, identity.NuGet, "Acme.Notes", "1.0.0").Releases)
	require.Equal(t, "Acme.Notes", ask(t, c, identity.NuGet, "acme.notes", "1.0.0").Name)
	require.True(t, ask(t, c, identity.NuGet, "Acme.Nobody", "1.0.0").IsUnknown)
}

// TestNuGetTimes reads the times of feeds that leave out the zone, or the time.
func TestNuGetTimes(t *testing.T) {
	entry := func(version, at string) string {
		return `{"catalogEntry": {"version": "` + version + `", "published": "` + at + `"}}`
	}
	server := pages(t, map[string]string{
		"/index.json":           `{"resources": [{"@id": "HERE/all/", "@type": "RegistrationsBaseUrl"}]}`,
		"/all/notes/index.json": `{"items": [{"items": [` + entry("1.0.0", "2026-01-02T03:04:05.123") + `,` + entry("2.0.0", "") + `]}]}`,
	})
	c := clientOf(registry.Sources{Named: registry.Named{NuGet: server.URL + "/index.json"}})
	require.Equal(t, []mcp.Release{{Version: "1.0.0", At: at("2026-01-02T03:04:05.123Z")}, {Version: "2.0.0"}}, ask(t, c, identity.NuGet, "notes", "").Releases)
}

// TestServer reads the status of a server in the MCP registry.
func TestServer(t *testing.T) {
	version := func(version, status string) string {
		return fmt.Sprintf(`{"server": {"name": "io.github.acme/notes", "version": %q}, "_meta": {"io.modelcontextprotocol.registry/official": {"status": %q, "publishedAt": "2026-01-02T00:00:00Z"}}}`, version, status)
	}
	server := pages(t, map[string]string{
		"/v0.1/servers/io.github.acme%2Fnotes/versions/latest":                     version("2.0.0", "active"),
		"/v0.1/servers/io.github.acme%2Fnotes/versions/1.0.0?include_deleted=true": version("1.0.0", "deleted"),
	})
	c := clientOf(registry.Sources{Named: registry.Named{MCP: server.URL}})
	for _, test := range []struct {
		name, version string
		want          mcp.Published
	}{
		{"io.github.acme/notes", "", mcp.Published{Latest: "2.0.0", Releases: []mcp.Release{{Version: "2.0.0", At: at("2026-01-02T00:00:00Z")}}}},
		{"io.github.acme/notes", "1.0.0", mcp.Published{Latest: "1.0.0", Releases: []mcp.Release{{Version: "1.0.0", At: at("2026-01-02T00:00:00Z"), IsWithdrawn: true, Reason: "deleted"}}}},
		{"io.github.acme/notes", "3.0.0", mcp.Published{Latest: "2.0.0", IsWhole: true}},
		{"io.github.acme/none", "1.0.0", mcp.Published{IsUnknown: true, IsWhole: true}},
	} {
		got, err := c.Server(context.Background(), test.name, test.version)
		require.NoError(t, err)
		test.want.Registry = strings.TrimPrefix(server.URL, "http://")
		require.Equal(t, &test.want, got, test.name+" "+test.version)
	}
}

// TestAdvisories asks OSV once for many, and again where it has more pages.
func TestAdvisories(t *testing.T) {
	requests := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		var asked struct {
			Queries []struct {
				Package struct{ Ecosystem, Name string }
				Version string
				Page    string `json:"page_token"`
			}
		}
		require.NoError(t, json.NewDecoder(r.Body).Decode(&asked))
		var results []string
		for _, q := range asked.Queries {
			switch {
			case q.Page == "more":
				results = append(results, `{"vulns": [{"id": "GHSA-2"}]}`)
			case q.Package.Ecosystem == "npm" && q.Package.Name == "notes" && q.Version == "1.0.0":
				results = append(results, `{"vulns": [{"id": "GHSA-1"}], "next_page_token": "more"}`)
			default:
				results = append(results, `{}`)
			}
		}
		_, _ = io.WriteString(w, `{"results": [`+strings.Join(results, ",")+`]}`)
	})
	c := clientOf(registry.Sources{Named: registry.Named{OSV: server.URL}})
	known := []registry.Known{
		{Kind: identity.NPM, Name: "notes", Version: "1.0.0"},
		{Kind: identity.OCI, Name: "ghcr.io/acme/notes", Version: "1.0.0"},
		{Kind: identity.PyPI, Name: "notes", Version: "1.0.0"},
	}
	require.NoError(t, c.Advisories(context.Background(), known))
	require.Equal(t, []string{"GHSA-1", "GHSA-2"}, known[0].Advisories)
	require.Empty(t, known[1].Advisories)
	require.Empty(t, known[2].Advisories)
	require.Equal(t, 2, requests)
}

// TestImage takes the digest of the index of an image, with the token that the registry gives
// everyone.
func TestImage(t *testing.T) {
	const index = `{"schemaVersion": 2, "manifests": []}`
	var server *httptest.Server
	server = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/token":
			require.Equal(t, "repository:acme/notes:pull", r.URL.Query().Get("scope"))
			require.Equal(t, "registry, of images", r.URL.Query().Get("service"))
			_, _ = io.WriteString(w, `{"token": "for-everybody"}`)
		case r.Header.Get("Authorization") != "Bearer for-everybody":
			w.Header().Set("Www-Authenticate", `Bearer realm="`+server.URL+`/token",service="registry, of images"`)
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/v2/acme/notes/manifests/1.0":
			require.Contains(t, r.Header.Get("Accept"), "application/vnd.oci.image.index.v1+json")
			_, _ = io.WriteString(w, index)
		case r.URL.Path == "/v2/acme/notes/tags/list":
			_, _ = io.WriteString(w, `{}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	host := strings.TrimPrefix(server.URL, "http://")
	c := clientOf(registry.Sources{})
	// The digest was made with sha256sum.
	require.Equal(t, []mcp.Release{{Version: "1.0", Hashes: []string{"sha256:0a4be3fb1364bd1528d01ef54e2d12aa989d343f6f2fbe996e150a28e2b4a580"}}},
		ask(t, c, identity.OCI, host+"/acme/notes", "1.0").Releases)
	missing := ask(t, c, identity.OCI, host+"/acme/notes", "2.0")
	require.False(t, missing.IsUnknown)
	require.True(t, missing.IsWhole)
}

// TestFaults holds that each way in which a registry can fail is a sentence about its
// host, and that what may pass is asked again.
func TestFaults(t *testing.T) {
	respond := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	elsewhere := serve(t, respond(200, `{"version": "1.0.0"}`))
	token := "npm_" + strings.Repeat("a1B2", 9)
	encrypted := serveTLS(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, nil)
	stranger := serveTLS(t, respond(200, `{}`), ownCertificate(t))
	gone := httptest.NewServer(nil)
	gone.Close()
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	hold := func(r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}
	first := func(status int, header ...string) http.HandlerFunc {
		var asked atomic.Int32
		return func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) > 1 {
				_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
				return
			}
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
		}
	}
	tests := map[string]struct {
		handler http.HandlerFunc
		base    string // instead of a server with the handler
		want    string // of the error, "" for an answer
		limits  registry.Timeouts
	}{
		"refused":      {base: gone.URL, want: "connection refused"},
		"slow headers": {limits: registry.Timeouts{Answer: 100 * time.Millisecond}, handler: func(_ http.ResponseWriter, r *http.Request) { hold(r) }, want: "it does not answer in time"},
		"slow body": {limits: registry.Timeouts{Whole: 300 * time.Millisecond}, handler: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"ver`)
			w.(http.Flusher).Flush()
			hold(r)
		}, want: "it does not answer in time"},
		"broken body": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{`)
		}, want: "the connection ends before the answer does"},
		"too many":          {handler: first(429, "Retry-After", "7")},
		"too many for ever": {handler: respond(429, ""), want: "it received too many requests (429)"},
		"wait a day":        {handler: first(429, "Retry-After", "86400"), want: "it received too many requests (429)"},
		"secondary limit":   {handler: first(403, "Retry-After", "7")},
		"500 then 200":      {handler: first(500)},
		"500":               {handler: respond(500, ""), want: "it cannot answer now (500)"},
		"401":               {handler: respond(401, ""), want: "it refuses access (401), and the login that was sent may have expired: write a token for it into the .npmrc of your home directory, as npm needs one"},
		"403":               {handler: respond(403, ""), want: "it refuses access (403), and the login that was sent may have expired: write a token for it into the .npmrc of your home directory, as npm needs one"},
		"teapot":            {handler: respond(418, ""), want: "it answers 418"},
		"no JSON":           {handler: respond(200, "<html>sign in</html>"), want: "its answer is not valid for such a registry"},
		"another host": {handler: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusFound)
		}},
		"round and round": {handler: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, want: "the answer redirects too often"},
		"without end": {handler: func(w http.ResponseWriter, _ *http.Request) {
			for chunk := []byte(strings.Repeat(" ", 1<<20)); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, want: "its answer is longer than 64 MB"},
		"no trust":              {base: stranger.URL, want: "its certificate is signed by an unknown authority"},
		"another name":          {base: strings.Replace(encrypted.URL, "127.0.0.1", "localhost", 1), want: "its certificate is that of another host"},
		"without encryption":    {base: strings.Replace(elsewhere.URL, "http:", "https:", 1), want: "it answers without encryption"},
		"out of the encryption": {base: encrypted.URL, want: "the answer points to a place without encryption"},
		"its own scheme": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "ftp://"+token)
			w.WriteHeader(302)
		}, want: "the answer points to what is no web address"},
		"no address": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://["+token)
			w.WriteHeader(302)
		}, want: "it does not answer as a web server does"},
		"no web server": {handler: func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(connection, "220 "+token+" at your service\r\n\r\n")
				_ = connection.Close()
			}
		}, want: "it does not answer as a web server does"},
		"endless head": {handler: func(w http.ResponseWriter, _ *http.Request) {
			for i := range 40 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1<<16))
			}
		}, want: "it does not answer as a web server does"},
		"no documents of versions": {handler: func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/1.0.0") {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			_, _ = io.WriteString(w, packument)
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := test.base
			if base == "" {
				base = serve(t, test.handler).URL
			}
			c := registry.New(registry.Options{
				Places: registry.NewPlaces(registry.Sources{
					Environment: func(string) string { return "" },
					UserNPM:     []byte("registry=" + base + "\n//" + base[strings.Index(base, "//")+2:] + "/:_authToken=" + token),
				}),
				Timeouts: registry.Timeouts{
					Connect: time.Minute, Answer: cmp.Or(test.limits.Answer, time.Minute), Whole: cmp.Or(test.limits.Whole, time.Minute),
				},
				Wait: func(context.Context, time.Duration) error { return nil },
			})
			published, err := c.Ask(context.Background(), mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "1.0.0"})
			if test.want == "" {
				require.NoError(t, err)
				require.NotNil(t, published.Release("1.0.0"))
				return
			}
			var failed *registry.Error
			require.True(t, errors.As(err, &failed), "%v", err)
			require.Equal(t, base[strings.Index(base, "//")+2:], failed.Registry)
			require.Contains(t, failed.Reason, test.want)
			require.NotContains(t, err.Error(), token)
		})
	}
}

// TestMain makes this machine trust the certificate of httptest, once for all tests.
func TestMain(m *testing.M) {
	server := httptest.NewTLSServer(nil)
	server.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(dir, "trusted.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := errors.Join(os.WriteFile(file, content, 0o600), os.Setenv("SSL_CERT_FILE", file)); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// serveTLS is serve with encryption, and with a certificate that is not the usual one.
func serveTLS(t *testing.T, handler http.HandlerFunc, certificate *tls.Certificate) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if certificate != nil {
		server.TLS = &tls.Config{Certificates: []tls.Certificate{*certificate}}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// ownCertificate is a self-signed one.
func ownCertificate(t *testing.T) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	content, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	require.NoError(t, err)
	return &tls.Certificate{Certificate: [][]byte{content}, PrivateKey: key}
}

// TestProxies asks through the proxy that the environment names, and says of one that
// does not let it through that it is the proxy, without what its address has in it.
func TestProxies(t *testing.T) {
	const password = "a password of a test"
	held := make(chan struct{})
	var asked atomic.Int32
	proxy := func(answer http.HandlerFunc) *httptest.Server {
		return serve(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); answer(w, r) })
	}
	refusing := proxy(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) })
	hanging := proxy(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	})
	answering := proxy(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host == "npm.example.invalid" {
			_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
		}
	})
	gone := httptest.NewServer(nil)
	gone.Close()
	t.Cleanup(func() { close(held) }) // before the servers wait for what they answer
	as := func(server *httptest.Server) string {
		return strings.Replace(server.URL, "//", "//me:"+url.PathEscape(password)+"@", 1)
	}
	for name, test := range map[string]struct {
		registry    string
		environment map[string]string
		want        string // of the error, "" for an answer
		isAsked     bool
	}{
		"answers":    {"http://npm.example.invalid", map[string]string{"HTTP_PROXY": as(answering)}, "", true},
		"lower case": {"http://npm.example.invalid", map[string]string{"http_proxy": as(answering)}, "", true},
		"refuses":    {"https://npm.example.invalid", map[string]string{"HTTPS_PROXY": as(refusing)}, "the proxy " + strings.TrimPrefix(refusing.URL, "http://") + " refuses access (407)", true},
		"hangs":      {"https://npm.example.invalid", map[string]string{"HTTPS_PROXY": as(hanging)}, "it does not answer in time", true},
		"is gone":    {"https://npm.example.invalid", map[string]string{"HTTPS_PROXY": as(gone)}, "the proxy in between: connect: connection refused", false},
		// The name does not exist, so that a request to it fails.
		"goes past":   {"https://npm.example.invalid", map[string]string{"HTTPS_PROXY": as(answering), "NO_PROXY": "example.invalid"}, "name", false},
		"past itself": {pages(t, map[string]string{"/notes/1.0.0": `{"version": "1.0.0"}`}).URL, map[string]string{"HTTP_PROXY": as(gone)}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			asked.Store(0)
			for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"} {
				t.Setenv(name, test.environment[name])
			}
			choose := httpproxy.FromEnvironment().ProxyFunc() // what http.ProxyFromEnvironment remembers
			c := registry.New(registry.Options{
				Places:   registry.NewPlaces(registry.Sources{Named: registry.Named{NPM: test.registry}, Environment: func(string) string { return "" }}),
				Proxy:    choose,
				Timeouts: registry.Timeouts{Connect: time.Minute, Answer: time.Minute, Whole: 2 * time.Second},
				Wait:     func(context.Context, time.Duration) error { return nil },
			})
			published, err := c.Ask(t.Context(), mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "1.0.0"})
			require.Equal(t, test.isAsked, asked.Load() > 0)
			if test.want == "" {
				require.NoError(t, err)
				require.NotNil(t, published.Release("1.0.0"))
				return
			}
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), password[:4])
		})
	}
}

// TestHostileAnswers checks that only versions and hashes get through, and that an answer
// which is not a registry's is reported as such.
func TestHostileAnswers(t *testing.T) {
	const noAnswer = "its answer is not valid for such a registry"
	many := make([]string, 100_000)
	for i := range many {
		many[i] = fmt.Sprintf(`"1.0.%d": {}`, i)
	}
	for name, test := range map[string]struct {
		page string
		want []string // versions
		err  string
	}{
		"a version that is a number": {page: `{"version": 1}`, err: noAnswer},
		"versions in a list":         {page: `{"versions": ["1.0.0"]}`, err: noAnswer},
		"latest is an object":        {page: `{"dist-tags": {"latest": {}}, "versions": {"1.0.0": {}}}`, err: noAnswer},
		"nothing":                    {page: ``, err: noAnswer},
		"too deep":                   {page: strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), err: noAnswer},
		"versions that are none": {page: `{"dist-tags": {"latest": "2.0.0\u001b[2J"}, "versions": {"1.0.0": {}, "1.0.1\n::error::x": {}, "": {}, "1.0.2 || 9": {}, "` +
			strings.Repeat("9", 300) + `": {}}}`, want: []string{"1.0.0"}},
		"hashes that are none": {page: `{"versions": {"1.0.0": {"dist": {"integrity": "sha512-\u0000\n"}}}}`, want: []string{"1.0.0"}},
		"times that are none":  {page: `{"time": {"1.0.0": 7, "1.0.1": {"a": []}}, "versions": {"1.0.0": null, "1.0.1": {}}}`, want: []string{"1.0.0", "1.0.1"}},
		"a great many":         {page: `{"versions": {` + strings.Join(many, ",") + `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := clientOf(registry.Sources{Named: registry.Named{NPM: pages(t, map[string]string{"/notes": test.page}).URL}})
			published, err := c.Ask(t.Context(), mcp.Wanted{Kind: identity.NPM, Name: "notes"})
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			if test.want == nil {
				require.Len(t, published.Releases, len(many))
				return
			}
			var versions []string
			for _, r := range published.Releases {
				versions = append(versions, r.Version)
				require.Empty(t, r.Hashes)
				require.Zero(t, r.At)
			}
			require.Equal(t, test.want, versions)
			require.Empty(t, published.Latest)
		})
	}
}

// TestOtherPages checks that another page, such as the sign-in page of a network, is not taken
// for an answer: least of all for a missing package, or for the digest of an image.
func TestOtherPages(t *testing.T) {
	for _, page := range []string{"<!DOCTYPE html><title>Sign in</title><a href='/help/sign-in.zip'>Help</a>", `{"error": "sign in"}`, `[]`, `null`} {
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if page[0] != '<' {
				w.Header().Set("Content-Type", "application/json")
			}
			_, _ = io.WriteString(w, page)
		})
		c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL, PyPI: server.URL, NuGet: server.URL, MCP: server.URL, OSV: server.URL, PML: server.URL}})
		for _, w := range []mcp.Wanted{
			{Kind: identity.NPM, Name: "notes"}, {Kind: identity.NPM, Name: "notes", Version: "1.0.0"},
			{Kind: identity.PyPI, Name: "notes"}, {Kind: identity.NuGet, Name: "notes"},
			{Kind: identity.OCI, Name: strings.TrimPrefix(server.URL, "http://") + "/acme/notes", Version: "1"},
		} {
			published, err := c.Ask(t.Context(), w)
			require.Error(t, err, "%s: %v", page, w)
			require.Nil(t, published)
		}
		_, err := c.Server(t.Context(), "io.github.acme/notes", "")
		require.Error(t, err, page)
		_, err = c.Tool(t.Context(), mcp.WantedTool{Name: "pml.mcp.notes.read"})
		require.Error(t, err, page)
		require.Error(t, c.Advisories(t.Context(), []registry.Known{{Kind: identity.NPM, Name: "notes", Version: "1.0.0"}}), page)
	}
}

// TestHostileFeeds checks that neither a feed of NuGet nor OSV can cause endless requests, or
// requests without encryption.
func TestHostileFeeds(t *testing.T) {
	asked := 0
	feed := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch here := "http://" + r.Host; r.URL.Path {
		case "/v3/index.json":
			_, _ = io.WriteString(w, `{"resources": [{"@id": "`+here+`/all/", "@type": "RegistrationsBaseUrl/3.6.0"}]}`)
		case "/all/pages/index.json":
			_, _ = io.WriteString(w, `{"items": [`+strings.TrimSuffix(strings.Repeat(`{"@id": "`+here+`/page"},`, 10_000), ",")+`]}`)
		case "/all/file/index.json":
			_, _ = io.WriteString(w, `{"items": [{"@id": "file:///etc/passwd"}]}`)
		case "/v1/querybatch":
			_, _ = io.WriteString(w, fmt.Sprintf(`{"results": [{"vulns": [{"id": "GHSA-1"}, {"id": "x\u001b[2J"}], "next_page_token": "%d"}]}`, asked))
		}
	})
	c := clientOf(registry.Sources{Named: registry.Named{NuGet: feed.URL + "/v3/index.json", OSV: feed.URL}})
	for name, want := range map[string]string{"pages": "its answer is not valid for such a registry", "file": "its address cannot be used"} {
		asked = 0
		_, err := c.Ask(t.Context(), mcp.Wanted{Kind: identity.NuGet, Name: name})
		require.ErrorContains(t, err, want)
		require.LessOrEqual(t, asked, 3)
	}
	asked = 0
	known := []registry.Known{{Kind: identity.NPM, Name: "notes", Version: "1.0.0"}}
	require.ErrorContains(t, c.Advisories(t.Context(), known), "its pages do not end")
	require.Less(t, asked, 30)
	require.NotContains(t, strings.Join(known[0].Advisories, ""), "\x1b")

	encrypted := serveTLS(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"resources": [{"@id": "`+feed.URL+`/all/", "@type": "RegistrationsBaseUrl/3.6.0"}]}`)
	}, nil)
	asked = 0
	_, err := clientOf(registry.Sources{Named: registry.Named{NuGet: encrypted.URL}}).Ask(t.Context(), mcp.Wanted{Kind: identity.NuGet, Name: "notes"})
	require.ErrorContains(t, err, "without encryption")
	require.Zero(t, asked)
}

// TestNoTokenElsewhere holds that a token goes to the host that it is for, and to no
// other that this one points to.
func TestNoTokenElsewhere(t *testing.T) {
	var seen []string
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization")+r.Header.Get("Referer"))
		_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
	})
	own := serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusFound)
	})
	c := clientOf(registry.Sources{UserNPM: []byte("registry=" + own.URL + "\n" + strings.TrimPrefix(own.URL, "http:") + "/:_authToken=secret\n")})
	require.NotNil(t, ask(t, c, identity.NPM, "notes", "1.0.0").Release("1.0.0"))
	require.Equal(t, []string{""}, seen)
}

// TestProjectCannotTakeTokens holds that the .npmrc of a repository says where
// registries are, and can have no variable sent there.
func TestProjectCannotTakeTokens(t *testing.T) {
	var seen []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
	})
	c := clientOf(registry.Sources{
		Environment: func(name string) string { return map[string]string{"NPM_TOKEN": "secret"}[name] },
		ProjectNPM:  []byte("@acme:registry=" + server.URL + "\n" + strings.TrimPrefix(server.URL, "http:") + "/:_authToken=${NPM_TOKEN}\n"),
	})
	require.NotNil(t, ask(t, c, identity.NPM, "@acme/notes", "1.0.0").Release("1.0.0"))
	require.Equal(t, []string{""}, seen)
}

// TestNoTokenWithoutEncryption checks that a repository cannot have a user's token sent
// without encryption, by naming the user's registry so: anyone on the way could read it. Users
// who name it so themselves are logged in.
func TestNoTokenWithoutEncryption(t *testing.T) {
	const npm, pypi = "http://npm.example.invalid", "http://pypi.example.invalid/simple"
	for name, test := range map[string]struct {
		sources registry.Sources
		kind    identity.Kind
		isSent  bool
	}{
		"settings":         {registry.Sources{Named: registry.Named{NPM: npm}}, identity.NPM, false},
		".npmrc":           {registry.Sources{ProjectNPM: []byte("registry=" + npm)}, identity.NPM, false},
		"scope":            {registry.Sources{ProjectNPM: []byte("@acme:registry=" + npm)}, identity.NPM, false},
		"index":            {registry.Sources{Named: registry.Named{PyPI: pypi}}, identity.PyPI, false},
		"the user's npm":   {registry.Sources{UserNPM: []byte("registry=" + npm)}, identity.NPM, true},
		"the user's scope": {registry.Sources{UserNPM: []byte("@acme:registry=" + npm)}, identity.NPM, true},
		"both":             {registry.Sources{Named: registry.Named{NPM: npm}, UserNPM: []byte("registry=" + npm)}, identity.NPM, true},
		"npm's own":        {registry.Sources{DefaultNPM: func() string { return npm }}, identity.NPM, true},
		"the user's pip":   {registry.Sources{Pip: []byte("[global]\nindex-url = " + pypi)}, identity.PyPI, true},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
				seen = append(seen, r.Header.Get("Authorization"))
				w.WriteHeader(http.StatusUnauthorized)
			})
			test.sources.Environment = func(name string) string { return map[string]string{"HTTP_PROXY": proxy.URL}[name] }
			test.sources.UserNPM = append(test.sources.UserNPM, "\n//npm.example.invalid/:_authToken=secret\n"...)
			test.sources.Netrc = []byte("machine pypi.example.invalid login me password secret")
			_, err := clientOf(test.sources).Ask(t.Context(), mcp.Wanted{Kind: test.kind, Name: "@acme/notes"})
			require.Equal(t, test.isSent, seen[0] != "")
			if !test.isSent {
				require.ErrorContains(t, err, "it has no encryption, so it gets no token")
			}
		})
	}
}

// TestSilentHostIsAskedOnce holds that a registry which does not answer costs its
// time-out once, not once for each package.
func TestSilentHostIsAskedOnce(t *testing.T) {
	var asked atomic.Int32
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	})
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL}})
	for i := range 20 {
		_, err := c.Ask(context.Background(), mcp.Wanted{Kind: identity.NPM, Name: fmt.Sprint("notes", i)})
		require.ErrorContains(t, err, "it cannot answer now (502)")
	}
	require.Equal(t, int32(3), asked.Load())
}

// TestManyAreSilent checks that a repository cannot cause endless waiting for hosts, nor
// endless requests: one line reports what was left out.
func TestManyAreSilent(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	port := gone.URL[strings.LastIndexByte(gone.URL, ':'):]
	doc := &mcp.Document{}
	for i := range 100 {
		doc.Servers = append(doc.Servers, &mcp.Server{Identity: identity.Identity{
			Kind: identity.OCI, Name: fmt.Sprintf("127.0.1.%d%s/acme/notes", i+1, port), Version: identity.Version{Kind: identity.Tag, Text: "1"},
		}})
	}
	for i := range 20_100 {
		doc.Servers = append(doc.Servers, &mcp.Server{Identity: identity.Identity{Kind: identity.PyPI, Name: fmt.Sprint("notes", i)}})
	}
	repo := &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{doc}}}}
	silences, err := clientOf(registry.Sources{Named: registry.Named{PyPI: gone.URL}}).Fill(t.Context(), repo, time.Time{})
	require.NoError(t, err)
	require.Less(t, len(silences), 40)
	require.Contains(t, silences[0].String(), " more)")
	require.Contains(t, silences[0].String(), "mcplumb looks up only the first 20000 (for notes")
	require.Contains(t, silences[1].String(), "too many registries do not answer, so mcplumb queries no others (for 127.0.1.")
	require.Empty(t, repo.Registries.Packages)
}

// TestMostQuestions asks about 20,000 packages and as many servers, and says of how many more it
// does not. A registry that cannot answer now is asked once, and its answer is that to all
// questions.
func TestMostQuestions(t *testing.T) {
	silent := func(status int) string {
		return serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }).URL
	}
	doc := &mcp.Document{}
	for i := range 20_003 {
		s := &mcp.Server{Identity: identity.Identity{Kind: identity.PyPI, Name: fmt.Sprintf("notes%05d", i)}}
		s.EnsureExtra().Registry.Text = fmt.Sprintf("io.github.acme/notes%05d", i)
		doc.Servers = append(doc.Servers, s)
	}
	repo := &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{doc}}}}
	c := clientOf(registry.Sources{Named: registry.Named{PyPI: silent(http.StatusBadGateway), MCP: silent(http.StatusServiceUnavailable)}})
	silences, err := c.Fill(t.Context(), repo, time.Time{})
	require.NoError(t, err)
	questions := map[string]int{}
	for _, s := range silences {
		questions[s.Reason] = 1 + s.More
	}
	require.Equal(t, map[string]int{
		"it cannot answer now (502)": 20_000, "it cannot answer now (503)": 20_000, "mcplumb looks up only the first 20000": 3 + 3,
	}, questions)
}

// TestOneBadAnswer checks that after one unusable answer, a registry is still asked for the
// others.
func TestOneBadAnswer(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/bad") {
			w.Header().Set("Location", "ftp://files.example.com")
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
	})
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL}})
	_, err := c.Ask(t.Context(), mcp.Wanted{Kind: identity.NPM, Name: "bad", Version: "1.0.0"})
	require.ErrorContains(t, err, "the answer points to what is no web address")
	require.NotNil(t, ask(t, c, identity.NPM, "notes", "1.0.0").Release("1.0.0"))
}

// TestAtOnce holds that a host is asked at most four things at once.
func TestAtOnce(t *testing.T) {
	var now, most atomic.Int32
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
		}
		_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
		now.Add(-1)
	})
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL}})
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			_, err := c.Ask(context.Background(), mcp.Wanted{Kind: identity.NPM, Name: fmt.Sprint("notes", i), Version: "1.0.0"})
			require.NoError(t, err)
		})
	}
	group.Wait()
	require.LessOrEqual(t, most.Load(), int32(4))
}

// TestCancelled holds that nothing waits once a run is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL}})
	_, err := c.Ask(ctx, mcp.Wanted{Kind: identity.NPM, Name: "notes"})
	require.ErrorIs(t, err, context.Canceled)
}

// TestStopped checks that answers from before the run was stopped are kept.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/fast") {
			_, _ = io.WriteString(w, `{"version": "1.0.0", "results": [{}]}`)
			return
		}
		stop()
		<-r.Context().Done()
	})
	started := func(names ...string) *mcp.Repo {
		doc := &mcp.Document{}
		for _, name := range names {
			doc.Servers = append(doc.Servers, &mcp.Server{Identity: identity.Identity{
				Kind: identity.NPM, Name: name, Version: identity.Version{Kind: identity.Exact, Text: "1.0.0"},
			}})
		}
		return &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{doc}}}}
	}
	c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL, OSV: server.URL + "/fast"}})
	_, err := c.Fill(ctx, started("fast"), time.Time{})
	require.NoError(t, err)

	repo := started("fast", "slow")
	silences, err := c.Fill(ctx, repo, time.Time{})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, silences, "who was not waited for is not called silent")
	require.Len(t, repo.Registries.Packages, 1)
	require.NotNil(t, repo.Registries.Packages[mcp.Wanted{Kind: identity.NPM, Name: "fast", Version: "1.0.0"}])
}

// TestDockerHelpers says where docker keeps a login, and starts no program for it.
func TestDockerHelpers(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Www-Authenticate", `Basic realm="images"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	host := strings.TrimPrefix(server.URL, "http://")
	for config, want := range map[string]string{
		`{}`: "it refuses access (401): log in to it with docker login",
		`{"credsStore": "desktop"}`: "docker keeps the login in docker-credential-desktop, which mcplumb does not run: write it into auths of a config.json, " +
			"and set DOCKER_CONFIG to the directory of that",
		`{"credsStore": "desktop", "credHelpers": {"` + host + `": "corp"}}`: "docker-credential-corp",
	} {
		_, err := clientOf(registry.Sources{Docker: []byte(config)}).Ask(t.Context(), mcp.Wanted{Kind: identity.OCI, Name: host + "/acme/notes", Version: "1"})
		require.ErrorContains(t, err, want)
	}
}

// TestUnsetToken asks anonymously where a token is a variable that is not set.
func TestUnsetToken(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Empty(t, r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"version": "1.0.0"}`)
	})
	c := clientOf(registry.Sources{UserNPM: []byte("registry=" + server.URL + "\n" + strings.TrimPrefix(server.URL, "http:") + "/:_authToken=${NPM_TOKEN}\n")})
	require.NotNil(t, ask(t, c, identity.NPM, "notes", "1.0.0").Release("1.0.0"))
}

// BenchmarkFill asks about 500 servers, a sixth of them each of npm, PyPI, NuGet, a registry
// of images, the MCP registry and PML's, which are one server that answers after 5 ms. It must
// stay below 3 s.
func BenchmarkFill(b *testing.B) {
	var here string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		last := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		_, _ = io.WriteString(w, `{"version": "1.0.0", "files": [], "schemaVersion": 2, "fqdn": "`+last+`", "integrity": "tool:a7f3", "server": {"version": "1.0.0"},
			"items": [{"items": [{"catalogEntry": {"@id": "`+here+`/hash", "version": "1.0.0"}}]}], "resources": [{"@id": "`+here+`/all", "@type": "RegistrationsBaseUrl/3.6.0"}],
			"results": [`+strings.TrimSuffix(strings.Repeat("{},", 252), ",")+`]}`)
	}))
	defer server.Close()
	here = server.URL
	doc, locked := &mcp.Document{}, &mcp.Document{Tool: &mcp.Tool{PerTool: true}, Lock: &mcp.Lock{}}
	for i := range 84 {
		name := fmt.Sprint("notes", i)
		for kind, name := range map[identity.Kind]string{
			identity.NPM: name, identity.PyPI: name, identity.NuGet: name, identity.OCI: strings.TrimPrefix(here, "http://") + "/acme/" + name,
		} {
			version := identity.Version{Kind: identity.Exact, Text: "1.0.0"}
			if kind == identity.OCI {
				version = identity.Version{Kind: identity.Tag, Text: "1"}
			}
			doc.Servers = append(doc.Servers, &mcp.Server{Identity: identity.Identity{Kind: kind, Name: name, Version: version}})
		}
		registered := &mcp.Server{}
		registered.EnsureExtra().Registry.Text = "io.github.acme/" + name
		doc.Servers = append(doc.Servers, registered)
		full := "pml.mcp." + name + ".read"
		locked.Lock.Entries = append(locked.Lock.Entries, &mcp.LockEntry{
			Name: full, Document: locked, Tools: mcp.LockedTools{FullName: full, NameHash: identity.Word{Text: "a7f3"}},
		})
	}
	repo := &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{doc, locked}}}}
	for b.Loop() {
		c := clientOf(registry.Sources{Named: registry.Named{NPM: here, PyPI: here, NuGet: here, MCP: here, OSV: here, PML: here}})
		silences, err := c.Fill(context.Background(), repo, time.Time{})
		require.NoError(b, err)
		require.Empty(b, silences)
		require.Len(b, repo.Registries.Packages, 4*84)
		require.Len(b, repo.Registries.Servers, 84)
		require.Len(b, repo.Registries.Tools, 84)
	}
}
