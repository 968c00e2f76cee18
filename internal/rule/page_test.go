package rule

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
		{"score alone", "severity: note\nsecurity-severity: \"5.0\"\nprecision: high\ntags: [lock]", "needs the tag security"},
		{"risk alone", "severity: note\nprecision: high\ntags: [lock, MCP04:2025]", "needs the tag security"},
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
