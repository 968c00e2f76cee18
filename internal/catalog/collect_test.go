package catalog_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// sha512 is a hash as npm publishes one; its first bytes are 01 23.
var sha512 = "sha512-" + base64.StdEncoding.EncodeToString([]byte("\x01\x23"+strings.Repeat("a", 62)))

// collect returns what is vetted in a repository, of whose servers all are locked unless a
// test writes a lockfile itself.
func collect(t *testing.T, files map[string]string) ([]*catalog.Server, []catalog.LeftOut) {
	t.Helper()
	read := func(path string) ([]byte, error) {
		if content, found := files[path]; found {
			return []byte(content), nil
		}
		return nil, fs.ErrNotExist
	}
	run := func(rules []*rule.Rule) *lint.Result {
		result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: rules})
		require.NoError(t, err)
		require.Empty(t, result.Errors)
		return result
	}
	if files[lock.Name] == "" {
		l, _ := lock.Build(run([]*rule.Rule{}).Repo, nil, read)
		for i := range l.Servers {
			if strings.HasPrefix(l.Servers[i].Identity, "npm:") {
				l.Servers[i].Integrity = sha512
			}
		}
		content, err := l.Bytes()
		require.NoError(t, err)
		files[lock.Name] = string(content)
	}
	known, err := lock.Parse([]byte(files[lock.Name]))
	require.NoError(t, err)
	result := run(nil)
	v := catalog.Vetted{Repo: result.Repo, Known: known}
	for _, f := range result.Unmerged {
		if f.Severity >= rule.Warning {
			v.Findings = append(v.Findings, f)
		}
	}
	_, v.Gaps, v.Of = lock.Trace(result.Repo, known, read)
	return catalog.Collect(v)
}

// why are the entries that are left out, each with the reason.
func why(left []catalog.LeftOut) []string {
	all := []string{}
	for _, l := range left {
		all = append(all, l.Path+": "+l.Server+": "+l.Why)
	}
	return all
}

// TestCollect returns the vetted servers, each once, under any name and in any file.
func TestCollect(t *testing.T) {
	servers, left := collect(t, map[string]string{
		".mcp.json": `{"mcpServers": {
			"notes": {"command": "npx", "args": ["-y", "notes-mcp@1.2.0", "--root", "docs"], "env": {"NOTES_KEY": "${NOTES_KEY}"}},
			"wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp/", "headers": {"Authorization": "Bearer ${WIKI_TOKEN}"}},
			"own": {"command": "node", "args": ["server.js"]}}}`,
		".cursor/mcp.json": `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp@1.2.0", "--root", "docs"], "env": {"NOTES_KEY": "${env:NOTES_KEY}"}}}}`,
		"server.js":        "hello\n",
	})
	require.Empty(t, why(left))
	require.Len(t, servers, 3)
	require.Equal(t, &catalog.Server{
		Name: "notes", Names: []string{"notes"}, Files: []string{".cursor/mcp.json", ".mcp.json"}, Kind: "npm", Package: "notes-mcp", Version: "1.2.0",
		Locked: "sha512-0123" + strings.Repeat("61", 62), Integrity: "sha512-ASNh" + strings.Repeat("YWFh", 20) + "YQ==",
		Type: catalog.Stdio, Command: "npx", Args: []string{"-y", "notes-mcp@1.2.0", "--root", "docs"},
		Own: []string{"--root", "docs"}, Launcher: "npx", Environment: []string{"NOTES_KEY"},
		Written: []catalog.Way{{Server: &allow.Server{Name: "notes", Command: []string{"npx", "-y", "notes-mcp@1.2.0", "--root", "docs"}}, Path: ".cursor/mcp.json"}}, // of both files
	}, servers[0])
	require.Equal(t, catalog.HTTP, servers[2-1].Type)
	require.Equal(t, "https://wiki.acme.dev/mcp/", servers[1].Address, "as it is written")
	require.Equal(t, []string{"WIKI_TOKEN"}, servers[1].Environment)
	require.Equal(t, []string{"Authorization"}, servers[1].Headers)
	require.Equal(t, "sha256-5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03", servers[2].Locked) // sha256sum
}

// TestPinned writes the locked version for an entry that runs the newest one: the catalog
// offers the version that was vetted.
func TestPinned(t *testing.T) {
	servers, left := collect(t, map[string]string{
		".mcp.json": `{"mcpServers": {
			"notes": {"command": "npx", "args": ["-y", "notes-mcp", "serve"]},
			"box": {"command": "docker", "args": ["run", "-i", "--rm", "ghcr.io/acme/box:2"]}}}`,
		lock.Name: `version = 1
[[server]]
identity = 'npm:notes-mcp'
selector = ['serve']
names = ['notes']
files = ['.mcp.json']
version = '1.2.0'
integrity = '` + sha512 + `'
[[server]]
identity = 'oci:ghcr.io/acme/box'
names = ['box']
files = ['.mcp.json']
version = '2'
integrity = 'sha256:` + npmHash + `'
`,
	})
	require.Empty(t, why(left))
	require.Equal(t, []string{"-y", "notes-mcp@1.2.0", "serve"}, servers[0].Args)
	require.Equal(t, []string{"run", "-i", "--rm", "ghcr.io/acme/box:2@sha256:" + npmHash}, servers[1].Args)
}

