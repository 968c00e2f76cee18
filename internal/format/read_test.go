package format

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

const testdata = "../../testdata/formats"

// sample is a file of testdata under the path it has in a repository, and the expected result.
// The first line is format, scope, project directory, root key with the place of the key, and
// clients; then a line for each server: place of the name, name, identity, "off" if it is
// disabled.
type sample struct{ file, path, want string }

func samples() []sample {
	return append(moreSamples(), []sample{
		{"codex-agent/docs-researcher.toml", "app/.codex/agents/docs-researcher.toml", `
codex-agent agent "app" mcp_servers@8:2 codex
8:14 docs url:https://docs.corp.internal/mcp
12:14 context7 npm:@upstash/context7-mcp`},
		{"docker-agent/cagent.yaml", "team/cagent.yaml", `
docker-agent agent "team" agents@12:1 -
4:3 tickets url:https://tickets.corp.internal/mcp
19:14 context7 catalog:context7
23:18 root npx npm:docs-mcp
34:16 root remote url:https://orders.corp.internal/sse`},
		{"generic/servers_config.json", "chatbot/servers_config.json", `
generic generic "chatbot" mcpServers@2:3 -
3:5 sqlite pypi:mcp-server-sqlite
7:5 puppeteer npm:@modelcontextprotocol/server-puppeteer`},
		{"iflow/settings.json", ".iflow/settings.json", `
iflow project "" mcpServers@4:3 iflow
5:5 orders file:tools/orders/mcp_server.py
12:5 board url:https://board.corp.internal/mcp`},
		{"kubernetes/mcpo-configmap.yaml", "deploy/mcpo-configmap.yaml", `
kubernetes generic "deploy" mcpServers@11:7 -
12:9 prometheus pypi:prometheus-mcp-server
17:9 grafana url:http://grafana-mcp.mcp-system.svc.cluster.local:8000/mcp
29:7 deepwiki url:https://mcp.deepwiki.com/mcp`},
		{"kubernetes/mcpservers.yaml", "deploy/mcpservers.yaml", `
kubernetes generic "deploy" bare -
4:9 github oci:ghcr.io/github/github-mcp-server
19:9 orders url:https://orders.corp.internal/mcp
27:9 everything npm:@modelcontextprotocol/server-everything
40:9 k8sgpt url:http://k8sgpt-mcp-server:8089/mcp`},
		{"kubernetes/values.yaml", "charts/mcpo/values.yaml", `
kubernetes generic "charts/mcpo" mcpServers@6:11 -
7:13 time pypi:mcp-server-time`},
		{"litellm/litellm_config.yaml", "proxy/litellm_config.yaml", `
litellm agent "proxy" mcp_servers@7:1 litellm
8:3 deepwiki url:https://mcp.deepwiki.com/mcp
11:3 zapier url:https://actions.zapier.com/mcp
16:3 circleci npm:@circleci/mcp-server-circleci`},
		{"mcphub-nvim/servers.json", "dot_config/mcphub/servers.json", `
mcphub-nvim user "" mcpServers@3:3 mcphub-nvim
4:5 github npm:@modelcontextprotocol/server-github
10:5 context7 url:https://mcp.context7.com/mcp off`},
		{"spring-ai/application.yml", "app/src/main/resources/application.yml", `
spring-ai agent "app" spring.ai.mcp.client.stdio.connections@13:11 spring-ai
14:13 brave npm:@modelcontextprotocol/server-brave-search
23:13 orders url:https://orders.corp.internal/sse
31:7 docs opaque:${DOCS_URL:-https://docs.corp.internal}`},
		{"crushrc/crushrc", ".crushrc", `
crushrc project "" bare -`},
		{"git-modules/gitmodules", ".gitmodules", `
git-modules project "" bare -`},
		{"nix/claude-code.nix", "home/claude-code.nix", `
nix user "" bare -`},
		{"openclaw/openclaw.json", "home/.openclaw/openclaw.json", `
openclaw user "home/.openclaw" mcp.servers@6:5 openclaw
7:7 docs pypi:mcp-server-fetch
8:7 remote url:https://remote.corp.internal/mcp`},
		{"agents/mcp.json", "app/.agents/mcp.json", `
agents project "app" mcpServers@2:3 agents
3:5 board url:https://board.corp.internal/mcp
4:5 browser npm:@playwright/mcp`},
		{"claude-code/mcp.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
3:5 context7 npm:@upstash/context7-mcp
8:5 linear url:https://mcp.linear.app/mcp
13:5 orders file:tools/orders.js
18:5 calendar -
19:5 old url:https://old.corp.internal/sse off`},
		{"claude-code/servers.json", "a/b/.mcp.json", `
claude-code project "a/b" servers@2:3 claude-code,copilot-cli,visual-studio
3:5 github url:https://api.githubcopilot.com/mcp`},
		{"claude-code/inputs.json", ".mcp.json", `
claude-code project "" servers@3:3 claude-code,copilot-cli,visual-studio
4:5 ado npm:@azure-devops/mcp`},
		{"claude-code/repeated.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
4:5 docs npm:docs-mcp
5:5 db pypi:second`},
		{"claude-code/windows.json", ".mcp.json", `
claude-code project "" mcpServers@2:3 claude-code,copilot-cli,visual-studio
3:5 häuser npm:house-mcp
5:8 next url:wss://live.corp.internal/mcp`},
		{"claude-desktop/claude_desktop_config.json", "home/claude_desktop_config.json", `
claude-desktop user "home" mcpServers@2:3 claude-desktop
3:5 filesystem npm:@modelcontextprotocol/server-filesystem
7:5 linear url:https://mcp.linear.app/sse
11:5 time oci:docker.io/mcp/time`},
		{"claude-legacy/mcp.json", ".claude/mcp.json", `
claude-legacy project "" servers@2:3 -
3:5 fetch pypi:mcp-server-fetch`},
		{"claude-marketplace/marketplace.json", ".claude-plugin/marketplace.json", `
claude-marketplace registry "" bare -`},
		{"claude-plugin/bare.json", "market/notes/.mcp.json", `
claude-plugin plugin "market/notes" bare claude-code,copilot-cli
3:3 notes file:market/notes/server.js
8:3 tracker url:https://tracker.corp.internal/mcp`},
		{"claude-plugin/servers.json", "plugins/search/.mcp.json", `
claude-plugin plugin "plugins/search" mcpServers@2:3 claude-code,copilot-cli
3:5 search file:plugins/search/server/search.py`},
		{"claude-plugin/inline.json", "notes/.claude-plugin/plugin.json", `
claude-plugin plugin "notes" mcpServers@4:3 claude-code,copilot-cli
5:5 notes file:notes/bin/notes`},
		{"claude-plugin/linked.json", "notes/.claude-plugin/plugin.json", `
claude-plugin plugin "notes" mcpServers@3:3 claude-code,copilot-cli`},
		{"claude-plugin/without.json", ".claude-plugin/plugin.json", `
claude-plugin plugin "" bare claude-code,copilot-cli`},
		{"claude-command/review.md", ".claude/commands/review.md", `
claude-command settings "" bare claude-code`},
		{"claude-settings/settings.json", ".claude/settings.json", `
claude-settings settings "" bare claude-code`},
		{"claude-settings/servers.json", ".claude/settings.local.json", `
claude-settings settings "" mcpServers@3:3 -
4:5 memory npm:@modelcontextprotocol/server-memory`},
		{"copilot-cli/mcp.json", ".github/mcp.json", `
copilot-cli project "" mcpServers@2:3 copilot-cli
3:5 playwright npm:@playwright/mcp
9:5 sentry url:https://mcp.sentry.dev/sse`},
		{"copilot-cli/bare.json", ".github/mcp.json", `
copilot-cli project "" bare copilot-cli
2:3 playwright npm:@playwright/mcp`},
		{"copilot-plugin/plugin.json", ".plugin/plugin.json", `
copilot-plugin plugin "" components.mcpServers@3:19 copilot-cli`},
		{"cursor/mcp.json", "web/.cursor/mcp.json", `
cursor project "web" mcpServers@2:3 cursor
3:5 shop file:web/packages/shop/dist/index.js
8:5 notion url:https://mcp.notion.com/mcp
9:5 php file:web/artisan`},
		{"gemini/settings.json", ".gemini/settings.json", `
gemini project "" mcpServers@9:3 gemini-cli
10:5 search url:https://search.corp.internal/mcp
11:5 docs url:https://docs.corp.internal/sse
12:5 scratch file:tools/scratch.py
4:5 mcp file:start.js`},
		{"gemini/rules.json", ".gemini/settings.json", `
gemini settings "" bare gemini-cli`},
		{"gemini-extension/gemini-extension.json", "ext/gemini-extension.json", `
gemini-extension plugin "ext" mcpServers@4:3 gemini-cli
5:5 maps file:ext/dist/maps.js
6:5 files opaque:node ${workspacePath}/tools/files.js`},
		{"gemini-extension/gemini-extension.json", ".gemini/extensions/maps/gemini-extension.json", `
gemini-extension plugin "" mcpServers@4:3 gemini-cli
5:5 maps file:.gemini/extensions/maps/dist/maps.js
6:5 files file:tools/files.js`},
		{"gemini-extension/list.json", ".gemini/extensions/maps/gemini-extension.json", `
gemini-extension plugin "" mcpServers@3:3 gemini-cli
4:13 maps file:mcp/maps.js
5:15 geo pypi:geo-mcp`},
		{"generic/mcp.json", "tools/mcp.json", `
generic generic "tools" context_servers@2:3 -
3:5 local file:tools/server.mjs
4:5 array npm:array-mcp
5:5 remote url:https://remote.corp.internal/mcp off`},
		{"kiro/mcp.json", ".kiro/settings/mcp.json", `
kiro project "" mcpServers@2:3 kiro
3:5 aws-docs pypi:awslabs-aws-documentation-mcp-server
11:5 weather url:https://weather.corp.internal/mcp off`},
		{"roo/mcp.json", "e/.roo/mcp.json", `
roo project "e" mcpServers@2:3 roo
3:5 tests file:e/e2e/tools/tests.ts
9:5 wiki url:https://wiki.corp.internal/mcp off`},
		{"visual-studio/mcp.json", ".vs/mcp.json", `
visual-studio project "" servers@3:3 visual-studio
4:5 github url:https://api.githubcopilot.com/mcp
5:5 nuget nuget:nuget.mcp.server`},
		{"vscode/mcp.json", "svc/.vscode/mcp.json", `
vscode project "svc" servers@7:3 vscode
8:5 api file:svc/api/mcp.js
15:18 github url:https://api.githubcopilot.com/mcp`},
		{"vscode/nested.json", ".vscode/mcp.json", `
vscode project "" mcp.servers@4:5 vscode
4:18 ocean npm:@digitalocean/mcp`},
		{"vscode-settings/settings.json", ".vscode/settings.json", `
vscode-settings project "" mcp.servers@6:5 vscode
7:7 db pypi:mcp-server-sqlite`},
		{"vscode-settings/dotted.json", ".vscode/settings.json", `
vscode-settings project "" mcp.servers@4:3 vscode
4:20 db pypi:mcp-server-sqlite`},
		{"vscode-workspace/app.code-workspace", "team/app.code-workspace", `
vscode-workspace project "team" settings.mcp.servers@4:5 vscode
5:7 web opaque:node ${workspaceFolder}/mcp.js
6:7 db pypi:mcp-server-sqlite`},
		{"vscode-workspace/single.code-workspace", "single.code-workspace", `
vscode-workspace project "" settings.mcp.servers@4:14 vscode
4:27 web file:apps/web/mcp.js`},
		{"windsurf/mcp_config.json", ".codeium/windsurf/mcp_config.json", `
windsurf user "" mcpServers@2:3 windsurf
3:5 figma url:https://mcp.figma.com/mcp
4:5 git pypi:mcp-server-git off`},
	}...)
}

// moreSamples are those of the clients with a shape, or a language, of their
// own.
func moreSamples() []sample {
	return []sample{
		{"agentsync/agentsync.toml", ".agents/agentsync.toml", `
agentsync generator "" mcp_servers@10:2 -
10:14 docs npm:docs-mcp`},
		{"air/mcp.json", "a/.air/mcp.json", `
air project "a" mcpServers@2:3 air
3:5 notes pypi:notes-mcp
4:5 wiki url:https://wiki.corp.internal/mcp`},
		{"amazon-q/mcp.json", ".amazonq/mcp.json", `
amazon-q project "" mcpServers@2:3 amazon-q
3:5 docs pypi:awslabs-aws-documentation-mcp-server
4:5 board url:https://board.corp.internal/mcp off`},
		{"amazon-q/mcp.json", ".q/mcp-config.json", `
amazon-q-mcp project "" mcpServers@2:3 -
3:5 docs pypi:awslabs-aws-documentation-mcp-server
4:5 board url:https://board.corp.internal/mcp off`},
		{"amazon-q-agent/review.json", "app/.amazonq/cli-agents/review.json", `
amazon-q-agent agent "app" mcpServers@3:3 amazon-q
4:5 git pypi:mcp-server-git`},
		{"kiro-agent/plan.json", ".kiro/agents/plan.json", `
kiro-agent agent "" bare kiro`},
		{"amp/settings.json", ".amp/settings.json", `
amp project "" amp.mcpServers@4:3 amp
5:5 browser npm:@playwright/mcp
6:5 issues url:https://issues.corp.internal/mcp`},
		{"antigravity/mcp_config.json", ".agents/mcp_config.json", `
antigravity project "" mcpServers@2:3 antigravity
3:5 maps url:https://maps.corp.internal/mcp
4:5 fs npm:@modelcontextprotocol/server-filesystem off`},
		{"cursor/private_mcp.json", "dot_cursor/private_mcp.json", `
cursor user "" mcpServers@2:3 cursor
3:5 memory npm:@modelcontextprotocol/server-memory`},
		{"antigravity/mcp_config.json", "dot_gemini/config/private_mcp_config.json", `
antigravity user "" mcpServers@2:3 antigravity
3:5 maps url:https://maps.corp.internal/mcp
4:5 fs npm:@modelcontextprotocol/server-filesystem off`},
		{"antigravity-plugin/mcp_config.json", "market/plugins/notes/mcp_config.json", `
antigravity-plugin plugin "market/plugins/notes" mcpServers@2:3 antigravity
3:5 notes file:market/plugins/notes/server/notes.js`},
		{"auggie/settings.json", "web/.augment/settings.json", `
auggie project "web" mcpServers@4:3 auggie
5:5 browser npm:@playwright/mcp
6:5 hub url:https://hub.corp.internal/mcp`},
		{"claude-desktop/claude_desktop_config.json", "setup/claude_desktop_config_mac.json", `
claude-desktop user "setup" mcpServers@2:3 claude-desktop
3:5 filesystem npm:@modelcontextprotocol/server-filesystem
7:5 linear url:https://mcp.linear.app/sse
11:5 time oci:docker.io/mcp/time`},
		{"claude-user/claude.json", "dot_claude.json", `
claude-user user "" mcpServers@3:3 claude-code
4:5 memory npm:@modelcontextprotocol/server-memory`},
		{"copilot-cli-user/mcp-config.json", "home/.copilot/mcp-config.json", `
copilot-cli-user user "home" mcpServers@2:3 copilot-cli
3:5 board url:https://board.corp.internal/mcp`},
		{"deepagents/mcp.json", ".deepagents/.mcp.json", `
deepagents project "" mcpServers@2:3 deepagents
3:5 docs-langchain url:https://docs.langchain.com/mcp
4:5 tools file:tools/server.py`},
		{"devin/mcp_config.json", ".devin/mcp_config.json", `
devin project "" mcpServers@2:3 devin
3:5 hub url:https://hub.corp.internal/mcp
4:5 time pypi:mcp-server-time`},
		{"devin-settings/config.json", ".devin/config.json", `
devin-settings project "" mcpServers@3:3 devin
4:5 time pypi:mcp-server-time`},
		{"hermes/config.yaml", "dot_hermes/profiles/work/config.yaml", `
hermes user "" mcp_servers@2:1 hermes
3:3 files npm:@modelcontextprotocol/server-filesystem
6:3 hub url:https://hub.corp.internal/mcp off`},
		{"kiro-power/POWER.md", "powers/notes/POWER.md", `
kiro-power plugin "powers/notes" bare kiro`},
		{"oh-my-pi/mcp.json", ".omp/mcp.json", `
oh-my-pi project "" mcpServers@2:3 oh-my-pi
3:5 locate pypi:locate-mcp`},
		{"rovo-dev/mcp.json", ".rovodev/mcp.json", `
rovo-dev project "" mcpServers@2:3 rovo-dev
3:5 wiki url:https://wiki.corp.internal/mcp
4:5 time pypi:mcp-server-time`},
		{"zcode/config.json", ".zcode/config.json", `
zcode project "" mcp.servers@4:5 zcode
5:7 wiki url:https://wiki.corp.internal/mcp
6:7 old npm:old-mcp off`},
		{"zed/settings.json", "private_dot_config/zed/settings.json", `
zed user "" context_servers@4:3 zed
5:5 new npm:new-mcp
6:5 old pypi:old-mcp
7:5 hub url:https://hub.corp.internal/mcp off`},
		{"codex/private_config.toml", "codex/.codex/config.toml.sample", `
codex project "codex" mcp_servers@1:1 codex
1:13 notes pypi:notes-mcp
4:14 wiki url:https://wiki.corp.internal/mcp`},
		{"cline/cline_mcp_settings.json", "config/cline_mcp_settings.json", `
cline user "config" mcpServers@2:3 cline
3:5 search url:https://search.corp.internal/mcp
4:5 old url:https://old.corp.internal/sse off
5:5 time pypi:mcp-server-time`},
		{"codex/config.toml", "app/.codex/config.toml", `
codex project "app" mcp_servers@3:2 codex
3:14 orders file:app/services/tools/orders.js
13:14 figma.desktop url:https://mcp.figma.com/mcp off
23:14 both pypi:both-mcp`},
		{"codex/private_config.toml", "dot_codex/private_config.toml", `
codex user "" mcp_servers@1:1 codex
1:13 notes pypi:notes-mcp
4:14 wiki url:https://wiki.corp.internal/mcp`},
		{"codex-plugin/plugin.json", "p/.codex-plugin/plugin.json", `
codex-plugin plugin "p" mcpServers@3:3 codex`},
		{"codex-plugin/inline.json", "p/.codex-plugin/plugin.json", `
codex-plugin plugin "p" mcp_servers@3:3 codex
4:5 notes file:p/bin/notes`},
		{"grok-plugin/plugin.json", ".grok-plugin/plugin.json", `
grok-plugin plugin "" mcpServers@3:3 grok
3:19 notes url:https://notes.corp.internal/mcp`},
		{"cursor-plugin/plugin.json", "gong/.cursor-plugin/plugin.json", `
cursor-plugin plugin "gong" bare cursor`},
		{"cursor-plugin/inline.json", ".cursor-plugin/plugin.json", `
cursor-plugin plugin "" mcpServers@3:3 cursor
4:5 docs url:https://docs.corp.internal/mcp`},
		{"compose/compose.yaml", "deploy/compose.yaml", `
compose generic "deploy" services@1:1 -
4:3 gateway catalog:duckduckgo,fetch`},
		{"docker-catalog/docker-mcp.yaml", "docker-mcp.yaml", `
docker-catalog registry "" registry@4:1 -
5:3 files oci:docker.io/mcp/filesystem
18:3 issues oci:ghcr.io/acme/issues
26:3 linear url:https://mcp.linear.app/sse
31:3 wiki url:https://wiki.corp.internal/sse`},
		{"docker-catalog/remote.yaml", "deploy/catalog.yaml", `
docker-catalog registry "deploy" registry@1:1 -
2:3 dungeon url:http://dungeon:9090/mcp`},
		{"continue/servers.yaml", ".continue/mcpServers/servers.yaml", `
continue project "" mcpServers@4:1 continue
5:11 Browser search npm:@playwright/mcp
9:11 wiki url:https://wiki.corp.internal/mcp
16:11 New MCP server -`},
		{"continue-config/config.yaml", "home/.continue/config.yaml", `
continue-config user "home" mcpServers@2:1 continue
3:11 sqlite pypi:mcp-server-sqlite`},
		{"continue-json/copied.json", ".continue/mcpServers/copied.json", `
continue-json project "" mcpServers@2:3 continue
3:5 time pypi:mcp-server-time`},
		{"copilot-agent/opik.agent.md", ".github/agents/opik.agent.md", `
copilot-agent agent "" mcp-servers@5:1 copilot-agent
6:3 opik npm:opik-mcp
13:3 Ünïcode url:https://board.corp.internal/mcp`},
		{"copilot-agent/opik.agent.md", "agents/opik.agent.md", `
copilot-agent agent "agents" mcp-servers@5:1 copilot-agent
6:3 opik npm:opik-mcp
13:3 Ünïcode url:https://board.corp.internal/mcp`},
		{"agentic-workflow/triage.md", ".github/workflows/shared/mcp/triage.md", `
agentic-workflow agent "" mcp-servers@5:1 gh-aw
9:3 docs url:https://docs.corp.internal/mcp
6:3 notes oci:docker.io/mcp/notion`},
		{"agentic-workflow/triage.md", ".github/workflows/triage.md", `
agentic-workflow agent "" mcp-servers@5:1 gh-aw
9:3 docs url:https://docs.corp.internal/mcp
6:3 notes oci:docker.io/mcp/notion`},
		{"claude-agent/reviewer.md", ".claude/agents/reviewer.md", `
claude-agent agent "" mcpServers@4:1 claude-code
7:5 linter npm:eslint-mcp`},
		{"claude-agent/map.md", "x/.claude/agents/team/of/any/depth/map.md", `
claude-agent agent "x" mcpServers@3:1 claude-code
4:3 maps url:https://maps.corp.internal/mcp`},
		{"crush/crush.json", "crush.json", `
crush project "" mcp@4:3 crush
5:5 fs file:tools/fs.js
6:5 issues url:https://issues.corp.internal/mcp
7:5 old url:https://old.corp.internal/sse off`},
		{"devcontainer/devcontainer.json", "x/.devcontainer/python/devcontainer.json", `
devcontainer project "x" customizations.vscode.mcp.servers@8:9 vscode
9:11 playwright npm:@playwright/mcp`},
		{"factory/mcp.json", ".factory/mcp.json", `
factory project "" mcpServers@2:3 factory
3:5 linear url:https://mcp.linear.app/mcp
4:5 fs npm:@modelcontextprotocol/server-filesystem`},
		{"fast-agent/fast-agent.yaml", "bot/fast-agent.yaml", `
fast-agent agent "bot" mcp.servers@3:3 fast-agent
4:5 interpreter oci:ghcr.io/evalstate/mcp-py-repl
8:5 filesystem npm:@modelcontextprotocol/server-filesystem
10:5 hub url:https://hub.corp.internal/mcp
13:5 classic pypi:mcp-server-fetch`},
		{"fast-agent-secrets/fastagent.secrets.yaml", "bot/fastagent.secrets.yaml", `
fast-agent-secrets agent "bot" mcp.servers@7:3 fast-agent
11:5 mail npm:mail-mcp`},
		{"firebase-studio/mcp.json", ".idx/mcp.json", `
firebase-studio project "" mcpServers@2:3 firebase-studio
3:5 firebase npm:firebase-tools`},
		{"firebender/firebender.json", "firebender.json", `
firebender project "" mcpServers@3:3 firebender
4:5 context7 url:https://mcp.context7.com/mcp`},
		{"apm/apm.yml", "shop/apm.yml", `
apm generator "shop" dependencies.mcp@7:3 -
8:7 io.github.acme/notes -
9:13 io.github.acme/search -
13:13 files npm:@modelcontextprotocol/server-filesystem
20:13 wiki url:https://wiki.corp.internal/mcp`},
		{"generator/mcp.json", ".rulesync/mcp.json", `
generator generator "" mcpServers@2:3 -
3:5 docs npm:docs-mcp`},
		{"generator/mcp.json", "web/.rulesync/mcp.jsonc", `
generator generator "web" mcpServers@2:3 -
3:5 docs npm:docs-mcp`},
		{"ruler/ruler.toml", ".ruler/ruler.toml", `
ruler generator "" mcp_servers@6:2 -
6:14 docs npm:docs-mcp
15:14 hub url:https://hub.corp.internal/mcp`},
		{"generic-toml/mcp.toml", "x/mcp.toml", `
generic-toml generic "x" mcp_servers@1:2 -
1:14 time pypi:mcp-server-time`},
		{"generic-yaml/crewbase.yaml", "python/crewbase.yaml", `
generic-yaml generic "python" mcp_servers@4:1 -
5:3 git pypi:mcp-server-git
6:3 hub url:https://hub.corp.internal/mcp`},
		{"generic-yaml/second.yaml", "mcp.yaml", `
generic-yaml generic "" mcpServers@3:1 -
4:3 git pypi:mcp-server-git`},
		{"goose/config.yaml", ".goose/config.yaml", `
goose user "" extensions@2:1 goose
11:3 tracer exec:tracer-mcp
19:3 hub url:https://hub.corp.internal/mcp off`},
		{"goose-recipe/recipe.yaml", "recipe.yaml", `
goose-recipe agent "" extensions@4:1 goose
8:11 github oci:ghcr.io/github/github-mcp-server`},
		{"goose-recipe/review.yaml", ".agents/recipes/review.yaml", `
goose-recipe agent "" extensions@5:1 goose
7:11 github pypi:mcp-server-github`},
		{"grok/config.toml", ".grok/config.toml", `
grok project "" mcp_servers@1:2 grok
1:14 search npm:search-mcp
8:14 hub url:https://hub.corp.internal/mcp off`},
		{"jetbrains-ai-assistant/mcp.json", "shop/.ai/mcp/mcp.json", `
jetbrains-ai-assistant project "shop" mcpServers@2:3 jetbrains-ai-assistant
3:5 laravel-boost file:shop/artisan
4:5 youtrack url:https://youtrack.corp.internal/mcp`},
		{"junie/mcp.json", "shop/.junie/mcp/mcp.json", `
junie project "shop" mcpServers@2:3 junie
3:5 laravel-boost file:shop/artisan`},
		{"kilo/kilo.jsonc", ".kilo/kilo.jsonc", `
kilo project "" mcp@3:3 kilo
5:5 fs npm:@modelcontextprotocol/server-filesystem
6:5 hub url:https://hub.corp.internal/mcp off`},
		{"kilo-legacy/mcp.json", ".kilocode/mcp.json", `
kilo-legacy project "" mcpServers@2:3 kilo-legacy
3:5 wiki url:https://wiki.corp.internal/mcp
4:5 off pypi:off-mcp off`},
		{"kimi/mcp.json", ".kimi-code/mcp.json", `
kimi project "" mcpServers@2:3 kimi
3:5 wiki url:https://wiki.corp.internal/mcp
4:5 time pypi:mcp-server-time`},
		{"librechat/librechat.yaml", "chat/librechat.yaml", `
librechat agent "chat" mcpServers@6:1 librechat
7:3 fetch pypi:mcp-server-fetch
12:3 live url:wss://live.corp.internal/mcp
15:3 hub url:https://hub.corp.internal/mcp`},
		{"lm-studio/mcp.json", ".lmstudio/mcp.json", `
lm-studio user "" mcpServers@2:3 lm-studio
3:5 hf url:https://huggingface.co/mcp`},
		{"mastra/mcp.json", ".mastracode/mcp.json", `
mastra project "" mcpServers@2:3 mastra
3:5 docs npm:@mastra/mcp-docs-server`},
		{"mcp-agent-secrets/mcp_agent.secrets.yaml", "mcp_agent.secrets.yaml", `
mcp-agent-secrets agent "" mcp.servers@6:3 mcp-agent
7:5 slack npm:slack-mcp`},
		{"mcp-agent/mcp_agent.config.yaml", "mcp_agent.config.yaml", `
mcp-agent agent "" mcp.servers@3:3 mcp-agent
4:5 fetch pypi:mcp-server-fetch
7:5 hub url:https://hub.corp.internal/mcp`},
		{"mcp-settings/mcp_settings.json", "hub/mcp_settings.json", `
mcp-settings user "hub" mcpServers@2:3 mcphub
3:5 amap npm:amap-mcp off
4:5 hub url:https://hub.corp.internal/sse`},
		{"mcp-settings/roo.json", "settings/mcp_settings.json", `
mcp-settings user "settings" mcpServers@2:3 -
3:5 time pypi:mcp-server-time`},
		{"mcpb/manifest.json", "bundles/notes/manifest.json", `
mcpb registry "bundles/notes" server.mcp_config@7:5 -
3:11 notes file:bundles/notes/server/index.js`},
		{"mcporter/mcporter.jsonc", "config/mcporter.jsonc", `
mcporter project "" mcpServers@2:3 mcporter
3:5 exa url:https://mcp.exa.ai/mcp
4:5 array npm:array-mcp
5:5 exec pypi:exec-mcp
6:5 snake url:https://snake.corp.internal/mcp`},
		{"opencode/opencode.json", "app/opencode.json", `
opencode project "app" mcp@4:3 opencode
5:5 context7 npm:@upstash/context7-mcp
6:5 linear url:https://mcp.linear.app/mcp
7:5 orders file:app/services/tools/orders.js off`},
		{"opencode/both.jsonc", ".opencode/opencode.jsonc", `
opencode project "" mcp@2:3 opencode
3:5 docs pypi:docs-mcp
6:7 wiki url:https://wiki.corp.internal/mcp
7:7 time pypi:mcp-server-time off`},
		{"windsurf/mcp_config.json", ".windsurf/mcp_config.json", `
windsurf-mcp project "" mcpServers@2:3 -
3:5 figma url:https://mcp.figma.com/mcp
4:5 git pypi:mcp-server-git off`},
		{"antigravity/mcp_config.json", ".antigravity/mcp_config.json", `
antigravity-mcp project "" mcpServers@2:3 -
3:5 maps url:https://maps.corp.internal/mcp
4:5 fs npm:@modelcontextprotocol/server-filesystem off`},
		{"opencode-mcp/mcp.json", ".opencode.json", `
opencode-hidden project "" mcpServers@2:3 -
3:5 fetch pypi:mcp-server-fetch`},
		{"opencode-mcp/mcp.json", ".opencode/mcp.json", `
opencode-mcp project "" mcpServers@2:3 -
3:5 fetch pypi:mcp-server-fetch`},
		{"opencode/v2.json", "opencode.json", `
opencode project "" mcp.servers@4:5 opencode
5:7 wiki url:https://wiki.corp.internal/mcp`},
		{"openhands/config.toml", "hands/config.toml", `
openhands project "hands" mcp@4:2 openhands
11:12 fetch pypi:mcp-server-fetch
6:3 https://old.corp.internal/sse url:https://old.corp.internal/sse
7:11 https://hub.corp.internal/sse url:https://hub.corp.internal/sse
9:26 https://new.corp.internal/mcp url:https://new.corp.internal/mcp`},
		{"pi/mcp.json", ".pi/mcp.json", `
pi project "" mcpServers@2:3 pi
3:5 wiki url:https://wiki.corp.internal/mcp`},
		{"pml/pml.json", "app/.pml.json", `
pml project "app" mcpServers@4:3 pml
5:5 files npm:@modelcontextprotocol/server-filesystem`},
		{"pml-servers/mcp-servers.json", "app/config/.mcp-servers.json", `
pml-servers agent "app" mcpServers@2:3 pml
3:5 memory npm:@modelcontextprotocol/server-memory`},
		{"ccpkg-manifest/manifest.json", ".ccpkg/plugins/orders/manifest.json", `
ccpkg-manifest registry "" bare -`},
		{"ccpkg-template/mcp.json", ".ccpkg/plugins/orders/mcp/.mcp.json", `
ccpkg-template plugin "" mcpServers@2:3 -
3:5 orders npm:orders-mcp`},
		{"qoder/mcp.json", "SharedClientCache/mcp.json", `
qoder user "" mcpServers@2:3 qoder
3:5 wiki url:https://wiki.corp.internal/mcp`},
		{"qoder/mcp.json", "app/.qoder/mcp.json", `
qoder project "app" mcpServers@2:3 qoder
3:5 wiki url:https://wiki.corp.internal/mcp`},
		{"qoder-settings/settings.json", ".qoder/settings.local.json", `
qoder-settings project "" mcpServers@3:3 qoder
4:5 wiki url:https://wiki.corp.internal/sse`},
		{"qwen/settings.json", ".qwen/settings.json", `
qwen project "" mcpServers@4:3 qwen
5:5 wiki url:https://wiki.corp.internal/mcp
6:5 time pypi:mcp-server-time`},
		{"qwen-extension/qwen-extension.json", "maps/qwen-extension.json", `
qwen-extension plugin "maps" mcpServers@3:3 qwen
4:5 maps file:maps/dist/maps.js`},
		{"server-json/server.json", "server.json", `
server-json registry "" packages@5:3 -
3:11 io.github.acme/notes npm:@acme/notes-mcp
3:11 io.github.acme/notes pypi:acme-notes
3:11 io.github.acme/notes nuget:acme.notes
3:11 io.github.acme/notes oci:ghcr.io/acme/notes
3:11 io.github.acme/notes url:https://notes.corp.internal/mcp`},
		{"tabnine/mcp_servers.json", ".tabnine/mcp_servers.json", `
tabnine project "" mcpServers@2:3 tabnine
3:5 jira oci:docker.io/library/mcp-atlassian`},
		{"tabnine-settings/settings.json", "app/.tabnine/agent/settings.json", `
tabnine-settings project "app" mcpServers@3:3 tabnine
4:5 fs npm:@modelcontextprotocol/server-filesystem
5:5 hub url:https://hub.corp.internal/mcp`},
		{"trae/mcp.json", ".trae/mcp.json", `
trae project "" mcpServers@2:3 trae
3:5 mcp.config.usrlocalmcp.browser npm:@playwright/mcp`},
		{"vibe/config.toml", ".vibe/config.toml", `
vibe project "" mcp_servers@3:3 vibe
4:8 fetch pypi:mcp-server-fetch
10:8 hub url:https://hub.corp.internal/mcp`},
		{"warp/.mcp.json", ".warp/.mcp.json", `
warp project "" mcpServers@2:3 warp
3:5 orders file:tools/orders.js`},
		{"holodeck/agent.yaml", "bot/agent.yaml", `
holodeck agent "bot" tools@7:1 holodeck
13:11 files npm:@modelcontextprotocol/server-filesystem
18:11 orders url:https://orders.corp.internal/sse`},
		{"holodeck/config.yml", "bot/config.yml", `
holodeck-config agent "bot" mcp_servers@3:1 holodeck
4:11 fetch pypi:mcp-server-fetch`},
		{"prompt-registry/team.collection.yml", "collections/team.collection.yml", `
prompt-registry registry "collections" mcp.items@7:3 -
8:5 github url:https://api.githubcopilot.com/mcp
12:5 notes opaque:node ${bundlePath}/notes.js`},
		{"prompt-registry/deployment-manifest.yml", "deployment-manifest.yml", `
prompt-registry registry "" mcpServers@3:1 -
4:3 notes opaque:node ${bundlePath}/notes.js`},
		{"vscode-prompt/review.prompt.md", ".github/prompts/review.prompt.md", `
vscode-prompt settings "" bare -`},
		{"opencode-agent/review.md", ".opencode/agent/review.md", `
opencode-agent settings "" bare opencode`},
		{"zed/settings.json", ".zed/settings.json", `
zed project "" context_servers@4:3 zed
5:5 new npm:new-mcp
6:5 old pypi:old-mcp
7:5 hub url:https://hub.corp.internal/mcp off`},
	}
}

func TestSamples(t *testing.T) {
	ix := NewIndex(All())
	read := map[string]bool{}
	for _, s := range samples() {
		t.Run(s.file+" as "+s.path, func(t *testing.T) {
			doc, m := readSample(t, ix, s.file, s.path)
			require.NotNil(t, doc)
			assert.Equal(t, strings.TrimSpace(s.want), show(doc, m))
			for _, server := range doc.Servers {
				assert.Same(t, doc, server.Document)
			}
			read[doc.Format] = true
		})
	}
	for _, f := range All() {
		if f.Scope != mcp.ScopeLock && !f.Unopened {
			assert.True(t, read[f.Name], "%s has no sample", f.Name)
		}
	}
}

func readSample(t *testing.T, ix *Index, file, path string) (*mcp.Document, shape.Match) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(file)))
	require.NoError(t, err)
	m, ok := ix.Lookup(path)
	require.True(t, ok, path)
	doc, err := Read(syntax.NewFile(path, content), m)
	require.NoError(t, err)
	return doc, m
}

