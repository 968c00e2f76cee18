package github_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// TestFilesOfWorkflows: GitHub refuses a job's commit that changes files in the directory
// of workflows, so fix-pr holds those fixes back, and proposes the others.
func TestFilesOfWorkflows(t *testing.T) {
	t.Parallel()
	triage := "---\non: push\nmcp-servers:\n  web:\n    type: http\n    uri: https://web.acme.dev/mcp\n---\nTriage.\n"
	s := begin(t, map[string]string{".github/workflows/triage.md": triage, ".mcp.json": withURI})
	s.does("1 fix is held back: GitHub does not let a job change files below .github/workflows")
	names, err := s.Git("diff", "--name-only", "main", fixBranch)
	require.NoError(t, err)
	assert.Equal(t, ".mcp.json", names)
	assert.Contains(t, s.only().Body, "<summary>1 place not fixed</summary>")
	assert.Contains(t, s.only().Body, ".github/workflows/triage.md:6")
	s.doesNothing()

	s = begin(t, map[string]string{".github/workflows/triage.md": triage})
	s.does("1 fix is held back")
	assert.Empty(t, s.open())

	s.flags = []string{"--workflows"}
	for kind, fault := range map[string]double.Fault{"POST /git/trees": double.NoRepository, "mutation updateRefs": double.ReadOnly} {
		s.Fail(kind, fault)
		s.fails("may not write workflows", "leave out --workflows")
		s.isGone()
	}
	s.does("created")
	assert.Contains(t, s.fixed(".github/workflows/triage.md"), "url: https://web.acme.dev/mcp")
	s.isRight()
}

// TestActionOfWorkflows: with the token of an app that may change them, the action also
// fixes those files.
func TestActionOfWorkflows(t *testing.T) {
	t.Parallel()
	triage := "---\non: push\nmcp-servers:\n  web:\n    type: http\n    uri: https://web.acme.dev/mcp\n---\nTriage.\n"
	s := begin(t, map[string]string{".github/workflows/triage.md": triage})
	_, outputs := s.act(nil, "INPUT_FIX_WORKFLOWS=true")
	assert.Contains(t, outputs, "pull-request-operation=created\n")
	assert.Contains(t, s.fixed(".github/workflows/triage.md"), "url: https://web.acme.dev/mcp")
}

// TestSignOff: the commits are signed off by the author that GitHub sets, and are otherwise
// unchanged.
func TestSignOff(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{".mcp.json": withURI, "api/.vscode/mcp.json": wrongRoot})
	s.does("created")
	s.flags = []string{"--signoff"}
	s.does("updated")
	commits, err := s.Log("main", fixBranch)
	require.NoError(t, err)
	require.Len(t, commits, 2)
	for _, sha := range commits {
		said, err := s.Git("show", "--no-patch", "--format=%an <%ae>%n%(trailers:key=Signed-off-by,valueonly)", sha)
		require.NoError(t, err)
		author, signed, _ := strings.Cut(said, "\n")
		assert.Equal(t, author, strings.TrimSpace(signed))
	}
	s.isRight()
	s.push(map[string]string{"README.md": "# more\n"})
	s.does("updated")
	s.isRight()

	s = one(t)
	_, outputs := s.act(nil, "INPUT_FIX_SIGNOFF=true")
	assert.Contains(t, outputs, "pull-request-operation=created\n")
	message, err := s.Git("show", "--no-patch", "--format=%B", fixBranch)
	require.NoError(t, err)
	assert.Regexp(t, `\n\nSigned-off-by: github-actions\[bot\] <[^<>]+>$`, message)
}

