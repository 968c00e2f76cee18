package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// gitServer is a server of repositories, as git itself brings one.
type gitServer struct {
	*httptest.Server
	dir string
	// want is the Authorization that it asks for, "" for none.
	want string

	mutex sync.Mutex
	asked []string // the requests, "METHOD PATH"
}

func newGitServer(t *testing.T, want string) *gitServer {
	t.Helper()
	program, err := exec.LookPath("git")
	require.NoError(t, err)
	s := &gitServer{dir: t.TempDir(), want: want}
	backend := &cgi.Handler{Stderr: io.Discard, Path: program, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + s.dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + s.dir}, InheritEnv: []string{"PATH"}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.mutex.Unlock()
		switch {
		case s.want != r.Header.Get("Authorization"):
			http.Error(w, "Repository not found.", http.StatusNotFound)
		case strings.HasPrefix(r.URL.Path, "/moved/"):
			http.Redirect(w, r, strings.Replace(r.URL.String(), "/moved/", "/acme/", 1), http.StatusMovedPermanently)
		default:
			backend.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// add adds a repository with files, or none.
func (s *gitServer) add(t *testing.T, name string, files map[string]string) {
	t.Helper()
	work, bare := t.TempDir(), filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(bare, 0o755))
	git(t, bare, "init", "-q", "--bare", "-b", "main")
	git(t, bare, "config", "uploadpack.allowFilter", "true")
	git(t, bare, "config", "uploadpack.allowAnySHA1InWant", "true")
	if files == nil {
		return
	}
	git(t, work, "init", "-q", "-b", "main")
	for path, content := range files {
		write(t, work, path, content)
	}
	git(t, work, "add", "-A", "-f")
	git(t, work, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
	git(t, work, "push", "-q", bare, "main")
}

// fleetCheck checks the repositories of a list into out.
func fleetCheck(t *testing.T, dir, list string, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	write(t, dir, "list", list)
	return runIn(t.Context(), dir, variables, append([]string{"fleet", "check", "--repos", "list", "--out", "out"}, args...)...)
}

// recordOf reads a record.
type recordOf struct {
	Version                               int
	Repository, URL, Commit, Time, Failed string
	Servers                               []struct{ Name, Identity, Path string }
	Findings                              []struct{ Rule, Path, Server string }
	Errors                                []struct{ Path, Message string }
}

func readRecord(t *testing.T, dir, path string) (r recordOf) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(read(t, dir, path)), &r))
	require.Equal(t, 1, r.Version)
	return r
}

// recordPath is where a record of a server's repository is.
func (s *gitServer) recordPath(name string) string {
	return "out/" + strings.ReplaceAll(strings.TrimPrefix(s.URL, "http://"), ":", "%3A") + "/" + name + ".json"
}

