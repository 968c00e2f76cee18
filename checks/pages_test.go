package checks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// howToWrite shows how a page must begin.
const howToWrite = `
%s.md must begin with front matter like this, an empty line after it, then "# %s":

---
severity: warning            # as in the Go file
precision: high              # how often a finding is right: very-high, high, medium, low
tags: [identity]             # first the family: identity, lock, file, supply-chain, own
---

and a security rule like this (score: above 9.0 critical, from 7.0 high, from 4.0 medium, below it low; the risks of
the OWASP MCP Top 10 are in the function OWASP of internal/rule/page.go, leave them out if none fits):

---
severity: error
security-severity: "7.5"
precision: high
tags: [supply-chain, security, MCP04:2025]
---
`

// TestFrontMatter checks that every page has valid front matter, and that it gives the severity
// of the rule.
func TestFrontMatter(t *testing.T) {
	for _, c := range All() {
		t.Run(c.ID, func(t *testing.T) {
			name := strings.ReplaceAll(c.ID, "-", "_")
			meta, err := c.ParseMeta()
			require.NoErrorf(t, err, howToWrite, "checks/"+name, c.ID)
			assert.Equal(t, c.Severity.String(), meta.Severity, "the severity in %s is not that of the rule", name+".md")
		})
	}
}
