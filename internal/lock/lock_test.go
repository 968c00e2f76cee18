package lock_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// read returns the repository of some files.
func read(t *testing.T, files map[string]string) *mcp.Repo {
	t.Helper()
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: []*rule.Rule{}})
	require.NoError(t, err)
	return result.Repo
}

// build locks some files, with the given facts.
func build(t *testing.T, files map[string]string, registries *mcp.Registries, known *lock.Lock) (*lock.Lock, []lock.Gap) {
	t.Helper()
	repo := read(t, files)
	repo.Registries = registries
	return lock.Build(repo, known, func(path string) ([]byte, error) {
		content, found := files[path]
		switch {
		case strings.HasSuffix(path, "/"), path == "directory":
			return nil, errors.New("is a directory, not a file")
		case !found:
			return nil, fs.ErrNotExist
		}
		return []byte(content), nil
	})
}

// npx returns a client's file whose servers start packages of npm.
func npx(servers map[string]string) string {
	var entries []string
	for name, pkg := range servers {
		entries = append(entries, `"`+name+`": {"command": "npx", "args": ["-y", "`+pkg+`"]}`)
	}
	return `{"mcpServers": {` + strings.Join(entries, ", ") + `}}`
}

// published has one release of notes, with a hash and of a day.
func published(version, hash string) *mcp.Registries {
	said := &mcp.Published{
		Registry: "npm.example.com", Latest: version,
		Releases: []mcp.Release{{Version: version, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Hashes: []string{hash}}},
	}
	return &mcp.Registries{
		Settled: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
		Packages: map[mcp.Wanted]*mcp.Published{
			{Kind: identity.NPM, Name: "notes"}: said, {Kind: identity.NPM, Name: "notes", Version: version}: said,
		},
	}
}

// TestOneServerUnderSeveralNames expects one entry, for any names in any files.
func TestOneServerUnderSeveralNames(t *testing.T) {
	l, gaps := build(t, map[string]string{
		".mcp.json":        npx(map[string]string{"notes": "notes@1.0.0"}),
		".cursor/mcp.json": npx(map[string]string{"my-notes": "notes@1.0.0"}),
	}, published("1.0.0", "sha512-aaaa"), nil)
	require.Empty(t, gaps)
	require.Equal(t, []lock.Server{{
		Identity: "npm:notes", Names: []string{"my-notes", "notes"}, Files: []string{".cursor/mcp.json", ".mcp.json"},
		Version: "1.0.0", Integrity: "sha512-aaaa",
	}}, l.Servers)
}

// TestWhatIsLockedStays holds that what floats stays where it was locked, and that a hash
// is kept when no registry is asked.
func TestWhatIsLockedStays(t *testing.T) {
	files := map[string]string{".mcp.json": npx(map[string]string{"notes": "notes"})}
	first, _ := build(t, files, published("1.0.0", "sha512-aaaa"), nil)
	require.Equal(t, "1.0.0", first.Servers[0].Version)

	offline, gaps := build(t, files, nil, first)
	require.Empty(t, gaps)
	require.Equal(t, first, offline)

	_, gaps = build(t, files, nil, nil)
	require.Equal(t, []lock.Gap{{Server: "notes", Path: ".mcp.json", Why: "it has no version, so there is nothing to lock: ask its registry with --online, or write one"}}, gaps)
}

// TestAnotherHash is reported, and not written over the one that is locked.
func TestAnotherHash(t *testing.T) {
	files := map[string]string{".mcp.json": npx(map[string]string{"notes": "notes@1.0.0"})}
	first, _ := build(t, files, published("1.0.0", "sha512-aaaa"), nil)
	again, gaps := build(t, files, published("1.0.0", "sha512-bbbb"), first)
	require.Equal(t, first, again)
	require.Len(t, gaps, 1)
	require.True(t, gaps[0].IsChanged)
	require.Contains(t, gaps[0].Why, "the registry has sha512-bbbb for 1.0.0 now, and sha512-aaaa is locked")

	// A new version has its own.
	raised, gaps := build(t, map[string]string{".mcp.json": npx(map[string]string{"notes": "notes@1.1.0"})}, published("1.1.0", "sha512-bbbb"), first)
	require.Empty(t, gaps)
	require.Equal(t, "sha512-bbbb", raised.Servers[0].Integrity)
}

