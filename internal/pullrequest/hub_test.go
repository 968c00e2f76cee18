package pullrequest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/github"
)

// hub is as much of GitHub as a pull request needs, for one repository, acme/web. It notes
// what is written, a line for each.
type hub struct {
	t        *testing.T
	mutex    sync.Mutex
	branches map[string]string     // commits by the name of a branch
	made     map[string]madeCommit // commits by their names
	pulls    []*pull               // by number, from 1
	comments []map[string]any      // on lines, as the API has them
	remarks  []map[string]any      // below, as the API has them
	reviews  []map[string]any      // as they came in
	bodies   map[int][]string      // of every pull request, as they were
	writes   []string
	// fails are answers instead of what is asked, by the beginning of "METHOD path". before is
	// called once, at a request, to do what another user does meanwhile.
	fails  map[string]int
	before map[string]func()
	// loses are what is done although the answer says that it was not.
	loses map[string]int
}

// madeCommit is a commit that was made.
type madeCommit struct{ parent, message, tree string }

// pull is a pull request.
type pull struct {
	title, body, head, base string
	isOpen, isMerged        bool
}

// newHub starts one with a branch main, and returns the repository.
func newHub(t *testing.T) (*hub, *github.Repository) {
	t.Helper()
	h := &hub{t: t, branches: map[string]string{"main": "main-1"}, made: map[string]madeCommit{}, bodies: map[int][]string{}, fails: map[string]int{}, before: map[string]func(){}, loses: map[string]int{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	noWait := func(context.Context, time.Duration) error { return nil }
	r, err := github.Access{API: server.URL, Token: "not-secret", Repository: "acme/web", Wait: noWait}.Open(t.Context())
	require.NoError(t, err)
	return h, r
}

// wrote returns what was written since it was last asked.
func (h *hub) wrote() []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	writes := h.writes
	h.writes = nil
	return writes
}

func (h *hub) note(format string, args ...any) {
	h.writes = append(h.writes, fmt.Sprintf(format, args...))
}

// ServeHTTP answers as GitHub does.
func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	at := strings.TrimPrefix(r.URL.Path, "/repos/acme/web")
	kind := r.Method + " " + at
	var body any
	if content, err := io.ReadAll(r.Body); err == nil && len(content) > 0 {
		if err := json.Unmarshal(content, &body); err != nil {
			h.t.Error(err)
		}
	}
	in, isObject := body.(map[string]any)
	if !isObject {
		in = map[string]any{"labels": body} // they alone are a list
	}
	if at == "/graphql" {
		kind = "updateRefs"
		if strings.Contains(in["query"].(string), "viewer") {
			kind = "viewer"
		}
	}
	for begin, do := range h.before {
		if strings.HasPrefix(kind, begin) {
			delete(h.before, begin)
			do()
		}
	}
	for begin, status := range h.fails {
		if strings.HasPrefix(kind, begin) {
			answer(w, status, map[string]any{"message": "it is not to be"})
			return
		}
	}
	status, out := h.do(kind, at, r, in)
	for begin, lost := range h.loses {
		if strings.HasPrefix(kind, begin) {
			status, out = lost, map[string]any{"message": "the answer is lost"}
		}
	}
	answer(w, status, out)
}

func answer(w http.ResponseWriter, status int, out any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_ = json.NewEncoder(w).Encode(out)
	}
}

