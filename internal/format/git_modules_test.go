package format

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestClientDirs derives the directories of clients from the paths of all formats.
func TestClientDirs(t *testing.T) {
	dirs := map[string]bool{}
	for _, f := range All() {
		for _, p := range f.Paths {
			if top, _, isBelow := strings.Cut(strings.ToLower(p), "/"); isBelow && top[0] == '.' && !strings.Contains(top, "*") {
				dirs[top] = true
			}
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(dirs)), clientDirs)
}