// TestOneFloatsNextToAnother holds that a server without a version stays at the one that
// was resolved for it, where another asks for an exact one, and keeps it under a new name.
func TestOneFloatsNextToAnother(t *testing.T) {
	said := published("1.2.0", "sha512-cccc")
	said.Packages[mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "1.0.0"}] = published("1.0.0", "sha512-aaaa").Packages[mcp.Wanted{Kind: identity.NPM, Name: "notes"}]
	for _, name := range []string{"another", "the-one"} {
		first, gaps := build(t, map[string]string{".mcp.json": npx(map[string]string{name: "notes@latest", "old": "notes@1.0.0"})}, said, nil)
		require.Empty(t, gaps)
		require.Equal(t, []string{"1.0.0", "1.2.0"}, []string{first.Servers[0].Version, first.Servers[1].Version})

		again, gaps := build(t, map[string]string{".mcp.json": npx(map[string]string{name: "notes@latest", "old": "notes@1.0.0"})}, said, first)
		require.Empty(t, gaps)
		require.Equal(t, first, again)

		renamed, gaps := build(t, map[string]string{".mcp.json": npx(map[string]string{"renamed": "notes@latest", "old": "notes@1.0.0"})}, nil, first)
		require.Empty(t, gaps)
		require.Equal(t, "1.2.0", renamed.Servers[1].Version)
		require.Equal(t, []string{"renamed"}, renamed.Servers[1].Names)
	}
}

// TestTwoFloat holds that of two servers which ask for a package in other words each keeps
// its own version, and that one which asks in the same words as another has the same.
func TestTwoFloat(t *testing.T) {
	files := func(servers map[string]string) map[string]string { return map[string]string{".mcp.json": npx(servers)} }
	known := &lock.Lock{Version: 1, Servers: []lock.Server{
		{Identity: "npm:notes", Names: []string{"new"}, Files: []string{".mcp.json"}, Integrity: ""},
		{Identity: "npm:notes", Names: []string{"beta"}, Files: []string{".mcp.json"}, Version: "2.0.0-beta.1", Integrity: "sha512-bbbb"},
	}}
	for _, servers := range []map[string]string{
		{"beta": "notes@beta", "new": "notes@next"},
		{"beta": "notes@beta", "new": "notes@next", "same": "notes@beta"},
	} {
		l, _ := build(t, files(servers), nil, known)
		require.Equal(t, []string{"new"}, l.Servers[0].Names)
		require.Empty(t, l.Servers[0].Version)
		require.Equal(t, "2.0.0-beta.1", l.Servers[1].Version)
		require.Len(t, l.Servers[1].Names, len(servers)-1)
	}
}

// TestOneWithoutVersion checks that each server of a package is found in the lock, even if one
// of them has no version to lock.
func TestOneWithoutVersion(t *testing.T) {
	files := map[string]string{".mcp.json": npx(map[string]string{"newest": "notes@latest", "range": "notes@^9.0.0"})}
	l, _ := build(t, files, published("1.2.0", "sha512-cccc"), nil)
	require.Equal(t, []string{"", "1.2.0"}, []string{l.Servers[0].Version, l.Servers[1].Version})
	content, err := l.Bytes()
	require.NoError(t, err)
	files[lock.Name] = string(content)
	rules := []*rule.Rule{checks.ByID("unlocked-server"), checks.ByID("missing-server"), checks.ByID("alias-drift")}
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: rules})
	require.NoError(t, err)
	require.Empty(t, result.Findings)
}

// TestAdditionalWeakerHash holds that a registry which gives a further, weaker hash of the
// same thing is no attack, and changes nothing.
func TestAdditionalWeakerHash(t *testing.T) {
	strong := "sha512-" + strings.Repeat("a", 85) + "Q=="
	weak := "sha1-" + strings.Repeat("A", 27) + "="
	files := map[string]string{".mcp.json": npx(map[string]string{"notes": "notes@1.0.0"})}
	first, _ := build(t, files, published("1.0.0", strong), nil)
	for _, now := range []string{weak + " " + strong, strong + " " + weak} {
		again, gaps := build(t, files, published("1.0.0", now), first)
		require.Empty(t, gaps)
		require.Equal(t, first, again)
	}
	_, gaps := build(t, files, published("1.0.0", weak), first) // which proves nothing
	require.Len(t, gaps, 1)
}

