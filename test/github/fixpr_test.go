package github_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// Files with something to fix, and their fixed content. An http server has a url; VS Code
// has servers.
const (
	withURI   = `{"mcpServers": {"web": {"type": "http", "uri": "https://web.acme.dev/mcp"}}}` + "\n"
	withURL   = `{"mcpServers": {"web": {"type": "http", "url": "https://web.acme.dev/mcp"}}}` + "\n"
	wrongRoot = `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.2.0"]}}}` + "\n"
	rightRoot = `{"servers": {"docs": {"command": "npx", "args": ["-y", "docs-mcp@1.2.0"]}}}` + "\n"
)

// one is a repository with one thing to fix.
func one(t *testing.T) *scene {
	t.Helper()
	return begin(t, map[string]string{".mcp.json": withURI, "README.md": "# web\n"})
}

// opened is one for which fix-pr has opened a pull request.
func opened(t *testing.T) *scene {
	t.Helper()
	s := one(t)
	s.does("created")
	return s
}

func TestCreate(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{".mcp.json": withURI, "api/.vscode/mcp.json": wrongRoot})
	s.does("created", "--label", "dependencies", "--label", "mcp", "--assignee", "acme", "--draft")
	p := s.only()
	assert.Equal(t, fixBranch+" main", p.Head+" "+p.Base)
	assert.Equal(t, []string{"dependencies", "mcp"}, p.Labels)
	assert.Equal(t, []string{"acme"}, p.Assignees)
	assert.True(t, p.Draft)
	assert.Contains(t, p.Body, "invalid-server")
	assert.Contains(t, p.Body, "wrong-root-key")
	for _, text := range []string{
		"\n| [invalid-server] | error | `.mcp.json:1` | rename", "\n[invalid-server]: https://", "`mcplumb approve NAME`", "[ignore it with a reason](https://",
		"<!-- mcplumb {",
	} {
		assert.Contains(t, p.Body, text)
	}
	assert.Contains(t, s.said, "https://github.com/acme/web/pull/1")
	assert.Equal(t, strings.TrimSpace(withURL), s.fixed(".mcp.json"))
	assert.Equal(t, strings.TrimSpace(rightRoot), s.fixed("api/.vscode/mcp.json"))
	commits, err := s.Log("main", fixBranch)
	require.NoError(t, err)
	assert.Len(t, commits, 2, "one for each rule")
	s.isRight()
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	s := one(t)
	r := s.fixPR("--dry-run")
	assert.Equal(t, 0, r.code, r.err)
	assert.Contains(t, r.out, "invalid-server")
	assert.Empty(t, s.Writes())
	s.isGone()
}

func TestNothingToMend(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{".mcp.json": withURL})
	s.doesNothing()
	s.isGone()
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("updated")
	assert.Equal(t, 1, s.only().Number)
	assert.Contains(t, s.only().Body, "wrong-root-key")
	s.isRight()
}

func TestClosedWhenClean(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.push(map[string]string{".mcp.json": withURL})
	s.does("closed")
	assert.Len(t, s.Pulls()[0].Comments, 1, "it says why")
	s.isGone()
	s.doesNothing()

	s.push(map[string]string{".mcp.json": withURI})
	s.does("created")
	assert.Equal(t, 2, s.only().Number, "no one refused it, so it is proposed again")
	s.isRight()
}

func TestMerged(t *testing.T) {
	t.Parallel()
	s := opened(t)
	require.NoError(t, s.Merge(1, "alice"))
	s.pull()
	s.doesNothing()
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("created")
	assert.Equal(t, 2, s.only().Number)
	s.isRight()
}

// TestCommitOfAPerson: a commit that a person adds to the branch stays, even if there is
// more to fix.
func TestCommitOfAPerson(t *testing.T) {
	t.Parallel()
	s := opened(t)
	theirs, err := s.Commit("bob", fixBranch, "Mine\n", map[string]*double.File{"bob.txt": {Content: "b\n"}})
	require.NoError(t, err)
	s.doesNothing()
	assert.Contains(t, s.said, theirs[:12])
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.doesNothing()
	s.push(map[string]string{".mcp.json": withURL, "api/.vscode/mcp.json": ""})
	s.doesNothing()
	assert.Equal(t, theirs, s.Branch(fixBranch))
	assert.Equal(t, "open", s.Pulls()[0].State)
	s.isQuiet()
}

