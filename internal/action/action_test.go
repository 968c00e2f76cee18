package action_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// runAction runs the action in a workspace with inputs and other variables, and
// returns what the workflow shows.
func runAction(t *testing.T, dir string, environ map[string]string) (code int, log string) {
	t.Helper()
	var out bytes.Buffer
	return logAction(t, dir, environ, &out), out.String()
}

// logAction is runAction with a log of the caller's.
func logAction(t *testing.T, dir string, environ map[string]string, log io.Writer) (code int) {
	return cli.Main(t.Context(), cli.Env{
		Args: []string{"action"}, Stdout: log, Stderr: log, Dir: dir,
		Getenv: func(name string) string {
			if name == "GITHUB_WORKSPACE" {
				return dir
			}
			return environ[name]
		},
		Now:        time.Now,
		IsTerminal: func(io.Writer) bool { return false },
		LookPath:   exec.LookPath,
	})
}

// write writes a file below dir, with its directories.
func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// twice is a file with an error.
const twice = `{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`

func TestActionPaths(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a b/.mcp.json", twice)
	write(t, dir, "c/.mcp.json", twice)
	write(t, dir, "d/.mcp.json", twice)
	_, log := runAction(t, dir, map[string]string{"INPUT_PATHS": "a b\n\n  c\r\n"})
	assert.Contains(t, log, "a b/.mcp.json:1:")
	assert.Contains(t, log, "\nc/.mcp.json:1:")
	assert.NotContains(t, log, "d/.mcp.json")
}

// TestActionAnnotatesChangesFirst has more errors than GitHub keeps, the last of
// them in a file that the event changes.
func TestActionAnnotatesChangesFirst(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for i := range 12 {
		write(t, dir, fmt.Sprintf("%02d/.mcp.json", i), twice)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "base")
	write(t, dir, "11/.mcp.json", twice+"\n")
	git(t, dir, "commit", "-qam", "change")
	write(t, dir, "event.json", `{"commits": [{"added": ["10/.mcp.json"], "modified": ["x"]}, {"added": []}]}`)
	write(t, dir, "odd.json", `{"commits": 1}`)

	first := func(environ map[string]string) string {
		_, log := runAction(t, dir, environ)
		_, command, found := strings.Cut(log, "\n::error ")
		require.True(t, found, log)
		_, file, _ := strings.Cut(command, ",file=")
		return file[:2]
	}
	assert.Equal(t, "10", first(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": dir + "/event.json"}))
	assert.Equal(t, "11", first(map[string]string{"GITHUB_EVENT_NAME": "pull_request"}))
	assert.Equal(t, "00", first(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": dir + "/odd.json"}))
	assert.Equal(t, "00", first(nil))
	git(t, dir, "checkout", "-q", "--orphan", "shallow")
	git(t, dir, "commit", "-qm", "no parent")
	assert.Equal(t, "00", first(map[string]string{"GITHUB_EVENT_NAME": "pull_request"}))
}

// codeScanning is GitHub's API as far as an upload needs it: it answers with a
// status and remembers what it was sent.
type codeScanning struct {
	status   int
	ref, sha string
	category string
	uploads  int
	server   *httptest.Server
}

func newCodeScanning(t *testing.T, status int) *codeScanning {
	c := &codeScanning{status: status}
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.uploads++
		var body struct {
			Ref, Sarif string
			SHA        string `json:"commit_sha"`
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		unzipped, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(body.Sarif)))
		assert.NoError(t, err)
		var report struct {
			Runs []struct{ AutomationDetails struct{ ID string } }
		}
		assert.NoError(t, json.NewDecoder(unzipped).Decode(&report))
		c.ref, c.sha, c.category = body.Ref, body.SHA, report.Runs[0].AutomationDetails.ID
		w.WriteHeader(c.status)
		_, _ = io.WriteString(w, `{"id": "1", "message": "Resource not accessible by integration"}`)
	}))
	t.Cleanup(c.server.Close)
	return c
}

