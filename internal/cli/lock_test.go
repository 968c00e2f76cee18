package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// TestLock locks, reports that the lock is in sync, what is out of sync after a change, and
// writes nothing if nothing changed.
func TestLock(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", r.settings())

	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "mcplumb.lock is missing: mcplumb lock writes it\nnpm:notes is configured and not locked\n", stdout)

	code, stdout, stderr := run(t, dir, "lock", "--online")
	require.Equal(t, 0, code, stdout+stderr)
	require.Equal(t, "mcplumb.lock: 1 server locked, 1 change\n", stdout)
	locked := read(t, dir, "mcplumb.lock")
	require.Equal(t, `# What the MCP servers of this repository are. mcplumb lock writes this file: do not edit it.
version = 1

[[server]]
identity = 'npm:notes'
names = ['notes']
files = [
  '.mcp.json',
]
version = '1.1.0'
integrity = 'sha512-of-1.1.0'
`, locked)

	for _, command := range [][]string{{"lock"}, {"lock", "--check"}, {"lock", "--online"}} {
		code, stdout, _ = run(t, dir, command...)
		require.Equal(t, 0, code)
		require.Equal(t, "mcplumb.lock is in sync: 1 server\n", stdout)
		require.Equal(t, locked, read(t, dir, "mcplumb.lock"))
	}

	write(t, dir, ".cursor/mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcp.json", strings.Replace(started("npx", "-y", "notes"), `"notes": {`, `"my-notes": {`, 1))
	code, stdout, _ = run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "npm:notes 1.1.0: files is .cursor/mcp.json, .mcp.json, and was .mcp.json\nnpm:notes 1.1.0: names is my-notes, notes, and was notes\n", stdout)
}

// TestLockFindsAnotherHash holds that a hash which is locked is not written over.
func TestLockFindsAnotherHash(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	run(t, dir, "lock", "--online")
	swapped := strings.Replace(read(t, dir, "mcplumb.lock"), "sha512-of-1.1.0", "sha512-of-another", 1)
	write(t, dir, "mcplumb.lock", swapped)
	for _, command := range [][]string{{"lock", "--online"}, {"lock", "--online", "--check"}} {
		code, stdout, _ := run(t, dir, command...)
		require.Equal(t, 1, code)
		require.Contains(t, stdout, ".mcp.json: notes: the registry has sha512-of-1.1.0 for 1.1.0 now, and sha512-of-another is locked: that may be an attack")
		require.Equal(t, swapped, read(t, dir, "mcplumb.lock"))
	}
}

// TestLockLosesNothing holds that a file which cannot be read takes no server out of the
// lock.
func TestLockLosesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	write(t, dir, ".cursor/mcp.json", started("npx", "-y", "other@1.1.0"))
	run(t, dir, "lock")
	locked := read(t, dir, "mcplumb.lock")
	write(t, dir, ".cursor/mcp.json", `{"mcpServers": `)
	code, _, stderr := run(t, dir, "lock")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "mcplumb: mcplumb.lock was not read: 1 file cannot be read, see mcplumb check\n")
	require.Equal(t, locked, read(t, dir, "mcplumb.lock"))
}

// TestLockOfOwnFiles holds that who changes a program of the repository, and locks it
// again, has nothing to approve: the change shows what it is.
func TestLockOfOwnFiles(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".mcp.json", started("node", "server.js"))
	write(t, dir, "server.js", "one")
	run(t, dir, "lock")
	commitAll(t, dir, "base")
	write(t, dir, "server.js", "two")
	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "file:server.js: integrity is sha256:")
	run(t, dir, "lock")
	_, stdout, _ = run(t, dir, "check", "--base", "main", "--severity", "note")
	require.NotContains(t, stdout, "integrity-changed")
}

// TestLockSchema holds the published schema against what is written.
func TestLockSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "lock.schema.json"))
	require.NoError(t, err)
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcplumb.yaml", r.settings())
	write(t, dir, ".mcp.json", `{"mcpServers": {
		"notes": {"command": "npx", "args": ["-y", "notes", "mcp"]}, "python": {"command": "uvx", "args": ["notes-mcp"]},
		"remote": {"type": "http", "url": "https://notes.acme.dev/mcp"}, "program": {"command": "notes-server"}}}`)
	write(t, dir, ".cursor/mcp.json", servers("nowhere"))
	run(t, dir, "lock", "--online")
	content, err := os.ReadFile(filepath.Join(dir, "mcplumb.lock"))
	require.NoError(t, err)
	var written any
	require.NoError(t, toml.Unmarshal(content, &written))
	require.NoError(t, schema.Validate(written))
	require.Error(t, schema.Validate(map[string]any{"version": int64(2)}))
}

