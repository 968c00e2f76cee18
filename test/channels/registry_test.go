package channels_test

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Tokens of the double: what GitHub gives a workflow to ask for its identity, that identity, and
// what each registry gives for it.
const (
	jobToken  = "job-token"
	npmToken  = "npm-token"
	pypiToken = "pypi-token"
)

// double is a registry of npm, an index of Python packages and the part of GitHub that tells them
// which workflow publishes, as far as their clients and ours speak to them.
type double struct {
	mu       sync.Mutex
	url      string
	npm      map[string]map[string]any // name: its packument
	tarballs map[string][]byte         // path: content
	wheels   map[string][]byte         // file: content
	sent     []string                  // published files, in order
	problems []string
}

func newDouble(t *testing.T) *double {
	t.Helper()
	d := &double{npm: map[string]map[string]any{}, tarballs: map[string][]byte{}, wheels: map[string][]byte{}}
	server := httptest.NewServer(d)
	d.url = server.URL
	t.Cleanup(server.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := r.URL.Path
	switch {
	case r.Method == http.MethodGet && path == "/identity":
		if allowed(w, r, "Bearer "+jobToken) {
			answer(w, http.StatusOK, map[string]string{"value": identity(r.URL.Query().Get("audience"))})
		}
	case r.Method == http.MethodPost && strings.HasPrefix(path, "/-/npm/v1/oidc/token/exchange/package/"):
		if allowed(w, r, "Bearer "+identity("npm:127.0.0.1")) {
			answer(w, http.StatusOK, map[string]string{"token": npmToken})
		}
	case r.Method == http.MethodPost && path == "/_/oidc/mint-token":
		var asked struct{ Token string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Token != identity("pypi") {
			answer(w, http.StatusUnprocessableEntity, map[string]string{"message": "Token request failed"})
			return
		}
		answer(w, http.StatusOK, map[string]string{"token": pypiToken})
	case r.Method == http.MethodPost && path == "/legacy/":
		d.upload(w, r)
	case r.Method == http.MethodGet && strings.HasPrefix(path, "/simple/mcplumb/"):
		d.index(w, strings.TrimPrefix(path, "/simple/mcplumb/"))
	case r.Method == http.MethodPut:
		d.publish(w, r, strings.TrimPrefix(path, "/"))
	case r.Method == http.MethodGet && d.tarballs[path] != nil:
		write(w, d.tarballs[path])
	case r.Method == http.MethodGet && d.npm[path[1:]] != nil:
		answer(w, http.StatusOK, d.npm[path[1:]])
	case r.Method == http.MethodGet:
		answer(w, http.StatusNotFound, map[string]string{"error": "Not found"})
	default:
		d.problems = append(d.problems, "unexpected request: "+r.Method+" "+r.URL.String())
		answer(w, http.StatusNotFound, map[string]string{"error": "Not found"})
	}
}

// identity is GitHub's token for a workflow and an audience. npm reads its claims.
func identity(audience string) string {
	claims := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"aud": %q, "repository_visibility": "private"}`, audience)))
	return "e30." + claims + ".c2lnbmVk"
}

func allowed(w http.ResponseWriter, r *http.Request, want string) bool {
	if r.Header.Get("Authorization") == want {
		return true
	}
	answer(w, http.StatusUnauthorized, map[string]string{"error": "Unauthorized"})
	return false
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func write(w http.ResponseWriter, content []byte) {
	if _, err := w.Write(content); err != nil {
		panic(err)
	}
}

// publish takes a version of a package of npm, once.
func (d *double) publish(w http.ResponseWriter, r *http.Request, name string) {
	if !allowed(w, r, "Bearer "+npmToken) {
		return
	}
	var sent struct {
		Versions    map[string]map[string]any `json:"versions"`
		Attachments map[string]struct {
			Data []byte `json:"data"`
		} `json:"_attachments"`
		Tags   map[string]string `json:"dist-tags"`
		Access string            `json:"access"`
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || sent.Access != "public" || len(sent.Versions) != 1 || len(sent.Attachments) != 1 {
		d.problems = append(d.problems, fmt.Sprintf("%s is not sent as npm sends it: %v", name, err))
	}
	if d.npm[name] == nil {
		d.npm[name] = map[string]any{"name": name, "versions": map[string]any{}}
	}
	versions := d.npm[name]["versions"].(map[string]any)
	for version, manifest := range sent.Versions {
		if versions[version] != nil {
			answer(w, http.StatusForbidden, map[string]string{"error": "You cannot publish over the previously published versions"})
			return
		}
		path := "/" + name + "/-/" + version + ".tgz"
		for _, attachment := range sent.Attachments {
			d.tarballs[path] = attachment.Data
		}
		sum := sha512.Sum512(d.tarballs[path])
		manifest["dist"] = map[string]any{"tarball": d.url + path, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		versions[version] = manifest
		d.sent = append(d.sent, name+"@"+version)
	}
	d.npm[name]["dist-tags"] = sent.Tags
	answer(w, http.StatusCreated, map[string]bool{"ok": true})
}

// upload takes a wheel as PyPI does: again if it is the same, never another under its name.
func (d *double) upload(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user != "__token__" || password != pypiToken {
		answer(w, http.StatusForbidden, map[string]string{"message": "Invalid or non-existent authentication information."})
		return
	}
	content, header, err := r.FormFile("content")
	if err != nil {
		d.problems = append(d.problems, err.Error())
		answer(w, http.StatusBadRequest, nil)
		return
	}
	wheel, err := io.ReadAll(content)
	if err != nil || r.FormValue("name") != "mcplumb" || r.FormValue("filetype") != "bdist_wheel" || !strings.Contains(r.FormValue("description"), "uvx mcplumb") {
		d.problems = append(d.problems, fmt.Sprintf("%s is not sent as twine sends it: %v", header.Filename, err))
	}
	if old := d.wheels[header.Filename]; old != nil && string(old) != string(wheel) {
		http.Error(w, "File already exists.", http.StatusBadRequest)
		return
	} else if old == nil {
		d.sent = append(d.sent, header.Filename)
	}
	d.wheels[header.Filename] = wheel
}

// index answers pip: the page of links, and the files that it links to.
func (d *double) index(w http.ResponseWriter, file string) {
	if file != "" {
		write(w, d.wheels[file])
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintln(w, "<!DOCTYPE html>")
	for _, name := range slices.Sorted(maps.Keys(d.wheels)) {
		fmt.Fprintf(w, "<a href=%q>%s</a>\n", name, name)
	}
}