// TestFleetCheck reads repositories of a server, each without a clone of it.
func TestFleetCheck(t *testing.T) {
	const token = "any-token"
	s := newGitServer(t, "Basic eC1hY2Nlc3MtdG9rZW46YW55LXRva2Vu") // x-access-token:any-token
	s.add(t, "acme/api.git", map[string]string{
		".mcp.json":     started("npx", "-y", "notes@1.0.0"),
		".mcplumb.yaml": "rules: {unpinned-package: error}\nexclude: [old/**]\n",
		"old/.mcp.json": "{",
		// A link is followed, and a manifest is read along with the file that names it.
		".cursor/mcp.json": `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes@latest"]}}}`,
		"big.txt":          strings.Repeat("nobody reads this\n", 1000),
	})
	s.add(t, "acme/.github.git", map[string]string{"README.md": "hello"})
	s.add(t, "acme/empty.git", nil)
	dir := t.TempDir()
	list := fmt.Sprintf("%[1]s/acme/api.git\n%[1]s/acme/.github.git\n%[1]s/acme/empty.git\n%[1]s/acme/gone.git\n", s.URL)
	variables := map[string]string{"GITHUB_SERVER_URL": s.URL, "GITHUB_TOKEN": token}
	code, stdout, stderr := fleetCheck(t, dir, list, variables, "--allow-failed", "1")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "4 repositories: 3 read, 0 unchanged, 1 failed\n", stdout)
	require.Contains(t, stderr, "/acme/gone: it could not be fetched: ")
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)

	api := readRecord(t, dir, s.recordPath("acme/api"))
	require.Equal(t, s.URL+"/acme/api", api.URL)
	require.Len(t, api.Commit, 40)
	require.Len(t, api.Servers, 2)
	require.Equal(t, "npm:notes", api.Servers[0].Identity)
	var rules []string
	for _, f := range api.Findings {
		rules = append(rules, f.Rule+" "+f.Path)
	}
	require.Contains(t, rules, "unpinned-package .cursor/mcp.json")
	require.Empty(t, api.Errors)
	require.Empty(t, readRecord(t, dir, s.recordPath("acme/%2Egithub")).Servers)
	require.Empty(t, readRecord(t, dir, s.recordPath("acme/empty")).Commit)
	require.Contains(t, readRecord(t, dir, s.recordPath("acme/gone")).Failed, "it could not be fetched")

	// The next day nothing has changed but one repository, and a run that was cut off goes on.
	s.add(t, "acme/new.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	first := read(t, dir, s.recordPath("acme/api"))
	require.NoError(t, os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "yesterday")))
	s.asked = nil
	code, stdout, _ = fleetCheck(t, dir, list+s.URL+"/acme/new.git\n", variables, "--previous", "yesterday")
	require.Equal(t, 3, code)
	require.Equal(t, "5 repositories: 1 read, 3 unchanged, 1 failed\n", stdout)
	require.Equal(t, first, read(t, dir, s.recordPath("acme/api")))
	var toAPI []string
	for _, asked := range s.asked {
		if strings.Contains(asked, "/acme/api.git/") {
			toAPI = append(toAPI, asked)
		}
	}
	require.Equal(t, []string{"GET /acme/api.git/info/refs", "POST /acme/api.git/git-upload-pack"}, toAPI, "where the branch is, and nothing else")
	require.NoError(t, os.Remove(filepath.Join(dir, s.recordPath("acme/new"))))
	_, stdout, _ = fleetCheck(t, dir, list+s.URL+"/acme/new.git\n", variables)
	require.Equal(t, "5 repositories: 1 read, 3 unchanged, 1 failed\n", stdout)

	// Other settings are another question.
	write(t, dir, "org.yaml", "rules: {unpinned-package: off}\n")
	_, stdout, _ = fleetCheck(t, dir, list, variables, "--config", "org.yaml")
	require.Equal(t, "4 repositories: 3 read, 0 unchanged, 1 failed\n", stdout)
	for _, f := range readRecord(t, dir, s.recordPath("acme/api")).Findings {
		require.NotEqual(t, "unpinned-package", f.Rule)
	}
}