// show writes a document as samples are written.
func show(doc *mcp.Document, m shape.Match) string {
	var b strings.Builder
	var clients []string
	for _, c := range doc.Clients {
		clients = append(clients, c.ID)
	}
	root := "bare"
	if doc.RootKey != "" {
		root = doc.RootKey + "@" + place(doc, doc.Root)
	}
	fmt.Fprintf(&b, "%s %s %q %s %s", doc.Format, doc.Scope, m.Dir, root, orDash(strings.Join(clients, ",")))
	for _, s := range doc.Servers {
		fmt.Fprintf(&b, "\n%s %s %s", place(doc, s.NameSpan), s.Name, orDash(s.Identity.String()))
		if s.IsOff() {
			b.WriteString(" off")
		}
	}
	return b.String()
}

func place(doc *mcp.Document, s syntax.Span) string {
	p := doc.File.Position(s.Start, syntax.CodePoints)
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// TestLaunch checks everything an entry says, with its spans.
func TestLaunch(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "claude-code/mcp.json", ".mcp.json")
	text := func(s syntax.Span) string { return string(doc.File.Bytes[s.Start:s.End]) }

	context7 := doc.Servers[0]
	l := context7.Launch
	assert.Equal(t, "npx", l.Command.Text)
	assert.Equal(t, `"npx"`, text(l.Command.Span))
	require.Len(t, l.Args, 2)
	assert.Equal(t, `"@upstash/context7-mcp@1.0.14"`, text(l.Args[1].Span))
	require.Len(t, l.Env, 3)
	assert.Equal(t, "10000", l.Env[0].Value.Text)
	assert.Equal(t, "10000", text(l.Env[0].Value.Span))
	assert.Equal(t, `"CONTEXT7_API_KEY"`, text(l.Env[1].Name.Span))
	assert.Equal(t, "true", l.Env[2].Value.Text)
	assert.Empty(t, l.Transport)
	assert.Equal(t, "context7", strings.Trim(text(context7.NameSpan), `"`))
	assert.True(t, strings.HasPrefix(text(context7.Span), "{") && strings.HasSuffix(text(context7.Span), "}"))

	linear := doc.Servers[1]
	assert.Equal(t, "http", linear.Launch.Transport)
	assert.Equal(t, `"http"`, text(linear.Type.Span))
	assert.Equal(t, `"https://mcp.linear.app/mcp"`, text(linear.Launch.URL.Span))
	require.Len(t, linear.Launch.Headers, 1)
	assert.Equal(t, "Authorization", linear.Launch.Headers[0].Name.Text)

	orders := doc.Servers[2]
	assert.Equal(t, "stdio", orders.Launch.Transport)
	assert.Equal(t, "8080", orders.Launch.Args[2].Text)

	calendar := doc.Servers[3]
	assert.Empty(t, calendar.Launch.URL.Text)
	assert.Equal(t, `""`, text(calendar.Launch.URL.Span))

	assert.Equal(t, "sse", doc.Servers[4].Launch.Transport)
	assert.Equal(t, "SSE", doc.Servers[4].Type.Text)
}

