package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// howToWrite is what a page must begin with.
const howToWrite = `
%s.md must begin with front matter like this, an empty line after it, then "# %s":

---
severity: warning            # as in the Go file
precision: high              # how often a finding is right: very-high, high, medium, low
tags: [identity]             # first the family: identity, lock, file, supply-chain, own
---

and a security rule like this (score: above 9.0 critical, from 7.0 high, from 4.0 medium, below it low; the risks of
the OWASP MCP Top 10 are in the function OWASP of pages.go, leave them out if none fits):

---
severity: error
security-severity: "7.5"
precision: high
tags: [supply-chain, security, MCP04:2025]
---
`

// TestFrontMatter holds that every page has valid front matter, and that it
// gives the severity of the rule.
func TestFrontMatter(t *testing.T) {
	for _, c := range All() {
		t.Run(c.ID, func(t *testing.T) {
			meta, err := parseMeta(c.source())
			require.NoErrorf(t, err, howToWrite, "checks/"+c.file(""), c.ID)
			assert.Equal(t, c.Severity.String(), meta.Severity, "the severity in %s is not that of the rule", c.file(".md"))
		})
	}
}

// TestParseMeta shows what front matter may say.
func TestParseMeta(t *testing.T) {
	for _, test := range []struct{ name, front, want string }{
		{"plain", "severity: note\nprecision: medium\ntags: [lock]", ""},
		{"security", "severity: error\nsecurity-severity: \"9.8\"\nprecision: high\ntags: [supply-chain, security, MCP04:2025]", ""},
		{"severity", "severity: warn\nprecision: high\ntags: [lock]", "unknown severity"},
		{"precision", "severity: note\nprecision: good\ntags: [lock]", "precision is"},
		{"family", "severity: note\nprecision: high\ntags: [security]", "first tag"},
		{"no tags", "severity: note\nprecision: high", "first tag"},
		{"tag", "severity: note\nprecision: high\ntags: [lock, MCP11:2025]", `unknown tag "MCP11:2025"`},
		{"no score", "severity: note\nprecision: high\ntags: [lock, security]", "wants security-severity"},
		{"score", "severity: note\nsecurity-severity: high\nprecision: high\ntags: [lock, security]", "wants security-severity"},
		{"score out of range", "severity: note\nsecurity-severity: \"11\"\nprecision: high\ntags: [lock, security]", "from 0.1 to 10.0"},
		{"score alone", "severity: note\nsecurity-severity: \"5.0\"\nprecision: high\ntags: [lock]", "wants the tag security"},
		{"risk alone", "severity: note\nprecision: high\ntags: [lock, MCP04:2025]", "wants the tag security"},
		{"key", "severity: note\nprecision: high\ntags: [lock]\nlevel: 1", "field level not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseMeta("---\n" + test.front + "\n---\n\n# x\n")
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err := parseMeta("# x\n")
	require.ErrorContains(t, err, "first line")
	_, err = parseMeta("---\nseverity: note\n# x\n")
	require.ErrorContains(t, err, "does not end")
}
