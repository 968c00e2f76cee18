package cli_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sharedSettings turn one rule off and ignore what another finds.
const sharedSettings = "rules: {duplicate-server: off}\nignore:\n  - {rule: insecure-url, path: '**/.mcp.json', reason: all of our docs are public}\n  - {rule: alias-drift, server: elsewhere, reason: of another repository}\n"

// policies are a file of a repository on GitHub and the same on the web, in one server on this
// machine, which counts what it is asked.
type policies struct {
	*httptest.Server
	asked  int
	text   string
	tokens []string
}

// policyCommit is the commit at which the repository has the file.
var policyCommit = strings.Repeat("c0ffee42", 5)

func newPolicies(t *testing.T) *policies {
	t.Helper()
	p := &policies{text: sharedSettings}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked++
		p.tokens = append(p.tokens, r.Header.Get("Authorization"))
		if r.URL.Path == "/api/repos/acme/policy/contents/teams/mcp.yaml" && r.URL.Query().Get("ref") == policyCommit || r.URL.Path == "/mcp.yaml" {
			_, _ = io.WriteString(w, p.text)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message": "Not Found"}`)
	}))
	t.Cleanup(p.Close)
	return p
}

// run runs the program with the API of the server.
func (p *policies) run(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runIn(t.Context(), dir, map[string]string{"GITHUB_API_URL": p.URL + "/api", "GITHUB_TOKEN": "t0k"}, args...)
}

// pinned is the file on the web with its hash.
func (p *policies) pinned() string {
	sum := sha256.Sum256([]byte(sharedSettings))
	return p.URL + "/mcp.yaml#sha256=" + hex.EncodeToString(sum[:])
}

// TestExtendsIsFetchedOnline fetches settings of other repositories with --online, and says
// without which file it is that is not here.
func TestExtendsIsFetchedOnline(t *testing.T) {
	p := newPolicies(t)
	onHub := "github:acme/policy/teams/mcp.yaml@" + policyCommit
	for name, entry := range map[string]string{"GitHub": onHub, "the web": p.pinned()} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".mcp.json", newFinding)
			write(t, dir, ".mcplumb.yaml", "extends:\n  - "+entry+"\nin-step: [{files: [.mcp.json, '*/.mcp.json']}]\n")
			shown, _, _ := strings.Cut(entry, "#")
			p.asked, p.tokens = 0, nil
			for _, args := range [][]string{{"check"}, {"settings"}, {"list"}, {"sync", "--check"}, {"baseline"}, {"ignore", "insecure-url", "--reason", "x"}, {"catalog", "build"}, {"lock", "--check"}} {
				code, stdout, stderr := p.run(t, dir, args...)
				assert.Equal(t, 3, code, args)
				assert.Empty(t, stdout)
				assert.Equal(t, "mcplumb: .mcplumb.yaml:2:5: "+shown+": the file is not in this repository: --online fetches it (of the Action the input online: true)\n", stderr)
			}
			assert.Zero(t, p.asked)
			for _, args := range [][]string{{"sync", "--check", "--online"}, {"list", "--online"}, {"settings", "--online"}} {
				code, _, stderr := p.run(t, dir, args...)
				assert.Zero(t, code, stderr)
			}
			assert.Equal(t, 3, p.asked)
			code, stdout, stderr := p.run(t, dir, "check", "--online", "--rule", "insecure-url,duplicate-server,unused-ignore", "-v")
			assert.Zero(t, code, stderr)
			assert.Contains(t, stdout, "1 suppressed")
			assert.Contains(t, stderr, "\nextends      "+shown+"\n")
			if name == "GitHub" {
				assert.Equal(t, "Bearer t0k", p.tokens[0])
			} else {
				assert.Equal(t, []string{"", "", "", ""}, p.tokens, "the token is for GitHub alone")
			}
		})
	}
}

// TestExtendsNotFetched says of files that cannot be had why, and shows none of what is there
// instead.
func TestExtendsNotFetched(t *testing.T) {
	p := newPolicies(t)
	dir := t.TempDir()
	fails := func(entry, want string) {
		t.Helper()
		write(t, dir, ".mcplumb.yaml", "extends: ['"+entry+"']\n")
		code, stdout, stderr := p.run(t, dir, "settings", "--online")
		assert.Equal(t, 3, code)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, "mcplumb: .mcplumb.yaml:1:11: ")
		assert.Contains(t, stderr, want)
	}
	fails("github:acme/policy/none.yaml@"+policyCommit, "none.yaml@"+policyCommit+": cannot read the file: it does not exist, or the token may not see it (404: Not Found)")
	fails(strings.Replace(p.pinned(), "mcp.yaml", "none.yaml", 1), "/none.yaml: 127.0.0.1:"+p.URL[strings.LastIndex(p.URL, ":")+1:]+": there is no such file")
	p.text = "rules: {insecure-url: off}\n"
	fails(p.pinned(), "/mcp.yaml: what is there now has the hash sha256=")
	p.text = strings.Repeat("#", 2<<20)
	fails(p.pinned(), "its answer is longer than 1 MB")

	// A mistake in it is reported at its place.
	p.text = "\nrules: {insecure-ulr: off}\n"
	write(t, dir, ".mcplumb.yaml", "extends: ['github:acme/policy/teams/mcp.yaml@"+policyCommit+"']\n")
	code, _, stderr := p.run(t, dir, "check", "--online")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "mcplumb: github:acme/policy/teams/mcp.yaml@"+policyCommit+`:2:9: unknown rule "insecure-ulr"`)

	// A token is sent to no API without encryption beyond this machine.
	code, _, stderr = runIn(t.Context(), dir, map[string]string{"GITHUB_API_URL": "http://ghe.example.com/api/v3", "GITHUB_TOKEN": "t0k"}, "check", "--online")
	assert.Equal(t, 3, code)
	assert.Contains(t, stderr, "GITHUB_API_URL must be an https address of GitHub's API")
}