func TestCommandSpellings(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "generic/mcp.json", "mcp.json")
	local, array, remote := doc.Servers[0].Launch, doc.Servers[1].Launch, doc.Servers[2]
	assert.Equal(t, "node", local.Command.Text)
	assert.Equal(t, "server.mjs", local.Args[0].Text)
	assert.Equal(t, "LEVEL", local.Env[0].Name.Text)

	assert.Equal(t, "npx", array.Command.Text)
	require.Len(t, array.Args, 2)
	assert.Equal(t, "array-mcp", array.Args[1].Text)
	assert.Equal(t, "2", array.Env[0].Value.Text)
	assert.Equal(t, "stdio", array.Transport)

	assert.Equal(t, "remote", remote.Type.Text)
	assert.Empty(t, remote.Launch.Transport, "remote does not say which transport")
}

// TestImageOfAManifest: the tag of an image was a separate field before it became a part of the
// identifier (modelcontextprotocol/registry, server.schema.json 2025-09-16 and 2025-10-17).
func TestImageOfAManifest(t *testing.T) {
	for image, want := range map[string]string{
		`"identifier": "acme/notes", "version": "1.4.0"`:                      "acme/notes:1.4.0",
		`"identifier": "localhost:5000/acme/notes", "version": "1.4.0"`:       "localhost:5000/acme/notes:1.4.0",
		`"identifier": "ghcr.io/acme/notes:1.4.0", "version": "1.4.0"`:        "ghcr.io/acme/notes:1.4.0",
		`"identifier": "ghcr.io/acme/notes@sha256:00ff", "version": "latest"`: "ghcr.io/acme/notes@sha256:00ff",
		`"identifier": "acme/notes"`:                                          "acme/notes",
	} {
		doc, err := readText(NewIndex(All()), "server.json", `{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-16/server.schema.json",
			"name": "io.github.acme/notes", "packages": [{"registryType": "oci", `+image+`}]}`)
		require.NoError(t, err)
		args := doc.Servers[0].Launch.Args
		assert.Equal(t, want, args[len(args)-1].Text, image)
	}
}