// TestFleetCheckToken sends the token only to its own server, not even to one that this
// redirects git to.
func TestFleetCheckToken(t *testing.T) {
	other := newGitServer(t, "")
	other.add(t, "acme/api.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	dir := t.TempDir()
	code, stdout, stderr := fleetCheck(t, dir, other.URL+"/acme/api.git\n", map[string]string{"GITHUB_TOKEN": "any-token"})
	require.Equal(t, 0, code, stderr) // the server refuses requests with a token
	require.Equal(t, "1 repository: 1 read, 0 unchanged, 0 failed\n", stdout)

	const authorization = "Basic eC1hY2Nlc3MtdG9rZW46YW55LXRva2Vu"
	home := newGitServer(t, authorization)
	home.add(t, "acme/api.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	code, _, stderr = fleetCheck(t, dir, home.URL+"/moved/api.git\n", map[string]string{"GITHUB_TOKEN": "any-token", "GITHUB_SERVER_URL": home.URL})
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "it could not be fetched: ")
	require.NotContains(t, stderr, "any-token")
	require.Equal(t, []string{"GET /moved/api.git/info/refs"}, home.asked)
}

// TestFleetCheckLocal reads repositories on this machine as check does.
func TestFleetCheckLocal(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"acme/web", "acme/api"} {
		write(t, dir, name+"/.mcp.json", started("npx", "-y", "notes"))
		git(t, filepath.Join(dir, name), "init", "-q", "-b", "main")
		git(t, filepath.Join(dir, name), "add", ".")
		git(t, filepath.Join(dir, name), "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
	}
	git(t, filepath.Join(dir, "acme/web"), "remote", "add", "origin", "git@github.com:acme/web.git")
	write(t, dir, "acme/web/.cursor/mcp.json", "{") // what is not committed does not count
	write(t, dir, "nothing/README", "")
	code, stdout, stderr := fleetCheck(t, dir, "acme/web\n"+dir+"/acme/api\nnothing\nacme/web/.cursor\nno/where\n", nil, "--jobs", "1")
	require.Equal(t, 3, code)
	require.Equal(t, "5 repositories: 2 read, 0 unchanged, 3 failed\n", stdout)
	require.Equal(t, "mcplumb: local/nothing: it is not a git repository\nmcplumb: local/web/.cursor: it is not a git repository\nmcplumb: local/no/where: it is not a git repository\n"+
		"mcplumb: 3 repositories could not be read, and --allow-failed permits 0\n", stderr)
	web := readRecord(t, dir, "out/github.com/acme/web.json")
	require.Equal(t, "https://github.com/acme/web", web.URL)
	require.Len(t, web.Servers, 1)
	_, listed, _ := run(t, filepath.Join(dir, "acme/api"), "check", "--format", "json")
	var report struct {
		Findings []struct{ Rule, Path, Server string }
	}
	require.NoError(t, json.Unmarshal([]byte(listed), &report))
	require.NotEmpty(t, report.Findings)
	require.Equal(t, report.Findings, readRecord(t, dir, "out/local/acme/api.json").Findings)
}

// TestFleetCheckCollects checks that the memory of each repository is freed: with the
// collector's settings for a short run, memory would grow with the number of repositories.
func TestFleetCheckCollects(t *testing.T) {
	code := cli.Main(t.Context(), cli.Env{
		Args: []string{"fleet", "check", "--repos", "-", "--out", "out"}, Stdin: strings.NewReader("nowhere\n"), Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(string) string { return "" }, Now: time.Now, Dir: t.TempDir(), IsTerminal: func(io.Writer) bool { return false },
		LookPath: exec.LookPath, TuneGC: func(int, int64) { t.Error("it collects late") },
	})
	require.Equal(t, 3, code, "there is no such repository")
}

// TestFleetCheckRefuses says what is wrong with what it was given.
func TestFleetCheckRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bad.yaml", "rules: {no-such-rule: off}\n")
	write(t, dir, "file", "")
	for _, c := range []struct {
		list, want string
		code       int
		args       []string
	}{
		{"# none\n", "--repos: list names no repository", 2, nil},
		{"a\nhttps://x:hunter2@github.com/a/b\n", "--repos: list: line 2: an address must not have a user or a password in it", 2, nil},
		{"a\n", "--jobs must be between 1 and 64", 2, []string{"--jobs", "0"}},
		{"a\n", "--allow-failed must be 0 or more repositories", 2, []string{"--allow-failed", "-1"}},
		{"a\n", "bad.yaml:1:9: ", 2, []string{"--config", "bad.yaml"}},
		{"a\n", "--config: gone.yaml: no such file or directory", 2, []string{"--config", "gone.yaml"}},
		{"a\n", "cannot write file/x: ", 3, []string{"--out", "file/x"}},
	} {
		code, stdout, stderr := fleetCheck(t, dir, c.list, nil, c.args...)
		require.Equal(t, c.code, code, c.want)
		require.Empty(t, stdout)
		require.Contains(t, stderr, c.want)
		require.NotContains(t, stderr, "hunter2")
	}
}

// TestFleetCheckNoGit calls no repository unreadable where git is not installed.
func TestFleetCheckNoGit(t *testing.T) {
	var stderr strings.Builder
	code := cli.Main(t.Context(), cli.Env{
		Args: []string{"fleet", "check", "--repos", "-", "--out", "out"}, Stdin: strings.NewReader("a\n"), Stdout: io.Discard, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, Dir: t.TempDir(), IsTerminal: func(io.Writer) bool { return false },
		LookPath: func(string) (string, error) { return "", exec.ErrNotFound },
	})
	require.Equal(t, 2, code)
	require.Equal(t, "mcplumb: git is not installed, or not on PATH: it is needed to read repositories\n", stderr.String())
}

// repository makes a repository with one server.
func repository(t *testing.T, dir, name string) {
	t.Helper()
	write(t, dir, name+"/.mcp.json", started("npx", "-y", "notes@1.0.0"))
	at := filepath.Join(dir, name)
	git(t, at, "init", "-q", "-b", "main")
	git(t, at, "add", ".")
	git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
}