// TestFurtherFiles checks that a version of a Python package may gain files and lose some, and
// that a file that replaces another is reported.
func TestFurtherFiles(t *testing.T) {
	files := map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "uvx", "args": ["notes==1.0.0"]}}}`}
	published := func(hashes ...string) *mcp.Registries {
		said := &mcp.Published{IsWhole: true, Releases: []mcp.Release{{Version: "1.0.0", Hashes: hashes}}}
		return &mcp.Registries{Packages: map[mcp.Wanted]*mcp.Published{{Kind: identity.PyPI, Name: "notes", Version: "1.0.0"}: said}}
	}
	first, _ := build(t, files, published("sha256:aa", "sha256:bb"), nil)
	for _, now := range [][]string{{"sha256:aa", "sha256:bb", "sha256:cc"}, {"sha256:bb"}} {
		l, gaps := build(t, files, published(now...), first)
		require.Empty(t, gaps)
		require.NotEqual(t, first, l)
	}
	l, gaps := build(t, files, published("sha256:bb", "sha256:cc"), first)
	require.Len(t, gaps, 1)
	require.Equal(t, first, l)
}

// TestHashOfARemoteServer checks that the hash depends on the address, the transport and the
// names of headers and variables, and on none of their values.
func TestHashOfARemoteServer(t *testing.T) {
	hash := func(entry string) string {
		l, gaps := build(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": ` + entry + `}}`}, nil, nil)
		require.Empty(t, gaps)
		return l.Servers[0].Integrity
	}
	first := hash(`{"type": "http", "url": "https://notes.acme.dev/mcp", "headers": {"A": "${A}", "B": "1"}}`)
	// The text was written by hand, the hash of it made with sha256sum.
	require.Equal(t, "sha256:880d0ce03b1f1c793897f3b186fe6a170c7b1cfd6a4c2549e29227fc1921892a", first)
	require.Equal(t, first, hash(`{"headers": {"B": "2", "A": "${C}"}, "url": "https://notes.acme.dev/mcp", "type": "http"}`))
	require.NotEqual(t, first, hash(`{"type": "sse", "url": "https://notes.acme.dev/mcp", "headers": {"A": "${A}", "B": "1"}}`))
	require.NotEqual(t, first, hash(`{"type": "http", "url": "https://notes.acme.dev/mcp", "headers": {"A": "${A}"}}`))
}

// TestHashOfRemoteServers holds that of one server in several files each way to reach it
// counts, and the order of the files does not.
func TestHashOfRemoteServers(t *testing.T) {
	hash := func(a, b string) string {
		l, gaps := build(t, map[string]string{
			".mcp.json":        `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.acme.dev/mcp"` + a + `}}}`,
			".cursor/mcp.json": `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.acme.dev/mcp"` + b + `}}}`,
		}, nil, nil)
		require.Empty(t, gaps)
		require.Len(t, l.Servers, 1)
		return l.Servers[0].Integrity
	}
	const header = `, "headers": {"A": "${A}"}`
	require.NotEqual(t, hash("", ""), hash(header, ""))
	require.Equal(t, hash("", header), hash(header, ""))
	require.NotEqual(t, hash(header, header), hash(header, ""))
}

// TestHashOfKnownTools holds that the tools which another lockfile has of a remote server
// are a part of what it is.
func TestHashOfKnownTools(t *testing.T) {
	hash := func(tools string) string {
		l, _ := build(t, map[string]string{
			".mcp.json": `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.acme.dev/mcp"}}}`,
			"mcp-tap.lock": `{"lockfile_version": 1, "servers": {"notes": {"package_identifier": "https://notes.acme.dev/mcp", "registry_type": "http",
				"config": {"command": "", "args": []}, "tools": [` + tools + `]}}}`,
		}, nil, nil)
		return l.Servers[0].Integrity
	}
	require.Equal(t, hash(`"read", "write"`), hash(`"write", "read"`))
	require.NotEqual(t, hash(`"read"`), hash(`"read", "write"`))
}