// TestCodexLaunch checks the members that only Codex has.
func TestCodexLaunch(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "codex/config.toml", "app/.codex/config.toml")
	text := func(s syntax.Span) string { return string(doc.File.Bytes[s.Start:s.End]) }
	orders, figma := doc.Servers[0].Launch, doc.Servers[1].Launch
	require.Len(t, orders.PassEnv, 2)
	assert.Equal(t, "ORDERS_TOKEN", orders.PassEnv[0].Text)
	assert.Equal(t, `"REGION"`, text(orders.PassEnv[1].Span))
	assert.Equal(t, "services", orders.Cwd.Text)
	require.Len(t, orders.Env, 1)
	assert.Equal(t, `"info"`, text(orders.Env[0].Value.Span))
	var headers []string
	for _, h := range figma.Headers {
		headers = append(headers, h.Name.Text+"="+h.Value.Text+" "+text(h.Value.Span))
	}
	assert.Equal(t, []string{
		`X-Figma-Region=eu-west-1 "eu-west-1"`, `Authorization=Bearer ${FIGMA_TOKEN} "FIGMA_TOKEN"`, `X-Team=${FIGMA_TEAM} "FIGMA_TEAM"`,
	}, headers)
	assert.Equal(t, []refused{{"both", "url", mcp.TwoTargets}}, refusedIn(doc))
}

