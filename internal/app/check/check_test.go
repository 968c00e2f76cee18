package check

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// TestRun holds that a check finds, shows and makes fixes, as it is asked to.
func TestRun(t *testing.T) {
	const before = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.2.3"]}}}`
	const after = `{"servers": {"notes": {"command": "npx", "args": ["-y", "@acme/notes@1.2.3"]}}}`
	for name, test := range map[string]struct {
		fix        Fix
		left       int // findings
		isRepaired bool
		content    string
	}{
		"found":   {Fix{}, 1, false, before},
		"shown":   {Fix{IsAsked: true, IsDryRun: true, Allow: rule.Safe}, 1, true, before},
		"written": {Fix{IsAsked: true, Allow: rule.Safe}, 0, true, after},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, ".vscode", "mcp.json")
		require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(before), 0o644))
		env := &workspace.Env{
			Dir: dir, Now: func() time.Time { return time.Unix(0, 0) },
			LookPath: func(string) (string, error) { return "", errors.New("there is none") },
		}
		r, err := Run(t.Context(), env, Options{Rules: []*rule.Rule{checks.ByID("wrong-root-key")}, Fix: test.fix})
		require.NoError(t, err, name)
		defer r.Close()
		assert.Len(t, r.Found.Findings, test.left, name)
		if assert.Equal(t, test.isRepaired, r.Fixed != nil, name); r.Fixed != nil && test.fix.IsDryRun {
			patches, fixes := r.Fixed.Patches(r.View)
			assert.Len(t, patches, 1, name)
			assert.Len(t, fixes.Made, 1, name)
		}
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, test.content, string(content), name)
	}
}