// TestProgramOfTheRepository has the hash of its file, one of the machine has none.
func TestProgramOfTheRepository(t *testing.T) {
	l, gaps := build(t, map[string]string{
		".mcp.json": `{"mcpServers": {
			"notes": {"command": "node", "args": ["server.js"]}, "gone": {"command": "node", "args": ["gone.js"]},
			"whole": {"command": "node", "args": ["./directory"]}, "machine": {"command": "/usr/bin/notes"}}}`,
		"server.js": "hello\n",
	}, nil, nil)
	require.Equal(t, []lock.Gap{
		{Server: "gone", Path: ".mcp.json", Why: "its file is not there, so it has no hash"},
		{Server: "whole", Path: ".mcp.json", Why: "it has no hash: directory is a directory, not a file"},
	}, gaps)
	require.Equal(t, "file:server.js", l.Servers[3].Identity)
	require.Equal(t, "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03", l.Servers[3].Integrity) // sha256sum
}

// TestProgramInOtherForm checks that the hash of a program keeps its written form while the
// file is the same, and gets mcplumb's own form with another file.
func TestProgramInOtherForm(t *testing.T) {
	const sri, hex = "sha256-WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2vgM=", "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" // of "hello\n"
	files := map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "node", "args": ["server.js"]}}}`, "server.js": "hello\n"}
	known, _ := build(t, files, nil, nil)
	require.Equal(t, hex, known.Servers[0].Integrity)
	known.Servers[0].Integrity = sri
	again, _ := build(t, files, nil, known)
	require.Equal(t, sri, again.Servers[0].Integrity)
	files["server.js"] = "hello, world\n"
	again, _ = build(t, files, nil, known)
	require.Equal(t, "sha256:853ff93762a06ddbf722c4ebe9ddd66d8f63ddaea97f521c3ecc20da7c976020", again.Servers[0].Integrity) // sha256sum
}

// TestUnreadProgram holds that the hash of a program stays while it cannot be read.
func TestUnreadProgram(t *testing.T) {
	repo := read(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "node", "args": ["server.js"]}}}`})
	first, _ := lock.Build(repo, nil, func(string) ([]byte, error) { return []byte("hello"), nil })
	again, gaps := lock.Build(repo, first, func(string) ([]byte, error) { return nil, errors.New("is too big") })
	require.Equal(t, first, again)
	require.Equal(t, []lock.Gap{{
		Server: "notes", Path: ".mcp.json", IsUnread: true, Why: "cannot tell whether server.js still matches the lockfile: it is too big",
	}}, gaps)
}

