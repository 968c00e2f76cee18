package identity

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLaunchersAreKnown checks that the launchers, wrappers and bridges that files of clients name
// are in the table, under every name they have.
func TestLaunchersAreKnown(t *testing.T) {
	const names = `
		mcp-remote mcp-remote-client supergateway mcp-proxy smithery mcp-gateway mcporter fastmcp
		cmd wsl env sh bash zsh sudo doas nice timeout mise direnv dotenvx dotenv doppler infisical op aws-vault envmcp
		npx npm bunx bun pnpm pnpx pnx yarn deno dx node nodejs tsx ts-node nodemon
		uvx uv pipx python py poetry pdm
		docker podman nerdctl docker-compose dnx dotnet go cargo java php ruby nix make just task volta fnm nvm asdf sail ddev lando`
	for _, name := range strings.Fields(names) {
		for _, spelling := range []string{name, "/usr/local/bin/" + name, `C:\Program Files\x\` + strings.ToUpper(name) + ".EXE", name + ".cmd"} {
			l := launcherOf(spelling)
			if assert.NotNil(t, l, spelling) {
				assert.Equal(t, name, l.name)
			}
		}
	}
	for _, tt := range []struct{ spelling, name string }{
		{"python3.12", "python"}, {"node20", "node"}, {"php8.4.exe", "php"}, {".venv/bin/python3", "python"}, {`C:\XAMPP\php\php.exe`, "php"},
		{`node_modules\.bin\tsx.cmd`, "tsx"}, {"node_modules/.bin/mcp-remote", "mcp-remote"}, {"vendor/bin/sail", "sail"},
		{"/Users/jo/.nvm/versions/node/v22.0.0/bin/npx", "npx"}, {"~/.local/bin/uvx", "uvx"}, {"${HOME}/.bun/bin/bunx", "bunx"},
		{"/opt/homebrew/bin/npx", "npx"}, {"/nix/store/x-nodejs/bin/npx", "npx"}, {"${env:LOCALAPPDATA}/Programs/uv/uvx.exe", "uvx"},
		{"${workspaceFolder}/.venv/bin/python", "python"}, {"/home/jo/app/.venv/bin/uv", "uv"}, {"/path/to/uv", "uv"},
		{".venv/Scripts/python.exe", "python"}, {"/home/jo/miniconda3/envs/x/bin/python", "python"}, {"docker.sh", "docker"},
	} {
		if l := launcherOf(tt.spelling); assert.NotNil(t, l, tt.spelling) {
			assert.Equal(t, tt.name, l.name)
		}
	}
	for _, spelling := range []string{"", "./docker.sh", "scripts/make", "bash3", "notnpx", "npx-x",
		"./bin/npx", "bin/npx", `.\bin\npx.exe`, "${CLAUDE_PROJECT_DIR}/bin/npx", "/tmp/evil/npx", "./evil/node", "./bin/uvx", "./bin/docker",
		"./bin/sh", "./bin/mcp-remote", "/tmp/x/mcp-proxy", "/usr/bin/../../tmp/npx", "node_modules/.bin/../../evil/npx", ".venv/bin/docker",
		"node_modules/.bin/npx", `.\node_modules\.bin\npx.cmd`, "${workspaceFolder}/node_modules/.bin/pnpm", "node_modules/.bin/docker", "vendor/bin/npx",
		".venv/bin/uvx", ".venv/bin/pipx",
		"/workspaces/app/bin/npx", `C:\Temp\npx.exe`, "${HOME}/../x/npx"} {
		assert.Nil(t, launcherOf(spelling), spelling)
	}
}

// TestToolsAreLaunchers checks that the launchers that packages contain are in the table.
func TestToolsAreLaunchers(t *testing.T) {
	for _, tool := range tools {
		assert.NotNil(t, launcherNamed(tool.program), tool.program)
		assert.NotNil(t, toolOf(tool.kind, tool.name), tool.name)
	}
	for _, row := range pythonTools {
		assert.NotNil(t, launcherNamed(row.value), row.value)
	}
	for _, l := range launchers {
		if l.as != "" {
			assert.NotNil(t, launcherNamed(l.as), l.name)
		}
		assert.Equal(t, l.read == readScript, l.interpreter != nil, l.name)
		assert.Equal(t, l.read == readManager, l.manager != nil, l.name)
		assert.Equal(t, l.read == readWrapper, l.wrapper != nil, l.name)
		assert.Equal(t, l.read == readEnvironment, l.environment != nil, l.name)
		assert.Equal(t, l.read == readNPX, l.options != nil, l.name)
	}
	assert.True(t, slices.IsSortedFunc(launchers, func(a, b launcher) int { return strings.Compare(a.name, b.name) }))
}

// TestMayBeInstalled checks what launchers use from the project instead of fetching it (npm's
// libnpmexec, bun's bunx_command, uv's can_skip_ephemeral, the documentation of dotnet tool exec).
func TestMayBeInstalled(t *testing.T) {
	for _, tt := range []struct {
		entry string
		want  bool
	}{
		{`npx pkg`, true}, {`npx pkg@^1`, true}, {`npx pkg@1.0.0`, false}, {`npx pkg@latest`, false}, {`npx github:o/r`, false},
		{`bunx pkg`, true}, {`bunx pkg@^1`, false}, {`pnpm dlx pkg`, false}, {`pnpx pkg`, false}, {`yarn dlx pkg`, false},
		{`uv run --with pkg pkg`, true}, {`uv run --with pkg>=1 pkg`, true}, {`uvx pkg`, false}, {`pipx run pkg`, false},
		{`dnx Pkg`, true}, {`dnx Pkg@1.*`, false}, {`dotnet tool exec Pkg`, true}, {`deno run npm:pkg@^1`, true}, {`dx jsr:@s/p`, true},
		{`docker run o/r`, false},
	} {
		id := resolve(t, strings.ReplaceAll(tt.entry, ">", `\>`))
		for pkg := range id.Packages() {
			assert.Equal(t, tt.want, pkg.MayBeInstalled(), tt.entry)
		}
		assert.True(t, id.IsPackage(), tt.entry)
	}
}