// refused is a refusal as tests write it: the entry, the words that show it and
// the reason.
type refused struct {
	server, token string
	reason        mcp.Reason
}

func refusedIn(doc *mcp.Document) []refused {
	var list []refused
	for _, r := range doc.Refusals {
		list = append(list, refused{r.Server, string(doc.File.Bytes[r.Span.Start:r.Span.End]), r.Reason})
	}
	return list
}

// TestRefusals covers what clients refuse, and what they do not.
func TestRefusals(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		path, content string
		want          []refused
	}{
		{"opencode.json", `{"mcp": {"a": {"enabled": true}, "b": {"type": "local", "command": ["b"]}}}`, nil},
		{"opencode.json", `{"mcp": {"b": {"type": "local", "command": "b"}}}`, []refused{{"b", `"b"`, mcp.MemberKind}}},
		{"opencode.json", `{"mcp": {"b": {"url": "https://b.corp.internal"}}}`, []refused{{"b", `"url"`, mcp.MissingType}}},
		{"crush.json", `{"mcp": {"b": {"type": "stdio", "command": ["b"]}}}`, []refused{{"b", `["b"]`, mcp.MemberKind}}},
		{".zed/settings.json", `{"context_servers": {"a": {"command": {"path": "a"}}, "b": {"settings": {}}, "c": {"command": "c"}}}`, nil},
		{"config/mcporter.json", `{"mcpServers": {"a": {"command": ["a"]}, "b": {"executable": "b"}, "c": {"server_url": "https://c.corp.internal"}}}`, nil},
		{".cursor/mcp.json", `{"mcpServers": {"a": {"url": "a_b.dev/mcp"}, "b": {"url": "a-9.dev/mcp"}}}`, []refused{{"b", `"a-9.dev/mcp"`, mcp.URLScheme}}},
		{".cursor/mcp.json", `[]`, []refused{{"", "[", mcp.TopKind}}},
		{".vscode/mcp.json", `"servers"`, []refused{{"", `"`, mcp.TopKind}}},
		{".mcp.json", `{"mcpServers": "servers.json"}`, []refused{{"", `"mcpServers"`, mcp.RootKind}}},
		{".mcp.json", `{"mcpServers": []}`, []refused{{"", `"mcpServers"`, mcp.RootKind}}},
		{".continue/mcpServers/a.yaml", "mcpServers: [{name: a, command: b}]\n", nil},
		{".goose/config.yaml", "extensions:\n- {name: a, transport: sse, url: https://a.corp.internal}\n", []refused{{"", "extensions", mcp.RootKind}}},
		{".mcp.json", `{"mcpServers": {"mcpServers": {"a": {"command": "b", "args": []}}}}`, []refused{{"mcpServers", `"mcpServers"`, mcp.NestedServers}}},
		{"opencode.json", `{"mcp": {"a": {"type": "local", "command": ["b"]}, "servers": {"c": {"type": "local", "command": ["d"]}}}}`, nil},
		{".goose/config.yaml", "extensions:\n  a: {type: builtin, enabled: true}\n  b: {type: stdio, cmd: b}\n", nil},
		{"fast-agent.yaml", "mcp: {servers: {a: {transport: http, target: 'https://a.corp.internal'}}}", nil},
		{"librechat.yaml", "x: &x {args: [a]}\ny: &y {command: y}\nmcpServers:\n  a: *x\n  b: {<<: *y, args: [b]}\n  c: {url: *x, env: *y}\n  d: {command: d}\n", []refused{{"a", "a", mcp.MissingTarget}, {"c", "*x", mcp.MemberKind}}},
		{".trae/mcp.json", `{"mcpServers": {"a": {"serverUrl": "https://a.corp.internal"}}}`, nil},
		{".github/workflows/x.md", "---\nmcp-servers: {a: {container: x/y, args: [a]}, b: {url: 'https://b.corp.internal'}}\n---\n", nil},
	} {
		doc, err := readText(ix, test.path, test.content)
		require.NoError(t, err, test.content)
		require.NotNil(t, doc, test.content)
		assert.Equal(t, test.want, refusedIn(doc), test.content)
	}
}