func TestBranchOfAPerson(t *testing.T) {
	t.Parallel()
	s := one(t)
	theirs, err := s.Commit("bob", fixBranch, "Mine\n", map[string]*double.File{"bob.txt": {Content: "b\n"}})
	require.NoError(t, err)
	s.doesNothing()
	assert.Equal(t, theirs, s.Branch(fixBranch))
	assert.Empty(t, s.Pulls())
}

// TestForkWithTheSameBranch: the branch of a fork is never fix-pr's own, even if it has the
// same name.
func TestForkWithTheSameBranch(t *testing.T) {
	t.Parallel()
	s := one(t)
	theirs, err := s.Commit("eve", "eves", "Hers\n", map[string]*double.File{"eve.txt": {Content: "e\n"}})
	require.NoError(t, err)
	_, err = s.PullOf("eve:"+fixBranch, theirs, "main", "Of a fork")
	require.NoError(t, err)
	s.does("created")
	assert.Len(t, s.open(), 2)
	assert.Equal(t, "Of a fork", s.open()[0].Title)
	s.doesNothing()
}

func TestClosedByAPerson(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.ClosePull(1, "bob")
	s.doesNothing()
	assert.Empty(t, s.open())

	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("created")
	p := s.only()
	assert.Equal(t, 2, p.Number)
	assert.Equal(t, strings.TrimSpace(withURI), s.fixed(".mcp.json"), "that was refused")
	assert.Equal(t, strings.TrimSpace(rightRoot), s.fixed("api/.vscode/mcp.json"))
	assert.NotContains(t, p.Body[:strings.Index(p.Body, "<!--")], "invalid-server")
	s.doesNothing()
	s.isQuiet()
}

func TestBranchDeletedByAPerson(t *testing.T) {
	t.Parallel()
	s := opened(t)
	require.NoError(t, s.DeleteBranch(fixBranch))
	assert.Empty(t, s.open(), "GitHub closes it")
	s.doesNothing()
}

func TestReopenedByAPerson(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.ClosePull(1, "bob")
	s.doesNothing()
	s.ReopenPull(1)
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("updated")
	s.isRight()
}

// TestMarkerTakenOut: without the state that it keeps in the body, fix-pr does not
// recognize its own branch, and leaves it.
func TestMarkerTakenOut(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.EditPull(1, "Our servers", "We know.")
	s.doesNothing()
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.doesNothing()
	assert.Equal(t, "Our servers", s.only().Title)
}

// TestTitleOfAPerson: a title that a person gave it stays.
func TestTitleOfAPerson(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.EditPull(1, "Our servers", s.only().Body)
	s.doesNothing()
	s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
	s.does("updated")
	assert.Equal(t, "Our servers", s.only().Title)
	s.isRight()
}

// TestCheckout: the clone of actions/checkout is enough, with one commit and no branch.
func TestCheckout(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.push(map[string]string{"README.md": "# more\n"})
	bare, err := s.Git("rev-parse", "--absolute-git-dir")
	require.NoError(t, err)
	s.clone += "-shallow"
	s.git(t.TempDir(), "clone", "--quiet", "--depth", "1", "--branch", "main", "file://"+bare, s.clone)
	s.git(s.clone, "checkout", "--quiet", "--detach")
	s.env = []string{"GITHUB_REF_NAME=main", "GITHUB_EVENT_NAME=schedule", "GITHUB_ACTIONS=true"}
	s.does("created")
	s.isRight()
}

func TestBaseMoved(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.push(map[string]string{"README.md": "# the web\n"})
	s.does("updated")
	assert.Equal(t, "# the web", s.fixed("README.md"))
	s.isRight()
}

// TestOldClone: a run on an older main does not undo what a run on the current main did.
func TestOldClone(t *testing.T) {
	t.Parallel()
	s := opened(t)
	_, err := s.Commit("alice", "main", "Go on\n", map[string]*double.File{"README.md": {Content: "# new\n"}})
	require.NoError(t, err)
	s.doesNothing()
	s.pull()
	s.does("updated")
	s.isRight()
}

// TestBaseMovesMeanwhile: the result is right after the next run at the latest.
func TestBaseMovesMeanwhile(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"GET /pulls", "POST /git/trees", "POST /git/commits", "mutation updateRefs", "POST /pulls"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := one(t)
			s.Before(kind, 1, func() {
				_, err := s.Commit("alice", "main", "Go on\n", map[string]*double.File{"README.md": {Content: "# new\n"}})
				assert.NoError(t, err)
			})
			r := s.fixPR()
			assert.Equal(t, 0, r.code, r.err)
			s.Recover()
			s.pull()
			assert.Equal(t, 0, s.fixPR().code)
			s.isRight()
		})
	}
}

