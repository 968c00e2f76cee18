package linttest

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// projects is how many random projects each system's generator writes:
// go test ./internal/systems/... -run Projects -projects 5000
var projects = flag.Int("projects", 500, "random projects of each source system")

// Project is a generated project, and what its system's own algorithm says of it:
// "rule subject", sorted, each once.
type Project struct {
	Files Files
	Want  []string
}

// Agree lints random projects in one run, each in its own directory, and checks that the findings
// in each are those that the generator expects. said writes a finding as the generator does, "" for
// one that does not matter.
func Agree(t *testing.T, generate func(*rand.Rand) Project, said func(*rule.Finding) string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	files, written, silent := Files{}, map[string]Project{}, 0
	for i := range *projects {
		dir := fmt.Sprintf("p%05d", i)
		written[dir] = generate(random)
		if len(written[dir].Want) == 0 {
			silent++
		}
		for path, content := range written[dir].Files {
			files[dir+"/"+path] = content
		}
	}
	assert.Greater(t, silent, *projects/10, "too few projects in which all is well")
	assert.Less(t, silent, *projects*9/10, "too few projects in which something is wrong")
	result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files)})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	got, messages := map[string][]string{}, map[string]string{}
	for i := range result.Findings {
		f := &result.Findings[i]
		dir, _, _ := strings.Cut(f.File.Path, "/")
		if text := said(f); text != "" {
			messages[dir] += fmt.Sprintf("%s: %s: %s\n", f.File.Path, f.Rule.ID, f.Text())
			if !slices.Contains(got[dir], text) {
				got[dir] = append(got[dir], text)
			}
		}
	}
	for dir, p := range written {
		slices.Sort(got[dir])
		if !slices.Equal(p.Want, got[dir]) {
			assert.Equal(t, p.Want, got[dir], "%s\n%s%s", dir, messages[dir], p.show())
		}
	}
}

// show writes the files of a project for the message of a test.
func (p Project) show() string {
	var b strings.Builder
	for _, path := range SortedKeys(p.Files) {
		fmt.Fprintf(&b, "-- %s --\n%s\n", path, p.Files[path])
	}
	return b.String()
}

func SortedKeys(files Files) []string {
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// GraveSaid writes every finding that is more than a note.
func GraveSaid(f *rule.Finding) string {
	if f.Severity < rule.Warning {
		return ""
	}
	return f.Rule.ID + " " + f.Server
}

// ToJSON writes a value that a generator has made.
func ToJSON(value any) string {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // of strings, lists and maps alone
	}
	return string(data)
}

// OneOf picks one of a list.
func OneOf[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }
