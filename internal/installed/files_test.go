package installed_test

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/source"
)

// asked notes the names of all files that are requested.
type asked struct {
	source.Tree
	mutex sync.Mutex
	names []string
}

func (a *asked) note(file string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if name := path.Base(file); name != "." && name != "mcp.json" && name != ".mcp.json" && name != "server.json" && !slices.Contains(a.names, name) {
		a.names = append(a.names, name)
	}
}

func (a *asked) Read(ctx context.Context, file string) (source.File, error) {
	a.note(file)
	return a.Tree.Read(ctx, file)
}

func (a *asked) Stat(ctx context.Context, file string) (source.Kind, error) {
	a.note(file)
	return a.Tree.Stat(ctx, file)
}

// TestFiles holds the list of what is read to what a launcher of each ecosystem
// makes it read: the hooks run when one of these changes.
func TestFiles(t *testing.T) {
	tree := &asked{Tree: source.Memory(map[string]string{
		"package.json": `{"devDependencies": {"a-mcp": "1.0.0"}, "workspaces": ["packages/*"]}`,
		"server.json":  `{"name": "io.github.acme/a", "packages": [{"registryType": "npm", "identifier": "a"}]}`,
		".cursor/mcp.json": `{"mcpServers": {
			"npm": {"command": "npx", "args": ["a-mcp"]},
			"bun": {"command": "bunx", "args": ["a-mcp"]},
			"pnpm": {"command": "pnpm", "args": ["exec", "a-mcp"]},
			"yarn": {"command": "yarn", "args": ["a-mcp"]},
			"deno": {"command": "deno", "args": ["run", "-A", "npm:a-mcp"]},
			"uv": {"command": "uv", "args": ["run", "--with", "a-mcp", "a-mcp"]},
			"uvx": {"command": "uvx", "args": ["a-mcp"]},
			"pipx": {"command": "pipx", "args": ["run", "a-mcp"]},
			"dnx": {"command": "dnx", "args": ["a-mcp"]},
			"dotnet": {"command": "dotnet", "args": ["tool", "exec", "a-mcp"]},
			"go": {"command": "go", "args": ["run", "example.com/a@latest"]}
		}}`,
	})}
	installedIn(t, tree)
	assert.ElementsMatch(t, installed.Files(), tree.names)
}

// TestCostlyWorkspaces checks that workspaces whose patterns match too much have no members.
func TestCostlyWorkspaces(t *testing.T) {
	choices := "{" + strings.Repeat("a,", 200) + "p}"
	for workspaces, want := range map[string]int{
		`["{a,p}/*"]`:                                 1,
		`["` + choices + `/*"]`:                       1,
		`["` + strings.Repeat(choices, 3) + `"]`:      0,
		`["p/*"` + strings.Repeat(`, "x"`, 500) + `]`: 0,
	} {
		found := installedIn(t, source.Memory(map[string]string{
			"package.json":     `{"workspaces": ` + workspaces + `}`,
			"p/a/package.json": `{"name": "a-mcp"}`,
			".mcp.json":        `{"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}}}`,
		}))
		assert.Len(t, found, want, "%.30s", workspaces)
	}
}
