// Package double is a double of GitHub: the part of its REST and GraphQL API that a tool
// needs to propose fixes. It compares every request with GitHub's own descriptions, keeps
// commits, trees, and refs in a real git repository, and can be set to fail.
package double

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// Options describe the GitHub that the double imitates.
type Options struct {
	Repository string // directory of a bare repository
	FullName   string // owner/name, acme/web if empty
	OpenAPI    string // api.github.com.json of the npm package @octokit/openapi
	GraphQL    string // schema.graphql of the npm package @octokit/graphql-schema
	Address    string // to listen on, 127.0.0.1:0 if empty
	Token      string // the one token that is known, every one if empty
	Server     string // base URL of its pages, https://github.com if empty
	// Log gets a line for each request, and one for each violation.
	Log io.Writer
}

// Double is the server. Its methods may be called while requests are served.
type Double struct {
	// URL is GITHUB_API_URL. The same is served below /api/v3 and /api/graphql, as
	// GitHub Enterprise Server has it.
	URL string

	options     Options
	owner, name string
	description *description
	schema      *ast.Schema
	server      *http.Server
	repo        *repository

	mu       sync.Mutex // guards the following fields: GitHub's state
	clock    int
	pulls    []*pull
	comments []*issueComment
	uploads  []*Upload
	nextID   int64
	made     map[string]bool // commits made through the API: signed by GitHub
	logins   map[string]string
	denied   []string // permissions that the token has not
	noPulls  bool
	guarded  map[string]string

	record recorder
}

// The one who owns the token, as GitHub's Actions do.
const (
	botLogin = "github-actions[bot]"
	botEmail = "41898282+github-actions[bot]@users.noreply.github.com"
)

// began is when time begins for the double; each thing that happens takes a second.
var began = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

const timeFormat = "2006-01-02T15:04:05Z"

// Descriptions are read once for a process.
var (
	readDescriptionOnce = remembered(readDescription)
	readSchemaOnce      = remembered(readSchema)
)

func remembered[T any](read func(file string) (T, error)) func(file string) (T, error) {
	type result struct {
		value T
		err   error
	}
	var mu sync.Mutex
	results := map[string]result{}
	return func(file string) (T, error) {
		mu.Lock()
		defer mu.Unlock()
		known, ok := results[file]
		if !ok {
			known.value, known.err = read(file)
			results[file] = known
		}
		return known.value, known.err
	}
}

