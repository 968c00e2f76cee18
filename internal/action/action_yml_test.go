package action_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func repositoryFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(content)
}

// TestActionYML compares action.yml with the page that describes it: every input is in its
// table and reaches the program through the environment, every output is described and set,
// and no script contains an expression.
func TestActionYML(t *testing.T) {
	var action struct {
		Inputs  map[string]struct{ Default string }
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Steps []struct {
				Run  string
				Uses string
				Env  map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(repositoryFile(t, "action.yml")), &action))
	require.Len(t, action.Runs.Steps, 1)
	step := action.Runs.Steps[0]
	assert.Empty(t, step.Uses, "an action within the action would be fetched where it is not used")
	assert.NotContains(t, step.Run, "${{")

	env := map[string]string{}
	for name := range action.Inputs {
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = "${{ inputs." + name + " }}"
	}
	assert.Equal(t, env, step.Env)

	page := repositoryFile(t, "docs/github-action.md")
	documented := func(heading string) []string {
		_, table, found := strings.Cut(page, "| "+heading+" | meaning |\n|---|---|\n")
		require.True(t, found, heading)
		table, _, _ = strings.Cut(table, "\n\n")
		var names []string
		for _, row := range strings.Split(table, "\n") {
			cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
			names = append(names, strings.Split(strings.Trim(cell, "`"), "`, `")...)
		}
		slices.Sort(names)
		return names
	}
	assert.Equal(t, slices.Sorted(maps.Keys(action.Inputs)), documented("input"))
	assert.Equal(t, slices.Sorted(maps.Keys(action.Outputs)), documented("output"))
	for name, output := range action.Outputs {
		assert.Equal(t, "${{ steps.mcplumb.outputs."+name+" }}", output.Value)
	}
}

// TestActionChecksums holds that the action knows no release, or all of one.
func TestActionChecksums(t *testing.T) {
	table := repositoryFile(t, "action/checksums.txt")
	if table == "" {
		return
	}
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	assert.Len(t, rows, 6)
	for _, row := range rows {
		assert.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}  mcplumb_\d+\.\d+\.\d+_(darwin|linux|windows)_(amd64|arm64)\.(tar\.gz|zip)$`), row)
	}
}
