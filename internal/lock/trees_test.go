package lock_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestWhatIsLockedIsLocked holds that the rules which compare a lockfile with the
// configuration find nothing between a repository and the lock that was just made of it:
// in every file of the rules' own tests.
func TestWhatIsLockedIsLocked(t *testing.T) {
	rules := []*rule.Rule{}
	for _, id := range []string{"alias-drift", "config-changed", "invalid-lockfile", "missing-server", "syntax-error", "unlocked-server", "version-conflict"} {
		rules = append(rules, checks.ByID(id))
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	for _, path := range paths {
		files := filesOf(t, path)
		repo := read(t, files)
		l, gaps := lock.Build(repo, nil, func(path string) ([]byte, error) {
			content, found := files[path]
			if !found {
				return nil, fs.ErrNotExist
			}
			return []byte(content), nil
		})
		kept := map[string]bool{} // out of the lock, because a credential is a part of them
		for _, g := range gaps {
			kept[g.Path+" "+g.Server] = strings.Contains(g.Why, "credential")
		}
		content, err := l.Bytes()
		require.NoError(t, err)
		files[lock.Name] = string(content)
		result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(files), Listed: true, Checks: rules, NoIgnore: true})
		require.NoError(t, err)
		for _, f := range result.Findings {
			if f.Rule.ID == "unlocked-server" && kept[f.File.Path+" "+f.Server] {
				continue
			}
			isOfLock := f.File.Path == lock.Name || strings.Contains(f.Text(), lock.Name)
			for _, r := range f.Related {
				isOfLock = isOfLock || r.File.Path == lock.Name
			}
			assert.False(t, isOfLock, "%s: %s: %s: %s", path, f.File.Path, f.Rule.ID, f.Text())
		}
	}
}

// filesOf returns the files of a fixture, without other lockfiles, which would also apply.
func filesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range txtar.Parse(content).Files {
		isOther := strings.HasPrefix(f.Name, "base/") || strings.HasPrefix(f.Name, "fixed/") || f.Name == "want" || f.Name == "fixes"
		if base := filepath.Base(f.Name); !isOther && base != "mcp-tap.lock" && base != "mcplumb.lock" {
			files[f.Name] = string(f.Data)
		}
	}
	return files
}
