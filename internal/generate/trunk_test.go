package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/format"
)

// TestTrunkFilesAreWhatMcplumbReads: in any directory and letter case, whether Trunk searches
// for an expression or wants it to match the whole path.
func TestTrunkFilesAreWhatMcplumbReads(t *testing.T) {
	content, err := os.ReadFile("../../" + trunkPath)
	require.NoError(t, err)
	var plugin struct {
		Lint struct{ Files []struct{ Regexes []string } }
	}
	require.NoError(t, yaml.Unmarshal(content, &plugin))
	for _, mode := range []struct{ before, after string }{{"", ""}, {"^(?:", ")$"}} {
		var all []*regexp.Regexp
		for _, r := range plugin.Lint.Files[0].Regexes {
			all = append(all, regexp.MustCompile(mode.before+r+mode.after))
		}
		isRead := func(path string) bool {
			for _, r := range all {
				if r.MatchString(path) {
					return true
				}
			}
			return false
		}
		for _, f := range format.All() {
			for _, path := range f.Paths {
				path = strings.NewReplacer("**/", "one/two/", "*", "x").Replace(path)
				assert.True(t, isRead(path), path)
				assert.True(t, isRead("apps/web/"+strings.ToUpper(path)), path)
			}
		}
		for _, path := range []string{"README.md", "package.json", "my.mcp.json/x", "x.vscode/mcp.jsonl", "main.go"} {
			assert.False(t, isRead(path), path)
		}
	}
}
