package mcptap_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// lockRules are the rules that compare a lockfile with the configuration.
var lockRules = []string{"alias-drift", "config-changed", "invalid-integrity", "invalid-lockfile", "missing-server", "syntax-error", "unlocked-server"}

// TestMCPTapCases follows mcp-tap's own tests (v0.6.9) where they have an
// analogue in files: T drift, M matching, R reading, S and X from start to end.
// Each case is a lockfile's entries, a .mcp.json's servers, and what is
// expected as "rule subject". Where mcplumb differs on purpose the case says
// so ("ours").
//
// Without an analogue, because they need a running server or watch the writer:
// T20–T22 compare locked tools with live ones (offline, tools_hash against
// tools is what can be said: see invalid-integrity), the tools half of T24 and
// T25, and W01–W03.
func TestMCPTapCases(t *testing.T) {
	const (
		testPkg   = `{"package_identifier": "test-pkg", "registry_type": "npm", "config": {"command": "npx", "args": ["-y", "test-pkg"]}}`
		installed = `{"command": "npx", "args": ["-y", "test-pkg"]}`
		u         = "https://mcp.vercel.com"
		remote    = `{"command": "npx", "args": ["-y", "mcp-remote", "` + u + `"]}`
		native    = `{"type": "http", "url": "` + u + `"}`
		postgres  = `{"package_identifier": "@mcp/server-postgres", "registry_type": "npm", "config": {"command": "npx", "args": ["-y", "@mcp/server-postgres"]}}`
		pg        = `{"command": "npx", "args": ["-y", "@mcp/server-postgres"]}`
	)
	locked := func(args string) string {
		return `{"package_identifier": "x", "registry_type": "npm", "config": {"command": "npx", "args": [` + args + `]}}`
	}
	npx := func(args string) string { return `{"command": "npx", "args": [` + args + `]}` }
	other := func(pkg string) string {
		return `{"package_identifier": "` + pkg + `", "config": {"command": "npx", "args": ["-y", "` + pkg + `"]}}`
	}

	for _, c := range []struct {
		id               string
		lock, configured map[string]string
		want             []string
	}{
		{"T01", nil, nil, nil},
		{"T02", nil, linttest.Files{"postgres": installed}, []string{"unlocked-server postgres"}},
		{"T03", linttest.Files{"pg": testPkg}, nil, []string{"missing-server pg"}},
		{"T04", linttest.Files{"alpha": other("a"), "beta": other("b"), "gamma": other("c")}, nil,
			[]string{"missing-server alpha", "missing-server beta", "missing-server gamma"}},
		{"T05", nil, linttest.Files{"a": npx(`"-y", "pkg-a"`), "b": npx(`"-y", "pkg-b"`)}, []string{"unlocked-server a", "unlocked-server b"}},
		{"T06", linttest.Files{"pg": testPkg}, linttest.Files{"pg": installed}, nil},
		{"T07", linttest.Files{"pg": testPkg}, linttest.Files{"pg": installed}, nil},
		{"T08", linttest.Files{"a": other("pkg-a"), "b": other("pkg-b")}, linttest.Files{"a": npx(`"-y", "pkg-a"`), "b": npx(`"-y", "pkg-b"`)}, nil},
		{"T09", linttest.Files{"vercel": `{"package_identifier": "` + u + `", "registry_type": "streamable-http", "config": {"command": "", "args": ["` + u + `"]}}`},
			linttest.Files{"vercel": remote}, nil},
		{"T10", linttest.Files{"vercel": `{"package_identifier": "` + u + `", "registry_type": "streamable-http", "config": {"command": "", "args": ["` + u + `"]}}`},
			linttest.Files{"vercel": native}, nil},
		{"T11 ours: mcp-tap says nothing of the other name", linttest.Files{"postgres-mcp": postgres}, linttest.Files{"pg": pg}, []string{"alias-drift pg"}},
		{"T12", linttest.Files{"pg": testPkg}, linttest.Files{"pg": `{"command": "uvx", "args": ["-y", "test-pkg"]}`}, []string{"config-changed pg"}},
		{"T13", linttest.Files{"pg": other("old-pkg")}, linttest.Files{"pg": npx(`"-y", "new-pkg"`)}, []string{"config-changed pg"}},
		{"T14", linttest.Files{"pg": locked(`"x", "--a", "--b"`)}, linttest.Files{"pg": npx(`"x", "--b", "--a"`)}, []string{"config-changed pg"}},
		{"T15 added", linttest.Files{"pg": locked(`"x"`)}, linttest.Files{"pg": npx(`"x", "--verbose"`)}, []string{"config-changed pg"}},
		{"T15 removed", linttest.Files{"pg": locked(`"x", "--verbose"`)}, linttest.Files{"pg": npx(`"x"`)}, []string{"config-changed pg"}},
		{"T16", linttest.Files{"pg": testPkg}, linttest.Files{"pg": `{"command": "uvx", "args": ["other"]}`}, []string{"config-changed pg"}},
		{"T17", linttest.Files{"vercel": `{"package_identifier": "` + u + `", "registry_type": "streamable-http", "config": {"command": "", "args": []}}`},
			linttest.Files{"vercel": npx(`"-y", "mcp-remote", "https://other.vercel.com"`)}, []string{"config-changed vercel"}},
		{"T18", linttest.Files{"vercel": `{"package_identifier": "` + u + `", "registry_type": "streamable-http", "config": {"command": "", "args": []}}`},
			linttest.Files{"vercel": remote}, nil},
		{"T19", linttest.Files{"srv": `{"package_identifier": "srv", "config": {"command": "srv", "args": []}}`}, linttest.Files{"srv": `{"command": "srv"}`}, nil},
		{"T23", linttest.Files{"locked-only": other("pkg-a")}, linttest.Files{"installed-only": npx(`"-y", "pkg-b"`)},
			[]string{"missing-server locked-only", "unlocked-server installed-only"}},
		{"T24 config half", linttest.Files{"pg": testPkg}, linttest.Files{"pg": npx(`"-y", "test-pkg", "--x"`)}, []string{"config-changed pg"}},
		{"T25 without tools", linttest.Files{"redis": other("redis-mcp"), "missing-svr": other("gone")},
			linttest.Files{"redis": npx(`"-y", "redis-mcp", "--new"`), "extra-svr": npx(`"-y", "extra"`)},
			[]string{"config-changed redis", "missing-server missing-svr", "unlocked-server extra-svr"}},

		{"M01 http native", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`}, linttest.Files{"v2": native}, []string{"alias-drift v2"}},
		{"M01 mcp-remote", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`}, linttest.Files{"v2": remote}, []string{"alias-drift v2"}},
		{"M02", linttest.Files{"postgres": postgres}, linttest.Files{"redis": npx(`"-y", "@mcp/server-redis"`)},
			[]string{"missing-server postgres", "unlocked-server redis"}},
		{"M03", linttest.Files{"postgres-mcp": postgres}, linttest.Files{"postgres-mcp": npx(`"-y", "something-else"`), "pg": pg},
			[]string{"config-changed postgres-mcp", "unlocked-server pg"}},
		{"M04", linttest.Files{"a-postgres": postgres, "postgres-mcp": postgres}, linttest.Files{"a-postgres": pg, "pg-backup": npx(`"-y", "@mcp/server-postgres", "--backup"`)},
			[]string{"alias-drift pg-backup", "config-changed pg-backup"}},
		{"M05", linttest.Files{"pg": postgres}, linttest.Files{"pg": npx(`"-y", "@mcp/server-postgres", "--ro"`)}, []string{"config-changed pg"}},

		{"R03", linttest.Files{"pg": `{"package_identifier": "@mcp/server-postgres"}`}, linttest.Files{"pg": pg}, nil},
		{"R03 tools without a hash", linttest.Files{"pg": `{"package_identifier": "@mcp/server-postgres", "tools": ["query"]}`}, linttest.Files{"pg": pg}, nil},
		{"R03 empty hash", linttest.Files{"pg": `{"package_identifier": "@mcp/server-postgres", "tools": [], "tools_hash": ""}`}, linttest.Files{"pg": pg}, nil},
		{"S01", linttest.Files{"postgres-mcp": postgres}, linttest.Files{"pg": pg}, []string{"alias-drift pg"}},
		{"X01", linttest.Files{"vercel_mcp": `{"package_identifier": "` + u + `", "config": {"command": "", "args": ["` + u + `"]}}`},
			linttest.Files{"vercel": native}, []string{"alias-drift vercel"}},

		{"the lock of a bridge is that of its URL", linttest.Files{"v": `{"package_identifier": "mcp-remote", "registry_type": "npm", "config": {"command": "npx", "args": ["-y", "mcp-remote", "` + u + `"]}}`},
			linttest.Files{"v": native}, nil},
		{"the lock of a bridge to another URL", linttest.Files{"v": `{"package_identifier": "mcp-remote", "config": {"command": "npx", "args": ["-y", "mcp-remote", "https://other.dev"]}}`},
			linttest.Files{"v": native}, []string{"config-changed v"}},
		{"a program of one's own that gets the URL", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`},
			linttest.Files{"v": `{"command": "my-wrapper", "args": ["connect", "` + u + `"]}`}, nil},
		{"a script of one's own that gets the URL", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`},
			linttest.Files{"v": `{"command": "node", "args": ["bridge.js", "` + u + `/"]}`}, nil},
		{"a script that gets another URL", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`},
			linttest.Files{"v": `{"command": "node", "args": ["bridge.js", "https://other.dev"]}`}, []string{"config-changed v"}},
		{"ours: a package that gets the URL may be anything", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`},
			linttest.Files{"v": npx(`"-y", "some-mcp", "` + u + `"`)}, []string{"config-changed v"}},
		{"ours: a trailing slash is no other URL", linttest.Files{"v": `{"package_identifier": "https://mcp.acme.dev/mcp", "registry_type": "http"}`},
			linttest.Files{"v": `{"type": "http", "url": "https://MCP.acme.dev:443/mcp/"}`}, nil},
		{"ours: the scheme is a change", linttest.Files{"v": `{"package_identifier": "https://mcp.acme.dev/mcp", "registry_type": "http"}`},
			linttest.Files{"v": `{"type": "http", "url": "http://mcp.acme.dev/mcp"}`}, []string{"config-changed v"}},
		{"ours: a version is no other package", linttest.Files{"postgres-mcp": postgres}, linttest.Files{"pg": npx(`"-y", "@mcp/server-postgres@1.2.3"`)}, []string{"alias-drift pg"}},
		{"ours: nor another configuration", linttest.Files{"pg": postgres}, linttest.Files{"pg": npx(`"-y", "@mcp/server-postgres@1.2.3"`)}, nil},
		{"ours: a URL without a type is a remote server", linttest.Files{"v": `{"package_identifier": "` + u + `", "registry_type": "http"}`}, linttest.Files{"v": `{"url": "` + u + `"}`}, nil},
		{"ours: a command with a URL among its arguments is compared whole",
			linttest.Files{"api": `{"package_identifier": "api-mcp", "config": {"command": "npx", "args": ["-y", "api-mcp", "--api", "https://api.acme.dev", "--level", "1"]}}`},
			linttest.Files{"api": npx(`"-y", "api-mcp", "--api", "https://api.acme.dev", "--level", "2"`)}, []string{"config-changed api"}},
		{"of PyPI", linttest.Files{"fetch": `{"package_identifier": "mcp-server-fetch", "registry_type": "pypi"}`}, linttest.Files{"web": `{"command": "uvx", "args": ["mcp-server-fetch"]}`},
			[]string{"alias-drift web"}},
		{"an image", linttest.Files{"git": `{"package_identifier": "mcp/git", "registry_type": "oci"}`}, linttest.Files{"repo": `{"command": "docker", "args": ["run", "-i", "--rm", "mcp/git"]}`},
			[]string{"alias-drift repo"}},
		{"of Smithery", linttest.Files{"tool": `{"package_identifier": "@acme/tool", "registry_type": "smithery"}`}, linttest.Files{"t": npx(`"-y", "@smithery/cli", "run", "@acme/tool"`)},
			[]string{"alias-drift t"}},
		{"of Smithery: npm has another of that name", linttest.Files{"tool": `{"package_identifier": "@acme/tool", "registry_type": "smithery"}`}, linttest.Files{"t": npx(`"-y", "@acme/tool"`)},
			[]string{"missing-server tool", "unlocked-server t"}},
		{"a sub-command of the package", linttest.Files{"xray": `{"package_identifier": "0xray"}`}, linttest.Files{"skills": npx(`"-y", "0xray", "mcp", "skills"`)}, []string{"alias-drift skills"}},
		{"the package is the command", linttest.Files{"tool": `{"package_identifier": "acme-tool"}`}, linttest.Files{"t": `{"command": "acme-tool"}`}, []string{"alias-drift t"}},
		{"the package is an argument", linttest.Files{"tool": `{"package_identifier": "acme-tool"}`}, linttest.Files{"t": `{"command": "start", "args": ["acme-tool"]}`}, []string{"alias-drift t"}},
		{"the package is an argument, of one name", linttest.Files{"tool": `{"package_identifier": "acme-tool"}`}, linttest.Files{"tool": `{"command": "start", "args": ["acme-tool"]}`}, nil},
		{"ours: an argument of another package is no package", linttest.Files{"tool": `{"package_identifier": "acme-tool"}`}, linttest.Files{"t": npx(`"-y", "proxy-mcp", "acme-tool"`)},
			[]string{"missing-server tool", "unlocked-server t"}},
		{"ours: a template runs nothing that could differ", linttest.Files{"pg": postgres}, linttest.Files{"pg": npx(`"-y", "<your-mcp-server>"`)}, nil},
		{"ours: nor does a locked one", linttest.Files{"pg": `{"package_identifier": "", "config": {"command": "<command>", "args": []}}`}, linttest.Files{"pg": pg}, nil},
		{"arguments are compared one by one", linttest.Files{"x": locked(`"-y", "x", "a b"`)}, linttest.Files{"x": npx(`"-y", "x", "a", "b"`)}, []string{"config-changed x"}},
		{"variables are not compared", linttest.Files{"pg": testPkg}, linttest.Files{"pg": `{"command": "npx", "args": ["-y", "test-pkg"], "env": {"MODE": "fast"}}`}, nil},
		{"an entry without a package is known by its name", linttest.Files{"mine": `{"config": {"command": "node", "args": ["server.js"]}}`}, linttest.Files{"mine": `{"command": "node", "args": ["server.js"]}`}, nil},
		{"what nobody can identify hides nothing that is missing", linttest.Files{"pg": testPkg}, linttest.Files{"tool": `{"command": "${TOOL}"}`}, []string{"missing-server pg", "unlocked-server tool"}},
		{"ours: an entry never takes a server that another owns by name", linttest.Files{"a": postgres, "pg": postgres}, linttest.Files{"pg": pg}, []string{"missing-server a"}},
	} {
		t.Run(c.id, func(t *testing.T) {
			findings := linttest.LintFiles(t, map[string]string{
				"mcp-tap.lock": `{"lockfile_version": 1, "servers": ` + linttest.Object(c.lock) + `}`,
				".mcp.json":    `{"mcpServers": ` + linttest.Object(c.configured) + `}`,
			})
			assert.Equal(t, c.want, subjects(findings))
		})
	}
}