// TestRefusalsCarryWhatAFixNeeds checks one refusal in full: which client refuses what, the
// accepted values, and the object to write one into.
func TestRefusalsCarryWhatAFixNeeds(t *testing.T) {
	doc, err := readText(NewIndex(All()), ".mcp.json", `{"mcpServers": {"docs": {"url": "https://docs.corp.internal"}}}`)
	require.NoError(t, err)
	require.Len(t, doc.Refusals, 1)
	r := doc.Refusals[0]
	assert.Equal(t, mcp.MissingType, r.Reason)
	assert.Equal(t, `{"url": "https://docs.corp.internal"}`, string(doc.File.Bytes[r.Object.Start:r.Object.End]))
	assert.Equal(t, []string{"http", "streamable-http", "sse", "ws"}, r.Want)
	assert.Equal(t, "url", r.Member)
	assert.Equal(t, []*mcp.Client{mcp.ClientByID("claude-code")}, r.Clients)
	assert.Equal(t, mcp.ByOwner, r.By, "GitHub Copilot CLI takes the entry as it is")
}

// TestGeminiURLs checks that the winner and its transport are Gemini's.
func TestGeminiURLs(t *testing.T) {
	doc, _ := readSample(t, NewIndex(All()), "gemini/settings.json", ".gemini/settings.json")
	search, docs := doc.Servers[0].Launch, doc.Servers[1].Launch
	assert.Equal(t, "https://search.corp.internal/mcp", search.URL.Text)
	assert.Equal(t, "http", search.Transport)
	assert.Equal(t, "https://docs.corp.internal/sse", docs.URL.Text)
	assert.Empty(t, docs.Transport)
	assert.Equal(t, "./tools", doc.Servers[2].Launch.Cwd.Text)
}

func TestSwitchesAndReferences(t *testing.T) {
	ix := NewIndex(All())
	settings, _ := readSample(t, ix, "claude-settings/settings.json", ".claude/settings.json")
	assert.Equal(t, []string{"claude-code off legacy 9:31", "claude-code off old board 9:41"}, showSwitches(settings))
	assert.Equal(t, []string{
		"legacy 9:31", "old board 9:41", "memory 8:30", "memory 3:35", "my-board 3:62", "github 4:20", "board 5:42",
		"memory 12:26", "github 12:42",
	}, showReferences(settings))
	assert.Equal(t, []string{
		`starts "memory" by name: memory`, `starts "": "enableAllProjectMcpServers": true`,
		`runs read_graph of "memory" by name: mcp__memory__read_graph`, `runs tools of "my-board" by name: mcp__my-board`,
	}, showApprovals(settings))

	rules, _ := readSample(t, ix, "gemini/settings.json", ".gemini/settings.json")
	assert.Equal(t, []string{"gemini-cli only search 5:18", "gemini-cli only docs 5:28", "gemini-cli off scratch 6:19"}, showSwitches(rules))
	old, _ := readSample(t, ix, "gemini/rules.json", ".gemini/settings.json")
	assert.Equal(t, []string{"gemini-cli only docs 3:24", "gemini-cli off scratch 2:26"}, showSwitches(old))
	assert.Empty(t, old.Servers)
}

// TestReferences reads names of servers in lists of tools, policies, presets and
// hooks, each with the place of the name itself.
func TestReferences(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		file, path string
		want       []string
	}{
		{"claude-settings/policy.json", ".claude/settings.json", []string{"github 2:41", "old 3:40"}},
		{"claude-agent/tools.md", ".claude/agents/tools.md", []string{"github 3:19", "my-board 3:44", "slack 5:10", "old 6:11"}},
		{"claude-command/review.md", ".claude/commands/review.md", []string{"github 3:34", "docs 3:65", "azAZ09 3:91"}},
		{"copilot-agent/tools.agent.md", ".github/agents/tools.agent.md", []string{"github 3:18", "my.docs 3:30", "io.github.upstash/context7 3:55"}},
		{"amazon-q-agent/aliases.json", ".amazonq/cli-agents/aliases.json", []string{"git 6:22", "git 4:21", "board 5:23", "git 7:42"}},
		{"opencode/tools.json", "opencode.json", []string{"git 7:14", "git_hub 7:30", "x 7:85", "git_hub 7:99", "git 8:33", "git_hub 8:66"}},
		{"opencode-agent/review.md", ".opencode/agent/review.md", []string{"context7 5:3", "git_hub 6:4", "a 8:8", "a_b 8:8"}},
		{"vscode-prompt/review.prompt.md", ".github/chatmodes/review.chatmode.md", []string{"github 3:22", "io.github.upstash/context7 3:34"}},
		{"crush/tools.json", "crush.json", []string{"issues 2:50", "issues 3:39"}},
		{"zed/settings.json", ".zed/settings.json", []string{"figma 3:59"}},
		{"librechat/specs.yaml", "librechat.yaml", []string{"hub 8:20", "fetch 8:26"}},
		{"mcp-settings/groups.json", "mcp_settings.json", []string{"amap 3:43", "hub 3:60"}},
		{"pml/pml.json", ".pml.json", []string{"files 3:30"}},
	} {
		doc, _ := readSample(t, ix, test.file, test.path)
		assert.Equal(t, test.want, showReferences(doc), test.file)
	}
}

func showSwitches(doc *mcp.Document) []string {
	var list []string
	for _, s := range doc.Switches {
		what := "off"
		if s.Only {
			what = "only"
		}
		list = append(list, fmt.Sprintf("%s %s %s %s", s.Client.ID, what, s.Name, place(doc, s.Span)))
	}
	return list
}

func showReferences(doc *mcp.Document) []string {
	var list []string
	for _, r := range doc.References {
		list = append(list, r.Name+" "+place(doc, r.Span))
	}
	return list
}

func showApprovals(doc *mcp.Document) []string {
	var list []string
	for _, a := range doc.Approvals {
		what, how := "starts", ""
		if a.Grant == mcp.RunTools {
			what = "runs " + cmp.Or(a.Tool, "tools") + " of"
		}
		if a.ByName {
			how = " by name"
		}
		list = append(list, fmt.Sprintf("%s %q%s: %s", what, a.Server, how, doc.File.Bytes[a.Span.Start:a.Span.End]))
	}
	return list
}

func TestLinks(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		file, path string
		want       []string
	}{
		{"claude-plugin/linked.json", "p/notes/.claude-plugin/plugin.json", []string{"p/notes/config/servers.json"}},
		{"claude-plugin/list.json", ".claude-plugin/plugin.json", []string{".mcp.json", "more.json"}},
		{"copilot-plugin/plugin.json", "p/.plugin/plugin.json", []string{"p/.mcp.json"}},
	} {
		doc, _ := readSample(t, ix, test.file, test.path)
		var paths []string
		for _, l := range doc.Links {
			paths = append(paths, l.Path)
			assert.Equal(t, byte('"'), doc.File.Bytes[l.Span.Start])
		}
		assert.Equal(t, test.want, paths, test.file)
	}
}

// TestLinkedFile reads a file of servers that a manifest names.
func TestLinkedFile(t *testing.T) {
	ix := NewIndex(All())
	manifest, m := readSample(t, ix, "claude-plugin/linked.json", "p/notes/.claude-plugin/plugin.json")
	followed, ok := ix.Follow(m, manifest.Links[0])
	require.True(t, ok)
	content, err := os.ReadFile(filepath.Join(testdata, "claude-plugin", "bare.json"))
	require.NoError(t, err)
	doc, err := Read(syntax.NewFile(manifest.Links[0].Path, content), followed)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(`
claude-plugin plugin "p/notes" bare claude-code,copilot-cli
3:3 notes file:p/notes/server.js
8:3 tracker url:https://tracker.corp.internal/mcp`), show(doc, followed))
}

func TestInputs(t *testing.T) {
	ix := NewIndex(All())
	for path, want := range map[string]string{
		"vscode/mcp.json":               "token region",
		"vscode/nested.json":            "key",
		"vscode-settings/settings.json": "key",
		"vscode-settings/dotted.json":   "key",
		"visual-studio/mcp.json":        "pat",
		"claude-code/inputs.json":       "organization",
	} {
		at := ".vscode/mcp.json"
		switch {
		case strings.HasPrefix(path, "vscode-settings"):
			at = ".vscode/settings.json"
		case strings.HasPrefix(path, "claude-code"):
			at = ".mcp.json"
		}
		doc, _ := readSample(t, ix, path, at)
		var ids []string
		for _, w := range doc.Inputs {
			ids = append(ids, w.Text)
		}
		assert.Equal(t, want, strings.Join(ids, " "), path)
	}
}

func TestRepeats(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		file, path string
		want       []string
	}{
		{"claude-code/repeated.json", ".mcp.json", []string{"A 4:64 4:74 equal", "db 3:5 5:5"}},
		// mcplumb does not report a repeated key of the editor's own settings.
		{"vscode-settings/settings.json", ".vscode/settings.json", nil},
		{"vscode-settings/dotted.json", ".vscode/settings.json", []string{"mcp.servers 3:3 4:3 equal"}},
	} {
		doc, _ := readSample(t, ix, test.file, test.path)
		var got []string
		for _, r := range doc.Duplicates {
			line := r.Name + " " + place(doc, r.First) + " " + place(doc, r.Again)
			if r.Equal {
				line += " equal"
			}
			got = append(got, line)
		}
		assert.Equal(t, test.want, got, test.file)
	}
}

func TestSurface(t *testing.T) {
	ix := NewIndex(All())
	doc, _ := readSample(t, ix, "vscode/mcp.json", ".vscode/mcp.json")
	assert.Len(t, doc.Extensions.Comments, 2)
	assert.NotEmpty(t, doc.Extensions.TrailingCommas)
	doc, _ = readSample(t, ix, "claude-code/windows.json", ".mcp.json")
	assert.True(t, doc.Extensions.BOM)
}

