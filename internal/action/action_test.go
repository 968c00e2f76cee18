package action_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
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

// noWait is a clock on which nothing takes time.
func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

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
		Wait:       noWait,
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
// status, remembers what it was sent, and says how processing went.
type codeScanning struct {
	status    int
	processed string // the answer to a request how it went
	ref, sha  string
	category  string
	levels    []string // of the results
	uploads   int
	uploading func() // called before an upload is answered
	server    *httptest.Server
}

func newCodeScanning(t *testing.T, status int) *codeScanning {
	c := &codeScanning{status: status, processed: `{"processing_status": "complete"}`}
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			assert.Equal(t, "/repos/acme/web/code-scanning/sarifs/1", r.URL.Path)
			_, _ = io.WriteString(w, c.processed)
			return
		}
		c.take(t, r)
		if c.uploading != nil {
			c.uploading()
		}
		w.WriteHeader(c.status)
		_, _ = io.WriteString(w, `{"id": "1", "message": "Resource not accessible by integration"}`)
	}))
	t.Cleanup(c.server.Close)
	return c
}

// take remembers an upload.
func (c *codeScanning) take(t *testing.T, r *http.Request) {
	c.uploads++
	var body struct {
		Ref, Sarif string
		SHA        string `json:"commit_sha"`
	}
	assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
	unzipped, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(body.Sarif)))
	assert.NoError(t, err)
	var report struct {
		Runs []struct {
			AutomationDetails struct{ ID string }
			Results           []struct{ Level string }
		}
	}
	assert.NoError(t, json.NewDecoder(unzipped).Decode(&report))
	c.ref, c.sha, c.category, c.levels = body.Ref, body.SHA, report.Runs[0].AutomationDetails.ID, nil
	for _, result := range report.Runs[0].Results {
		c.levels = append(c.levels, result.Level)
	}
}

