package cli_test

import (
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/report"
)

const (
	oldFinding = `{"mcpServers": {"docs": {"type": "http", "url": "http://docs.acme.dev/mcp"}}}`
	newFinding = `{"mcpServers": {"chat": {"type": "http", "url": "http://chat.acme.dev/mcp"}}}`
)

// history makes a repository with one old finding, and lets do something with it.
func history(t *testing.T, do func(dir string)) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "app/.mcp.json", oldFinding)
	commitAll(t, dir, "base")
	git(t, dir, "checkout", "-q", "-b", "change")
	do(dir)
	return dir
}

func commitAll(t *testing.T, dir, message string) {
	t.Helper()
	git(t, dir, "add", "-A", "-f")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
}

// findingLine is the first line of a finding, with its file and rule.
var findingLine = regexp.MustCompile(`^([^:]*):.*\[([a-z-]+)\]$`)

// newSince returns the findings of check with arguments, "PATH RULE" each, and all its output.
func newSince(t *testing.T, dir string, args ...string) (found []string, said string) {
	t.Helper()
	_, stdout, stderr := run(t, dir, append([]string{"check"}, args...)...)
	for line := range strings.Lines(stdout) {
		if m := findingLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			found = append(found, m[1]+" "+m[2])
		}
	}
	return found, stdout + stderr
}

// TestBaseOfHistories compares with main after everything that a history can hold.
func TestBaseOfHistories(t *testing.T) {
	remote := func(dir string) string {
		server := httptest.NewServer(&cgi.Handler{
			Path: filepath.Join(execPath(t), "git-http-backend"), Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="},
			InheritEnv: []string{"PATH"},
		})
		t.Cleanup(server.Close)
		return server.URL + "/.git"
	}
	shallow := func(from string, args ...string) string {
		to := filepath.Join(t.TempDir(), "clone")
		git(t, from, append([]string{"clone", "-q", "--depth=1", "--single-branch", "--branch", "change"}, append(args, to)...)...)
		return to
	}
	added := []string{"web/.mcp.json insecure-url"}
	both := []string{"app/.mcp.json insecure-url", "web/.mcp.json insecure-url"}
	add := func(dir string) { write(t, dir, "web/.mcp.json", newFinding); commitAll(t, dir, "add") }
	for _, test := range []struct {
		name string
		dir  func() string
		base string
		want []string
		said string
	}{
		{"a new file", func() string { return history(t, add) }, "main", added, "1 not new"},
		{"not committed", func() string { return history(t, func(dir string) { write(t, dir, "web/.mcp.json", newFinding) }) }, "main", added, "1 not new"},
		{"the base has gone on", func() string {
			return history(t, func(dir string) {
				add(dir)
				git(t, dir, "checkout", "-q", "main")
				write(t, dir, "app/.mcp.json", strings.ReplaceAll(oldFinding, "docs", "mail"))
				commitAll(t, dir, "on")
				git(t, dir, "checkout", "-q", "change")
			})
		}, "main", added, "1 not new"},
		{"a renamed directory", func() string {
			return history(t, func(dir string) { git(t, dir, "mv", "app", "application"); commitAll(t, dir, "mv") })
		}, "main", nil, "nothing new"},
		{"a merge commit", func() string {
			return history(t, func(dir string) {
				add(dir)
				git(t, dir, "checkout", "-q", "-b", "merged", "main")
				git(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "change")
			})
		}, "HEAD^1", added, "1 not new"},
		{"an octopus", func() string {
			return history(t, func(dir string) {
				add(dir)
				for _, branch := range []string{"a", "b"} {
					git(t, dir, "checkout", "-q", "-b", branch, "main")
					write(t, dir, branch, branch)
					commitAll(t, dir, branch)
				}
				git(t, dir, "checkout", "-q", "-b", "all", "main")
				git(t, dir, "merge", "-q", "-m", "octopus", "a", "b", "change")
			})
		}, "main", added, "1 not new"},
		{"a detached head", func() string {
			return history(t, func(dir string) { add(dir); git(t, dir, "checkout", "-q", "--detach") })
		}, "main", added, "1 not new"},
		{"the commit before", func() string { return history(t, func(dir string) { add(dir); add(dir) }) }, "HEAD~1", nil, "2 not new"},
		{"histories with nothing in common", func() string {
			return history(t, func(dir string) {
				git(t, dir, "checkout", "-q", "--orphan", "other")
				add(dir)
			})
		}, "main", added, "cannot find the commit where HEAD left main, so mcplumb compares with the current main"},
		{"a branch without commits", func() string {
			return history(t, func(dir string) {
				git(t, dir, "checkout", "-q", "--orphan", "other")
				write(t, dir, "web/.mcp.json", newFinding)
			})
		}, "main", added, "1 not new"},
		{"the first commit", func() string {
			return history(t, func(dir string) {
				git(t, dir, "checkout", "-q", "--orphan", "other")
				write(t, dir, "web/.mcp.json", newFinding)
			})
		}, "HEAD", both, "there is nothing to compare with: there is no commit yet: all findings are reported, but not the changes"},
		{"the first push", func() string { return history(t, add) }, strings.Repeat("0", 40), both, "there was no commit before"},
		{"a base without files", func() string {
			return history(t, func(dir string) {
				git(t, dir, "checkout", "-q", "--orphan", "empty")
				git(t, dir, "rm", "-q", "-r", "--cached", ".")
				git(t, dir, "commit", "-q", "--allow-empty", "-m", "empty")
				git(t, dir, "checkout", "-q", "-f", "change")
			})
		}, "empty", []string{"app/.mcp.json insecure-url"}, ""},
		{"a base that does not parse", func() string {
			return history(t, func(dir string) {
				git(t, dir, "checkout", "-q", "main")
				write(t, dir, "app/.mcp.json", "{")
				commitAll(t, dir, "broken")
				git(t, dir, "checkout", "-q", "-b", "fixed")
				write(t, dir, "app/.mcp.json", oldFinding)
				commitAll(t, dir, "fixed")
			})
		}, "main", []string{"app/.mcp.json insecure-url"}, ""},
		{"a submodule in the base", func() string {
			return history(t, func(dir string) {
				git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub")
				git(t, dir, "commit", "-q", "-m", "sub")
				git(t, dir, "branch", "with-sub")
				git(t, dir, "rm", "-q", "--cached", "sub")
				write(t, dir, "sub/.mcp.json", newFinding)
				git(t, dir, "add", "sub")
				git(t, dir, "commit", "-q", "-m", "files")
			})
		}, "with-sub", []string{"sub/.mcp.json insecure-url"}, "1 not new"},
		{"a shallow clone with its remote", func() string {
			from := history(t, add)
			return shallow(from, remote(from))
		}, "origin/main", added, "1 not new"},
		{"a shallow clone without a remote", func() string {
			from := history(t, add)
			to := shallow(from, "file://"+from)
			git(t, to, "remote", "remove", "origin")
			return to
		}, "origin/main", both, "there is nothing to compare with"},
		{"a shallow clone of a directory", func() string { // git would start a program for it
			from := history(t, add)
			return shallow(from, "file://"+from)
		}, "origin/main", both, "there is nothing to compare with"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, said := newSince(t, test.dir(), "--base", test.base)
			assert.Equal(t, test.want, found)
			assert.Contains(t, said, test.said)
		})
	}
}