// do does what is asked and returns the answer.
func (h *hub) do(kind, at string, r *http.Request, in map[string]any) (status int, out any) {
	number := 0 // of /pulls/7 and /issues/7/labels
	if parts := strings.Split(at, "/"); len(parts) > 2 {
		number, _ = strconv.Atoi(parts[2])
	}
	if number > len(h.pulls) {
		return http.StatusNotFound, nil
	}
	switch begin, rest, _ := strings.Cut(kind, "heads/"); {
	case kind == "GET ":
		return http.StatusOK, map[string]any{"node_id": "R_1", "default_branch": "main"}
	case begin == "GET /git/ref/":
		commit, known := h.branches[rest]
		if !known {
			return http.StatusNotFound, nil
		}
		return http.StatusOK, map[string]any{"object": map[string]any{"sha": commit}}
	case strings.HasPrefix(kind, "GET /git/commits/"):
		return http.StatusOK, map[string]any{"sha": path.Base(at), "tree": map[string]any{"sha": "tree of " + path.Base(at)}}
	case kind == "POST /git/trees":
		var files []string
		for _, e := range in["tree"].([]any) {
			entry := e.(map[string]any)
			files = append(files, fmt.Sprint(entry["path"], " ", entry["mode"], " ", entry["content"]))
		}
		return http.StatusCreated, map[string]any{"sha": strings.Join(files, ", ")}
	case kind == "POST /git/commits":
		c := madeCommit{in["parents"].([]any)[0].(string), in["message"].(string), in["tree"].(string)}
		return http.StatusCreated, map[string]any{"sha": h.commit(c), "author": map[string]any{"name": "bot", "email": "bot@acme.dev"}}
	case strings.HasPrefix(kind, "GET /compare/"):
		base, head, _ := strings.Cut(strings.TrimPrefix(at, "/compare/"), "...")
		var commits []any
		for head != base && head != "" {
			commits = append(commits, map[string]any{"sha": head, "commit": map[string]any{"message": h.made[head].message}})
			head = h.made[head].parent
		}
		slices.Reverse(commits)
		return http.StatusOK, map[string]any{"commits": commits}
	case kind == "viewer":
		return http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": "acme-bot"}}}
	case kind == "updateRefs":
		return h.updateRefs(in)
	case kind == "GET /pulls":
		all := []any{}
		for i := range h.pulls {
			if p := h.pulls[len(h.pulls)-1-i]; "acme:"+p.head == r.URL.Query().Get("head") {
				all = append(all, h.shown(len(h.pulls)-i))
			}
		}
		return http.StatusOK, all
	case kind == "POST /pulls":
		p := &pull{title: in["title"].(string), body: in["body"].(string), head: in["head"].(string), base: in["base"].(string), isOpen: true}
		h.pulls = append(h.pulls, p)
		number = len(h.pulls)
		h.bodies[number] = append(h.bodies[number], p.body)
		h.note("open #%d: %s to %s, %q, draft %v", number, p.head, p.base, p.title, in["draft"])
		return http.StatusCreated, h.shown(number)
	}
	p := &pull{}
	if number > 0 {
		p = h.pulls[number-1]
	}
	switch what := path.Base(at); {
	case r.Method == http.MethodDelete:
		h.note("delete comment %s", what)
		return http.StatusNoContent, nil
	case strings.HasPrefix(at, "/pulls/") && what == "comments":
		return http.StatusOK, h.comments
	case what == "reviews":
		h.note("review #%d at %v: %v", number, in["commit_id"], in["body"])
		h.reviews = append(h.reviews, in)
		return http.StatusOK, map[string]any{}
	case kind == fmt.Sprintf("GET /issues/%d/comments", number):
		return http.StatusOK, h.remarks
	case strings.HasPrefix(kind, "PATCH /issues/comments/"):
		h.note("edit comment %s: %v", what, in["body"])
	case what == "comments":
		h.note("comment on #%d: %v", number, in["body"])
		return http.StatusCreated, map[string]any{}
	case what == "labels":
		h.note("label #%d: %v", number, in["labels"])
		return http.StatusOK, []any{}
	case what == "assignees":
		h.note("assign #%d: %v", number, in["assignees"])
		return http.StatusCreated, map[string]any{}
	case r.Method == http.MethodPatch:
		h.edit(number, p, in)
	}
	if number == 0 {
		return http.StatusOK, map[string]any{}
	}
	return http.StatusOK, h.shown(number)
}

// commit makes a commit, whose name is the same for the same.
func (h *hub) commit(c madeCommit) string {
	name := blobName([]byte(c.parent + "\x00" + c.message + "\x00" + c.tree))[:8]
	h.made[name] = c
	return name
}

// updateRefs moves a branch if it is where it was.
func (h *hub) updateRefs(in map[string]any) (status int, out any) {
	for _, u := range in["variables"].(map[string]any)["input"].(map[string]any)["refUpdates"].([]any) {
		update := u.(map[string]any)
		name := strings.TrimPrefix(update["name"].(string), "refs/heads/")
		before, after := strings.TrimLeft(update["beforeOid"].(string), "0"), strings.TrimLeft(update["afterOid"].(string), "0")
		if h.branches[name] != before {
			return http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": "the ref is elsewhere"}}}
		}
		h.note("branch %s: %q to %q", name, before, after)
		if h.branches[name] = after; after == "" {
			delete(h.branches, name)
		}
	}
	return http.StatusOK, map[string]any{"data": map[string]any{}}
}

// edit changes a pull request. It opens none.
func (h *hub) edit(number int, p *pull, in map[string]any) {
	p.title, p.body = in["title"].(string), in["body"].(string)
	h.bodies[number] = append(h.bodies[number], p.body)
	what := fmt.Sprintf("edit #%d: %q", number, p.title)
	if base, given := in["base"].(string); given {
		p.base = base
		what += " to " + base
	}
	if in["state"] == "closed" {
		p.isOpen = false
		what += ", closed"
	}
	h.note("%s", what)
}

// shown is a pull request as the API has it.
func (h *hub) shown(number int) map[string]any {
	p := h.pulls[number-1]
	shown := map[string]any{
		"number": number, "html_url": fmt.Sprintf("https://github.com/acme/web/pull/%d", number), "title": p.title, "body": p.body, "state": "closed",
		"head": map[string]any{"ref": p.head, "sha": h.branches[p.head], "repo": map[string]any{"full_name": "acme/web"}}, "base": map[string]any{"ref": p.base},
	}
	if p.isOpen {
		shown["state"] = "open"
	}
	if p.isMerged {
		shown["merged_at"] = "2026-01-02T03:04:05Z"
	}
	return shown
}
