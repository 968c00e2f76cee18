package holodeck_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestHolodeckCases follows HoloDeck's own tests where they have an analogue in
// files: the tools of an agent and the servers of its settings, both as lines
// of YAML, and what is expected as "rule subject".
//
// Without an analogue, because they watch a command at work: H13 and the
// writing halves of H05 and H07. H10 is TestHolodeckVersions.
func TestHolodeckCases(t *testing.T) {
	tool := func(name, more string) string {
		return "{type: mcp, name: " + name + ", description: d, command: npx, " + more + "}"
	}
	files := tool("files", `args: ["@acme/files"], registry_name: io.acme/files`)
	for _, test := range []struct {
		id              string
		agent, settings []string
		want            []string
	}{
		{"H01", []string{files, tool("files2", `args: ["@acme/files"], registry_name: io.acme/files`)}, nil, []string{"duplicate-server files2"}},
		{"H01 and one name", []string{files, files}, nil, []string{"duplicate-server files"}},
		{"H02 other registry name", []string{files, tool("files", `args: ["@bob/files"], registry_name: io.bob/files`)}, nil, []string{"short-name-collision files"}},
		{"H02 by hand", []string{files, tool("files", `args: ["@bob/files"]`)}, nil, []string{"duplicate-server files"}},
		{"H02 both by hand", []string{tool("files", `args: ["@a/files"]`), tool("files", `args: ["@bob/files"]`)}, nil, []string{"duplicate-server files"}},
		{"H03", []string{files, tool("bob_files", `args: ["@bob/files"], registry_name: io.bob/files`)}, nil, nil},
		{"H04 the agent does not load", []string{"{type: vectorstore, name: files, description: d, source: x}", files}, nil, []string{"invalid-server files"}},
		{"H05 no tools", []string{}, nil, nil},
		{"H05 behind other tools", []string{"{type: prompt, name: ask, description: d}", files}, nil, nil},
		{"H06 no agent", nil, []string{files}, nil},
		{"H07 no settings", []string{files}, nil, nil},
		{"H07 existing", nil, []string{files, tool("time", `args: ["@acme/time"]`)}, nil},
		{"H07 duplicate", nil, []string{files, tool("files2", `args: ["@acme/files"], registry_name: io.acme/files`)}, []string{"duplicate-server files2"}},
		{"H08 a name of one's own", []string{tool("my_fs", `args: ["@acme/files"], registry_name: io.acme/files`)}, nil, nil},
		{"H08 ours: a name that does not load", []string{tool("my-fs", `args: ["@acme/files"], registry_name: io.acme/files`)}, nil, []string{"invalid-name my-fs"}},
		{"H09 no overlap", []string{files}, []string{tool("time", `args: ["@acme/time"]`)}, nil},
		{"H09 same name", []string{files}, []string{files}, []string{"shadowed-server files"}},
		{"H09 partial", []string{files}, []string{files, tool("time", `args: ["@acme/time"]`)}, []string{"shadowed-server files"}},
		{"H09 another kind of tool", []string{tool("time", `args: ["@acme/time"]`), "{type: prompt, name: files, description: d}"}, []string{files}, []string{"shadowed-server files"}},
		{"H09 ours: one server under two names", []string{files}, []string{tool("fs", `args: ["@acme/files"], registry_name: io.acme/files`)}, []string{"alias-drift fs"}},
		{"H09 ours: one package under two names", []string{files}, []string{tool("fs", `args: ["@acme/files"]`)}, []string{"duplicate-server fs"}},
		{"H11 names that meet", []string{tool("foo_bar", `args: ["@acme/a"]`), tool("foo__bar", `args: ["@acme/b"]`)}, nil, []string{"short-name-collision foo__bar"}},
		{"H11 names before they are sanitised", []string{tool("server-filesystem", `args: ["@acme/a"]`), tool("my.tool.name", `args: ["@acme/b"]`), tool(`"  spaces  "`, `args: ["@acme/c"]`), tool(`""`, `args: ["@acme/d"]`)}, nil,
			[]string{"invalid-name server-filesystem", "invalid-name my.tool.name", "invalid-name   spaces  ", "invalid-name "}},
		{"H14 other kinds of tool", []string{"{type: prompt, name: files, description: d}"}, nil, nil},
		{"H14 none", []string{}, []string{}, nil},
	} {
		t.Run(test.id, func(t *testing.T) {
			files := linttest.Files{}
			if test.agent != nil {
				files["agent.yaml"] = "name: a\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Help.}\ntools:\n" + items(test.agent)
			}
			if test.settings != nil {
				files["config.yml"] = "mcp_servers:\n" + items(test.settings)
			}
			assert.Equal(t, test.want, linttest.SubjectsOf(linttest.LintFiles(t, files),
				"duplicate-server", "short-name-collision", "invalid-server", "invalid-name", "shadowed-server", "alias-drift", "syntax-error"))
		})
	}
}

// TestHolodeckVersions is H10: the version of a package is the text after it, in every launcher
// that HoloDeck accepts. HoloDeck's own list sees only that of npm packages.
func TestHolodeckVersions(t *testing.T) {
	for _, test := range []struct{ command, args, want string }{
		{"npx", `["-y", "@mcp/x@1.0.0"]`, "1.0.0"},
		{"npx", `["package@2.3.4"]`, "2.3.4"},
		{"npx", `["package@1.0.0-beta"]`, "1.0.0-beta"},
		{"npx", `["-y", "@mcp/x"]`, ""},
		{"npx", `[]`, ""},
		{"npx", `null`, ""},
		{"uvx", `["acme-mcp==1.2.0"]`, "1.2.0"},
		{"docker", `["run", "-i", "acme/mcp:3.1.4"]`, "3.1.4"},
	} {
		t.Run(test.command+" "+test.args, func(t *testing.T) {
			files := linttest.Files{"agent.yaml": "name: a\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Help.}\ntools:\n" +
				"  - {type: mcp, name: x, description: d, command: " + test.command + ", args: " + test.args + "}\n"}
			result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files)})
			require.NoError(t, err)
			assert.Equal(t, test.want, result.Repo.Projects[0].Documents[0].Servers[0].Identity.Version.Text)
		})
	}
}

// TestHolodeckPackages is H12: what HoloDeck cannot add, because nothing in a
// manifest starts over stdio from npm, PyPI or an image, is not a server here, so there is nothing
// to report about it.
func TestHolodeckPackages(t *testing.T) {
	for _, packages := range []string{`[]`, `[{"registryType": "mcpb", "identifier": "https://acme.dev/x.mcpb"}]`} {
		assert.Empty(t, linttest.LintFiles(t, linttest.Files{"server.json": `{"name": "io.github.acme/x", "packages": ` + packages + `}`}), packages)
	}
}

func items(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "  - " + strings.Join(lines, "\n  - ") + "\n"
}