// TestBaseOfPartialClones compares in clones that do not have the objects of the base: missing
// ones are not fetched, but reported.
func TestBaseOfPartialClones(t *testing.T) {
	from := history(t, func(dir string) {
		write(t, dir, "web/.mcp.json", newFinding)
		write(t, dir, "app/.mcp.json", oldFinding+"\n")
		commitAll(t, dir, "add")
	})
	git(t, from, "config", "uploadpack.allowFilter", "true")
	for filter, said := range map[string]string{
		"blob:none": "of the base one file or rule could not be checked, and what is found there counts as new: app/.mcp.json: ",
		"tree:0":    ": all findings are reported",
	} {
		dir := filepath.Join(t.TempDir(), "clone")
		git(t, from, "clone", "-q", "--filter="+filter, "--branch", "change", "file://"+from, dir)
		objects := entries(t, filepath.Join(dir, ".git", "objects", "pack"))
		found, text := newSince(t, dir, "--base", "origin/main")
		assert.Equal(t, []string{"app/.mcp.json insecure-url", "web/.mcp.json insecure-url"}, found, filter)
		assert.Contains(t, text, said, filter)
		assert.Equal(t, objects, entries(t, filepath.Join(dir, ".git", "objects", "pack")), "nothing was fetched")
	}
}

// entries returns the names in a directory.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	return found
}