// TestFleetCheckAllowsFailures exits with 0 if at most the allowed number of repositories
// failed, but not if none could be read. Every failure is reported, and each repository has a
// record.
func TestFleetCheckAllowsFailures(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "acme/web")
	for _, c := range []struct {
		list string
		args []string
		code int
		last string
	}{
		{"acme/web\n", nil, 0, ""},
		{"acme/web\nno/where\n", nil, 3, "mcplumb: 1 repository could not be read, and --allow-failed permits 0\n"},
		{"acme/web\nno/where\n", []string{"--allow-failed", "1"}, 0, "mcplumb: local/no/where: it is not a git repository\n"},
		{"acme/web\nno/where\nnor/here\n", []string{"--allow-failed=1"}, 3, "mcplumb: 2 repositories could not be read, and --allow-failed permits 1\n"},
		{"acme/web\nno/where\nnor/here\n", []string{"--allow-failed=2"}, 0, ": it is not a git repository\n"},
		{"no/where\n", []string{"--allow-failed=5"}, 3, "mcplumb: local/no/where: it is not a git repository\n"},
	} {
		code, stdout, stderr := fleetCheck(t, dir, c.list, nil, c.args...)
		require.Equal(t, c.code, code, "%s %s: %s%s", c.list, c.args, stdout, stderr)
		require.True(t, strings.HasSuffix(stderr, c.last), stderr)
		failed := strings.Count(c.list, "\n") - strings.Count(c.list, "acme")
		require.Contains(t, stdout, fmt.Sprintf(" %d failed\n", failed))
		require.Equal(t, failed, strings.Count(stderr, ": it is not a git repository\n"))
	}
	require.Equal(t, "it is not a git repository", readRecord(t, dir, "out/local/no/where.json").Failed)
}

// TestFleetCheckKeeps keeps what was known of a repository that cannot be read today.
func TestFleetCheckKeeps(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "acme/web")
	fleetCheck(t, dir, "acme/web\n", nil)
	require.NoError(t, os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "yesterday")))
	known := readRecord(t, dir, "yesterday/local/acme/web.json")
	require.NoError(t, os.Rename(filepath.Join(dir, "acme"), filepath.Join(dir, "gone")))
	for range 2 { // what is there of today is kept, too
		_, stdout, stderr := fleetCheck(t, dir, "acme/web\n", nil, "--previous", "yesterday")
		require.Equal(t, "1 repository: 0 read, 0 unchanged, 1 failed\n", stdout)
		require.Equal(t, "mcplumb: local/acme/web: it is not a git repository\n", stderr)
		now := readRecord(t, dir, "out/local/acme/web.json")
		require.Equal(t, "it is not a git repository", now.Failed)
		now.Failed = ""
		require.Equal(t, known, now)
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "gone"), filepath.Join(dir, "acme")))
	_, stdout, _ := fleetCheck(t, dir, "acme/web\n", nil)
	require.Equal(t, "1 repository: 1 read, 0 unchanged, 0 failed\n", stdout)
	require.Equal(t, known, readRecord(t, dir, "out/local/acme/web.json"))
}

// TestFleetCheckSaysTheDay checks that a record contains the day on which its commit was the
// newest: today if it still is, however long ago it was read, and the last known day if
// mcplumb cannot tell.
func TestFleetCheckSaysTheDay(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "acme/web")
	day := func() string {
		var r struct{ Read string }
		require.NoError(t, json.Unmarshal([]byte(read(t, dir, "out/local/acme/web.json")), &r))
		return r.Read
	}
	const today, before = "1970-01-01", "1969-12-31"
	fleetCheck(t, dir, "acme/web\n", nil)
	require.Equal(t, today, day())
	first := read(t, dir, "out/local/acme/web.json")
	older := strings.Replace(first, today, before, 1)
	for _, place := range []string{"out", "yesterday"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
		write(t, dir, place+"/local/acme/web.json", older)
		_, stdout, _ := fleetCheck(t, dir, "acme/web\n", nil, "--previous", "yesterday")
		require.Equal(t, "1 repository: 0 read, 1 unchanged, 0 failed\n", stdout)
		require.Equal(t, first, read(t, dir, "out/local/acme/web.json"))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
	fleetCheck(t, dir, "acme/web\n", nil, "--previous", "yesterday")
	require.Equal(t, before, day())
}