// Start starts the double. Close ends it.
func Start(o Options) (*Double, error) {
	if o.FullName == "" {
		o.FullName = "acme/web"
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if o.Server == "" {
		o.Server = "https://github.com"
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	d := &Double{options: o, repo: &repository{dir: o.Repository}, made: map[string]bool{}, logins: map[string]string{botEmail: botLogin}, guarded: map[string]string{}}
	d.owner, d.name, _ = strings.Cut(o.FullName, "/")
	description, err1 := readDescriptionOnce(o.OpenAPI)
	schema, err2 := readSchemaOnce(o.GraphQL)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	d.description, d.schema = description, schema
	if kind, err := d.repo.git("rev-parse", "--is-bare-repository"); err != nil || kind != "true" {
		return nil, fmt.Errorf("%s is no bare repository: %w", o.Repository, err)
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	d.URL = "http://" + listener.Addr().String()
	d.server = &http.Server{Handler: d, ReadHeaderTimeout: time.Minute}
	go func() { _ = d.server.Serve(listener) }()
	return d, nil
}

// Close ends the server.
func (d *Double) Close() error {
	err := d.server.Close()
	d.repo.close()
	return err
}

// endpoint is one thing that the REST API does with a repository.
type endpoint struct {
	method, path string
	permission   string // of a token (docs: "Permissions required for GitHub Apps")
	serve        func(*Double, *call) answer
}

// The permissions that a token may have.
const (
	contents     = "contents"
	pullRequests = "pull_requests"
	metadata     = "metadata"
	scanning     = "security_events"
)

// endpoints are the REST endpoints that the double serves.
var endpoints = []*endpoint{
	{"GET", "", metadata, (*Double).getRepository},
	{"GET", "/git/ref/{ref}", contents, (*Double).getRef},
	{"GET", "/git/matching-refs/{ref}", contents, (*Double).matchingRefs},
	{"POST", "/git/refs", contents, (*Double).createRef},
	{"PATCH", "/git/refs/{ref}", contents, (*Double).updateRef},
	{"DELETE", "/git/refs/{ref}", contents, (*Double).deleteRef},
	{"POST", "/git/blobs", contents, (*Double).createBlob},
	{"GET", "/git/blobs/{file_sha}", contents, (*Double).getBlob},
	{"POST", "/git/trees", contents, (*Double).createTree},
	{"GET", "/git/trees/{tree_sha}", contents, (*Double).getTree},
	{"POST", "/git/commits", contents, (*Double).createCommit},
	{"GET", "/git/commits/{commit_sha}", contents, (*Double).getGitCommit},
	{"GET", "/commits", contents, (*Double).listCommits},
	{"GET", "/commits/{ref}", contents, (*Double).getCommit},
	{"GET", "/compare/{basehead}", contents, (*Double).compare},
	{"GET", "/pulls/comments/{comment_id}", pullRequests, (*Double).getReviewComment},
	{"DELETE", "/pulls/comments/{comment_id}", pullRequests, (*Double).deleteReviewComment},
	{"GET", "/pulls", pullRequests, (*Double).listPulls},
	{"POST", "/pulls", pullRequests, (*Double).createPull},
	{"GET", "/pulls/{pull_number}", pullRequests, (*Double).getPull},
	{"PATCH", "/pulls/{pull_number}", pullRequests, (*Double).updatePull},
	{"GET", "/pulls/{pull_number}/files", pullRequests, (*Double).listFiles},
	{"GET", "/pulls/{pull_number}/commits", pullRequests, (*Double).listPullCommits},
	{"GET", "/pulls/{pull_number}/reviews", pullRequests, (*Double).listReviews},
	{"POST", "/pulls/{pull_number}/reviews", pullRequests, (*Double).createReview},
	{"GET", "/pulls/{pull_number}/comments", pullRequests, (*Double).listReviewComments},
	{"GET", "/issues/{issue_number}/comments", pullRequests, (*Double).listComments},
	{"POST", "/issues/{issue_number}/comments", pullRequests, (*Double).createComment},
	{"PATCH", "/issues/comments/{comment_id}", pullRequests, (*Double).updateComment},
	{"POST", "/issues/{issue_number}/labels", pullRequests, (*Double).addLabels},
	{"POST", "/issues/{issue_number}/assignees", pullRequests, (*Double).addAssignees},
	{"POST", "/code-scanning/sarifs", scanning, (*Double).upload},
	{"GET", "/code-scanning/sarifs/{sarif_id}", scanning, (*Double).getUpload},
}

// patterns match the endpoints' paths after /repos/OWNER/NAME. Refs and comparisons contain
// slashes.
var patterns = func() []*regexp.Regexp {
	var made []*regexp.Regexp
	for _, e := range endpoints {
		pattern := regexp.MustCompile(`\{(ref|basehead)\}`).ReplaceAllString(e.path, "(?P<$1>.+)")
		pattern = regexp.MustCompile(`\{(\w+_number|comment_id)\}`).ReplaceAllString(pattern, `(?P<$1>\d+)`)
		pattern = regexp.MustCompile(`\{(\w+)\}`).ReplaceAllString(pattern, "(?P<$1>[^/]+)")
		made = append(made, regexp.MustCompile("^"+pattern+"$"))
	}
	return made
}()

// call is a request that is served.
type call struct {
	*http.Request
	parameters map[string]string
	raw        []byte
}

// body decodes the request body. It was compared with the description before.
func body[T any](c *call) (value T) {
	_ = json.Unmarshal(described(c.raw), &value)
	return value
}

// number returns a number in the path.
func (c *call) number(name string) int {
	n, _ := strconv.Atoi(c.parameters[name])
	return n
}

// answer is the answer to a call.
type answer struct {
	status int
	body   any
	header http.Header
}

func ok(body any) answer      { return answer{status: http.StatusOK, body: body} }
func created(body any) answer { return answer{status: http.StatusCreated, body: body} }

// refused is an answer as GitHub words those that refuse. The problems are texts or
// objects.
func refused(status int, message string, problems ...any) answer {
	said := map[string]any{"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status)}
	if len(problems) > 0 {
		said["errors"] = problems
	}
	return answer{status: status, body: said}
}

// problem is what GitHub finds wrong with a member of a body.
func problem(resource, field, code, message string) any {
	said := map[string]any{"resource": resource, "code": code}
	for name, value := range map[string]string{"field": field, "message": message} {
		if value != "" {
			said[name] = value
		}
	}
	return said
}

var notFound = refused(http.StatusNotFound, "Not Found")

// ServeHTTP answers a request, after the events that a test set to happen before it.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c := &call{Request: r, raw: raw}
	e, path := d.route(c)
	entry := d.record.add(&Request{Method: r.Method, URL: r.RequestURI, Path: path, Query: r.URL.RawQuery, Kind: d.kind(c, e, path), Header: r.Header.Clone(), Body: raw})
	serve := func(w http.ResponseWriter) {
		a := d.answer(c, e, path, entry)
		d.send(w, entry, a)
	}
	fault := d.record.next(entry)
	if fault == nil {
		fault = func(w http.ResponseWriter, serve func(http.ResponseWriter)) { serve(w) }
	}
	fault(w, serve)
}

// route finds the endpoint of a request, nil if it is not a REST request, and the path
// without the prefix of GitHub Enterprise Server's API.
func (d *Double) route(c *call) (e *endpoint, path string) {
	path = c.URL.Path
	if rest, is := strings.CutPrefix(path, "/api/v3/"); is {
		path = "/" + rest
	} else if path == "/api/graphql" {
		path = graphqlPath
	}
	parts := strings.SplitN(path, "/", 5)
	if len(parts) < 4 || parts[1] != "repos" {
		return nil, path
	}
	c.parameters = map[string]string{"owner": parts[2], "repo": parts[3]}
	rest := ""
	if len(parts) == 5 {
		rest = "/" + parts[4]
	}
	for i, pattern := range patterns {
		m := pattern.FindStringSubmatch(rest)
		if m == nil || endpoints[i].method != c.Method {
			continue
		}
		for j, name := range pattern.SubexpNames() {
			if name != "" {
				c.parameters[name] = m[j]
			}
		}
		return endpoints[i], path
	}
	return nil, path
}

// answer serves a call that no fault came before.
func (d *Double) answer(c *call, e *endpoint, path string, entry *Request) answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	token := strings.TrimPrefix(strings.TrimPrefix(c.Header.Get("Authorization"), "Bearer "), "token ")
	switch {
	case token == "" || d.options.Token != "" && token != d.options.Token:
		return refused(http.StatusUnauthorized, "Bad credentials")
	case path == graphqlPath && c.Method == http.MethodPost:
		return d.graphql(c, entry)
	case e == nil:
		d.violated(entry, "the double does not serve it")
		return notFound
	case !strings.EqualFold(c.parameters["owner"]+"/"+c.parameters["repo"], d.owner+"/"+d.name):
		return notFound
	}
	if err := d.description.check(c, e); err != nil {
		d.violated(entry, err.Error())
		return refused(http.StatusUnprocessableEntity, "Invalid request.\n\n"+err.Error())
	}
	if c.Method != http.MethodGet && d.isDenied(e.permission) {
		return refused(http.StatusForbidden, "Resource not accessible by integration")
	}
	a := e.serve(d, c)
	completed, err := d.description.complete(e, a.status, a.body)
	if err != nil {
		d.violated(entry, err.Error())
		return refused(http.StatusInternalServerError, "Server Error")
	}
	a.body = completed
	return a
}

// isDenied reports that the token has not a permission to write. A comment, label or
// assignee of a pull request needs that for pull requests or for issues.
func (d *Double) isDenied(permission string) bool {
	return slices.Contains(d.denied, permission)
}

func (d *Double) violated(entry *Request, problem string) {
	d.record.violation(entry, problem)
	_, _ = fmt.Fprintf(d.options.Log, "violation: %s %s: %s\n", entry.Method, entry.Path, problem)
}

// send writes an answer with the headers that GitHub adds to each.
func (d *Double) send(w http.ResponseWriter, entry *Request, a answer) {
	entry.Status = a.status
	_, _ = fmt.Fprintf(d.options.Log, "%s %s %d\n", entry.Method, entry.Path, a.status)
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.Header().Set("X-RateLimit-Limit", "5000")
	w.Header().Set("X-RateLimit-Remaining", "4990")
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10))
	w.Header().Set("X-GitHub-Media-Type", "github.v3; format=json")
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.body)
}