// execPath returns the directory of git's own programs.
func execPath(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// TestBaseIsUnknown holds that a mistyped revision is no reason to report everything.
func TestBaseIsUnknown(t *testing.T) {
	dir := history(t, func(string) {})
	for _, base := range []string{"mian", "origin/main", "-h", "--all", "HEAD:app", strings.Repeat("1", 40)} {
		code, _, stderr := run(t, dir, "check", "--base="+base)
		assert.Equal(t, 2, code, base)
		assert.Contains(t, stderr, "--base: git does not know the revision "+base, base)
	}
	code, _, stderr := run(t, t.TempDir(), "check", "--base", "main")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "--base: git does not know the revision main")
}

// TestBaseSettings changes the settings together with what they hide.
func TestBaseSettings(t *testing.T) {
	dir := history(t, func(dir string) {
		write(t, dir, "web/.mcp.json", newFinding)
		write(t, dir, ".mcplumb.yaml", "rules: {insecure-url: note}\nexclude: [vendor]\nignore:\n  - {rule: insecure-url, path: web, reason: soon gone}\n")
		commitAll(t, dir, "loosen")
	})
	found, said := newSince(t, dir, "--base", "main")
	assert.Empty(t, found)
	assert.Contains(t, said, "the settings hide more than at the base: insecure-url goes from warning to note, vendor is excluded, insecure-url is ignored in web\n")

	// Nor does another settings file of the repository, nor what makes a run fail.
	write(t, dir, "ci.yaml", "{}\n")
	commitAll(t, dir, "ci")
	write(t, dir, "ci.yaml", "fail-on: never\nseverity: error\nrules: {shell-command: off}\nignore: [{rule: shell-command, reason: long gone, until: 1960-01-01}]\n")
	_, said = newSince(t, dir, "--base", "HEAD", "-c", "ci.yaml")
	assert.Contains(t, said, "the settings hide more than at the base: shell-command is off, fail-on goes from warning to never, severity goes from warning to error\n")

	// Nor does it go unsaid who else is asked about packages.
	write(t, dir, "ci.yaml", "registries: {osv: https://osv.example.com/v1, npm: https://npm.example.com}\nmin-age: 0\n")
	_, said = newSince(t, dir, "--base", "HEAD", "-c", "ci.yaml")
	assert.Contains(t, said, "the settings hide more than at the base: min-age goes from 3 to 0\n")
	assert.Contains(t, said, "the settings query other registries than at the base: npm at npm.example.com, osv at osv.example.com\n")

	// Some findings of changed-server are warnings, most are notes.
	write(t, dir, ".mcplumb.yaml", "rules: {changed-server: note}\n")
	_, said = newSince(t, dir, "--base", "main")
	assert.Contains(t, said, "the settings hide more than at the base: changed-server is never more than note\n")
	git(t, dir, "checkout", "-q", "ci.yaml", ".mcplumb.yaml")

	// The base's own settings hide nothing.
	git(t, dir, "checkout", "-q", "-b", "strict")
	require.NoError(t, os.Remove(filepath.Join(dir, ".mcplumb.yaml")))
	commitAll(t, dir, "strict")
	found, said = newSince(t, dir, "--base", "change")
	assert.Empty(t, found)
	assert.Contains(t, said, "2 not new")
}

// TestBaseOfComments reports comments that hide findings and are not in the base: in a pull
// request that adds a finding, the comment next to it would be the only sign of it.
func TestBaseOfComments(t *testing.T) {
	const ignored = "{\n  // mcplumb: ignore[insecure-url] soon gone\n  \"servers\": {\"a\": {\"type\": \"http\", \"url\": \"http://a.acme.dev/mcp\"}}\n}\n"
	dir := history(t, func(dir string) {
		write(t, dir, "app/.vscode/mcp.json", ignored)
		commitAll(t, dir, "ignore")
	})
	_, said := newSince(t, dir, "--base", "main")
	assert.Contains(t, said, "comments ignore more than at the base: insecure-url in app/.vscode/mcp.json\n")
	_, said = newSince(t, dir, "--base", "main", "--no-ignore")
	assert.NotContains(t, said, "comments ignore")

	git(t, dir, "branch", "-f", "main", "change")
	git(t, dir, "mv", "app", "application")
	commitAll(t, dir, "move")
	_, said = newSince(t, dir, "--base", "main")
	assert.NotContains(t, said, "comments ignore", "it has moved with its file")
}

