package release_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/registry"
)

// Tokens of the double. The job's token may write to its own repository and packages, the
// tap's token to the tap.
const (
	jobToken = "job-token"
	tapToken = "tap-token"
)

// double is GitHub, as far as a release speaks to it: the releases of one
// repository, the files of its Homebrew tap, and its container registry.
type double struct {
	mu       sync.Mutex
	url      string
	releases []*published
	tap      map[string]string // path: content
	images   http.Handler
	problems []string

	noImages  bool // the registry is out of order
	hasImages bool // something was pushed to it
}

// published is a release as the double keeps it.
type published struct {
	ID     int    `json:"id"`
	Tag    string `json:"tag_name"`
	Name   string `json:"name"`
	Body   string `json:"body"`
	Draft  bool   `json:"draft"`
	URL    string `json:"html_url"`
	assets map[string][]byte
}

func newDouble() *double {
	return &double{tap: map[string]string{}, images: registry.New(registry.Logger(log.New(io.Discard, "", 0)))}
}

// ServeHTTP answers as the REST API does. An unknown request is recorded as a problem of
// the test.
func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/v2/"):
		d.image(w, r)
	case path == "/rate_limit":
		answer(w, http.StatusOK, map[string]any{"resources": map[string]any{"core": map[string]int{"limit": 5000, "remaining": 5000}}})
	case strings.HasPrefix(path, "/repos/mcplumb/mcplumb/releases"):
		if mayWrite(w, r, jobToken) {
			d.release(w, r, strings.TrimPrefix(path, "/repos/mcplumb/mcplumb/releases"))
		}
	case strings.HasPrefix(path, "/repos/mcplumb/homebrew-tap/contents/"):
		if mayWrite(w, r, tapToken) {
			d.file(w, r, strings.TrimPrefix(path, "/repos/mcplumb/homebrew-tap/contents/"))
		}
	default:
		d.unknown(w, r)
	}
}

func (d *double) unknown(w http.ResponseWriter, r *http.Request) {
	d.problems = append(d.problems, "unexpected request: "+r.Method+" "+r.URL.String())
	answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
}

// mayWrite holds a request to the token that it needs.
func mayWrite(w http.ResponseWriter, r *http.Request, token string) bool {
	if r.Header.Get("Authorization") == "Bearer "+token {
		return true
	}
	answer(w, http.StatusForbidden, map[string]string{"message": "Resource not accessible by integration"})
	return false
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

// release answers requests below /releases.
func (d *double) release(w http.ResponseWriter, r *http.Request, path string) {
	id, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case r.Method == http.MethodGet && id == "":
		answer(w, http.StatusOK, d.releases)
	case r.Method == http.MethodGet && id == "tags":
		d.answerRelease(w, func(p *published) bool { return p.Tag == rest && !p.Draft })
	case r.Method == http.MethodPost && id == "":
		p := &published{ID: len(d.releases) + 1, assets: map[string][]byte{}}
		if err := json.NewDecoder(r.Body).Decode(p); err != nil {
			d.problems = append(d.problems, err.Error())
		}
		p.URL = "https://github.com/mcplumb/mcplumb/releases/tag/" + p.Tag
		d.releases = append(d.releases, p)
		answer(w, http.StatusCreated, p)
	case r.Method == http.MethodPatch && rest == "":
		d.answerRelease(w, func(p *published) bool {
			return strconv.Itoa(p.ID) == id && json.NewDecoder(r.Body).Decode(p) == nil
		})
	case r.Method == http.MethodDelete && rest == "":
		d.releases = slices.DeleteFunc(d.releases, func(p *published) bool { return strconv.Itoa(p.ID) == id })
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPost && rest == "assets":
		d.upload(w, r, id)
	default:
		d.unknown(w, r)
	}
}

func (d *double) answerRelease(w http.ResponseWriter, is func(*published) bool) {
	i := slices.IndexFunc(d.releases, is)
	if i < 0 {
		answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
		return
	}
	answer(w, http.StatusOK, d.releases[i])
}

// upload takes an asset, as GitHub does once for a name, and for an immutable
// release only while it is a draft.
func (d *double) upload(w http.ResponseWriter, r *http.Request, id string) {
	i := slices.IndexFunc(d.releases, func(p *published) bool { return strconv.Itoa(p.ID) == id })
	name := r.URL.Query().Get("name")
	content, err := io.ReadAll(r.Body)
	if i < 0 || err != nil || name == "" || !d.releases[i].Draft || d.releases[i].assets[name] != nil {
		d.problems = append(d.problems, fmt.Sprintf("%q cannot be uploaded to release %s: %v", name, id, err))
		answer(w, http.StatusUnprocessableEntity, map[string]string{"message": "Validation Failed"})
		return
	}
	d.releases[i].assets[name] = content
	answer(w, http.StatusCreated, map[string]any{"id": len(d.releases[i].assets), "name": name})
}

// file answers for a file of the tap. A change must name the SHA of the previous content.
func (d *double) file(w http.ResponseWriter, r *http.Request, path string) {
	old, exists := d.tap[path]
	sha := strconv.Itoa(len(old))
	switch r.Method {
	case http.MethodGet:
		if !exists {
			answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
			return
		}
		answer(w, http.StatusOK, map[string]string{"sha": sha})
	case http.MethodPut:
		var change struct{ Message, Content, SHA string }
		err := json.NewDecoder(r.Body).Decode(&change)
		content, encoding := base64.StdEncoding.DecodeString(change.Content)
		if err != nil || encoding != nil || change.Message == "" || exists != (change.SHA == sha && sha != "0") {
			answer(w, http.StatusUnprocessableEntity, map[string]string{"message": "Invalid request"})
			return
		}
		d.tap[path] = string(content)
		answer(w, http.StatusOK, map[string]any{"content": map[string]string{"html_url": "https://github.com/mcplumb/homebrew-tap/blob/main/" + path}})
	default:
		d.unknown(w, r)
	}
}

// image answers as the registry does, which takes nothing without the token.
func (d *double) image(w http.ResponseWriter, r *http.Request) {
	if _, password, ok := r.BasicAuth(); !ok || password != jobToken {
		w.Header().Set("WWW-Authenticate", `Basic realm="double"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if d.noImages {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	d.hasImages = d.hasImages || r.Method == http.MethodPut
	d.images.ServeHTTP(w, r)
}

// names returns the names of a release's assets, sorted.
func (p *published) names() []string { return slices.Sorted(maps.Keys(p.assets)) }