// TestMCPTapLockfiles follows R01 and R02: what the reader takes and refuses.
func TestMCPTapLockfiles(t *testing.T) {
	config := `{"mcpServers": {"pg": {"command": "npx", "args": ["-y", "pg"]}}}`
	for _, c := range []struct {
		id, lock string
		want     []string
	}{
		// mcp-tap takes both for no lockfile, without a word.
		{"R01 empty", "", []string{"invalid-lockfile "}},
		{"R01 blanks", " \n\t\n", []string{"invalid-lockfile "}},
		{"R02 no JSON", "{", []string{"syntax-error "}},
		{"R02 version 0", `{"lockfile_version": 0, "servers": {"x": {}}}`, []string{"invalid-lockfile "}},
		{"R02 no version", `{"servers": {"x": {}}}`, []string{"invalid-lockfile "}},
		{"R02 version 2", `{"lockfile_version": 2, "servers": {"x": {}}}`, []string{"invalid-lockfile "}},
		{"a list", `[]`, []string{"invalid-lockfile "}},
		{"a conflict", "{\n<<<<<<< HEAD\n\"lockfile_version\": 1\n=======\n\"lockfile_version\": 1\n>>>>>>> main\n}", []string{"invalid-lockfile "}},
	} {
		t.Run(c.id, func(t *testing.T) {
			assert.Equal(t, c.want, subjects(linttest.LintFiles(t, map[string]string{"mcp-tap.lock": c.lock, ".mcp.json": config})))
		})
	}
	assert.Empty(t, linttest.LintFiles(t, map[string]string{".mcp.json": config}), "R01: no lockfile")
	assert.Empty(t, linttest.LintFiles(t, map[string]string{".mcp.json": config, "mcp-tap.lock.lck": "", ".cursor/mcp.lock": ""}), "side files are no lockfiles")
}

