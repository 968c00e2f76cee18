package installed_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// absentIn returns the scripts that servers run and that are not in the files, sorted.
func absentIn(t *testing.T, tree source.Tree) []string {
	t.Helper()
	result, err := lint.Run(t.Context(), lint.Options{Source: tree, Checks: []*rule.Rule{}})
	require.NoError(t, err)
	var absent []string
	for _, p := range result.Repo.Projects {
		for file := range maps.Values(p.Facts.Absent) {
			absent = append(absent, file.Path)
		}
	}
	slices.Sort(absent)
	return absent
}

// running returns .mcp.json with a server for each script.
func running(scripts ...string) string {
	entries := make([]string, len(scripts))
	for i, script := range scripts {
		entries[i] = fmt.Sprintf(`"s%d": {"command": "node", "args": ["%s"]}`, i, script)
	}
	return `{"mcpServers": {` + strings.Join(entries, ",") + `}}`
}

// TestManyAbsent checks that every script of a project is looked for, and that files which may say
// where scripts come from are read once.
func TestManyAbsent(t *testing.T) {
	scripts := make([]string, 500)
	for i := range scripts {
		scripts[i] = fmt.Sprintf("b/s%03d.js", i)
	}
	files := map[string]string{"x.js": "", ".gitignore": "c/\n", "b/package.json": `{"name": "b"}`}
	want := slices.Clone(scripts)
	for _, dir := range []string{"", "a/", "a/a/"} {
		files[dir+".mcp.json"] = running(scripts...)
		if dir != "" {
			for _, script := range scripts {
				want = append(want, dir+script)
			}
		}
	}
	slices.Sort(want)
	tree := &counted{Tree: source.Memory(files), reads: map[string]int{}}
	assert.Equal(t, want, absentIn(t, tree))
	for _, name := range []string{".gitignore", ".gitmodules", "b/package.json"} {
		assert.Equal(t, 1, tree.reads[name], name)
	}
}

// TestManifestSpeaksOfScript checks that a script may be made where a manifest on the way has its
// name as a word, and not where that is a part of another one.
func TestManifestSpeaksOfScript(t *testing.T) {
	for text, isMade := range map[string]bool{
		`esbuild src/a.ts --outfile=mcp/server.js`: true,
		`{"bin": {"mcp": "./mcp/server.js"}}`:      true,
		"$(OUT)server.js: server.coffee":           true,
		`{"files": "mcp\\server.js"}`:              true,
		"cp ../my-server.js mcp/":                  false,
		"see server.json":                          false,
	} {
		files := map[string]string{"x.js": "", ".mcp.json": running("mcp/server.js"), "Makefile": text, "mcp/sub/Makefile": "server.js"}
		assert.Equal(t, !isMade, len(absentIn(t, source.Memory(files))) == 1, text)
	}
	odd := map[string]string{"x.js": "", ".mcp.json": running("mcp/a,server.js"), "Makefile": "touch 'a,server.js'"}
	assert.Empty(t, absentIn(t, source.Memory(odd)))
}

// TestManyIgnored checks that a script may be made where ignore files on the way have more patterns
// than are tried: that is no finding, and costs nothing.
func TestManyIgnored(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("*a*a*a*a*a*a*b\n", n) }
	for _, test := range []struct {
		above, beside int
		isAbsent      bool
	}{{400, 400, true}, {1200, 0, false}, {700, 700, false}, {5000, 0, false}} {
		files := map[string]string{"x.js": "", ".mcp.json": running("mcp/server.js"), ".gitignore": lines(test.above), "mcp/.gitignore": lines(test.beside)}
		assert.Equal(t, test.isAbsent, len(absentIn(t, source.Memory(files))) == 1, test)
	}
}
