package registry_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/registry"
)

// shelf is a registry.Store in memory.
type shelf map[string]string

func (s shelf) Load(name string) ([]byte, error) {
	content, found := s[name]
	if !found {
		return nil, fs.ErrNotExist
	}
	return []byte(content), nil
}

func (s shelf) Save(name string, content []byte) error {
	s[name] = string(content)
	return nil
}

// asking is a client that keeps the answers it gets, and what it was asked.
type asking struct {
	shelf   shelf
	now     time.Time
	notes   []string
	sources registry.Sources
}

// fill asks in a run of its own about one package, and returns what is known of it.
func (a *asking) fill(t *testing.T, w mcp.Wanted) *mcp.Published {
	t.Helper()
	a.sources.Environment = func(string) string { return "" }
	c := registry.New(registry.Options{
		Places: registry.NewPlaces(a.sources), Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Agent: "mcplumb/test",
		Store: a.shelf, Now: func() time.Time { return a.now }, Note: func(sentence string) { a.notes = append(a.notes, sentence) },
	})
	id := identity.Identity{Kind: w.Kind, Name: w.Name}
	if w.Version != "" {
		id.Version = identity.Version{Kind: identity.Exact, Text: w.Version}
		if w.Kind == identity.OCI {
			id.Version.Kind = identity.Tag
		}
	}
	repo := &mcp.Repo{Projects: []*mcp.Project{{Documents: []*mcp.Document{{Servers: []*mcp.Server{{Name: "notes", Identity: id}}}}}}}
	_, err := c.Fill(context.Background(), repo, time.Time{})
	require.NoError(t, err)
	require.NoError(t, c.Unsaved())
	return repo.Registries.Packages[w]
}

// TestCache holds how long an answer is used again: of one version a day, of all versions
// and of a tag an hour.
func TestCache(t *testing.T) {
	asked := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/querybatch" {
			asked++
		}
		switch r.URL.Path {
		case "/notes/1.0.0":
			_, _ = w.Write([]byte(`{"version": "1.0.0", "dist": {"integrity": "sha512-aaaa"}}`))
		case "/notes":
			_, _ = w.Write([]byte(packument))
		case "/v2/acme/notes/manifests/1":
			_, _ = w.Write([]byte(`{"schemaVersion": 2}`))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	image := strings.TrimPrefix(server.URL, "http://") + "/acme/notes"
	for _, test := range []struct {
		wanted mcp.Wanted
		kept   time.Duration
	}{
		{mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "1.0.0"}, 24 * time.Hour},
		{mcp.Wanted{Kind: identity.NPM, Name: "notes"}, time.Hour},
		{mcp.Wanted{Kind: identity.OCI, Name: image, Version: "1"}, time.Hour},
	} {
		began := at("2026-05-01T12:00:00Z")
		a := &asking{shelf: shelf{}, now: began, sources: registry.Sources{Named: registry.Named{NPM: server.URL, OSV: server.URL}}}
		first := a.fill(t, test.wanted)
		require.NotNil(t, first, test.wanted)
		require.Len(t, a.shelf, 1)

		asked = 0
		a.now = began.Add(test.kept - time.Second)
		require.Equal(t, first, a.fill(t, test.wanted))
		require.Zero(t, asked, test.wanted)

		for _, other := range []time.Time{began.Add(test.kept), began.Add(-time.Second)} { // the second is of a clock that was wrong
			asked = 0
			again := *a
			again.shelf, again.now = shelf{}, other
			for name, content := range a.shelf {
				again.shelf[name] = content
			}
			again.fill(t, test.wanted)
			require.Equal(t, 1, asked, test.wanted)
		}
		require.Empty(t, a.notes)
	}
}

