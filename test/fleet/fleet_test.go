// Package fleet_test runs mcplumb over a made-up organization of 500 repositories
// (scripts/fleet).
package fleet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/fleet/organization"
)

// count is how many repositories the organization has.
const count = 500

// fleet is the organization, and a directory to work in.
type fleet struct {
	*testing.T
	*organization.Server
	repositories, dir string
}

// begin makes an organization of n repositories.
func begin(t *testing.T, n int) *fleet {
	t.Helper()
	f := &fleet{T: t, repositories: t.TempDir(), dir: t.TempDir()}
	require.NoError(t, organization.Make(f.repositories, "../../testdata", n, 21))
	var err error
	f.Server, err = organization.Serve(f.repositories, "../github/npm")
	require.NoError(t, err)
	t.Cleanup(func() {
		f.Close()
		assert.Empty(t, f.Violations(), "GitHub's description does not allow it")
	})
	return f
}

// command is mcplumb with the environment of a job of the workflow.
func (f *fleet) command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Getenv("MCPLUMB"), args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GITHUB_API_URL="+f.URL+"/api/v3", "GITHUB_SERVER_URL="+f.URL, "GITHUB_TOKEN="+organization.Token)
	return c
}

// run runs mcplumb, which must succeed, and returns its output.
func (f *fleet) run(args ...string) string {
	f.Helper()
	c := f.command(f.dir, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	require.NoError(f, err, "%s: %s", args, stderr.String())
	return string(out)
}

// file is a path in the directory to work in.
func (f *fleet) file(elements ...string) string {
	return filepath.Join(append([]string{f.dir}, elements...)...)
}

// list lists the organization's repositories in shards, and returns their names.
func (f *fleet) list(out string) []string {
	f.Helper()
	var matrix struct{ Shard []string }
	require.NoError(f, json.Unmarshal([]byte(f.run("fleet", "repos", organization.Name, "--out", out)), &matrix))
	return matrix.Shard
}

// found is the known state of a repository: the output of single runs of list and check, or
// the content of its record.
type found struct {
	Repository, Failed, Commit string
	Servers, Findings, Errors  []json.RawMessage
}

// records reads a directory of records, by the names of the repositories.
func (f *fleet) records(dir string) map[string]found {
	f.Helper()
	all := map[string]found{}
	require.NoError(f, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" { // a run that is killed leaves half a file under another name
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var r found
		if err := json.Unmarshal(content, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all[strings.TrimSuffix(entry.Name(), ".json")] = r
		return nil
	}))
	return all
}

// every is the interval of the repositories that are also read one by one: each of those
// takes a clone and two runs, which is most of the time on a machine that starts programs
// slowly.
const every = 5

// single is the output of list and check for a clone of every fifth repository.
func (f *fleet) single() map[string]found {
	f.Helper()
	entries, err := os.ReadDir(filepath.Join(f.repositories, organization.Name))
	require.NoError(f, err)
	dir := f.TempDir()
	all := map[string]found{}
	names := make(chan string)
	var mutex sync.Mutex
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for name := range names {
				r, err := f.one(dir, name)
				mutex.Lock()
				assert.NoError(f, err, name)
				all[name] = r
				mutex.Unlock()
			}
		})
	}
	for i := 0; i < len(entries); i += every {
		names <- strings.TrimSuffix(entries[i].Name(), ".git")
	}
	close(names)
	workers.Wait()
	return all
}

// one clones a repository into a directory, and runs list and check there.
func (f *fleet) one(dir, name string) (r found, err error) {
	clone := filepath.Join(dir, name)
	if out, err := exec.Command("git", "clone", "--quiet", filepath.Join(f.repositories, organization.Name, name+".git"), clone).CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w: %s", err, out)
	}
	for _, args := range [][]string{{"list", "--format", "json"}, {"check", "--format", "json"}} {
		out, err := f.command(clone, args...).Output() // check ends with 1 where it finds something
		if jsonErr := json.Unmarshal(out, &r); jsonErr != nil {
			return r, fmt.Errorf("%s: %w: %w", args, err, jsonErr)
		}
	}
	return r, nil
}

