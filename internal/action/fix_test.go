package action_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestActionProposesOnlyWhereItMay: a token that may write is not used for input that anyone
// can send, and inputs that cannot be combined are reported.
func TestActionProposesOnlyWhereItMay(t *testing.T) {
	for name, tt := range map[string]struct {
		fix, event, payload, want string
	}{
		"pull_request_target":  {"suggest", "pull_request_target", `{}`, "no fixes are proposed for pull_request_target"},
		"a fix for a request":  {"pull-request", "pull_request", `{}`, "fix: pull-request fixes a branch of the repository, and this is a pull request"},
		"a hint for a push":    {"suggest", "push", `{}`, "fix: suggest needs a pull request to suggest in, and the event push has none"},
		"a fork":               {"suggest", "pull_request", `{"pull_request":{"number":3,"head":{"sha":"1","repo":{"full_name":"evil/web"}}}}`, "the pull request does not come from a branch of this repository"},
		"a fork that has gone": {"suggest", "pull_request", `{"pull_request":{"number":3,"head":{"sha":"1","repo":null}}}`, "the pull request does not come from a branch of this repository"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".mcp.json", `{"mcpServers": {"web": {"type": "http", "uri": "https://web.acme.dev/mcp"}}}`)
			write(t, dir, "event.json", tt.payload)
			asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("GitHub was asked") }))
			defer asked.Close()
			code, log := runAction(t, dir, map[string]string{
				"INPUT_FIX": tt.fix, "INPUT_FAIL_ON": "never", "INPUT_TOKEN": strings.Repeat("t", 12), "GITHUB_EVENT_NAME": tt.event,
				"GITHUB_EVENT_PATH": filepath.Join(dir, "event.json"), "GITHUB_API_URL": asked.URL, "GITHUB_REPOSITORY": "acme/web",
			})
			assert.Zero(t, code)
			assert.Contains(t, log, tt.want)
		})
	}
}

// suggested is what a pull request was sent.
type suggested struct {
	CommitID string `json:"commit_id"`
	Event    string
	Body     string
	Comments []struct {
		Path, Body, Side string
		Line             int
		StartLine        int `json:"start_line"`
	}
}

// TestActionSuggests suggests what the pull request shows, and no half of a fix. The
// second run does not repeat it.
func TestActionSuggests(t *testing.T) {
	dir := t.TempDir()
	config := "{\n  \"mcpServers\": {\n    \"web\": {\n      \"type\": \"http\",\n      \"uri\": \"https://web.acme.dev/mcp\"\n    },\n" +
		strings.Repeat("\n", 10) + "    \"chat\": {\n      \"type\": \"http\",\n      \"uri\": \"https://chat.acme.dev/mcp\"\n    }\n  }\n}\n"
	write(t, dir, ".mcp.json", config)
	write(t, dir, "event.json", `{"pull_request":{"number":3,"head":{"sha":"`+strings.Repeat("a", 40)+`","repo":{"full_name":"acme/web"}}}}`)
	var sent []suggested
	var deleted []string
	us, them := map[string]any{"login": "github-actions[bot]"}, map[string]any{"login": "eve"}
	comments := []map[string]any{
		{"id": 11, "user": us, "path": ".mcp.json", "line": 5, "body": "old <!-- mcplumb suggestion 0011 -->"},
		{"id": 12, "user": us, "path": ".mcp.json", "line": 5, "body": "old <!-- mcplumb suggestion 0012 -->"},
		{"id": 13, "user": them, "path": ".mcp.json", "line": 5, "in_reply_to_id": 12, "body": "why?"},
		{"id": 14, "user": them, "path": ".mcp.json", "line": 5, "body": "a person's"},
		{"id": 15, "user": them, "path": ".mcp.json", "line": 5, "body": "as ours <!-- mcplumb suggestion 0015 -->"},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any
		switch r.Method + " " + r.URL.Path {
		case "GET /repos/acme/web":
			answer = map[string]any{"node_id": "R1", "default_branch": "main"}
		case "GET /repos/acme/web/pulls/3":
			answer = map[string]any{"number": 3, "state": "open", "head": map[string]any{"sha": strings.Repeat("a", 40)}}
		case "POST /graphql":
			answer = map[string]any{"data": map[string]any{"viewer": us}}
		case "GET /repos/acme/web/pulls/3/files":
			answer = []map[string]any{{"filename": ".mcp.json", "sha": blobOf(t, dir, ".mcp.json"), "patch": "@@ -2,6 +2,6 @@\n a\n"}}
		case "GET /repos/acme/web/pulls/3/comments":
			answer = comments
		case "POST /repos/acme/web/pulls/3/reviews":
			var review suggested
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&review))
			sent = append(sent, review)
			for i, c := range review.Comments {
				comments = append(comments, map[string]any{"id": 20 + i, "user": us, "path": c.Path, "line": c.Line, "body": c.Body})
			}
			answer = map[string]any{"id": 1}
		default:
			if id, found := strings.CutPrefix(r.URL.Path, "/repos/acme/web/pulls/comments/"); found && r.Method == http.MethodDelete {
				deleted = append(deleted, id)
				w.WriteHeader(http.StatusNoContent)
				return
			}
			t.Errorf("%s %s", r.Method, r.URL)
		}
		content, err := json.Marshal(answer)
		assert.NoError(t, err)
		_, _ = w.Write(content)
	}))
	defer server.Close()
	environ := map[string]string{
		"INPUT_FIX": "suggest", "INPUT_FAIL_ON": "never", "INPUT_TOKEN": strings.Repeat("t", 12), "GITHUB_EVENT_NAME": "pull_request",
		"GITHUB_EVENT_PATH": filepath.Join(dir, "event.json"), "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "acme/web",
	}
	_, log := runAction(t, dir, environ)
	require.Len(t, sent, 1, log)
	assert.Equal(t, strings.Repeat("a", 40), sent[0].CommitID)
	assert.Equal(t, "COMMENT", sent[0].Event)
	require.Len(t, sent[0].Comments, 1, "the other is outside of the diff")
	c := sent[0].Comments[0]
	assert.Equal(t, ".mcp.json", c.Path)
	assert.Equal(t, "RIGHT", c.Side)
	assert.Equal(t, 5, c.Line)
	assert.Zero(t, c.StartLine, "one line")
	assert.Contains(t, c.Body, "\n```suggestion\n      \"url\": \"https://web.acme.dev/mcp\"\n```\n")
	assert.Equal(t, []string{"11"}, deleted, "the one without an answer")
	assert.Contains(t, log, "suggested: 1 new, 0 already there, 1 removed; fixes outside of what the pull request shows: 1")

	comments = comments[1:]
	_, log = runAction(t, dir, environ)
	assert.Len(t, sent, 1)
	assert.Contains(t, log, "suggested: 0 new, 1 already there, 0 removed; fixes outside of what the pull request shows: 1")
}

// blobOf returns the name that git has for a file.
func blobOf(t *testing.T, dir, name string) string {
	t.Helper()
	out, err := exec.Command("git", "hash-object", "--no-filters", filepath.Join(dir, name)).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