// TestLeftOut says of each server that is not vetted why.
func TestLeftOut(t *testing.T) {
	token := "ghp_" + "aK93jd83JfkE02kfL" + "w93jfkDke02jdk39dkA"
	for name, test := range map[string]struct {
		entry, locked, want string
	}{
		"switched off":   {`{"command": "npx", "args": ["-y", "notes@1.0.0"], "disabled": true}`, "", "it is disabled"},
		"a finding":      {`{"command": "npx", "args": ["-y", "notes@1.0.0"], "env": {"TOKEN": "` + token + `"}}`, "", "mcplumb check finds hardcoded-secret in .kiro/settings/mcp.json"},
		"a placeholder":  {`{"type": "http", "url": "<your-server>"}`, "", "its command is a placeholder"},
		"not locked":     {`{"command": "npx", "args": ["-y", "notes@1.0.0"]}`, "version = 1\n", "mcplumb.lock does not have it as it is: mcplumb lock shows the difference"},
		"another hash":   {`{"type": "http", "url": "https://notes.acme.dev/mcp"}`, lockedAs("url:https://notes.acme.dev/mcp", "", "sha256:"+npmHash), "mcplumb.lock does not have it as it is: mcplumb lock shows the difference"},
		"other version":  {`{"command": "npx", "args": ["-y", "notes@1.1.0"]}`, lockedAs("npm:notes", "1.0.0", sha512), "mcplumb check finds version-conflict in .kiro/settings/mcp.json"},
		"no hash":        {`{"command": "npx", "args": ["-y", "notes@1.0.0"]}`, lockedAs("npm:notes", "1.0.0", ""), "mcplumb check finds missing-integrity in mcplumb.lock"},
		"a weak hash":    {`{"command": "npx", "args": ["-y", "notes@1.0.0"]}`, lockedAs("npm:notes", "1.0.0", "sha1-"+strings.Repeat("A", 27)+"="), "mcplumb check finds missing-integrity in mcplumb.lock"},
		"of the machine": {`{"command": "notes-server"}`, lockedAs("exec:notes-server", "", ""), "mcplumb.lock has no hash of it"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".kiro/settings/mcp.json": `{"mcpServers": {"notes": ` + test.entry + `}}`}
			if test.locked != "" {
				files[lock.Name] = test.locked
			}
			servers, left := collect(t, files)
			require.Empty(t, servers)
			require.Equal(t, []string{".kiro/settings/mcp.json: notes: " + test.want}, why(left))
		})
	}
}

// TestLeftOutAmongOthers: a finding in one entry leaves out no entry before or after it.
func TestLeftOutAmongOthers(t *testing.T) {
	token := "ghp_" + "aK93jd83JfkE02kfL" + "w93jfkDke02jdk39dkA"
	notes := func(name, more string) string {
		return `"` + name + `": {"command": "npx", "args": ["-y", "` + name + `-mcp@1.0.0"]` + more + `}`
	}
	bad := notes("bad", `, "env": {"TOKEN": "`+token+`"}`)
	for _, entries := range [][]string{{notes("a", ""), bad, notes("b", "")}, {bad, notes("a", ""), notes("b", "")}, {notes("a", ""), notes("b", ""), bad}} {
		servers, left := collect(t, map[string]string{".mcp.json": `{"mcpServers": {` + strings.Join(entries, ",") + `}}`})
		require.Equal(t, []string{".mcp.json: bad: mcplumb check finds hardcoded-secret in .mcp.json"}, why(left))
		require.Len(t, servers, 2)
		require.Equal(t, []string{"a", "b"}, []string{servers[0].Name, servers[1].Name})
	}
}

// lockedAs is a lockfile with one server.
func lockedAs(identity, version, integrity string) string {
	return "version = 1\n[[server]]\nidentity = '" + identity + "'\nnames = ['notes']\nfiles = ['.kiro/settings/mcp.json']\nversion = '" + version + "'\nintegrity = '" + integrity + "'\n"
}

