package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// weakPassword is a password that anyone could guess: not a finding, but still a credential.
func weakPassword() string { return "hunt" + "er2" }

// withPasswords is a repository whose servers have a password at every place that is
// called after one.
func withPasswords(t *testing.T, password string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "acme")
	write(t, dir, "server.js", "hello\n")
	write(t, dir, ".mcplumb.yaml", "catalog:\n  namespace: dev.acme\nin-step:\n  - files: [.mcp.json, .cursor/mcp.json, .vscode/mcp.json, .codex/config.toml]\n    source: .mcp.json\n")
	write(t, dir, ".mcp.json", strings.ReplaceAll(`{"mcpServers": {
  "env": {"command": "node", "args": ["server.js", "env"], "env": {"PGPASSWORD": "VALUE", "DB_PASS": "VALUE", "REDISCLI_AUTH": "VALUE"}},
  "is": {"command": "node", "args": ["server.js", "--pgpassword=VALUE"]},
  "behind": {"command": "node", "args": ["server.js", "--pgpassword", "VALUE"]},
  "box": {"command": "docker", "args": ["run", "-e", "PGPASSWORD=VALUE", "acme/box:1.0.0"]},
  "line": {"command": "sh", "args": ["-c", "PGPASSWORD=VALUE node server.js line"]},
  "login": {"command": "node", "args": ["server.js", "postgres://app:VALUE@localhost/app"]},
  "query": {"type": "http", "url": "https://query.acme.dev/mcp?api_key=VALUE"},
  "header": {"type": "http", "url": "https://header.acme.dev/mcp", "headers": {"X-Api-Key": "VALUE", "Authorization": "Bearer VALUE"}}}}`, "VALUE", password))
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first")
	return dir
}

// TestNothingCopiesAPassword checks that everything that copies or publishes treats a value as
// a credential by its name, for any value.
func TestNothingCopiesAPassword(t *testing.T) {
	for _, password := range []string{weakPassword(), "Zq8vKx72" + "LmWp4TyB"} {
		for name, args := range map[string][]string{
			"lock": {"lock"}, "catalog build": {"catalog", "build", "--out", "site"}, "catalog policy": {"catalog", "policy", "--client", "claude-code"},
			"sync": {"sync"}, "sync --diff": {"sync", "--diff"}, "sync to another client": {"sync", "--from", ".mcp.json", "--to", "continue,opencode"},
			"check --fix": {"check", "--fix", "--rule", "out-of-step"}, "check --fix --diff": {"check", "--fix", "--diff"},
			"matrix": {"list", "--format", "matrix"}, "check": {"check", "--severity", "note"},
			"fleet": {"fleet", "check", "--repos", "repositories", "--out", "out"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := withPasswords(t, password)
				write(t, dir, "repositories", ".\n")
				if strings.HasPrefix(name, "catalog") {
					run(t, dir, "lock")
				}
				_, stdout, stderr := run(t, dir, args...)
				outputs := stdout + stderr
				if name == "fleet" {
					for _, format := range []string{"json", "markdown", "csv", "html"} {
						_, report, said := run(t, dir, "fleet", "report", "--format", format, "out")
						outputs += report + said
					}
				}
				assert.NotContains(t, outputs, password)
				files := contentsOf(t, dir)
				delete(files, filepath.Join(dir, ".mcp.json"))
				for path, content := range files {
					assert.NotContains(t, content, password, path)
				}
			})
		}
	}
}