// texts returns JSON values as texts of one form, without the fixes of findings, which
// records do not have.
func texts(t *testing.T, values []json.RawMessage) []string {
	t.Helper()
	all := make([]string, len(values))
	for i, value := range values {
		var members any
		require.NoError(t, json.Unmarshal(value, &members))
		if object, is := members.(map[string]any); is {
			delete(object, "fixes")
		}
		text, err := json.Marshal(members)
		require.NoError(t, err)
		all[i] = string(text)
	}
	return all
}

// isWhatSingleRunsSay compares the records of all repositories with single runs of some.
func (f *fleet) isWhatSingleRunsSay(records map[string]found) {
	f.Helper()
	single := f.single()
	require.Len(f, records, count)
	var servers, findings int
	for name, want := range single {
		got := records[name]
		require.Empty(f, got.Failed, name)
		require.Equal(f, texts(f.T, want.Servers), texts(f.T, got.Servers), name)
		require.Equal(f, texts(f.T, want.Findings), texts(f.T, got.Findings), name)
		require.Len(f, got.Errors, len(want.Errors), name)
		servers, findings = servers+len(want.Servers), findings+len(want.Findings)
	}
	require.Greater(f, servers, len(single), "the organization has servers")
	f.Logf("%d repositories: %d servers, %d findings", len(single), servers, findings)
}

// TestKilled continues a shard that was killed in the middle: a repository with a record is
// not read again, and the final result is the same as without the kill.
func TestKilled(t *testing.T) {
	const some, enough = 60, 20
	f := begin(t, some)
	list := "shards/" + f.list("shards")[0] + ".txt"
	f.run("fleet", "check", "--repos", list, "--out", "whole")
	f.Forget()

	c := f.command(f.dir, "fleet", "check", "--repos", list, "--out", "out", "--jobs", "2")
	require.NoError(t, c.Start())
	var once sync.Once
	f.Before(func(string) {
		if len(f.Fetched()) >= enough {
			once.Do(func() { _ = c.Process.Kill() })
		}
	})
	require.Error(t, c.Wait())
	f.Before(nil)
	done := f.records(f.file("out"))
	require.NotEmpty(t, done)
	require.Less(t, len(done), some)

	f.Forget()
	f.run("fleet", "check", "--repos", list, "--out", "out")
	for _, name := range f.Fetched() {
		assert.NotContains(t, done, name, "it was read before")
	}
	assert.Len(t, f.Fetched(), some-len(done))
	assert.Equal(t, f.records(f.file("whole")), f.records(f.file("out")))
}

// TestMultiGitter does in each repository what multi-gitter does with the command of
// docs/fleet.md: it runs it in a clone of one commit, skips the repository if it fails, and
// commits the changes.
func TestMultiGitter(t *testing.T) {
	const some = 60
	f := begin(t, some)
	page, err := os.ReadFile("../../docs/fleet.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`multi-gitter run 'mcplumb ([^']+)'`).FindSubmatch(page)
	require.NotNil(t, command)
	git := func(dir string, args ...string) string {
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	changed := 0
	for n := range some {
		clone := f.file(fmt.Sprint(n))
		git(f.dir, "clone", "--quiet", "--depth=1", fmt.Sprintf("file://%s/%s/service-%d.git", f.repositories, organization.Name, n), clone)
		for range 2 {
			out, err := f.command(clone, strings.Fields(string(command[1]))...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			if git(clone, "status", "--porcelain") == "" {
				break // at the latest, a fixed repository stays unchanged
			}
			changed++
			assert.NotContains(t, git(clone, "diff", "--name-only"), "src/", "what is no configuration")
			git(clone, "commit", "--quiet", "--all", "--message=Fix the MCP server configuration")
		}
		assert.Empty(t, git(clone, "status", "--porcelain"), "%d is fixed at once", n)
		assert.LessOrEqual(t, git(clone, "rev-list", "--count", "HEAD"), "2")
	}
	assert.NotZero(t, changed)
	t.Logf("%d of %d repositories have something to fix", changed, some)
}
