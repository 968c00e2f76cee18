package fleet_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/fleet/organization"
)

// TestWorkflow runs the workflow of docs/fleet.md under act, on three days: everything,
// then the changes while a shard is killed, then the rest of that shard.
func TestWorkflow(t *testing.T) {
	w := newWorkflow(t, begin(t, count))
	w.write("caller/.github/workflows/fleet.yml", strings.Replace(w.documented(), "      client-id:", "      pages: true\n      client-id:", 1))

	require.Empty(t, w.act("-s", "MCPLUMB_APP_PRIVATE_KEY=the-key", "--var", "MCPLUMB_CLIENT_ID=Iv1.fleet"))
	assert.Equal(t, 6, w.Organization.Requests(), "a page for every hundred of the 502")
	first := w.kept()
	w.isWhatSingleRunsSay(first)
	w.reports(first)
	page, err := os.ReadFile(w.file("store/pages/index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "service-499")

	// On the second day three repositories have changed, and one is new. One shard is killed
	// as soon as it reads the first of them that it has.
	changed := []string{"brand-new", "service-13", "service-250", "service-499"}
	for _, name := range changed {
		require.NoError(t, organization.Commit(w.repositories, name, map[string]string{".mcp.json": `{"mcpServers": {"postmark": {"command": "npx", "args": ["-y", "postmark-mcp@1.0.16"]}}}`}))
	}
	w.write("caller/.github/workflows/fleet.yml", regexp.MustCompile(`(?s)    with:\n.*`).ReplaceAllString(w.documented(), "    secrets:\n      token: ${{ secrets.FLEET }}\n"))
	w.Forget()
	victim := w.killsReader("service-250")
	warned := w.act("-s", "FLEET="+organization.Token)
	require.Len(t, warned, 1)
	old := regexp.MustCompile(`^Of 501 repositories (\d+) were not reached: (\d+) stand here as they were before, and (\d+) are missing\.$`).FindStringSubmatch(warned[0])
	require.NotNil(t, old, warned[0])
	require.NotEmpty(t, victim())
	second := w.kept()
	missing, _ := strconv.Atoi(old[3])
	assert.Len(t, second, count+1-missing)
	assert.Equal(t, first["service-250"], second["service-250"], "as it was before")
	assert.Subset(t, changed, w.Fetched(), "nothing else is read again")

	w.Before(nil)
	w.Forget()
	require.Empty(t, w.act("-s", "FLEET="+organization.Token))
	assert.Subset(t, changed, w.Fetched())
	assert.Contains(t, w.Fetched(), "service-250")
	requests, sent := w.Requests()
	t.Logf("the third day: %d requests of git, %d KB", requests, sent>>10)
	third := w.kept()
	assert.Len(t, third, count+1)
	for name, record := range third {
		if slices.Contains(changed, name) {
			assert.Len(t, record.Servers, 1, name)
		} else {
			assert.Equal(t, first[name], record, name)
		}
	}
	w.reports(third)
}

// TestWorkflowRefuses: private repositories do not become public, and a run that would see
// too little or nothing does not count as a run without findings. The page shows why it
// stopped.
func TestWorkflowRefuses(t *testing.T) {
	w := newWorkflow(t, begin(t, 2))
	calls := func(with, secrets string) {
		w.write("caller/.github/workflows/fleet.yml", regexp.MustCompile(`(?s)    with:\n.*`).ReplaceAllString(w.documented(), with+secrets))
	}
	const (
		key    = "    secrets:\n      app-private-key: ${{ secrets.KEY }}\n"
		token  = "    secrets:\n      token: ${{ secrets.FLEET }}\n"
		client = "      client-id: Iv1.fleet\n"
	)
	stops := func(want string) {
		t.Helper()
		listed := w.Organization.Requests()
		secrets := []string{"-s", "KEY=the-key", "-s", "FLEET=" + organization.Token}
		annotated, err := w.try(secrets...)
		// act v0.2.89 does not wait for what a step has printed that fails (exec in
		// pkg/container/host_environment.go): on a busy machine its last line may be missing.
		if len(annotated) == 0 {
			annotated, err = w.try(secrets...)
		}
		require.Error(t, err)
		assert.Contains(t, strings.Join(annotated, "\n"), want)
		assert.Contains(t, w.summary, want)
		assert.NoDirExists(t, w.file("store/artifacts"))
		if !strings.Contains(want, "none of the") {
			assert.Equal(t, listed, w.Organization.Requests())
		}
	}
	calls("", "")
	stops("There is neither a client-id with its app-private-key nor a token")
	calls("    with:\n      visibility: internal\n", "    secrets:\n      token: ${{ secrets.FORGOTTEN }}\n")
	stops("There is neither a client-id with its app-private-key nor a token")
	calls("    with:\n      visibility: public\n", key)
	stops("There is an app-private-key, but client-id is empty.")
	calls("    with:\n"+client, token)
	stops("There is a client-id, but the secret app-private-key is empty.")
	calls("    with:\n      exclude: |\n        Acme/service-*\n        acme/$(touch no)`*\n"+client, key)
	stops("none of the 4 repositories of acme is chosen: 1 archived, 1 forked, 2 excluded")
	calls("    with:\n      visibility: public\n", "") // for which the token of the job is enough
	stops("none of the 4 repositories of acme is chosen: 1 archived, 1 forked, 2 of another visibility")
	calls("    with:\n      include: a`b%0A\n", token)
	stops("none of the 4 repositories of acme is chosen: 1 archived, 1 forked, 2 not included; --include needs patterns of OWNER/NAME, such as acme/a")
	assert.Contains(t, w.summary, "> `none of the ")
	assert.Contains(t, w.summary, "as acme/a'b%0A`")

	w.Show("public")
	for _, with := range []string{"", "    with:\n      visibility: private\n", "    with:\n      visibility: |\n        public\n        internal\n"} {
		calls(with, token)
		stops("Everyone may read the artifacts of a public repository")
	}
	requests, _ := w.Requests()
	assert.Zero(t, requests)
}

// TestWorkflowReaders holds that the report names who else may read findings in private
// repositories.
func TestWorkflowReaders(t *testing.T) {
	w := newWorkflow(t, begin(t, 2))
	w.write("caller/.github/workflows/fleet.yml", strings.Replace(w.documented(), "      client-id:", "      pages: true\n      client-id:", 1))
	secrets := []string{"-s", "MCPLUMB_APP_PRIVATE_KEY=the-key", "--var", "MCPLUMB_CLIENT_ID=Iv1.fleet"}
	w.Show("internal")
	warned := w.act(secrets...)
	require.Len(t, warned, 1)
	assert.Contains(t, warned[0], "Everyone in the enterprise may read an internal repository")
	assert.Contains(t, w.summary, "Everyone in the enterprise may read an internal repository")
	assert.Contains(t, w.summary, "2 repositories (2 private); left out: 1 archived, 1 forked\n")
	pages, err := os.ReadDir(w.file("store/pages"))
	require.NoError(t, err)
	require.Len(t, pages, 1, "other formats are for those who may read the artifacts")
	assert.Equal(t, "index.html", pages[0].Name())

	require.NoError(t, os.RemoveAll(w.file("store/pages")))
	w.Show("private")
	w.ShowPage()
	annotated, err := w.try(secrets...)
	require.Error(t, err)
	require.Len(t, annotated, 1)
	assert.Contains(t, annotated[0], "Everyone may read the pages of this repository")
	assert.NoDirExists(t, w.file("store/pages"))
	w.reports(w.kept())
}

// TestWorkflowRecovers: earlier records that can no longer be read fail no run, and are not
// kept.
func TestWorkflowRecovers(t *testing.T) {
	w := newWorkflow(t, begin(t, 3))
	w.write("caller/.github/workflows/fleet.yml", w.documented())
	secrets := []string{"-s", "MCPLUMB_APP_PRIVATE_KEY=the-key", "--var", "MCPLUMB_CLIENT_ID=Iv1.fleet"}
	require.Empty(t, w.act(secrets...))
	w.write("before/github.com/acme/old.json", `{"version": 99}`)
	w.write("before/github.com/acme/torn.json", `{"version": 1, "serv`)
	caches, err := filepath.Glob(w.file("store/cache/*"))
	require.NoError(t, err)
	require.Len(t, caches, 1)
	out, err := exec.Command("tar", "-czf", filepath.Join(caches[0], "records.tar.gz"), "-C", w.file("before"), ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for range 2 {
		require.Empty(t, w.act(secrets...))
		require.Len(t, w.kept(), 3)
		w.reports(w.kept())
	}
}

// TestWorkflowFailures: a repository that cannot be read fails the run unless it is permitted,
// and is shown either way, in a report that is whole.
func TestWorkflowFailures(t *testing.T) {
	w := newWorkflow(t, begin(t, 3))
	secrets := []string{"-s", "MCPLUMB_APP_PRIVATE_KEY=the-key", "--var", "MCPLUMB_CLIENT_ID=Iv1.fleet"}
	require.NoError(t, os.Remove(filepath.Join(w.repositories, organization.Name, "service-1.git", "HEAD")))
	for allowed, level := range map[string]string{"": "CAUTION", "      allow-failed: 1\n": "WARNING"} {
		w.write("caller/.github/workflows/fleet.yml", strings.Replace(w.documented(), "      client-id:", allowed+"      client-id:", 1))
		annotated, err := w.try(secrets...)
		require.Equal(t, allowed == "", err != nil, "%v", err)
		require.Len(t, annotated, 1, "%v", err)
		said := "Repositories that could not be read: 1, and allow-failed permits " + map[string]string{"": "0"}[allowed]
		assert.Contains(t, annotated[0], said)
		assert.Contains(t, w.summary, "> [!"+level+"]\n> "+said)
		assert.Regexp(t, `(?s)## Not read.*service-1.*it could not be fetched`, w.summary)
		assert.Len(t, w.kept(), 3)
	}
}

// TestWorkflowChoices: a report of some repositories does not name others that a report
// before it was of, and goes on from the last one of the same.
func TestWorkflowChoices(t *testing.T) {
	w := newWorkflow(t, begin(t, 3))
	secrets := []string{"-s", "MCPLUMB_APP_PRIVATE_KEY=the-key", "--var", "MCPLUMB_CLIENT_ID=Iv1.fleet"}
	all := w.documented()
	without := strings.Replace(all, "      client-id:", "      exclude: acme/service-1\n      client-id:", 1)
	runs := func(text, unnamed string, read int) {
		t.Helper()
		w.write("caller/.github/workflows/fleet.yml", text)
		w.Forget()
		require.Empty(t, w.act(secrets...))
		assert.Len(t, w.Fetched(), read)
		w.reports(w.kept())
		report, err := os.ReadFile(w.file("store/artifacts/fleet-report/fleet.json"))
		require.NoError(t, err)
		if unnamed != "" {
			assert.NotContains(t, string(report), unnamed)
		}
	}
	runs(all, "", 3)
	runs(without, "service-1", 2)
	runs(all, "", 0)
	runs(without, "service-1", 0)
}

// workflow is a repository that calls fleet.yml, and GitHub around it: artifacts, caches and
// pages are directories below store.
type workflow struct {
	*fleet
	version string
	runs    int
	summary string // the last run's text on its page
}

// newWorkflow makes the repository that calls, and the actions that its jobs use.
func newWorkflow(t *testing.T, f *fleet) *workflow {
	t.Helper()
	w := &workflow{fleet: f}
	w.version = regexp.MustCompile(`mcplumb/setup@v(\S+)`).FindStringSubmatch(w.source(".github/workflows/fleet.yml"))[1]

	// The release that setup fetches is mcplumb behind a script that notes its process; the
	// network is a program named curl.
	release := "#!/bin/sh\nif [ -n \"${SHARD:-}\" ]; then echo $$ >\"$DOUBLE_STORE/shard-$SHARD\"; fi\nexec '" + os.Getenv("MCPLUMB") + "' \"$@\"\n"
	w.write("release/mcplumb", release)
	curl, err := exec.LookPath("curl")
	require.NoError(t, err)
	asset := fmt.Sprintf("mcplumb_%s_%s_%s.tar.gz", w.version, runtime.GOOS, runtime.GOARCH)
	out, err := exec.Command("tar", "-czf", w.file("release", asset), "-C", w.file("release"), "mcplumb").CombinedOutput()
	require.NoError(t, err, "%s", out)
	w.write("fake/curl", "#!/bin/bash\ncase \"${!#}\" in https://github.com/*) ;; *) exec "+curl+` "$@" ;; esac`+"\n"+
		`while [ $# -gt 1 ]; do if [ "$1" = --output ]; then output=$2; fi; shift; done`+"\ncp '"+w.file("release")+"'/\"${1##*/}\" \"$output\"\n")
	for _, name := range []string{"action.yml", "setup/action.yml", "action/run.sh", ".github/workflows/fleet.yml"} {
		w.write("mcplumb/"+name, w.source(name))
	}
	w.write("mcplumb/action/checksums.txt", fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(release)), asset))
	w.write("store/README", "")
	w.write("caller/README.md", "# Fleet\n")
	for _, args := range [][]string{{"init", "--quiet"}, {"remote", "add", "origin", "https://github.com/acme/fleet.git"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "a"}} {
		c := exec.Command("git", args...)
		c.Dir = w.file("caller")
		require.NoError(t, c.Run())
	}
	return w
}

// source returns a file of this repository, and documented the first workflow of its page.
func (w *workflow) source(name string) string {
	w.Helper()
	content, err := os.ReadFile(filepath.Join("../..", name))
	require.NoError(w, err)
	return string(content)
}

// documented returns the workflow of docs/fleet.md.
func (w *workflow) documented() string {
	w.Helper()
	_, rest, found := strings.Cut(w.source("docs/fleet.md"), "```yaml .github/workflows/fleet.yml\n")
	require.True(w, found)
	text, _, _ := strings.Cut(rest, "```")
	return text
}

// write writes a file of the directory to work in. Programs may be run.
func (w *workflow) write(name, content string) {
	w.Helper()
	require.NoError(w, os.MkdirAll(filepath.Dir(w.file(name)), 0o755))
	require.NoError(w, os.WriteFile(w.file(name), []byte(content), 0o755))
}

// act runs the workflow, which ends well or annotates why not, and returns the warnings and
// errors that it annotates.
func (w *workflow) act(more ...string) (annotated []string) {
	w.Helper()
	annotated, err := w.try(more...)
	if len(annotated) == 0 {
		require.NoError(w, err)
	}
	return annotated
}

// try runs the workflow, and returns its annotations and its error. The next run has
// another number.
func (w *workflow) try(more ...string) (annotated []string, failed error) {
	w.Helper()
	w.runs++
	w.summary = ""
	args := []string{
		"schedule", "--json", "-W", ".github/workflows/fleet.yml", "-P", "ubuntu-latest=-self-hosted", "-s", "GITHUB_TOKEN=" + organization.Token,
		"--local-repository", "mcplumb/mcplumb@v" + w.version + "=" + w.file("mcplumb"),
	}
	for _, m := range regexp.MustCompile(`uses: (actions/([\w-]+))\S*@([0-9a-f]{40})`).FindAllStringSubmatch(w.source(".github/workflows/fleet.yml"), -1) {
		if m[2] != "checkout" {
			double, err := filepath.Abs("actions/" + m[2])
			require.NoError(w, err)
			args = append(args, "--local-repository", m[1]+"@"+m[3]+"="+double)
		}
	}
	for _, variable := range []string{
		"GITHUB_API_URL=" + w.URL + "/api/v3", "GITHUB_SERVER_URL=" + w.URL, "GITHUB_REPOSITORY_OWNER=" + organization.Name, "GITHUB_RUN_ID=" + strconv.Itoa(w.runs),
		"RUNNER_TOOL_CACHE=" + w.file("tools"), "DOUBLE_STORE=" + w.file("store"), "DOUBLE_TOKEN=" + organization.Token,
	} {
		args = append(args, "--env", variable)
	}
	c := exec.Command(os.Getenv("ACT"), append(args, more...)...)
	c.Dir = w.file("caller")
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+w.file("cache"), "XDG_CONFIG_HOME="+w.dir, "PATH="+w.file("fake")+":"+os.Getenv("PATH"))
	log, err := c.CombinedOutput()
	var messages []string
	for line := range bytes.Lines(log) {
		var said struct{ Command, Arg, Job, Msg, Content string }
		_ = json.Unmarshal(line, &said) // act's own last words are not JSON
		messages = append(messages, said.Job+": "+said.Msg)
		if said.Command == "summary" {
			w.summary += said.Content
		}
		if said.Command == "warning" || said.Command == "error" {
			annotated = append(annotated, said.Arg)
		}
	}
	assert.NotContains(w, strings.Join(messages, "\n"), organization.Token)
	if err != nil {
		err = fmt.Errorf("act: %w\n%s", err, strings.Join(messages, "\n"))
	}
	return annotated, err
}

