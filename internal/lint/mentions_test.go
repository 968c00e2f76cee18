package lint

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

const (
	twins = `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time==1.0.0"]}, "clock": {"command": "uvx", "args": ["mcp-server-time==1.0.0"]}}}`
	alone = `{"mcpServers": {"clock": {"command": "uvx", "args": ["mcp-server-time==1.0.0"]}}}`
)

// fixes returns the fixes of all findings: whether they are safe and what they do.
func fixes(t *testing.T, o Options) []string {
	t.Helper()
	result, err := Run(t.Context(), o)
	require.NoError(t, err)
	var all []string
	for _, f := range result.Findings {
		for _, fix := range f.Fixes {
			all = append(all, fmt.Sprintf("%s: %s: %s", f.File.Path, fix.Safety, fix.Title))
		}
	}
	return all
}

// TestTextsNearAServer checks which texts are about the servers of a directory: its own, those
// above, which its agents also read, and those below. The one that a fix names is the nearest to
// the root.
func TestTextsNearAServer(t *testing.T) {
	const (
		safe   = `a/.mcp.json: safe: remove "clock", which repeats "time"`
		unsafe = `a/.mcp.json: unsafe: remove "clock", which repeats "time"`
	)
	for path, want := range map[string]string{
		"a/CLAUDE.md":              unsafe + ` (a/CLAUDE.md:2 names "clock")`,
		"AGENTS.md":                unsafe + ` (AGENTS.md:2 names "clock")`,
		"a/b/c/GEMINI.md":          unsafe + ` (a/b/c/GEMINI.md:2 names "clock")`,
		"a/skills/x/SKILL.md":      unsafe + ` (a/skills/x/SKILL.md:2 names "clock")`,
		"b/CLAUDE.md":              safe,
		"ab/CLAUDE.md":             safe,
		"a/README.md":              safe,
		"a/testdata/one/CLAUDE.md": safe,
		"CHANGELOG.md":             safe,
	} {
		files := map[string]string{"a/.mcp.json": twins, path: "# Time\nAsk `clock`.\n"}
		assert.Equal(t, []string{want}, fixes(t, Options{Source: source.Memory(files)}), path)
		assert.Equal(t, []string{want}, fixes(t, Options{Source: source.Memory(files), Base: source.Memory(nil)}), path)
	}
	both := map[string]string{"a/.mcp.json": twins, "a/CLAUDE.md": "`clock`", "AGENTS.md": "`clock`", "a/b/AGENTS.md": "`clock`"}
	assert.Equal(t, []string{unsafe + ` (AGENTS.md:1 names "clock")`}, fixes(t, Options{Source: source.Memory(both)}))
	assert.Equal(t, []string{unsafe + ` (AGENTS.md:1 names "clock")`}, fixes(t, Options{Source: source.Memory(both), Targets: []string{"a/.mcp.json"}}))
}

// TestFrontMatterIsNoProse checks that names in front matter, which rules know and a fix renames
// along, are distinguished from the text after it.
func TestFrontMatterIsNoProse(t *testing.T) {
	const command = "---\nallowed-tools: mcp__clock__now\n---\n"
	files := map[string]string{
		".mcp.json":               alone,
		"mcp-tap.lock":            `{"lockfile_version": 1, "servers": {"time": {"package_identifier": "mcp-server-time", "registry_type": "pypi", "version": "1.0.0", "command": "uvx", "args": ["mcp-server-time==1.0.0"]}}}`,
		".claude/commands/now.md": command,
	}
	assert.Equal(t, []string{`.mcp.json: unsafe: rename "clock" to "time"`}, fixes(t, Options{Source: source.Memory(files)}))
	files[".claude/commands/now.md"] = command + "Ask the clock server.\n"
	assert.Equal(t, []string{`.mcp.json: unsafe: rename "clock" to "time" (.claude/commands/now.md:4 names "clock")`}, fixes(t, Options{Source: source.Memory(files)}))
}

// reads is a tree that knows which files were read.
type reads struct {
	source.Tree
	mutex sync.Mutex
	paths map[string]bool
}

func (r *reads) Read(ctx context.Context, path string) (source.File, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.paths[path] = true
	return r.Tree.Read(ctx, path)
}

// TestTextsAreReadForFixes checks that no text is read unless it may matter to a fix.
func TestTextsAreReadForFixes(t *testing.T) {
	for config, want := range map[string]bool{twins: true, alone: false} {
		tree := &reads{Tree: source.Memory(map[string]string{".mcp.json": config, "CLAUDE.md": "`clock`"}), paths: map[string]bool{}}
		fixes(t, Options{Source: tree})
		assert.Equal(t, want, tree.paths["CLAUDE.md"])
	}
}

// TestTooManyTexts checks that a fix is not considered safe unless all texts were searched.
func TestTooManyTexts(t *testing.T) {
	files := map[string]string{".mcp.json": twins}
	for i := range maxProse {
		files[fmt.Sprintf("d%d/CLAUDE.md", i)] = "Mind the clock."
	}
	assert.Equal(t, []string{`.mcp.json: safe: remove "clock", which repeats "time"`}, fixes(t, Options{Source: source.Memory(files)}))
	more := maps.Clone(files)
	more["x/CLAUDE.md"] = ""
	assert.Equal(t, []string{`.mcp.json: unsafe: remove "clock", which repeats "time" (there are too many texts for agents to search all of them for "clock")`},
		fixes(t, Options{Source: source.Memory(more)}))
}
