package policy_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestNamesOf checks, for every finding of a fixture, that its file is known to contain the
// name it is about. So no ignore of it is called a mistake once the finding is gone.
func TestNamesOf(t *testing.T) {
	fixtures, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		archive, err := txtar.ParseFile(fixture)
		require.NoError(t, err)
		files := map[string]string{}
		for _, f := range archive.Files {
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") && !strings.HasPrefix(f.Name, "base/") {
				files[f.Name] = string(f.Data)
			}
		}
		settings, err := policy.ParseSettings(policy.SettingsName, policy.SettingsName, []byte(files[policy.SettingsName]))
		require.NoError(t, err, fixture)
		result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(files), Settings: settings, NoIgnore: true})
		require.NoError(t, err)
		names := map[string][]string{}
		for _, p := range result.Whole.Projects {
			for _, d := range p.Documents {
				names[d.File.Path] = append(names[d.File.Path], policy.NamesOf(d)...)
			}
		}
		for _, f := range result.Unmerged {
			if f.Server != "" && f.Rule != checks.OutOfStep { // which is about what is not there
				assert.True(t, slices.Contains(names[f.File.Path], f.Server), "%s: %s: %q [%s]", fixture, f.File.Path, f.Server, f.Rule.ID)
			}
		}
	}
}
