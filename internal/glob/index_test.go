package glob

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIndexTriesFew holds that a path costs what there is of its own names, however
// many patterns there are.
func TestIndexTriesFew(t *testing.T) {
	tried := func(patterns int) int {
		var ix Index
		for i := range patterns {
			p, err := Parse(fmt.Sprintf("**/{x,y}%d/*.json", i))
			require.NoError(t, err)
			ix.Add(p, i)
		}
		count := 0
		for range ix.candidates("a/x7/b/x7/y8/c.json") {
			count++
		}
		return count
	}
	assert.Equal(t, 2, tried(100))
	assert.Equal(t, 2, tried(200))
}
