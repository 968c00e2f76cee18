package lint_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/source"
)

// TestFindingsOfOneRule checks that a project has room for 5,000 findings of a rule and severity,
// and that a run that leaves some out says so.
func TestFindingsOfOneRule(t *testing.T) {
	keys := strings.Repeat(`"a": 0, `, 5003)
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(map[string]string{
		"sub/.mcp.json": fmt.Sprintf(`{"mcpServers": {%s "b": 0}}`, keys),
	})})
	require.NoError(t, err)
	found := map[string]int{}
	for _, f := range result.Findings {
		found[f.Rule.ID]++
	}
	assert.Equal(t, 5000, found["duplicate-key"])
	assert.Equal(t, []lint.FileError{
		{Path: "sub", Message: "2 more findings of duplicate-key are left out: of one severity there is room for 5000"},
	}, result.Errors)
}
