package double

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// client calls a double. Its paths begin after /repos/acme/web, unless they begin with two
// slashes.
type client struct {
	*testing.T
	d *Double
}

// said is an answer.
type said struct {
	status int
	header http.Header
	body   string
}

// get reads a member of an answer: "head.sha", "0.number".
func (s said) get(path string) any {
	var value any
	_ = json.Unmarshal([]byte(s.body), &value)
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			var i int
			_, _ = fmt.Sscan(name, &i)
			if value = nil; i < len(v) {
				value = v[i]
			}
		}
	}
	return value
}

func (s said) text(path string) string { return fmt.Sprint(s.get(path)) }

// ask sends a request. A body that is not a string is sent as JSON.
func (c client) ask(method, path string, body any) said {
	c.Helper()
	a, err := c.try(method, path, body)
	require.NoError(c, err)
	return a
}

func (c client) try(method, path string, body any) (said, error) {
	url := c.d.URL + "/repos/acme/web" + path
	if rest, whole := strings.CutPrefix(path, "//"); whole {
		url = c.d.URL + "/" + rest
	}
	var content []byte
	if body != nil {
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequestWithContext(c.Context(), method, url, bytes.NewReader(content))
	require.NoError(c, err)
	request.Header.Set("Authorization", "Bearer "+Token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return said{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return said{response.StatusCode, response.Header, strings.TrimSpace(string(text))}, err
}

// refuses holds that a request is refused so.
func (c client) refuses(method, path string, body any, status int, why string) {
	c.Helper()
	a := c.ask(method, path, body)
	assert.Equal(c, status, a.status, a.body)
	assert.Contains(c, a.body, why)
}

type object = map[string]any

func start(t *testing.T) client {
	return client{t, New(t, map[string]*File{
		"a.txt": {Content: "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"}, "bin/run": {Mode: "100755", Content: "#!/bin/sh\n"}, "link": {Mode: "120000", Content: "a.txt"},
	})}
}

// commit makes a commit through the API and returns its name.
func (c client) commit(parent, path, content string) string {
	c.Helper()
	base := c.ask("GET", "/git/commits/"+parent, nil).text("tree.sha")
	blob := c.ask("POST", "/git/blobs", object{"content": base64.StdEncoding.EncodeToString([]byte(content)), "encoding": "base64"})
	tree := c.ask("POST", "/git/trees", object{"base_tree": base, "tree": []any{object{"path": path, "mode": "100644", "type": "blob", "sha": blob.get("sha")}}})
	require.Equal(c, 201, tree.status, tree.body)
	made := c.ask("POST", "/git/commits", object{"message": "Change " + path, "tree": tree.get("sha"), "parents": []string{parent}})
	require.Equal(c, 201, made.status, made.body)
	return made.text("sha")
}

// propose makes a branch with one changed line, and a pull request of it.
func (c client) propose() (head string) {
	c.Helper()
	head = c.commit(c.d.Branch("main"), "a.txt", "1\n2\n3\n4\n5\nSIX\n7\n8\n9\n10\n11\n12\n")
	require.Equal(c, 201, c.ask("POST", "/git/refs", object{"ref": "refs/heads/mcplumb/fix", "sha": head}).status)
	made := c.ask("POST", "/pulls", object{"title": "Fix", "head": "mcplumb/fix", "base": "main", "body": "Why"})
	require.Equal(c, 201, made.status, made.body)
	return head
}

func TestCommitsAreReal(t *testing.T) {
	c := start(t)
	main := c.d.Branch("main")
	head := c.propose()
	content, err := c.d.Git("show", "mcplumb/fix:a.txt")
	require.NoError(t, err)
	assert.Contains(t, content, "SIX")
	modes, err := c.d.Git("ls-tree", "-r", "--format=%(objectmode) %(path)", "mcplumb/fix")
	require.NoError(t, err)
	assert.Equal(t, "100644 a.txt\n100755 bin/run\n120000 link", modes)
	assert.True(t, c.d.IsVerified(head), "the request named no author")

	tree := c.ask("GET", "/git/commits/"+head, nil).text("tree.sha")
	named := c.ask("POST", "/git/commits", object{"message": "Mine", "tree": tree, "parents": []string{main}, "author": object{"name": "Me", "email": "me@example.com"}})
	assert.Equal(t, "unsigned", named.text("verification.reason"))
	assert.False(t, c.d.IsVerified(named.text("sha")))

	list := c.ask("GET", "/git/trees/"+head+"?recursive=1", nil)
	assert.Contains(t, list.body, `"path":"bin/run"`)
	compared := c.ask("GET", "/compare/main...mcplumb/fix", nil)
	assert.Equal(t, "ahead 1 a.txt", compared.text("status")+" "+compared.text("ahead_by")+" "+compared.text("files.0.filename"))
	assert.Equal(t, "github-actions[bot]", c.ask("GET", "/commits?sha=mcplumb%2Ffix&per_page=1", nil).text("0.author.login"))
	gone := c.ask("POST", "/git/trees", object{"base_tree": tree, "tree": []any{object{"path": "bin/run", "mode": "100755", "type": "blob", "sha": nil}}})
	assert.NotContains(t, gone.body, "bin")
}

// TestInvalidRequests holds that what GitHub's descriptions do not allow is refused
// and remembered.
func TestInvalidRequests(t *testing.T) {
	c := start(t)
	sha := c.d.Branch("main")
	for _, r := range []struct {
		method, path string
		body         any
		why          string
	}{
		{"POST", "/git/refs", object{"ref": "refs/heads/x"}, "sha"},
		{"POST", "/git/refs", object{"ref": "refs/heads/x", "sha": nil}, "sha"},
		{"POST", "/git/refs", object{"ref": "refs/heads/x", "sha": sha, "forced": true}, "does not know"},
		{"POST", "/git/trees", object{"tree": []any{object{"path": "x", "mode": "0644", "sha": sha}}}, "mode"},
		{"PATCH", "/git/refs/heads/main", object{"sha": sha, "force": "yes"}, "force"},
		{"POST", "/pulls", object{"title": "x", "base": "main"}, "head"},
		{"GET", "/pulls?state=opened", nil, "state"},
		{"GET", "/pulls?per_pages=3", nil, "per_pages"},
		{"POST", "/issues/1/comments", object{}, "body"},
		{"POST", "/code-scanning/sarifs", object{"commit_sha": "abc", "ref": "refs/heads/main", "sarif": ""}, "commit_sha"},
	} {
		c.refuses(r.method, r.path, r.body, 422, r.why)
	}
	c.refuses("GET", "/hooks", nil, 404, "Not Found")
	wrong := c.ask("POST", "//graphql", object{"query": "{ repository(owner: \"acme\") { name } }"})
	assert.Contains(t, wrong.body, `argument \"name\"`)
	assert.Len(t, c.d.Violations(), 12)
	c.d.record.violations = nil // or the test would fail

	c.refuses("GET", "//repos/acme/other", nil, 404, "Not Found")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.d.URL+"/repos/acme/web", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, 401, response.StatusCode)
}

func TestRefs(t *testing.T) {
	c := start(t)
	main := c.d.Branch("main")
	one, other := c.commit(main, "a.txt", "one\n"), c.commit(main, "a.txt", "other\n")
	create := func(name, sha string) object { return object{"ref": "refs/heads/" + name, "sha": sha} }
	assert.Equal(t, 201, c.ask("POST", "/git/refs", create("mcplumb/fix", one)).status)
	c.refuses("POST", "/git/refs", create("mcplumb/fix", one), 422, "Reference already exists")
	c.refuses("POST", "/git/refs", create("mcplumb", one), 422, "Reference update failed")
	c.refuses("POST", "/git/refs", create("new", strings.Repeat("1", 40)), 422, "Object does not exist")
	c.refuses("PATCH", "/git/refs/heads/mcplumb/fix", object{"sha": other}, 422, "Update is not a fast forward")
	assert.Equal(t, 200, c.ask("PATCH", "/git/refs/heads/mcplumb/fix", object{"sha": other, "force": true}).status)
	assert.Equal(t, other, c.ask("GET", "/git/ref/heads/mcplumb/fix", nil).text("object.sha"))
	assert.Equal(t, "refs/heads/mcplumb/fix", c.ask("GET", "/git/matching-refs/heads/mcp", nil).text("0.ref"))
	c.refuses("GET", "/git/ref/heads/mcplumb", nil, 404, "Not Found")
	c.d.Protect("mcplumb/fix", "Cannot force-push to this branch")
	c.refuses("PATCH", "/git/refs/heads/mcplumb/fix", object{"sha": one, "force": true}, 422, "Cannot force-push")
	c.d.Allow()
	assert.Equal(t, 204, c.ask("DELETE", "/git/refs/heads/mcplumb/fix", nil).status)
	c.refuses("DELETE", "/git/refs/heads/mcplumb/fix", nil, 422, "Reference does not exist")
	c.refuses("POST", "/git/trees", object{"tree": []any{object{"path": "../x", "mode": "100644", "type": "blob", "content": ""}}}, 422, "malformed path")
	c.refuses("POST", "/git/trees", object{"tree": []any{object{"path": "x", "mode": "100644", "type": "blob", "sha": main}}}, 422, "not a valid blob")
	c.refuses("POST", "/git/blobs", object{"content": "%%", "encoding": "base64"}, 422, "Base64")
}

// TestUpdateRefs holds that a ref moves only from where it was seen.
func TestUpdateRefs(t *testing.T) {
	c := start(t)
	main := c.d.Branch("main")
	one, other := c.commit(main, "a.txt", "one\n"), c.commit(main, "a.txt", "other\n")
	update := func(before, after string, force bool) string {
		return c.ask("POST", "//api/graphql", object{
			"query": "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }",
			"variables": object{"input": object{"repositoryId": nodeID, "refUpdates": []any{
				object{"name": "refs/heads/mcplumb/fix", "beforeOid": before, "afterOid": after, "force": force},
			}}},
		}).body
	}
	found := c.ask("POST", "//graphql", object{"query": `query($o: String!) { repository(owner: $o, name: "web") { id defaultBranchRef { name target { oid } } } }`, "variables": object{"o": "acme"}})
	assert.Equal(t, nodeID, found.text("data.repository.id"))
	assert.Equal(t, main, found.text("data.repository.defaultBranchRef.target.oid"))

	assert.NotContains(t, update(zero, one, false), "errors")
	assert.Equal(t, one, c.d.Branch("mcplumb/fix"))
	assert.Contains(t, update(zero, other, true), "UNPROCESSABLE", "it is there already")
	assert.Contains(t, update(main, other, true), "UNPROCESSABLE", "it is elsewhere")
	assert.Contains(t, update(one, other, false), "Update is not a fast forward")
	assert.NotContains(t, update(one, other, true), "errors")
	assert.Equal(t, other, c.d.Branch("mcplumb/fix"))
	c.d.Deny("contents")
	assert.Contains(t, update(other, one, true), "FORBIDDEN")
	c.d.Allow()
	assert.NotContains(t, update(other, zero, true), "errors")
	assert.Empty(t, c.d.Branch("mcplumb/fix"))
}

func TestPullRequests(t *testing.T) {
	c := start(t)
	head := c.propose()
	open := object{"title": "Again", "head": "acme:mcplumb/fix", "base": "main"}
	c.refuses("POST", "/pulls", open, 422, "A pull request already exists for acme:mcplumb/fix.")
	c.refuses("POST", "/pulls", object{"title": "x", "head": "nowhere", "base": "main"}, 422, `"field":"head"`)
	c.refuses("POST", "/pulls", object{"title": "x", "head": "main", "base": "main"}, 422, "No commits between main and main")
	c.refuses("PATCH", "/pulls/1", object{"body": strings.Repeat("ä", 65537)}, 422, "body is too long")

	next := c.commit(head, "b.txt", "new\n")
	require.Equal(t, 200, c.ask("PATCH", "/git/refs/heads/mcplumb/fix", object{"sha": next}).status)
	seen := c.ask("GET", "/pulls/1", nil)
	assert.Equal(t, next+" 2", seen.text("head.sha")+" "+seen.text("commits"), "it follows its branch")
	assert.Equal(t, "1", c.ask("GET", "/pulls?head=acme:mcplumb/fix", nil).text("0.number"))
	assert.Equal(t, "[]", c.ask("GET", "/pulls?head=eve:mcplumb/fix", nil).body)

	c.ask("POST", "/issues/1/labels", []string{"dependencies"})
	c.ask("POST", "/issues/1/assignees", object{"assignees": []string{"acme", "nobody"}})
	c.ask("POST", "/issues/1/comments", object{"body": "Nothing is left."})
	assert.Equal(t, "closed", c.ask("PATCH", "/pulls/1", object{"state": "closed"}).text("state"))
	require.Equal(t, 204, c.ask("DELETE", "/git/refs/heads/mcplumb/fix", nil).status)
	c.refuses("PATCH", "/pulls/1", object{"state": "open"}, 422, "state cannot be changed. The mcplumb/fix branch has been deleted.")
	c.refuses("PATCH", "/pulls/1", object{"base": "main"}, 422, "Cannot change the base branch of a closed pull request.")
	p := c.d.Pulls()[0]
	assert.Equal(t, []string{"dependencies"}, p.Labels)
	assert.Equal(t, []string{"acme"}, p.Assignees)
	assert.Equal(t, []string{"github-actions[bot]: Nothing is left."}, p.Comments)
}

// TestPullRequestsOfPeople holds what happens to a pull request without the tool.
func TestPullRequestsOfPeople(t *testing.T) {
	c := start(t)
	head := c.propose()
	theirs, err := c.d.Commit("bob", "mcplumb/fix", "Mine", map[string]*File{"bob.txt": {Content: "b\n"}})
	require.NoError(t, err)
	assert.Equal(t, theirs, c.d.Pulls()[0].HeadSHA)
	assert.Equal(t, "bob", c.ask("GET", "/commits/"+theirs, nil).text("author.login"))
	c.d.ClosePull(1, "bob")
	require.NoError(t, c.d.ForcePush("mcplumb/fix", head))
	c.refuses("PATCH", "/pulls/1", object{"state": "open"}, 422, "was force-pushed or recreated")
	assert.Equal(t, "2", c.ask("POST", "/pulls", object{"title": "Two", "head": "mcplumb/fix", "base": "main"}).text("number"))
	require.NoError(t, c.d.Merge(2, "bob"))
	assert.True(t, c.d.Pulls()[1].Merged)
	_, err = c.d.PullOf("eve:mcplumb/fix", theirs, "main", "Of a fork")
	require.NoError(t, err)
	assert.Equal(t, "eve/web", c.ask("GET", "/pulls", nil).text("0.head.repo.full_name"))
}

func TestPages(t *testing.T) {
	c := start(t)
	files := map[string]*File{}
	for i := range 45 {
		files[fmt.Sprintf("f/%02d", i)] = &File{Content: "x\n"}
	}
	sha, err := c.d.Commit("bob", "many", "Many", files)
	require.NoError(t, err)
	_, err = c.d.PullOf("many", sha, "main", "Many")
	require.NoError(t, err)
	first := c.ask("GET", "/pulls/1/files", nil)
	assert.Equal(t, 30, strings.Count(first.body, `"filename"`))
	assert.Contains(t, first.header.Get("Link"), `/repos/acme/web/pulls/1/files?page=2>; rel="next"`)
	second := c.ask("GET", "/pulls/1/files?page=2", nil)
	assert.Equal(t, 15, strings.Count(second.body, `"filename"`))
	assert.NotContains(t, second.header.Get("Link"), `"next"`)
	assert.Equal(t, "@@ -0,0 +1 @@\n+x", first.text("0.patch"))
}

// TestReviews holds that a review is taken whole or not at all.
func TestReviews(t *testing.T) {
	c := start(t)
	head := c.propose()
	review := func(comments ...any) object {
		return object{"commit_id": head, "event": "COMMENT", "body": "Suggestions", "comments": comments}
	}
	at := func(line int) object { return object{"path": "a.txt", "side": "RIGHT", "line": line, "body": "Better"} }
	from := func(start, line int) object {
		return object{"path": "a.txt", "side": "RIGHT", "line": line, "start_line": start, "start_side": "RIGHT", "body": "Better"}
	}
	c.refuses("POST", "/pulls/1/reviews", review(at(6), at(12)), 422, "Pull request review thread line must be part of the diff")
	c.refuses("POST", "/pulls/1/reviews", review(from(2, 6)), 422, "start line must be part of the same hunk")
	c.refuses("POST", "/pulls/1/reviews", review(from(7, 6)), 422, "must precede")
	c.refuses("POST", "/pulls/1/reviews", review(object{"path": "b.txt", "line": 1, "body": "x"}), 422, "path is invalid")
	assert.Empty(t, c.d.ReviewComments(1), "none of those was taken")
	taken := c.ask("POST", "/pulls/1/reviews", review(at(9), from(5, 6)))
	require.Equal(t, 200, taken.status, taken.body)
	assert.Equal(t, "COMMENTED", taken.text("state"))

	next := c.commit(head, "a.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")
	require.Equal(t, 200, c.ask("PATCH", "/git/refs/heads/mcplumb/fix", object{"sha": next}).status)
	list := c.ask("GET", "/pulls/1/comments", nil)
	assert.Equal(t, "10", list.text("0.line"), "it moved with its line")
	assert.Equal(t, "<nil> 6", list.text("1.line")+" "+list.text("1.original_line"), "its lines changed")
	comments := c.d.ReviewComments(1)
	assert.False(t, comments[0].Outdated)
	assert.True(t, comments[1].Outdated)
	c.d.Reply(comments[0].ID, "bob", "No.")
	assert.Equal(t, fmt.Sprint(comments[0].ID), fmt.Sprintf("%.0f", c.ask("GET", "/pulls/1/comments", nil).get("2.in_reply_to_id")))
	assert.Equal(t, 204, c.ask("DELETE", fmt.Sprintf("/pulls/comments/%d", comments[1].ID), nil).status)
	assert.Equal(t, 404, c.ask("DELETE", fmt.Sprintf("/pulls/comments/%d", comments[1].ID), nil).status)
}

// TestPatches holds that a patch is what GitHub writes: hunks alone.
func TestPatches(t *testing.T) {
	c := start(t)
	sha, err := c.d.Commit("bob", "many", "Many", map[string]*File{
		"a.txt": {Content: "diff --git a/x b/x\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\nlast"}, "link": {Content: "no link any more\n"},
		"bin/run": nil, "bin/other": {Mode: "100755", Content: "#!/bin/sh\n"}, "picture": {Content: "\x00\x01"}, "empty": {},
	})
	require.NoError(t, err)
	_, err = c.d.PullOf("many", sha, "main", "Many")
	require.NoError(t, err)
	list := c.ask("GET", "/pulls/1/files", nil)
	var seen []string
	for i := range 5 {
		at := fmt.Sprint(i) + "."
		seen = append(seen, list.text(at+"filename")+" "+list.text(at+"status")+" "+list.text(at+"previous_filename"))
	}
	assert.Equal(t, []string{"a.txt modified <nil>", "bin/other renamed bin/run", "empty added <nil>", "link changed <nil>", "picture added <nil>"}, seen)
	assert.Equal(t, "@@ -1,4 +1,4 @@\n-1\n+diff --git a/x b/x\n 2\n 3\n 4\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+last\n\\ No newline at end of file", list.text("0.patch"))
	assert.Nil(t, list.get("4.patch"))
}

func TestFaults(t *testing.T) {
	c := start(t)
	c.d.Fail("GET /git/ref/{ref}", Broken, TooMany(time.Second), Secondary(2*time.Second), Exhausted(time.Minute), NoRepository, ReadOnly)
	for _, want := range []string{"502 0 Server Error", "429 1 API rate limit", "403 2 You have exceeded a secondary rate limit", "403  API rate limit", "404  Not Found", "403  Resource not accessible by integration"} {
		a := c.ask("GET", "/git/ref/heads/main", nil)
		got := fmt.Sprintf("%d %s %s", a.status, a.header.Get("Retry-After"), a.text("message"))
		assert.Truef(t, strings.HasPrefix(got, want), "%s: %s", want, got)
		assert.Equal(t, strings.HasPrefix(want, "403  API"), a.header.Get("X-RateLimit-Remaining") == "0")
	}
	assert.Equal(t, 200, c.ask("GET", "/git/ref/heads/main", nil).status)

	c.d.Deny()
	c.refuses("POST", "/git/blobs", object{"content": "x"}, 403, "Resource not accessible by integration")
	c.d.Allow()
	c.d.Before("GET /git/ref/{ref}", 2, func() { _, _ = c.d.Commit("bob", "main", "Move", map[string]*File{"b.txt": {Content: "b\n"}}) })
	first := c.ask("GET", "/git/ref/heads/main", nil).text("object.sha")
	assert.NotEqual(t, first, c.ask("GET", "/git/ref/heads/main", nil).text("object.sha"))

	c.d.Fail("POST /git/refs", Cut, Lost)
	create := object{"ref": "refs/heads/x", "sha": first}
	_, err := c.try("POST", "/git/refs", create)
	assert.Error(t, err)
	assert.Empty(t, c.d.Branch("x"))
	_, err = c.try("POST", "/git/refs", create)
	assert.Error(t, err)
	assert.Equal(t, first, c.d.Branch("x"))
}

// TestSaw holds that a token is found wherever a request may hide it.
func TestSaw(t *testing.T) {
	c := start(t)
	assert.Equal(t, 200, c.ask("GET", "", nil).status)
	assert.Empty(t, c.d.Saw(Token), "it is in Authorization alone")
	canary := "canary" + strings.Repeat("7", 9)
	c.ask("POST", "/git/blobs", object{"content": base64.StdEncoding.EncodeToString([]byte("a " + canary)), "encoding": "base64"})
	c.ask("GET", "/git/ref/heads/"+canary, nil)
	c.ask("POST", "/code-scanning/sarifs", object{"commit_sha": c.d.Branch("main"), "ref": "refs/heads/main", "sarif": zipped(`{"version":"2.1.0","runs":["` + canary + `"]}`)})
	assert.Equal(t, []string{"POST /git/blobs", "GET /git/ref/{ref}", "POST /code-scanning/sarifs"}, c.d.Saw(canary))
	assert.Equal(t, "complete", c.ask("GET", "/code-scanning/sarifs/"+c.d.Uploads()[0].ID, nil).text("processing_status"))
}

func zipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(out.Bytes())
}