// TestBaseIsOneRevision says so of a range, as git log takes them.
func TestBaseIsOneRevision(t *testing.T) {
	dir := history(t, func(string) {})
	for flag, rev := range map[string]string{"--base": "HEAD..main", "--rev": "main...HEAD"} {
		code, _, stderr := run(t, dir, "check", flag, rev)
		assert.Equal(t, 2, code)
		assert.Contains(t, stderr, flag+" needs one revision, and "+rev+" are several")
	}
}

// TestBaseOfABaseline lets the baseline grow together with what it hides.
func TestBaseOfABaseline(t *testing.T) {
	dir := history(t, func(dir string) {
		write(t, dir, "web/.mcp.json", newFinding)
		run(t, dir, "baseline")
	})
	found, said := newSince(t, dir, "--base", "main")
	assert.Empty(t, found)
	assert.Contains(t, said, "the baseline hides 2 more findings than it did at the base\n")

	commitAll(t, dir, "baseline")
	_, said = newSince(t, dir, "--base", "HEAD")
	assert.NotContains(t, said, "the baseline hides")
	write(t, dir, "more/.mcp.json", strings.ReplaceAll(newFinding, "chat", "more"))
	run(t, dir, "baseline")
	_, said = newSince(t, dir, "--base", "HEAD")
	assert.Contains(t, said, "the baseline hides 1 more finding than it did at the base\n")
	_, said = newSince(t, dir, "--base", "HEAD", "--no-ignore")
	assert.Contains(t, said, "2 not new")

	write(t, dir, ".mcplumb-baseline.json", "{")
	commitAll(t, dir, "broken")
	run(t, dir, "baseline", "--output", "known.json")
	_, said = newSince(t, dir, "--base", "HEAD", "--baseline", "known.json")
	assert.Contains(t, said, "the baseline hides 3 more findings than it did at the base\n")
	write(t, dir, ".mcplumb-baseline.json", `{"version": 1, "findings": []}`)
	_, said = newSince(t, dir, "--base", "HEAD")
	assert.Contains(t, said, "cannot read the baseline at the base")
}

// TestBaseIsSaid holds that every format says how many findings are not new, or standard
// error does, and that -v names what is compared with.
func TestBaseIsSaid(t *testing.T) {
	dir := history(t, func(dir string) { write(t, dir, "web/.mcp.json", newFinding) })
	for _, f := range report.All() {
		_, said := newSince(t, dir, "--base", "main", "-f", f.Name)
		assert.Regexp(t, `1 (finding is )?not new|"old": 1`, said, f.Name)
		_, said = newSince(t, dir, "-f", f.Name)
		assert.NotRegexp(t, `\bnot new|"old"`, said, f.Name)
	}
	_, _, stderr := run(t, dir, "check", "--base", "main", "-q", "-f", "concise")
	assert.Empty(t, stderr)
	_, _, stderr = run(t, dir, "check", "--base", "main", "--diff")
	assert.Contains(t, stderr, "mcplumb: 1 finding is not new, and not reported\n")

	_, _, stderr = run(t, dir, "check", "--base", "main", "-v")
	assert.Regexp(t, `(?m)^base         the commit [0-9a-f]{40}: 0 projects of it that a change concerns$`, stderr)
	write(t, dir, "app/.mcp.json", "\n"+oldFinding)
	_, _, stderr = run(t, dir, "check", "--base", "main", "-v")
	assert.Contains(t, stderr, ": 1 project of it that a change concerns\n")
	_, _, stderr = run(t, dir, "check", "-v")
	assert.NotContains(t, stderr, "\nbase ")
}

// TestBaseOfFixes fixes what is new, and leaves alone what is not, which may move along.
func TestBaseOfFixes(t *testing.T) {
	dir := history(t, func(dir string) { write(t, dir, "web/.mcp.json", newFinding) })
	_, stdout, _ := run(t, dir, "check", "--base", "main", "--fix=unsafe")
	assert.Contains(t, stdout, "1 fixed")
	assert.Contains(t, stdout, "1 not new")
	assert.Equal(t, oldFinding, read(t, dir, "app/.mcp.json"))
	assert.NotEqual(t, newFinding, read(t, dir, "web/.mcp.json"))

	// A new file makes another name of the server the right one: what is found of it
	// was there before.
	dir = history(t, func(dir string) {
		for _, file := range []string{"app/.cursor/mcp.json", "app/.gemini/settings.json"} {
			write(t, dir, file, strings.ReplaceAll(oldFinding, `"docs"`, `"manual"`))
		}
	})
	_, stdout, _ = run(t, dir, "check", "--base", "main", "--fix=unsafe", "--rule", "alias-drift")
	assert.Contains(t, stdout, "1 fixed")
	assert.Equal(t, strings.ReplaceAll(oldFinding, `"docs"`, `"manual"`), read(t, dir, "app/.mcp.json"))
}