// environ are the variables of a job on a commit.
func (c *codeScanning) environ(sha string) map[string]string {
	return map[string]string{
		"INPUT_UPLOAD_SARIF": "true", "INPUT_TOKEN": "t", "INPUT_FAIL_ON": "never",
		"GITHUB_API_URL": c.server.URL, "GITHUB_REPOSITORY": "acme/web", "GITHUB_SHA": sha, "GITHUB_REF": "refs/heads/main",
	}
}

// committed is a repository with a finding, and its commit.
func committed(t *testing.T) (dir, sha string) {
	t.Helper()
	dir = t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a/.mcp.json", twice)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "m")
	out, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	require.NoError(t, err)
	return dir, strings.TrimSpace(string(out))
}

func TestActionUploads(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(sha)
	code, log := runAction(t, dir, environ)
	assert.Equal(t, 0, code, log)
	assert.Equal(t, []string{"refs/heads/main", sha, "mcplumb/"}, []string{github.ref, github.sha, github.category})
	assert.NotContains(t, log, "::", "what is an alert is no annotation")
	assert.Contains(t, log, "a/.mcp.json:1:40: error: ")

	environ["INPUT_ANNOTATIONS"], environ["INPUT_WORKING_DIRECTORY"] = "true", "a"
	_, log = runAction(t, dir, environ)
	assert.Contains(t, log, "\n::error ")
	assert.Equal(t, "mcplumb/a/", github.category)
	environ["INPUT_CATEGORY"] = "lint/mcp"
	runAction(t, dir, environ)
	assert.Equal(t, "lint/mcp/", github.category)
}

// TestActionUploadFails holds that nothing GitHub says fails the step, and that
// the findings are annotations then.
func TestActionUploadFails(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusForbidden)
	code, log := runAction(t, dir, github.environ(sha))
	assert.Equal(t, 0, code, log)
	assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: the token may not: the job needs the permission security-events: write (403: ")
	assert.Contains(t, log, "\n::error ")

	environ := github.environ(sha)
	environ["INPUT_TOKEN"] = ""
	code, log = runAction(t, dir, environ)
	assert.Equal(t, 0, code, log)
	assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: the API, the token")
}

// TestActionUploadsWhatIsCheckedOut holds that no commit gets the results of
// another one.
func TestActionUploadsWhatIsCheckedOut(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusAccepted)
	merge := strings.Repeat("1", 40)
	environ := github.environ(merge)
	_, log := runAction(t, dir, environ)
	assert.Contains(t, log, "not uploaded to code scanning: what is checked out is not the commit of the event")
	assert.Zero(t, github.uploads)

	environ["GITHUB_EVENT_PATH"] = filepath.Join(t.TempDir(), "event.json")
	write(t, filepath.Dir(environ["GITHUB_EVENT_PATH"]), "event.json", `{"pull_request": {"number": 7, "head": {"sha": "`+sha+`"}}}`)
	runAction(t, dir, environ)
	assert.Equal(t, []string{"refs/pull/7/head", sha}, []string{github.ref, github.sha})

	write(t, dir, "b/.mcp.json/x", "a directory where a file should be")
	_, log = runAction(t, dir, environ)
	assert.Contains(t, log, "not uploaded to code scanning: something could not be checked")
	assert.Equal(t, 1, github.uploads)
}

// full is a log on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestActionWithoutALog holds that a log which takes nothing ends the step like
// any output that cannot be written.
func TestActionWithoutALog(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", twice)
	output := filepath.Join(t.TempDir(), "output")
	assert.Equal(t, 3, logAction(t, dir, map[string]string{"GITHUB_OUTPUT": output}, full{}))
	content, err := os.ReadFile(output)
	require.NoError(t, err)
	assert.Equal(t, "exit-code=3\n", string(content))
}