// TestGaps reports for each package why it has no hash, and what to do about it; the lock has
// the reason, which is the same if no registry was asked and if none answered.
func TestGaps(t *testing.T) {
	for args, want := range map[string][3]string{ // without registries, with such as did not answer, and in the lock
		`"npx", "args": ["-y", "notes"]`: {"it has no version, so there is nothing to lock: ask its registry with --online, or write one",
			"its registry did not answer, so there is nothing to lock", "its registry has not answered"},
		`"npx", "args": ["-y", "notes@1.0.0"]`: {"its hash is not known: ask its registry with --online",
			"its registry did not answer, so its hash is not known", "its registry has not answered"},
		`"uvx", "args": ["--from", "git+https://github.com/acme/notes@v1", "notes"]`: {
			"it names no full commit, so it has no hash: write one", "it names no full commit, so it has no hash: write one", "it names no full commit"},
		`"uvx", "args": ["--index-url", "https://pypi.acme.dev/simple", "notes==1.0.0"]`: {
			"it is fetched from a registry of its own, which is not asked, so it has no hash",
			"it is fetched from a registry of its own, which is not asked, so it has no hash", "it is from a registry of its own"},
		`"docker", "args": ["run", "-i", "notes:1"]`: {
			"no registry that mcplumb asks knows it, so it has no hash", "no registry that mcplumb asks knows it, so it has no hash", "no registry that mcplumb asks knows it"},
	} {
		for i, registries := range []*mcp.Registries{nil, {}} {
			l, gaps := build(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": ` + args + `}}}`}, registries, nil)
			require.Equal(t, []lock.Gap{{Server: "notes", Path: ".mcp.json", Why: want[i]}}, gaps, args)
			require.Equal(t, want[2], l.Servers[0].Unlocked)
			require.Equal(t, 1, l.Unlocked())
			content, err := l.Bytes()
			require.NoError(t, err)
			require.Contains(t, string(content), "unlocked = '"+want[2]+"'\n")
		}
	}
}

// TestWhatARegistrySaidStays holds that the reason for which a package has no hash stays in the
// lock until its registry says something else, and that no other text does.
func TestWhatARegistrySaidStays(t *testing.T) {
	wanted := mcp.Wanted{Kind: identity.NPM, Name: "notes"}
	versioned := mcp.Wanted{Kind: identity.NPM, Name: "notes", Version: "2.0.0"}
	gone := &mcp.Registries{Packages: map[mcp.Wanted]*mcp.Published{
		wanted: {Registry: "npm.example.com", IsUnknown: true}, versioned: {Registry: "npm.example.com", IsUnknown: true},
	}}
	other := published("1.0.0", "sha512-aaaa")
	other.Packages[wanted].IsWhole = true
	other.Packages[versioned] = other.Packages[wanted]
	for name, test := range map[string]struct {
		pkg    string
		online *mcp.Registries
		why    string
	}{
		"no package":               {"notes", gone, "it does not exist in the registry npm.example.com, so there is nothing to lock"},
		"no package, at a version": {"notes@2.0.0", gone, "it does not exist in the registry npm.example.com, so there is nothing to lock"},
		"no such version":          {"notes@2.0.0", other, "its version 2.0.0 does not exist in the registry npm.example.com, so there is nothing to lock"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".mcp.json": npx(map[string]string{"notes": test.pkg})}
			first, gaps := build(t, files, test.online, nil)
			require.Equal(t, []lock.Gap{{Server: "notes", Path: ".mcp.json", Why: test.why}}, gaps)
			require.Equal(t, "it does not exist", first.Servers[0].Unlocked)
			for _, registries := range []*mcp.Registries{nil, {}} { // no registry is asked, none answers
				again, gaps := build(t, files, registries, first)
				require.Empty(t, lock.Differences(first, again))
				require.Equal(t, "it does not exist, as it was when it was locked: ask its registry again with --online", gaps[0].Why)
			}
			first.Servers[0].Unlocked = "it is fine"
			again, _ := build(t, files, nil, first)
			require.Equal(t, "its registry has not answered", again.Servers[0].Unlocked)
		})
	}
	// Published, it is locked.
	files := map[string]string{".mcp.json": npx(map[string]string{"notes": "notes"})}
	first, _ := build(t, files, gone, nil)
	now, gaps := build(t, files, published("1.0.0", "sha512-aaaa"), first)
	require.Empty(t, gaps)
	require.Empty(t, now.Servers[0].Unlocked)
	require.Equal(t, "sha512-aaaa", now.Servers[0].Integrity)
}

// TestNoCredentialIsLocked holds that an address with a token is not written anywhere.
func TestNoCredentialIsLocked(t *testing.T) {
	token := "ghp_" + "aK93jd83JfkE02kfL" + "w93jfkDke02jdk39dkA"
	l, gaps := build(t, map[string]string{
		".mcp.json": `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.acme.dev/` + token + `/mcp", "headers": {"Authorization": "Bearer ` + token + `"}}}}`,
	}, nil, nil)
	content, err := l.Bytes()
	require.NoError(t, err)
	require.NotContains(t, string(content), token)
	require.Empty(t, gaps)
	require.Equal(t, "url:https://notes.acme.dev/ghp_***/mcp", l.Servers[0].Identity)

	l, gaps = build(t, map[string]string{".mcp.json": npx(map[string]string{token: "notes@1.0.0"})}, nil, nil)
	require.Empty(t, l.Servers)
	require.Equal(t, "its command or name contains a credential, and no lockfile may contain one", gaps[0].Why)
}

// TestBytesAreRead holds that what is written is read again, and that rules read it.
func TestBytesAreRead(t *testing.T) {
	files := map[string]string{".mcp.json": npx(map[string]string{"notes": "notes@1.0.0", "quote\\\"d": "other@2.0.0"})}
	l, _ := build(t, files, published("1.0.0", "sha512-aaaa"), nil)
	content, err := l.Bytes()
	require.NoError(t, err)
	again, err := lock.Parse(content)
	require.NoError(t, err)
	require.Equal(t, l, again)

	files[lock.Name] = string(content)
	files[".mcp.json"] = npx(map[string]string{"notes": "stolen@1.0.0", "quote\\\"d": "other@2.0.0"})
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: []*rule.Rule{checks.ByID("config-changed")}})
	require.NoError(t, err)
	require.Len(t, result.Findings, 1)
	require.Equal(t, `"notes" runs npm:stolen, but mcplumb.lock locks npm:notes: restore the locked server, or update the lockfile with mcplumb lock`, result.Findings[0].Text())
}

