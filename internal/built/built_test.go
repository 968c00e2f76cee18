package built

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCommitOf checks the commit that a build's version names.
func TestCommitOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	assert.Empty(t, commitOf(nil), "a release")
	assert.Empty(t, commitOf([]debug.BuildSetting{setting("vcs.modified", "true")}))
	assert.Equal(t, "0123456789ab", commitOf([]debug.BuildSetting{setting("vcs.revision", revision), setting("vcs.modified", "false")}))
	assert.Equal(t, "0123456789ab, with changes", commitOf([]debug.BuildSetting{setting("vcs.revision", revision), setting("vcs.modified", "true")}))
	assert.Equal(t, "mcplumb 1.2.3 (commit 0123456789ab)", Named("1.2.3", "0123456789ab"))
	assert.Equal(t, "mcplumb 1.2.3", Named("1.2.3", ""))
}
