package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// TestPullRequestIsBounded: GitHub refuses a body of more than 65,536 characters, and what
// is left out is counted.
func TestPullRequestIsBounded(t *testing.T) {
	var fixes []view.FixResult
	for i := range 2000 {
		fixes = append(fixes, view.FixResult{Line: i, Rule: checks.All()[0], Severity: rule.Warning, Title: view.NewText(fmt.Sprintf("rename @team to closes #%d", i))})
	}
	var out bytes.Buffer
	require.NoError(t, report.WritePullRequest(&out, report.PullRequest{Fixes: report.Fixes{Made: fixes}}))
	assert.Less(t, out.Len(), 60_000)
	assert.Regexp(t, `…and \d+ more\.`, out.String())
	for line := range strings.Lines(out.String()) {
		assert.False(t, strings.Contains(line, "closes #"), "an issue would be closed: %s", line)
		assert.False(t, strings.HasPrefix(line, "  "), "GitHub breaks the line before: %s", line)
		assert.False(t, strings.Contains(line, " @team"), "a user would be mentioned: %s", line)
	}
}