// environ are the variables of a job on a commit.
func (c *codeScanning) environ(sha string) map[string]string {
	return map[string]string{
		"INPUT_UPLOAD_SARIF": "true", "INPUT_TOKEN": strings.Repeat("t", 12), "INPUT_FAIL_ON": "never",
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
	return dir, head(dir)
}

// head returns the commit that is checked out, "" without git.
func head(dir string) string {
	out, _ := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	return strings.TrimSpace(string(out))
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
	assert.Contains(t, log, "\nuploaded to code scanning as the category mcplumb: https://github.com/acme/web/security/code-scanning?query=is%3Aopen+tool%3Amcplumb+branch%3Amain\n")

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
	assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: the token may not upload: the job needs the permission security-events: write (403: ")
	assert.Contains(t, log, "\n::error ")

	environ := github.environ(sha)
	environ["INPUT_TOKEN"] = ""
	code, log = runAction(t, dir, environ)
	assert.Equal(t, 0, code, log)
	assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: the API, the token")
}

// TestActionUploadIsRejected holds that what GitHub takes and then cannot process
// becomes annotations, once each, after the text that was there before.
func TestActionUploadIsRejected(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusAccepted)
	github.processed = `{"processing_status": "failed", "errors": ["rejecting SARIF, as there are more results than allowed"]}`
	_, log := runAction(t, dir, github.environ(sha))
	assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: GitHub could not process the report: rejecting SARIF, as there are more results than allowed\n::error ")
	assert.Equal(t, 1, strings.Count(log, "a/.mcp.json:1:40: error: "), log)
	assert.Equal(t, 1, strings.Count(log, "\n::error "), log)

	github.processed = `{"processing_status": "pending"}`
	_, log = runAction(t, dir, github.environ(sha))
	assert.Contains(t, log, "\nuploaded to code scanning as the category mcplumb, which GitHub has still to process: ")
	assert.NotContains(t, log, "::")
}

// TestActionReportsBeforeItUploads holds that a job which is cancelled while
// GitHub does not answer has said everything.
func TestActionReportsBeforeItUploads(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(sha)
	environ["GITHUB_OUTPUT"] = filepath.Join(t.TempDir(), "output")
	environ["GITHUB_STEP_SUMMARY"] = filepath.Join(t.TempDir(), "summary")
	var log bytes.Buffer
	github.uploading = func() {
		assert.Contains(t, log.String(), "a/.mcp.json:1:40: error: ")
		output, err := os.ReadFile(environ["GITHUB_OUTPUT"])
		assert.NoError(t, err)
		assert.Contains(t, string(output), "errors=1\n")
		summary, err := os.ReadFile(environ["GITHUB_STEP_SUMMARY"])
		assert.NoError(t, err)
		assert.Contains(t, string(summary), "### mcplumb")
	}
	logAction(t, dir, environ, &log)
	assert.Equal(t, 1, github.uploads)
}

// TestActionFailsWhereNothingWasUploaded holds that findings fail either the check
// of code scanning or the step.
func TestActionFailsWhereNothingWasUploaded(t *testing.T) {
	dir, sha := committed(t)
	for _, c := range []struct {
		failOn string
		status int
		want   int
	}{
		{"", http.StatusAccepted, 0},
		{"", http.StatusForbidden, 1},
		{"auto", http.StatusForbidden, 1},
		{"warning", http.StatusAccepted, 1},
		{"never", http.StatusForbidden, 0},
	} {
		environ := newCodeScanning(t, c.status).environ(sha)
		environ["INPUT_FAIL_ON"] = c.failOn
		code, log := runAction(t, dir, environ)
		assert.Equal(t, c.want, code, "%q with %d: %s", c.failOn, c.status, log)
	}
}

// TestActionUploadsNoPart checks that an upload of a part closes no alert,
// unless the workflow gives the upload a category of its own.
func TestActionUploadsNoPart(t *testing.T) {
	sparse := func(t *testing.T, dir string) {
		write(t, dir, "b/.mcp.json", "{}")
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", "more")
		git(t, dir, "sparse-checkout", "set", "--no-cone", "a")
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		input   string
		value   string
		want    string
	}{
		"baseline":          {func(t *testing.T, dir string) { write(t, dir, ".git/base", `{"version": 1, "findings": []}`) }, "BASELINE", ".git/base", "a baseline hides findings, whose alerts would be closed"},
		"paths":             {nil, "PATHS", "a", "only some paths were checked, and the alerts of others would be closed"},
		"severity":          {nil, "SEVERITY", "error", "the input severity leaves out findings, whose alerts would be closed"},
		"a sparse checkout": {sparse, "", "", "b/.mcp.json is not checked out, and its alerts would be closed"},
		"a removed file":    {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "a", ".mcp.json"))) }, "", "", "a/.mcp.json is not checked out, and its alerts would be closed"},
		"no git":            {func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git"))) }, "", "", "git cannot tell which commit is checked out"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, sha := committed(t)
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			github := newCodeScanning(t, http.StatusAccepted)
			environ := github.environ(cmp.Or(head(dir), sha))
			environ["INPUT_"+c.input] = c.value
			_, log := runAction(t, dir, environ)
			assert.Contains(t, log, "::warning title=mcplumb::not uploaded to code scanning: "+c.want+": set category to one that only this step uploads\n")
			assert.Zero(t, github.uploads)

			environ["INPUT_CATEGORY"] = "own"
			_, log = runAction(t, dir, environ)
			assert.Equal(t, 1, github.uploads, log)
			assert.Equal(t, "own/", github.category)
		})
	}
}

// TestActionUploadsWhatIsOutOfScope checks that a file which the step does not check may be
// missing.
func TestActionUploadsWhatIsOutOfScope(t *testing.T) {
	dir, _ := committed(t)
	write(t, dir, "README.md", "x")
	write(t, dir, "b/.mcp.json", "{}")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "more")
	git(t, dir, "sparse-checkout", "set", "--no-cone", "a")
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(head(dir))
	environ["INPUT_WORKING_DIRECTORY"] = "a"
	_, log := runAction(t, dir, environ)
	assert.Equal(t, 1, github.uploads, log)
}

// TestActionUploadsNothingOfNothing is a workflow without actions/checkout.
func TestActionUploadsNothingOfNothing(t *testing.T) {
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(strings.Repeat("1", 40))
	environ["INPUT_CATEGORY"] = "own"
	code, log := runAction(t, t.TempDir(), environ)
	assert.Equal(t, 0, code)
	assert.Contains(t, log, "::warning title=mcplumb::no MCP configuration was found, so nothing was checked")
	assert.Contains(t, log, "not uploaded to code scanning: there is no checkout in the workspace")
	assert.Zero(t, github.uploads)
}

