package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/app/manual"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHelpFits holds that the help of every command fits in eighty columns.
func TestHelpFits(t *testing.T) {
	root := Command()
	for _, cmd := range append(root.Commands(), root) {
		var out strings.Builder
		cmd.SetOut(&out)
		require.NoError(t, cmd.Help())
		for line := range strings.Lines(out.String()) {
			assert.LessOrEqual(t, terminal.Width(strings.TrimSuffix(line, "\n")), manual.Width, "%s: %s", cmd.Name(), line)
		}
	}
}

// TestCommitOf shows what the version says of a build.
func TestCommitOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	assert.Empty(t, commitOf(nil), "a release")
	assert.Empty(t, commitOf([]debug.BuildSetting{setting("vcs.modified", "true")}))
	assert.Equal(t, "0123456789ab", commitOf([]debug.BuildSetting{setting("vcs.revision", revision), setting("vcs.modified", "false")}))
	assert.Equal(t, "0123456789ab, with changes", commitOf([]debug.BuildSetting{setting("vcs.revision", revision), setting("vcs.modified", "true")}))
	a := app{env: Env{Version: "1.2.3", Commit: "0123456789ab"}}
	assert.Equal(t, "mcplumb 1.2.3 (commit 0123456789ab)\n", a.versionLine())
}