// TestBaseStartsNoProgram holds that nothing of what a repository configures for git is
// run when it is compared, read or fetched from.
func TestBaseStartsNoProgram(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "canary")
	script := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\ntouch "+canary+"\n"), 0o755))
	from := history(t, func(dir string) { write(t, dir, "web/.mcp.json", newFinding); commitAll(t, dir, "add") })
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, from, "clone", "-q", "--depth=1", "--single-branch", "--branch", "change", "file://"+from, dir)
	write(t, dir, ".gitattributes", "* filter=evil diff=evil merge=evil ident working-tree-encoding=evil\n")
	for _, hook := range []string{"reference-transaction", "post-checkout", "pre-auto-gc", "post-index-change", "fsmonitor-watchman"} {
		write(t, dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+canary+"\n")
		require.NoError(t, os.Chmod(filepath.Join(dir, ".git/hooks", hook), 0o755))
	}
	for _, setting := range []string{
		"core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command", "diff.external",
		"core.sshCommand", "core.gitProxy", "core.askPass", "core.pager", "core.editor", "core.alternateRefsCommand", "credential.helper", "remote.origin.uploadpack",
		"uploadpack.packObjectsHook", "gpg.program", "sequence.editor",
	} {
		git(t, dir, "config", setting, script)
	}
	git(t, dir, "config", "core.hooksPath", filepath.Join(dir, ".git/hooks"))
	for _, url := range []string{"file://" + from, from, "ssh://git@127.0.0.1:1/x", "ext::" + script, "git://127.0.0.1:1/x", "http://127.0.0.1:1/x"} {
		git(t, dir, "config", "remote.origin.url", url)
		for _, args := range [][]string{{"--base", "origin/main"}, {"--base", strings.Repeat("1", 40)}, {"--base", "HEAD"}, {"--rev", "HEAD"}} {
			run(t, dir, append([]string{"check"}, args...)...)
			assert.NoFileExists(t, canary, "%s %q", url, args)
		}
	}
}

// TestRevision checks the files that git has instead of those on disk, also where there are
// none.
func TestRevision(t *testing.T) {
	dir := history(t, func(dir string) { write(t, dir, "web/.mcp.json", newFinding) })
	found, _ := newSince(t, dir, "--rev", "main")
	assert.Equal(t, []string{"app/.mcp.json insecure-url"}, found)

	commitAll(t, dir, "add")
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, dir, "clone", "-q", "--bare", dir, bare)
	_, stdout, _ := run(t, bare, "check")
	assert.Contains(t, stdout, "this is a bare repository, which has only revisions: check one with --rev HEAD")
	found, _ = newSince(t, bare, "--rev", "change")
	assert.Equal(t, []string{"app/.mcp.json insecure-url", "web/.mcp.json insecure-url"}, found)
	found, said := newSince(t, bare, "--rev", "change", "--base", "main")
	assert.Equal(t, []string{"web/.mcp.json insecure-url"}, found)
	assert.Contains(t, said, "1 not new")

	// Paths are those of the revision, not those on disk.
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "web")))
	write(t, dir, "late/.mcp.json", newFinding)
	for _, where := range []string{dir, bare} {
		for _, name := range []string{"web", "web/.mcp.json", "./web/../web/"} {
			found, _ = newSince(t, where, "--rev", "change", name)
			assert.Equal(t, []string{"web/.mcp.json insecure-url"}, found, name)
		}
		code, _, stderr := run(t, where, "check", "--rev", "change", "late")
		assert.Equal(t, 2, code)
		assert.Contains(t, stderr, "--rev: change has no late")
		code, _, stderr = run(t, where, "check", "--rev", "change", "../elsewhere")
		assert.Equal(t, 2, code)
		assert.Contains(t, stderr, "../elsewhere: no such file or directory")
	}

	for _, args := range [][]string{{"--rev", "nothing"}, {"--rev", ""}, {"--rev", "main", "--fix"}, {"--rev", "main", "--stdin-filename", ".mcp.json", "-"}} {
		code, _, stderr := run(t, dir, append([]string{"check"}, args...)...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, stderr, "--rev", args)
	}
}
