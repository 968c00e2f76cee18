package checks_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// respellings are other ways to write the launch of an entry in a JSON file. They leave out words
// that another program than before would read.
var respellings = map[string]struct {
	written *regexp.Regexp
	as      string
}{
	"npx.cmd":     {regexp.MustCompile(`"command": "npx", "args": \[`), `"command": "npx.cmd", "args": [`},
	"cmd /c":      {regexp.MustCompile(`"command": "npx", "args": \["([^/])`), `"command": "cmd", "args": ["/c", "npx", "$1`},
	"npm exec":    {regexp.MustCompile(`"command": "npx", "args": \["-y", "([^-])`), `"command": "npm", "args": ["exec", "--yes", "--", "$1`},
	"uv tool run": {regexp.MustCompile(`"command": "uvx", "args": \[`), `"command": "uv", "args": ["tool", "run", `},
	"a full path": {regexp.MustCompile(`"command": "uvx", "args": \[`), `"command": "/usr/bin/uvx", "args": [`},
	"spelled out": {regexp.MustCompile(`"run", "-i", "mcp/`), `"run", "--interactive", "docker.io/mcp/`},
}

// asWritten are the tools that compare commands as they are written, and lockfiles and policies
// that contain commands; if one of their files exists, another spelling is a change.
var asWritten = regexp.MustCompile(`lock|policy: |\.ccpkg|prompt-registry|server\.json|package\.json`)

// TestRulesAskIdentity writes the launches of the servers of every fixture in another spelling,
// all of them and every second one: every rule finds the same as before. A rule that compared the
// texts by itself would find something else.
func TestRulesAskIdentity(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	tried := 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		files := filesIn(archive)
		if slices.ContainsFunc(linttest.SortedKeys(files), func(name string) bool { return asWritten.MatchString(name + files[name]) }) {
			continue
		}
		before := verdicts(t, files)
		for name, r := range respellings {
			for _, step := range []int{1, 2} {
				other, count := respelled(files, r.written, r.as, step)
				if count == 0 {
					continue
				}
				tried++
				assert.Equal(t, before, verdicts(t, other), "%s: %s", path, name)
			}
		}
	}
	assert.Greater(t, tried, 200)
}

// respelled writes every step-th place in another way, and says how many.
func respelled(files linttest.Files, written *regexp.Regexp, as string, step int) (other linttest.Files, count int) {
	other = linttest.Files{}
	seen := 0
	for _, path := range linttest.SortedKeys(files) {
		other[path] = written.ReplaceAllStringFunc(files[path], func(place string) string {
			seen++
			if seen%step > 0 {
				return place
			}
			count++
			return written.ReplaceAllString(place, as)
		})
	}
	return other, count
}

// verdicts returns the findings as "path rule severity server", sorted, except those of the one
// rule about spelling: that Windows needs cmd.
func verdicts(t *testing.T, files linttest.Files) []string {
	var list []string
	for _, f := range linttest.LintAll(t, files) {
		if strings.Contains(f.Message, " on Windows without cmd ") {
			continue
		}
		list = append(list, f.File.Path+" "+f.Rule.ID+" "+f.Severity.String()+" "+f.Server)
	}
	slices.Sort(list)
	return list
}
