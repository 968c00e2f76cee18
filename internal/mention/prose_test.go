package mention

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNamesInProse checks which texts mention a server: the first word that does is marked with
// «.
func TestNamesInProse(t *testing.T) {
	names := NewNames(map[string]bool{
		"memory": true, "github": true, "chrome-devtools": true, "my.server": true, "Figma Desktop": true,
		"io.github.upstash/context7": true, "gitHub2": true,
	})
	for _, text := range []string{
		// A tool of a server.
		"«mcp__memory__create_entities", "allow «mcp__github.", "«mcp__my_server__search", "«mcp_github_create_issue",
		"Call `«github/create_issue`.", "Call `«github:create_issue` then.", "use «github:create_issue for it", "`«github/*`",
		"```\nrun «github/create_issue\n```",
		// The name itself, marked as one.
		"Use `«memory`.", `Use "«memory".`, "Ask '«github' first.", "`@«github`", "the `«Figma Desktop` window", `{"«memory": {"command": "npx"}}`,
		// A word of no language.
		"Open pages with «chrome-devtools.", "**«chrome-devtools**: pages", "see «io.github.upstash/context7", "«gitHub2 knows",
		// Next to the word for what it is.
		"the «memory server", "the «github MCP server", "«github MCP", "MCP server: «memory", "MCP servers «github and memory", "the **«memory** server", "the «github\nMCP server",
		// The items of a list of servers.
		"## MCP servers\n\n- «memory: notes\n", "# The MCP\n## Which\n1. **«github** for issues", "## MCP\n| «memory | notes |",
		// Ordinary words.
		"Keep it in memory.", "Free memory, server by server.", "It stays in memory. Server restarts lose it.", "out of memory\n\nserver", "# MCP\n\nFree memory", "about MCP\n- memory leaks",
		"github.com/a/b", "https://github.com/o/r", ".github/workflows/ci.yml", "`memory/notes.md`", "`src/github/x`", "memory-bank", "in-memory", "github/create",
		"GitHub", "mcp__memories__x", "mcp_", "`a` memory `b`", "chrome-devtools-frontend",
		"## MCP servers\n\nSee `x`.\n\n## Limits\n\n- memory: 4 GB", "```\n# MCP\n```\n- memory: 4 GB",
	} {
		plain := strings.ReplaceAll(text, "«", "")
		var want []int
		if at := strings.Index(text, "«"); at >= 0 {
			want = []int{at}
		}
		assert.Equal(t, want, slices.Collect(maps.Values(names.In(plain))), "%q", text)
	}
}

// TestProse checks which files are texts for agents, and which directory each is for.
func TestProse(t *testing.T) {
	index := Index()
	for path, dir := range map[string]string{
		"CLAUDE.md": "", "web/AGENTS.md": "web", "web/.github/copilot-instructions.md": "web",
		".github/instructions/go/x.instructions.md": "", "a/.cursor/rules/x.mdc": "a", "a/.clinerules": "a", "a/.clinerules/x.md": "a",
		".claude/skills/pdf/SKILL.md": "", "plugins/p/skills/pdf/SKILL.md": "plugins/p", "plugins/p/agents/x.md": "plugins/p",
		".claude/agents/x.md": "", ".github/prompts/x.prompt.md": "", "a/claude.md": "a",
	} {
		match, known := index.Lookup(path)
		assert.True(t, known, path)
		assert.Equal(t, dir, match.Dir, path)
	}
	for _, path := range []string{"README.md", "docs/memory.md", ".mcp.json", "CLAUDE.md.txt", "src/x.mdc"} {
		_, known := index.Lookup(path)
		assert.False(t, known, path)
	}
}