// TestMarkedLater: labels and assignees that a run could not give, the next one does.
func TestMarkedLater(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"POST /issues/{issue_number}/labels", "POST /issues/{issue_number}/assignees"} {
		s := one(t)
		s.flags = []string{"--label", "mcp", "--assignee", "acme"}
		s.FailFrom(kind, 1, double.Cut)
		assert.Equal(t, 3, s.fixPR().code)
		s.Recover()
		s.does("updated")
		assert.Equal(t, []string{"mcp"}, s.only().Labels)
		assert.Equal(t, []string{"acme"}, s.only().Assignees)
		s.isRight()
	}
	s := one(t)
	s.FailFrom("POST /issues/{issue_number}/labels", 1, double.Cut)
	log, outputs := s.act(nil, "INPUT_FIX_LABELS=mcp")
	assert.Contains(t, log, "cannot label #1")
	assert.Contains(t, outputs, "pull-request-operation=created\n")
	s.Recover()
	s.Fail("POST /issues/{issue_number}/labels", double.ReadOnly)
	log, outputs = s.act(nil, "INPUT_FIX_LABELS=mcp")
	assert.Contains(t, log, "cannot label #1")
	assert.Contains(t, outputs, "pull-request-operation=updated\n")
	s.Forget()
	_, outputs = s.act(nil, "INPUT_FIX_LABELS=mcp")
	assert.Contains(t, outputs, "pull-request-operation=none\n", "what GitHub refuses is not asked for again and again")
	assert.Empty(t, s.Writes())
}

// TestProjectThatIsGone: when the directory of a project is removed, its pull request is
// closed, and those of the others stay; the same when no project has anything left to fix.
func TestProjectThatIsGone(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{"a/package.json": "{}\n", "a/.mcp.json": withURI, "b/package.json": "{}\n", "b/.mcp.json": withURI})
	s.flags = []string{"--group", "project"}
	s.does("created")
	require.Len(t, s.open(), 2)
	s.push(map[string]string{"a/package.json": "", "a/.mcp.json": ""})
	s.does("closed")
	assert.Contains(t, s.only().Title, " in b")
	assert.Empty(t, s.Branch(s.Pulls()[0].Head))
	s.doesNothing()
	s.push(map[string]string{"b/package.json": "", "b/.mcp.json": "", "README.md": "# nothing\n"})
	s.does("closed")
	assert.Empty(t, s.open())
	s.doesNothing()
}

// TestDryRunForAPullRequest: what fix-pr would have proposed after a merge, without writing
// anything.
func TestDryRunForAPullRequest(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
	s.env = []string{"GITHUB_EVENT_NAME=pull_request", "GITHUB_REF_NAME=1/merge", "GITHUB_REF=refs/pull/1/merge", "GITHUB_BASE_REF=main"}
	for _, env := range [][]string{nil, {"GITHUB_TOKEN="}} {
		s.env = append(s.env, env...)
		r := s.fixPR("--dry-run")
		assert.Equal(t, 0, r.code, r.err)
		assert.Contains(t, r.out, "branch: mcplumb/fix, for main at ")
		assert.Contains(t, r.out, "invalid-server")
		assert.Empty(t, s.Writes())
	}
	r := s.fixPR()
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "fix-pr writes nothing for the event pull_request")
	assert.Empty(t, s.Requests())
}

// TestPartsOfTheRepository: runs for parts, as in a matrix, each have their own pull
// request, and none closes or empties that of another.
func TestPartsOfTheRepository(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI})
	s.does("created", "a")
	s.does("created", "b")
	for range 2 {
		for _, part := range []string{"a", "b"} {
			s.fixPR(part)
			assert.Empty(t, s.Writes())
		}
	}
	open := s.open()
	require.Len(t, open, 2)
	for i, part := range []string{"a", "b"} {
		assert.Contains(t, open[i].Title, " in "+part)
		names, err := s.Git("diff", "--name-only", "main", open[i].Head)
		require.NoError(t, err)
		assert.Equal(t, part+"/.mcp.json", names)
	}
	s.push(map[string]string{"a/.mcp.json": withURL})
	s.does("closed", "a")
	assert.Len(t, s.open(), 1)

	s.does("created")
	assert.Equal(t, fixBranch, s.only().Head, "a run for all has one for all")
	s.isRight()
}

// TestNoBranchToMend: neither our own branch nor one of GitHub's merge queue is fixed:
// the first has nothing left to fix, and its pull request would be closed.
func TestNoBranchToMend(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for _, base := range []string{fixBranch, fixBranch + "-a-1b2c3d", "gh-readonly-queue/main/pr-1-" + strings.Repeat("1", 40)} {
		s.env = []string{"GITHUB_REF_NAME=" + base, "GITHUB_REF_TYPE=branch"}
		r := s.fixPR()
		assert.Equal(t, 2, r.code)
		assert.Contains(t, r.err, base+" is not a branch to fix")
		assert.Empty(t, s.Writes())
	}
	s.env = nil
	s.isRight()
}

