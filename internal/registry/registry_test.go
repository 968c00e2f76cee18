package registry_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// clientOf asks with these settings and an environment of nothing. Its pauses are none.
func clientOf(s registry.Sources) *registry.Client {
	if s.Environment == nil {
		s.Environment = func(string) string { return "" }
	}
	return registry.New(registry.Options{
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

	// Of one that is deprecated the others are told, too.
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

// TestPyPIIndexes looks into every index that pip and uv would look into: what the first
// one does not have may be there, and further versions of what it has.
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

// TestNuGet reads registrations, whose hashes stand elsewhere.
func TestNuGet(t *testing.T) {
	hash := base64.StdEncoding.EncodeToString([]byte("what the package holds"))
	server := pages(t, map[string]string{
		"/v3/index.json": `{"resources": [{"@id": "HERE/old/", "@type": "RegistrationsBaseUrl"}, {"@id": "HERE/all/", "@type": "RegistrationsBaseUrl/3.6.0"}]}`,
		"/all/acme.notes/index.json": `{"items": [
			{"@id": "HERE/page1", "items": [{"catalogEntry": {"@id": "HERE/1.0.0", "version": "1.0.0+build", "published": "2026-01-02T00:00:00Z", "deprecation": {"message": "use 2"}}}]},
			{"@id": "HERE/page2"}]}`,
		"/page2": `{"items": [{"catalogEntry": {"@id": "HERE/2.0.0", "version": "2.0.0", "published": "1900-01-01T00:00:00Z", "listed": false}}]}`,
		"/1.0.0": `{"packageHash": "` + hash + `", "packageHashAlgorithm": "SHA512"}`,
	})
	c := clientOf(registry.Sources{Named: registry.Named{NuGet: server.URL + "/v3/index.json"}})
	require.Equal(t, []mcp.Release{
		{Version: "1.0.0", At: at("2026-01-02T00:00:00Z"), Hashes: []string{"sha512-" + hash}, IsWithdrawn: true, Reason: "use 2"},
		{Version: "2.0.0", IsWithdrawn: true},
	}, ask(t, c, identity.NuGet, "Acme.Notes", "1.0.0").Releases)
	require.True(t, ask(t, c, identity.NuGet, "Acme.Nobody", "1.0.0").IsUnknown)
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

// TestImage takes the digest of the index of an image, with the token that the registry
// gives everybody.
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
	encrypted := httptest.NewUnstartedServer(respond(200, `{}`))
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
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
		"too many for ever": {handler: respond(429, ""), want: "too much was asked of it (429)"},
		"wait a day":        {handler: first(429, "Retry-After", "86400"), want: "too much was asked of it (429)"},
		"secondary limit":   {handler: first(403, "Retry-After", "7")},
		"500 then 200":      {handler: first(500)},
		"500":               {handler: respond(500, ""), want: "it cannot answer now (500)"},
		"401":               {handler: respond(401, ""), want: "it does not let mcplumb look (401): give it a token, as its own client needs one"},
		"403":               {handler: respond(403, ""), want: "it does not let mcplumb look (403): give it a token, as its own client needs one"},
		"teapot":            {handler: respond(418, ""), want: "it answers 418"},
		"no JSON":           {handler: respond(200, "<html>sign in</html>"), want: "its answer is not what such a registry says"},
		"another host": {handler: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusFound)
		}},
		"round and round": {handler: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, want: "the answer points elsewhere again and again"},
		"without end": {handler: func(w http.ResponseWriter, _ *http.Request) {
			for chunk := []byte(strings.Repeat(" ", 1<<20)); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, want: "its answer is longer than 64 MB"},
		"no trust": {base: encrypted.URL, want: "certificate"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := test.base
			if base == "" {
				base = serve(t, test.handler).URL
			}
			token := "npm_" + strings.Repeat("a1B2", 9)
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

// TestCancelled holds that nobody waits once a run is given up.
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

// BenchmarkFill asks about 500 packages at a registry that answers after 5 ms.
func BenchmarkFill(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(5 * time.Millisecond)
		_, _ = io.WriteString(w, `{"version": "1.0.0", "results": [`+strings.TrimSuffix(strings.Repeat("{},", 500), ",")+`]}`)
	}))
	defer server.Close()
	repo := &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{{}}}}}
	for i := range 500 {
		repo.Projects[0].Documents[0].Servers = append(repo.Projects[0].Documents[0].Servers, &mcp.Server{Identity: identity.Identity{
			Kind: identity.NPM, Name: fmt.Sprint("notes", i), Version: identity.Version{Kind: identity.Exact, Text: "1.0.0"},
		}})
	}
	for b.Loop() {
		c := clientOf(registry.Sources{Named: registry.Named{NPM: server.URL, OSV: server.URL}})
		silences, err := c.Fill(context.Background(), repo, time.Time{})
		require.NoError(b, err)
		require.Empty(b, silences)
		require.Len(b, repo.Registries.Packages, 500)
	}
}