// TestSilence reads files that only look like MCP configuration.
func TestSilence(t *testing.T) {
	ix := NewIndex(All())
	for file, paths := range map[string][]string{
		"silent/translations.json": {"locales/de/mcp.json", "i18n/mcp_config.json"},
		"silent/schema.json":       {"schemas/mcp.json", "schemas/mcp_config.json"},
		"silent/registry.json":     {"mcp-servers.json"},
		"silent/catalogue.json":    {"mcp-servers.json"},
		"silent/names.json":        {"mcp.json", ".vscode/settings.json", ".claude/settings.json"},
		"silent/settings.json":     {".vscode/settings.json", ".gemini/settings.json", ".claude/settings.json", "a.code-workspace"},
		"silent/zed.json":          {".zed/settings.json"},
		"silent/librechat.yaml":    {"librechat.yaml"},
		"silent/goose.yaml":        {".goose/config.yaml", "recipe.yaml", "mcp.yaml"},
		"silent/override.toml":     {".grok/config.toml", ".codex/config.toml", "mcp.toml", "config.toml"},
		"silent/server.json":       {"server.json", "manifest.json", "opencode.json", "crush.json", "kilo.json"},
		"silent/manifest.json":     {"manifest.json", "server.json"},
		"silent/agent.md":          {"x.agent.md", ".github/agents/x.md", ".claude/agents/x.md", ".github/workflows/x.md"},
		"silent/config.toml":       {"config.toml", ".vibe/config.toml", ".codex/config.toml"},
		"silent/compose.yaml":      {"compose.yaml", "mcp.yaml"},
		"silent/catalog.yaml":      {"catalog.yaml", "custom-catalog.yaml"},
		"silent/crush.json":        {"crush.json", ".crush.json", "kilo.jsonc"},
		"silent/values.yaml":       {"values.yaml", "mcp-values.yaml", "app-configmap.yaml"},
		"silent/application.yml":   {"application.yml", "src/main/resources/application-dev.yml"},
		"silent/module.nix":        {"claude-code.nix", "home.nix"},
		"silent/agents.yaml":       {"agents.yaml", "team_agent.yaml", "cagent.yaml"},
		"silent/crd.yaml":          {"mcpserver-crd.yaml", "configmap.yaml"},
		"silent/settings.yaml":     {"litellm_config.yaml"},
		"silent/broken.json":       {".vscode/settings.json", ".gemini/settings.json", "mcp.json", "a.code-workspace"},
	} {
		for _, path := range paths {
			doc, _ := readSample(t, ix, file, path)
			assert.Nil(t, doc, "%s as %s", file, path)
		}
	}
	for path, content := range map[string]string{
		".mcp.json":                    `{}`,
		"a/.mcp.json":                  `{"mcpServers": null}`,
		".cursor/mcp.json":             `{"templates": {"a": {"command": "npx"}}}`,
		".roo/mcp.json":                `{"servers": {}}`,
		".gemini/settings.json":        `{"mcpServers": {}}`,
		"mcp.json":                     `{"mcpServers": {"a": {"enabled": false}}}`,
		".windsurf/mcp.json":           `{"note": "moved to mcpServers"}`,
		".claude/settings.json":        `{"permissions": {"allow": ["mcp__*__*"]}, "enableAllProjectMcpServers": false}`,
		".claude-plugin/plugin.json":   `[]`,
		"mcp.json.example":             "mcpServers: {\"mcpServers\": not JSON",
		"x/.gemini/settings.json":      `{"mcp": {"context7": {"command": "npx"}}}`,
		"claude_desktop_config.x.json": `{"mcpServers": {}}`,
		".vibe/config.toml":            "a = 1\na = 2\n[tools]\n", // invalid, but without MCP configuration
		".codex/config.toml":           "",
		"fast-agent.yaml":              "mcp:\n  servers:\n    a: {env: {A: b}}\n",
		"mcp_agent.secrets.yaml":       "mcp: {servers: {a: {env: {A: 1}}}}",
		"mcp.yml":                      "# mcp_servers\n",
		"x.agent.md":                   "no front matter, but mcp-servers: in the text",
		"y.agent.md":                   "---\nname: [\n---\nmcp-servers:\n  a: {url: x}\n",
		"recipes/recipe.yaml":          "package: {name: x}\nextensions: [a, b]\n",
		".zed/settings.json":           `{"context_servers": {"pg": {"source": "extension", "settings": {}}}}`,
		"config.toml":                  "[mcp]\nsse_servers = [1, {}, {name = 'x'}]\n",
		"docker-compose.yml":           "services: [docker/mcp-gateway]\n",
		"openclaw.json":                "{gateway: {port: 1}, mcp: {servers: {}}}", // JSON5
		".codex/agents/a.toml":         "name = 'a'\n[mcp_servers.docs]\nenabled = false\n",
		"catalog.yaml":                 "registry: [{type: server}]\n",
		"docker-mcp.yaml":              "registry:\n  tools-only: {type: poci, tools: []}\n",
	} {
		doc, err := readText(ix, path, content)
		assert.NoError(t, err, path)
		assert.Nil(t, doc, "%s: %s", path, content)
	}
}

func readText(ix *Index, path, content string) (*mcp.Document, error) {
	m, _ := ix.Lookup(path)
	return Read(syntax.NewFile(path, []byte(content)), m)
}

// TestOneLiners covers shapes that are too small for a file of their own.
func TestOneLiners(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct{ path, content, want string }{
		{".cursor/mcp.json", `{"mcpServers": {}}`, `cursor project "" mcpServers@1:2 cursor`},
		// The wrong key holds something, the right one nothing.
		{".mcp.json", `{"mcpServers": {}, "mcp": {"a": {"command": "uvx", "args": ["a"]}}}`, `claude-code project "" mcp@1:20 claude-code,copilot-cli,visual-studio` + "\n1:28 a pypi:a"},
		{".cursor/mcp.json", `{"mcp-servers": {"a": {"url": "https://a.corp.internal/mcp"}}}`, `cursor project "" mcp-servers@1:2 cursor` + "\n1:18 a url:https://a.corp.internal/mcp"},
		{".vscode/mcp.json", `{"a": {"command": "uvx", "args": ["a"]}}`, `vscode project "" bare vscode` + "\n1:2 a pypi:a"},
		{"mcp.json", `{"mcpServers": {"a": {"command": "sonar"}}}`, `generic generic "" mcpServers@1:2 -` + "\n1:17 a exec:sonar"},
		{"x/mcp.json", `{"amp.mcpServers": {"a": {"url": "https://a.corp.internal/mcp"}}}`, `generic generic "x" amp.mcpServers@1:2 -` + "\n1:21 a url:https://a.corp.internal/mcp"},
		{"mcp.json", `{"mcpServers": {"a": {"url": "$A_URL"}, "b": {"url": "", "type": "http"}}}`, `generic generic "" mcpServers@1:2 -` + "\n1:17 a opaque:${A_URL}\n1:41 b -"},
		{".continue/mcpServers/a.yaml", "mcpServers:\n- name: a\n  command: uvx\n  args: [a]\r\n", "continue project \"\" mcpServers@1:1 continue\n2:9 a pypi:a"},
		{"mcp_agent.config.yaml", "mcp: {servers: {x: {command: docker, args: [run, x/y]}}}", "mcp-agent agent \"\" mcp.servers@1:7 mcp-agent\n1:17 x oci:docker.io/x/y"},
		{".codex/config.toml", "mcpServers.a.command = 'a-mcp'", "codex project \"\" mcpServers@1:1 codex\n1:12 a exec:a-mcp"},
		{".CODEX/Config.TOML", "\ufeff[mcp_servers.'a b']\nurl = \"https://a.corp.internal/mcp\"", "codex project \"\" mcp_servers@1:2 codex\n1:14 a b url:https://a.corp.internal/mcp"},
		{".zed/settings.json", `{"context_servers": {"a": {"command": {"path": "uvx", "args": ["a"]}}}}`, "zed project \"\" context_servers@1:2 zed\n1:22 a pypi:a"},
		{"librechat.yaml", "interface: {mcpServers: {use: true}}\nmcpServers: {a: {url: 'https://a.corp.internal/mcp'}}", "librechat agent \"\" mcpServers@2:1 librechat\n2:14 a url:https://a.corp.internal/mcp"},
		{".codeium/windsurf/mcp_config.json", `{"mcpServers": [{"name": "a", "command": "uvx", "args": ["a"]}]}`, "windsurf user \"\" mcpServers@1:2 windsurf\n1:26 a pypi:a"},
		// A server called as a root key is.
		{".mcp.json", `{"mcp": {"command": "uvx", "args": ["a"]}}`, `claude-plugin plugin "" bare claude-code,copilot-cli` + "\n1:2 mcp pypi:a"},
		{".cursor/mcp.json", `{"mcpServers": {"a": {"disabled": true}, "b": {"command": null}, "c": 1}}`, `cursor project "" mcpServers@1:2 cursor` + "\n1:42 b -"},
	} {
		m, _ := ix.Lookup(test.path)
		doc, err := readText(ix, test.path, test.content)
		require.NoError(t, err, test.content)
		require.NotNil(t, doc, test.content)
		assert.Equal(t, test.want, show(doc, m), test.content)
	}
}

