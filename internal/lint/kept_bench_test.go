package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/source"
)

// BenchmarkKeystroke measures what one change of one file costs an editor, in a project of five
// files of clients and fourteen agents, and among many projects.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []struct{ projects, servers int }{{1, 5}, {1, 20}, {1, 200}, {1000, 4}} {
		b.Run(fmt.Sprintf("%dx%d", size.projects, size.servers), func(b *testing.B) {
			files := map[string]string{}
			for p := range size.projects {
				for i, name := range []string{".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json", ".roo/mcp.json"} {
					root, entries := "mcpServers", []string{}
					if strings.HasPrefix(name, ".vscode") {
						root = "servers"
					}
					for s := range size.servers {
						entries = append(entries, fmt.Sprintf(`"s%d": {"command": "npx", "args": ["-y", "@acme/s%[1]d@1.%[1]d.%d"]}`, s, i%2))
					}
					files[fmt.Sprintf("p%d/%s", p, name)] = fmt.Sprintf(`{%q: {%s}}`, root, strings.Join(entries, ", "))
				}
				for a := range 14 {
					files[fmt.Sprintf("p%d/.claude/agents/a%d.md", p, a)] = fmt.Sprintf("---\nname: a%d\ntools: mcp__s1__x\n---\n", a)
				}
			}
			const name = "p0/.mcp.json"
			disk, kept, count := source.Memory(files), lint.NewKept(), 0
			run := func(changed []string) {
				text := files[name] + strings.Repeat(" ", count%2)
				count++
				tree := source.Overlay(disk, map[string][]byte{name: []byte(text)})
				_, err := lint.Run(b.Context(), lint.Options{Source: tree, Kept: kept, Changed: changed})
				require.NoError(b, err)
			}
			run(nil)
			for b.Loop() {
				run([]string{name})
			}
		})
	}
}