// TestBaseWithSlashes: branches may be named by paths, and each may have a pull request
// on a branch that is named for it.
func TestBaseWithSlashes(t *testing.T) {
	t.Parallel()
	s := opened(t)
	_, err := s.Commit("alice", "release/1.x", "Go on\n", map[string]*double.File{"README.md": {Content: "# release\n"}})
	require.NoError(t, err)
	s.git(s.clone, "fetch", "--quiet", "origin")
	s.git(s.clone, "checkout", "--quiet", "--detach", "origin/release/1.x")
	s.does("created", "--base", "release/1.x", "--branch", fixBranch+"-release")
	s.pull()
	s.fixPR()
	assert.Len(t, s.open(), 2, "a run for main leaves alone what is for another branch")
	assert.Equal(t, "release/1.x", s.open()[1].Base)
}

// TestTitleOfAProject: a title becomes a commit message, where a name could close an issue
// or mention a person.
func TestTitleOfAProject(t *testing.T) {
	t.Parallel()
	dir := "fixes #1 @acme/all " + strings.Repeat("long-", 40)
	s := begin(t, map[string]string{dir + "/package.json": "{}\n", dir + "/.mcp.json": withURI})
	s.does("created", "--group", "project")
	title := s.only().Title
	assert.NotRegexp(t, regexp.MustCompile(`[#@]`), title)
	assert.LessOrEqual(t, len(title), 256)
	messages, err := s.Git("log", "--format=%B", "main.."+s.only().Head)
	require.NoError(t, err)
	assert.NotRegexp(t, regexp.MustCompile(`#\d|@`), messages)
}

// TestMarkOfTheRepository: a name that looks like the state that fix-pr keeps is not
// mistaken for it.
func TestMarkOfTheRepository(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{`<!-- mcplumb {"head":"1","fixes":["1"]} -->/.mcp.json`: withURI})
	s.does("created")
	require.Contains(t, s.only().Body, `<!-- mcplumb {"head":"1"`)
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("updated")
	s.isRight()
}

// TestLabelRefused: the pull request is made even if its label is refused.
func TestLabelRefused(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.Fail("POST /issues/{issue_number}/labels", double.ReadOnly)
	log, outputs := s.act(nil, "INPUT_FIX_LABELS=mcp")
	assert.Contains(t, log, "::warning title=mcplumb::the pull request is not as it should be: cannot label #1")
	assert.Contains(t, outputs, "pull-request-operation=created\npull-request-number=1\n")
	s.isRight()
}

// TestAsksLittle: the share of a token's rate limit that a run uses.
func TestAsksLittle(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.does("created")
	assert.Len(t, s.Requests(), 8+3)
	s.doesNothing()
	assert.Len(t, s.Requests(), 5)
}

// act runs the action with fix: pull-request for an event of the branch main.
func (s *scene) act(event map[string]any, env ...string) (log, outputs string) {
	s.Helper()
	dir := s.TempDir()
	content, err := json.Marshal(event)
	require.NoError(s, err)
	require.NoError(s, os.WriteFile(filepath.Join(dir, "event.json"), content, 0o600))
	s.env = append([]string{
		"INPUT_FIX=pull-request", "INPUT_FAIL_ON=never", "INPUT_TOKEN=" + double.Token, "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=schedule",
		"GITHUB_EVENT_PATH=" + filepath.Join(dir, "event.json"), "GITHUB_WORKSPACE=" + s.clone, "RUNNER_TEMP=" + dir, "GITHUB_REF=refs/heads/main",
		"GITHUB_REF_NAME=main", "GITHUB_REF_TYPE=branch", "GITHUB_OUTPUT=" + filepath.Join(dir, "output"),
	}, env...)
	r := s.mcplumb(s.clone, "action")
	s.env = nil
	assert.Equal(s, 0, r.code, r.out+r.err)
	text, err := os.ReadFile(filepath.Join(dir, "output"))
	require.NoError(s, err)
	return r.out, string(text)
}

