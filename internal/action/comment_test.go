package action_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestActionSummarySaysWhatAChangeBrings: above all else, with links to the commits of both sides.
func TestActionSummarySaysWhatAChangeBrings(t *testing.T) {
	p := newPull(t)
	environ := p.event(t, "pull_request", "refs/pull/1/merge", pullEvent)
	environ["GITHUB_STEP_SUMMARY"] = filepath.Join(t.TempDir(), "summary")
	environ["GITHUB_SERVER_URL"], environ["GITHUB_REPOSITORY"], environ["GITHUB_SHA"] = "https://github.com", "acme/web", p.merge
	runAction(t, p.dir, environ)
	const rows = "### mcplumb\n\n**What this change adds: 1 changed**\n\n| | server | what | place |\n|---|---|---|---|\n| changed | `n` | runs what \"l\" runs | [`new/.mcp.json:1`](https://github.com/acme/web/blob/"
	assert.True(t, strings.HasPrefix(content(t, environ["GITHUB_STEP_SUMMARY"]), rows+p.merge+"/new/.mcp.json#L1) |\n"), content(t, environ["GITHUB_STEP_SUMMARY"]))

	environ["GITHUB_SHA"] = strings.Repeat("1", 40) // what is checked out is another commit, which may be nowhere
	environ["GITHUB_STEP_SUMMARY"] = filepath.Join(t.TempDir(), "summary")
	runAction(t, p.dir, environ)
	assert.Contains(t, content(t, environ["GITHUB_STEP_SUMMARY"]), "| changed | `n` | runs what \"l\" runs | `new/.mcp.json:1` |\n")
}

// TestActionComments: what is sent is the report in Markdown, after a mark; test/github tries
// all else.
func TestActionComments(t *testing.T) {
	p := newPull(t)
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any
		switch r.Method + " " + r.URL.Path {
		case "GET /repos/acme/web":
			answer = map[string]any{"node_id": "R1", "default_branch": "main"}
		case "GET /repos/acme/web/pulls/1":
			answer = map[string]any{"number": 1, "state": "open", "head": map[string]any{"sha": p.head}}
		case "GET /repos/acme/web/issues/1/comments":
			answer = []any{}
		case "POST /repos/acme/web/issues/1/comments":
			var comment struct{ Body string }
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&comment))
			sent = append(sent, comment.Body)
			answer = map[string]any{"id": 1}
		default:
			t.Errorf("%s %s", r.Method, r.URL)
		}
		assert.NoError(t, json.NewEncoder(w).Encode(answer))
	}))
	defer server.Close()
	environ := p.event(t, "pull_request", "refs/pull/1/merge", pullEvent)
	environ["INPUT_TOKEN"], environ["GITHUB_API_URL"], environ["GITHUB_REPOSITORY"] = strings.Repeat("t", 12), server.URL, "acme/web"
	runAction(t, p.dir, environ)
	assert.Empty(t, sent, "no comment was requested")
	environ["INPUT_COMMENT"] = "true"
	_, log := runAction(t, p.dir, environ)
	assert.Contains(t, log, "\ncomment: created\n")
	if assert.Len(t, sent, 1) {
		assert.Regexp(t, `^<!-- mcplumb summary [0-9a-f]{12} -->\n### mcplumb\n\n\*\*What this change adds: 1 changed\*\*\n`, sent[0])
		assert.Contains(t, sent[0], "\n#### `new/.mcp.json`\n")
	}
	environ["INPUT_COMMENT"], environ["INPUT_TOKEN"] = "true", ""
	_, log = runAction(t, p.dir, environ)
	assert.Contains(t, log, "::warning title=mcplumb::no comment: there is no token\n")
}
