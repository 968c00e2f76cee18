package double

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Organization is GitHub as far as it lists the repositories of an organization. It holds
// every request and its own answers against GitHub's description.
type Organization struct {
	name, token string
	description *description
	list        func() []map[string]any

	mutex        sync.Mutex
	visibility   string // of the repository fleet
	isPagePublic bool
	requests     int
	violations   []string
}

// The endpoints that it serves (docs: "List organization repositories", "Get a repository",
// "Get a GitHub Pages site").
var (
	listRepositories = &endpoint{method: "GET", path: "/orgs/{org}/repos", permission: metadata}
	getOne           = &endpoint{method: "GET", path: inRepository, permission: metadata}
	getPages         = &endpoint{method: "GET", path: inRepository + "/pages", permission: "pages"}
)

// NewOrganization makes the double of an organization that knows one token. list returns
// its repositories, each with the members of GitHub's answer that matter; npm is the
// directory where npm installed the description.
func NewOrganization(npm, name, token string, list func() []map[string]any) (*Organization, error) {
	d, err := describe(filepath.Join(npm, "node_modules/@octokit/openapi/generated/api.github.com.json"), "", []*endpoint{listRepositories, getOne, getPages})
	return &Organization{name: name, token: token, description: d, list: list, visibility: "private"}, err
}

// Show sets who may read the repository fleet, which has the workflow: public, internal or
// private.
func (o *Organization) Show(visibility string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.visibility = visibility
}

// ShowPage makes the Pages site of the repository fleet public.
func (o *Organization) ShowPage() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.isPagePublic = true
}

// Requests returns how many requests there were for the list.
func (o *Organization) Requests() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.requests
}

// Violations returns the requests and answers that the description does not allow.
func (o *Organization) Violations() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.violations
}

// ServeHTTP answers a request, below /api/v3 as on GitHub Enterprise Server.
func (o *Organization) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	a := o.answer(r)
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.body)
}

func (o *Organization) answer(r *http.Request) answer {
	c := &call{Request: r, parameters: map[string]string{"org": o.name, "owner": o.name, "repo": "fleet"}}
	switch path := strings.TrimPrefix(r.URL.Path, "/api/v3"); {
	case r.Header.Get("Authorization") != "Bearer "+o.token:
		return refused(http.StatusUnauthorized, "Bad credentials")
	case r.Method == http.MethodGet && path == "/repos/"+o.name+"/fleet":
		return o.described(c, getOne, map[string]any{"name": "fleet", "full_name": o.name + "/fleet", "private": o.visibility != "public", "visibility": o.visibility})
	case r.Method == http.MethodGet && path == "/repos/"+o.name+"/fleet/pages":
		return o.described(c, getPages, map[string]any{"public": o.isPagePublic})
	case r.Method != http.MethodGet || path != "/orgs/"+o.name+"/repos":
		o.violations = append(o.violations, "the double does not serve "+r.Method+" "+path)
		return notFound
	}
	o.requests++
	all := o.list()
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	page, size := number("page", 1), number("per_page", 30)
	from, to := min((page-1)*size, len(all)), min(page*size, len(all))
	a := o.described(c, listRepositories, all[from:to])
	if to < len(all) && a.status == http.StatusOK {
		next := url.Values{"page": {strconv.Itoa(page + 1)}, "per_page": {strconv.Itoa(size)}}
		a.header = http.Header{"Link": {fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.Path, next.Encode())}}
	}
	return a
}

// described answers a call once the description has allowed it, and adds what the
// description requires.
func (o *Organization) described(c *call, e *endpoint, body any) answer {
	err := o.description.check(c, e)
	if err == nil {
		body, err = o.description.complete(e, http.StatusOK, body)
	}
	if err != nil {
		o.violations = append(o.violations, err.Error())
		return refused(http.StatusUnprocessableEntity, err.Error())
	}
	return ok(body)
}