// TestCacheKeepsNoSilence holds that only answers are kept, and that no old answer replaces
// that of a silent registry.
func TestCacheKeepsNoSilence(t *testing.T) {
	status := http.StatusNotFound
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		if status == http.StatusOK {
			_, _ = w.Write([]byte(`{"version": "1.0.0"}`))
		}
	})
	a := &asking{shelf: shelf{}, now: at("2026-05-01T12:00:00Z"), sources: registry.Sources{Named: registry.Named{NPM: server.URL, OSV: server.URL}}}
	wanted := mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "1.0.0"}
	for _, status = range []int{http.StatusNotFound, http.StatusUnauthorized, http.StatusInternalServerError} {
		a.fill(t, wanted)
		require.Empty(t, a.shelf, status)
	}
	status = http.StatusOK
	require.NotNil(t, a.fill(t, wanted))
	status, a.now = http.StatusInternalServerError, a.now.Add(25*time.Hour)
	require.Nil(t, a.fill(t, wanted))
}

// TestCacheKeepsNothingLong holds that an answer of more than 8 MB is used and not kept, so that
// registries cannot fill the disk.
func TestCacheKeepsNothingLong(t *testing.T) {
	const reason = 200 // characters, none of which is cut off
	for releases, isKept := range map[int]bool{24_000: true, 32_000: false} {
		var versions strings.Builder
		for i := range releases {
			fmt.Fprintf(&versions, `,"1.0.%d": {"deprecated": "%s"}`, i, strings.Repeat("x", reason))
		}
		server := pages(t, map[string]string{"/notes": `{"versions": {` + versions.String()[1:] + `}}`})
		a := &asking{shelf: shelf{}, now: at("2026-05-01T12:00:00Z"), sources: registry.Sources{
			UserNPM: []byte("registry=" + server.URL), Named: registry.Named{OSV: server.URL},
		}}
		require.Len(t, a.fill(t, mcp.Wanted{Kind: identity.NPM, Name: "notes"}).Releases, releases)
		size := 0
		for _, content := range a.shelf {
			size += len(content)
		}
		require.Equal(t, isKept, size > 0, "%d releases", releases)
		require.LessOrEqual(t, size, 8<<20)
		require.Empty(t, a.notes)
	}
}

// TestCacheBelievesNothingElse holds that a file which is damaged, of another question, of
// another registry or of another mcplumb is not used, and that no token is in any.
func TestCacheBelievesNothingElse(t *testing.T) {
	asked, token := 0, "npm_"+strings.Repeat("a", 36)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/querybatch" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		require.Equal(t, "Bearer "+token, r.Header.Get("Authorization"))
		asked++
		_, _ = w.Write([]byte(`{"version": "1.0.0", "dist": {"integrity": "sha512-aaaa"}}`))
	})
	host := strings.TrimPrefix(server.URL, "http://")
	a := &asking{shelf: shelf{}, now: at("2026-05-01T12:00:00Z"), sources: registry.Sources{
		Named: registry.Named{NPM: server.URL, OSV: server.URL}, UserNPM: []byte("//" + host + "/:_authToken=" + token),
	}}
	wanted := mcp.Wanted{Kind: identity.NPM, Name: "../../notes", Version: "1.0.0"}
	a.fill(t, wanted)
	require.Len(t, a.shelf, 1)
	for name, content := range a.shelf {
		require.Regexp(t, `^[0-9a-f]{64}$`, name)
		require.NotContains(t, content, token)
		for _, damaged := range []string{"", content[:len(content)/2], `{"form": 3}`, strings.Replace(content, name, strings.Repeat("0", 64), 1), strings.Replace(content, `"form":3`, `"form":2`, 1)} {
			asked, a.notes, a.shelf[name] = 0, nil, damaged
			require.NotNil(t, a.fill(t, wanted))
			require.Equal(t, 1, asked)
			require.Len(t, a.notes, 1)
			require.Contains(t, a.notes[0], "the stored answer of ../../notes is not used, and fetched again: the file is ")
		}
	}
	asked, a.sources.Named.NPM = 0, server.URL+"/other"
	a.fill(t, wanted)
	require.Equal(t, 1, asked)
	require.Empty(t, a.notes[1:])
}