// TestActionSeverityReachesCodeScanning uploads only what the workflow asks for.
func TestActionSeverityReachesCodeScanning(t *testing.T) {
	dir, _ := committed(t)
	write(t, dir, "b/.mcp.json", `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "more")
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(head(dir))
	runAction(t, dir, environ)
	assert.Contains(t, github.levels, "note")
	environ["INPUT_SEVERITY"], environ["INPUT_CATEGORY"] = "error", "errors"
	runAction(t, dir, environ)
	assert.Equal(t, []string{"error"}, github.levels)
}

// TestActionPathsWithoutGit holds that paths are those of the repository where
// nothing but the workspace says where it begins.
func TestActionPathsWithoutGit(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "services/api/.mcp.json", twice)
	_, log := runAction(t, dir, map[string]string{"INPUT_WORKING_DIRECTORY": "services/api"})
	assert.Contains(t, log, "\n::error col=40,endColumn=43,endLine=1,file=services/api/.mcp.json,")
	assert.Contains(t, log, "services/api/.mcp.json:1:40: error: ")
}

// TestActionAnnotatesNoOtherFile holds that no finding gets an annotation at a path
// that is another file's in the workflow's repository.
func TestActionAnnotatesNoOtherFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "sub/.mcp.json", twice)
	git(t, filepath.Join(dir, "sub"), "init", "-q")
	github := newCodeScanning(t, http.StatusAccepted)
	environ := github.environ(strings.Repeat("1", 40))
	environ["INPUT_CATEGORY"] = "own"
	_, log := runAction(t, dir, environ)
	assert.Contains(t, log, "::warning title=mcplumb::no finding is annotated: a repository is checked out in sub: set working-directory to it\n")
	assert.Contains(t, log, "sub/.mcp.json:1:40: error: ")
	assert.NotContains(t, log, "::error")
	assert.Zero(t, github.uploads)

	environ["INPUT_WORKING_DIRECTORY"], environ["INPUT_UPLOAD_SARIF"] = "sub", "false"
	_, log = runAction(t, dir, environ)
	assert.Contains(t, log, ",file=.mcp.json,")

	environ["INPUT_WORKING_DIRECTORY"] = t.TempDir()
	write(t, environ["INPUT_WORKING_DIRECTORY"], ".mcp.json", twice)
	_, log = runAction(t, dir, environ)
	assert.Contains(t, log, "no finding is annotated: the files are not in the workspace of the job")
}

// TestActionReportsOfEachStep holds that a later step of a job does not replace
// the report of an earlier one, and that a directory for one is made.
func TestActionReportsOfEachStep(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	write(t, dir, ".mcp.json", twice)
	output := filepath.Join(temporary, "output")
	environ := map[string]string{"RUNNER_TEMP": temporary, "GITHUB_OUTPUT": output}
	runAction(t, dir, environ)
	runAction(t, dir, environ)
	content, err := os.ReadFile(output)
	require.NoError(t, err)
	assert.Contains(t, string(content), "sarif-file="+filepath.Join(temporary, "mcplumb.sarif")+"\n")
	assert.Contains(t, string(content), "sarif-file="+filepath.Join(temporary, "mcplumb-2.sarif")+"\n")

	environ["INPUT_SARIF_FILE"] = "reports/x.sarif"
	code, log := runAction(t, dir, environ)
	assert.Equal(t, 1, code, log)
	assert.FileExists(t, filepath.Join(dir, "reports", "x.sarif"))

	write(t, dir, "file", "")
	environ["INPUT_SARIF_FILE"] = "file/x.sarif"
	environ["GITHUB_OUTPUT"] = output + "-2"
	code, log = runAction(t, dir, environ)
	assert.Equal(t, 3, code)
	assert.Contains(t, log, ".mcp.json:1:40: error: ", "the findings are there all the same")
	content, err = os.ReadFile(output + "-2")
	require.NoError(t, err)
	assert.Equal(t, "findings=1\nerrors=1\nwarnings=0\nnotes=0\nfixable=0\nexit-code=3\n", string(content))
}

// TestActionUploadsWhatIsCheckedOut holds that no commit gets the results of
// another one.
func TestActionUploadsWhatIsCheckedOut(t *testing.T) {
	dir, sha := committed(t)
	github := newCodeScanning(t, http.StatusAccepted)
	merge := strings.Repeat("1", 40)
	environ := github.environ(merge)
	_, log := runAction(t, dir, environ)
	assert.Contains(t, log, "not uploaded to code scanning: the checkout is not the commit of the event")
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
	assert.Equal(t, "findings=1\nerrors=1\nwarnings=0\nnotes=0\nfixable=0\nexit-code=3\n", string(content))
}

// TestActionOfNothing holds what it means that there is nothing to check: a missing
// checkout looks the same as a clean repository.
func TestActionOfNothing(t *testing.T) {
	const said = "title=mcplumb::no MCP configuration was found, so nothing was checked"
	for _, c := range []struct {
		input, want, exitCode string
		code                  int
	}{
		{"", "::warning " + said, "0", 0},
		{"warn", "::warning " + said, "0", 0},
		{"error", "::error " + said, "1", 1},
		{"never", "", "0", 0},
	} {
		dir, output := t.TempDir(), filepath.Join(t.TempDir(), "output")
		environ := map[string]string{"INPUT_FAIL_ON_NO_FILES": c.input, "INPUT_FAIL_ON": "never", "GITHUB_OUTPUT": output}
		code, log := runAction(t, dir, environ)
		assert.Equal(t, c.code, code, log)
		assert.Contains(t, log, c.want)
		assert.Equal(t, c.want != "", strings.Contains(log, "::"), log)
		content, err := os.ReadFile(output)
		require.NoError(t, err)
		assert.Contains(t, string(content), "exit-code="+c.exitCode+"\n")

		write(t, dir, ".mcp.json", `{"mcpServers": {}}`)
		code, log = runAction(t, dir, environ)
		assert.Zero(t, code)
		assert.NotContains(t, log, "::")
	}
	_, log := runAction(t, t.TempDir(), map[string]string{"INPUT_FAIL_ON_NO_FILES": "warning"})
	assert.Contains(t, log, `::error title=mcplumb::input fail-on-no-files: "warning": `)
	environ := newCodeScanning(t, http.StatusAccepted).environ("")
	dir, sha := committed(t)
	environ["GITHUB_SHA"], environ["INPUT_FAIL_ON"], environ["INPUT_FAIL_ON_NO_FILES"] = sha, "", "error"
	environ["INPUT_WORKING_DIRECTORY"], environ["INPUT_CATEGORY"] = "empty", "own"
	write(t, dir, "empty/x", "")
	code, log := runAction(t, dir, environ)
	assert.Equal(t, 1, code, log)
	assert.Contains(t, log, "uploaded to code scanning", "no upload makes nothing good")
}

// TestActionSaysWhatCodeScanningLeavesOut has more results than GitHub shows, and
// more than it takes.
func TestActionSaysWhatCodeScanningLeavesOut(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	summary := filepath.Join(temporary, "summary")
	servers := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `%s"s%d":{"command":"c%d","command":"c"}`, map[bool]string{true: ","}[i > 0], i, i)
		}
		return `{"mcpServers":{` + b.String() + `}}`
	}
	environ := map[string]string{"RUNNER_TEMP": temporary, "GITHUB_STEP_SUMMARY": summary, "INPUT_FAIL_ON": "never", "INPUT_SEVERITY": "error"}
	write(t, dir, ".mcp.json", servers(5_000))
	_, log := runAction(t, dir, environ)
	assert.NotContains(t, log, "::warning")

	for i := range 4 {
		write(t, dir, fmt.Sprintf("d%d/.mcp.json", i), servers(5_000))
	}
	write(t, dir, "more/.mcp.json", servers(2))
	_, log = runAction(t, dir, environ)
	for _, want := range []string{
		"the SARIF report leaves out the 2 least severe findings: code scanning refuses more",
		"code scanning shows only the most severe 5000 of the 25000 results in the SARIF report: ",
	} {
		assert.Contains(t, log, "::warning title=mcplumb::"+want)
		content, err := os.ReadFile(summary)
		require.NoError(t, err)
		assert.Contains(t, string(content), "\n"+want)
	}
}
