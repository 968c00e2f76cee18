package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkKeystroke measures what one change of one file costs from the message to the diagnostics,
// in a project of five files of clients, fourteen agents, and 100 servers: half of these are pinned to
// other versions in two of the files.
func BenchmarkKeystroke(b *testing.B) {
	files := map[string]string{".git/HEAD": ""}
	for i, name := range []string{".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json", ".roo/mcp.json"} {
		root, entries := "mcpServers", []string{}
		if strings.HasPrefix(name, ".vscode") {
			root = "servers"
		}
		for s := range 20 {
			entries = append(entries, fmt.Sprintf("    \"s%d\": {\"command\": \"npx\", \"args\": [\"-y\", \"@acme/s%[1]d@1.%[1]d.%d\"], \"env\": {\"A\": \"b\"}}", s, s%2*(i%2)))
		}
		files[name] = fmt.Sprintf("{\n  %q: {\n%s\n  }\n}\n", root, strings.Join(entries, ",\n"))
	}
	for i := range 14 {
		files[fmt.Sprintf(".claude/agents/a%d.md", i)] = fmt.Sprintf("---\nname: a%d\ntools: mcp__s1__x\n---\n", i)
	}
	const name = ".mcp.json"
	c := connect(b, all, files)
	c.read(name)
	typed := strings.Replace(files[name], "npx", "npxx", 1)
	count := 0
	for b.Loop() {
		text := []string{typed, files[name]}[count%2]
		count++
		c.edit(name, text)
	}
}
