package github_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// held is a server with a credential, which stays where it is when other servers are fixed.
// The name of another server is also a credential.
func held(secret string) string {
	return "    \"git\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"git-mcp@1.2.0\", \"--key=" + secret + "\"],\n      \"env\": {\"GIT_TOKEN\": \"" + secret + "\"}\n    }"
}

// credentials are credentials of several forms in the repository; the one in the
// environment is canary.
var credentials = []string{
	"ghp_" + strings.Repeat("R7kQ2mZ9xV4b", 3), "AKIA" + strings.Repeat("Q7ZK", 4), "sk-ant-api03-" + strings.Repeat("m4X9", 24) + "AA",
}

// canaries makes files with something to fix next to each credential, and in a project that
// has a server with a credential for its name.
func canaries() map[string]string {
	files := map[string]string{"README.md": "# web\n"}
	for i, secret := range credentials {
		dir := string(rune('a' + i))
		files[dir+"/.mcp.json"] = servers(held(secret), server("web", "uri"))
		files[dir+"/.vscode/mcp.json"] = strings.Replace(servers(held(secret)), "mcpServers", "servers", 1)
		files[dir+"/named/.mcp.json"] = strings.ReplaceAll(servers(server("web", "uri")), `"web"`, `"`+secret+`"`)
	}
	return files
}

// showsNone holds that no credential was in a request but in the contents of a fixed file,
// and in no log, output, summary or report.
func (s *scene) showsNone(files ...string) {
	s.Helper()
	require.NotEmpty(s, s.Requests())
	texts := []string{s.said}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(s, err)
		texts = append(texts, string(text))
	}
	for _, u := range s.Uploads() {
		texts = append(texts, string(u.SARIF))
	}
	for _, secret := range append([]string{canary, double.Token}, credentials...) {
		for _, text := range texts {
			assert.NotContains(s, text, secret)
		}
		for _, r := range s.Requests() {
			if r.Has(secret) {
				assert.Equal(s, "POST /git/trees", r.Kind, "where a fixed file is")
				assert.Contains(s, credentials, secret, "what stands in no file is in no request")
				assert.False(s, r.HasBeside("content", secret), "and nowhere else in it")
			}
		}
	}
}

// TestCanary: with every command, a credential of the repository goes only into the commit
// of a file that has it, and a credential of the environment goes nowhere.
func TestCanary(t *testing.T) {
	t.Parallel()
	s := begin(t, canaries())
	run := func(what string, env ...string) {
		s.Forget()
		_, outputs := s.act(nil, append(env, "INPUT_SEVERITY=note", "INPUT_UPLOAD_SARIF=true", "GITHUB_SHA="+s.Branch("main"), "DEPLOY_TOKEN="+canary)...)
		assert.Contains(t, outputs, "pull-request-operation="+what+"\n")
		s.showsNone()
	}
	run("created", "INPUT_FIX_LABELS=mcp", "INPUT_FIX_SIGNOFF=true")
	require.NotEmpty(t, s.Uploads())
	s.push(map[string]string{"more/.mcp.json": servers(held(credentials[0]), server("web", "uri"))})
	run("updated", "INPUT_FIX_LABELS=mcp")
	s.push(map[string]string{"README.md": "# more\n"})
	run("updated", "INPUT_FIX_SAFETY=unsafe")
	gone := map[string]string{"more/.mcp.json": "", "README.md": "# none\n"}
	for file := range canaries() {
		if file != "README.md" {
			gone[file] = ""
		}
	}
	s.push(gone)
	run("closed", "INPUT_FAIL_ON_NO_FILES=never")
	for _, p := range s.Pulls() {
		for _, secret := range append([]string{canary, double.Token}, credentials...) {
			assert.NotContains(t, p.Title+p.Body+strings.Join(p.Comments, ""), secret)
		}
	}
}

// TestCanaryInCommands: the same for fix-pr outside of a workflow, with any answer of
// GitHub.
func TestCanaryInCommands(t *testing.T) {
	t.Parallel()
	s := begin(t, canaries())
	for _, args := range [][]string{{"--dry-run"}, {"--dry-run", "--fix-safety", "unsafe"}, {"--group", "project"}, {"--fix-safety", "unsafe"}} {
		s.fixPR(args...)
		s.showsNone()
	}
	for _, kind := range []string{"POST /git/trees", "POST /git/commits", "mutation updateRefs", "PATCH /pulls/{pull_number}"} {
		s.push(map[string]string{"README.md": "# " + kind + "\n"})
		s.Fail(kind, double.ReadOnly)
		s.fixPR()
		s.showsNone()
		s.Recover()
	}
}

// TestCanaryInSuggestions: neither a suggestion nor the action's own output shows a
// credential.
func TestCanaryInSuggestions(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, canaries())
	dir := s.TempDir()
	s.inputs = []string{
		"INPUT_FIX_SAFETY=unsafe", "INPUT_SEVERITY=note", "INPUT_UPLOAD_SARIF=true", "GITHUB_SHA=" + s.git(s.clone, "rev-parse", "HEAD"),
		"INPUT_SARIF_FILE=" + filepath.Join(dir, "report.sarif"), "GITHUB_OUTPUT=" + filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"),
	}
	s.suggest()
	require.NotEmpty(t, s.standing())
	written := []string{filepath.Join(dir, "report.sarif"), filepath.Join(dir, "output"), filepath.Join(dir, "summary")}
	s.showsNone(written...)
	for _, r := range s.Writes() {
		for _, secret := range credentials {
			assert.False(t, r.Has(secret), r.Kind)
		}
	}
	s.change(map[string]string{"a/.mcp.json": servers(held(credentials[0]), server("web", "url"))})
	s.checkout()
	s.inputs[3] = "GITHUB_SHA=" + s.git(s.clone, "rev-parse", "HEAD")
	assert.Contains(t, s.suggest(), "1 removed")
	s.showsNone(written...)
}
