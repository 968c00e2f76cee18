package checks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestTenServersInSixClients lints one project whose six clients configure the
// same ten servers, each in its own spelling: path variables, native and
// bridged, references in six syntaxes, values handed through, other launchers
// of one package. That is the wanted state; only the needless bridge is worth a
// note.
func TestTenServersInSixClients(t *testing.T) {
	findings := linttest.LintFiles(t, map[string]string{
		".mcp.json": `{"mcpServers": {
			"github": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"], "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}},
			"linear": {"type": "http", "url": "https://mcp.linear.app/mcp"},
			"docs": {"command": "node", "args": ["${CLAUDE_PROJECT_DIR:-.}/tools/docs.js", "--root", "${CLAUDE_PROJECT_DIR:-.}/docs"]},
			"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
			"postgres": {"command": "npx", "args": ["-y", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "${DATABASE_URL}"}},
			"fetch": {"command": "uvx", "args": ["mcp-server-fetch"]},
			"sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp", "headers": {"Authorization": "Bearer ${SENTRY_TOKEN}"}},
			"playwright": {"command": "npx", "args": ["-y", "@playwright/mcp@latest"]},
			"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "."]},
			"supabase": {"type": "http", "url": "https://mcp.supabase.com/mcp?project_ref=abcdefgh&read_only=true"}}}`,
		".cursor/mcp.json": `{"mcpServers": {
			"github": {"command": "docker", "args": ["run", "--rm", "-i", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server:latest"], "env": {"GITHUB_TOKEN": "${env:GITHUB_TOKEN}"}},
			"linear": {"url": "https://mcp.linear.app/mcp/"},
			"docs": {"command": "node", "args": ["${workspaceFolder}/tools/docs.js", "--root", "${workspaceFolder}/docs"]},
			"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${workspaceFolder}"]},
			"postgres": {"command": "npx", "args": ["-y", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "${env:DATABASE_URL}"}},
			"fetch": {"command": "uv", "args": ["tool", "run", "mcp-server-fetch"]},
			"sentry": {"url": "https://mcp.sentry.dev/mcp", "headers": {"authorization": "Bearer ${env:SENTRY_TOKEN}"}},
			"playwright": {"command": "bunx", "args": ["@playwright/mcp"]},
			"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "${workspaceFolder}"]},
			"supabase": {"url": "https://mcp.supabase.com/mcp?read_only=true&project_ref=abcdefgh"}}}`,
		".vscode/mcp.json": `{"inputs": [{"type": "promptString", "id": "github-token", "password": true}, {"type": "promptString", "id": "dsn"}],
			"servers": {
			"github": {"type": "stdio", "command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"], "env": {"GITHUB_TOKEN": "${input:github-token}"}},
			"linear": {"type": "http", "url": "https://mcp.linear.app/mcp"},
			"docs": {"type": "stdio", "command": "node", "args": ["${workspaceFolder}/tools/docs.js", "--root", "${workspaceFolder}/docs"], "cwd": "${workspaceFolder}"},
			"files": {"type": "stdio", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${workspaceFolder}"]},
			"postgres": {"type": "stdio", "command": "npx", "args": ["-y", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "${input:dsn}"}},
			"fetch": {"type": "stdio", "command": "pipx", "args": ["run", "mcp_server_fetch"]},
			"sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp", "headers": {"Authorization": "Bearer ${env:SENTRY_TOKEN}"}},
			"playwright": {"type": "stdio", "command": "npx", "args": ["@playwright/mcp@latest"]},
			"git": {"type": "stdio", "command": "uvx", "args": ["mcp-server-git", "--repository", "${workspaceFolder}"]},
			"supabase": {"type": "http", "url": "https://mcp.supabase.com/mcp?project_ref=abcdefgh&read_only=true"}}}`,
		".gemini/settings.json": `{"mcpServers": {
			"github": {"command": "docker", "args": ["run", "-ie", "GITHUB_TOKEN", "--rm", "ghcr.io/github/github-mcp-server"], "env": {"GITHUB_TOKEN": "$GITHUB_TOKEN"}},
			"linear": {"httpUrl": "https://mcp.linear.app/mcp"},
			"docs": {"command": "node", "args": ["./tools/docs.js", "--root", "./docs"]},
			"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "./"]},
			"postgres": {"command": "npx", "args": ["--yes", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "$DATABASE_URL"}},
			"fetch": {"command": "uvx", "args": ["--from", "mcp-server-fetch", "mcp-server-fetch"]},
			"sentry": {"httpUrl": "https://mcp.sentry.dev/mcp", "headers": {"Authorization": "Bearer $SENTRY_TOKEN"}},
			"playwright": {"command": "pnpm", "args": ["dlx", "@playwright/mcp"]},
			"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "./"]},
			"supabase": {"httpUrl": "https://mcp.supabase.com/mcp?project_ref=abcdefgh&read_only=true"}}}`,
		".roo/mcp.json": `{"mcpServers": {
			"github": {"command": "podman", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"]},
			"linear": {"type": "streamable-http", "url": "https://mcp.linear.app/mcp"},
			"docs": {"command": "cmd", "args": ["/c", "node", "tools\\docs.js", "--root", ".\\docs"]},
			"files": {"command": "cmd", "args": ["/c", "npx", "-y", "@modelcontextprotocol/server-filesystem", "."]},
			"postgres": {"command": "npx", "args": ["-y", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "${env:DATABASE_URL}"}},
			"fetch": {"command": "uvx", "args": ["mcp-server-fetch@latest"]},
			"sentry": {"type": "streamable-http", "url": "https://mcp.sentry.dev/mcp", "headers": {"Authorization": "Bearer ${env:SENTRY_TOKEN}"}},
			"playwright": {"command": "npx", "args": ["-y", "-p", "@playwright/mcp", "mcp"]},
			"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "."], "cwd": "${workspaceFolder}"},
			"supabase": {"type": "streamable-http", "url": "https://mcp.supabase.com/mcp?project_ref=abcdefgh&read_only=true"}}}`,
		".devin/mcp_config.json": `{"mcpServers": {
			"github": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"], "env": {"GITHUB_TOKEN": "${env:GITHUB_TOKEN}"}},
			"linear": {"serverUrl": "https://mcp.linear.app/mcp"},
			"docs": {"command": "node", "args": ["./tools/docs.js", "--root", "./docs"]},
			"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
			"postgres": {"command": "npx", "args": ["-y", "@acme/postgres-mcp"], "env": {"DATABASE_URL": "YOUR_DATABASE_URL"}},
			"fetch": {"command": "uvx", "args": ["mcp-server-fetch"]},
			"sentry": {"command": "npx", "args": ["-y", "mcp-remote", "https://mcp.sentry.dev/mcp", "--header", "Authorization: Bearer ${SENTRY_TOKEN}"]},
			"playwright": {"command": "npx", "args": ["-y", "@playwright/mcp"]},
			"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "."]},
			"supabase": {"serverUrl": "https://mcp.supabase.com/mcp?project_ref=abcdefgh&read_only=true"}}}`,
	})
	for _, f := range findings {
		assert.Equal(t, "bridged-remote", f.Rule.ID, "%s: %s", linttest.Place(f.File, f.Span), f.Message)
	}
}

// TestThousandFiles lints a monorepo of a thousand projects with twenty pinned
// servers each, and finds nothing.
func TestThousandFiles(t *testing.T) {
	files := linttest.Files{}
	for i := range 1000 {
		var entries []string
		for j := range 20 {
			entries = append(entries, fmt.Sprintf(`"server-%d": {"command": "npx", "args": ["-y", "@acme/server-%d@1.%d.%d"]}`, j, j, j, i))
		}
		files[fmt.Sprintf("service-%04d/.mcp.json", i)] = "{\"mcpServers\": {\n" + strings.Join(entries, ",\n") + "\n}}\n"
	}
	result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files)})
	require.NoError(t, err)
	assert.Empty(t, result.Errors)
	assert.Equal(t, 1000, result.Files)
	assert.Equal(t, 20000, result.Servers)
	assert.Empty(t, result.Findings)
}
