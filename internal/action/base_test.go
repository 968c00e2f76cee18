package action_test

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pull is a repository with a pull request: main has one finding and has gone on, the
// branch brings another one, and GitHub has merged them to try that.
type pull struct{ dir, base, head, merge string }

func newPull(t *testing.T) pull {
	t.Helper()
	dir := t.TempDir()
	commit := func(name string) string {
		write(t, dir, name, strings.ReplaceAll(twice, `"a"`, `"`+name[:1]+`"`))
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", name)
		return head(dir)
	}
	git(t, dir, "init", "-q", "-b", "main")
	commit("old/.mcp.json")
	git(t, dir, "checkout", "-q", "-b", "change")
	p := pull{dir: dir, head: commit("new/.mcp.json")}
	git(t, dir, "checkout", "-q", "main")
	p.base = commit("later/.mcp.json")
	git(t, dir, "checkout", "-q", "--detach")
	git(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "change")
	p.merge = head(dir)
	git(t, dir, "update-ref", "refs/pull/1/merge", "HEAD")
	git(t, dir, "update-ref", "refs/remotes/origin/main", "main")
	return p
}

// event is the variables of a job for an event, whose payload is made of the commits.
func (p pull) event(t *testing.T, name, ref, payload string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "event.json", strings.NewReplacer("BASE", p.base, "HEAD", p.head).Replace(payload))
	return map[string]string{"GITHUB_EVENT_NAME": name, "GITHUB_REF": ref, "GITHUB_EVENT_PATH": filepath.Join(dir, "event.json")}
}