// TestCredentials checks that the catalog does not publish an entry with a credential, at any
// level of findings.
func TestCredentials(t *testing.T) {
	token := "ghp_" + "aK93jd83JfkE02kfL" + "w93jfkDke02jdk39dkA"
	for _, entry := range []string{
		`{"command": "npx", "args": ["-y", "notes@1.0.0", "--token", "` + token + `"]}`,
		`{"command": "npx", "args": ["-y", "notes@1.0.0", "--header=Authorization: Bearer ` + token + `"]}`,
		`{"type": "http", "url": "https://notes.acme.dev/mcp?api_key=` + token + `"}`,
		`{"type": "http", "url": "https://me:` + token + `@notes.acme.dev/mcp"}`,
		`{"type": "http", "url": "https://notes.acme.dev/` + token + `/mcp"}`,
		`{"command": "npx", "args": ["-y", "mcp-remote@0.1.18", "https://notes.acme.dev/mcp", "--header", "Authorization: Bearer ` + token + `"]}`,
		`{"command": "npx", "args": ["-y", "notes@1.0.0", "--token", "Zq7tB4mXw9` + `Lk2Vn8Rp5c"]}`,
	} {
		files := map[string]string{".mcp.json": `{"mcpServers": {"notes": ` + entry + `}, "x": 1}`}
		files[".mcplumb.yaml"] = "rules: {hardcoded-secret: off}"
		servers, left := collectAt(t, files)
		require.Empty(t, servers, strings.ReplaceAll(entry, token, "TOKEN"))
		require.Len(t, left, 1)
		require.Contains(t, left[0].Why, "a credential")
		text, err := json.Marshal(left)
		require.NoError(t, err)
		require.False(t, strings.Contains(string(text), token))
	}
}

// TestCredentialsElsewhere holds that no entry of a server has a credential, not only the one
// that the catalog starts it by; and that what is one in another place is one here.
func TestCredentialsElsewhere(t *testing.T) {
	plain := "Zq7tB4mXw9" + "Lk2Vn8Rp5c"
	servers, left := collectAt(t, map[string]string{
		".mcp.json":        `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes@1.0.0"]}}}`,
		".cursor/mcp.json": `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes@1.0.0", "--token", "` + plain + `"]}}}`,
	})
	require.Empty(t, servers)
	require.Equal(t, []string{".cursor/mcp.json: notes: its command line or address contains a credential"}, why(left))

	servers, left = collectAt(t, map[string]string{".mcp.json": `{"mcpServers": {
		"notes": {"command": "npx", "args": ["-y", "notes@1.0.0", "` + plain + `"]},
		"wiki": {"command": "npx", "args": ["-y", "wiki@1.0.0"], "env": {"WIKI_TOKEN": "` + plain + `"}}}}`})
	require.Len(t, servers, 1)
	require.Equal(t, "wiki", servers[0].Name)
	require.Len(t, left, 1)
}