// TestFleetCheckBroken tells a repository whose commit is lost from one that has none yet.
func TestFleetCheckBroken(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "acme/web")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme/web/.git/objects")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "acme/web/.git/objects"), 0o755))
	write(t, dir, "acme/new/README", "")
	git(t, filepath.Join(dir, "acme/new"), "init", "-q", "-b", "main")
	_, stdout, stderr := fleetCheck(t, dir, "acme/web\nacme/new\n", nil, "--jobs", "1")
	require.Equal(t, "2 repositories: 1 read, 0 unchanged, 1 failed\n", stdout)
	require.Contains(t, stderr, "mcplumb: local/acme/web: its commit ")
	require.Contains(t, readRecord(t, dir, "out/local/acme/web.json").Failed, "cannot be read")
	require.Empty(t, readRecord(t, dir, "out/local/acme/new.json").Failed)
}

// TestFleetCheckNames keeps two repositories of one name from writing over each other.
func TestFleetCheckNames(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "a/acme/web")
	repository(t, dir, "b/acme/web")
	for range 2 {
		_, stdout, stderr := fleetCheck(t, dir, "a/acme/web\nb/acme/web\n", nil, "--jobs", "1", "--allow-failed", "1")
		require.Contains(t, stdout, "1 failed\n")
		require.Equal(t, "mcplumb: local/acme/web: it has the same record as a/acme/web in the list, local/acme/web, and is left out\n", stderr)
	}
}

// TestFleetCheckMalwareIsNotHidden reports malware even if a repository ignores it, unless the
// organization turns the rule off, and reports what else is hidden.
func TestFleetCheckMalwareIsNotHidden(t *testing.T) {
	const malware = "malicious-package"
	file := started("npx", "-y", "postmark-mcp@1.0.16")
	for name, hidden := range map[string]map[string]string{
		"rules":   {".mcplumb.yaml": "rules: {" + malware + ": off}\n"},
		"ignore":  {".mcplumb.yaml": "ignore: [{rule: " + malware + ", reason: no}]\n"},
		"comment": {".mcp.json": strings.Replace(file, `["-y"`, "\n// mcplumb: ignore["+malware+"] no\n[\"-y\"", 1)},
		"exclude": {".mcplumb.yaml": "exclude: ['**']\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "acme/web/.mcp.json", file)
			for path, content := range hidden {
				write(t, dir, "acme/web/"+path, content)
			}
			at := filepath.Join(dir, "acme/web")
			git(t, at, "init", "-q", "-b", "main")
			git(t, at, "add", ".")
			git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
			has := func(args ...string) bool {
				code, _, stderr := fleetCheck(t, dir, "acme/web\n", nil, args...)
				require.Equal(t, 0, code, stderr)
				return strings.Contains(read(t, dir, "out/local/acme/web.json"), `"`+malware+`"`)
			}
			require.Equal(t, name != "exclude", has())
			if name == "exclude" {
				_, markdown, _ := runIn(t.Context(), dir, nil, "fleet", "report", "out")
				require.Contains(t, markdown, "| `local/acme/web` | nothing was checked: the settings exclude ")
				write(t, at, "mcp.json", file)
				write(t, at, ".mcplumb.yaml", "exclude: ['.mcp.json']\n")
				git(t, at, "add", ".")
				git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "second")
				require.True(t, has())
				_, markdown, _ = runIn(t.Context(), dir, nil, "fleet", "report", "out")
				require.Contains(t, markdown, "| `local/acme/web` | the settings exclude `.mcp.json`, which mcplumb would read |")
			}
			write(t, dir, "org.yaml", "severity: note\n")
			require.True(t, has("--config", "org.yaml"))
			write(t, dir, "org.yaml", "rules: {"+malware+": off}\n")
			require.False(t, has("--config", "org.yaml"))
		})
	}
}

// TestFleetCheckBaseline counts what a baseline hides, and checks that it cannot hide malware,
// nor anything at all if the organization has its own settings.
func TestFleetCheckBaseline(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "acme/web/.mcp.json", `{"mcpServers": {"mail": {"command": "npx", "args": ["-y", "postmark-mcp@1.0.16"]}, "notes": {"command": "npx", "args": ["-y", "notes"]}}}`)
	at := filepath.Join(dir, "acme/web")
	git(t, at, "init", "-q", "-b", "main")
	code, _, stderr := runIn(t.Context(), at, nil, "baseline")
	require.Equal(t, 0, code, stderr)
	git(t, at, "add", ".")
	git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
	fleetCheck(t, dir, "acme/web\n", nil)
	record := read(t, dir, "out/local/acme/web.json")
	require.Contains(t, record, `"malicious-package"`)
	require.NotContains(t, record, `"unpinned-package"`)
	require.Regexp(t, `"suppressed": [1-9]`, record)
	_, markdown, _ := runIn(t.Context(), dir, nil, "fleet", "report", "out")
	require.Contains(t, markdown, " not shown: repositories hide them themselves.\n")
	write(t, dir, "org.yaml", "severity: note\n")
	fleetCheck(t, dir, "acme/web\n", nil, "--config", "org.yaml")
	record = read(t, dir, "out/local/acme/web.json")
	require.Contains(t, record, `"unpinned-package"`)
	require.NotContains(t, record, `"suppressed"`)
}