// TestLostRace: a commit that a person pushes while fix-pr works is not lost.
func TestLostRace(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"POST /git/trees", "POST /git/commits", "PATCH /pulls/{pull_number}", "mutation updateRefs"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := opened(t)
			s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
			var theirs string
			s.Before(kind, 1, func() {
				var err error
				theirs, err = s.Commit("bob", fixBranch, "Mine\n", map[string]*double.File{"bob.txt": {Content: "b\n"}})
				assert.NoError(t, err)
			})
			r := s.fixPR()
			assert.Equal(t, 0, r.code, r.err)
			assert.Equal(t, theirs, s.Branch(fixBranch))
			s.Recover()
			s.doesNothing()
			assert.Equal(t, theirs, s.only().HeadSHA)
			s.isQuiet()
		})
	}
}

// TestTwoAtOnce: of two runs that create, one does.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.Before("mutation updateRefs", 1, func() {
		s.Recover()
		other := s.mcplumb(s.clone, "fix-pr")
		assert.Equal(t, 0, other.code, other.err)
	})
	r := s.fixPR()
	assert.Equal(t, 0, r.code, r.err)
	s.isRight()
	assert.Len(t, s.Pulls(), 1)
}

func TestReadOnlyToken(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.Deny()
	s.fails("Resource not accessible by integration", "contents: write", "pull-requests: write")
	s.isGone()
	s.Deny("pull_requests")
	s.fails("Resource not accessible by integration")
	s.isGone()
	s.Allow()
	s.does("created")
	s.isRight()
}

func TestActionsMayNotOpenPullRequests(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.ForbidPulls()
	s.fails("GitHub Actions is not permitted to create or approve pull requests.", "Workflow permissions")
	s.isGone()
	s.Allow()
	s.does("created")
	s.isRight()
}

func TestNoRepository(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.env = []string{"GITHUB_REPOSITORY=acme/other"}
	s.fails("404")
	s.env = []string{"GITHUB_TOKEN=ghs_" + strings.Repeat("wrong", 7)}
	s.fails("401")
	s.isGone()
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"POST /git/trees", "POST /git/commits", "POST /pulls"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := one(t)
			s.Fail(kind, double.Says(http.StatusUnprocessableEntity, "Validation Failed"))
			s.fails("422", "Validation Failed")
			s.isGone()
			s.does("created")
			s.isRight()
		})
	}
}

// TestBranchInTheWay: git cannot have a branch mcplumb next to a branch mcplumb/fix.
func TestBranchInTheWay(t *testing.T) {
	t.Parallel()
	s := one(t)
	_, err := s.Commit("bob", "mcplumb", "Mine\n", map[string]*double.File{"bob.txt": {Content: "b\n"}})
	require.NoError(t, err)
	s.fails(fixBranch)
	s.isGone()
	s.flags = []string{"--branch", "fixes"}
	s.does("created")
	assert.Equal(t, "fixes", s.only().Head)
	s.doesNothing()
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]double.Fault{"429": double.TooMany(0), "secondary": double.Secondary(0), "primary": double.Exhausted(0)} {
		for _, kind := range []string{double.Any, "POST /git/trees", "mutation updateRefs", "POST /pulls"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				s := one(t)
				s.Fail(kind, fault, fault)
				s.does("created")
				s.isRight()
			})
		}
	}
}

// TestAskedOnce: a request that may have succeeded although GitHub reports a failure is not
// repeated if it would then be done twice.
func TestAskedOnce(t *testing.T) {
	t.Parallel()
	s := one(t)
	s.FailFrom("POST /pulls", 1, double.Broken)
	s.fails("cannot open a pull request")
	asked := 0
	for _, r := range s.Requests() {
		if r.Kind == "POST /pulls" {
			asked++
		}
	}
	assert.Equal(t, 1, asked)
}

// TestLongLimits: if GitHub demands too long a wait, fix-pr reports that at once.
func TestLongLimits(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]double.Fault{"429": double.TooMany(time.Hour), "secondary": double.Secondary(time.Hour), "primary": double.Exhausted(time.Hour)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := one(t)
			s.Fail("POST /git/trees", fault)
			s.fails("rate limit")
			s.isGone()
			s.does("created")
			s.isRight()
		})
	}
}

