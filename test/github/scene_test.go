package github_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// fixBranch is the branch that fix-pr uses by default.
const fixBranch = "mcplumb/fix"

// canary is in the environment of every run. It must never appear.
var canary = "ghp_" + strings.Repeat("Canary", 6)

// scene is a repository on GitHub, and a clone of it in which fix-pr runs.
type scene struct {
	*testing.T
	*double.Double
	clone string
	env   []string // in addition to every run's variables
	flags []string // of every run
	said  string   // by all runs
}

// result is one run of fix-pr.
type result struct {
	code     int
	out, err string
}

// begin makes a scene with files on the branch main.
func begin(t *testing.T, files map[string]string) *scene {
	t.Helper()
	s := &scene{T: t, clone: filepath.Join(t.TempDir(), "clone")}
	s.Double = double.New(t, content(files))
	bare, err := s.Git("rev-parse", "--absolute-git-dir")
	require.NoError(t, err)
	s.git(t.TempDir(), "clone", "--quiet", "--branch", "main", bare, s.clone)
	return s
}

func content(files map[string]string) map[string]*double.File {
	made := map[string]*double.File{}
	for path, text := range files {
		made[path] = &double.File{Content: text}
	}
	return made
}

// push commits files to main as a person, and checks that out. It deletes files with empty
// content.
func (s *scene) push(files map[string]string) {
	s.Helper()
	made := content(files)
	for path, text := range files {
		if text == "" {
			made[path] = nil
		}
	}
	_, err := s.Commit("alice", "main", "Change servers\n", made)
	require.NoError(s, err)
	s.pull()
}

// pull checks out what main is on GitHub.
func (s *scene) pull() {
	s.Helper()
	s.git(s.clone, "fetch", "--quiet", "--prune", "origin")
	s.git(s.clone, "checkout", "--quiet", "-B", "main", "origin/main")
}

// git runs git with no settings of the machine.
func (s *scene) git(dir string, args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.clone + "-home", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	require.NoError(s, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// mcplumb runs the program in a directory.
func (s *scene) mcplumb(dir string, args ...string) result {
	s.Helper()
	program := os.Getenv("MCPLUMB")
	require.NotEmpty(s, program, "MCPLUMB names the program, see scripts/github")
	var out, problems bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.clone + "-home", "GITHUB_TOKEN=" + double.Token, "GITHUB_API_URL=" + s.URL,
		"GITHUB_GRAPHQL_URL=" + s.URL + "/graphql", "GITHUB_REPOSITORY=acme/web", "DEPLOY_TOKEN=" + canary,
	}, s.env...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(s, err)
	}
	s.said += out.String() + problems.String()
	return result{cmd.ProcessState.ExitCode(), out.String(), problems.String()}
}

// fixPR runs fix-pr. The requests to GitHub are in Requests.
func (s *scene) fixPR(flags ...string) result {
	s.Helper()
	s.Forget()
	return s.mcplumb(s.clone, append(append([]string{"fix-pr"}, s.flags...), flags...)...)
}

// does runs fix-pr and holds that it reports the action and succeeds.
func (s *scene) does(what string, flags ...string) {
	s.Helper()
	r := s.fixPR(flags...)
	assert.Equal(s, 0, r.code, r.err)
	assert.Contains(s, r.out, what)
}

// doesNothing holds that a run asks GitHub for no change.
func (s *scene) doesNothing() {
	s.Helper()
	r := s.fixPR()
	assert.Equal(s, 0, r.code, r.err)
	assert.Empty(s, s.Writes(), r.out)
}

// fails runs fix-pr and holds that it reports why it cannot.
func (s *scene) fails(why ...string) {
	s.Helper()
	r := s.fixPR()
	assert.Equal(s, 3, r.code, r.out+r.err)
	for _, part := range why {
		assert.Contains(s, r.err, part)
	}
}

// open returns the pull requests that are open.
func (s *scene) open() []*double.Pull {
	return slices.DeleteFunc(s.Pulls(), func(p *double.Pull) bool { return p.State != "open" })
}

// only returns the one open pull request.
func (s *scene) only() *double.Pull {
	s.Helper()
	open := s.open()
	require.Len(s, open, 1)
	return open[0]
}

// fixed returns a file on the branch of fixes.
func (s *scene) fixed(path string) string {
	s.Helper()
	text, err := s.Git("show", fixBranch+":"+path)
	require.NoError(s, err)
	return text
}

// isRight holds what is true after every scenario with an open pull request: its branch is
// main with one signed commit for each rule on top, has exactly the fixes of a clone, and
// lints clean. GitHub receives no secret, and another run does nothing.
func (s *scene) isRight() {
	s.Helper()
	p := s.only()
	assert.Equal(s, s.Branch(fixBranch), p.HeadSHA)
	commits, err := s.Log("main", fixBranch)
	require.NoError(s, err)
	below := s.Branch("main")
	titles := map[string]bool{}
	for _, sha := range commits {
		parents, err := s.Git("show", "--no-patch", "--format=%P%n%s", sha)
		require.NoError(s, err)
		parent, title, _ := strings.Cut(parents, "\n")
		assert.Equal(s, below, parent, "one commit on top of the other")
		assert.False(s, titles[title], "%q stands there twice", title)
		assert.True(s, s.IsVerified(sha), title)
		below, titles[title] = sha, true
	}
	assert.Equal(s, s.fixedHere(), s.tree(fixBranch), "the branch has just what check --fix writes")
	assert.Less(s, len(p.Body), 65536)
	s.isQuiet()
	s.doesNothing()
}

// tree returns the name of a tree.
func (s *scene) tree(ref string) string {
	s.Helper()
	sha, err := s.Git("rev-parse", "--verify", ref+"^{tree}")
	require.NoError(s, err)
	return sha
}

// fixedHere returns the tree that main becomes when its files are fixed on disk,
// and holds that nothing is left to fix there.
func (s *scene) fixedHere() string {
	s.Helper()
	dir := filepath.Join(s.TempDir(), "here")
	bare, err := s.Git("rev-parse", "--absolute-git-dir")
	require.NoError(s, err)
	s.git(s.clone, "clone", "--quiet", "--branch", "main", bare, dir)
	safety := "safe"
	if slices.Contains(s.flags, "unsafe") {
		safety = "unsafe"
	}
	s.mcplumb(dir, "check", "--fix="+safety, "--fail-on", "never")
	s.git(dir, "add", "--all")
	left := s.mcplumb(dir, "check", "--diff", "--fix="+safety, "--fail-on", "never")
	assert.Empty(s, left.out, "nothing is left to fix")
	return s.git(dir, "write-tree")
}

// isQuiet holds that no secret of the environment went anywhere.
func (s *scene) isQuiet() {
	s.Helper()
	for _, secret := range []string{double.Token, canary} {
		assert.Empty(s, s.Saw(secret))
		assert.NotContains(s, s.said, secret)
		for _, p := range s.Pulls() {
			assert.NotContains(s, p.Title+p.Body+strings.Join(p.Comments, ""), secret)
		}
	}
}

// isGone holds that nothing is open, and that no branch was left behind.
func (s *scene) isGone() {
	s.Helper()
	assert.Empty(s, s.open())
	assert.Empty(s, s.Branch(fixBranch))
	s.isQuiet()
}