// TestFleetCheckApproved says what is not in the catalog of a repository, or of the
// organization, and which catalog was not read.
func TestFleetCheckApproved(t *testing.T) {
	const settings, page = "catalog: {approved: site}\n", `{"servers": []}`
	dir := t.TempDir()
	write(t, dir, "acme/web/.mcp.json", started("npx", "-y", "notes@1.0.0"))
	write(t, dir, "acme/web/.mcplumb.yaml", settings)
	write(t, dir, "acme/web/site/v0.1/servers/index.html", page)
	at := filepath.Join(dir, "acme/web")
	commit := func() {
		git(t, at, "add", "-A")
		git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "more")
	}
	git(t, at, "init", "-q", "-b", "main")
	commit()
	check := func(args ...string) (record string, code int, stderr string) {
		code, _, stderr = fleetCheck(t, dir, "acme/web\n", nil, args...)
		return read(t, dir, "out/local/acme/web.json"), code, stderr
	}
	record, _, _ := check()
	require.Contains(t, record, `"unapproved-server"`)

	write(t, dir, "org/org.yaml", settings)
	_, code, stderr := check("--config", "org/org.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "org/site/v0.1/servers/index.html: no such file or directory: mcplumb catalog build writes such a directory")
	write(t, dir, "org/site/v0.1/servers/index.html", `{"servers": [{"server": {"name": "a", "packages": [{"registryType": "npm", "identifier": "notes", "version": "1.0.0"}]}}]}`)
	record, _, _ = check("--config", "org/org.yaml")
	require.NotContains(t, record, `"unapproved-server"`)
	write(t, dir, "org/site/v0.1/servers/index.html", page) // another catalog is another question
	record, _, _ = check("--config", "org/org.yaml")
	require.Contains(t, record, `"unapproved-server"`)

	write(t, dir, "org/org.yaml", "catalog: {approved: 'https://mcp.acme.example'}\n")
	_, code, stderr = check("--config", "org/org.yaml")
	require.Equal(t, 0, code)
	require.Contains(t, stderr, "mcplumb: the catalog https://mcp.acme.example was not queried")

	require.NoError(t, os.RemoveAll(filepath.Join(at, "site")))
	commit()
	record, _, _ = check()
	require.Contains(t, record, "mcplumb catalog build writes such a directory")
	require.Contains(t, record, `"npm:notes"`)
}

// TestFleetCheckExpires reads a commit again once an ignore of it has expired.
func TestFleetCheckExpires(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "acme/web")
	write(t, dir, "acme/web/.mcp.json", started("npx", "-y", "notes"))
	write(t, dir, "acme/web/.mcplumb.yaml", "ignore:\n- {rule: unpinned-package, reason: soon, until: 1970-01-02}\n- {rule: alias-drift, reason: later, until: 1970-02-01}\n")
	git(t, at, "init", "-q", "-b", "main")
	git(t, at, "add", ".")
	git(t, at, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
	write(t, dir, "list", "acme/web\n")
	for _, c := range []struct {
		day, want string
		finds     bool
	}{
		{"1970-01-01", "1 read, 0 unchanged", false},
		{"1970-01-02", "0 read, 1 unchanged", false},
		{"1970-01-03", "1 read, 0 unchanged", true},
		{"1970-01-04", "0 read, 1 unchanged", true},
	} {
		now, err := time.Parse(time.DateOnly, c.day)
		require.NoError(t, err)
		var stdout strings.Builder
		code := cli.Main(t.Context(), cli.Env{
			Args: []string{"fleet", "check", "--repos", "list", "--out", "out"}, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: io.Discard,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return now }, Dir: dir,
			IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath, Environ: os.Environ(),
		})
		require.Equal(t, 0, code)
		require.Equal(t, "1 repository: "+c.want+", 0 failed\n", stdout.String(), c.day)
		require.Equal(t, c.finds, strings.Contains(read(t, dir, "out/local/acme/web.json"), `"unpinned-package"`), c.day)
	}
}