// TestLockOfNothing writes no lockfile where there is nothing to lock, and none that holds
// what is gone.
func TestLockOfNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", `{"mcpServers": {}}`)
	code, stdout, _ := run(t, dir, "lock")
	require.Equal(t, 0, code)
	require.Equal(t, "no server to lock\n", stdout)
	require.NoFileExists(t, filepath.Join(dir, "mcplumb.lock"))

	write(t, dir, "mcplumb.lock", ownLock("npm:tidy", ""))
	code, stdout, _ = run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "npm:tidy 1.0.0 is locked and no longer configured\n", stdout)
	code, _, _ = run(t, dir, "lock")
	require.Equal(t, 0, code)
	require.NotContains(t, read(t, dir, "mcplumb.lock"), "tidy")
}

// servers returns a client's file that starts packages of npm by their names.
func servers(packages ...string) string {
	var entries []string
	for _, pkg := range packages {
		name, _, _ := strings.Cut(pkg, "@")
		entries = append(entries, `    "`+name+`": {"command": "npx", "args": ["-y", "`+pkg+`"]}`)
	}
	return "{\n  \"mcpServers\": {\n" + strings.Join(entries, ",\n") + "\n  }\n}\n"
}

// branches makes a repository with a lock of three servers, and two branches with one more
// each, the second of which is checked out. The registry's answers for all of them are in it.
func branches(t *testing.T, ours, theirs string) (dir string, merge func() error) {
	t.Helper()
	r := newPublishers(t)
	all := []string{"aaa@1.0.0", "mmm@1.0.0", "zzz@1.0.0"}
	for i, pkg := range append([]string{ours, theirs}, all...) {
		name, _, _ := strings.Cut(pkg, "@")
		r.pages["/npm/"+name+"/1.0.0"] = `{"version": "1.0.0", "dist": {"integrity": "` + sri("sha512", 64, byte('a'+i)) + `"}}`
	}
	dir = t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".mcplumb.yaml", r.settings())
	locked := func(packages ...string) {
		slices.Sort(packages)
		write(t, dir, ".mcp.json", servers(packages...))
		code, stdout, stderr := run(t, dir, "lock", "--online")
		require.Equal(t, 0, code, stdout+stderr)
		commitAll(t, dir, "lock")
	}
	locked(all...)
	git(t, dir, "checkout", "-q", "-b", "ours")
	locked(append([]string{ours}, all...)...)
	git(t, dir, "checkout", "-q", "-b", "theirs", "main")
	locked(append([]string{theirs}, all...)...)
	both := append([]string{ours, theirs}, all...)
	slices.Sort(both)
	return dir, func() error {
		cmd := exec.Command("git", "-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "merge", "-q", "ours")
		err := cmd.Run()
		write(t, dir, ".mcp.json", servers(both...)) // as its owners resolve it
		return err
	}
}

// TestLockCheckCountsWhatIsNotLocked: an entry without a hash is in the lock with the reason, and
// counted apart, by lock and by lock --check alike.
func TestLockCheckCountsWhatIsNotLocked(t *testing.T) {
	r := newPublishers(t)
	// Advisories affect every version of postmark-mcp, and the registry gives no answer about later.
	r.pages["/npm/postmark-mcp"] = `{"dist-tags": {"latest": "1.0.16"}, "time": {"1.0.16": "1969-01-02T00:00:00Z"}, "versions": {"1.0.16": {}}}`
	r.pages["/npm/later"] = "sign in first"
	dir := tree(t, map[string]string{".mcplumb.yaml": r.settings(), ".mcp.json": `{"mcpServers": {
		"a": {"command": "npx", "args": ["-y", "tidy@1.0.0"]}, "b": {"command": "npx", "args": ["-y", "gone"]},
		"c": {"command": "npx", "args": ["-y", "postmark-mcp"]}, "d": {"command": "npx", "args": ["-y", "later"]}, "e": {"command": "notes-server"}}}`})
	code, stdout, stderr := run(t, dir, "lock", "--online")
	require.Equal(t, 3, code, stderr)
	require.Contains(t, stdout, "b: it does not exist in the registry ")
	require.Contains(t, stdout, "c: something is published against every version of it, so there is nothing to lock\n")
	require.Contains(t, stdout, "d: its registry did not answer, so there is nothing to lock\n")
	require.Contains(t, stdout, "mcplumb.lock: 2 servers locked, 3 not locked, 5 changes\n")
	locked := read(t, dir, "mcplumb.lock")
	for pkg, reason := range map[string]string{"gone": "it does not exist", "postmark-mcp": "something is published against every version of it", "later": "its registry has not answered"} {
		_, entry, _ := strings.Cut(locked, "identity = 'npm:"+pkg+"'\n")
		entry, _, _ = strings.Cut(entry, "[[server]]")
		require.Contains(t, entry, "unlocked = '"+reason+"'\n")
		require.NotContains(t, entry, "integrity")
	}
	require.Equal(t, 3, strings.Count(locked, "unlocked = "))
	code, stdout, stderr = run(t, dir, "lock", "--check")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "mcplumb.lock is in sync: 2 servers, 3 not locked\n", stdout)
	write(t, dir, "mcplumb.lock", strings.Replace(locked, "unlocked = 'it does not exist'\n", "", 1))
	code, stdout, _ = run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "npm:gone: unlocked is \"its registry has not answered\", and was none\n", stdout)
}