// TestMCPTapLeavesGreen lints what mcp-tap 0.6.9 writes and a project that is as
// it says: its lockfile never has a hash, nor a version that was not requested, and its users must
// still be able to have no warnings.
func TestMCPTapLeavesGreen(t *testing.T) {
	entry := func(pkg, more string) string {
		return `{"package_identifier": "` + pkg + `", "registry_type": "npm", "version": "latest", "integrity": null, "repository_url": "",
			"config": {"command": "npx", "args": ["-y", "` + pkg + `"], "env_keys": []}, "tools": ["query"],
			"tools_hash": "sha256-a8b771920b8319e47251d1360f5e880bc18e8d329b0f0d003ea3c7e615558947",
			"installed_at": "2026-02-25T13:35:28.123456Z", "verified_at": "2026-02-25T13:35:28.123456Z", "verified_healthy": true` + more + `}`
	}
	for count, names := range [][]string{{"a"}, {"a", "b"}, {"a", "b", "c", "d"}} {
		locked, configured := linttest.Files{"remote": `{"package_identifier": "https://mcp.acme.dev", "registry_type": "streamable-http", "version": "latest", "integrity": null,
			"config": {"command": "", "args": [], "env_keys": []}, "tools": [], "tools_hash": null, "verified_at": null, "verified_healthy": false}`},
			linttest.Files{"remote": `{"type": "http", "url": "https://mcp.acme.dev"}`}
		for _, name := range names {
			locked[name], configured[name] = entry("@acme/"+name, ""), `{"command": "npx", "args": ["-y", "@acme/`+name+`"]}`
		}
		findings := linttest.LintFiles(t, linttest.Files{
			"mcp-tap.lock": `{"lockfile_version": 1, "generated_by": "mcp-tap@0.6.9", "servers": ` + linttest.Object(locked) + `}`,
			".mcp.json":    `{"mcpServers": ` + linttest.Object(configured) + `}`,
		})
		assert.Empty(t, linttest.Grave(findings), "%d packages", count)
		about := map[string]int{}
		for _, f := range findings {
			about[f.Rule.ID]++
		}
		assert.Equal(t, map[string]int{"missing-integrity": 1, "stale-lock-entry": 1}, about)
	}
}