func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"GET ", "GET /pulls", "GET /git/ref/{ref}", "POST /git/trees", "POST /git/commits"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := one(t)
			s.Fail(kind, double.Broken, double.Broken)
			s.does("created")
			s.isRight()
		})
	}
}

func TestProtectedBranch(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"Cannot force-push to this branch", "Required status check \"build\" is expected.", "Repository rule violations found\n\nCannot update this protected ref.\n\n"} {
		s := opened(t)
		before := s.only()
		s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
		s.Protect(fixBranch, message)
		s.fails(fixBranch, strings.TrimSpace(strings.SplitN(message, "\n", 2)[0]))
		assert.Equal(t, before.HeadSHA, s.Branch(fixBranch))
		assert.Equal(t, before.Body, s.only().Body)
		s.Allow()
		s.does("updated")
		s.isRight()
	}
	s := one(t)
	s.Protect(fixBranch, "Reference update failed")
	s.fails(fixBranch, "Reference update failed")
	s.isGone()
}

// TestLargeFiles: two megabytes of changed files.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 4 {
		var servers []string
		for j := range 64 {
			servers = append(servers, fmt.Sprintf(`    "s%d": {"type": "http", "uri": "https://s%d.acme.dev/mcp", "headers": {"X-Note": %q}}`, j, j, strings.Repeat("words ", 1400)))
		}
		files[fmt.Sprintf("app%d/.mcp.json", i)] = "{\n  \"mcpServers\": {\n" + strings.Join(servers, ",\n") + "\n  }\n}\n"
	}
	s := begin(t, files)
	s.does("created")
	kinds := map[string]int{}
	for _, r := range s.Writes() {
		kinds[r.Kind]++
		assert.Less(t, len(r.Body), 2<<20, "nothing is larger than GitHub takes in time")
	}
	assert.Equal(t, 3, kinds["POST /git/blobs"], "what the tree has no room for")
	s.isRight()
}

// TestManyFiles: many files are one request, and not one each.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 80 {
		files[fmt.Sprintf("app%03d/.mcp.json", i)] = withURI
	}
	s := begin(t, files)
	s.does("created")
	for _, r := range s.Writes() {
		assert.NotEqual(t, "POST /git/blobs", r.Kind)
	}
	s.isRight()
}

// TestManyFindings: four hundred findings in a hundred projects have one commit for
// their rule, and a body that GitHub takes.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 100 {
		var servers []string
		for j := range 4 {
			servers = append(servers, fmt.Sprintf(`"server-with-a-name-that-is-rather-long-%d-%d": {"type": "http", "uri": "https://s%d.acme.dev/mcp"}`, i, j, j))
		}
		files[fmt.Sprintf("apps/an-application-with-a-long-name-%03d/.mcp.json", i)] = `{"mcpServers": {` + strings.Join(servers, ",\n") + "}}\n"
	}
	s := begin(t, files)
	s.does("created")
	commits, err := s.Log("main", fixBranch)
	require.NoError(t, err)
	assert.Len(t, commits, 1)
	assert.Contains(t, s.only().Body, "400 places")
	s.isRight()
}

// TestRenamedFile: a file that was moved meanwhile is fixed where it is, and does
// not come back where it was.
func TestRenamedFile(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{"api/.mcp.json": withURI})
	s.does("created")
	s.push(map[string]string{"api/.mcp.json": "", "apps/api/.mcp.json": withURI})
	s.does("updated")
	names, err := s.Git("ls-tree", "-r", "--name-only", fixBranch)
	require.NoError(t, err)
	assert.Equal(t, "apps/api/.mcp.json", names)
	s.isRight()
}

// TestModes: a file's mode stays.
func TestModes(t *testing.T) {
	t.Parallel()
	s := begin(t, nil)
	_, err := s.Commit("alice", "main", "Files\n", map[string]*double.File{
		".mcp.json": {Mode: "100755", Content: withURI}, "run": {Mode: "100755", Content: "#!/bin/sh\n"}, "latest": {Mode: "120000", Content: "run"},
		"api/.vscode/mcp.json": {Content: wrongRoot}, "web/.mcp.json": {Mode: "120000", Content: "../.mcp.json"},
	})
	require.NoError(t, err)
	s.pull()
	s.does("created")
	modes, err := s.Git("ls-tree", "-r", "--format=%(objectmode) %(path)", fixBranch)
	require.NoError(t, err)
	assert.Equal(t, "100755 .mcp.json\n100644 api/.vscode/mcp.json\n120000 latest\n100755 run\n120000 web/.mcp.json", modes)
	s.isRight()
}

