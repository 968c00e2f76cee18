package sameness

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRealCases are shapes that real repositories hold and that a plain
// comparison of text or of package names gets wrong.
func TestRealCases(t *testing.T) {
	tests := []struct {
		name    string
		entries []string
		want    Level // of the first and each of the others
	}{
		{"an empty URL is no identity", []string{`{"type":"http","url":""}`, `{"type":"http","url":""}`}, Different},
		{"a misspelt publisher is another package", []string{`npx -y @upstreamapi/context7`, `npx -y @upstash/context7-mcp`}, Different},
		{"one server, bridged and native", []string{`npx mcp-remote https://www.onchain-ai.xyz/mcp`, `{"type":"http","url":"https://www.onchain-ai.xyz/mcp"}`}, Equivalent},
		{"one script in three spellings", []string{`node .ai/mcp/launchers/github.mjs`, `node ./.ai/mcp/launchers/github.mjs`, `node ${workspaceFolder}/.ai/mcp/launchers/github.mjs`}, Equal},
		{"one project of a service or none", []string{`{"url":"https://mcp.supabase.com/mcp"}`, `{"url":"https://mcp.supabase.com/mcp?project_ref=abc"}`}, Related},
		{"out of the extension's folder", []string{`node mcp/x/server.js`, `node ${extensionPath}/../../../mcp/x/server.js`}, Equal},
		{"sub-commands of one package", []string{`npx -y 0xray mcp governance`, `npx -y 0xray mcp skills`, `npx -y 0xray mcp enforcer`}, Related},
		{"folders that differ by cwd", []string{`{"command":"node","args":["index.js"],"cwd":"a"}`, `{"command":"node","args":["index.js"],"cwd":"b"}`}, Different},
		{"the runner is not the server", []string{`npx tsx tools/mcp/server.ts`, `npx tsx tools/phorge/server.ts`}, Different},
		{"the runner does not matter", []string{`npx tsx tools/mcp/server.ts`, `bun tools/mcp/server.ts`, `node --import tsx tools/mcp/server.ts`}, Equal},
		{"modes by variable", []string{`{"command":"npx","args":["shadcn@latest","mcp"],"env":{"REGISTRY_URL":"https://r.test"}}`, `npx shadcn@latest mcp`}, Superset},
		{"a tenant in the path", []string{`{"url":"https://mcp.sentry.dev/mcp"}`, `{"url":"https://mcp.sentry.dev/mcp/sentry/mcp-server?experimental=1"}`}, Related},
		{"this machine is not the service", []string{`{"url":"https://mcp.sentry.dev/mcp"}`, `{"url":"http://localhost:5173/mcp"}`}, Different},
		{"old and new endpoint", []string{`{"url":"https://mcp.asana.com/sse"}`, `{"url":"https://mcp.asana.com/v2/mcp"}`}, Related},
		{"a package and its own build", []string{`npx -y task-master-ai`, `node ./dist/mcp-server.js`}, Different},
		{"one package, two bundles", []string{`npx -y @playwright/mcp@latest`, `cmd /c npx @playwright/mcp@latest`}, Equal},
		{"php here and there", []string{`php artisan boost:mcp`, `{"command":"C:\\XAMPP\\php\\php.exe","args":["artisan","boost:mcp"]}`}, Equal},
		{"php in wsl", []string{`wsl.exe /usr/bin/php8.4 /home/me/app/artisan boost:mcp`, `php artisan boost:mcp`}, SameProgram},
		{"a flag in shell text", []string{`bash -c "[ -f x ] && exec s --organization-slug h || exit 0"`, `bash -c "[ -f x ] && exec s || exit 0"`}, Different},
		{"a bridge in a shell", []string{`sh -c "exec mcp-remote 'https://api.githubcopilot.com/mcp/'"`, `npx -y mcp-remote https://api.githubcopilot.com/mcp/`}, Equal},
		{"a bridge and what runs there", []string{`uvx mcp-proxy --transport streamablehttp http://127.0.0.1:3006/sse`, `{"url":"http://localhost:3006/sse"}`}, Equivalent},
		{"a bridge and a container", []string{`uvx mcp-proxy http://127.0.0.1:3006/sse`, `docker exec -i mcp-serena serena start-mcp-server`}, Different},
		{"a vendor's bridge and package", []string{`npx mcp-remote https://mcp.neon.tech/mcp`, `npx -y @neondatabase/mcp-server-neon`}, Related},
		{"a template", []string{`npx -y "<your-mcp-server>"`, `npx -y "<your-mcp-server>"`}, Different},
		{"three agents, one URL", []string{`{"url":"https://castimaging.io/imaging/mcp/"}`, `{"url":"https://castimaging.io/imaging/mcp"}`}, Equal},
	}
	for _, tt := range tests {
		first := resolve(t, tt.entries[0])
		for _, other := range tt.entries[1:] {
			b := resolve(t, other)
			assert.Equal(t, tt.want, Compare(first, b), "%s: %s", tt.name, other)
		}
	}
}