func TestErrors(t *testing.T) {
	ix := NewIndex(All())
	var syntaxError *syntax.Error
	for _, path := range []string{".mcp.json", ".vscode/mcp.json", ".vscode/settings.json", "mcp.json"} {
		_, err := readText(ix, path, `{"mcpServers": {`)
		assert.ErrorAs(t, err, &syntaxError, path)
	}
	_, err := readText(ix, ".cursor/mcp.json", "")
	assert.ErrorAs(t, err, &syntaxError, "an empty file is not what its client reads")
	for path, content := range map[string]string{
		".codex/config.toml":     "[mcp_servers.a\n",
		"config.toml":            "stdio_servers = [",
		"librechat.yaml":         "mcpServers: {",
		".github/agents/x.md":    "---\nmcp-servers: {\n---\n",
		".continue/config.yaml":  "mcpServers: [",
		"opencode.jsonc":         `{"mcp": {`,
		".amazonq/agents/x.json": `{"mcpServers": {`,
	} {
		_, err := readText(ix, path, content)
		assert.ErrorAs(t, err, &syntaxError, path)
	}
	for path, content := range map[string]string{
		"server.json":            `{"remotes": [`,
		"config.toml":            "a = [",
		"compose.yaml":           "image: docker/mcp-gateway\n a: [",
		"opencode.jsonc":         `{"agent": {`,
		".amazonq/agents/x.json": `{"tools": [`,
	} {
		_, err := readText(ix, path, content)
		assert.NoError(t, err, "%s: %s", path, content)
	}
	_, err = readText(ix, ".claude/settings.json", `{"permissions": ["mcp__a__b"`)
	assert.NoError(t, err, "settings without servers are not ours to judge")

	var limit *syntax.LimitError
	deep := `{"mcpServers":` + strings.Repeat("[", syntax.MaxDepth+1)
	_, err = readText(ix, "mcp.json", deep)
	assert.ErrorAs(t, err, &limit)
	_, err = readText(ix, ".vscode/settings.json", strings.Repeat("[", syntax.MaxDepth+1))
	assert.NoError(t, err)
}

// TestHostileValues replaces every value of every sample with a value of every kind. Nothing may
// panic, and every span must be within the file.
func TestHostileValues(t *testing.T) {
	ix := NewIndex(All())
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(t, err)
		m, _ := ix.Lookup(s.path)
		tree, err := m.Format.Parse(new(syntax.Parser), syntax.NewFile(s.path, content))
		require.NoError(t, err)
		isJSON := strings.Contains(filepath.Ext(s.file), "json") || filepath.Ext(s.file) == ".code-workspace"
		for _, span := range keys(tree.Root, nil) {
			changed := string(content[:span.Start]) + `"renamed"` + string(content[span.End:])
			doc, _ := Read(syntax.NewFile(s.path, []byte(changed)), m)
			checkSpans(t, doc, changed)
		}
		for _, span := range values(tree.Root, nil) {
			for _, value := range []string{"null", "true", "1", `"x"`, `""`, "[]", "{}", `[{"name":"x","command":[]}]`, `{"x":{"url":{}}}`} {
				changed := string(content[:span.Start]) + value + string(content[span.End:])
				doc, err := Read(syntax.NewFile(s.path, []byte(changed)), m)
				var syntaxError *syntax.Error
				if isJSON || !errors.As(err, &syntaxError) { // TOML has no null
					require.NoError(t, err, changed)
				}
				checkSpans(t, doc, changed)
			}
		}
	}
}

// keys returns the span of every key of a tree.
func keys(n *syntax.Node, spans []syntax.Span) []syntax.Span {
	for _, child := range n.Nodes {
		if !child.Key.IsZero() {
			spans = append(spans, child.Key)
		}
		spans = keys(child, spans)
	}
	return spans
}

// values returns the span of every value of a tree.
func values(n *syntax.Node, spans []syntax.Span) []syntax.Span {
	spans = append(spans, n.Value)
	if n.Key.Start > n.Value.Start {
		spans = spans[:len(spans)-1] // a table of TOML begins at its header
	}
	for _, child := range n.Nodes {
		spans = values(child, spans)
	}
	return spans
}

func checkSpans(t *testing.T, doc *mcp.Document, content string) {
	t.Helper()
	if doc == nil {
		return
	}
	spans := []syntax.Span{doc.Root}
	for _, s := range doc.Servers {
		spans = append(spans, s.NameSpan, s.Span, s.Type.Span, s.Launch.Command.Span, s.Launch.URL.Span)
		for _, w := range s.Launch.Args {
			spans = append(spans, w.Span)
		}
		for _, p := range append(s.Launch.Env, s.Launch.Headers...) {
			spans = append(spans, p.Name.Span, p.Value.Span)
		}
	}
	for _, r := range doc.References {
		spans = append(spans, r.Span)
	}
	for _, l := range doc.Links {
		spans = append(spans, l.Span)
	}
	for _, span := range spans {
		if span.Start < 0 || span.Start > span.End || span.End > len(content) {
			t.Fatalf("span %v is outside of %s", span, content)
		}
	}
}

func FuzzRead(f *testing.F) {
	ix := NewIndex(All())
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(f, err)
		f.Add(s.path, content)
	}
	f.Fuzz(func(t *testing.T, path string, content []byte) {
		doc, err := Read(syntax.NewFile(path, content), ix.Named(path))
		var syntaxError *syntax.Error
		var limit *syntax.LimitError
		if err != nil && !errors.As(err, &syntaxError) && !errors.As(err, &limit) {
			t.Fatal(err)
		}
		checkSpans(t, doc, string(content))
	})
}

func BenchmarkRead(b *testing.B) {
	content := []byte(manyServers(20))
	m, _ := NewIndex(All()).Lookup("app/.cursor/mcp.json")
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(syntax.NewFile("app/.cursor/mcp.json", content), m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse is the part of BenchmarkRead that is not this package's.
func BenchmarkParse(b *testing.B) {
	content := []byte(manyServers(20))
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.ParseJSON(syntax.NewFile("app/.cursor/mcp.json", content)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLookup looks up the paths of a large repository, few of which have a format.
func BenchmarkLookup(b *testing.B) {
	ix := NewIndex(All())
	var paths []string
	for i := range 30_000 {
		paths = append(paths, fmt.Sprintf("packages/pkg%d/src/components/File%d.test.ts", i%300, i))
		if i%100 == 0 {
			paths[i] = fmt.Sprintf("packages/pkg%d/package.json", i)
		}
		if i%1000 == 0 {
			paths[i] = fmt.Sprintf("packages/pkg%d/.cursor/mcp.json", i)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range paths {
			ix.Lookup(path)
		}
	}
}

// BenchmarkLookupNear looks up paths whose names are close to those of a format.
func BenchmarkLookupNear(b *testing.B) {
	ix := NewIndex(All())
	var paths []string
	for i := range 10_000 {
		paths = append(paths,
			fmt.Sprintf("packages/pkg%d/docs/page%d.md", i%300, i),
			fmt.Sprintf("packages/pkg%d/data/file%d.json", i%300, i),
			fmt.Sprintf("packages/pkg%d/deploy/file%d.yaml", i%300, i))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range paths {
			ix.Lookup(path)
		}
	}
}

func manyServers(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"mcpServers\": {\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `    "server-%d": {
      "command": "npx",
      "args": ["-y", "@example/mcp-server-%d@1.2.%d", "--root", "${workspaceFolder}/data"],
      "env": { "API_KEY": "${env:API_KEY_%d}", "LOG_LEVEL": "info" }
    }`, i, i, i, i)
	}
	b.WriteString("\n  }\n}\n")
	return b.String()
}

// TestManifests checks how manifests describe themselves, each value with its place: the place of
// a tag is a part of the identifier.
func TestManifests(t *testing.T) {
	const file = `{"name": "io.github.acme/notes", "version": "1.3.0", "repository": {"url": "https://github.com/acme/notes", "subfolder": "mcp"}, "packages": [
		{"registryType": "pypi", "identifier": "Acme.Notes", "version": "1.2.0"}, {"registryType": "cargo", "identifier": "notes", "version": "1.1.0"},
		{"registryType": "oci", "identifier": "ghcr.io:443/acme/notes:v1.0.0"}, {"registryType": "oci", "identifier": "acme/notes@sha256:00", "version": "0.9.0"},
		{"registryType": "mcpb", "identifier": "https://acme.dev/notes.mcpb"}, {"registry_name": "npm", "name": "@acme/notes", "version": "0.8.0"}]}`
	match, _ := NewIndex(All()).Lookup("server.json")
	doc, err := Read(syntax.NewFile("server.json", []byte(file)), match)
	require.NoError(t, err)
	m := doc.Manifest
	assert.Equal(t, []string{"io.github.acme/notes", "1.3.0", "https://github.com/acme/notes", "mcp"}, []string{m.Name.Text, m.Version.Text, m.Repository, m.Subfolder})
	var found []string
	for _, p := range m.Packages {
		found = append(found, fmt.Sprintf("%s %s %s", p.Kind, p.Name, file[p.Version.Span.Start:p.Version.Span.End]))
	}
	assert.Equal(t, []string{`pypi acme-notes "1.2.0"`, `cargo notes "1.1.0"`, `oci ghcr.io:443/acme/notes v1.0.0`, `oci acme/notes@sha256:00 "0.9.0"`, `npm @acme/notes "0.8.0"`}, found)

	match, _ = NewIndex(All()).Lookup("tools/.claude-plugin/marketplace.json")
	doc, err = Read(syntax.NewFile("tools/.claude-plugin/marketplace.json", []byte(`{"plugins": [{"name": "a", "source": "./a", "version": "1.0.0"},
		{"name": "b", "source": "./../../b", "version": "1.0.0"}, {"name": "c", "source": "./c"}, {"name": "d", "source": "../d", "version": "1.0.0"}]}`)), match)
	require.NoError(t, err)
	require.Len(t, doc.Manifest.Entries, 1)
	assert.Equal(t, "tools/a", doc.Manifest.Entries[0].Dir)
}