// TestMCPTapMessages holds what upstream's messages hold (T03, T12, T17).
func TestMCPTapMessages(t *testing.T) {
	const u1, u2 = "https://one.acme.dev/mcp", "https://two.acme.dev/mcp"
	findings := linttest.LintFiles(t, map[string]string{
		"mcp-tap.lock": `{"lockfile_version": 1, "servers": {
			"gone": {"package_identifier": "gone"},
			"moved": {"package_identifier": "` + u1 + `", "registry_type": "streamable-http"},
			"tool": {"package_identifier": "tool", "config": {"command": "npx", "args": ["tool"]}},
			"hosted": {"package_identifier": "hosted-mcp", "config": {"command": "npx", "args": ["hosted-mcp"]}}}}`,
		".mcp.json": `{"mcpServers": {
			"moved": {"command": "npx", "args": ["-y", "mcp-remote", "` + u2 + `"]},
			"tool": {"command": "uvx", "args": ["tool"]},
			"hosted": {"type": "http", "url": "` + u1 + `"}}}`,
	})
	messages := map[string]string{}
	for _, f := range findings {
		if slices.Contains(lockRules, f.Rule.ID) {
			messages[f.Server] = f.Text()
		}
	}
	for _, part := range []string{`"gone"`, "is locked", "no file here configures npm:gone", "from the lockfile"} {
		assert.Contains(t, messages["gone"], part)
	}
	for _, part := range []string{u1, u2, "locked HTTP URL"} {
		assert.Contains(t, messages["moved"], part)
	}
	for _, part := range []string{u1, "command of npm:hosted-mcp"} {
		assert.Contains(t, messages["hosted"], part)
	}
	for _, part := range []string{"npx", "uvx"} {
		assert.Contains(t, messages["tool"], part)
	}
}