// page returns the requested part of a list, by default 30 items and at most 100, and the
// Link header with the addresses of the other parts.
func page[T any](d *Double, c *call, all []T) ([]T, http.Header) {
	size, number := 30, 1
	if n, err := strconv.Atoi(c.FormValue("per_page")); err == nil && n > 0 {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(c.FormValue("page")); err == nil && n > 0 {
		number = n
	}
	last := max(1, (len(all)+size-1)/size)
	var links []string
	add := func(page int, rel string) {
		next := *c.URL
		query := next.Query()
		query.Set("page", strconv.Itoa(page))
		next.RawQuery = query.Encode()
		links = append(links, fmt.Sprintf(`<%s%s>; rel=%q`, d.URL, next.RequestURI(), rel))
	}
	if number > 1 {
		add(number-1, "prev")
	}
	if number < last {
		add(number+1, "next")
		add(last, "last")
	}
	header := http.Header{}
	if len(links) > 0 {
		header.Set("Link", strings.Join(links, ", "))
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], header
}

// now is the time of the double, a second after what happened before.
func (d *Double) now() time.Time {
	d.clock++
	return began.Add(time.Duration(d.clock) * time.Second)
}

// id returns a number that nothing has yet.
func (d *Double) id() int64 {
	d.nextID++
	return 1000 + d.nextID
}

// api returns an address of the API, web one for people.
func (d *Double) api(path string) string { return d.URL + "/repos/" + d.owner + "/" + d.name + path }
func (d *Double) web(path string) string {
	return d.options.Server + "/" + d.owner + "/" + d.name + escaped(path)
}

// SetServer sets another base URL of GitHub's pages.
func (d *Double) SetServer(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.options.Server = address
}

func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// user is an account as answers have it, nil for none.
func user(login string) any {
	if login == "" {
		return nil
	}
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return map[string]any{"login": login, "id": len(login), "type": kind, "html_url": "https://github.com/" + escaped(login)}
}

// getRepository answers GET /repos/{owner}/{repo}.
func (d *Double) getRepository(*call) answer { return ok(d.repositoryObject()) }

func (d *Double) repositoryObject() map[string]any {
	return map[string]any{
		"id": 1, "node_id": nodeID, "name": d.name, "full_name": d.owner + "/" + d.name, "owner": user(d.owner), "private": false,
		"default_branch": d.defaultBranch(), "html_url": d.web(""), "url": d.api(""), "permissions": map[string]bool{"admin": false, "push": true, "pull": true},
	}
}

// defaultBranch is the branch that HEAD of the bare repository names.
func (d *Double) defaultBranch() string {
	head, err := os.ReadFile(filepath.Join(d.repo.dir, "HEAD"))
	branch, is := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if err != nil || !is {
		return "main"
	}
	return branch
}

// indented is a body for people to read.
func indented(body []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return string(body)
	}
	return out.String()
}