// TestExtendsIsKept asks once for a file where a cache is named, and believes nothing in it that
// is of something else.
func TestExtendsIsKept(t *testing.T) {
	p := newPolicies(t)
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "answers")
	for _, entry := range []string{p.pinned(), "github:acme/policy/teams/mcp.yaml@" + policyCommit} {
		p.asked = 0
		write(t, dir, ".mcplumb.yaml", "extends: ['"+entry+"']\n")
		for range 2 {
			code, _, stderr := p.run(t, dir, "check", "--online", "--cache", cache)
			require.Zero(t, code, stderr)
			assert.Equal(t, 1, p.asked)
		}
	}
	files, err := filepath.Glob(filepath.Join(cache, "mcplumb-*.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		write(t, cache, filepath.Base(file), `{"extends": {}, "content": "e30="}`)
	}
	p.asked = 0
	code, _, _ := p.run(t, dir, "check", "--online", "--cache", cache)
	require.Zero(t, code)
	assert.Equal(t, 1, p.asked)
}

// TestExtendsAtBase says what a change hides that brings a file to extend, changes one, or moves
// its pin.
func TestExtendsAtBase(t *testing.T) {
	p := newPolicies(t)
	dir := history(t, func(dir string) {
		write(t, dir, "web/.mcp.json", newFinding)
		write(t, dir, "policies/mcp.yaml", "exclude: [vendor]\n")
		write(t, dir, ".mcplumb.yaml", "extends: [policies/mcp.yaml, 'github:acme/policy/teams/mcp.yaml@"+policyCommit+"']\n")
		commitAll(t, dir, "extend")
	})
	_, stdout, _ := p.run(t, dir, "check", "--online", "--base", "main")
	assert.Contains(t, stdout, "the settings hide more than at the base: duplicate-server is off, vendor is excluded, insecure-url is ignored in **/.mcp.json, alias-drift is ignored of \"elsewhere\"\n")
	_, stdout, _ = p.run(t, dir, "check", "--online", "--base", "HEAD")
	assert.NotContains(t, stdout, "hide more")

	write(t, dir, "policies/mcp.yaml", "exclude: [vendor, web]\n")
	_, stdout, _ = p.run(t, dir, "check", "--online", "--base", "HEAD")
	assert.Contains(t, stdout, "the settings hide more than at the base: web is excluded\n")

	// Without --online the settings of a base that extends such a file are not known.
	write(t, dir, ".mcplumb.yaml", "extends: [policies/mcp.yaml]\n")
	_, stdout, _ = p.run(t, dir, "check", "--base", "HEAD")
	assert.Contains(t, stdout, "cannot read the settings at the base, so mcplumb cannot tell whether the current settings hide more findings\n")
}

// TestExtendsInTheAction has the input online fetch settings, with the token of the step.
func TestExtendsInTheAction(t *testing.T) {
	p := newPolicies(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", newFinding)
	write(t, dir, ".mcplumb.yaml", "extends: ['github:acme/policy/teams/mcp.yaml@"+policyCommit+"']\nregistries: {osv: '"+p.URL+"', npm: '"+p.URL+"'}\n")
	inputs := map[string]string{"GITHUB_API_URL": p.URL + "/api", "INPUT_TOKEN": "st3p", "GITHUB_WORKSPACE": dir, "GITHUB_ACTIONS": "true"}
	code, stdout, stderr := runIn(t.Context(), dir, inputs, "action")
	assert.Equal(t, 3, code)
	assert.Contains(t, stdout+stderr, "teams/mcp.yaml@"+policyCommit+": the file is not in this repository")
	assert.Zero(t, p.asked)
	inputs["INPUT_ONLINE"] = "true"
	code, stdout, stderr = runIn(t.Context(), dir, inputs, "action")
	assert.Zero(t, code, stdout+stderr)
	assert.Equal(t, "Bearer st3p", p.tokens[0])
}

// TestFleetExtends checks a repository of a list that extends settings of another, with --online.
func TestFleetExtends(t *testing.T) {
	p := newPolicies(t)
	dir, out := history(t, func(dir string) {
		write(t, dir, ".mcplumb.yaml", "extends: [policies/mcp.yaml, 'github:acme/policy/teams/mcp.yaml@"+policyCommit+"']\n")
		write(t, dir, "policies/mcp.yaml", "exclude: [vendor]\n")
		commitAll(t, dir, "extend")
	}), t.TempDir()
	write(t, out, "list", dir+"\n")
	code, _, stderr := p.run(t, out, "fleet", "check", "--repos", "list", "--out", "records")
	assert.Equal(t, 3, code)
	assert.Contains(t, stderr, "--online fetches it")
	assert.Zero(t, p.asked)
	code, stdout, stderr := p.run(t, out, "fleet", "check", "--repos", "list", "--out", "records", "--online")
	assert.Zero(t, code, stderr)
	assert.Contains(t, stdout, "1 read")
}