// TestLockMerges holds that git merges the locks of two branches that each add a server, into
// one that is in sync.
func TestLockMerges(t *testing.T) {
	dir, merge := branches(t, "bbb@1.0.0", "yyy@1.0.0")
	require.NoError(t, merge())
	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 0, code, stdout)
	require.Equal(t, "mcplumb.lock is in sync: 5 servers\n", stdout)
	merged := read(t, dir, "mcplumb.lock")
	run(t, dir, "lock", "--online")
	require.Equal(t, merged, read(t, dir, "mcplumb.lock"))
}

// TestLockResolvesAMerge holds that where the two servers are neighbours, which git cannot
// merge, mcplumb lock does, with the hashes that both branches have.
func TestLockResolvesAMerge(t *testing.T) {
	for _, style := range []string{"merge", "diff3"} {
		dir, merge := branches(t, "nnn@1.0.0", "ooo@1.0.0")
		git(t, dir, "config", "merge.conflictStyle", style)
		require.Error(t, merge())
		require.Contains(t, read(t, dir, "mcplumb.lock"), "<<<<<<< ")

		code, stdout, stderr := run(t, dir, "lock", "--check")
		require.Equal(t, 1, code, stderr)
		require.Equal(t, "mcplumb.lock has conflict markers: mcplumb lock rewrites it with the locked entries of both sides\n", stdout)

		code, stdout, stderr = run(t, dir, "lock")
		require.Equal(t, 0, code, stdout+stderr)
		code, stdout, _ = run(t, dir, "lock", "--check", "--online")
		require.Equal(t, 0, code, stdout)
		locked := read(t, dir, "mcplumb.lock")
		require.Contains(t, locked, sri("sha512", 64, 'a'))
		require.Contains(t, locked, sri("sha512", 64, 'b'))
		require.NotContains(t, locked, "<<<<<<<")
	}
}

// TestLockCannotCheck holds that a lock which cannot be read, or whose sides have different
// hashes of one thing, is neither in sync nor out of sync, and stays as it is.
func TestLockCannotCheck(t *testing.T) {
	side := func(hash string) string {
		return "[[server]]\nidentity = 'npm:tidy'\nnames = ['notes']\nfiles = ['.mcp.json']\nversion = '1.0.0'\nintegrity = '" + hash + "'\n"
	}
	for locked, want := range map[string]string{
		"version = 2\n":     "mcplumb: mcplumb.lock has the version 2, and this mcplumb reads 1: use the mcplumb that wrote it\n",
		"version = [\n":     "mcplumb: mcplumb.lock:1: mcplumb has not written this (\"[\" is never closed): correct it, or restore the file that was committed with git checkout REV -- mcplumb.lock\n",
		"no lockfile = {\n": "mcplumb: mcplumb.lock:1: mcplumb has not written this",
		"version = 1\n" + side(publishedSHA512) + side(otherSHA512): "mcplumb: mcplumb.lock:3 and mcplumb.lock:9 both lock npm:tidy 1.0.0: " +
			"find out which of the two is right, and remove the other one\n",
		"version = 1\n\n<<<<<<< HEAD\n" + side(publishedSHA512) + "=======\n" + side(otherSHA512) + ">>>>>>> theirs\n": "mcplumb: mcplumb.lock has conflict markers, and its two sides have different hashes of npm:tidy 1.0.0: " +
			"find out which is right, and keep that one\n",
	} {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
		write(t, dir, "mcplumb.lock", locked)
		for _, command := range [][]string{{"lock", "--check"}, {"lock"}} {
			code, stdout, stderr := run(t, dir, command...)
			require.Equal(t, 3, code, stdout+stderr)
			require.Contains(t, stderr, want)
			require.Equal(t, locked, read(t, dir, "mcplumb.lock"))
		}
	}
}