// TestNoCredential offers an image behind the name of a variable that is handed to it.
func TestNoCredential(t *testing.T) {
	const image = "ghcr.io/acme/notes@sha256:" + npmHash
	servers, left := collect(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "NOTES_TOKEN", "` + image + `"]}}}`})
	require.Empty(t, why(left))
	require.Len(t, servers, 1)
}

// TestPartlySaid tells what the MCP registry's form says all of from what it does not: who
// took the package alone would run something else.
func TestPartlySaid(t *testing.T) {
	for words, want := range map[string]struct {
		own string // "-" for what is not said
		env string
		// runtime is the command line before the package, with the address of its registry
		// first.
		runtime string
	}{
		"npx -y notes@1.0.0 serve --x":                                                    {own: "serve --x"},
		"cmd /c npx -y notes@1.0.0 serve":                                                 {own: "serve"},
		"cmd /c npx -y --prefer-offline notes@1.0.0 serve":                                {own: "-"},
		"npx -y -p notes@1.0.0 notes serve":                                               {own: "serve"},
		"npx -y -p notes@1.0.0 other serve":                                               {own: "-"},
		"npx -y --registry https://npm.acme.dev notes@1.0.0":                              {runtime: "https://npm.acme.dev -y"},
		"npx -y --registry=https://npm.acme.dev -p notes@1.0.0 notes serve":               {own: "serve", runtime: "https://npm.acme.dev -y"},
		"npx -y -p more@1.0.0 -p notes@1.0.0 notes serve":                                 {own: "-"},
		"npx -y --registry ${NPM} notes@1.0.0":                                            {own: "-", env: "NPM"},
		"npx -y notes@1.0.0 --key ${NOTES_KEY}":                                           {own: "-", env: "NOTES_KEY"},
		"env MODE=ro npx -y notes@1.0.0":                                                  {own: "-"},
		"uvx --from notes==1.0.0 notes --x":                                               {own: "--x"},
		"uvx --python 3.12 notes==1.0.0":                                                  {runtime: "--python 3.12"},
		"uvx --python 3.12 --from notes==1.0.0 notes --x":                                 {own: "--x", runtime: "--python 3.12"},
		"uvx --index-url https://pypi.acme.dev/simple notes==1.0.0":                       {runtime: "https://pypi.acme.dev/simple"},
		"uvx --from notes==1.0.0 other --x":                                               {own: "-"},
		"uvx --with more==1.0.0 notes==1.0.0":                                             {runtime: "--with more==1.0.0"},
		"pipx run --python 3.12 notes==1.0.0":                                             {own: "-"},
		"docker run -i --rm -e MODE acme/notes:1 stdio":                                   {own: "stdio", env: "MODE"},
		"docker run -i --rm -e MODE=ro acme/notes:1 stdio":                                {own: "stdio", env: "", runtime: "-e MODE=ro"},
		"docker run -i -v /data:/data --network none acme/notes:1":                        {runtime: "-v /data:/data --network none"},
		"docker run -i --entrypoint sh acme/notes:1":                                      {runtime: "--entrypoint sh"},
		"docker --context far run -i --network none acme/notes:1":                         {own: "-"},
		"podman run -i --network none acme/notes:1":                                       {own: "-"},
		"npx -y mcp-remote@0.1.18 https://notes.acme.dev/mcp --header X-Tenant:${TENANT}": {env: "TENANT"},
	} {
		list := strings.Fields(words)
		args, err := json.Marshal(list[1:])
		require.NoError(t, err)
		servers, _ := collectAt(t, map[string]string{".mcp.json": `{"mcpServers": {"notes": {"command": "` + list[0] + `", "args": ` + string(args) + `}}}`})
		require.Len(t, servers, 1, words)
		s := servers[0]
		require.Equal(t, want.own == "-", s.IsPartlySaid, words)
		if want.own != "-" {
			require.Equal(t, want.own, strings.Join(s.Own, " "), words)
		}
		require.Equal(t, want.env, strings.Join(s.Environment, " "), words)
		a := get(t, catalogOf(t, s), serverName+"notes/versions/latest", "")
		require.Equal(t, want.own != "-" && s.Type == catalog.Stdio, strings.Contains(string(a.Body), `"packages"`), words)
		require.Equal(t, want.runtime, strings.TrimSpace(s.Runtime.Base+" "+strings.Join(s.Runtime.Args, " ")), words)
		base, _, _ := strings.Cut(want.runtime, " ")
		require.Equal(t, strings.HasPrefix(base, "https:"), strings.Contains(string(a.Body), `"registryBaseUrl":"`+base+`"`), words)
		require.Equal(t, len(s.Runtime.Args) > 0, strings.Contains(string(a.Body), `"runtimeArguments":[{"type":"positional"`), words)
		require.Equal(t, s.Type == catalog.HTTP, strings.Contains(string(a.Body), `"headers":[{"name":"x-tenant"`), words)
	}
}

// collectAt is collect where findings do not matter.
func collectAt(t *testing.T, files map[string]string) ([]*catalog.Server, []catalog.LeftOut) {
	t.Helper()
	read := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: []*rule.Rule{}})
	require.NoError(t, err)
	known, _ := lock.Build(result.Repo, nil, read)
	for i := range known.Servers {
		known.Servers[i].Integrity = sha512
	}
	_, gaps, of := lock.Trace(result.Repo, known, read)
	for _, s := range of {
		s.Integrity = sha512
	}
	return catalog.Collect(catalog.Vetted{Repo: result.Repo, Known: known, Of: of, Gaps: gaps})
}

// TestNamespaceOf says whose servers they are where no setting does.
func TestNamespaceOf(t *testing.T) {
	for origin, want := range map[string]string{
		"https://github.com/acme/servers":            "io.github.acme",
		"https://github.com/acme/servers.git":        "io.github.acme",
		"git@github.com:acme/servers.git":            "io.github.acme",
		"ssh://git@github.com:22/acme/servers":       "io.github.acme",
		"https://gitlab.com/acme/team/servers":       "com.gitlab.acme",
		"git@git.acme.dev:tools/servers.git":         "dev.acme.git.tools",
		"https://me:word@git.acme.dev/tools/servers": "dev.acme.git.tools",
		"":                         "local.my-servers",
		"/srv/git/servers.git":     "local.my-servers",
		"../servers":               "local.my-servers",
		"file:///srv/git/servers":  "local.my-servers",
		"https://git.acme.dev/":    "local.my-servers",
		"https://[::1]/acme/x":     "local.my-servers",
		"https://github.com/\x1b/": "local.my-servers",
	} {
		require.Equal(t, want, catalog.NamespaceOf(origin, "my servers!"), origin)
	}
	require.Equal(t, "local.repository", catalog.NamespaceOf("", "???"))
}