// subjects returns the findings of the lock rules as "rule server", sorted.
func subjects(findings []rule.Finding) []string {
	var list []string
	for _, f := range findings {
		if slices.Contains(lockRules, f.Rule.ID) {
			list = append(list, f.Rule.ID+" "+f.Server)
		}
	}
	slices.Sort(list)
	return list
}

// TestMCPTapAgreement lints two thousand random pairs of a lockfile and a
// configuration for which mcp-tap and mcplumb must say the same: URLs are written exactly, packages
// without a version, and URL arguments are only after mcp-remote. The expectation is mcp-tap's
// algorithm stated again in the plainest way, on the random data and not on files.
//
// Two things are left out of the region: upstream lets an entry take by package a server
// that a later entry owns by name, or has word for word. Names come first here, and then
// what is written: of several servers of one package upstream takes the first.
func TestMCPTapAgreement(t *testing.T) {
	const pairs = 2000
	random := rand.New(rand.NewPCG(1, 2))
	files := linttest.Files{}
	want := map[string][]string{}
	for len(want) < pairs {
		locked, installed := randomServers(random, true), randomServers(random, false)
		drift, stolen := mcpTapDrift(locked, installed)
		if stolen {
			continue
		}
		project := fmt.Sprintf("p%04d", len(want))
		want[project] = drift
		files[project+"/mcp-tap.lock"], files[project+"/.mcp.json"] = lockText(locked), configText(installed)
	}
	result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files)})
	require.NoError(t, err)
	got := map[string][]string{}
	for _, f := range result.Findings {
		project, _, _ := strings.Cut(f.File.Path, "/")
		switch f.Rule.ID {
		case "missing-server":
			got[project] = append(got[project], "missing "+f.Server)
		case "unlocked-server":
			got[project] = append(got[project], "extra "+f.Server)
		case "config-changed": // the subject is the locked name, which the message begins with
			name, _, _ := strings.Cut(f.Text()[1:], `"`)
			got[project] = append(got[project], "config_changed "+name)
		}
	}
	for project, drift := range want {
		slices.Sort(drift)
		slices.Sort(got[project])
		if !slices.Equal(drift, got[project]) {
			assert.Equal(t, drift, got[project], "%s\n%s", files[project+"/mcp-tap.lock"], files[project+"/.mcp.json"])
		}
	}
}

