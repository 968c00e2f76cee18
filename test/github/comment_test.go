package github_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commented makes a scene in which the action keeps a comment in a pull request.
func commented(t *testing.T, before, change map[string]string) *review {
	t.Helper()
	s := proposed(t, before, change)
	s.inputs = []string{"INPUT_FIX=none", "INPUT_COMMENT=true", "GITHUB_SERVER_URL=https://github.com"}
	return s
}

// comments runs the action and returns the comments below the pull request.
func (s *review) comments() []string {
	s.Helper()
	inputs := s.inputs
	s.inputs = append(inputs[:len(inputs):len(inputs)], "GITHUB_SHA="+s.git(s.clone, "rev-parse", "HEAD"))
	s.suggest()
	s.inputs = inputs
	return s.Pulls()[0].Comments
}

// goesOn has the author change the pull request, and checks that out.
func (s *review) goesOn(files map[string]string) {
	s.Helper()
	s.change(files)
	s.checkout()
}

const notes = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.0.0"]}}}` + "\n"

// TestComment: one comment reports what the pull request adds, and is kept up to date, also
// when nothing is left to report.
func TestComment(t *testing.T) {
	t.Parallel()
	s := commented(t, map[string]string{".mcp.json": notes}, map[string]string{".mcp.json": strings.Replace(notes, "1.0.0", "2.0.0", 1)})
	s.Deny("contents", "security_events") // all that is needed is pull-requests: write
	said := s.comments()
	require.Len(t, said, 1)
	assert.True(t, strings.HasPrefix(said[0], "github-actions[bot]: <!-- mcplumb summary "), said[0])
	assert.Contains(t, said[0], "\n### mcplumb\n\n**What this change adds: 1 changed**\n")
	assert.Contains(t, said[0], "| changed | `notes` | `npm:@acme/notes 1.0.0` → `npm:@acme/notes 2.0.0` | [`.mcp.json:1`](https://github.com/acme/web/blob/"+s.git(s.clone, "rev-parse", "HEAD")+"/.mcp.json#L1) |\n")
	s.comments()
	assert.Empty(t, s.Writes(), "nothing twice")

	s.goesOn(map[string]string{".mcp.json": "{\"mcpServers\": {}}\n"})
	said = s.comments()
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "| gone | `notes` | `npm:@acme/notes 1.0.0` (at the base) | [`.mcp.json:1`](https://github.com/acme/web/blob/"+s.Branch("main")+"/.mcp.json#L1) |\n")
	s.goesOn(map[string]string{".mcp.json": notes})
	said = s.comments()
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "\n**No change to MCP servers**\n")
}

// TestCommentSaysNoCredential: not even in an address.
func TestCommentSaysNoCredential(t *testing.T) {
	t.Parallel()
	s := commented(t, map[string]string{"README.md": "# web\n"},
		map[string]string{".mcp.json": `{"mcpServers": {"docs": {"type": "http", "url": "https://docs.acme.dev/mcp?token=` + canary + `"}, "](x) @eve <b>": {"command": "npx", "args": ["-y", "@acme/x@1.0.0"]}}}` + "\n"})
	said := s.comments()
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "| new | `docs` | `https://docs.acme.dev/mcp?token=***` |")
	assert.Contains(t, said[0], "| new | `](x) @eve <b>` | `npm:@acme/x 1.0.0` |")
}

// TestNoComment: with nothing to report, there is no comment, and other people's comments
// stay.
func TestNoComment(t *testing.T) {
	t.Parallel()
	s := commented(t, map[string]string{".mcp.json": notes}, map[string]string{"README.md": "# web\n"})
	assert.Empty(t, s.comments())
	assert.Empty(t, s.Writes())

	s.goesOn(map[string]string{".mcp.json": "{\"mcpServers\": {}}\n"})
	said := s.comments()
	require.Len(t, said, 1)
	mark, _, _ := strings.Cut(strings.TrimPrefix(said[0], "github-actions[bot]: "), "\n")
	other := commented(t, map[string]string{".mcp.json": notes}, map[string]string{"README.md": "# web\n"})
	other.Say(1, "eve", mark+"\nnot ours")
	assert.Equal(t, []string{"eve: " + mark + "\nnot ours"}, other.comments())
	other.goesOn(map[string]string{".mcp.json": "{\"mcpServers\": {}}\n"})
	assert.Len(t, other.comments(), 2)
}

// TestCommentOnlyWhereItMay: a token that may not comment is reported, for a fork as a
// notice, and fails nothing. An event that anyone can trigger with a token that may write
// is no reason to comment.
func TestCommentOnlyWhereItMay(t *testing.T) {
	t.Parallel()
	s := commented(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": notes})
	s.Deny()
	assert.Contains(t, s.suggest(), "::warning title=mcplumb::no comment: cannot comment on #1: the token may not, it needs pull-requests: write (403: ")
	s.event = map[string]any{"number": 1, "head": map[string]any{"sha": s.head, "repo": map[string]any{"full_name": "eve/web"}}, "base": map[string]any{"sha": s.Branch("main")}}
	log := s.suggest()
	assert.Contains(t, log, "::notice title=mcplumb::no comment: the pull request is from a fork, for which the token may only read")
	assert.NotContains(t, log, "::warning")
	s.Allow()
	s.inputs = append(s.inputs, "GITHUB_EVENT_NAME=pull_request_target")
	assert.Contains(t, s.suggest(), "::warning title=mcplumb::no comment for pull_request_target")
	assert.Empty(t, s.Requests())
	s.inputs[len(s.inputs)-1] = "GITHUB_EVENT_NAME=push"
	assert.Contains(t, s.suggest(), "\nno comment: the event has no pull request\n")
	assert.Empty(t, s.Requests())
	assert.Empty(t, s.Pulls()[0].Comments)
}