// TestParseRefuses checks the errors for lockfiles that this mcplumb did not write.
func TestParseRefuses(t *testing.T) {
	for content, want := range map[string]string{
		"{}":            "mcplumb has not written this",
		"version = 2":   "mcplumb.lock has the version 2, and this mcplumb reads 1: use the mcplumb that wrote it",
		"version = 'x'": "mcplumb has not written this",
	} {
		_, err := lock.Parse([]byte(content))
		require.ErrorContains(t, err, want)
	}
}

// TestDifferences reports what is out of sync, field by field.
func TestDifferences(t *testing.T) {
	was := &lock.Lock{Servers: []lock.Server{
		{Identity: "npm:gone", Version: "1.0.0"},
		{Identity: "npm:notes", Names: []string{"notes"}, Files: []string{".mcp.json"}, Version: "1.0.0", Integrity: "sha512-aaaa"},
		{Identity: "npm:raised", Version: "1.0.0", Integrity: "sha512-aaaa"},
		{Identity: "pypi:twice", Version: "1.0.0"},
		{Identity: "pypi:twice", Version: "2.0.0"},
	}}
	now := &lock.Lock{Servers: []lock.Server{
		{Identity: "npm:notes", Names: []string{"my-notes", "notes"}, Files: []string{".mcp.json"}, Version: "1.0.0"},
		{Identity: "npm:raised", Version: "1.1.0", Integrity: "sha512-bbbb"},
		{Identity: "npm:server", Selector: []string{"mcp"}},
		{Identity: "pypi:twice", Version: "3.0.0"},
	}}
	require.Equal(t, []string{
		"npm:gone 1.0.0 is locked and no longer configured",
		"npm:notes 1.0.0: integrity is none, and was sha512-aaaa",
		"npm:notes 1.0.0: names is my-notes, notes, and was notes",
		"npm:raised 1.1.0: integrity is sha512-bbbb, and was sha512-aaaa",
		"npm:raised 1.1.0: version is 1.1.0, and was 1.0.0",
		"npm:server mcp is configured and not locked",
		"pypi:twice 1.0.0 is locked and no longer configured",
		"pypi:twice 2.0.0 is locked and no longer configured",
		"pypi:twice 3.0.0 is configured and not locked",
	}, lock.Differences(was, now))
	require.Empty(t, lock.Differences(now, now))
}

// TestMerge holds that two branches which each add a server merge without a conflict, and
// into what locking the merged configuration writes.
func TestMerge(t *testing.T) {
	servers := map[string]string{"a": "aaa@1.0.0", "m": "mmm@1.0.0", "z": "zzz@1.0.0"}
	with := func(more map[string]string) string {
		all := map[string]string{}
		for _, some := range []map[string]string{servers, more} {
			for name, pkg := range some {
				all[name] = pkg
			}
		}
		l, _ := build(t, map[string]string{".mcp.json": npx(all)}, nil, nil)
		content, err := l.Bytes()
		require.NoError(t, err)
		return string(content)
	}
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	ours, theirs := map[string]string{"b": "bbb@1.0.0"}, map[string]string{"y": "yyy@1.0.0"}
	merged, err := exec.Command("git", "merge-file", "--stdout", write("ours", with(ours)), write("base", with(nil)), write("theirs", with(theirs))).Output()
	require.NoError(t, err)
	require.Equal(t, with(map[string]string{"b": "bbb@1.0.0", "y": "yyy@1.0.0"}), string(merged))
}

// TestProgramsElsewhere holds that only of a program of the repository the file is missed.
func TestProgramsElsewhere(t *testing.T) {
	for command, want := range map[string]string{
		"./bin/notes": "its file is not there, so it has no hash", "/usr/bin/notes": "", "${HOME}/bin/notes": "", "~/bin/notes": "",
		`C:\\tools\\notes.exe`: "", "../tools/notes": "its file is outside of the repository, so it has no hash",
	} {
		l, gaps := build(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "` + command + `"}}}`}, nil, nil)
		require.Len(t, l.Servers, 1, command)
		said := ""
		for _, g := range gaps {
			said += g.Why
		}
		require.Equal(t, want, said, "%s: %s", command, l.Servers[0].Identity)
	}
}