// tapServer is a server as mcp-tap knows it, locked or installed.
type tapServer struct {
	name, pkg string // pkg is empty for installed servers
	registry  string
	command   string
	args      []string
	url       string // of an installed native HTTP server
}

// randomServers returns up to four servers with different names.
func randomServers(random *rand.Rand, locked bool) []tapServer {
	names := []string{"alpha", "beta", "gamma", "delta", "epsilon"}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var servers []tapServer
	for _, name := range names[:random.IntN(5)] {
		s := tapServer{name: name}
		if random.IntN(3) == 0 {
			s.remote(random, locked)
		} else {
			s.local(random, locked)
		}
		servers = append(servers, s)
	}
	return servers
}

func (s *tapServer) remote(random *rand.Rand, locked bool) {
	url := pick(random, "https://one.acme.dev/mcp", "https://two.acme.dev/sse", "http://localhost:3000/mcp")
	if locked {
		s.pkg, s.registry = url, pick(random, "streamable-http", "http", "sse", "npm")
		if random.IntN(2) == 0 {
			s.args = []string{url}
		}
		return
	}
	if random.IntN(2) == 0 {
		s.url = url
		return
	}
	s.command, s.args = "npx", []string{"-y", "mcp-remote", url}
}

func (s *tapServer) local(random *rand.Rand, locked bool) {
	var pkg string
	switch random.IntN(3) {
	case 0:
		pkg, s.registry = pick(random, "@acme/server-a", "@acme/server-b", "server-c"), "npm"
		s.command, s.args = "npx", []string{"-y", pkg}
	case 1:
		pkg, s.registry = pick(random, "mcp-server-d", "mcp-server-e"), "pypi"
		s.command, s.args = "uvx", []string{pkg}
	default:
		pkg, s.registry = pick(random, "ghcr.io/acme/f", "mcp/g"), "oci"
		s.command, s.args = "docker", []string{"run", "-i", "--rm", pkg}
	}
	for range random.IntN(3) {
		s.args = append(s.args, pick(random, "--read-only", "--verbose", "--level=2"))
	}
	if locked {
		s.pkg = pkg
	}
}

func pick(random *rand.Rand, choices ...string) string { return choices[random.IntN(len(choices))] }

func (s *tapServer) argsURL() string {
	for _, arg := range s.args {
		if strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://") {
			return arg
		}
	}
	return ""
}

func (s *tapServer) installedURL() string {
	if s.url != "" {
		return s.url
	}
	return s.argsURL()
}

func (s *tapServer) lockedURL() string {
	if strings.HasPrefix(s.pkg, "http") {
		return s.pkg
	}
	return s.argsURL()
}

