package github_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onAServer makes a scene one of GitHub Enterprise Server, and returns the variables that a
// job gets there: its API is below /api/v3, with GraphQL next to it.
func (s *scene) onAServer() (env []string) {
	s.SetServer("https://github.acme.dev")
	return []string{"GITHUB_API_URL=" + s.URL + "/api/v3", "GITHUB_GRAPHQL_URL=" + s.URL + "/api/graphql", "GITHUB_SERVER_URL=https://github.acme.dev"}
}

// isOnAServer holds that every request went to the API of the server, and that every link
// to the repository leads there.
func (s *scene) isOnAServer() {
	s.Helper()
	require.NotEmpty(s, s.Requests())
	for _, r := range s.Requests() {
		assert.True(s, strings.HasPrefix(r.URL, "/api/v3/") || r.URL == "/api/graphql", r.URL)
	}
	texts := []string{s.said}
	for _, p := range s.Pulls() {
		texts = append(append(texts, p.Body, strings.Join(p.Comments, "\n")), p.Reviews...)
		for _, c := range s.ReviewComments(p.Number) {
			texts = append(texts, c.Body)
		}
	}
	assert.NotContains(s, strings.Join(texts, "\n"), "https://github.com/acme")
}

// TestFixesOnAServerOfOnesOwn: the pull request is opened, brought up to date and closed.
func TestFixesOnAServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.env = s.onAServer()
	s.does("created, #1 https://github.acme.dev/acme/web/pull/1")
	s.isOnAServer()
	s.isRight()
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("updated, #1 https://github.acme.dev/acme/web/pull/1")
	s.isOnAServer()
	s.isRight()
	s.push(map[string]string{".mcp.json": withURL, "api/.vscode/mcp.json": rightRoot})
	s.does("closed, #1 https://github.acme.dev/acme/web/pull/1")
	s.isOnAServer()
	s.isGone()
}

// TestActionOnAServerOfOnesOwn: the same as a step of a job, which also uploads.
func TestActionOnAServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := one(t)
	env := append(s.onAServer(), "INPUT_UPLOAD_SARIF=true", "GITHUB_SHA="+s.Branch("main"))
	log, outputs := s.act(nil, env...)
	s.isOnAServer()
	assert.Contains(t, log, "uploaded to code scanning as the category mcplumb: https://github.acme.dev/acme/web/security/code-scanning?")
	assert.Contains(t, outputs, "pull-request-url=https://github.acme.dev/acme/web/pull/1\n")
	require.Len(t, s.Uploads(), 1)
	assert.Equal(t, s.Branch("main"), s.Uploads()[0].Commit)
	s.env = env
	s.isRight()
}

// TestSuggestOnAServerOfOnesOwn: suggestions also work there, and so does removing them.
func TestSuggestOnAServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
	s.inputs = s.onAServer()
	s.suggests(1, 0)
	s.isOnAServer()
	s.change(map[string]string{".mcp.json": withURL})
	s.checkout()
	assert.Contains(t, s.suggest(), "1 removed")
	s.isOnAServer()
}