// found returns the directories in which the action finds something.
func found(log string) []string {
	var dirs []string
	for _, dir := range []string{"later", "new", "old"} {
		if strings.Contains("\n"+log, "\n"+dir+"/.mcp.json:1:") {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// fill returns an event with as many spaces behind it as make it so many bytes long.
func fill(payload string, size int) string { return payload + strings.Repeat(" ", size-len(payload)) }

const pullEvent = `{"pull_request": {"number": 1, "head": {"sha": "HEAD"}, "base": {"sha": "BASE"}}}`

// TestActionTakesTheBaseFromTheEvent holds what each event is compared with.
func TestActionTakesTheBaseFromTheEvent(t *testing.T) {
	p := newPull(t)
	all, fresh := []string{"later", "new", "old"}, []string{"new"}
	for _, test := range []struct {
		name, event, ref, checkout, payload string
		want                                []string
		warning                             string
	}{
		{"a pull request", "pull_request", "refs/pull/1/merge", p.merge, pullEvent, fresh, ""},
		{"a pull request whose event is older than the merge", "pull_request", "refs/pull/1/merge", p.merge,
			`{"pull_request": {"head": {"sha": "HEAD"}, "base": {"sha": "` + strings.Repeat("1", 40) + `"}}}`, fresh, ""},
		{"the head of a pull request", "pull_request", "refs/pull/1/merge", p.head, pullEvent, fresh, ""},
		{"pull_request_target with the head", "pull_request_target", "refs/heads/main", p.head, pullEvent, fresh, ""},
		{"pull_request_target", "pull_request_target", "refs/heads/main", p.base, pullEvent, []string{"later", "old"},
			"the checkout is not the pull request, but its target branch: all findings are reported"},
		{"a merge group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-1", p.merge, `{"merge_group": {"base_sha": "BASE", "head_sha": "1"}}`, fresh, ""},
		{"a push", "push", "refs/heads/change", p.head, `{"before": "1", "repository": {"default_branch": "main"}}`, fresh, ""},
		{"a push to the default branch", "push", "refs/heads/main", p.base, `{"repository": {"default_branch": "main"}}`, []string{"later", "old"}, ""},
		{"a tag", "push", "refs/tags/v1", p.merge, `{"repository": {"default_branch": "main"}}`, all, ""},
		{"a schedule", "schedule", "refs/heads/main", p.merge, `{}`, all, ""},
		{"no event", "", "", p.merge, `{}`, all, ""},

		{"an invalid commit", "pull_request", "refs/pull/1/merge", p.merge, `{"pull_request": {"base": {"sha": "--upload-pack=x"}}}`, all, "the event does not say what the change is compared with"},
		{"a commit that is nowhere", "pull_request", "refs/pull/1/merge", p.merge, `{"pull_request": {"base": {"sha": "` + strings.Repeat("1", 40) + `"}}}`, all, "all findings are reported"},
		{"an invalid branch", "push", "refs/heads/change", p.merge, `{"repository": {"default_branch": "\n::error::x"}}`, all, "all findings are reported"},
		{"a payload of another kind", "pull_request", "refs/pull/1/merge", p.merge, `{"pull_request": "x"}`, all, "the event does not say"},
		{"an invalid payload", "merge_group", "refs/heads/x", p.merge, `{`, all, "the event does not say"},
		{"an empty payload", "push", "refs/heads/change", p.merge, ``, all, "the event does not say"},
		{"a payload of 10 MB", "push", "refs/heads/change", p.head, fill(`{"repository": {"default_branch": "main"}}`, 10_000_000), fresh, ""},
		{"a payload that is too big", "push", "refs/heads/change", p.head, fill(`{"repository": {"default_branch": "main"}}`, 10_000_001), []string{"new", "old"}, "the event does not say"},
	} {
		t.Run(test.name, func(t *testing.T) {
			git(t, p.dir, "checkout", "-q", "--detach", test.checkout)
			_, log := runAction(t, p.dir, p.event(t, test.event, test.ref, test.payload))
			assert.Equal(t, test.want, found(log), log)
			assert.NotContains(t, log, "\n::error::x")
			if test.warning == "" {
				assert.NotContains(t, log, "::warning")
			} else {
				assert.Contains(t, log, "::warning title=mcplumb::")
				assert.Contains(t, log, test.warning)
			}
			if len(test.want) == 1 {
				assert.Contains(t, log, "compared with the commit ")
				assert.Contains(t, log, " not new")
			}
		})
	}
	_, log := runAction(t, p.dir, map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/change"})
	assert.Contains(t, log, "::warning title=mcplumb::the event does not say what the change is compared with: all findings are reported")
}

// TestActionBaseIsAnInput checks that a base named by the workflow means the same as for
// check, and that none means none.
func TestActionBaseIsAnInput(t *testing.T) {
	p := newPull(t)
	environ := p.event(t, "pull_request", "refs/pull/1/merge", pullEvent)
	for base, want := range map[string][]string{"auto": {"new"}, "": {"new"}, "none": {"later", "new", "old"}, "change": {"later"}} {
		environ["INPUT_BASE"] = base
		_, log := runAction(t, p.dir, environ)
		assert.Equal(t, want, found(log), base)
	}
	environ["INPUT_BASE"] = "mian"
	code, log := runAction(t, p.dir, environ)
	assert.Equal(t, 2, code)
	assert.Contains(t, log, "git does not know the revision mian")
}

// TestActionFetchesTheBase checks out as actions/checkout does, which is one commit:
// that of the base is fetched where there is a remote.
func TestActionFetchesTheBase(t *testing.T) {
	p := newPull(t)
	out, err := exec.Command("git", "--exec-path").Output()
	require.NoError(t, err)
	remote := httptest.NewServer(&cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"), InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + p.dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="},
	})
	t.Cleanup(remote.Close)
	for _, test := range []struct {
		name, event, fetched, ref, payload, said string
		want                                     []string
	}{
		{"a pull request", "pull_request", "refs/pull/1/merge", "refs/pull/1/merge", pullEvent, "compared with the commit " + p.base + "\n", []string{"new"}},
		{"a merge group", "merge_group", "refs/pull/1/merge", "refs/heads/gh-readonly-queue/x", `{"merge_group": {"base_sha": "BASE"}}`, "compared with the commit " + p.base + "\n", []string{"new"}},
		{"a push", "push", "refs/heads/change", "refs/heads/change", `{"repository": {"default_branch": "main"}}`,
			"compared with the current commit " + p.base + ", since the commit where HEAD left it is missing\n", []string{"new"}},
	} {
		dir := t.TempDir()
		git(t, dir, "init", "-q")
		git(t, dir, "remote", "add", "origin", remote.URL+"/.git")
		git(t, dir, "fetch", "-q", "--depth=1", "--no-tags", "origin", test.fetched)
		git(t, dir, "checkout", "-q", "--detach", "FETCH_HEAD")
		_, log := runAction(t, dir, p.event(t, test.event, test.ref, test.payload))
		assert.Equal(t, test.want, found(log), test.name)
		assert.Contains(t, log, test.said, test.name)
		assert.NotContains(t, log, "::warning", test.name)

		again := t.TempDir()
		git(t, again, "init", "-q")
		git(t, again, "fetch", "-q", "--depth=1", "--no-tags", remote.URL+"/.git", test.fetched)
		git(t, again, "checkout", "-q", "--detach", "FETCH_HEAD")
		_, log = runAction(t, again, p.event(t, test.event, test.ref, test.payload))
		assert.Contains(t, log, "::warning title=mcplumb::there is nothing to compare with: ", test.name)
		assert.Contains(t, log, "\nold/.mcp.json:1:", test.name+": all findings without a remote: "+strings.Join(found(log), " "))
	}
}

// TestActionReportsEverythingToCodeScanning holds that the report has what is not new,
// too: GitHub compares by itself, and closes the alerts that an upload does not have.
func TestActionReportsEverythingToCodeScanning(t *testing.T) {
	p := newPull(t)
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(p.merge)
	for name, value := range p.event(t, "pull_request", "refs/pull/1/merge", pullEvent) {
		environ[name] = value
	}
	environ["GITHUB_OUTPUT"] = filepath.Join(t.TempDir(), "output")
	_, log := runAction(t, p.dir, environ)
	assert.Equal(t, []string{"new"}, found(log))
	assert.Equal(t, []string{"error", "error", "error"}, github.levels)
	assert.Contains(t, content(t, environ["GITHUB_OUTPUT"]), "findings=1\n")
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