func matchesPkg(installed *tapServer, pkg string) bool {
	if strings.HasPrefix(pkg, "http") {
		return installed.installedURL() == pkg
	}
	return installed.command == pkg || slices.Contains(installed.args, pkg)
}

// mcpTapDrift is lockfile/differ.py with config/matching.py, in plain words. It
// also says whether an entry took a server that another entry has the name of, or has word for
// word. Of several servers of a package it takes the one that is word for word what is locked.
func mcpTapDrift(locked, installed []tapServer) (drift []string, stolen bool) {
	used := map[string]bool{}
	for i := range locked {
		l := &locked[i]
		match := find(installed, func(s *tapServer) bool { return s.name == l.name && !used[s.name] })
		if match == nil {
			isFree := func(s *tapServer) bool { return !used[s.name] && matchesPkg(s, l.pkg) }
			isExact := func(locked, s *tapServer) bool {
				return locked.command == s.command && slices.Equal(locked.args, s.args)
			}
			match = find(installed, func(s *tapServer) bool { return isFree(s) && isExact(l, s) })
			if match == nil {
				match = find(installed, isFree)
			}
			stolen = stolen || match != nil && find(locked, func(other *tapServer) bool {
				return other != l && (other.name == match.name || !isExact(l, match) && isExact(other, match))
			}) != nil
		}
		if match == nil {
			drift = append(drift, "missing "+l.name)
			continue
		}
		used[match.name] = true
		if changed(l, match) {
			drift = append(drift, "config_changed "+l.name)
		}
	}
	for _, s := range installed {
		if !used[s.name] {
			drift = append(drift, "extra "+s.name)
		}
	}
	return drift, stolen
}

func find(servers []tapServer, accept func(*tapServer) bool) *tapServer {
	for i := range servers {
		if accept(&servers[i]) {
			return &servers[i]
		}
	}
	return nil
}

func changed(locked, installed *tapServer) bool {
	remote := slices.Contains([]string{"streamable-http", "http", "sse"}, locked.registry) || locked.lockedURL() != ""
	if remote {
		return locked.lockedURL() == "" || locked.lockedURL() != installed.installedURL()
	}
	return installed.url != "" || locked.command != installed.command || !slices.Equal(locked.args, installed.args)
}

func lockText(servers []tapServer) string {
	var parts []string
	for _, s := range servers {
		parts = append(parts, fmt.Sprintf(`%q: {"package_identifier": %q, "registry_type": %q, "version": "latest", "integrity": null, "config": {"command": %q, "args": %s, "env_keys": []}}`,
			s.name, s.pkg, s.registry, s.command, list(s.args)))
	}
	return `{"lockfile_version": 1, "servers": {` + strings.Join(parts, ",\n") + "}}\n"
}

func configText(servers []tapServer) string {
	var parts []string
	for _, s := range servers {
		if s.url != "" {
			parts = append(parts, fmt.Sprintf(`%q: {"type": "http", "url": %q}`, s.name, s.url))
			continue
		}
		parts = append(parts, fmt.Sprintf(`%q: {"command": %q, "args": %s}`, s.name, s.command, list(s.args)))
	}
	return `{"mcpServers": {` + strings.Join(parts, ",\n") + "}}\n"
}

func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// TestManyLockedServers pairs twenty thousand entries with as many servers of
// other names, in five directories: what is compared pair by pair would not come to
// an end here.
func TestManyLockedServers(t *testing.T) {
	var locked []string
	configured := map[string][]string{}
	for i := range 20000 {
		locked = append(locked, fmt.Sprintf(`"locked-%d": {"package_identifier": "pkg-%d"}`, i, i))
		path := fmt.Sprintf("d%d/.mcp.json", i%5)
		configured[path] = append(configured[path], fmt.Sprintf(`"named-%d": {"command": "npx", "args": ["-y", "pkg-%d"]}`, i, i))
	}
	files := map[string]string{"mcp-tap.lock": `{"lockfile_version": 1, "servers": {` + strings.Join(locked, ",\n") + `}}`}
	for path, servers := range configured {
		files[path] = `{"mcpServers": {` + strings.Join(servers, ",\n") + `}}`
	}
	findings := linttest.LintFiles(t, files)
	drifts := 0
	for _, f := range findings {
		if f.Rule.ID == "alias-drift" {
			drifts++
		}
	}
	assert.Equal(t, 20000, drifts)
}