// kept returns the records that the last run keeps as an artifact.
func (w *workflow) kept() map[string]found {
	w.Helper()
	dir := w.TempDir()
	out, err := exec.Command("tar", "-xzf", w.file("store/artifacts/fleet-records/records.tar.gz"), "-C", dir).CombinedOutput()
	require.NoError(w, err, "%s", out)
	return w.records(dir)
}

// reports holds the report of the last run to the totals of records.
func (w *workflow) reports(records map[string]found) {
	w.Helper()
	var report struct {
		Summary struct{ Repositories, Servers, Failed int }
	}
	content, err := os.ReadFile(w.file("store/artifacts/fleet-report/fleet.json"))
	require.NoError(w, err)
	require.NoError(w, json.Unmarshal(content, &report))
	servers := 0
	for _, r := range records {
		servers += len(r.Servers)
	}
	assert.Equal(w, len(records), report.Summary.Repositories)
	assert.Equal(w, servers, report.Summary.Servers)
	assert.Zero(w, report.Summary.Failed)
	for _, name := range []string{"index.html", "servers.csv", "fleet.cdx.json", "summary.md"} {
		info, err := os.Stat(w.file("store/artifacts/fleet-report", name))
		require.NoError(w, err)
		assert.NotZero(w, info.Size(), name)
	}
}

// killsReader kills the shard that reads a repository, as soon as it does, and returns a
// function that returns which shard it was.
func (w *workflow) killsReader(name string) (victim func() string) {
	w.Helper()
	var mutex sync.Mutex
	var killed string
	lists, err := filepath.Glob(w.file("store/artifacts/fleet-shards/*.txt"))
	require.NoError(w, err)
	shards := map[string]string{}
	for _, file := range lists {
		list, err := os.ReadFile(file)
		require.NoError(w, err)
		for line := range strings.Lines(string(list)) {
			shards[strings.TrimSuffix(filepath.Base(strings.TrimSpace(line)), ".git")] = strings.TrimSuffix(filepath.Base(file), ".txt")
		}
	}
	w.Before(func(asked string) {
		mutex.Lock()
		defer mutex.Unlock()
		if asked != name || killed != "" {
			return
		}
		killed = shards[name]
		if process, err := os.ReadFile(w.file("store/shard-" + killed)); err == nil {
			_ = exec.Command("kill", "-KILL", strings.TrimSpace(string(process))).Run()
		}
	})
	return func() string {
		mutex.Lock()
		defer mutex.Unlock()
		return killed
	}
}