// TestActionHoldsTheLock: with lock: check the step fails if mcplumb.lock is missing or out
// of date, and only warns with fail-on: never.
func TestActionHoldsTheLock(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{".mcp.json": withURL})
	step := func(failOn string) result {
		s.env = []string{"INPUT_LOCK=check", "INPUT_FAIL_ON=" + failOn, "GITHUB_ACTIONS=true", "RUNNER_TEMP=" + t.TempDir(), "GITHUB_WORKSPACE=" + s.clone}
		return s.mcplumb(s.clone, "action")
	}
	wrong := "title=mcplumb::mcplumb.lock is out of sync with the configuration"
	r := step("auto")
	assert.Equal(t, 1, r.code, r.out+r.err)
	assert.Contains(t, r.out, "::error "+wrong)
	assert.Equal(t, 0, s.mcplumb(s.clone, "lock").code)
	r = step("auto")
	assert.Equal(t, 0, r.code, r.out+r.err)
	assert.NotContains(t, r.out, wrong)
	require.NoError(t, os.WriteFile(filepath.Join(s.clone, ".mcp.json"), []byte(strings.Replace(withURL, "web.acme", "api.acme", 1)), 0o600))
	r = step("auto")
	assert.Equal(t, 1, r.code, r.out+r.err)
	assert.Contains(t, r.out, "::error "+wrong)
	r = step("never")
	assert.Equal(t, 0, r.code, r.out+r.err)
	assert.Contains(t, r.out, "::warning "+wrong)
}

// TestActionMendsTheDefaultBranch: on every event, the pull request is for the default
// branch.
func TestActionMendsTheDefaultBranch(t *testing.T) {
	t.Parallel()
	repository := map[string]any{"repository": map[string]any{"default_branch": "main"}}
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"a push elsewhere": {[]string{"GITHUB_EVENT_NAME=push", "GITHUB_REF=refs/heads/feature", "GITHUB_REF_NAME=feature"}, "the fixes are for the default branch main, and this is a run for feature"},
		"a merge queue":    {[]string{"GITHUB_EVENT_NAME=merge_group", "GITHUB_REF_NAME=gh-readonly-queue/main/pr-1-" + strings.Repeat("1", 40)}, "no pull request: "},
		"a tag":            {[]string{"GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=v1", "GITHUB_REF_TYPE=tag"}, "a tag is checked out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := one(t)
			log, _ := s.act(repository, tt.env...)
			assert.Contains(t, log, tt.want)
			s.isGone()
		})
	}
	s := one(t)
	s.act(repository, "GITHUB_EVENT_NAME=push")
	s.isRight()
}

// TestActionForPartsOfTheRepository: the jobs of a matrix do not undo each other's work.
func TestActionForPartsOfTheRepository(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI})
	for _, want := range []string{"created", "none"} {
		for i, part := range []string{"INPUT_WORKING_DIRECTORY=a", "INPUT_PATHS=b"} {
			_, outputs := s.act(nil, part)
			assert.Contains(t, outputs, fmt.Sprintf("pull-request-operation=%s\npull-request-number=%d\n", want, i+1))
		}
	}
	assert.Len(t, s.open(), 2)
}

// TestCloneOfAnotherServer: a token is not sent to github.com for a repository that is
// elsewhere.
func TestCloneOfAnotherServer(t *testing.T) {
	t.Parallel()
	s := one(t)
	for _, origin := range []string{"https://git.acme.dev/acme/web.git", "git@git.acme.dev:acme/web.git", "ssh://git@git.acme.dev:2222/acme/web"} {
		s.git(s.clone, "remote", "set-url", "origin", origin)
		s.env = []string{"GITHUB_API_URL=", "GITHUB_REPOSITORY="}
		r := s.fixPR()
		assert.Equal(t, 2, r.code, r.out)
		assert.Contains(t, r.err, "the remote origin is at git.acme.dev, not at github.com")
		assert.Empty(t, s.Requests())
	}
	s.env = []string{"GITHUB_REPOSITORY="}
	s.does("created")
}