// TestLockAsksAboutAllServers checks that a disabled server is locked with the answer of its
// registry, and that check, which skips disabled servers, asks no registry about it.
func TestLockAsksAboutAllServers(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	write(t, dir, ".roo/mcp.json", `{"mcpServers": {"tidy": {"command": "npx", "args": ["-y", "tidy@1.0.0"], "disabled": true}}}`)
	write(t, dir, ".mcplumb.yaml", r.settings())
	run(t, dir, "check", "--online")
	require.Zero(t, r.asked)
	code, stdout, _ := run(t, dir, "lock", "--online")
	require.Equal(t, 0, code)
	require.Equal(t, "mcplumb.lock: 1 server locked, 1 change\n", stdout)
	require.Contains(t, read(t, dir, "mcplumb.lock"), publishedSHA512)
}

// TestLockOfAnOddHash checks that an empty hash is out of sync, and that a second hash of a
// package with only one file is reported and not used.
func TestLockOfAnOddHash(t *testing.T) {
	const empty = "npm:tidy 1.0.0: integrity is none, and was empty\nnpm:tidy 1.0.0: unlocked is \"its registry has not answered\", and was none\n"
	for hash, want := range map[string]string{
		"":   empty,
		"  ": empty,
		publishedSHA512 + " " + otherSHA512: ".mcp.json: notes: it is locked with " + otherSHA512 + " in addition to another hash, and a version of it is one file: " +
			"that may be an attack; find out which is right, and remove the other one\n",
	} {
		dir := t.TempDir()
		write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
		locked := "version = 1\n\n[[server]]\nidentity = 'npm:tidy'\nnames = ['notes']\nfiles = ['.mcp.json']\nversion = '1.0.0'\nintegrity = '" + hash + "'\n"
		write(t, dir, "mcplumb.lock", locked)
		code, stdout, _ := run(t, dir, "lock", "--check")
		require.Equal(t, 1, code)
		require.Equal(t, want, stdout)
		code, _, _ = run(t, dir, "lock")
		if strings.TrimSpace(hash) != "" {
			require.Equal(t, 1, code)
			require.Contains(t, read(t, dir, "mcplumb.lock"), hash)
		}
	}
}

// TestLockOfDotfiles says why nothing is locked where all servers are those of a home
// directory.
func TestLockOfDotfiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "dot_claude.json", servers("tidy@1.0.0", "notes@1.0.0"))
	write(t, dir, "private_dot_codeium/windsurf/mcp_config.json", servers("tidy@1.0.0"))
	code, stdout, _ := run(t, dir, "lock")
	require.Equal(t, 0, code)
	require.Equal(t, "no server to lock: files of a home directory are not locked (3 servers)\n", stdout)
	require.NoFileExists(t, filepath.Join(dir, "mcplumb.lock"))
}

// TestLockCheckTellsAMismatchWithARegistryDown holds that a mismatch which was found ends with
// 1, although another registry did not answer, and reports that; without a mismatch it ends
// with 3.
func TestLockCheckTellsAMismatchWithARegistryDown(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	write(t, dir, ".mcplumb.yaml", "registries: {npm: "+r.URL+"/npm, pypi: 'http://127.0.0.1:1', osv: "+r.URL+", mcp: "+r.URL+"}\n")
	write(t, dir, ".mcp.json", `{"mcpServers": {"tidy": {"command": "npx", "args": ["-y", "tidy@1.0.0"]}, "py": {"command": "uvx", "args": ["other==1.0.0"]}}}`)
	python := "\n[[server]]\nidentity = 'pypi:other'\nnames = ['py']\nfiles = ['.mcp.json']\nversion = '1.0.0'\nintegrity = '" + otherSHA256 + "'\n"
	const silent = "mcplumb: the registry 127.0.0.1:1 gives no answer about other"
	for name, test := range map[string]struct {
		locked string
		code   int
		want   string
	}{
		"another hash":  {ownLock("npm:tidy", "integrity = '"+otherSHA512+"'"), 1, "tidy: the registry has " + publishedSHA512 + " for 1.0.0 now, and " + otherSHA512 + " is locked"},
		"an empty hash": {ownLock("npm:tidy", "integrity = ''"), 1, "npm:tidy 1.0.0: integrity is " + publishedSHA512 + ", and was empty"},
		"another name":  {strings.Replace(ownLock("npm:tidy", "integrity = '"+publishedSHA512+"'"), "'tidy']", "'old']", 1), 1, "npm:tidy 1.0.0: names is tidy, and was old"},
		"none":          {ownLock("npm:tidy", "integrity = '"+publishedSHA512+"'"), 3, "mcplumb.lock is in sync as far as mcplumb can tell: 2 servers\n"},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, dir, "mcplumb.lock", test.locked+python)
			code, stdout, stderr := run(t, dir, "lock", "--check", "--online")
			require.Equal(t, test.code, code, stdout+stderr)
			require.Contains(t, stdout, test.want)
			require.Contains(t, stderr, silent)
		})
	}
}