// TestLFSPointer: a file that is kept elsewhere stays where it is.
func TestLFSPointer(t *testing.T) {
	t.Parallel()
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d", 32) + "\nsize 12345\n"
	s := begin(t, map[string]string{".gitattributes": "/.mcp.json filter=lfs diff=lfs merge=lfs -text\n", ".mcp.json": pointer, "api/.vscode/mcp.json": wrongRoot})
	r := s.fixPR()
	assert.Contains(t, r.out, "created", r.err)
	assert.Equal(t, strings.TrimSpace(pointer), s.fixed(".mcp.json"))
	assert.Equal(t, strings.TrimSpace(rightRoot), s.fixed("api/.vscode/mcp.json"))
	s.isQuiet()
	s.fixPR()
	assert.Empty(t, s.Writes())
}

// TestSecretInTheRepository: a secret next to a fix goes only into the file that has it; if
// the fix removes the secret, it goes nowhere.
func TestSecretInTheRepository(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("R7kQ2mZ9xV4b", 3)
	files := map[string]string{".mcp.json": strings.Replace(withURI, `{"web"`, `{"git": {"command": "npx", "args": ["-y", "git-mcp@1.2.0"], "env": {"GIT_TOKEN": "`+secret+`"}}, "web"`, 1)}
	s := begin(t, files)
	s.does("created")
	for _, kind := range s.Saw(secret) {
		assert.Equal(t, "POST /git/trees", kind)
	}
	assert.NotContains(t, s.said+s.only().Title+s.only().Body, secret)
	s.isRight()

	s = begin(t, files)
	s.flags = []string{"--fix-safety", "unsafe"}
	s.does("created")
	assert.NotContains(t, s.fixed(".mcp.json"), secret)
	assert.NotContains(t, s.said+s.only().Title+s.only().Body, secret)
	s.isRight()
}

// TestNamesOfTheRepository: names of the repository are plain text in the pull request.
func TestNamesOfTheRepository(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{
		"a|b <img src=x> @everyone/.mcp.json": withURI,
		".mcp.json":                           `{"mcpServers": {"--> @acme/all [x](https://evil.dev) <script>": {"type": "http", "uri": "https://web.acme.dev/mcp"}}}` + "\n",
	})
	s.does("created")
	text, _, _ := strings.Cut(s.only().Body, "<!-- mcplumb")
	text = regexp.MustCompile("`[^`\n]+`").ReplaceAllString(text, "code")
	assert.NotContains(t, text, "<img src")
	assert.NotContains(t, text, "<script")
	assert.NotContains(t, text, "](https://evil.dev)")
	s.isRight()
}

// TestProjects: with --group project, each project has its own pull request.
func TestProjects(t *testing.T) {
	t.Parallel()
	s := begin(t, map[string]string{"a/package.json": "{}\n", "a/.mcp.json": withURI, "b/package.json": "{}\n", "b/.vscode/mcp.json": wrongRoot})
	s.flags = []string{"--group", "project"}
	s.does("created")
	open := s.open()
	require.Len(t, open, 2)
	for _, p := range open {
		names, err := s.Git("diff", "--name-only", "main", p.Head)
		require.NoError(t, err)
		assert.NotContains(t, names, "\n", "files of one project")
	}
	s.doesNothing()
	s.push(map[string]string{"a/.mcp.json": withURL})
	s.fixPR()
	assert.Len(t, s.open(), 1)
	s.doesNothing()
}

// TestConventionalCommits: messages follow those that are there.
func TestConventionalCommits(t *testing.T) {
	t.Parallel()
	s := one(t)
	for i := range 5 {
		_, err := s.Commit("alice", "main", fmt.Sprintf("feat(web): step %d\n", i), map[string]*double.File{"README.md": {Content: fmt.Sprint(i)}})
		require.NoError(t, err)
	}
	s.pull()
	s.does("created")
	subject, err := s.Git("show", "--no-patch", "--format=%s", fixBranch)
	require.NoError(t, err)
	assert.Regexp(t, `^fix(\(\w+\))?: `, subject)
	assert.Regexp(t, `^fix(\(\w+\))?: `, s.only().Title)
	s.isRight()
}
